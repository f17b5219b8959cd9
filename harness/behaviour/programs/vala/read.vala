void main() {
    int n = int.parse(stdin.read_line());
    string line = stdin.read_line();
    stdout.printf("%d\n%d\n", n + 1, line.length);
}
