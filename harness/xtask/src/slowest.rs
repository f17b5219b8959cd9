//! The tests that take longest, from the output of test programs that print the time of each.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

/// The number of tests that are listed.
const COUNT: usize = 20;

/// `slowest LOG…`: prints the slowest tests in the logs, with their wall times in seconds.
pub(crate) fn main(logs: &[String]) -> Result<ExitCode> {
    ensure!(!logs.is_empty(), "no log\nhelp: cargo xtask slowest LOG…");
    let mut all = Vec::new();
    for log in logs {
        let text = fs::read_to_string(log).with_context(|| format!("cannot read {log}"))?;
        all.extend(
            text.lines().filter_map(timed).map(|(name, seconds)| (name.to_owned(), seconds)),
        );
    }
    ensure!(!all.is_empty(), "no test in {} has a time", logs.join(", "));
    all.sort_by(|one, other| other.1.total_cmp(&one.1));
    let sum: f64 = all.iter().map(|(_, seconds)| seconds).sum();
    println!("the slowest of {} tests, which take {sum:.0} s one after the other:", all.len());
    for (name, seconds) in all.iter().take(COUNT) {
        println!("{seconds:7.1} s  {name}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The name of the test in a line, and its time in seconds: `test NAME ... ok <1.234s>`.
fn timed(line: &str) -> Option<(&str, f64)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let (_, time) = rest.strip_suffix("s>")?.rsplit_once('<')?;
    Some((name, time.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tests_have_a_name_and_a_time() {
        assert_eq!(timed("test run::a ... ok <1.250s>"), Some(("run::a", 1.25)));
        assert_eq!(timed("test run::a ... FAILED <0.001s>"), Some(("run::a", 0.001)));
        assert_eq!(timed("test run::a ... ignored, long"), None);
        assert_eq!(timed("running 3 tests"), None);
        assert_eq!(timed("test result: ok. 3 passed; finished in 1.25s"), None);
    }
}
