n = fscanf(stdin, "%d", 1);
for i = 1:n
  x = fscanf(stdin, "%d", 1);
  printf("%d\n", x);
end
