//! Extremes of the inputs that no case reaches.

use serde_json::Value;

use super::lines;
use crate::support::{Repo, lacks};

/// The extremes that no case reaches: variable, end, bound, reached.
fn extremes(repo: &Repo) -> Vec<[String; 4]> {
    let (_, lines) = lines(repo, &["strength", "--json", "-", "p", "--mutants", "0"]);
    let of_type = lines.iter().filter(|line| line["type"] == "extreme");
    let word = |line: &Value, key: &str| line[key].as_str().unwrap_or("?").to_owned();
    of_type.map(|line| ["variable", "end", "bound", "reached"].map(|key| word(line, key))).collect()
}

/// A problem whose inputs have these texts.
fn with_inputs(inputs: &[&str], validator: (&str, &str)) -> Repo {
    let repo = Repo::new();
    repo.problem("p", "name: P\n", &[]);
    for (case, input) in inputs.iter().enumerate() {
        repo.file(&format!("cases/p/data/secret/{case}.in"), input);
        repo.file(&format!("cases/p/data/secret/{case}.ans"), "yes\n");
    }
    repo.file(&format!("cases/p/input_validators/{}", validator.0), validator.1)
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
    let first: Vec<_> = found.iter().filter(|one| one[0].starts_with("line 1")).collect();
    assert_eq!(
        first,
        [&["line 1, token 1", "greatest", "1000", "900"].map(str::to_owned)],
        "{found:?}"
    );
    let of_list: Vec<_> = found.iter().filter(|one| one[0].starts_with("line 2")).collect();
    assert!(!of_list.is_empty() && of_list.iter().all(|one| one[2] == "?"), "{found:?}");
    let ran = repo.run(&["strength", "p", "--mutants", "0"]);
    assert!(ran.stdout.contains(", and no bound was found\n"), "{}", ran.all());
    let repo = with_inputs(&["-5 0\n\n", "1000 0\n\n"], ("v.sh", validator));
    assert_eq!(extremes(&repo), [[""; 4]; 0]);
    let ran = repo.run(&["strength", "p"]);
    assert!(
        ran.stdout.contains("the cases reach every extreme that is known, of 2 numbers"),
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
    if lacks("g++") {
        return;
    }
    let validator = "#include \"testlib.h\"\nint main(int argc, char** argv) { long long n = 0; \
                     if (scanf(\"%lld\", &n) != 1) return 3; log_overview(argc, argv, n); return 0; }\n";
    let repo = with_inputs(&["1\n", "99\n"], ("v.cpp", validator));
    repo.file("cases/p/include/testlib.h", LOGGING);
    assert_eq!(extremes(&repo), [["n", "greatest", "100", "?"].map(str::to_owned)]);
    let ran = repo.run(&["strength", "p"]);
    let expected = "  `n` never has its greatest value, 100\n  no case has the feature `even`\n";
    assert!(ran.stdout.contains(expected), "{}", ran.all());
    repo.file("cases/p/data/secret/2.in", "100\n").file("cases/p/data/secret/2.ans", "yes\n");
    assert_eq!(extremes(&repo), [[""; 4]; 0]);
}

#[test]
fn a_validator_whose_testlib_logs_nothing_is_asked() {
    if lacks("g++") {
        return;
    }
    let validator = "#include \"testlib.h\"\nint main(int argc, char**) { long long n = 0; \
                     return argc == 1 && scanf(\"%lld\", &n) == 1 && n >= 1 && n <= 100 ? 0 : 3; }\n";
    let repo = with_inputs(&["1\n", "99\n"], ("v.cpp", validator));
    repo.file("cases/p/include/testlib.h", "#include <cstdio>\n");
    let found = [["line 1, token 1", "greatest", "100", "99"].map(str::to_owned)];
    assert_eq!(extremes(&repo), found);
}
