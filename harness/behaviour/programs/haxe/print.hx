class Main {
  static function main() {
    for (i in 1...1000001) Sys.println(i);
  }
}
