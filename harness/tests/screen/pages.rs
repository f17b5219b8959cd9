//! Pages of measurements that Ctrl-C ends: what was measured until then, with a note.

use super::terminal::{TerminalStreams, TestTerminal};
use crate::support::{Repo, SUM, does};

const NOTE: &str = "<p class=\"note\" role=\"alert\">The measurement was interrupted: these are the figures up to the \
                    interruption.</p>";

/// The page of a command that Ctrl-C ends once the screen shows `text`.
fn page(repo: &Repo, arguments: &[&str], text: &str) -> String {
    let command = repo.command(&[arguments, &["--html", "page.html"]].concat());
    let mut terminal = TestTerminal::start(&command, 100, TerminalStreams::All);
    terminal.wait_for(text);
    terminal.types("\u{3}");
    let (status, screen) = terminal.finish();
    assert_eq!(status, 130, "{arguments:?}: {screen}");
    let page = repo.read("page.html");
    assert!(
        page.contains(NOTE) && page.contains("<span class=\"headline bad\">"),
        "{arguments:?}: {page}"
    );
    page
}

#[test]
fn an_interrupted_scale_draws_the_sizes_that_it_has() {
    let repo = Repo::new();
    let counts = "let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); \
                  for i in 0..line.trim().parse::<u64>().unwrap() { std::hint::black_box(i); }";
    repo.file("solution.rs", does(counts))
        .file("generator.rs", does("println!(\"{}\", std::env::args().nth(1).unwrap());"));
    let sizes = ["--generator", "generator.rs", "--sizes", "1e6..1e8"];
    let many = ["--points", "20", "--runs", "1000"];
    let arguments = [&["scale", "solution.rs"], &sizes[..], &many].concat();
    let page = page(&repo, &arguments, "measured size 100000000");
    let largest = "<th class=\"number\" scope=\"row\">100000000</th>";
    assert!(page.contains(largest), "{page}");
}

#[test]
fn an_interrupted_bench_draws_the_cases_that_it_has() {
    let repo = Repo::with_sum();
    let burns = "for i in 0..300_000_000_u64 { std::hint::black_box(i); }";
    let solution = SUM.replacen("fn main() {", &format!("fn main() {{ {burns}"), 1);
    assert_ne!(solution, SUM);
    repo.file("solutions/sum/a.rs", solution);
    let arguments = ["bench", "--runs", "10000", "--case", "sample/1"];
    let page = page(&repo, &arguments, "9/10001");
    assert!(page.contains("1 benchmark of 1 case"), "{page}");
    assert!(page.contains("<th scope=\"row\">sum: sample/1</th>"), "{page}");
}

#[test]
fn a_bench_that_is_interrupted_before_it_measures_has_only_the_note() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", does("loop { std::thread::park() }"));
    let page = page(&repo, &["bench", "--wall-limit", "1000"], "/2");
    assert!(page.contains("0 benchmarks of 0 cases"), "{page}");
}
