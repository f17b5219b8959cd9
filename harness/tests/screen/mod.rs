//! The loop of editing and judging, on a pseudo-terminal: what users see on the screen.

#![cfg(target_os = "linux")]

mod add;
mod again;
mod report;
mod terminal;
mod traceback;

const SUM: &str = r#"
use std::io::Read;
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!("{sum}");
}
"#;

/// A program in Rust that executes `what` and nothing else.
fn does(what: &str) -> String {
    format!("fn main() {{ {what} }}\n")
}
