//! Accepted solutions that disagree on a case: the problem may have more than one answer.

use crate::support::Repo;

/// A package whose answers are the first of two right ones; two accepted submissions print one each.
fn repo(folder: &str) -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.yaml", "name: P\nlimits: {time_limit: 5}\n");
    for case in ["1", "2", "3"] {
        repo.file(&format!("p/data/secret/{case}.in"), format!("{case}\n"))
            .file(&format!("p/data/secret/{case}.ans"), "1 2\n");
    }
    repo.file(&format!("p/{folder}/a.sh"), "echo 1 2\n")
        .file(&format!("p/{folder}/b.sh"), "read n\n[ $n = 1 ] && echo 1 2 || echo 2 1\n");
    repo
}

const WORDS: &str = "must both be accepted, but the answer of `secret/2` and of one other case accepts only one of them";

#[test]
fn the_report_says_that_there_may_be_more_than_one_answer() {
    let repo = repo("submissions/accepted");
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stderr.contains(WORDS), "{}", ran.all());
    assert!(ran.stderr.contains("add an output validator"), "{}", ran.all());
    let ran = repo.run(&["verify", "p"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.contains(WORDS), "{}", ran.all());
    let ran = repo.run(&["strength", "p"]);
    assert!(ran.stderr.contains(WORDS), "{}", ran.all());
}

#[test]
fn one_wrong_output_is_no_disagreement_where_nothing_is_promised_or_a_validator_decides() {
    let wrong = repo("submissions/wrong_answer");
    wrong.file("p/submissions/accepted/c.sh", "echo 1 2\n");
    let ran = wrong.run(&["run", "p"]);
    assert!(!ran.all().contains("must both be accepted"), "{}", ran.all());
    let plain = repo("submissions/other");
    let ran = plain.run(&["run", "p/submissions/other/a.sh", "p/submissions/other/b.sh"]);
    assert!(!ran.all().contains("must both be accepted"), "{}", ran.all());
    let checked = repo("submissions/accepted");
    checked.file(
        "p/output_validators/check.sh",
        "read a b\n[ $((a + b)) = 3 ] && [ $a = 1 ] && exit 42\nexit 43\n",
    );
    let ran = checked.run(&["run", "p"]);
    assert!(!ran.all().contains("must both be accepted"), "{}", ran.all());
}
