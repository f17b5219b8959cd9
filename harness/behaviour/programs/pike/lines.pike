int main() {
  for (int left = (int) Stdio.stdin.gets(); left > 0; left--) write("%d\n", (int) Stdio.stdin.gets());
}
