: main 1000001 1 do i . cr loop ;
main
