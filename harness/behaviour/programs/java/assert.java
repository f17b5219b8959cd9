import java.util.Scanner;
class Main {
    public static void main(String[] args) {
        int n = new Scanner(System.in).nextInt();
        assert n > 0;
        System.out.println("after");
    }
}
