void main() {
    int n = int.parse(stdin.read_line());
    stdout.printf("%d\n", 100 / n);
}
