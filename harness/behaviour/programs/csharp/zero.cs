using System;
class Program {
    static void Main() {
        int n = int.Parse(Console.ReadLine());
        Console.WriteLine(100 / n);
    }
}
