int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

int main() {
  write("%d\n", depth((int) Stdio.stdin.gets()));
}
