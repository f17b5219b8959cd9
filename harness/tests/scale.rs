//! `rejudge scale`: real programs with a known growth, and inconclusive results.
//!
//! The assertions do not depend on how busy the machine is: they concern families that differ strongly, and memory. The
//! seeded unit tests of the fit check finer distinctions.

use crate::support::Repo;
use serde_json::Value;

/// A generator whose input is the requested size.
const GENERATOR: &str = "fn main() { println!(\"{}\", std::env::args().nth(1).unwrap()); }\n";

/// A program that reads `n` and then executes `statements`.
fn program(statements: &str) -> String {
    format!(
        "fn main() {{ let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); \
         let n: u64 = line.trim().parse().unwrap(); {statements} }}\n"
    )
}

fn counts_to(bound: &str) -> String {
    program(&format!("for i in 0..{bound} {{ std::hint::black_box(i); }}"))
}

fn repo(solution: &str) -> Repo {
    let repo = Repo::new();
    repo.file("solution.rs", solution).file("generator.rs", GENERATOR);
    repo
}

/// The JSON report of the command, and its exit status.
fn scale(repo: &Repo, more: &[&str]) -> (Value, i32) {
    let ran = repo.run(&[&["scale", "solution.rs", "--json", "-", "--runs", "3"], more].concat());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    assert!(report["machine"]["cores"].is_u64() && report["sandbox"]["active"].is_array());
    (report, ran.status)
}

fn families(fitted: &Value) -> Vec<&str> {
    let families = fitted["families"].as_array().unwrap();
    families.iter().map(|one| one["family"].as_str().unwrap()).collect()
}

/// The sizes of the tests that fit CPU time. On the last size, a quadratic program takes a thousand times as long as on
/// the first.
const SIZES: [&str; 6] = ["--generator", "generator.rs", "--sizes", "500..16000", "--points", "9"];

#[test]
fn a_quadratic_program_is_not_linearithmic() {
    let repo = repo(&counts_to("n * n"));
    let (report, status) = scale(&repo, &[&SIZES[..], &["--at-most", "n log n"]].concat());
    assert_ne!(status, 0, "{report}");
    assert_ne!(report["at_most"]["held"], true);
    // Whether neighbouring families are distinguished depends on how quiet the machine is: see the unit tests of the fit.
    let neighbours = ["n√n", "n²", "n² log n"];
    assert!(families(&report["cpu"]).iter().any(|one| neighbours.contains(one)), "{report}");
}

#[test]
fn an_assertion_about_time_determines_the_exit_status() {
    let repo = repo(&counts_to("n * n"));
    for (family, status, held) in [("log n", 1, false), ("2^n", 0, true)] {
        let (report, found) = scale(&repo, &[&SIZES[..], &["--at-most", family]].concat());
        assert_eq!(found, status, "{report}");
        assert_eq!(report["at_most"]["held"], held);
    }
}

#[test]
fn an_exponential_program_is_not_cubic() {
    let repo = repo(&counts_to("(1 << n)"));
    let sizes = ["--generator", "generator.rs", "--sizes", "4..27", "--points", "24"];
    let (report, status) = scale(&repo, &[&sizes[..], &["--at-most", "n^3"]].concat());
    assert_ne!(status, 0, "{report}");
    assert!(families(&report["cpu"]).contains(&"2ⁿ"), "{report}");
}

#[test]
fn an_assertion_about_memory_determines_the_exit_status() {
    let repo = repo(&program(
        "let all: Vec<u64> = (0..n).map(std::hint::black_box).collect(); println!(\"{}\", all.len());",
    ));
    let svg = repo.path("picture.svg");
    let args = |family: &'static str| {
        let sizes = "--sizes 4e5..4e7 --points 10 --memory-at-most".split(' ');
        let generator = ["--generator", "generator.rs {n} {seed}"];
        let svg = ["--svg", svg.to_str().unwrap()];
        let args = generator.into_iter().chain(sizes).chain([family]);
        args.chain(svg).collect::<Vec<_>>()
    };
    for (family, status, held) in [("n", 0, true), ("log n", 1, false)] {
        let (report, found) = scale(&repo, &args(family));
        assert_eq!(found, status, "{report}");
        assert_eq!(report["memory_at_most"]["held"], held);
        let memory = families(&report["memory"]);
        assert!(memory.contains(&"n") && !memory.contains(&"n²"), "{report}");
    }
    let picture = repo.read("picture.svg");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.contains("CPU time: ") && picture.contains("peak memory: "));
    assert!(!picture.contains("NaN"));
}

#[test]
fn the_cases_of_the_problem_are_inputs_and_a_size_above_the_limit_is_the_last() {
    let repo = Repo::new();
    // Enough cases that six are within the limit even on a machine that is a hundred times slower.
    let numbers: Vec<String> = (0..10).map(|i| (250 << i).to_string()).collect();
    let names: Vec<String> = (0..10).map(|i| format!("secret/{}", 10 - i)).collect();
    let cases: Vec<(&str, &str, &str)> =
        names.iter().zip(&numbers).map(|(name, number)| (&name[..], &number[..], "")).collect();
    repo.problem("count", "name: Count\n", &cases)
        .file("solutions/count/solution.rs", counts_to("n * n"));
    let args = "scale solutions/count/solution.rs --json - --runs 2 --size-of first -t 1";
    let ran = repo.run(&args.split(' ').collect::<Vec<_>>());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!(ran.status, 0, "{report}");
    let sizes = report["sizes"].as_array().unwrap();
    assert_eq!((&sizes[0]["n"], &sizes[1]["n"]), (&250.into(), &500.into()));
    let (last, before) = sizes.split_last().unwrap();
    let are_within = before.iter().all(|size| size["over"].is_null());
    assert!(last["over"].is_string() && are_within, "{report}");
    // The unit tests of the fit check how accurate the prediction is.
    assert!(report["largest"]["least"].is_u64(), "{report}");
}

#[test]
fn too_few_sizes_are_inconclusive() {
    let repo = repo(&counts_to("n * n"));
    let few = "scale solution.rs --generator generator.rs --sizes 1..4 --runs 1 --memory-at-most n";
    let ran = repo.run(&few.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.status, 3, "{ran:?}");
    let end = "\ninconclusive: only 4 sizes were measured within the limits; at least 6 different sizes are needed\n\
               memory    at most n: inconclusive, too few sizes\n";
    assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
}

#[test]
fn invalid_input_is_an_error_with_a_message() {
    let repo = repo(&counts_to("n"));
    repo.file("fails.rs", "fn main() { eprintln!(\"no\"); std::process::exit(7); }")
        .file("silent.rs", "fn main() {}")
        .file("broken.rs", "fn main() {")
        .file("notes.xyz", "");
    let table = [
        ("scale absent.rs --generator generator.rs --sizes 1..9", "no such file: `absent.rs`"),
        (
            "scale notes.xyz --generator generator.rs --sizes 1..9",
            "`notes.xyz` is in no known language",
        ),
        ("scale broken.rs --generator generator.rs --sizes 1..9", "`broken.rs` does not compile"),
        ("scale solution.rs", "`solution.rs` belongs to no problem, so it has no cases to run on"),
        ("scale solution.rs --generator generator.rs", "--sizes <FROM..TO>"),
        (
            "scale solution.rs --generator absent.rs --sizes 1..9",
            "cannot read the generator `absent.rs`",
        ),
        (
            "scale solution.rs --generator notes.xyz --sizes 1..9",
            "the generator `notes.xyz` is neither a source in a known language nor an executable file",
        ),
        (
            "scale solution.rs --generator fails.rs --sizes 1..9",
            "the generator failed: `fails.rs 1 1`: exit code 7\n  no",
        ),
        (
            "scale solution.rs --generator silent.rs --sizes 1..9",
            "the generator printed nothing: `silent.rs 1 1`",
        ),
        ("scale solution.rs --generator broken.rs --sizes 1..9", "`broken.rs` does not compile"),
        (
            "scale fails.rs --generator generator.rs --sizes 1..9",
            "the solution fails at size 1: RTE, exit code 7\n  no",
        ),
        ("scale solution.rs --generator generator.rs --sizes 9..1", "`1` is not larger than `9`"),
        (
            "scale solution.rs --generator generator.rs --sizes 1..9 --at-most fast",
            "not one of `1`, `log n`",
        ),
        (
            "scale solution.rs --generator generator.rs --sizes 1..9 --size-of first",
            "cannot be used with",
        ),
    ];
    for (args, expected) in table {
        let ran = repo.run(&args.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status, 2, "{args}: {ran:?}");
        assert!(ran.stderr.contains(expected), "{args}: {}", ran.stderr);
    }
    let ran = repo.run(&[
        "scale",
        "solution.rs",
        "--generator",
        "generator.rs {m}{n}",
        "--sizes",
        "1..9",
    ]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("unknown field `{m}` in the generator's command"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_help_names_the_places_of_size_and_seed() {
    let repo = Repo::new();
    for args in [&["scale", "--help"][..], &["man", "scale"]] {
        let said = repo.run(args).stdout;
        let words: Vec<&str> = said.split_whitespace().collect();
        let said = words.join(" ");
        assert!(said.contains("`{n}` stands for the size"), "{said}");
        assert!(said.contains("without `{n}`, both are added"), "{said}");
    }
}
