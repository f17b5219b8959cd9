n = fscanf(stdin, "%d", 1);
assert(n > 0);
printf("after\n");
