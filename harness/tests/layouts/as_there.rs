//! Names of cases, points and comparisons of other judges, as their own programs treat them.

use crate::layouts::{SUM, THREE};
use crate::support::Repo;

/// Writes the files of a problem.
fn written(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    for (name, text) in files {
        repo.file(&format!("there/{name}"), text);
    }
    repo
}

/// The score of the only submission, from the lines of `--json`.
fn score(repo: &Repo, source: &str) -> f64 {
    let ran = repo.run(&["run", source, "--json", "-"]);
    let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut lines = lines.filter(|line: &serde_json::Value| line["type"] == "submission");
    let submission = lines.next().unwrap_or_else(|| panic!("{}", ran.all()));
    submission["score"].as_f64().unwrap_or(-1.0)
}

#[test]
fn hydro_finds_cases_by_each_of_its_rules() {
    let files = [
        ("testdata/config.yaml", "time: 2s\n"),
        ("testdata/1.in", "1 2\n"),
        ("testdata/1.out", "3\n"),
        ("testdata/3-big.in", "5 7\n"),
        ("testdata/3-big.out", "12\n"),
        ("testdata/b.in4", "2 2\n"),
        ("testdata/b.ou4", "4\n"),
        ("testdata/c.in", "2 2\n"),
        ("sum.rs", SUM),
        ("three.rs", THREE),
    ];
    let repo = written(&files);
    let ran = repo.run(&["run", "there/sum.rs"]);
    assert!(ran.stdout.contains("3/3 accepted"), "{}", ran.all());
    assert!(ran.stderr.contains("there/testdata/c.in looks like a case"), "{}", ran.all());
    // 33, 33 and 34 points.
    assert!((score(&repo, "there/three.rs") - 33.0).abs() < 1e-9);
    assert!((score(&repo, "there/sum.rs") - 100.0).abs() < 1e-9);
}

#[test]
fn hydro_deals_points_to_the_cases_of_subtasks() {
    let case = |name: &str, score: &str| format!("{{input: {name}.in, output: {name}.out{score}}}");
    let list = |scores: [&str; 3]| {
        let cases: Vec<String> =
            ["a", "b", "c"].iter().zip(scores).map(|(name, score)| case(name, score)).collect();
        cases.join(", ")
    };
    // THREE is right in the first case only.
    let table = [
        ("sum", list(["", "", ""]), 33.0),
        ("sum", list([", score: 90", "", ""]), 90.0),
        ("max", list(["", "", ""]), 100.0),
        ("min", list(["", "", ""]), 0.0),
    ];
    for (kind, cases, expected) in table {
        let config = format!("subtasks:\n- {{type: {kind}, cases: [{cases}]}}\n");
        let repo = written(&[
            ("config.yaml", &config),
            ("a.in", "1 2\n"),
            ("a.out", "3\n"),
            ("b.in", "5 7\n"),
            ("b.out", "12\n"),
            ("c.in", "5 8\n"),
            ("c.out", "13\n"),
            ("three.rs", THREE),
        ]);
        let found = score(&repo, "there/three.rs");
        assert!((found - expected).abs() < 1e-9, "{config}: {found}");
    }
}

#[test]
fn the_strict_comparison_of_hydro_ignores_only_carriage_returns() {
    for (output, answer, status) in [
        ("3\\r\\r\\n", "3\n", 0),
        ("3", "3\r\n", 0),
        ("3 \\n", "3\n", 1),
        ("3\\n\\n", "3\n", 1),
        ("\\n", "", 1),
    ] {
        let repo = written(&[
            ("config.yaml", "checker_type: strict\n"),
            ("1.in", "1 2\n"),
            ("1.out", answer),
            ("a.sh", &format!("printf '{output}'\n")),
        ]);
        let ran = repo.run(&["run", "there/a.sh"]);
        assert_eq!(ran.status, status, "{output:?}: {}", ran.all());
    }
}

#[test]
fn sinol_names_tests_and_compares_as_its_tools_do() {
    let repo = written(&[
        ("config.yml", "title: Sum\nsinol_task_id: abc\n"),
        ("prog/abc.rs", SUM),
        ("in/abc0.in", "1 2\n"),
        ("out/abc0.out", " 3 \n\n"),
        ("in/abc1a.in", "5 7\n"),
        ("out/abc1a.out", "12\n"),
        ("in/abc3x1.in", "2 2\n"),
        ("out/abc3x1.out", "4\n"),
        ("in/abd3.in", "2 2\n"),
        ("in/abc_3.in", "2 2\n"),
    ]);
    let ran = repo.run(&["run", "there"]);
    assert!(ran.stdout.contains("3/3 accepted"), "{}", ran.all());
    for name in ["abd3", "abc_3"] {
        let named = format!("there/in/{name}.in looks like a case");
        assert!(ran.stderr.contains(&named), "{}", ran.all());
    }
}

#[test]
fn single_cases_of_cargo_compete_have_their_own_comparison() {
    let root = "println!(\"{:.4}\", 2.0f64.sqrt());";
    for (program, matcher, answer, status) in [
        (root, "{Float: {absolute_error: 1e-3}}", "1.41421\\n", 0),
        (root, "Lines", "1.41421\\n", 1),
        ("println!(\"1 2\\n3\");", "{Float: {absolute_error: 1e-3}}", "1\\n2 3\\n", 1),
        ("println!(\"nan\");", "{Float: {absolute_error: 1e-3}}", "nan\\n", 1),
    ] {
        let cases = format!(
            "type: Batch\ntimelimit: 2s\nmatch: Lines\ncases:\n  - name: own\n    in: '1'\n    out: \"{answer}\"\n    match: {matcher}\n"
        );
        let source = format!("fn main() {{ {program} }}\n");
        let repo = written(&[
            ("Cargo.toml", "[package]\nname = \"abc\"\n"),
            ("src/bin/a.rs", &source),
            ("testcases/a.yml", &cases),
        ]);
        let ran = repo.run(&["run", "there/src/bin/a.rs"]);
        assert_eq!(ran.status, status, "{matcher} {answer}: {}", ran.all());
    }
}

#[test]
fn floats_of_dmoj_are_those_of_python() {
    for (output, answer, status) in [
        ("1.0000001", "1\n", 0),
        ("1\\r2", "1\n2\n", 0),
        ("1 2\\n3", "1\n2 3\n", 1),
        ("inf", "inf\n", 1),
        ("nan", "nan\n", 1),
    ] {
        let source = format!("fn main() {{ println!(\"{output}\"); }}\n");
        let repo = written(&[
            ("init.yml", "checker: floats\ntest_cases:\n- {in: a.in, out: a.out, points: 1}\n"),
            ("a.in", "1\n"),
            ("a.out", answer),
            ("a.rs", &source),
        ]);
        let ran = repo.run(&["run", "there/a.rs"]);
        assert_eq!(ran.status, status, "{output}: {}", ran.all());
    }
}

#[test]
fn answers_that_testlib_cannot_read_are_faults_of_the_package() {
    let package = |checker: &str| {
        include_str!("../fixtures/layouts/problem.xml").replace("std::ncmp.cpp", checker)
    };
    assert_ne!(package("std::icmp.cpp"), package("std::yesno.cpp"));
    for (checker, answer, fails) in [
        ("std::icmp.cpp", "12", false),
        ("std::icmp.cpp", "5000000000", true),
        ("std::ncmp.cpp", "5000000000", false),
        ("std::ncmp.cpp", "x", true),
        ("std::rcmp6.cpp", "inf", true),
        ("std::yesno.cpp", "Yes", false),
        ("std::yesno.cpp", "Alice", true),
        ("std::wcmp.cpp", "Alice", false),
    ] {
        let source = format!("fn main() {{ println!(\"{answer}\"); }}\n");
        let repo = written(&[
            ("problem.xml", &package(checker)),
            ("sum.rs", &source),
            ("tests/01", "1\n"),
            ("tests/01.a", answer),
            ("tests/02", "2\n"),
            ("tests/02.a", answer),
            ("tests/03", "3\n"),
            ("tests/03.a", answer),
        ]);
        let ran = repo.run(&["run", "there/sum.rs"]);
        assert_eq!(ran.stdout.contains("got JE"), fails, "{checker}: {}", ran.all());
        let ran = repo.run(&["verify", "there"]);
        let found = ran.stdout.contains("the checker of testlib needs");
        assert_eq!(found, fails, "{checker}: {}", ran.all());
    }
}

#[test]
fn tests_of_polygon_with_line_ends_of_windows_are_as_a_linux_package_has_them() {
    let xml = "<problem short-name=\"p\"><judging><testset name=\"tests\"><time-limit>1000</time-limit>
<memory-limit>268435456</memory-limit><test-count>2</test-count><input-path-pattern>tests/%02d</input-path-pattern>
<answer-path-pattern>tests/%02d.a</answer-path-pattern></testset></judging></problem>";
    let repo = written(&[
        ("problem.xml", xml),
        ("tests/01", "ab\r\nc d\r\n"),
        ("tests/01.a", "ab\r\nc d\r\n"),
        // A carriage return that ends no line is a part of the text.
        ("tests/02", "a\rb\nc\n"),
        ("tests/02.a", "a\rb\nc\n"),
        // Prints its input unless a line ends with a carriage return.
        (
            "copy.sh",
            "while IFS= read -r line; do [[ $line == *$'\\r' ]] && exit 1; printf '%s\\n' \"$line\"; done\n",
        ),
    ]);
    let ran = repo.run(&["run", "there/copy.sh", "--checker", "exact"]);
    assert!(ran.stdout.contains("2/2 accepted"), "{}", ran.all());
}

#[test]
fn tests_of_sinol_with_the_name_of_another_task_are_explained() {
    let repo = written(&[
        ("config.yml", "title: Sum\nsinol_task_id: abc\n"),
        ("prog/abc.rs", SUM),
        ("in/xyz1a.in", "1 2\n"),
        ("out/xyz1a.out", "3\n"),
    ]);
    let ran = repo.run(&["run", "there"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let help = "help: the task is called `abc`, and its tests `xyz…`: set `sinol_task_id` in config.yml, or rename the tests";
    assert!(ran.stderr.contains(help), "{}", ran.all());
}

#[test]
fn a_subtask_of_cms_without_cases_is_named() {
    let repo = written(&[
        ("task.yaml", "name: sum\nn_input: 1\ninfile: ''\noutfile: ''\n"),
        ("gen/GEN", "# ST: 10\n# ST: 90\n1\n"),
        ("input/input0.txt", "1 2\n"),
        ("output/output0.txt", "3\n"),
        ("sol/solution.rs", SUM),
    ]);
    let ran = repo.run(&["run", "there"]);
    let named = "there/task.yaml: subtask 1 has no cases; its 10 points do not count";
    assert!(ran.stderr.contains(named), "{}", ran.all());
}

#[test]
fn a_blank_that_is_no_space_is_visible_in_a_difference() {
    let repo = written(&[("1.in", ""), ("1.out", "3 4\n"), ("a.sh", "printf '3\\u00a04\\n'\n")]);
    for checker in ["tokens", "exact", "lines:ends"] {
        let ran = repo.run(&["run", "there/a.sh", "--checker", checker]);
        assert!(ran.stdout.contains("3\\u{a0}4"), "{checker}: {}", ran.all());
    }
}
