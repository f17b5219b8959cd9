class Main {
  static function main() {
    var n = Std.parseInt(Sys.stdin().readLine());
    Sys.println(Std.int(100 / n));
  }
}
