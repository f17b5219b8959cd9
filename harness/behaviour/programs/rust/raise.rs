fn main() {
    println!("before");
    panic!("sorry");
}
