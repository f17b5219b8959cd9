using System.Collections.Generic;
class Program {
    static void Main() {
        var blocks = new List<byte[]>();
        while (true) {
            var block = new byte[1 << 20];
            for (int i = 0; i < block.Length; i += 4096)
                block[i] = 1;
            blocks.Add(block);
        }
    }
}
