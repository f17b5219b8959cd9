void main() {
    for (int i = 1; i <= 1000000; i++) {
        stdout.printf("%d\n", i);
    }
}
