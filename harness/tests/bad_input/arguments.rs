//! Arguments that make no sense.

use super::errors_of;
use crate::support::Repo;

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let table: [(&[&str], &str); 20] = [
        (
            &["run", "nosuch"],
            "error: no file, folder or problem is called `nosuch`\n\
             help: name a file, a folder, or a problem: `rejudge list` shows them",
        ),
        (
            &["rnu"],
            "error: no file, folder or problem is called `rnu`\n\
             help: did you mean the command `rejudge run`?",
        ),
        (
            &["gen", "solutions/sum/a.py"],
            "error: no file, folder or problem is called `gen`\n\
             help: to generate cases: `rejudge generate`",
        ),
        (
            &["solutions/sum/a"],
            "error: no file, folder or problem is called `solutions/sum/a`\nhelp: did you mean `solutions/sum/a.py`?",
        ),
        (
            &["exec", "solutions/sum/a"],
            "error: no such file: `solutions/sum/a`\nhelp: did you mean `solutions/sum/a.py`?",
        ),
        (
            &["scale", "solutions/sum/b.py"],
            "error: no such file: `solutions/sum/b.py`\nhelp: did you mean `solutions/sum/a.py`?",
        ),
        (
            &["answer", "smu", "--from", "solutions/sum/a.py"],
            "error: no file, folder or problem is called `smu`\nhelp: did you mean the problem `sum`?",
        ),
        (
            &["answer", "sum", "--from", "solutions/sum/aa.py"],
            "error: no such file: `solutions/sum/aa.py`\nhelp: did you mean `solutions/sum/a.py`?",
        ),
        (
            &["case", "add", "smu"],
            "error: no file, folder or problem is called `smu`\nhelp: did you mean the problem `sum`?",
        ),
        (
            &["--checker", "line"],
            "error: `--checker line`: cannot read `line`\nhelp: did you mean `lines`?\n  caused by: No such file or \
             directory (os error 2)",
        ),
        (
            &["languages", "python"],
            "error: no such language: `python`\nhelp: did you mean `python3`?",
        ),
        (
            &["new", "x", "--language", "rustc"],
            "error: no such language: `rustc`\nhelp: did you mean `rust`?",
        ),
        (
            &["sm"],
            "error: no file, folder or problem is called `sm`\nhelp: did you mean the problem `sum`?",
        ),
        (
            &["--case", "["],
            "error: `--case [` is not a glob\n  caused by: error parsing glob '[': unclosed character \
             class; missing ']'",
        ),
        (
            &["--checker", "nosuch.py"],
            "error: `--checker nosuch.py`: cannot read `nosuch.py`\n  caused by: No such file or \
             directory (os error 2)",
        ),
        (
            &["--junit", "-"],
            "error: `--junit -`: this report cannot go to standard output\nhelp: name a file",
        ),
        (
            &["--json", "x", "--junit", "x"],
            "error: `--json` and `--junit` name the same file `x`\nhelp: name a file for each report",
        ),
        (&["--junit", "."], "error: `--junit .`: this is a folder\nhelp: name a file"),
        (
            &["--cases", "solutions/sum/a.py"],
            "error: solutions/sum/a.py is not a folder\nhelp: name the folder of the cases",
        ),
        (
            &["solutions/sum/a.py", "--cases", "no"],
            "error: no does not exist\nhelp: add its test cases to no",
        ),
    ];
    for (args, expected) in table {
        assert_eq!(errors_of(args), format!("{expected}\n--- exit status 2"), "{args:?}");
    }
}

#[test]
fn limits_on_the_command_line_must_be_above_zero() {
    let table = [
        (["-t", "0"], "'--time-limit <SECONDS>': must be above 0 and at most 86400 s"),
        (["-t", "-1"], "'--time-limit <SECONDS>': must be above 0 and at most 86400 s"),
        (["-t", "NaN"], "'--time-limit <SECONDS>': must be above 0 and at most 86400 s"),
        (
            ["-t", "two"],
            "'--time-limit <SECONDS>': `two` is not understood; write for example `2`, `2s` or `500ms`",
        ),
        (["-m", "-3"], "'--memory-limit <MIB>': must be above 0 and at most 16777216 MiB"),
        (["-j", "0"], "'--jobs <N>': must be a whole number from 1 to 1024"),
    ];
    for (args, expected) in table {
        assert_eq!(
            errors_of(&args),
            format!(
                "error: invalid value '{}' for {expected}\n\nFor more information, try '--help'.\n\
                 --- exit status 2",
                args[1]
            )
        );
    }
}

#[test]
fn a_run_without_solutions_has_an_error_line_in_json() {
    let repo = Repo::with_sum();
    repo.problem("zero", "name: Zero\n", &[("sample/1", "0\n", "0\n")]);
    let ran = repo.run(&["run", "--json", "run.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let message = "there are no solutions of `sum`, `zero`";
    assert!(ran.stderr.contains(&format!("error: {message}\nhelp: ")), "{}", ran.all());
    let line: serde_json::Value =
        serde_json::from_str(repo.read("run.jsonl").lines().last().unwrap()).unwrap();
    assert_eq!((&line["type"], &line["code"]), (&"error".into(), &"no-solutions".into()));
    assert_eq!(line["message"], message);
}

#[test]
fn after_a_word_of_another_tool_nothing_is_judged() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.py", "print(sum(map(int, input().split())))\n");
    for word in ["gen", "hack", "verfy"] {
        let ran = repo.run(&[word, "solutions/sum/a.py"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{word}");
    }
    for (option, command) in [
        ("-c", "rejudge run solution.cpp"),
        ("-i", "rejudge run --fail-fast=run"),
        ("-e", "rejudge run --checker float:1e-6"),
        ("-d", "rejudge run solution.cpp --cases DIR"),
        ("-l", "rejudge languages"),
        ("-T", "rejudge run -t 2"),
        ("--tle", "rejudge run -t 2"),
        ("--eps=1e-6", "rejudge run --checker float:1e-6"),
        ("--timeout", "rejudge run -t 2"),
        ("--warmup", "rejudge bench --runs 20"),
        ("--lang", "rejudge languages"),
        ("--threads", "rejudge run -j 4"),
    ] {
        let ran = repo.run(&["run", "solutions/sum/a.py", option, "3"]);
        let name = option.split('=').next().unwrap();
        let told = format!("error: there is no option `{name}`\nhelp: ");
        assert!(ran.stderr.starts_with(&told), "{option}: {}", ran.all());
        assert!(ran.stderr.ends_with(&format!(": `{command}`\n")), "{option}: {}", ran.all());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{option}");
    }
    // A problem may have the name of a command, and a path that is wrong does not stop the others.
    repo.problem("check", "name: Check\n", &[("sample/1", "1 2\n", "3\n")]);
    repo.file("solutions/check/b.py", "print(sum(map(int, input().split())))\n");
    let ran = repo.run(&["check", "nosuch"]);
    assert!(ran.status == 2 && ran.stdout.contains("check"), "{}", ran.stdout);
    let ran = repo.run(&["nosuch", "solutions/sum/a.py"]);
    assert!(ran.status == 2 && ran.stdout.contains("a.py"), "{}", ran.stdout);
}
