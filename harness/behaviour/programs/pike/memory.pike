int main() {
  array(string) blocks = ({});
  for (int i = 0; 1; i++) blocks += ({ "x" * (1048576 + i) });
}
