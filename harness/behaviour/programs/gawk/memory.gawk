BEGIN {
    while (1) numbers[i] = i++
}
