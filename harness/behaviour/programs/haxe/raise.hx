class Main {
  static function main() {
    Sys.println("before");
    throw "sorry";
  }
}
