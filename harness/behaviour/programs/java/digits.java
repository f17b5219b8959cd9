import java.math.BigInteger;
import java.util.Scanner;
class Main {
    public static void main(String[] args) {
        BigInteger n = new Scanner(System.in).nextBigInteger();
        System.out.println(n.add(BigInteger.ONE));
    }
}
