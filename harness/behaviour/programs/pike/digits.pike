int main() {
  int n = (int) Stdio.stdin.gets();
  write("%d\n", n + 1);
}
