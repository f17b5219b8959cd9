//! Plain measurements, and the cases and solutions that they skip.

use serde_json::Value;

use crate::bench::{LONG, PAIRS, SOLUTION, TENTH, lines, of_type, program, repo};

#[test]
fn measures_the_slowest_case_of_each_group_and_reports_cases_that_are_too_short() {
    let repo = repo();
    let measure = || {
        let ran = repo.run(&["bench", "--runs", "6", "--json", "-"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        lines(&ran)
    };
    // A disturbance may make even the short case long, but not in every attempt.
    let lines = (0..5)
        .map(|_| measure())
        .find(|lines| of_type(lines, "left_out").count() > 0)
        .expect("no case was ever too short");
    assert!(lines[0]["sandbox"]["cpu_clock"].is_string(), "{}", lines[0]);
    assert!(lines[0]["machine"]["noise"]["processors"].is_u64(), "{}", lines[0]);
    let measured: Vec<&Value> = of_type(&lines, "measured").collect();
    assert_eq!(measured.len(), 1);
    assert_eq!(measured[0]["case"], "secret/long");
    for figure in ["cpu_s", "wall_s", "memory_bytes"] {
        let samples = measured[0][figure]["samples"].as_array().unwrap();
        assert_eq!(samples.len(), 6);
        assert!(measured[0][figure]["median"].as_f64().unwrap() > 0.0);
    }
    let left_out: Vec<&Value> = of_type(&lines, "left_out").collect();
    assert_eq!(left_out.len(), 1);
    assert_eq!(left_out[0]["kind"], "too_short");
    assert_eq!(left_out[0]["case"], "sample/short");
}

#[test]
fn cases_on_the_command_line_override_those_in_the_settings() {
    let repo = repo();
    repo.file("rejudge.toml", "[bench]\ncases = [\"busy/secret/long\"]\n");
    let cases_of = |args: &[&str]| -> Vec<String> {
        let ran = repo.run(&[&["bench", "--runs", "2", "--json", "-"], args].concat());
        let lines = lines(&ran);
        let reported = ["measured", "left_out"].map(|kind| of_type(&lines, kind));
        let cases = reported.into_iter().flatten().map(|line| &line["case"]);
        let mut cases: Vec<String> = cases.map(|case| case.as_str().unwrap().to_owned()).collect();
        cases.sort();
        cases
    };
    assert_eq!(cases_of(&[]), ["secret/long"]);
    let both = ["--case", "secret/long", "--case", "sample/short"];
    assert_eq!(cases_of(&both), ["sample/short", "secret/long"]);
}

#[test]
fn the_text_report_has_a_bar() {
    let ran = repo().run(&["bench", "--runs", "6", "--case", "secret/long"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.starts_with(&format!("{SOLUTION}  6 runs each\n  secret/long")));
    assert!(ran.stdout.contains('█'), "{}", ran.stdout);
}

#[test]
fn a_solution_that_fails_its_cases_is_reported_and_not_measured() {
    let repo = repo();
    repo.file("solutions/busy/wrong.rs", "fn main() { println!(\"no\"); }\n")
        .file("solutions/busy/broken.rs", "fn main() {\n")
        .file("solutions/busy/wrong_answer/known.rs", "fn main() { println!(\"no\"); }\n");
    let ran = repo.run(&["bench", "--runs", "2"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let failed = "FAIL  solutions/busy/wrong.rs sample/short: wrong answer: token 1: expected `ok`, got `no`, so it is \
                  not measured\n";
    assert!(ran.stdout.contains(failed), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("FAIL  solutions/busy/broken.rs: compile error: "),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("known.rs"), "{}", ran.stdout);
    // A solution that is named by its path is judged even if it is expected to fail.
    let ran = repo.run(&["bench", "solutions/busy/wrong_answer/known.rs"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
}

#[test]
fn a_solution_receives_the_arguments_and_the_files_of_the_case() {
    let repo = repo();
    let text = program(LONG)
        .replace(
            "let text =",
            "assert_eq!(std::env::args().nth(1).unwrap(), \"a b\");\n    let text =",
        )
        .replace("io::stdin()", "fs::File::open(\"note.txt\").unwrap()");
    repo.file(SOLUTION, text)
        .file("cases/busy/data/secret/long.yaml", "args: [a b]\n")
        .file("cases/busy/data/secret/long.files/note.txt", "1000\n");
    let ran = repo.run(&["bench", "--runs", "2", "--case", "secret/long"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("  secret/long"), "{}", ran.stdout);
}

#[test]
fn a_summary_is_appended_to_the_file_of_the_ci_job() {
    let repo = repo();
    repo.file("fast.rs", program(TENTH)).file("summary.md", "before\n");
    let args = [
        "bench",
        SOLUTION,
        "--against",
        "fast.rs",
        "--case",
        "secret/long",
        "--pairs",
        PAIRS,
        "-q",
    ];
    let mut command = repo.command(&args);
    command.env("GITHUB_STEP_SUMMARY", repo.path("summary.md"));
    assert_eq!(repo.finish(&mut command).status, 1);
    let text = repo.read("summary.md");
    assert!(text.starts_with("before\n### rejudge bench: ❌ regression\n"), "{text}");
    assert!(text.contains("| slower | solutions/busy/busy.rs | secret/long |"), "{text}");
}

#[test]
fn solutions_of_interactive_problems_are_skipped_and_refused_if_there_are_no_others() {
    let repo = repo();
    for (id, kind) in [("talk", "interactive"), ("twice", "multi-pass")] {
        let yaml = format!("name: x\ntype: {kind}\n");
        repo.problem(id, &yaml, &[("secret/1", "1\n", "1\n")])
            .file(&format!("cases/{id}/output_validator/validate.sh"), "exit 42\n")
            .file(&format!("solutions/{id}/a.sh"), "exit 0\n");
    }
    let ran = repo.run(&["bench", "--runs", "2"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    for line in [
        "skipped  solutions/talk/a.sh: its problem is interactive: ",
        "skipped  solutions/twice/a.sh: its problem is multi-pass: ",
        "  secret/long",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.all());
    }
    let alone = repo.run(&["bench", "solutions/talk", "--against", "solutions/busy"]);
    assert_eq!(alone.status, 2, "{}", alone.all());
    let error =
        "error: no solution can be measured: `solutions/talk/a.sh`: its problem is interactive: ";
    assert!(alone.stderr.starts_with(error), "{}", alone.all());
}
