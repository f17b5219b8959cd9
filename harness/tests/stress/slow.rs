//! `--slowest`.

use super::{BRUTE, package, stress};

#[test]
fn slow_inputs_are_set_against_the_limit_and_the_cases() {
    let repo = package();
    let slow = BRUTE.replace(
        "assert_eq!(values.len(), count);",
        "for _ in 0..count * 4_000_000 { std::hint::black_box(count); }",
    );
    repo.file("solutions/best/slow.rs", slow);
    let generator = "random.rs {seed} {n:1..50}";
    let args = [
        "solutions/best/slow.rs",
        "--slowest",
        "--rounds",
        "12",
        "--seed",
        "2",
        "-t",
        "30",
        "--generator",
        generator,
    ];
    let ran = stress(&repo, &args);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("solutions/best/slow.rs: limit "), "{}", ran.stdout);
    assert!(lines.len() > 4, "{}", ran.stdout);
    assert!(lines[1..4].iter().all(|line| line.contains("random.rs ")), "{}", ran.stdout);
    assert!(lines[4].ends_with("the slowest case: secret/1"), "{}", ran.stdout);
}

#[test]
fn slow_inputs_as_json_are_those_of_the_named_rounds() {
    let repo = package();
    let generator = ["--generator", "random.rs {seed} {n:1..50}"];
    let args = ["solutions/best/best.rs", "--slowest", "--rounds", "5..6", "--json", "-"];
    let ran = stress(&repo, &[&args[..], &generator[..]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let line: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&line["type"], &line["rounds"]), (&"slowest".into(), &2.into()));
    assert_eq!(line["inputs"].as_array().unwrap().len(), 2, "{line}");
    assert_eq!(line["slowest_case"]["case"], "secret/1");
    let ran = stress(&repo, &["best", "--slowest", "-j", "2"]);
    assert_eq!(ran.status, 2);
}

#[test]
fn instructions_make_the_search_for_slow_inputs_repeatable() {
    if !crate::bench::has_valgrind() {
        return;
    }
    let repo = package();
    let slow = BRUTE.replace(
        "assert_eq!(values.len(), count);",
        "for _ in 0..count * 1000 { std::hint::black_box(count); }",
    );
    repo.file("solutions/best/slow.rs", slow);
    let of = |counter: &str| {
        let args = "solutions/best/slow.rs --slowest --rounds 8 --seed 2 --json - --generator";
        let mut args: Vec<&str> = args.split(' ').collect();
        args.extend(["random.rs {seed} {n:1..50}", "--counter", counter]);
        let ran = stress(&repo, &args);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap()
    };
    let (first, second) = (of("instructions"), of("instructions"));
    let inputs = first["inputs"].as_array().unwrap();
    let counts: Vec<u64> = inputs.iter().map(|one| one["instructions"].as_u64().unwrap()).collect();
    assert!(counts.is_sorted_by(|one, two| one >= two), "{first}");
    let largest = inputs[0]["generated_by"].as_str().unwrap();
    assert!(inputs.iter().all(|one| one["verdict"] == "RAN"), "{first}");
    assert!(first["slowest_case"]["instructions"].as_u64().unwrap() < counts[0]);
    assert_eq!(second["inputs"][0]["generated_by"], largest);
    assert!(
        first["counter"].as_str().unwrap().starts_with("callgrind")
            || first["counter"] == "hardware counter"
    );
    let clocks = of("cpu");
    assert_eq!(
        (&clocks["counter"], &clocks["inputs"][0]["instructions"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
}

#[test]
fn faults_end_the_search_for_slow_inputs() {
    let repo = package();
    repo.file("cases/best/generators/fail.sh", "echo $1; exit $1\n")
        .file("cases/best/generators/print.sh", "echo $1\n");
    let of = |generator: &str| {
        let args =
            ["solutions/best/best.rs", "--slowest", "--rounds", "9", "--generator", generator];
        let ran = stress(&repo, &args);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{generator}: {}", ran.stderr);
        ran.stderr
    };
    let failed = of("fail.sh 3 {seed}");
    assert!(failed.starts_with("error: round 1: the generator `fail.sh 3 "), "{failed}");
    let invalid = of("print.sh 3 {seed}");
    let rejected = "error: round 1: the generator `print.sh 3 ";
    assert!(invalid.starts_with(rejected), "{invalid}");
    repo.file(
        "cases/best/input_validators/form.rs",
        "fn main() { loop { unsafe { *(1 as *mut u8) = 1 } } }\n",
    );
    let broken = of("random.rs {seed} {n:1..50}");
    let crashed =
        "error: round 1: the input validator `form.rs` failed on the output of `random.rs ";
    assert!(broken.starts_with(crashed), "{broken}");
}
