BEGIN {
    for (i = 1; i <= 1000000; i++) print i
}
