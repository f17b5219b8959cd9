//! Checkers that lie next to solutions outside packages.

use super::HEADER;
use crate::support::{Repo, does, lacks};

/// Accepts even numbers.
const EVEN: &str = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int got = ouf.readInt();
    if (got % 2) quitf(_wa, \"%d is odd\", got);
    quitf(_ok, \"even\");
}
";

/// A folder with a right and a wrong solution, and further files.
fn folder(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.file("p/1.in", "1\n")
        .file("p/1.ans", "2\n")
        .file("p/right.rs", does("println!(\"4\");"))
        .file("p/wrong.rs", does("println!(\"3\");"))
        .file("p/testlib.h", HEADER);
    for (name, text) in files {
        repo.file(&format!("p/{name}"), text);
    }
    repo
}

const JUDGED: [&str; 2] = ["p/right.rs 1 AC", "p/wrong.rs 1 WA wrong answer 3 is odd"];
const COMPARED: [&str; 2] = [
    "p/right.rs 1 WA token 1: expected `2`, got `4`",
    "p/wrong.rs 1 WA token 1: expected `2`, got `3`",
];

#[test]
fn a_checker_next_to_solutions_checks_their_outputs() {
    if lacks("g++") {
        return;
    }
    for name in ["checker.cpp", "chk.cc", "compare.cpp"] {
        let repo = folder(&[(name, EVEN)]);
        assert_eq!(repo.verdicts(&["p"]), JUDGED, "{name}");
        assert_eq!(repo.verdicts(&["p/right.rs"]), JUDGED[..1], "{name}");
        let ran = repo.run(&["run", "p"]);
        let words = format!("warning: the testlib checker p/{name} checks the outputs of `p`\n");
        assert!(ran.stderr.contains(&words), "{}", ran.all());
        assert!(!ran.stderr.contains("helpers"), "{}", ran.all());
        let listed = repo.run(&["list", "p"]);
        let words = format!("  checker: testlib {name}\n");
        assert!(listed.stdout.contains(&words), "{}", listed.all());
        assert!(!listed.stdout.contains(&format!("  p/{name}")), "{}", listed.all());
    }
}

#[test]
fn what_is_chosen_on_purpose_wins() {
    if lacks("g++") {
        return;
    }
    let repo = folder(&[("checker.cpp", EVEN)]);
    assert_eq!(repo.verdicts(&["p", "--checker", "tokens"]), COMPARED);
    let ran = repo.run(&["run", "p", "--checker", "tokens"]);
    let words = "warning: helpers are not judged: p/checker.cpp\n";
    assert!(ran.stderr.contains(words), "{}", ran.all());
    repo.file("rejudge.toml", "[defaults]\nchecker = \"tokens\"\n");
    assert_eq!(repo.verdicts(&["p"]), COMPARED);
}

#[test]
fn several_checkers_are_an_error_that_names_the_option() {
    if lacks("g++") {
        return;
    }
    let repo = folder(&[("checker.cpp", EVEN), ("check2.cpp", EVEN)]);
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let words = "error: `p` has several testlib checkers: p/check2.cpp, p/checker.cpp\n\
        help: choose one: `--checker testlib:p/check2.cpp`\n";
    assert!(ran.stderr.contains(words), "{}", ran.all());
    let args = ["p", "--checker", "testlib:p/check2.cpp"];
    assert_eq!(repo.verdicts(&args), JUDGED);
}

#[test]
fn a_checker_that_does_not_compile_does_not_become_a_comparison() {
    if lacks("g++") {
        return;
    }
    let repo = folder(&[("checker.cpp", EVEN)]);
    repo.file("p/testlib.h", "#error broken\n");
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.all().contains("p/checker.cpp` does not compile"), "{}", ran.all());
}

#[test]
fn a_checker_without_its_header_gets_the_one_that_is_brought_along() {
    if lacks("g++") {
        return;
    }
    let repo = folder(&[("checker.cpp", EVEN)]);
    std::fs::remove_file(repo.path("p/testlib.h")).unwrap();
    assert_eq!(repo.verdicts(&["p"]), JUDGED);
}

#[test]
fn other_programs_with_testlib_are_helpers() {
    if lacks("g++") {
        return;
    }
    let with = |call: &str| EVEN.replace("registerTestlibCmd(argc, argv)", call);
    let [talk, valid, make] = [
        "registerInteraction(argc, argv)",
        "registerValidation(argc, argv)",
        "registerGen(argc, argv, 1)",
    ]
    .map(with);
    let repo = folder(&[("talk.cpp", &talk), ("valid.cpp", &valid), ("make.cpp", &make)]);
    assert_eq!(repo.verdicts(&["p"]), COMPARED);
    let ran = repo.run(&["run", "p"]);
    let words = "warning: helpers are not judged: p/make.cpp, p/talk.cpp, p/valid.cpp\n";
    assert!(ran.stderr.contains(words), "{}", ran.all());
}

#[test]
fn a_folder_of_several_problems_needs_a_checker_with_the_name_of_one() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    repo.file("p/testlib.h", HEADER);
    for name in ["sum", "max"] {
        repo.file(&format!("p/{name}1.in"), "1\n")
            .file(&format!("p/{name}1.ans"), "2\n")
            .file(&format!("p/{name}.rs"), does("println!(\"4\");"));
    }
    repo.file("p/checker_max.cpp", EVEN);
    let verdicts = repo.verdicts(&["p"]);
    assert!(verdicts.iter().any(|line| line.ends_with(" AC")), "{verdicts:?}");
    assert!(verdicts.iter().any(|line| line.contains("WA token 1")), "{verdicts:?}");
    std::fs::rename(repo.path("p/checker_max.cpp"), repo.path("p/checker.cpp")).unwrap();
    let ran = repo.run(&["run", "p"]);
    let words = "warning: the testlib checker p/checker.cpp lies next to the solutions of several problems and checks none of them\n\
        help: name the solution of its problem: `rejudge SOLUTION --checker testlib:p/checker.cpp`\n";
    assert!(ran.stderr.contains(words), "{}", ran.all());
}
