fn main() {
    let mut blocks = Vec::new();
    loop {
        blocks.push("x".repeat(1 << 20));
    }
}
