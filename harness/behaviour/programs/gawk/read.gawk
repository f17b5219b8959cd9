BEGIN {
    getline n
    getline line
    print n + 1
    print length(line)
}
