int main() {
  int n = (int) Stdio.stdin.gets();
  string line = Stdio.stdin.gets();
  write("%d\n%d\n", n + 1, sizeof(line));
}
