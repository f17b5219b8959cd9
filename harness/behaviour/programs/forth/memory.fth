: main begin 1048576 allocate throw 1048576 1 fill again ;
main
