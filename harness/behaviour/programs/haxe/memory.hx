class Main {
  static function main() {
    var numbers = [];
    var i = 0;
    while (true) numbers.push(i++);
  }
}
