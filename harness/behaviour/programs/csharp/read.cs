using System;
class Program {
    static void Main() {
        int n = int.Parse(Console.ReadLine());
        string line = Console.ReadLine();
        Console.WriteLine(n + 1);
        Console.WriteLine(line.Length);
    }
}
