: input ( -- n ) pad 80 stdin read-line throw drop pad swap s>number? drop d>s ;
: depth-of ( n -- depth ) dup if 1- recurse 1+ then ;
: main input depth-of . cr ;
main
