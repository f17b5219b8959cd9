fn main() {
    for i in 1..=1_000_000 {
        println!("{i}");
    }
}
