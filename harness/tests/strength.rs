//! `rejudge strength`: the killing matrix of a run, and of a stored report.

use serde_json::Value;

use crate::support::{Repo, skip};

/// A submission in Bash that prints these words, one for each case: the input is the number of the case.
fn prints(words: &[&str]) -> String {
    format!("words=({})\nread n\necho ${{words[n]}}\n", words.join(" "))
}

/// A problem whose answer is `yes` on every case.
fn repo(cases: usize, wrong: &[(&str, &[&str])]) -> Repo {
    let repo = Repo::new();
    repo.problem("p", "name: P\nlimits: {time_limit: 5}\n", &[]);
    for case in 0..cases {
        repo.file(
            &format!("cases/p/data/secret/{case}.in"),
            format!("{case}\n"),
        );
        repo.file(&format!("cases/p/data/secret/{case}.ans"), "yes\n");
    }
    repo.file("solutions/p/good.sh", "echo yes\n");
    for (name, words) in wrong {
        repo.file(&format!("solutions/p/{name}.sh"), prints(words));
    }
    repo
}

fn lines(repo: &Repo, args: &[&str]) -> (i32, Vec<Value>) {
    let output = repo.command(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (output.status.code().unwrap(), lines.collect())
}

/// The problem's line of JSON.
fn strength(repo: &Repo, args: &[&str]) -> (i32, Value) {
    let (status, mut lines) = lines(repo, &[&["strength", "--json", "-"], args].concat());
    (status, lines.pop().unwrap())
}

#[test]
fn each_wrong_submission_is_listed_with_the_cases_that_catch_it() {
    let repo = repo(
        4,
        &[
            ("wrong_answer/a", &["yes", "no", "no", "yes"]),
            ("wrong_answer/b", &["yes", "no", "yes", "yes"]),
            ("wrong_answer/c", &["yes", "no", "yes", "no"]),
        ],
    );
    let (status, found) = strength(&repo, &["p"]);
    assert_eq!(status, 0);
    assert_eq!(found["wrong"], 3);
    assert_eq!(found["minimal"], serde_json::json!(["secret/1"]));
    assert_eq!(found["minimal_is_exact"], true);
    assert_eq!(found["essential"], serde_json::json!(["secret/1"]));
    assert_eq!(
        found["redundant"],
        serde_json::json!(["secret/2", "secret/3"])
    );
    assert_eq!(found["idle"], serde_json::json!(["secret/0"]));
    assert_eq!(found["order"][0], "secret/1");
    assert_eq!(found["order_needed"], 1);
    let ran = repo.run(&["strength", "p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout
            .contains("1 of 4 cases catches all 3 wrong submissions"),
        "{}",
        ran.all()
    );
}

#[test]
fn a_wrong_submission_that_no_case_catches_is_a_finding() {
    let repo = repo(
        2,
        &[
            ("wrong_answer/a", &["yes", "yes"]),
            ("wrong_answer/b", &["no", "yes"]),
        ],
    );
    let (status, found) = strength(&repo, &["p"]);
    assert_eq!(status, 1);
    assert_eq!(
        found["uncaught"],
        serde_json::json!(["solutions/p/wrong_answer/a.sh"])
    );
    let ran = repo.run(&["strength", "p"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout
            .contains("1 of 2 cases catches 1 of 2 wrong submissions, and 1 is not caught"),
        "{}",
        ran.all()
    );
}

/// A group of a scoring problem is skipped once another one has failed, but strength needs every result.
#[test]
fn every_case_is_run_even_if_its_group_would_be_skipped() {
    let repo = repo(3, &[("wrong_answer/a", &["no", "no", "yes"])]);
    let found = lines(&repo, &["strength", "--json", "-", "p"]).1;
    assert_eq!(
        found[0]["caught_by"],
        serde_json::json!(["secret/0", "secret/1"])
    );
    assert_eq!(found[0]["unknown"], serde_json::json!([]));
}

#[test]
fn a_stored_report_gives_the_same_and_a_case_that_was_not_run_is_unknown() {
    let repo = repo(
        3,
        &[
            ("wrong_answer/a", &["no", "yes", "no"]),
            ("wrong_answer/b", &["yes", "yes", "no"]),
        ],
    );
    let ran = repo.run(&["run", "p", "--json", "run.jsonl"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let (status, stored) = strength(&repo, &["run.jsonl"]);
    let (_, judged) = strength(&repo, &["p"]);
    assert_eq!(status, 0);
    for key in [
        "cases",
        "wrong",
        "uncaught",
        "essential",
        "redundant",
        "idle",
        "minimal",
    ] {
        assert_eq!(stored[key], judged[key], "{key}");
    }
    repo.run(&["run", "p", "--json", "short.jsonl", "--fail-fast"]);
    let short = lines(&repo, &["strength", "--json", "-", "short.jsonl"]).1;
    assert_eq!(short[0]["caught_by"], serde_json::json!(["secret/0"]));
    assert_eq!(
        short[0]["unknown"],
        serde_json::json!(["secret/1", "secret/2"])
    );
    assert_eq!(
        short.last().unwrap()["essential"],
        serde_json::json!(["secret/2"])
    );
}

/// The wall limit catches a submission that sleeps for a known time, whatever the machine does.
#[test]
fn a_catch_that_a_little_more_time_would_undo_is_reported() {
    let repo = repo(1, &[]);
    repo.file("rejudge.toml", "[problems.p]\nwall_limit = 4\n");
    repo.file(
        "solutions/p/time_limit_exceeded/late.sh",
        "sleep 4.3\necho yes\n",
    )
    .file(
        "solutions/p/time_limit_exceeded/never.sh",
        "sleep 1000\necho yes\n",
    );
    let found = lines(&repo, &["strength", "--json", "-", "p", "-j", "2"]).1;
    let close: Vec<&Value> = found
        .iter()
        .filter(|line| line["type"] == "submission")
        .collect();
    assert_eq!(close[0]["close"], "yes", "{found:?}");
    assert_eq!(close[1]["close"], "no");
}

#[test]
fn reports_and_problems_are_not_mixed() {
    let repo = repo(1, &[]);
    let ran = repo.run(&["strength", "p", "run.jsonl"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("error: reports and problems cannot be mixed\nhelp: "),
        "{}",
        ran.all()
    );
    let ran = repo.run(&["strength", "run.jsonl"]);
    assert!(
        ran.stderr.contains("error: cannot read `run.jsonl`"),
        "{}",
        ran.all()
    );
    repo.file("run.jsonl", "zonk\n");
    let ran = repo.run(&["strength", "run.jsonl"]);
    assert!(
        ran.stderr
            .contains("error: `run.jsonl` is not a report: line 1"),
        "{}",
        ran.all()
    );
}

/// A problem with a Python solution that says whether a number is at least 10.
fn at_least_ten(cases: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.problem("ten", "name: Ten\nlimits: {time_limit: 60}\n", &[]);
    for (input, answer) in cases {
        repo.file(
            &format!("cases/ten/data/secret/{input}.in"),
            format!("{input}\n"),
        );
        repo.file(
            &format!("cases/ten/data/secret/{input}.ans"),
            format!("{answer}\n"),
        );
    }
    let solution = "n = int(input())\nprint(\"yes\" if n >= 10 else \"no\")\n";
    repo.file("solutions/ten/ten.py", solution);
    repo
}

/// The mutants, each with its change and its state.
fn mutants(repo: &Repo, args: &[&str]) -> Vec<(String, String)> {
    let (_, lines) = lines(repo, &[&["strength", "--json", "-"], args].concat());
    let of_type = lines.iter().filter(|line| line["type"] == "mutant");
    let added = |line: &Value| {
        let difference = line["difference"].as_str().unwrap();
        let lines = difference
            .lines()
            .skip(2)
            .filter(|line| line.starts_with('+'));
        lines.collect::<String>()
    };
    of_type
        .map(|line| (added(line), line["state"].as_str().unwrap().to_owned()))
        .collect()
}

const GREATER: &str = "+print(\"yes\" if n > 10 else \"no\")";

#[test]
fn weak_cases_let_a_mutant_survive_that_strong_ones_kill() {
    let state = |cases: &[(&str, &str)]| {
        let repo = at_least_ten(cases);
        let found = mutants(&repo, &["ten"]);
        assert!(found.len() >= 4, "{found:?}");
        let survivors = found
            .iter()
            .filter(|(_, state)| state == "survives")
            .count();
        let mut found = found.into_iter();
        (
            found.find(|(change, _)| change == GREATER).unwrap().1,
            survivors,
        )
    };
    let weak = [("5", "no"), ("50", "yes")];
    let strong = [("9", "no"), ("10", "yes")];
    assert_eq!(state(&weak), ("survives".to_owned(), 3));
    assert_eq!(state(&strong), ("killed".to_owned(), 0));
}

#[test]
fn a_survivor_is_shown_as_a_difference_and_stored() {
    let repo = at_least_ten(&[("5", "no"), ("50", "yes")]);
    let ran = repo.run(&["strength", "ten", "--keep", "survivors"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let shown = format!("    -print(\"yes\" if n >= 10 else \"no\")\n    {GREATER}\n");
    assert!(ran.stdout.contains(&shown), "{}", ran.all());
    let command = "rejudge stress survivors/ten/";
    assert!(ran.stdout.contains(command), "{}", ran.all());
    let kept = walkdir::WalkDir::new(repo.path("survivors")).into_iter();
    let kept: Vec<_> = kept
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.is_file())
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(kept.len(), 3);
    assert!(
        kept.iter()
            .any(|text| text.ends_with(&format!("{}\n", &GREATER[1..])))
    );
}

#[test]
fn the_same_seed_makes_the_same_mutants_for_any_number_of_workers() {
    let repo = at_least_ten(&[("5", "no"), ("50", "yes")]);
    let of = |args: &[&str]| mutants(&repo, &[&["ten", "--mutants", "3"], args].concat());
    let first = of(&["--seed", "7", "-j", "1"]);
    assert_eq!(first.len(), 3);
    assert_eq!(of(&["--seed", "7", "-j", "2"]), first);
    let others: Vec<_> = ["1", "2", "3", "4"]
        .map(|seed| of(&["--seed", seed]))
        .into();
    assert!(others.iter().any(|other| *other != first));
    assert_eq!(mutants(&repo, &["ten", "--mutants", "0"]), []);
}

/// The time limit is a minute, but nobody waits for that.
#[test]
fn a_mutant_that_never_ends_is_killed() {
    let repo = at_least_ten(&[]);
    repo.file("cases/ten/data/secret/1.in", "12\n")
        .file("cases/ten/data/secret/1.ans", "12\n")
        .file(
            "solutions/ten/ten.py",
            "n = int(input())\nm = 0\nwhile n > 0:\n    n -= 1\n    m += 1\nprint(m)\n",
        );
    let found = mutants(&repo, &["ten"]);
    let endless = found.iter().find(|(change, _)| change == "+    n += 1");
    assert_eq!(endless.unwrap().1, "killed", "{found:?}");
}

#[test]
fn a_change_that_makes_no_other_program_is_left_out() {
    let repo = at_least_ten(&[("12", "5")]);
    std::fs::remove_file(repo.path("solutions/ten/ten.py")).unwrap();
    repo.file(
        "solutions/ten/ten.c",
        "#include <stdio.h>\nint main(void) {\n    int n;\n    scanf(\"%d\", &n);\n    if (0) {\n        \
         n = n + 3;\n    }\n    printf(\"%d\\n\", n % 7);\n    return 0;\n}\n",
    );
    let (_, problem) = strength(&repo, &["ten"]);
    assert!(
        problem["mutants"]["same"].as_u64().unwrap() >= 3,
        "{problem}"
    );
    let found = mutants(&repo, &["ten"]);
    let dead = found.iter().filter(|(change, _)| change.contains("n = n"));
    assert_eq!(dead.count(), 0, "{found:?}");
    assert!(
        found.iter().any(|(change, _)| change.contains("n % 8")),
        "{found:?}"
    );
}

#[test]
fn an_unknown_family_of_syntax_is_an_error() {
    let repo = at_least_ten(&[("5", "no")]);
    repo.file(
        "rejudge.toml",
        "[languages.python3]\nmutations = \"pyton\"\n",
    );
    let ran = repo.run(&["strength", "ten"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "error: language `python3`: `mutations = \"pyton\"` names no family of syntax\n\
                 help: did you mean `python`?\n";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}

/// The extremes that no case reaches: variable, end, bound, reached.
fn extremes(repo: &Repo) -> Vec<[String; 4]> {
    let (_, lines) = lines(repo, &["strength", "--json", "-", "p", "--mutants", "0"]);
    let of_type = lines.iter().filter(|line| line["type"] == "extreme");
    let word = |line: &Value, key: &str| line[key].as_str().unwrap_or("?").to_owned();
    of_type
        .map(|line| ["variable", "end", "bound", "reached"].map(|key| word(line, key)))
        .collect()
}

/// A problem whose inputs have these texts.
fn with_inputs(inputs: &[&str], validator: (&str, &str)) -> Repo {
    let repo = Repo::new();
    repo.problem("p", "name: P\n", &[]);
    for (case, input) in inputs.iter().enumerate() {
        repo.file(&format!("cases/p/data/secret/{case}.in"), input);
        repo.file(&format!("cases/p/data/secret/{case}.ans"), "yes\n");
    }
    repo.file(
        &format!("cases/p/input_validators/{}", validator.0),
        validator.1,
    )
    .file("solutions/p/good.sh", "echo yes\n");
    repo
}

#[test]
fn a_number_that_could_be_greater_in_every_input_is_found_by_asking_the_validator() {
    // Two numbers on the first line; the second counts the numbers on the next one.
    let validator = "read a n && [ $a -ge -5 ] && [ $a -le 1000 ] && read -a b && [ ${#b[@]} -eq $n ] && exit 42\n\
                     exit 43\n";
    let inputs = ["-5 2\n1 2\n", "900 1\n7\n", "3 3\n1 2 3\n"];
    let repo = with_inputs(&inputs, ("v.sh", validator));
    // The values of the list are not checked at all, so they are found too, up to the furthest value that is tried.
    let found = extremes(&repo);
    let first: Vec<_> = found
        .iter()
        .filter(|one| one[0].starts_with("line 1"))
        .collect();
    assert_eq!(
        first,
        [&["line 1, token 1", "greatest", "1000", "900"].map(str::to_owned)],
        "{found:?}"
    );
    let repo = with_inputs(&["-5 0\n\n", "1000 0\n\n"], ("v.sh", validator));
    assert_eq!(extremes(&repo), [[""; 4]; 0]);
    let ran = repo.run(&["strength", "p"]);
    assert!(
        ran.stdout
            .contains("the cases reach every extreme that is known, of 2 numbers"),
        "{}",
        ran.all()
    );
}

/// A header in place of testlib, which logs as testlib does.
const LOGGING: &str = r#"
#include <cstdio>
#include <cstring>
static void log_overview(int argc, char** argv, long long n) {
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--testOverviewLogFileName") != 0) continue;
        FILE* log = fopen(argv[i + 1], "w");
        fprintf(log, "\"n\":%s%s\n", n == 1 ? " min-value-hit" : "", n == 100 ? " max-value-hit" : "");
        fprintf(log, "constant-bounds \"n\": 1 100\nvariable \"n\"\n");
        fprintf(log, "feature \"even\":%s\n", n % 2 == 0 ? " hit" : "");
        fclose(log);
    }
}
"#;

#[test]
fn the_log_of_a_validator_written_with_testlib_names_the_extremes() {
    if std::process::Command::new("g++")
        .arg("--version")
        .output()
        .is_err()
    {
        return skip("g++ is missing, so the log of testlib is not tested");
    }
    let validator = "#include \"testlib.h\"\nint main(int argc, char** argv) { long long n = 0; \
                     if (scanf(\"%lld\", &n) != 1) return 3; log_overview(argc, argv, n); return 0; }\n";
    let repo = with_inputs(&["1\n", "99\n"], ("v.cpp", validator));
    repo.file("cases/p/include/testlib.h", LOGGING);
    assert_eq!(
        extremes(&repo),
        [["n", "greatest", "100", "?"].map(str::to_owned)]
    );
    let ran = repo.run(&["strength", "p"]);
    let expected = "  `n` never has its greatest value, 100\n  no case has the feature `even`\n";
    assert!(ran.stdout.contains(expected), "{}", ran.all());
    repo.file("cases/p/data/secret/2.in", "100\n")
        .file("cases/p/data/secret/2.ans", "yes\n");
    assert_eq!(extremes(&repo), [[""; 4]; 0]);
}

#[test]
fn verify_counts_the_wrong_submissions_that_the_cases_catch() {
    let repo = repo(
        3,
        &[
            ("wrong_answer/a", &["yes", "no", "no"]),
            ("wrong_answer/b", &["yes", "no", "yes"]),
        ],
    );
    let ran = repo.run(&["verify", "p"]);
    assert!(
        ran.stdout
            .contains("3 submissions, 1 of 3 cases catches all 2 wrong submissions\n"),
        "{}",
        ran.all()
    );
    let found = lines(&repo, &["verify", "--json", "-", "p"]).1;
    let problem = found.iter().find(|line| line["type"] == "problem").unwrap();
    let counts = ["wrong_submissions", "wrong_caught", "minimal_cases"]
        .map(|key| problem[key].as_u64().unwrap());
    assert_eq!(counts, [2, 2, 1]);
}
