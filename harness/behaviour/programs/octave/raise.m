printf("before\n");
error("sorry");
