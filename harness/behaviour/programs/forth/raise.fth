: main ." before" cr  true abort" sorry" ;
main
