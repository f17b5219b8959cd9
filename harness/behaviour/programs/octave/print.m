for i = 1:1000000
  printf("%d\n", i);
end
