void main() {
    stdout.printf("before\n");
    error("sorry");
}
