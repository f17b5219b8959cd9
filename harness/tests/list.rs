//! `rejudge list`: the problems and solutions found, human-readable and machine-readable, in every
//! layout.

use crate::support::Repo;
use insta::assert_snapshot;

const NOTHING: &str = "fn main() {}\n";

#[test]
fn names_are_on_one_line() {
    let repo = Repo::new();
    repo.file("p/a.rs", NOTHING).file("p/x\ny.in", "1\n").file("p/x\ny.ans", "1\n");
    let ran = repo.run(&["list", "-v", "p"]);
    assert!(ran.stdout.contains("\n    x\\ny\n"), "{}", ran.all());
}

#[test]
fn it_shows_limits_cases_and_expected_verdicts() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", NOTHING).file("solutions/sum/wrong_answer/b.rs", NOTHING).file(
        "solutions/sum/c.rs",
        format!("// @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT\n{NOTHING}"),
    );
    assert_snapshot!(repo.run(&["list"]).all(), @r"
    sum  Sum
      limits: 2 s CPU, 6 s wall, 2 GiB memory, 8 MiB output
      checker: tokens
      cases: sample 1, secret 1
      expected: accepted                     solutions/sum/a.rs (default)
      expected: @EXPECTED_RESULTS@: WA, TLE  solutions/sum/c.rs (header)
      expected: wrong_answer                 solutions/sum/wrong_answer/b.rs (folder)
    --- exit status 0
    ");
    assert_snapshot!(repo.run(&["list", "-v", "sum"]).all(), @r"
    sum  Sum
      limits: 2 s CPU, 6 s wall, 2 GiB memory, 8 MiB output
      checker: tokens
      cases: sample 1, secret 1
        sample/1
        secret/big
      expected: accepted                     solutions/sum/a.rs (default)
      expected: @EXPECTED_RESULTS@: WA, TLE  solutions/sum/c.rs (header)
      expected: wrong_answer                 solutions/sum/wrong_answer/b.rs (folder)
    --- exit status 0
    ");
}

#[test]
fn a_solution_or_its_folder_may_be_listed_from_anywhere_in_the_repository() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", NOTHING);
    let whole = repo.run(&["list"]);
    assert_eq!(whole.status, 0);
    for (folder, path) in [
        ("", "sum"),
        ("", "./solutions/../solutions/sum/"),
        ("solutions", "sum/a.rs"),
        ("solutions/sum", "a.rs"),
        ("cases/sum/data", "../../sum"),
    ] {
        let ran = repo.finish(&mut repo.command_in(folder, &["list", path]));
        assert_eq!(ran.all(), whole.all(), "{path} in {folder}");
    }
}

#[test]
fn a_lone_folder_a_package_and_a_contest_are_understood() {
    let repo = Repo::new();
    repo.file("lone/a b.rs", NOTHING)
        .file("lone/tests/2.in", "")
        .file("lone/tests/2.out", "")
        .file("lone/tests/10.in", "")
        .file("lone/tests/10.out", "");
    for id in ["p", "q"] {
        repo.file(&format!("contest/{id}/problem.yaml"), "name: P\n")
            .file(&format!("contest/{id}/data/secret/1.in"), "")
            .file(&format!("contest/{id}/data/secret/1.ans"), "")
            .file(&format!("contest/{id}/submissions/accepted/a.rs"), NOTHING);
    }
    repo.file("contest/r/problem.yaml", "name: R\n")
        .file("contest/r/data/secret/1.in", "")
        .file("contest/r/data/secret/1.ans", "");
    assert_snapshot!(repo.run(&["list", "-v", "lone"]).all(), @r"
    lone
      limits: 10 s CPU, 30 s wall, 2 GiB memory, 64 MiB output
      checker: tokens
      cases: 2
        2
        10
      judged on: all cases of the folder
      expected: accepted  lone/a b.rs (default)
    --- exit status 0
    ");
    assert_snapshot!(repo.run(&["list", "contest"]).all(), @r"
    problem  solutions  cases  judged on
    p                1      1  the cases of the package
    q                1      1  the cases of the package
    r                0      1  the cases of the package

    3 problems, 2 solutions, 3 cases; `rejudge list -v` shows the limits, checkers, solutions and cases
    --- standard error
    warning: contest/r has no solutions
    --- exit status 0
    ");
    assert_snapshot!(repo.run(&["list", "-v", "contest"]).all(), @r"
    p  P
      limits: CPU inferred when judged, 2 GiB memory, 8 MiB output
      checker: tokens
      cases: secret 1
        secret/1
      expected: accepted  contest/p/submissions/accepted/a.rs (folder)

    q  P
      limits: CPU inferred when judged, 2 GiB memory, 8 MiB output
      checker: tokens
      cases: secret 1
        secret/1
      expected: accepted  contest/q/submissions/accepted/a.rs (folder)

    r  R
      limits: 10 s CPU, 30 s wall, 2 GiB memory, 8 MiB output
      checker: tokens
      cases: secret 1
        secret/1
    --- standard error
    warning: contest/r has no solutions
    --- exit status 0
    ");
}

#[test]
fn two_problems_with_the_same_name_are_distinguished() {
    let repo = Repo::new();
    for place in ["a", "b"] {
        repo.file(&format!("{place}/x/problem.yaml"), "name: X\n")
            .file(&format!("{place}/x/data/secret/1.in"), "")
            .file(&format!("{place}/x/data/secret/1.ans"), "")
            .file(&format!("{place}/x/submissions/accepted/s.rs"), NOTHING);
    }
    let ran = repo.run(&["list", "-v", "a/x", "b/x"]);
    assert_eq!(ran.errors(), "--- exit status 0");
    let names: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("  X")).collect();
    assert_eq!(names, ["a/x  X", "b/x  X"], "{}", ran.stdout);
}

#[test]
fn json_goes_to_a_file_next_to_the_text_or_to_standard_output_instead_of_it() {
    let repo = Repo::with_sum();
    for command in ["list", "doctor", "languages"] {
        let text = repo.run(&[command, "--json", "out.jsonl"]).stdout;
        assert!(!text.contains("\"type\""), "{command}: {text}");
        assert!(!text.is_empty(), "{command}");
        let json = repo.run(&[command, "--json", "-"]).stdout;
        for lines in [repo.read("out.jsonl"), json] {
            assert!(!lines.is_empty(), "{command}");
            for line in lines.lines() {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                assert!(line["type"].is_string(), "{command}: {line}");
            }
        }
        let ran = repo.run(&[command, "--json", "cases"]);
        assert!(
            ran.stderr.contains("cannot write the JSON to `cases`"),
            "{command}: {}",
            ran.stderr
        );
    }
}

#[test]
fn json_has_the_code_and_the_place_of_a_warning() {
    let repo = Repo::with_sum();
    repo.file("cases/sum/problem.yaml", "name: Sum\nlimit: {}\n");
    let ran = repo.run(&["list", "--json", "-"]);
    let mut lines = ran.stdout.lines();
    let warning = lines.find(|line| line.contains("\"warning\"")).unwrap();
    let warning: serde_json::Value = serde_json::from_str(warning).unwrap();
    assert_eq!(warning["code"], "unknown-key");
    assert_eq!(warning["file"], "cases/sum/problem.yaml");
    assert_eq!((&warning["line"], &warning["column"]), (&2.into(), &1.into()));
}

#[test]
fn json_output_has_one_object_per_line() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong_answer/b.rs", NOTHING);
    let ran = repo.run(&["list", "--json", "-"]);
    let records: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [problem, submission] = records.as_slice() else { panic!("{}", ran.stdout) };
    assert_eq!(problem["type"], "problem");
    assert_eq!(problem["schema"], 1);
    assert_eq!(problem["cpu_limit_ms"], 2000);
    assert_eq!(problem["groups"][1]["name"], "secret");
    assert_eq!(submission["type"], "submission");
    assert_eq!(submission["submission"], "solutions/sum/wrong_answer/b.rs");
    assert_eq!(submission["expected"], "wrong_answer");
}

#[test]
fn a_folder_without_any_case_says_which_sources_it_has_and_how_to_give_them_cases() {
    let repo = Repo::new();
    repo.file("w/a/one.py", "print(1)\n")
        .file("w/b.cpp", "int main() {}\n")
        .file("w/c.cpp", "int main() {}\n");
    let ran = repo.run(&["list", "w"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stderr.contains("w has 3 sources (cpp 2, python3 1), but no test cases"),
        "{}",
        ran.all()
    );
    assert!(ran.stderr.contains("`--cases DIR`"), "{}", ran.all());
}

#[test]
fn sources_of_a_package_outside_its_submissions_are_named() {
    let repo = Repo::with_sum();
    repo.file("cases/sum/submissions/accepted/a.rs", NOTHING)
        .file("cases/sum/code/main.cpp", "int main() {}\n")
        .file("cases/sum/generators/g.py", "print(1)\n");
    let ran = repo.run(&["list"]);
    let warning =
        "sources of packages outside `submissions/` are not judged: cases/sum/code/main.cpp";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
    assert!(!ran.stderr.contains("g.py"), "{}", ran.all());
}

#[test]
fn files_that_are_no_sources_are_one_line() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", NOTHING);
    for number in 0..9 {
        repo.file(&format!("solutions/sum/A{number}.class"), "\0")
            .file(&format!("solutions/sum/a{number}"), "\0");
    }
    let ran = repo.run(&["list"]);
    assert_eq!(
        ran.stderr.lines().next(),
        Some(
            "warning: 18 files are not in a known language (`.class`, no extension); they are ignored: \
             solutions/sum/A0.class, solutions/sum/A1.class, solutions/sum/A2.class and 15 more"
        )
    );
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.all());
}

#[test]
fn cases_with_the_name_of_a_folder_of_another_problem_are_a_problem_of_their_own() {
    let repo = Repo::new();
    for place in ["flip/main.rs", "flip.rs", "other.rs"] {
        repo.file(place, NOTHING);
    }
    for place in ["flip/flip", "flip", "other"] {
        repo.file(&format!("{place}.in"), "").file(&format!("{place}.out"), "");
    }
    let ran = repo.run(&["list"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let names: Vec<&str> =
        ran.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names[..4], ["problem", "flip", "flip.in", "other"], "{}", ran.all());
}

#[test]
fn it_shows_why_each_solution_has_its_cases() {
    let repo = Repo::new();
    for (path, text) in [
        ("flat/a.rs", NOTHING),
        ("flat/b.rs", NOTHING),
        ("flat/a.in", ""),
        ("flat/a.out", ""),
        ("flat/b.in", ""),
        ("flat/b.out", ""),
        ("cow/lost.rs", NOTHING),
        ("cow/other.py", "# a second attempt\nopen('lost.in')\n"),
        ("cow/lost.in", ""),
        ("cow/lost.out", ""),
        ("work/graph/main.rs", NOTHING),
        ("tests/graph/1.in", ""),
        ("tests/graph/1.out", ""),
    ] {
        repo.file(path, text);
    }
    let ran = repo.run(&["list", "-v"]);
    let lines = |start: &str| -> Vec<String> {
        let lines = ran.stdout.lines().filter(|line| line.starts_with(start));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(
        lines("  judged on"),
        [
            "  judged on: cases with the name of the solution",
            "  judged on: cases with the name of the solution",
            "  judged on: cases of the folder with the same name in another tree",
        ],
        "{}",
        ran.all()
    );
    assert_eq!(
        lines("  expected: accepted  cow"),
        [
            "  expected: accepted  cow/lost.rs (default; cases with the name of the solution)",
            "  expected: accepted  cow/other.py (default; cases that the solution opens by name)",
        ],
        "{}",
        ran.all()
    );
    let json = repo.run(&["list", "--json", "-"]).stdout;
    let reasons: Vec<String> = json
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|line| line["type"] == "submission")
        .map(|line| format!("{} {} {}", line["submission"], line["cases_by"], line["expected_by"]))
        .collect();
    assert_eq!(
        reasons,
        [
            r#""cow/lost.rs" "name" "default""#,
            r#""cow/other.py" "text" "default""#,
            r#""flat/a.rs" "name" "default""#,
            r#""flat/b.rs" "name" "default""#,
            r#""work/graph/main.rs" "tree" "default""#,
        ]
    );
}

#[test]
fn json_names_everything_that_is_not_judged() {
    let repo = Repo::new();
    repo.file("p/a.rs", NOTHING)
        .file("p/gen.rs", NOTHING)
        .file("p/1.in", "")
        .file("p/1.out", "")
        .file("p/7.out", "")
        .file("unused/1.in", "")
        .file("unused/1.out", "");
    for source in 0..20 {
        repo.file(&format!("x/s{source}.rs"), NOTHING);
    }
    let ran = repo.run(&["list", "--json", "-"]);
    let mut reasons = std::collections::BTreeMap::new();
    for line in ran.stdout.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["type"] == "not_judged" {
            *reasons.entry(line["reason"].to_string()).or_insert(0) += 1;
        }
    }
    let expected =
        [("\"helper\"", 1), ("\"no_cases\"", 20), ("\"not_a_case\"", 1), ("\"unused_cases\"", 1)];
    let expected = expected.map(|(reason, count)| (reason.to_owned(), count));
    assert_eq!(reasons, expected.into(), "{}", ran.all());
}

#[test]
fn json_of_a_run_has_the_same_warnings_and_errors() {
    let notices = |repo: &Repo, command: &str| -> Vec<String> {
        let ran = repo.run(&[command, "--json", "-"]);
        let lines =
            ran.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let is_notice =
            |line: &serde_json::Value| line["type"] == "warning" || line["type"] == "error";
        lines.filter(is_notice).map(|line| line.to_string()).collect()
    };
    let repo = Repo::with_sum();
    repo.file("solutions/sum/sum.sh", "read a b; echo $((a + b))\n")
        .file("cases/sum/problem.yaml", "name: Sum\nlimit: {}\n")
        .file("cases/broken/problem.yaml", "name: [\n");
    let listed = notices(&repo, "list");
    assert_eq!(listed.len(), 3, "{listed:?}");
    assert_eq!(notices(&repo, "run"), listed);
    // Nothing can be judged.
    std::fs::remove_dir_all(repo.path("cases/sum")).unwrap();
    let broken = notices(&repo, "run");
    assert!(broken.iter().any(|line| line.contains("invalid-syntax")), "{broken:?}");
}

#[test]
fn a_contest_is_one_line_for_each_problem() {
    let repo = Repo::new();
    repo.file("contest/problems.yaml", "- {id: sum, label: A}\n- {id: echo, label: B}\n");
    for (id, yaml) in [("echo", "limits: {time_limit: 2}\n"), ("sum", "")] {
        repo.file(
            &format!("contest/{id}/problem.yaml"),
            format!("problem_format_version: 2025-09\nname: X\n{yaml}"),
        );
        repo.file(&format!("contest/{id}/data/secret/1.in"), "1\n");
        repo.file(&format!("contest/{id}/data/secret/1.ans"), "1\n");
        repo.file(&format!("contest/{id}/submissions/accepted/cat.sh"), "cat\n");
    }
    repo.file("contest/sum/data/sample/1.in", "2\n").file("contest/sum/data/sample/1.ans", "2\n");
    repo.file("contest/sum/submissions/wrong_answer/no.sh", "echo no\n");
    repo.file("contest/sum/statement/problem.en.md", "Print it.\n");
    repo.file("contest/sum/input_validators/any.py", "import sys\nsys.exit(42)\n");
    repo.file("report.jsonl", concat!(
        r#"{"type":"start"}"#, "\n",
        r#"{"type":"submission","problem":"sum","expected":"accepted","verdict":"AC","slowest_cpu_ms":250.0,"limits":{"cpu_ms":1000.0}}"#, "\n",
        r#"{"type":"submission","problem":"sum","expected":"wrong_answer","verdict":"WA","slowest_cpu_ms":900.0,"limits":{"cpu_ms":1000.0}}"#, "\n",
    ));
    let output = repo
        .command(&["list", "contest", "--contest", "--times", "report.jsonl"])
        .output()
        .unwrap();
    let expected = "   problem  samples  secret  AC  WA  TLE  RTE  other  AC time  limit  margin  missing\n\
                    A  sum            1       1   1   1    -    -      -  0.250 s    1 s    4.0x\n\
                    B  echo           0       1   1   -    -    -      -             2 s          \
                    statement, samples, input validator, wrong submission\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert!(output.status.success());
    repo.file("report.jsonl", "{\n");
    let ran = repo.run(&["list", "contest", "--contest", "--times", "report.jsonl"]);
    assert!(ran.stderr.contains("error: report.jsonl:1: "), "{}", ran.all());
    assert_eq!(ran.status, 2);
}

#[test]
fn a_contest_has_the_order_and_the_labels_of_its_list() {
    let repo = Repo::new();
    for id in ["p", "q"] {
        repo.file(&format!("contest/{id}/problem.yaml"), "name: P\nlimits: {time_limit: 1}\n")
            .file(&format!("contest/{id}/data/sample/1.in"), "1\n")
            .file(&format!("contest/{id}/data/sample/1.ans"), "1\n")
            .file(&format!("contest/{id}/submissions/accepted/a.rs"), NOTHING);
    }
    // A sample that only the statement shows.
    repo.file("contest/p/data/sample/2.interaction", "<1\n");
    repo.file(
        "contest/contest.yaml",
        "name: C\nproblems:\n- {id: q, label: X}\n- {id: r, label: Y}\n",
    );
    let lines = "   problem  samples  secret  AC  WA  TLE  RTE  other  AC time  limit  margin  missing
X  q              1       0   1   -    -    -      -             1 s          statement, input validator, wrong submission
   p              2       0   1   -    -    -      -             1 s          statement, input validator, wrong submission
";
    let lost = "error: contest/contest.yaml:4:3: no problem is called `r`
help: create it in contest/r, or remove the entry
";
    let ran = repo.run(&["list", "contest", "--contest"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.status), (lines, lost, 2));
    let ran = repo.finish(&mut repo.command_in("contest", &["list", "--contest"]));
    assert_eq!(ran.stdout, lines, "{}", ran.all());
    let ran = repo.run(&["list", "contest/p", "contest/q", "--contest"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.status), (lines, "", 0));
    let ran = repo.run(&["list", "contest", "--contest", "--json", "-"]);
    let json: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |key: &str| json.iter().map(|line| line[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("type"), ["contest_problem", "contest_problem", "error"], "{}", ran.all());
    assert_eq!(of("problem")[..2], ["q", "p"]);
    assert_eq!((&json[0]["label"], &json[1]["label"]), (&"X".into(), &serde_json::Value::Null));
    assert_eq!((&json[0]["accepted"], &json[0]["samples"]), (&1.into(), &1.into()));
    assert_eq!(json[0]["missing"][2], "wrong submission");
    assert_eq!(json[2]["line"], 4);
}
