class Main {
  static function main() {
    var input = Sys.stdin();
    var n = Std.parseInt(input.readLine());
    var line = input.readLine();
    Sys.println(n + 1);
    Sys.println(line.length);
  }
}
