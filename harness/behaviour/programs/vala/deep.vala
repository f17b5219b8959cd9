int64 larger(int64 a, int64 b) {
    return a > b ? a : b;
}

int64 depth(int64 n) {
    return n == 0 ? 0 : 1 + larger(depth(n - 1), depth(0));
}

void main() {
    stdout.printf("%s\n", depth(int64.parse(stdin.read_line())).to_string());
}
