int main() {
  for (int i = 1; i <= 1000000; i++) write("%d\n", i);
}
