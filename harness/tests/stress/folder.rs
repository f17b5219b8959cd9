//! A folder with a generator, a reference and solutions.

use super::{BRUTE, GENERATOR, VALIDATOR, WRONG, folder, lines, scripts, stress};
use crate::support::Repo;

#[test]
fn the_programs_of_a_folder_are_found_by_their_names() {
    let repo = folder();
    let ran = stress(&repo, &["--seed", "1", "--rounds", "60"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let expected = "input, 2 tokens:\n  1\n  -1\nanswer of brute.rs, AC:\n  -1\noutput of wrong.rs, WA:\n  0\n";
    assert!(ran.stdout.starts_with("WA wrong.rs in round "), "{}", ran.stdout);
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    // The round that failed is the same in any number of threads, and repeats.
    let parallel = stress(&repo, &["--seed", "1", "--rounds", "60", "-j", "3"]);
    assert_eq!(lines(&parallel), lines(&ran));
    let again = ran.stdout.lines().find_map(|line| line.strip_prefix("again: rejudge ")).unwrap();
    let words: Vec<&str> = again.split(' ').collect();
    let repeated = repo.run(&words);
    assert_eq!(lines(&repeated), lines(&ran));
}

#[test]
fn without_a_validator_inputs_keep_the_shape_of_generated_ones() {
    let repo = folder();
    // The reference answers whatever it reads.
    let reads = r#"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let values: Vec<i64> = text.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
    println!("{}", values.iter().max().unwrap_or(&-1));
}
"#;
    repo.file("brute.rs", reads);
    repo.file("wrong.rs", reads.replace("unwrap_or(&-1)", "unwrap_or(&0).max(&-3)"));
    let ran = stress(&repo, &["--seed", "1", "--rounds", "60"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains("\ninput, 2 tokens:\n  1\n  -4\n"), "{}", ran.stdout);
    let end = "counted as valid if it had the shape of 26 generated ones, and the reference answered it)\n";
    assert!(ran.stdout.contains(end), "{}", ran.stdout);
}

#[test]
fn a_validator_decides_which_texts_are_valid() {
    let repo = folder();
    repo.file("val.rs", VALIDATOR);
    let ran = stress(&repo, &["wrong.rs", "--seed", "1", "--rounds", "60"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("input, 2 tokens:\n  1\n  -1\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("an input was valid if the validator accepted it"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_grammar_in_the_folder_is_a_validator() {
    let repo = folder();
    let grammar = "INT(1, 50, n) NEWLINE\nREPI(i, n)\n  IF(i > 0) SPACE END\n  INT(-100, 100)\nEND\nNEWLINE EOF\n";
    repo.file("validator.ctd", grammar);
    let ran = stress(&repo, &["wrong.rs", "--seed", "1", "--rounds", "60"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let end = "(an input was valid if the validator accepted it)";
    assert!(ran.stdout.contains(end), "{}", ran.stdout);
}

#[test]
fn the_order_of_a_generators_arguments_is_found() {
    let numbers = "print(n)\nprint(*[random.randint(-9, 9) for _ in range(n)])\n";
    let seeded =
        |seed, size| format!("import random, sys\nrandom.seed(int({seed}))\nn = {size}\n{numbers}");
    for (generator, order) in [
        (seeded("sys.argv[1]", "int(sys.argv[2])"), None),
        // Numbers have no sizes, whatever the program is told.
        (seeded("sys.argv[1]", "5"), None),
        (seeded("sys.argv[2]", "int(sys.argv[1])"), Some("{n:1..50} {seed}")),
        (seeded("sys.argv[2]", "min(int(sys.argv[1]), 20)"), Some("{n:1..50} {seed}")),
        (seeded("sys.argv[1] if len(sys.argv) == 2 else sys.exit(1)", "5"), Some("{seed}")),
        (seeded("0", "5"), None),
    ] {
        let repo = folder();
        std::fs::remove_file(repo.path("gen.rs")).unwrap();
        repo.file("gen.py", &generator);
        let ran = stress(&repo, &["--seed", "1", "--rounds", "3"]);
        let note = order.map_or_else(String::new, |order| {
            format!(
                "note: the generator is run as `gen.py {order}`: in `gen.py {{seed}} {{n:1..50}}` the seed does not work \
                 as one\n"
            )
        });
        assert_eq!(ran.stderr, note, "{generator}");
        assert!(ran.status < 2, "{}", ran.all());
    }
}

#[test]
fn nothing_is_found_in_a_right_solution() {
    let repo = folder();
    repo.file("right.rs", BRUTE);
    let ran =
        stress(&repo, &["right.rs", "--against", "brute.rs", "--seed", "3", "--rounds", "20"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("no failure; tried 20 rounds of seed 3 in "), "{}", ran.stdout);
}

#[test]
fn an_input_that_passed_three_times_is_not_judged_again() {
    let repo = Repo::new();
    repo.file("right.sh", "cat\n").file("brute.sh", "cat\n").file("gen.sh", "echo 1\n");
    let args = ["right.sh", "--against", "brute.sh"];
    let ran = stress(&repo, &[&args[..], &["--rounds", "20", "--json", "-"]].concat());
    let line: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(line["rounds"], 20, "{line}");
    assert_eq!(line["known"], 17, "{line}");
    assert_eq!(line["runs"]["solutions"], 6, "{line}");
    let ran = stress(&repo, &[&args[..], &["--rounds", "4"]].concat());
    let known = "in 1 of them the input had passed three times before, and was not judged again\n";
    assert!(ran.stdout.ends_with(known), "{}", ran.stdout);
}

#[test]
fn a_folder_without_a_generator_or_a_solution_says_what_is_missing() {
    let repo = Repo::new();
    repo.file("wrong.rs", WRONG);
    let ran = stress(&repo, &[]);
    let error = "error: there is no problem here, and no generator\nhelp: write `brute.*`, ";
    assert!(ran.status == 2 && ran.stderr.starts_with(error), "{}", ran.all());
    let repo = Repo::new();
    repo.file("brute.rs", BRUTE).file("wrong.rs", WRONG);
    let ran = stress(&repo, &[]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .starts_with("error: there is no generator\nhelp: `rejudge new --generator` writes"),
        "{}",
        ran.stderr
    );
    let repo = Repo::new();
    repo.file("brute.rs", BRUTE).file("gen.rs", GENERATOR);
    let ran = stress(&repo, &[]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.starts_with("error: there is no solution to test in "), "{}", ran.stderr);
}

#[test]
fn references_that_disagree_or_crash_are_findings() {
    let repo = folder();
    repo.file("slow.rs", WRONG).file("right.rs", BRUTE);
    let ran = stress(&repo, &["right.rs", "--seed", "1", "--rounds", "60"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("WA slow.rs in round "), "{}", ran.stdout);
    let crash = BRUTE.replace("assert_eq!(values.len(), count);", "assert!(values[0] > -90);");
    repo.file("slow.rs", BRUTE).file("brute.rs", &crash);
    let ran = stress(&repo, &["right.rs", "--seed", "1", "--rounds", "200"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("RTE brute.rs in round "), "{}", ran.stdout);
    // The other reference decides which texts are valid.
    let input = "input, 2 tokens:\n  1\n  -90\n";
    assert!(ran.stdout.contains(input), "{}", ran.stdout);
    // Without it, a shorter text could crash because it is not valid.
    std::fs::remove_file(repo.path("slow.rs")).unwrap();
    let ran = stress(&repo, &["right.rs", "--seed", "1", "--rounds", "200"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    let why = "by the generator's arguments only: without a validator, and without a reference that answers the input";
    assert!(ran.stdout.contains(why), "{}", ran.stdout);
}

#[test]
fn a_checker_that_fails_is_a_fault_and_no_failure() {
    let repo = folder();
    repo.file("chk.sh", "echo no memory >&2; exit 3\n").file("right.rs", BRUTE);
    for want in [&[][..], &["--want", "wrong.rs != right.rs"]] {
        let args = ["--seed", "1", "--rounds", "60"];
        let ran = stress(&repo, &[&args[..], want].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{want:?}");
        let start = "error: round 1: `";
        let end = "help: correct the output validator of the problem\n";
        assert!(ran.stderr.starts_with(start), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("` cannot be judged on the output of `gen.rs "),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.ends_with(end), "{}", ran.stderr);
    }
}

#[test]
fn a_folder_may_be_named() {
    let repo = Repo::new();
    repo.file("a/gen.rs", GENERATOR).file("a/brute.rs", BRUTE).file("a/wrong.rs", WRONG);
    let ran = stress(&repo, &["a", "--seed", "1", "--rounds", "60"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("WA a/wrong.rs in round "), "{}", ran.stdout);
}

#[test]
fn the_result_as_json() {
    let repo = folder();
    let ran = stress(&repo, &["--seed", "1", "--rounds", "60", "--json", "-"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let lines: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["program"], &lines[0]["after"]), (&"wrong.rs".into(), &"1\n-1\n".into()));
    assert_eq!((&lines[0]["verdict"], &lines[0]["complete"]), (&"WA".into(), &true.into()));
    assert_eq!(lines[0]["results"][0]["output"], "-1\n");
    assert!(lines[0]["runs"]["solutions"].as_u64().unwrap() > 4);
    assert_eq!((&lines[1]["findings"], &lines[1]["rounds"]), (&1.into(), &lines[0]["round"]));
}

#[test]
fn the_first_generator_is_written_once_and_works() {
    let repo = Repo::new();
    repo.file("brute.rs", BRUTE).file("wrong.rs", WRONG);
    let ran = repo.run(&["new", "--generator"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.starts_with("gen.rs: a generator of "), "{}", ran.stdout);
    let ran = stress(&repo, &["--seed", "1", "--rounds", "100"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let again = repo.run(&["new", "--generator"]);
    assert_eq!(again.status, 2);
    assert_eq!(again.stderr, "error: gen.rs exists already\nhelp: remove it, or change it\n");
    let ran = repo.run(&["new", "--generator", "--language", "zig"]);
    assert!(
        ran.stderr.starts_with("error: there is no first generator in `zig`\nhelp: "),
        "{}",
        ran.stderr
    );
    // For a problem, which the next step names; a path is not the name of one.
    repo.file("cases/sum/problem.yaml", "name: Sum\n");
    let ran = repo.run(&["new", "sum", "--generator"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.ends_with("then `rejudge stress sum`\n"), "{}", ran.stdout);
    assert!(repo.path("cases/sum/generators/gen.rs").is_file());
    std::fs::create_dir(repo.path("outside")).unwrap();
    let ran = repo.run(&["new", "../outside", "--generator"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.starts_with("error: invalid problem name `../outside`: use letters"),
        "{}",
        ran.stderr
    );
    assert!(!repo.path("outside/generators").exists());
}

#[test]
fn a_condition_that_cannot_be_used_is_shown_with_a_caret() {
    let repo = scripts();
    for (want, expected) in [
        (
            "wrong.sh WA and none.sh AC",
            "error: `--want`: no such program\n  wrong.sh WA and none.sh AC\n                  ^~~~~~~\n\
             help: the programs are `brute.sh`, `wrong.sh`\n",
        ),
        (
            "wrong.sh WA and brute.sh WA",
            "error: `--want`: no result of the programs can be this\n  wrong.sh WA and brute.sh WA\n  \
             ^~~~~~~~~~~~~~~~~~~~~~~~~~~\nhelp: a program gets one verdict; the output of the first reference is \
             the answer, so it is never WA\n",
        ),
    ] {
        let ran = stress(&repo, &["--want", want]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{want}");
        assert_eq!(ran.stderr, expected);
    }
}
