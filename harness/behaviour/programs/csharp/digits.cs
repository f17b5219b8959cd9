using System;
using System.Numerics;
class Program {
    static void Main() {
        Console.WriteLine(BigInteger.Parse(Console.ReadLine()) + 1);
    }
}
