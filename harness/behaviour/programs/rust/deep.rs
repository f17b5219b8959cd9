use std::io::stdin;
fn depth(n: i64) -> i64 {
    if n == 0 { 0 } else { 1 + depth(n - 1).max(depth(0)) }
}
fn main() {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    println!("{}", depth(line.trim().parse().unwrap()));
}
