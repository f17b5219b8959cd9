//! Foreign layouts are judged in place. Each has a fixture with a right solution that passes and a
//! wrong one that is caught, which proves that inputs and answers are paired correctly.

mod archives;
mod as_there;
mod broken;
mod closed;
mod cms_scores;
mod collections;
mod described;
mod dmoj_cases;
mod dmoj_generators;
mod dmoj_programs;
mod folders;
mod judges;
mod omegaup;
mod output;
mod own_limits;
mod qduoj;
mod rbx;
mod solutions;
mod stated_files;
mod taken_over;
mod tools;
mod uoj;

use crate::support::Repo;

const SUM: &str = "fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!(\"{sum}\");
}
";

/// Only right for the case `1 2`.
const THREE: &str = "fn main() { println!(\"3\"); }\n";

/// Paths and contents.
type Files = &'static [(&'static str, &'static str)];

/// A folder in some layout: the cases `1 2` → `3` and `5 7` → `12`, or the files of a package.
struct LayoutFixture {
    layout: &'static str,
    files: Files,
    /// The names of the cases in judging order.
    cases: &'static [&'static str],
}

const fn fixture(
    layout: &'static str,
    files: Files,
    cases: &'static [&'static str],
) -> LayoutFixture {
    LayoutFixture { layout, files, cases }
}

impl LayoutFixture {
    fn write(&self, solution: &str) -> Repo {
        let repo = Repo::new();
        for (path, text) in self.files {
            repo.file(&format!("there/{path}"), text);
        }
        repo.file("there/sum.rs", solution);
        repo
    }
}

/// Layouts without a folder for submissions.
fn fixtures() -> impl Iterator<Item = &'static LayoutFixture> {
    (folders::FOLDERS.iter()).chain(&described::PACKAGES).chain(&tools::TOOLS)
}

/// The names and verdicts of the judged cases, from the output of `-vv`.
fn judged(stdout: &str) -> Vec<(&str, &str)> {
    let lines = stdout.lines().filter(|line| line.starts_with("  there"));
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    words
        .filter(|words| words.len() > 2 && !words[0].ends_with(':'))
        .map(|words| (words[1], words[2]))
        .collect()
}

#[test]
fn every_layout_is_judged_in_place() {
    for fixture in fixtures() {
        let (layout, cases) = (fixture.layout, fixture.cases);
        for (solution, verdicts) in [(SUM, ["AC", "AC"]), (THREE, ["AC", "WA"])] {
            let repo = fixture.write(solution);
            let expected: Vec<(&str, &str)> = cases.iter().copied().zip(verdicts).collect();
            let green = verdicts == ["AC", "AC"];
            let mut ways: Vec<Vec<&str>> = vec![
                vec!["run", "-vv", "there/sum.rs"],
                vec!["run", "-vv", "there/sum.rs", "--layout", layout],
            ];
            // A folder is judged with all of its solutions. In these layouts, it has none.
            if !matches!(
                layout,
                "polygon" | "cms" | "sinol" | "library-checker" | "omegaup" | "icpc" | "cp-editor"
            ) {
                ways.push(vec!["run", "-vv", "there"]);
            }
            for args in ways {
                let mut found = repo.run(&args);
                let stdout = std::mem::take(&mut found.stdout);
                // Verdicts may be printed in any order; sort them in the order of the cases.
                let mut judged = judged(&stdout);
                judged.sort_by_key(|(case, _)| cases.iter().position(|known| known == case));
                assert_eq!(judged, expected, "{layout} {args:?}: {stdout}{}", found.stderr);
                assert_eq!(found.status, i32::from(!green), "{layout} {args:?}");
            }
        }
    }
}

#[test]
fn each_fixture_is_recognised_as_its_layout() {
    for fixture in fixtures() {
        let repo = fixture.write(SUM);
        let wrong = if fixture.layout == "usaco" { "coci" } else { "usaco" };
        let ran = repo.run(&["run", "there/sum.rs", "--layout", wrong]);
        let said = format!(
            "does not have the layout `{wrong}`\nhelp: it can be read as `{}`",
            fixture.layout
        );
        assert!(ran.stderr.contains(&said), "{}: {}", fixture.layout, ran.stderr);
        assert_eq!(ran.status, 2);
    }
}
