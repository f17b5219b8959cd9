2000000 constant size
size allocate throw constant line
: input ( -- c-addr u ) line size stdin read-line throw drop line swap ;
: main
  input s>number? drop d>s 1+ . cr
  input nip . cr ;
main
