//! `rejudge strength`: the killing matrix of a run, and of a stored report.

use serde_json::Value;

use crate::support::Repo;

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
