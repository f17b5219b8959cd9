class Main {
  static function main() {
    var input = Sys.stdin();
    for (i in 0...Std.parseInt(input.readLine())) Sys.println(Std.parseInt(input.readLine()));
  }
}
