n = str2double(fgetl(stdin));
line = fgetl(stdin);
printf("%d\n%d\n", n + 1, length(line));
