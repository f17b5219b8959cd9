import java.util.Scanner;
class Main {
    public static void main(String[] args) {
        Scanner input = new Scanner(System.in);
        int n = input.nextInt();
        input.nextLine();
        String line = input.nextLine();
        System.out.println(n + 1);
        System.out.println(line.length());
    }
}
