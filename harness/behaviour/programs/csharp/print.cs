using System;
class Program {
    static void Main() {
        for (int i = 1; i <= 1000000; i++)
            Console.WriteLine(i);
    }
}
