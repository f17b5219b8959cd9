import java.util.ArrayList;
class Main {
    public static void main(String[] args) {
        ArrayList<byte[]> blocks = new ArrayList<>();
        while (true)
            blocks.add(new byte[1 << 20]);
    }
}
