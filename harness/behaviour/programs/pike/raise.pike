int main() {
  write("before\n");
  error("sorry\n");
}
