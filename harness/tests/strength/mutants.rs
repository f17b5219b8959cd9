//! Mutants of accepted solutions.

use serde_json::Value;

use super::{lines, strength};
use crate::support::Repo;

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

/// Adds a generator of numbers from 0 to 12.
fn with_generator(repo: &Repo) {
    let plan = "solution: /submissions/accepted/ten.py\ndata:\n  secret:\n    data:\n      '12': gen.sh {seed} 12\n";
    repo.file("cases/ten/generators/generators.yaml", plan)
        .file("cases/ten/generators/gen.sh", "echo $2\n");
}

const GREATER: &str = "+print(\"yes\" if n > 10 else \"no\")";

#[test]
fn weak_cases_let_a_mutant_survive_that_strong_ones_kill() {
    if crate::support::lacks("python3") {
        return;
    }
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
    if crate::support::lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "no"), ("50", "yes")]);
    let ran = repo.run(&["strength", "ten", "--keep", "survivors"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let shown = format!("    -print(\"yes\" if n >= 10 else \"no\")\n    {GREATER}\n");
    assert!(ran.stdout.contains(&shown), "{}", ran.all());
    let command = "look for an input that kills it: rejudge ";
    let commands = ran
        .stdout
        .lines()
        .filter_map(|line| line.trim().strip_prefix(command));
    let commands: Vec<&str> = commands.collect();
    assert_eq!(commands.len(), 3, "{}", ran.all());
    assert!(
        commands[0].starts_with("stress ten survivors/ten/"),
        "{commands:?}"
    );
    with_generator(&repo);
    for command in commands {
        let words: Vec<&str> = command.split(' ').collect();
        let ran = repo.run(&[&words, &["--rounds", "400", "--seed", "1"][..]].concat());
        assert_eq!(ran.status, 1, "{}", ran.all());
        assert!(ran.stdout.starts_with("WA survivors/ten/"), "{}", ran.all());
    }
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
    if crate::support::lacks("python3") {
        return;
    }
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
    if crate::support::lacks("python3") {
        return;
    }
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
    if crate::support::lacks("python3") {
        return;
    }
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

#[test]
fn inputs_that_kill_survivors_are_found_and_added() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "no"), ("50", "yes")]);
    with_generator(&repo);
    let ran = repo.run(&["strength", "ten", "--stress", "60s", "--add"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let one =
        format!("    {GREATER}\n    the cases are weak: it gets WA on this input\n      10\n");
    assert!(ran.stdout.contains(&one), "{}", ran.all());
    assert!(
        ran.stdout
            .contains("added cases/ten/data/secret/stress-1.in"),
        "{}",
        ran.all()
    );
    let mut found = mutants(&repo, &["ten"]).into_iter();
    let greater = found.find(|(change, _)| change == GREATER);
    assert_eq!(greater.unwrap().1, "killed");
}

#[test]
fn a_survivor_that_no_input_kills_is_probably_equivalent() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "5"), ("50", "50")]);
    repo.file(
        "solutions/ten/ten.py",
        "n = int(input())\nprint(max(n, n))\n",
    );
    with_generator(&repo);
    let (status, lines) = lines(&repo, &["strength", "--json", "-", "ten", "--stress", "3s"]);
    assert_eq!(status, 0);
    let of_kind =
        |line: &&Value| line["type"] == "mutant" && line["search"] == "probably_equivalent";
    let found = lines.iter().find(of_kind).unwrap();
    assert!(
        found["rounds"].is_u64() && found["killing_input"].is_null(),
        "{found}"
    );
    assert!(
        found["difference"]
            .as_str()
            .unwrap()
            .contains("+print(min(n, n))"),
        "{found}"
    );
}
