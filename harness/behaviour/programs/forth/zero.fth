: input ( -- n ) pad 80 stdin read-line throw drop pad swap s>number? drop d>s ;
: main 100 input / . cr ;
main
