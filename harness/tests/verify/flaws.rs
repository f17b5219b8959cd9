//! A sound problem with one flaw in it, and the line that reports the flaw.

use crate::support::{Repo, is_installed, lacks, skip};
use crate::verify::{HASTY_CHECKER, LAX, STRICT, SUM, slow, sound, verify};

/// The name of the flaw, the change to the sound problem, the expected line, and the exit status.
type Flaw = (&'static str, fn(&Repo), &'static str, i32);

/// A short time limit, because slow solutions run several times. On a busy machine a solution needs more wall time for the
/// same CPU time.
const PATIENT: &str = "[problems.sum]\ntime_limit = 0.5\nwall_limit = 60\n";

/// Verifies the sound problem with each flaw.
fn expect(flaws: &[Flaw]) {
    for &(name, spoil, line, status) in flaws {
        let repo = sound();
        spoil(&repo);
        let ran = verify(&repo, &[]);
        let found = ran.stdout.lines().any(|found| found.starts_with(line));
        assert!(found, "{name}: {}", ran.all());
        assert_eq!(ran.status, status, "{name}: {}", ran.all());
        if status == 0 {
            let strict = verify(&repo, &["--strict", "--no-submissions"]);
            let about_submissions = line.contains("solutions/");
            assert_eq!(strict.status, i32::from(!about_submissions), "{name}");
        }
    }
}

#[test]
fn an_input_that_the_validator_rejects_in_any_way() {
    for (end, why) in [
        ("43", ""),
        ("panic!()", ": it exited with 101, not with 42 (valid)"),
        ("std::process::abort()", ": signal 6 (SIGABRT)"),
    ] {
        let repo = sound();
        let validator = STRICT.replace("{ 43 }", &format!("{{ {end} }}"));
        repo.file("cases/sum/input_validators/strict.rs", validator)
            .file("cases/sum/data/secret/big.in", "1000000000  1\n");
        let ran = verify(&repo, &[]);
        let line = format!(
            "error: cases/sum/data/secret/big.in: the input validator `strict.rs` rejects it{why}"
        );
        assert!(ran.stdout.contains(&line), "{}", ran.all());
        assert_eq!(ran.status, 1, "{}", ran.all());
    }
}

#[test]
fn an_input_that_a_grammar_rejects() {
    let repo = sound();
    let grammar = "INT(-1000, 1000) SPACE INT(-1000, 1000) NEWLINE\n";
    repo.file("cases/sum/input_validators/form.ctd", grammar)
        .file("cases/sum/data/secret/big.in", "1 1001\n");
    let ran = verify(&repo, &[]);
    let line = "big.in: the input validator `form.ctd` rejects it: line 1, column 3: 1001 is not in [-1000, 1000]";
    assert!(ran.stdout.contains(line), "{}", ran.all());
    assert_eq!(ran.status, 1, "{}", ran.all());
    repo.file("cases/sum/input_validators/form.ctd", "INT(1, 2");
    let ran = verify(&repo, &[]);
    let line = "form.ctd: `form.ctd` is not a grammar of Checktestdata: line 1: expected `)`";
    assert!(ran.stdout.contains(line), "{}", ran.all());
}

#[test]
#[ignore = "a minute: `.ci/full long` runs it"]
fn an_input_or_an_answer_that_a_grammar_of_viva_rejects() {
    let repo = sound();
    repo.file("cases/sum/input_validators/form.viva", "a b;\n")
        .file("cases/sum/answer_validators/form.viva", "sum (sum < 7);\n")
        .file("cases/sum/data/secret/big.in", "1 2 3\n")
        .file("cases/sum/data/secret/big.ans", "7\n");
    let verified = |viva: Option<&str>| {
        let mut command = repo.command(&["verify", "--no-submissions"]);
        if let Some(viva) = viva {
            command.env("VIVA", viva);
        }
        repo.finish(&mut command)
    };
    let ran = verified(Some("/nonexistent"));
    let line = "form.viva: is a grammar of Viva, which is not installed, so it checks nothing\n\
                help: set the variable `VIVA` to the path of `viva.jar`";
    assert!(ran.stdout.contains(line), "{}", ran.all());
    if lacks("java") {
        return;
    }
    if std::env::var_os("VIVA").is_none() && !is_installed("viva") {
        return skip("a test of Viva: set `VIVA` to the path of `viva.jar`");
    }
    let ran = verified(None);
    for line in [
        "big.in: the input validator `form.viva` rejects it\n  At line 1 token 2: Extra",
        "big.ans: the answer validator `form.viva` rejects it\n  At line 1 token 1: Failed constraint: sum < 7\n",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.all());
    }
    repo.file("cases/sum/input_validators/form.viva", "a (a <\n");
    let ran = verified(None);
    let line = "form.viva: `form.viva` is not a grammar of Viva: Pattern parsing failed: ";
    assert!(ran.stdout.contains(line), "{}", ran.all());
}

#[test]
fn flaws_of_inputs_and_their_validators() {
    expect(&[
        (
            "an invalid input that is accepted",
            |repo| {
                repo.file("cases/sum/data/invalid_input/word.in", "1 1\n");
            },
            "error: cases/sum/data/invalid_input/word.in: every input validator accepts it, although it lies in `invalid_input`",
            1,
        ),
        (
            "a lax validator",
            |repo| {
                repo.file("cases/sum/input_validators/strict.rs", LAX);
            },
            "warning: cases/sum/data/sample/1.in: the input validators accept a file with one token too many (in 2 of 2 tried)",
            0,
        ),
        (
            "a validator that does not compile",
            |repo| {
                repo.file("cases/sum/input_validators/strict.rs", "fn main() { x }");
            },
            "error: cases/sum/input_validators/strict.rs: `strict.rs` does not compile: the compiler ended with exit code 1",
            1,
        ),
        (
            "no validator",
            |repo| std::fs::remove_dir_all(repo.path("cases/sum/input_validators")).unwrap(),
            "warning: cases/sum/input_validators: there is no input validator: the inputs are not checked against the statement",
            0,
        ),
    ]);
}

#[test]
fn a_layout_that_a_case_of_the_setter_has_is_not_reported() {
    let repo = sound();
    let tolerant = STRICT.replace("let text =", "let text: String =").replace(
        "    let words: Option",
        "    let text = text.replace(\"  \", \" \");\n    let words: Option",
    );
    repo.file("cases/sum/input_validators/strict.rs", tolerant);
    let warning = "the input validators accept two blanks instead of one";
    let ran = verify(&repo, &["--no-submissions"]);
    assert!(ran.stdout.contains(warning), "{}", ran.all());
    repo.file("cases/sum/data/secret/blanks.in", "2  1\n")
        .file("cases/sum/data/secret/blanks.ans", "3\n");
    let ran = verify(&repo, &["--no-submissions"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(!ran.stdout.contains(warning), "{}", ran.all());
}

#[test]
fn flaws_of_answers_and_the_output_validator() {
    expect(&[
        (
            "a declared output with the wrong verdict",
            |repo| {
                repo.file("cases/sum/data/invalid_output/1.out", "3\n");
            },
            "error: cases/sum/data/invalid_output/1.out: the output validator accepts it, although it lies in `invalid_output`",
            1,
        ),
        (
            "a declared output with an input that is not valid",
            |repo| {
                repo.file("cases/sum/data/invalid_output/9.in", "1  2 x\n")
                    .file("cases/sum/data/invalid_output/9.ans", "3\n")
                    .file("cases/sum/data/invalid_output/9.out", "4\n");
            },
            "error: cases/sum/data/invalid_output/9.in: the input validator `strict.rs` rejects it",
            1,
        ),
        (
            "an output that is right, with an input that is not valid",
            |repo| {
                repo.file("cases/sum/data/valid_output/9.in", "1  2 x\n")
                    .file("cases/sum/data/valid_output/9.ans", "3\n")
                    .file("cases/sum/data/valid_output/9.out", "3\n");
            },
            "error: cases/sum/data/valid_output/9.in: the input validator `strict.rs` rejects it",
            1,
        ),
        (
            "a hasty checker",
            |repo| {
                repo.file("cases/sum/output_validator/hasty.rs", HASTY_CHECKER);
            },
            "warning: cases/sum/data/sample/1.ans: the output validator accepts a file with one token too many (created from the answer, in 2 of 2 tried)",
            0,
        ),
        (
            "a wrong output that a sample shows instead of its answer",
            |repo| {
                repo.file("cases/sum/data/sample/1.out", "4\n");
            },
            "error: cases/sum/data/sample/1.out: the output validator rejects the answer: ",
            1,
        ),
        (
            "a declared output that is only right with the arguments of its folder",
            |repo| {
                repo.file(
                    "cases/sum/data/valid_output/test_group.yaml",
                    "output_validator_args: case_sensitive space_change_sensitive\n",
                );
            },
            "error: cases/sum/data/valid_output/1.out: the output validator rejects it, although it lies in `valid_output`",
            1,
        ),
        (
            "a wrong answer",
            |repo| {
                repo.file("cases/sum/data/sample/1.ans", "4\n");
            },
            "error: solutions/sum/sum.rs: WA instead of accepted: ",
            1,
        ),
        (
            "an untidy answer",
            |repo| {
                repo.file("cases/sum/data/sample/1.ans", "3 \n");
            },
            "warning: cases/sum/data/sample/1.ans: the answer has trailing blanks or no newline at its end",
            0,
        ),
    ]);
}

#[test]
fn a_wrong_submission_that_is_right() {
    expect(&[(
        "a wrong submission that is right",
        |repo| {
            repo.file("solutions/sum/wrong_answer/right.rs", SUM);
        },
        "error: solutions/sum/wrong_answer/right.rs: AC instead of wrong_answer: ",
        1,
    )]);
}

#[test]
fn a_submission_close_to_the_limit() {
    expect(&[(
        "a submission close to the limit",
        |repo| {
            repo.file("solutions/sum/slow.rs", slow(0.3)).file("rejudge.toml", PATIENT);
        },
        "warning: solutions/sum/slow.rs: needs ",
        0,
    )]);
}

#[test]
fn a_slow_submission_that_is_barely_too_slow() {
    expect(&[(
        "a slow submission that is barely too slow",
        |repo| {
            repo.file("solutions/sum/time_limit_exceeded/slow.rs", slow(0.58))
                .file("rejudge.toml", PATIENT);
        },
        "warning: solutions/sum/time_limit_exceeded/slow.rs: is too slow now, but not with 1 s, twice the time limit",
        0,
    )]);
}

#[test]
fn a_submission_that_waits_barely_too_long() {
    expect(&[(
        "a submission that waits barely too long, with a wall limit set by the problem",
        |repo| {
            let wait = "if text.starts_with(\"1000000000 \") {
                    std::thread::sleep(std::time::Duration::from_millis(4200));
                }
                let sum";
            let waiting = SUM.replace("let sum", wait);
            repo.file("solutions/sum/time_limit_exceeded/slow.rs", waiting)
                .file("rejudge.toml", "[problems.sum]\nwall_limit = 4\n");
        },
        "warning: solutions/sum/time_limit_exceeded/slow.rs: is too slow now, but not with 4 s, twice the time limit",
        0,
    )]);
}

#[test]
fn flaws_of_files_and_the_statement() {
    expect(&[
        (
            "an unknown key",
            |repo| {
                let text = "problem_format_version: 2025-09\nname: Sum\nlimit: 2\n";
                repo.file("cases/sum/problem.yaml", text);
            },
            "error: cases/sum/problem.yaml:3:1: unknown key `limit`; it is ignored",
            1,
        ),
        (
            "a duplicate case",
            |repo| {
                repo.file("cases/sum/data/secret/again.in", "1000000000 1\n")
                    .file("cases/sum/data/secret/again.ans", "1000000001\n");
            },
            "warning: cases/sum/data/secret/big.in: is the same input as `secret/again`",
            0,
        ),
        (
            "a folder that is never read",
            |repo| {
                repo.file("cases/sum/input_validator/x.rs", STRICT);
            },
            "warning: cases/sum/input_validator: has no meaning in a problem package and is never read",
            0,
        ),
        (
            "another sample in the statement",
            |repo| {
                let text = "## Sample Input 1\n```\n1 3\n```\n";
                repo.file("cases/sum/statement/problem.en.md", text);
            },
            "error: cases/sum/statement/problem.en.md: line 3: the sample input shown is not in any `.in` file of `data/sample`",
            1,
        ),
    ]);
}

/// The answer of a secret case may be anything that the package's own output validator reads.
#[test]
fn an_answer_that_is_no_output() {
    let validator = "fn main() {
    let input = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let sum: i64 = input.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    std::process::exit(if text.trim() == sum.to_string() { 42 } else { 43 });
}
";
    let rejected = "data/secret/big.ans: the output validator rejects the answer: ";
    for (settings, word, status) in [
        ("", Some("warning: "), 0),
        ("ans_is_output: false\n", None, 0),
        ("ans_is_output: true\n", Some("error: "), 1),
    ] {
        let repo = sound();
        let path = repo.path("cases/sum/problem.yaml");
        let text = std::fs::read_to_string(path).unwrap();
        repo.file("cases/sum/problem.yaml", text + settings)
            .file("cases/sum/output_validator/number.rs", validator)
            .file("cases/sum/data/secret/big.ans", "any number\n");
        let ran = verify(&repo, &["--no-submissions"]);
        assert_eq!(ran.status, status, "{}", ran.all());
        assert!(!ran.all().contains("unknown key"), "{}", ran.all());
        let line = word.map(|word| format!("{word}cases/sum/{rejected}"));
        match line {
            Some(line) => assert!(ran.stdout.contains(&line), "{line}{}", ran.all()),
            None => assert!(!ran.stdout.contains(rejected), "{}", ran.all()),
        }
        // A sample that the statement shows is an output.
        repo.file("cases/sum/data/sample/1.ans", "any number\n");
        let ran = verify(&repo, &["--no-submissions"]);
        let line = "error: cases/sum/data/sample/1.ans: the output validator rejects the answer: ";
        assert!(ran.stdout.contains(line), "{}", ran.all());
    }
}

#[test]
fn each_name_that_the_format_does_not_allow_is_one_error() {
    let repo = sound();
    repo.file("cases/sum/data/secret/a b.in", "1 2\n").file("cases/sum/data/secret/a b.ans", "3\n");
    let ran = verify(&repo, &["--no-submissions"]);
    assert_eq!(ran.all().matches("a b.in").count(), 1, "{}", ran.all());
    assert!(ran.stdout.contains("FAIL  sum"), "{}", ran.all());
    assert!(ran.stdout.contains("2 errors"), "{}", ran.all());
}

#[test]
fn a_problem_with_warnings_fails_if_they_count_as_errors() {
    let repo = sound();
    repo.file("cases/sum/data/sample/1.ans", "3 \n");
    for (args, word, status) in [
        (&["--no-submissions"][..], "ok    sum", 0),
        (&["--no-submissions", "--strict"], "FAIL  sum", 1),
    ] {
        let ran = verify(&repo, args);
        assert_eq!(ran.status, status, "{}", ran.all());
        assert!(ran.stdout.contains(word), "{}", ran.all());
    }
}

#[test]
fn a_time_limit_between_two_steps_of_the_resolution_is_an_error() {
    for (limits, is_wrong) in [
        ("{time_limit: 2}", false),
        ("{time_limit: 1.5}", true),
        ("{time_limit: 1.5, time_resolution: 0.5}", false),
    ] {
        let repo = sound();
        let yaml = format!("problem_format_version: 2025-09\nname: S\nlimits: {limits}\n");
        repo.file("cases/sum/problem.yaml", &yaml);
        let ran = verify(&repo, &["--no-submissions"]);
        let error = "error: cases/sum/problem.yaml: `time_limit` is # s, which is not a multiple of `time_resolution`, 1 s";
        assert_eq!(ran.stdout.contains(error), is_wrong, "{limits}: {}", ran.all());
    }
}

#[test]
fn a_folder_among_the_attachments_is_reported() {
    let repo = sound();
    repo.file("cases/sum/attachments/tool.py", "");
    let ran = verify(&repo, &["--no-submissions"]);
    assert!(!ran.stdout.contains("attachments"), "{}", ran.all());
    repo.file("cases/sum/attachments/tool/main.py", "");
    let ran = verify(&repo, &["--no-submissions"]);
    let told = "warning: cases/sum/attachments/tool: is a folder: BAPCtools and problemtools accept only files here";
    assert!(ran.stdout.contains(told), "{}", ran.all());
}

#[test]
fn a_link_to_an_input_is_no_duplicate_and_a_pdf_beside_the_settings_is_a_statement() {
    let repo = Repo::new();
    repo.problem("sum", "name: Sum\n", &[]);
    repo.file("cases/sum/data/secret/g1/1.in", "1 2\n")
        .file("cases/sum/data/secret/g1/1.ans", "3\n");
    for end in ["in", "ans"] {
        let link = repo.path(&format!("cases/sum/data/secret/g2/1.{end}"));
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(format!("../g1/1.{end}"), link).unwrap();
    }
    let text = |repo: &Repo| repo.run(&["verify"]).all();
    let before = text(&repo);
    assert!(before.contains("there is no statement"), "{before}");
    repo.file("cases/sum/problem.pdf", "%PDF-1.4\n");
    let after = text(&repo);
    for word in ["is the same input", "there is no statement", "problem.pdf"] {
        assert!(!after.contains(word), "{word}: {after}");
    }
    repo.file("cases/sum/data/secret/g3/1.in", "1 2\n")
        .file("cases/sum/data/secret/g3/1.ans", "3\n");
    let copied = text(&repo);
    assert!(copied.contains("is the same input"), "{copied}");
}
