import java.util.Scanner;
class Main {
    static long depth(long n) {
        return n == 0 ? 0 : 1 + Math.max(depth(n - 1), depth(0));
    }
    public static void main(String[] args) {
        System.out.println(depth(new Scanner(System.in).nextLong()));
    }
}
