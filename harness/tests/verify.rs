//! `rejudge verify`: what it finds in a problem, and that it finds nothing in a sound one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod support;

use support::{Ran, Repo};

/// Reads two numbers on one line, byte for byte.
const STRICT: &str = r#"
fn number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let bare = digits.bytes().all(|byte| byte.is_ascii_digit());
    bare && text != "-0" && text.parse::<i32>().is_ok() && (digits == "0" || !digits.starts_with('0'))
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap_or_default();
    let words: Option<Vec<&str>> = text.strip_suffix('\n').map(|line| line.split(' ').collect());
    let good = words.is_some_and(|words| words.len() == 2 && words.iter().all(|word| number(word)));
    std::process::exit(if good { 42 } else { 43 });
}
"#;

/// Reads words wherever they are, and falls over those that are no numbers.
const LAX: &str = r"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let mut words = text.split_whitespace().map(|word| word.parse::<i64>().unwrap());
    let both = words.next().is_some() && words.next().is_some();
    std::process::exit(if both { 42 } else { 43 });
}
";

/// Compares only the first word.
const HASTY_CHECKER: &str = r"
fn main() {
    let answer = std::fs::read_to_string(std::env::args().nth(2).unwrap()).unwrap();
    let output = std::io::read_to_string(std::io::stdin()).unwrap_or_default();
    let first = |text: &str| text.split_whitespace().next().map(str::to_owned);
    std::process::exit(if first(&answer) == first(&output) { 42 } else { 43 });
}
";

const SUM: &str = r#"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!("{sum}");
}
"#;

/// Right, but burns as many seconds of CPU time as its first line says.
fn slow(seconds: f64) -> String {
    let burn = format!(
        r#"
fn burnt() -> f64 {{
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}}

fn burn() {{
    let mut x = 1_u64;
    while burnt() < {seconds:?} {{
        for _ in 0..100_000 {{
            x = std::hint::black_box(x.wrapping_mul(3));
        }}
    }}
}}
"#
    );
    burn + &SUM.replace("fn main() {", "fn main() {\n    burn();")
}

/// A sound problem.
fn sound() -> Repo {
    let repo = Repo::with_sum();
    repo.file("cases/sum/input_validators/strict.rs", STRICT)
        .file(
            "cases/sum/statement/problem.en.md",
            "Add.\n\n## Sample Input 1\n```\n1 2\n```\n",
        )
        .file("cases/sum/data/invalid_input/word.in", "1 x\n")
        .file("cases/sum/data/valid_output/1.in", "1 2\n")
        .file("cases/sum/data/valid_output/1.ans", "3\n")
        .file("cases/sum/data/valid_output/1.out", " 3\n")
        .file("cases/sum/data/invalid_output/1.in", "1 2\n")
        .file("cases/sum/data/invalid_output/1.ans", "3\n")
        .file("cases/sum/data/invalid_output/1.out", "4\n")
        .file("solutions/sum/sum.rs", SUM);
    repo.file("cases/sum/data/secret/big.in", "1000000000 1\n")
        .file("cases/sum/data/secret/big.ans", "1000000001\n");
    repo
}

fn verify(repo: &Repo, args: &[&str]) -> Ran {
    let mut all = vec!["verify"];
    all.extend(args);
    repo.run(&all)
}

#[test]
fn a_sound_problem_is_one_line() {
    let repo = sound();
    insta::assert_snapshot!(verify(&repo, &[]).all(), @r###"
    ok    sum              2 inputs, 1 invalid input, 2 answers, 2 declared outputs, 62 mutations, 1 submission
    --- exit status 0
    "###);
    // By its name, and with everything to be counted.
    let ran = verify(&repo, &["sum", "--strict", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let (start, rest) = ran.stdout.split_once('\n').unwrap();
    let start: serde_json::Value = serde_json::from_str(start).unwrap();
    assert_eq!(start["type"], "start");
    assert!(
        start["machine"]["cores"].is_u64() && start["sandbox"]["active"].is_array(),
        "{start}"
    );
    insta::assert_snapshot!(rest, @r#"
    {"type":"problem","problem":"sum","errors":0,"warnings":0,"inputs":2,"invalid_inputs":1,"answers":2,"declared_outputs":2,"mutations":62,"submissions":1,"submissions_met":1}
    "#);
}

/// What is spoilt in the sound problem, and the line that tells of it.
type Flaw = (&'static str, fn(&Repo), &'static str, i32);

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
fn flaws_of_inputs_and_their_validators() {
    expect(&[
        (
            "an input that the validator refuses",
            |repo| {
                repo.file("cases/sum/data/secret/big.in", "1000000000  1\n");
            },
            "error: cases/sum/data/secret/big.in: the input validator `strict.rs` refuses it",
            1,
        ),
        (
            "an input that the validator refuses in its own way",
            |repo| {
                let panics = STRICT.replace("{ 43 }", "{ panic!() }");
                repo.file("cases/sum/input_validators/strict.rs", panics)
                    .file("cases/sum/data/secret/big.in", "1000000000  1\n");
            },
            "error: cases/sum/data/secret/big.in: the input validator `strict.rs` refuses it: it exited with 101, not with 42 (valid)",
            1,
        ),
        (
            "an invalid input that is accepted",
            |repo| {
                repo.file("cases/sum/data/invalid_input/word.in", "1 1\n");
            },
            "error: cases/sum/data/invalid_input/word.in: every input validator accepts it, though it lies in `invalid_input`",
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
            "an input at which the validator is killed",
            |repo| {
                let dies = STRICT.replace("{ 43 }", "{ std::process::abort() }");
                repo.file("cases/sum/input_validators/strict.rs", dies)
                    .file("cases/sum/data/secret/big.in", "1000000000  1\n");
            },
            "error: cases/sum/data/secret/big.in: the input validator `strict.rs` refuses it: signal 6 (SIGABRT)",
            1,
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
            "warning: cases/sum/input_validators: there is no input validator, so nobody checks that the inputs keep the statement's promises",
            0,
        ),
    ]);
}

#[test]
fn what_a_case_of_the_setters_own_has_is_no_oversight() {
    let repo = sound();
    let tolerant = STRICT.replace("let text =", "let text: String =").replace(
        "    let words: Option",
        "    let text = text.replace(\"  \", \" \");\n    let words: Option",
    );
    repo.file("cases/sum/input_validators/strict.rs", tolerant);
    let warning = "the input validators accept two blanks in place of one";
    let ran = verify(&repo, &["--no-submissions"]);
    assert!(ran.stdout.contains(warning), "{}", ran.all());
    repo.file("cases/sum/data/secret/blanks.in", "2  1\n")
        .file("cases/sum/data/secret/blanks.ans", "3\n");
    let ran = verify(&repo, &["--no-submissions"]);
    assert!(!ran.stdout.contains(warning), "{}", ran.all());
}

#[test]
fn flaws_of_answers_and_the_output_validator() {
    expect(&[
        (
            "a declared output that is judged otherwise",
            |repo| {
                repo.file("cases/sum/data/invalid_output/1.out", "3\n");
            },
            "error: cases/sum/data/invalid_output/1.out: the output validator accepts it, though it lies in `invalid_output`",
            1,
        ),
        (
            "a hasty checker",
            |repo| {
                repo.file("cases/sum/output_validator/hasty.rs", HASTY_CHECKER);
            },
            "warning: cases/sum/data/sample/1.ans: the output validator accepts a file with one token too many (made of the answer, in 2 of 2 tried)",
            0,
        ),
        (
            "a wrong output that a sample shows in place of its answer",
            |repo| {
                repo.file("cases/sum/data/sample/1.out", "4\n");
            },
            "error: cases/sum/data/sample/1.out: the output validator refuses the answer: ",
            1,
        ),
        (
            "a declared output that is right by the arguments of its folder only",
            |repo| {
                repo.file(
                    "cases/sum/data/valid_output/test_group.yaml",
                    "output_validator_args: case_sensitive space_change_sensitive\n",
                );
            },
            "error: cases/sum/data/valid_output/1.out: the output validator refuses it, though it lies in `valid_output`",
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
            "warning: cases/sum/data/sample/1.ans: the answer has blanks at the end of a line, or no newline at its end",
            0,
        ),
    ]);
}

#[test]
fn flaws_of_submissions_and_the_time_limit() {
    expect(&[
        (
            "a wrong submission that is right",
            |repo| {
                repo.file("solutions/sum/wrong_answer/right.rs", SUM);
            },
            "error: solutions/sum/wrong_answer/right.rs: AC instead of wrong_answer: ",
            1,
        ),
        (
            "a submission near the limit",
            |repo| {
                repo.file("solutions/sum/slow.rs", slow(1.2));
            },
            "warning: solutions/sum/slow.rs: needs ",
            0,
        ),
        (
            "a slow submission that is hardly too slow",
            |repo| {
                repo.file("solutions/sum/time_limit_exceeded/slow.rs", slow(2.3));
            },
            "warning: solutions/sum/time_limit_exceeded/slow.rs: is too slow now, but would not be with 4 s, twice the time limit",
            0,
        ),
    ]);
}

#[test]
fn flaws_of_files_and_the_statement() {
    expect(&[
        (
            "a key that nobody knows",
            |repo| {
                let text = "problem_format_version: 2025-09\nname: Sum\nlimit: 2\n";
                repo.file("cases/sum/problem.yaml", text);
            },
            "error: cases/sum/problem.yaml:3:1: unknown key `limit`; it is ignored",
            1,
        ),
        (
            "a case that is there twice",
            |repo| {
                repo.file("cases/sum/data/secret/again.in", "1000000000 1\n")
                    .file("cases/sum/data/secret/again.ans", "1000000001\n");
            },
            "warning: cases/sum/data/secret/big.in: is the same input as `secret/again`",
            0,
        ),
        (
            "a folder that nobody reads",
            |repo| {
                repo.file("cases/sum/input_validator/x.rs", STRICT);
            },
            "warning: cases/sum/input_validator: is not part of a problem package, so nothing reads it",
            0,
        ),
        (
            "another sample in the statement",
            |repo| {
                let text = "## Sample Input 1\n```\n1 3\n```\n";
                repo.file("cases/sum/statement/problem.en.md", text);
            },
            "error: cases/sum/statement/problem.en.md: line 3: the sample input that it shows is in no `.in` file of `data/sample`",
            1,
        ),
    ]);
}

#[test]
fn a_validator_that_never_ends_is_asked_once() {
    let repo = sound();
    let yaml =
        "problem_format_version: 2025-09\nname: Sum\nlimits: {time_limit: 2, validation_time: 1}\n";
    let hangs = STRICT.replace("fn main() {", "fn main() { if true { loop {} }");
    repo.file("cases/sum/problem.yaml", yaml)
        .file("cases/sum/input_validators/strict.rs", hangs)
        .file(
            "cases/sum/output_validator/hangs.rs",
            "fn main() { loop {} }",
        );
    let ran = verify(&repo, &["--no-submissions"]);
    let count = |text: &str| ran.stdout.matches(text).count();
    let words = "the input validator `strict.rs` fails: ";
    assert_eq!(count(words), 1, "{}", ran.all());
    assert_eq!(count("was stopped: over its "), 1, "{}", ran.all());
    assert_eq!(ran.status, 1);
}

#[test]
fn what_cannot_be_read_or_found_is_said() {
    let repo = sound();
    insta::assert_snapshot!(verify(&repo, &["summ"]).all(), @r###"
    error: there is no `summ`
    help: did you mean the problem `sum`?
    --- exit status 2
    "###);
    std::fs::remove_file(repo.path("cases/sum/data/secret/big.ans")).unwrap();
    insta::assert_snapshot!(verify(&repo, &[]).all(), @r###"
    error: cases/sum/data/secret/big.in has no .ans file
    help: write it with `rejudge answer sum --from SOLUTION`
    --- exit status 2
    "###);
}

/// Takes two numbers up to its first argument, and its second one must be in the file beside it.
const BOUNDED: &str = r#"
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let most: i64 = args[1].parse().unwrap();
    let beside = std::fs::read_to_string("note.txt").unwrap_or_default();
    let fits = text.split_whitespace().all(|word| word.parse::<i64>().is_ok_and(|n| n <= most));
    std::process::exit(if fits && beside == args[2..].concat() { 42 } else { 43 });
}
"#;

#[test]
fn validators_get_the_arguments_and_files_of_the_case_that_they_look_at() {
    let repo = sound();
    repo.file("cases/sum/input_validators/bounded.rs", BOUNDED)
        .file(
            "cases/sum/data/test_group.yaml",
            "input_validator_args: {bounded: ['2000000000'], strict: []}\n",
        )
        .file(
            "cases/sum/data/sample/1.yaml",
            "input_validator_args: {bounded: ['2']}\nargs: [a, b]\n",
        )
        .file("cases/sum/data/sample/1.files/note.txt", "ab")
        .file("cases/sum/data/invalid_input/large.in", "3 3\n")
        .file(
            "cases/sum/data/invalid_input/test_group.yaml",
            "input_validator_args: {bounded: ['2']}\n",
        );
    let ran = verify(&repo, &["--no-submissions"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    repo.file(
        "cases/sum/data/invalid_input/large.yaml",
        "input_validator_args: {bounded: ['3']}\n",
    );
    let ran = verify(&repo, &["--no-submissions"]);
    let line = "error: cases/sum/data/invalid_input/large.in: every input validator accepts it, though it lies in `invalid_input`";
    assert!(ran.stdout.contains(line), "{}", ran.all());
}
