//! Files that packages of other tools keep, and output validators in Checktestdata.

use crate::icpc::{ACCEPTED, V2025, package};
use crate::support::Repo;

const LEGACY: &str = "name: x\nlimits: {time_limit: 1}\n";

/// A package with one case and a submission that prints its input.
fn kept(yaml: &str) -> Repo {
    let repo = package(yaml, &ACCEPTED);
    repo.file("p/submissions/accepted/echo.sh", "cat\n");
    repo
}

#[test]
fn of_equal_keys_in_a_legacy_testdata_yaml_the_last_counts() {
    let repo = kept(LEGACY);
    repo.file("p/problem.yaml", "name: x\ntype: scoring\n")
        .file("p/data/testdata.yaml", "on_reject: continue\nrange: 0 7\nrange: 0 100\n")
        .file("p/data/secret/testdata.yaml", "accept_score: 5\naccept_score: 40\nrange: 0 100\n");
    let ran = repo.judge_package();
    for words in [
        "p/data/testdata.yaml:3:1: the key `range` is set twice; the last one counts",
        "p/data/secret/testdata.yaml:2:1: the key `accept_score` is set twice; the last one counts",
    ] {
        assert!(ran.stderr.contains(words), "{words}\n{}", ran.all());
    }
    assert!(ran.stdout.contains(" 40"), "{}", ran.all());
    // The newer format has no such habit.
    let repo = kept(V2025);
    repo.file("p/data/secret/test_group.yaml", "hint: a\nhint: b\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("the key `hint` is set twice"), "{}", ran.all());
}

#[test]
fn an_output_validator_in_checktestdata_judges_the_output() {
    for (format, folder) in [(LEGACY, "output_validators"), (V2025, "output_validator")] {
        let repo = kept(format);
        if format == LEGACY {
            repo.file("p/problem.yaml", "name: x\nvalidation: custom\n");
        }
        repo.file(&format!("p/{folder}/form.ctd"), "INT(1, 9) NEWLINE EOF\n")
            .file(&format!("p/{folder}/README.md"), "notes\n")
            .file("p/submissions/accepted/any.sh", "echo 7\n")
            .file("p/submissions/wrong_answer/large.sh", "echo 10\n");
        let ran = repo.judge_package();
        assert_eq!(ran.status, 0, "{}", ran.all());
        repo.file(&format!("p/{folder}/form.ctd"), "INT(1, 9\n");
        let ran = repo.judge_package();
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.all().contains("form.ctd` line"), "{}", ran.all());
    }
    let repo = kept(LEGACY);
    repo.file("p/problem.yaml", "name: x\nvalidation: custom interactive\n")
        .file("p/output_validators/form.ctd", "INT(1, 9) NEWLINE EOF\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2, "{}", ran.all());
    let words = "needs an output validator that is a program, not a grammar";
    assert!(ran.all().contains(words), "{}", ran.all());
}

#[test]
fn files_that_are_kept_beside_cases_are_no_warning() {
    let repo = kept(V2025);
    for name in [
        "secret/9.in.disabled",
        "secret/9.ans.disabled",
        "secret/8.in.template",
        "sample/7.in.statement",
        "sample/7.ans.statement",
        "sample/6.interaction",
        "old.disabled/1.in",
    ] {
        repo.file(&format!("p/data/{name}"), "1\n");
    }
    let verified = repo.run(&["verify", "p"]);
    for words in ["belongs to no case", "never read"] {
        assert!(!verified.all().contains(words), "{}", verified.all());
    }
}

#[test]
fn a_source_outside_of_a_folder_is_a_warning() {
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/submissions/accepted/a.sh", "echo 3\n").file("p/submissions/lost.sh", "echo 4\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    let warning = "warning: p/submissions/lost.sh is not in a verdict folder; it is not judged\n\
                   help: move it to the folder of its verdict, for example to p/submissions/accepted\n";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
    assert!(
        !ran.stdout.contains("lost.sh") && ran.stdout.contains("accepted/a.sh  AC   1/1"),
        "{}",
        ran.all()
    );
}

#[test]
fn a_header_next_to_an_input_validator_is_not_a_validator() {
    let repo = kept(LEGACY);
    repo.file("p/input_validators/check.sh", "read x; exit 42\n")
        .file("p/input_validators/check.h", "int x;\n");
    let ran = repo.run(&["verify", "p"]);
    assert!(!ran.all().contains("check.h"), "{}", ran.all());
    assert_eq!(ran.status, 0, "{}", ran.all());
}
