void main() {
    int n = int.parse(stdin.read_line());
    for (int i = 0; i < n; i++) {
        stdout.printf("%d\n", int.parse(stdin.read_line()));
    }
}
