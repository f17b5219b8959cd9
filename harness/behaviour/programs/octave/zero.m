n = fscanf(stdin, "%d", 1);
printf("%d\n", 100 / n);
