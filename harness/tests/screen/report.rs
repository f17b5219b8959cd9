//! The report of `rejudge run`, on the screen.

use insta::assert_snapshot;

use super::terminal::{TerminalStreams, TestTerminal, masked};
use crate::support::Repo;
use crate::support::{SUM, does};

/// What is on the screen after a run. The exit status must be `status`.
fn shown(repo: &Repo, columns: u16, args: &[&str], status: i32) -> String {
    let terminal = TestTerminal::start(&repo.command(args), columns, TerminalStreams::Output);
    let (ended, screen) = terminal.finish();
    assert_eq!(ended, status, "{screen}");
    masked(&screen)
}

/// A repository with a solution that fails, whose path is long and has wide characters.
fn failing() -> Repo {
    let repo = Repo::with_sum();
    let name = "a_long_name_of_a_solution_with_和_in_it";
    repo.file(&format!("solutions/sum/{name}.rs"), does("println!(\"4\");"));
    repo
}

#[test]
fn a_failure_fits_80_columns() {
    assert_snapshot!(shown(&failing(), 80, &["--case", "1", "--time-limit", "3"], 1), @r###"
    FAIL  solutions/sum/a_long_name_of_a_solution_with_和_in_it.rs: got WA, expected
          AC
          sample/1  WA  token 1: expected `3`, got `4`
            input:
              1 2
            line 1, column 1 of the output (- expected, + got)
              - 1 | 3
                  | ^
              + 1 | 4
                  | ^
            rerun: rejudge run --case sample/1 --time-limit 3 \
                     'solutions/sum/a_long_name_of_a_solution_with_和_in_it.rs'
          0 of 1 case accepted, slowest # s (sample/1), # MiB
    "###);
}

#[test]
fn a_failure_fits_120_columns() {
    assert_snapshot!(shown(&failing(), 120, &["--case", "1", "--time-limit", "3"], 1), @r###"
    FAIL  solutions/sum/a_long_name_of_a_solution_with_和_in_it.rs: got WA, expected AC
          sample/1  WA  token 1: expected `3`, got `4`
            input:
              1 2
            line 1, column 1 of the output (- expected, + got)
              - 1 | 3
                  | ^
              + 1 | 4
                  | ^
            rerun: rejudge run --case sample/1 --time-limit 3 'solutions/sum/a_long_name_of_a_solution_with_和_in_it.rs'
          0 of 1 case accepted, slowest # s (sample/1), # MiB
    "###);
}

#[test]
fn several_problems_fit_80_columns() {
    let repo = failing();
    repo.file("solutions/sum/b.rs", SUM)
        .problem(
            "long",
            "name: Long\nlimits:\n  time_limit: 2\n",
            &[("secret/1", &"1 2\n".repeat(100), "5\n")],
        )
        .file("solutions/long/a.rs", SUM);
    assert_snapshot!(shown(&repo, 80, &["--case", "1"], 1), @r###"
    FAIL  solutions/long/a.rs: got WA, expected AC
          secret/1  WA  token 1: expected `5`, got `300`
            first lines of the input (400 B; `--print-input` prints all of it):
              1 2
              1 2
              1 2
              1 2
              1 2
            line 1, column 1 of the output (- expected, + got)
              - 1 | 5
                  | ^
              + 1 | 300
                  | ^^^
            rerun: rejudge run --case secret/1 solutions/long/a.rs
          0 of 1 case accepted, slowest # s (secret/1), # MiB
    FAIL  long             1 of 1 solution not as expected, 1 case
    FAIL  solutions/sum/a_long_name_of_a_solution_with_和_in_it.rs: got WA, expected
          AC
          sample/1  WA  token 1: expected `3`, got `4`
            input:
              1 2
            line 1, column 1 of the output (- expected, + got)
              - 1 | 3
                  | ^
              + 1 | 4
                  | ^
            rerun: rejudge run --case sample/1 \
                     'solutions/sum/a_long_name_of_a_solution_with_和_in_it.rs'
          0 of 1 case accepted, slowest # s (sample/1), # MiB
    FAIL  sum              1 of 2 solutions not as expected, 1 case  slowest AC
          # s of 2 s (sample/1), # MiB

    3 solutions: 1 as expected, 2 not as expected (3 cases in # s)
      solutions/long/a.rs: got WA, expected AC (secret/1)
      solutions/sum/a_long_name_of_a_solution_with_和_in_it.rs: got WA, expected AC
        (sample/1)
    "###);
}

#[test]
fn the_whole_input_is_printed_on_request() {
    let repo = Repo::new();
    let numbers: Vec<String> = (1..=20).map(|number: u32| number.to_string()).collect();
    let input = numbers.join("\n") + "\n";
    repo.problem("sum", "name: Sum\n", &[("secret/1", &input, "5\n")])
        .file("solutions/sum/a.rs", SUM);
    let whole = shown(&repo, 80, &["--print-input"], 1);
    let lines = whole.lines().map(str::trim);
    assert_eq!(
        lines.filter(|line| line.parse::<u32>().is_ok()).collect::<Vec<_>>(),
        numbers,
        "{whole}"
    );
}

#[test]
fn the_first_failure_is_printed_before_the_solution_ends_and_ctrl_c_reports_it() {
    let repo = Repo::with_sum();
    let slow = "let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); \
                if line.len() > 5 { loop { std::thread::park() } } println!(\"4\");";
    repo.file("solutions/sum/a.rs", does(slow)).file("solutions/sum/b.rs", SUM);
    let args = ["-j", "1", "--wall-limit", "1000"];
    let mut terminal = TestTerminal::start(&repo.command(&args), 120, TerminalStreams::All);
    terminal.wait_for("expected `3`, got `4`");
    terminal.wait_for("rerun: rejudge run --case sample/1");
    terminal.wait_for("/4, 1 failed");
    terminal.types("\u{3}");
    let (status, screen) = terminal.finish();
    assert_eq!(status, 130, "{screen}");
    for expected in [
        "FAIL  solutions/sum/a.rs: got WA, expected AC",
        "0 of 2 cases accepted",
        "2 solutions: 0 as expected, 1 not as expected, 1 skipped",
        "interrupted: results up to the interruption",
    ] {
        assert_eq!(screen.matches(expected).count(), 1, "{screen}");
    }
}

#[test]
fn a_rejection_without_a_message_shows_the_input() {
    let repo = Repo::with_sum();
    repo.file("cases/sum/output_validator/check.rs", does("std::process::exit(43);"))
        .file("solutions/sum/a.rs", SUM);
    let screen = shown(&repo, 80, &["--case", "1"], 1);
    assert!(screen.contains("input:\n          1 2\n"), "{screen}");
}

#[test]
fn a_shortened_list_of_failures_names_the_option_that_prints_all() {
    let repo = Repo::new();
    let cases: Vec<String> = (0..20).map(|case| format!("secret/{case:02}")).collect();
    let cases: Vec<(&str, &str, &str)> = cases.iter().map(|name| (&**name, "1\n", "5\n")).collect();
    repo.problem("sum", "name: Sum\n", &cases).file("solutions/sum/a.rs", SUM);
    let screen = shown(&repo, 80, &[], 1);
    let hint = "… and 15 more cases like these: `-vv` prints every case";
    assert!(screen.contains(hint), "{screen}");
    let every = shown(&repo, 80, &["-vv"], 1);
    assert!(every.contains("secret/19"), "{every}");
}
