use std::io::stdin;
fn main() {
    let mut lines = stdin().lines();
    let n: i32 = lines.next().unwrap().unwrap().parse().unwrap();
    for _ in 0..n {
        let x: i32 = lines.next().unwrap().unwrap().parse().unwrap();
        println!("{x}");
    }
}
