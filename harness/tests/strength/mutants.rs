//! Mutants of accepted solutions.

use serde_json::Value;

use super::{lines, strength};
use crate::support::{Repo, lacks};

/// A problem with a Python solution that says whether a number is at least 10.
fn at_least_ten(cases: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.problem("ten", "name: Ten\nlimits: {time_limit: 60}\n", &[]);
    for (input, answer) in cases {
        repo.file(&format!("cases/ten/data/secret/{input}.in"), format!("{input}\n"));
        repo.file(&format!("cases/ten/data/secret/{input}.ans"), format!("{answer}\n"));
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
        let lines = difference.lines().skip(2).filter(|line| line.starts_with('+'));
        lines.collect::<String>()
    };
    of_type.map(|line| (added(line), line["state"].as_str().unwrap().to_owned())).collect()
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
    if lacks("python3") {
        return;
    }
    let state = |cases: &[(&str, &str)]| {
        let repo = at_least_ten(cases);
        let found = mutants(&repo, &["ten"]);
        assert!(found.len() >= 4, "{found:?}");
        let survivors = found.iter().filter(|(_, state)| state == "survives").count();
        let mut found = found.into_iter();
        (found.find(|(change, _)| change == GREATER).unwrap().1, survivors)
    };
    let weak = [("5", "no"), ("50", "yes")];
    let strong = [("9", "no"), ("10", "yes")];
    assert_eq!(state(&weak), ("survives".to_owned(), 3));
    assert_eq!(state(&strong), ("killed".to_owned(), 0));
}

#[test]
fn a_survivor_is_shown_as_a_difference_and_stored() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "no"), ("50", "yes")]);
    let ran = repo.run(&["strength", "ten", "--keep", "survivors"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let shown = format!("    -print(\"yes\" if n >= 10 else \"no\")\n    {GREATER}\n");
    assert!(ran.stdout.contains(&shown), "{}", ran.all());
    let command = "look for an input that kills it: rejudge ";
    let commands: Vec<&str> =
        ran.stdout.lines().filter_map(|line| line.trim().strip_prefix(command)).collect();
    assert_eq!(commands.len(), 3, "{}", ran.all());
    assert!(commands[0].starts_with("stress ten survivors/ten/"), "{commands:?}");
    with_generator(&repo);
    let words: Vec<&str> = commands[0].split(' ').collect();
    let ran = repo.run(&[&words, &["--rounds", "400", "--seed", "1"][..]].concat());
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.starts_with("WA survivors/ten/"), "{}", ran.all());
    let kept: Vec<_> = walkdir::WalkDir::new(repo.path("survivors"))
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.is_file())
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(kept.len(), 3);
    assert!(kept.iter().any(|text| text.ends_with(&format!("{}\n", &GREATER[1..]))));
    // Those of another run would lie among them.
    let ran = repo.run(&["strength", "ten", "--keep", "survivors"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    let error = "error: `survivors/ten` exists already, and is not an empty folder\n\
                 help: remove it, or name another folder with `--keep DIR`\n";
    assert_eq!(ran.stderr, error);
}

#[test]
fn the_command_that_looks_for_an_input_works_as_it_is_printed() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("9", "no"), ("50", "yes")]);
    with_generator(&repo);
    let args = ["strength", "ten", "--keep", "my mutants"];
    let ran = repo.finish(&mut repo.command_in("cases", &args));
    let command = "look for an input that kills it: ";
    let mut lines = ran.stdout.lines();
    let command = lines.find_map(|line| line.trim().strip_prefix(command));
    let command = command.unwrap_or_else(|| panic!("{}", ran.all()));
    let script = format!("cd cases && {command} --rounds 400 --seed 1");
    let ran = repo.finish(&mut repo.shell(&script));
    assert_eq!(ran.status, 1, "{command}\n{}", ran.all());
}

#[test]
fn the_same_seed_makes_the_same_mutants_for_any_number_of_workers() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "no"), ("50", "yes")]);
    let of = |args: &[&str]| mutants(&repo, &[&["ten", "--mutants", "3"], args].concat());
    let first = of(&["--seed", "7", "-j", "1"]);
    assert_eq!(first.len(), 3);
    assert_eq!(of(&["--seed", "7", "-j", "2"]), first);
    let others: Vec<_> = ["1", "2", "3", "4"].map(|seed| of(&["--seed", seed])).into();
    assert!(others.iter().any(|other| *other != first));
    assert_eq!(mutants(&repo, &["ten", "--mutants", "0"]), []);
}

/// The time limit is a minute, but nobody waits for that.
#[test]
#[ignore = "a minute: `.ci/full long` runs it"]
fn a_mutant_that_never_ends_is_killed() {
    if lacks("python3") {
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

/// The CPU time of mutants is cut to half a second, and the same cut would leave 10 ms of wall time.
#[test]
fn a_wall_limit_that_is_set_holds_for_mutants_as_it_is() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "no"), ("50", "yes")]);
    let yaml = "name: Ten\nlimits: {time_limit: 3000}\n";
    repo.file("cases/ten/problem.yaml", yaml)
        .file("rejudge.toml", "[problems.ten]\nwall_limit = 60\n");
    let found = mutants(&repo, &["ten"]);
    let survivors = found.iter().filter(|(_, state)| state == "survives");
    assert_eq!(survivors.count(), 3, "{found:?}");
}

#[test]
fn a_change_that_makes_no_other_program_is_left_out() {
    if lacks("gcc") {
        return;
    }
    let repo = at_least_ten(&[("12", "5")]);
    std::fs::remove_file(repo.path("solutions/ten/ten.py")).unwrap();
    repo.file(
        "solutions/ten/ten.c",
        "#include <stdio.h>\nint main(void) {\n    int n;\n    scanf(\"%d\", &n);\n    if (0) {\n        \
         n = n + 3;\n    }\n    printf(\"%d\\n\", n % 7);\n    return 0;\n}\n",
    );
    let (_, problem) = strength(&repo, &["ten"]);
    assert!(problem["mutants"]["same"].as_u64().unwrap() >= 3, "{problem}");
    let found = mutants(&repo, &["ten"]);
    let dead = found.iter().filter(|(change, _)| change.contains("n = n"));
    assert_eq!(dead.count(), 0, "{found:?}");
    assert!(found.iter().any(|(change, _)| change.contains("n % 8")), "{found:?}");
}

#[test]
fn an_unknown_family_of_syntax_is_an_error() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "no")]);
    repo.file("rejudge.toml", "[languages.python3]\nmutations = \"pyton\"\n");
    // It is found before anything is judged.
    repo.file("solutions/ten/broken.c", "no program\n");
    let ran = repo.run(&["strength", "ten"]);
    let error = "error: language `python3`: `mutations = \"pyton\"` names no family of syntax\n\
                 help: did you mean `python`?\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, error));
    let ran = repo.run(&["strength", "ten", "--mutants", "0"]);
    assert!(ran.stderr.contains("broken.c"), "{}", ran.all());
}

#[test]
fn a_solution_that_fails_on_a_generated_input_is_a_fault() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "no"), ("50", "yes")]);
    with_generator(&repo);
    let solution = "n = int(input())\nm = 60 // (n - 1)\nprint(\"yes\" if n >= 10 else \"no\")\n";
    repo.file("solutions/ten/ten.py", solution);
    let args = ["strength", "--json", "out.jsonl", "ten", "--stress", "60s"];
    let ran = repo.run(&args);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let fault = "error: `solutions/ten/ten.py`, which every case accepts, gets RTE on a generated input\n\
                 help: `rejudge stress solutions/ten/ten.py --seed 1 --rounds ";
    let command = ran.stderr.strip_prefix(fault).map(|rest| rest.split('`').next().unwrap());
    let rounds = command.unwrap_or_else(|| panic!("{}", ran.all()));
    assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.all());
    let shown = "    unknown: its solution itself gets RTE on this input\n      1\n";
    assert!(ran.stdout.contains(shown), "{}", ran.all());
    let written = repo.read("out.jsonl");
    let mut lines = written.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found = lines.find(|line| line["search"] == "solution_fails");
    assert_eq!(found.unwrap()["failing_input"], "1\n");
    let command = ["stress", "solutions/ten/ten.py", "--seed", "1", "--rounds", rounds];
    let ran = repo.run(&command);
    let shown = "input, 1 token:\n  1\n";
    assert!(ran.stdout.contains(shown), "{}", ran.all());
}

/// Fails on an output of 0 if the answer is greater.
const FAILING: &str = "read output; read answer < $2\n[ $output = $answer ] && exit 42\n\
                       [ $output = 0 ] && [ $answer -gt 0 ] && exit 1\nexit 43\n";

#[test]
fn a_fault_in_one_search_does_not_end_the_others() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("10", "0")]);
    let solution = "n = int(input())\nprint(max(n, 10) - min(n, 10))\n";
    repo.file("solutions/ten/ten.py", solution)
        .file("cases/ten/output_validator/check.sh", FAILING);
    let plan = "solution: /submissions/accepted/ten.py\ndata:\n  secret:\n    data:\n      '8': gen.sh {seed} 8\n";
    repo.file("cases/ten/generators/generators.yaml", plan)
        .file("cases/ten/generators/gen.sh", "echo $2\n");
    let args = ["strength", "--json", "-", "ten", "--stress", "5s"];
    let output = repo.command(&args).output().unwrap();
    let (lines, errors) =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).into();
    let count = |search: &str| {
        let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["search"] == search).count()
    };
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(count("fault") >= 2 && count("killed") >= 1, "{lines}{errors}");
    assert_eq!(
        errors.matches("` cannot be judged on the output of `").count(),
        count("fault"),
        "{errors}"
    );
    let none = "error: the generator `gen.sh 1 0` failed";
    assert!(!errors.contains(none), "{errors}");
}

#[test]
fn a_fault_of_every_search_is_reported_once() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "no"), ("50", "yes")]);
    with_generator(&repo);
    repo.file("cases/ten/generators/gen.sh", "exit 3\n");
    let ran = repo.run(&["strength", "ten", "--stress", "60s"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.all());
    assert_eq!(ran.stdout.matches("unknown: the search failed").count(), 3, "{}", ran.all());
}

/// A task of CMS whose solution includes a file next to it.
#[test]
fn mutants_include_the_same_files_as_their_solution() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    repo.file(
        "p/task.yaml",
        "name: p\ntitle: P\ntime_limit: 60\ninfile: ''\noutfile: ''\n",
    )
    .file("p/input/input0.txt", "7\n")
    .file("p/output/output0.txt", "yes\n")
    .file("p/sol/limit.h", "const int LIMIT = 5;\n")
    .file(
        "p/sol/solution.cpp",
        "#include <cstdio>\n#include \"limit.h\"\nint main() { int n; if (scanf(\"%d\", &n) == 1) \
             puts(n >= LIMIT ? \"yes\" : \"no\"); return 0; }\n",
    );
    let found = mutants(&repo, &["p"]);
    let of = |state: &str| {
        found.iter().filter(|(change, one)| change.contains("LIMIT") && one == state).count()
    };
    assert!(of("survives") >= 1 && of("killed") >= 1, "{found:?}");
}

#[test]
#[ignore = "a minute: `.ci/full long` runs it"]
fn inputs_that_kill_survivors_are_found_and_added() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("9", "no"), ("50", "yes")]);
    with_generator(&repo);
    let ran = repo.run(&["strength", "ten", "--stress", "60s", "--add"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let one =
        format!("    {GREATER}\n    the cases are weak: it gets WA on this input\n      10\n");
    assert!(ran.stdout.contains(&one), "{}", ran.all());
    assert!(ran.stdout.contains("added cases/ten/data/secret/stress-1.in"), "{}", ran.all());
    let mut found = mutants(&repo, &["ten"]).into_iter();
    let greater = found.find(|(change, _)| change == GREATER);
    assert_eq!(greater.unwrap().1, "killed");
}

#[test]
fn a_survivor_that_no_input_kills_is_probably_equivalent() {
    if lacks("python3") {
        return;
    }
    let repo = at_least_ten(&[("5", "5"), ("50", "50")]);
    repo.file("solutions/ten/ten.py", "n = int(input())\nprint(max(n, n))\n");
    with_generator(&repo);
    let (status, lines) = lines(&repo, &["strength", "--json", "-", "ten", "--stress", "3s"]);
    assert_eq!(status, 0);
    let of_kind =
        |line: &&Value| line["type"] == "mutant" && line["search"] == "probably_equivalent";
    let found = lines.iter().find(of_kind).unwrap();
    assert!(found["rounds"].is_u64() && found["killing_input"].is_null(), "{found}");
    assert!(found["difference"].as_str().unwrap().contains("+print(min(n, n))"), "{found}");
}
