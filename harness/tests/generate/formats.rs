//! The rules of `generators.yaml` that `BAPCtools` has: the files and their bytes.

use crate::support::Repo;

/// A package whose programs are shell scripts.
fn package(kind: &str, rules: &str) -> Repo {
    let repo = Repo::new();
    let settings =
        format!("problem_format_version: 2025-09\nname: P\ntype: {kind}\nconstants: {{most: 9}}\n");
    repo.file("p/problem.yaml", settings)
        .file("p/submissions/accepted/one.sh", "read x; echo answer $x\n")
        .file("p/generators/print.sh", "echo $*\n")
        .file("p/generators/braces.sh", "echo {{most}} $1\n")
        .file(
            "p/generators/write.sh",
            "for end in in ans yaml; do echo \"hint: $1\" > testcase.$end; done; echo ignored\n",
        )
        .file("p/generators/moody.sh", "test $1 != 820292019 || exit 1; echo $1\n")
        .file("p/generators/main.sh", "echo $(wc -l < \"${0%/*}/part.sh\")\n")
        .file("p/generators/part.sh", "true\ntrue\n")
        .file("p/generators/hand/a.in", "1\n")
        .file("p/generators/hand/a.ans", "2\n")
        .file("p/generators/hand/a.png", "an image")
        .file("p/generators/generators.yaml", rules);
    repo
}

/// Every file below `data/` with its text.
fn files(repo: &Repo) -> Vec<(String, String)> {
    let root = repo.path("p/data");
    let all = walkdir::WalkDir::new(&root).sort_by_file_name();
    let files = all.into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| {
            let name = entry.path().strip_prefix(&root).unwrap();
            let text = std::fs::read_to_string(entry.path()).unwrap();
            (name.to_str().unwrap().to_owned(), text)
        })
        .collect()
}

fn expect(repo: &Repo, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> =
        expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    assert_eq!(files(repo), expected);
}

#[test]
fn counts_constants_and_links_make_the_files_that_bapctools_makes() {
    let repo = package(
        "pass-fail",
        "solution: /submissions/accepted/one.sh
version: 2026-01
test_group.yaml: {input_validator_args: []}
data:
  sample:
    data:
      - ~: {in: '1', in.download: {link: in}, ans.download: ''}
      - '': {in.statement: x, in.download: {link: in.statement}}
  secret:
    data:
      - a: {generate: 'print.sh \"{count}  b\" {name}', count: [5, -1]}
      - same: {generate: print.sh s, count: 2}
      - group:
          test_group.yaml:
            input_validator_args: ['--x']
          data:
            b: {copy: hand/a, yaml: {hint: '1'}}
            c: write.sh {{most.value}}
            d: braces.sh x
",
    );
    let made = repo.run(&["generate", "p"]);
    assert_eq!(
        made.all(),
        "p: 9 cases made, 0 unchanged, settings of 2 folders changed\n--- exit status 0"
    );
    let expected = [
        ("sample/1.ans", "answer 1\n"),
        ("sample/1.ans.download", ""),
        ("sample/1.in", "1\n"),
        ("sample/1.in.download", "1\n"),
        ("sample/2.in.download", "x\n"),
        ("sample/2.in.statement", "x\n"),
        ("secret/1-group/b.ans", "2\n"),
        ("secret/1-group/b.in", "1\n"),
        ("secret/1-group/b.png", "an image"),
        ("secret/1-group/b.yaml", "{hint: '1'}\n"),
        ("secret/1-group/c.ans", "hint: 9\n"),
        ("secret/1-group/c.in", "hint: 9\n"),
        ("secret/1-group/c.yaml", "hint: 9\n"),
        ("secret/1-group/d.ans", "answer 9 x\n"),
        ("secret/1-group/d.in", "9 x\n"),
        ("secret/1-group/test_group.yaml", "input_validator_args: ['--x']\n"),
        ("secret/3-a-5.ans", "answer 5 b testcase\n"),
        ("secret/3-a-5.in", "5 b testcase\n"),
        ("secret/4-a--1.ans", "answer -1 b testcase\n"),
        ("secret/4-a--1.in", "-1 b testcase\n"),
        ("secret/5-same-1.ans", "answer s\n"),
        ("secret/5-same-1.in", "s\n"),
        ("secret/6-same-2.ans", "answer s\n"),
        ("secret/6-same-2.in", "s\n"),
        ("test_group.yaml", "{input_validator_args: []}\n"),
    ];
    expect(&repo, &expected);
    let check = repo.run(&["generate", "p", "--check"]);
    assert_eq!(check.all(), "p: 9 cases as generated\n--- exit status 0");
}

#[test]
fn cases_of_static_validation_are_made_without_a_solution() {
    let repo = package(
        "pass-fail",
        "data:
  invalid_input: {data: {a: {in: '5'}}}
  invalid_output: {data: {a: {in: '1', ans: '2', out: '3'}}}
  valid_output: {data: {a: {in: '1', ans: '2'}}}
",
    );
    repo.file("p/input_validators/v.sh", "read x; test $x = 1 && exit 42; exit 43\n");
    let made = repo.run(&["generate", "p"]);
    let expected = "p: 2 cases made, 0 unchanged, 1 failed
--- standard error
error: cannot make `p/valid_output/a`
  caused by: its file `.out` is missing: add `out` to its rule, write `testcase.out` in its generator, or, for an answer, set `solution`
--- exit status 2";
    assert_eq!(made.all(), expected);
    let expected = [
        ("invalid_input/a.in", "5\n"),
        ("invalid_output/a.ans", "2\n"),
        ("invalid_output/a.in", "1\n"),
        ("invalid_output/a.out", "3\n"),
    ];
    expect(&repo, &expected);
}

/// A testing tool gets the inputs, which need neither an answer nor the consent of the validators.
#[test]
fn inputs_for_a_testing_tool_are_made_without_answers_and_not_validated() {
    let rules =
        "data: {testing_tool_test: {data: {a: {in: '5'}}}, secret: {data: {b: {in: '1'}}}}\n";
    let repo = package("pass-fail", rules);
    repo.file("p/input_validators/v.sh", "read x; test $x = 1 && exit 42; exit 43\n");
    let made = repo.run(&["generate", "p"]);
    assert_eq!(made.status, 0, "{}", made.all());
    let expected =
        [("secret/b.ans", "answer 1\n"), ("secret/b.in", "1\n"), ("testing_tool_test/a.in", "5\n")];
    expect(&repo, &expected);
    // It is no case, and no unknown folder either.
    let ran = repo.run(&["run", "p", "-v"]);
    assert!(!ran.all().contains("testing_tool_test"), "{}", ran.all());
}

#[test]
fn answers_of_interactive_problems_are_empty() {
    let repo = package("interactive", "data: {secret: {data: {a: {in: '1'}, b: print.sh 2}}}\n");
    let made = repo.run(&["generate", "p"]);
    assert_eq!(made.all(), "p: 2 cases made, 0 unchanged\n--- exit status 0");
    let expected = [
        ("secret/a.ans", ""),
        ("secret/a.in", "1\n"),
        ("secret/b.ans", ""),
        ("secret/b.in", "2\n"),
    ];
    expect(&repo, &expected);
}

#[test]
fn included_cases_joined_programs_retries_and_patterns() {
    let repo = package(
        "pass-fail",
        "solution: /submissions/accepted/one.sh
generators: {both: [main.sh, part.sh]}
data:
  sample: {data: {s: both}}
  secret:
    include: [sample]
    data:
      m: {generate: 'moody.sh {seed}', retries: 2, match: ['^8202', '(?!x)\\s\\Z']}
",
    );
    repo.file("p/data/secret/old.in", "1\n")
        .file("p/data/secret/old.yaml", "hint: 1\n")
        .file("p/data/secret/m.out", "1\n")
        .file("p/data/secret/m.interaction", "1\n");
    let made = repo.run(&["generate", "p", "--clean"]);
    assert_eq!(
        made.all(),
        "p: 3 cases made, 0 unchanged
--- standard error
note: removed p/data/secret/m.out
note: removed p/data/secret/old.in
note: removed p/data/secret/old.yaml
--- exit status 0"
    );
    let expected = [
        ("sample/s.ans", "answer 2\n"),
        ("sample/s.in", "2\n"),
        ("secret/m.ans", "answer 820292020\n"),
        ("secret/m.in", "820292020\n"),
        ("secret/m.interaction", "1\n"),
        ("secret/s.ans", "answer 2\n"),
        ("secret/s.in", "2\n"),
    ];
    expect(&repo, &expected);
}

#[test]
fn new_settings_of_a_case_or_a_folder_are_a_change() {
    let rules = |hint: &str, arg: &str| {
        format!(
            "solution: /submissions/accepted/one.sh
data:
  secret:
    data:
      a: {{in: '1', yaml: {{hint: {hint}}}}}
      b: {{in: '2', yaml: {{hint: {hint}}}}}
      group:
        test_group.yaml: {{input_validator_args: [{arg}]}}
        data:
          c: {{in: '3'}}
"
        )
    };
    let repo = package("pass-fail", &rules("x", "x"));
    let steps = |rules: String, args: &[&str], expected: &str| {
        repo.file("p/generators/generators.yaml", rules);
        let made = repo.run(&[&["generate", "p"], args].concat());
        assert_eq!(made.all(), format!("p: {expected}\n--- exit status 0"));
    };
    let new = "3 cases made, 0 unchanged, settings of 1 folder changed";
    steps(rules("x", "x"), &[], new);
    steps(rules("y", "y"), &["--case", "a"], "1 case made, 0 unchanged");
    let text = |name: &str| repo.read(&format!("p/data/secret/{name}.yaml"));
    assert!(text("a").contains('y') && text("b").contains('x'));
    assert!(text("group/test_group").contains('x'));
    let rest = "1 case made, 2 unchanged, settings of 1 folder changed";
    steps(rules("y", "y"), &[], rest);
    assert!(text("b").contains('y') && text("group/test_group").contains('y'));
    steps(rules("y", "y"), &[], "0 cases made, 3 unchanged");
}
