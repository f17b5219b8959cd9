void main() {
    var blocks = new GenericArray<string>();
    while (true) {
        blocks.add(string.nfill(1048576, 'x'));
    }
}
