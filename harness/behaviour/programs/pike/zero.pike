int main() {
  int n = (int) Stdio.stdin.gets();
  write("%d\n", 100 / n);
}
