class Main {
    public static void main(String[] args) {
        for (int i = 1; i <= 1000000; i++)
            System.out.println(i);
    }
}
