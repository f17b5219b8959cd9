class Main {
  static function depth(n:Int):Int {
    return n == 0 ? 0 : 1 + depth(n - 1);
  }

  static function main() {
    Sys.println(depth(Std.parseInt(Sys.stdin().readLine())));
  }
}
