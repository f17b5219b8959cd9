import java.util.Scanner;
class Main {
    public static void main(String[] args) {
        Scanner input = new Scanner(System.in);
        for (int n = input.nextInt(); n > 0; n--)
            System.out.println(input.nextInt());
    }
}
