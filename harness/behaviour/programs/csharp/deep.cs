using System;
class Program {
    static long Depth(long n) {
        return n == 0 ? 0 : 1 + Math.Max(Depth(n - 1), Depth(0));
    }
    static void Main() {
        Console.WriteLine(Depth(long.Parse(Console.ReadLine())));
    }
}
