: input ( -- n ) pad 80 stdin read-line throw drop pad swap s>number? drop d>s ;
: main input 0 ?do input . cr loop ;
main
