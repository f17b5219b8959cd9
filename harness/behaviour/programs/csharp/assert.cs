using System;
using System.Diagnostics;
class Program {
    static void Main() {
        int n = int.Parse(Console.ReadLine());
        Debug.Assert(n > 0);
        Console.WriteLine("after");
    }
}
