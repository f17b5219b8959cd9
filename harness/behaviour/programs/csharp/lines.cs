using System;
class Program {
    static void Main() {
        int n = int.Parse(Console.ReadLine());
        while (n-- > 0)
            Console.WriteLine(int.Parse(Console.ReadLine()));
    }
}
