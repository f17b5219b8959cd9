//! How checkers, interactors and validators are called, what their exit codes mean, and where their
//! header is found.

use crate::support::Repo;
use crate::support::lacks;
use crate::testlib::{CHECKER, HEADER, INTERACTOR, repo};

#[test]
fn a_checker_gets_input_output_and_answer_and_its_exit_code_counts() {
    if lacks("g++") {
        return;
    }
    let table = [
        ("a_right", "echo 2", "AC"),
        ("b_wrong", "echo 3", "WA wrong answer expected 2, found 3"),
        ("c_word", "echo x", "WA wrong output format Expected integer, but \"x\" found"),
        ("d_empty", "", "WA wrong output format Unexpected end of file - int32 expected"),
        ("e_dirt", "echo 2 2", "WA wrong output format Extra information in the output file"),
        ("f_fail", "echo 13", "JE the testlib checker exited with 3 (fail)\nstderr: FAIL unlucky"),
        (
            "g_odd",
            "echo 14",
            "JE the testlib checker exited with 9, not with 0 (ok), 1 (wrong) or 2 (presentation)",
        ),
    ];
    let solutions: Vec<(&str, &str)> = table.iter().map(|one| (one.0, one.1)).collect();
    let repo = repo(&solutions);
    repo.file("d_empty.sh", "exit 0").file("lib/check.cpp", CHECKER);
    let names: Vec<String> = table.iter().map(|one| format!("{}.sh", one.0)).collect();
    let mut args = vec!["--cases", "tests", "--checker", "testlib:lib/check.cpp"];
    args.extend(names.iter().map(String::as_str));
    let found = repo.verdicts(&args);
    let expected: Vec<String> =
        table.iter().map(|(name, _, verdict)| format!("{name}.sh 1 {verdict}")).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_header_is_found_next_to_the_source_in_the_package_or_by_the_variable() {
    if lacks("g++") {
        return;
    }
    let repo = repo(&[("right", "echo 2")]);
    repo.file("far/check.cpp", CHECKER);
    let args = ["right.sh", "--cases", "tests", "--checker", "testlib:far/check.cpp"];
    // An installed rbx has the header, too.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| !folder.join("rbx").exists());
    let mut command = repo.command(&args);
    command
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("XDG_CONFIG_HOME", repo.path("config"));
    let ran = repo.finish(&mut command);
    // None of these: the one that is brought along. Its words are not those of the replacement.
    assert_eq!(ran.status, 0, "{}", ran.all());
    for place in ["lib", "lib/testlib.h"] {
        let mut command = repo.command(&args);
        let ran = repo.finish(command.env("TESTLIB", repo.path(place)));
        assert_eq!(ran.status, 0, "{place}: {}", ran.all());
    }
    repo.file("far/testlib.h", HEADER);
    assert_eq!(repo.run(&args).status, 0);
    // Another header makes another program.
    repo.file("far/testlib.h", HEADER.replace("_ok = 0", "_ok = 1"));
    assert_eq!(repo.run(&args).status, 1);
}

#[test]
fn a_header_that_the_compiler_finds_wins_over_the_one_that_is_brought_along() {
    if lacks("g++") {
        return;
    }
    let repo = repo(&[("right", "echo 2")]);
    repo.file("far/check.cpp", CHECKER).file("far/config/rbx/none", "");
    let run = || {
        let args = ["right.sh", "--cases", "tests", "--checker", "testlib:far/check.cpp"];
        let mut command = repo.command(&args);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).filter(|folder| !folder.join("rbx").exists());
        command.env("PATH", std::env::join_paths(folders).unwrap());
        repo.finish(command.env("XDG_CONFIG_HOME", repo.path("far/config")))
    };
    let ran = run();
    assert_eq!(ran.status, 0, "{}", ran.all());
    repo.file("rejudge.toml", "include = ['folder']\n");
    repo.file("folder/testlib.h", HEADER.replace("_ok = 0", "_ok = 1"));
    let ran = run();
    assert_eq!(ran.status, 1, "{}", ran.all());
    // What is not brought along is missing.
    repo.file("far/check.cpp", format!("#include \"tgen.h\"\n{CHECKER}"));
    let ran = run();
    let help = "help: put `tgen.h` next to the source or into the package, or into the folder that";
    assert!(ran.status == 2 && ran.all().contains(help), "{}", ran.all());
}

#[test]
fn an_interactor_talks_and_a_checker_may_decide() {
    if lacks("g++") {
        return;
    }
    let repo = repo(&[
        ("a_quick", "echo 50; read x; echo 37; read x"),
        ("b_slow", "for n in 1 2 37; do echo $n; read x; done"),
        ("c_never", "for n in 1 2 3 4 5 6 7 8 9 10; do echo $n; read x; done; exit 3"),
        ("d_stops", "echo 1; read x"),
        ("e_crashes", "echo 1; read x; exit 3"),
    ]);
    repo.file("lib/talk.cpp", INTERACTOR);
    repo.file("lib/check.cpp", CHECKER);
    let mut args = vec!["--cases", "tests", "--interactor", "lib/talk.cpp"];
    args.extend(["a_quick.sh", "b_slow.sh", "c_never.sh", "d_stops.sh", "e_crashes.sh"]);
    let eof = "wrong output format Unexpected end of file - int32 expected";
    let mut expected = vec![
        "a_quick.sh 1 AC".to_owned(),
        "b_slow.sh 1 AC".to_owned(),
        "c_never.sh 1 WA wrong answer too many guesses".to_owned(),
        format!("d_stops.sh 1 WA {eof}"),
        "e_crashes.sh 1 RTE exit code 3".to_owned(),
    ];
    assert_eq!(repo.verdicts(&args), expected);
    // The answer is two guesses; the checker reads the number that the interactor wrote.
    expected[1] = "b_slow.sh 1 WA wrong answer expected 2, found 3".to_owned();
    let args = [&args[..], &["--checker", "testlib:lib/check.cpp"]].concat();
    assert_eq!(repo.verdicts(&args), expected);
}

#[test]
fn a_validator_accepts_with_zero() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::with_sum();
    repo.file("cases/sum/data/secret/big.in", "1000000000 1\n")
        .file("cases/sum/data/secret/big.ans", "1000000001\n");
    let validator = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerValidation(argc, argv);
    inf.readInt(-1000000000, 1000000000, \"a\");
    inf.readSpace();
    inf.readInt(-1000000000, 1000000000, \"b\");
    inf.readEoln();
    inf.readEof();
}
";
    repo.file("cases/sum/input_validators/valid.cpp", validator);
    repo.file("cases/sum/include/testlib.h", HEADER);
    repo.file("solutions/sum/sum.sh", "read a b; echo $((a + b))");
    let ran = repo.run(&["verify", "sum"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(!ran.stdout.contains("exit"), "{}", ran.all());
    assert!(!ran.all().contains("validator fail"), "{}", ran.all());
    // A folder may also be a program.
    std::fs::remove_dir_all(repo.path("cases/sum/input_validators")).unwrap();
    repo.file("cases/sum/input_validators/v/valid.cpp", validator);
    let ran = repo.run(&["verify", "sum"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    repo.file("cases/sum/data/secret/bad.in", "1  2\n");
    repo.file("cases/sum/data/secret/bad.ans", "3\n");
    let ran = repo.run(&["verify", "sum"]);
    assert_ne!(ran.status, 0, "{}", ran.all());
    assert!(ran.all().contains("secret/bad"), "{}", ran.all());
    // What it prints is the reason.
    repo.file("cases/sum/generators/make.sh", "echo '1  2'\n").file(
        "cases/sum/generators/generators.yaml",
        "solution: /submissions/accepted/sum.sh\ndata:\n  secret:\n    data:\n      worse: make.sh\n",
    );
    repo.file("cases/sum/submissions/accepted/sum.sh", "read a b; echo $((a + b))");
    let ran = repo.run(&["generate", "sum", "--case", "worse"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("exit code 3, not 0\n  FAIL"), "{}", ran.all());
}
