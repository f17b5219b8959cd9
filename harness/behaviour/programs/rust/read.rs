use std::io::stdin;
fn main() {
    let mut lines = stdin().lines();
    let n: i32 = lines.next().unwrap().unwrap().parse().unwrap();
    let line = lines.next().unwrap().unwrap();
    println!("{}\n{}", n + 1, line.len());
}
