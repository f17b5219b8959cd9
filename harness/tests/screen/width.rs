//! Every line of every command fits the terminal.

use super::terminal::{TerminalStreams, TestTerminal};
use crate::support::{Repo, SUM};

#[test]
fn every_line_of_every_command_fits_the_terminal() {
    let repo = Repo::with_sum();
    let long = "a_long_name_of_a_solution_that_leaves_little_of_a_line_to_other_words_in_it";
    repo.file(&format!("solutions/sum/{long}.rs"), SUM)
        .file(&format!("solutions/sum/wrong_answer/{long}.sh"), "echo 7\n")
        .file(&format!("cases/sum/data/secret/{long}.in"), "1 2\n")
        .file(&format!("cases/sum/data/secret/{long}.ans"), "3\n")
        .file("cases/sum/data/secret/stray.ans", "3\n");
    let solution = format!("solutions/sum/{long}.rs");
    // The overview has a line for each of several problems.
    for place in ["other", long] {
        repo.file(&format!("{place}/{place}.rs"), SUM)
            .file(&format!("{place}/1.in"), "1 2\n")
            .file(&format!("{place}/1.ans"), "3\n");
    }
    let commands: [&[&str]; 12] = [
        &["verify"],
        &["doctor"],
        &["doctor", "--strict"],
        &["languages"],
        &["bench", "--runs", "2"],
        &["bench", "--runs", "2", "--memory"],
        &["scale", &solution, "--runs", "1"],
        &["list", "-v"],
        &["list", "other", long],
        &["run", "-vv"],
        &["exec", &solution, "--case", long],
        &["run", &format!("{solution}x")],
    ];
    for (args, columns) in commands.iter().flat_map(|args| [(args, 80), (args, 120)]) {
        let mut terminal = TestTerminal::start(&repo.command(args), columns, TerminalStreams::All);
        let (_, screen) = terminal.wait_for_end();
        assert!(!screen.trim().is_empty(), "{args:?} {columns}");
        assert_eq!(terminal.too_long(), 0, "{args:?} {columns}:\n{screen}");
    }
}
