//! Which `generators.yaml` are read, and the errors for the others.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::super::command::seed;
use super::super::recipe::AnswerSource;
use super::*;

mod faults;

/// A repository with the problem `p`, whose `generators/` contains some files.
fn package() -> (tempfile::TempDir, PathBuf) {
    let repository = tempfile::tempdir().unwrap();
    let dir = repository.path().join("cases/p");
    let files = [
        "gen.rs",
        "lib.rs",
        "many/main.py",
        "hand/one.in",
        "hand/one.ans",
        "hand/one.yaml",
        "hand/two.in",
    ];
    for file in files {
        let path = dir.join("generators").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x\n").unwrap();
    }
    for file in ["fast.rs", "accepted/other.rs", "wrong_answer/bad.rs"] {
        let path = repository.path().join("solutions/p").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "fn main() {}\n").unwrap();
    }
    (repository, dir)
}

/// The rules, the errors and the warnings.
fn read_all(dir: &Path, text: &str) -> (Option<GenerationRules>, String, String) {
    let mut notices = Notices::relative_to(Some(dir));
    let rules = read(dir, Kind::default(), text, &mut notices);
    let joined = |notices: &[crate::notice::Notice]| {
        let lines: Vec<String> = notices.iter().map(ToString::to_string).collect();
        lines.join("\n")
    };
    (rules, joined(&notices.errors), joined(&notices.warnings))
}

/// The cases of a file without faults.
fn read_in(dir: &Path, text: &str) -> Vec<Recipe> {
    let (rules, errors, _) = read_all(dir, text);
    assert_eq!(errors, "", "{text}");
    rules.unwrap().cases
}

fn names(cases: &[Recipe]) -> Vec<&str> {
    cases.iter().map(|case| case.name.as_str()).collect()
}

fn command(source: PathBuf, args: &[&str], shown: &str) -> GeneratorCommand {
    GeneratorCommand {
        source,
        files: Vec::new(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        shown: shown.to_owned(),
    }
}

#[test]
fn every_kind_of_case_is_read() {
    let (_repository, dir) = package();
    let text = "\
solution: /submissions/accepted/fast.rs
random_salt: abcd
version: 2026-01
data:
  sample:
    data:
      '1':
        in: 1 2
        ans: |
          3
        desc: for people
      '2': {copy: hand/one}
      '3': {copy: hand/two.in, ans: ''}
      '4': {in.statement: '5', in.download: {link: in.statement}}
  secret:
    solution: /submissions/accepted/other.rs
    data:
      small:
        data:
          a: gen.rs  {name} {seed}
          b: {generate: gen.rs 2, solution: /submissions/wrong_answer/bad.rs fast}
      empty: {data: }
  invalid_output:
    data:
      x: {in: '1', ans: '2', out: '3', match: {ans: ['2', '^']}}
";
    let cases = read_in(&dir, text);
    let expected = [
        "sample/1",
        "sample/2",
        "sample/3",
        "sample/4",
        "secret/small/a",
        "secret/small/b",
        "invalid_output/x",
    ];
    assert_eq!(names(&cases), expected);
    let root = dir.parent().unwrap().parent().unwrap();
    let texts = |texts: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
        texts.iter().map(|(end, text)| (*end, (*text).to_owned())).collect()
    };
    assert_eq!(cases[0].texts, texts(&[("in", "1 2\n"), ("ans", "3\n")]));
    assert_eq!(cases[0].answer, AnswerSource::Given);
    let hand = |name: &str| dir.join("generators/hand").join(name);
    let copies = [("yaml", "one.yaml"), ("in", "one.in"), ("ans", "one.ans")];
    assert_eq!(cases[1].copies, copies.map(|(end, name)| (end, hand(name))));
    assert_eq!(cases[2].copies, [("in", hand("two.in"))]);
    assert_eq!(cases[2].texts, texts(&[("ans", "")]));
    assert_eq!(cases[3].links, [("in.download", "in.statement")]);
    let number = seed("abcd", 1, "gen.rs  {name} {seed}").to_string();
    let generator = dir.join("generators/gen.rs");
    let args = ["testcase", &number];
    let expected = command(generator, &args, "gen.rs  {name} {seed}");
    assert_eq!(cases[4].attempts, [expected]);
    let other = root.join("solutions/p/accepted/other.rs");
    let solved = command(other, &[], "/submissions/accepted/other.rs");
    assert_eq!(cases[4].answer, AnswerSource::Solved(solved));
    let bad = root.join("solutions/p/wrong_answer/bad.rs");
    let solved = command(bad, &["fast"], "/submissions/wrong_answer/bad.rs fast");
    assert_eq!(cases[5].answer, AnswerSource::Solved(solved));
    assert_eq!(cases[6].answer, AnswerSource::Given);
    assert_eq!(cases[6].patterns, texts(&[("ans", "2"), ("ans", "^")]));
}

#[test]
fn a_package_with_its_submissions_inside_uses_them() {
    let (_repository, dir) = package();
    std::fs::create_dir_all(dir.join("submissions/accepted")).unwrap();
    std::fs::write(dir.join("submissions/accepted/fast.rs"), "").unwrap();
    let rules = "data: {secret: {data: {a: gen.rs}}}\n";
    let stated = format!("solution: /submissions/accepted/fast.rs\n{rules}");
    for text in [stated.as_str(), rules] {
        let cases = read_in(&dir, text);
        let AnswerSource::Solved(program) = &cases[0].answer else { panic!("{cases:?}") };
        assert_eq!(program.source, dir.join("submissions/accepted/fast.rs"));
    }
    let (_, _, warnings) = read_all(&dir, rules);
    let expected = "generators/generators.yaml: no `solution` is given: the answers come from \
        `/submissions/accepted/fast.rs`\nhelp: state it";
    assert!(warnings.starts_with(expected), "{warnings}");
}

#[test]
fn cases_of_lists_are_numbered_across_folders() {
    let (_repository, dir) = package();
    let mut text = String::from(
        "data:\n  secret:\n    data:\n    - ~: gen.rs 0\n    - b: gen.rs 1\n    \
         - inner:\n        data:\n",
    );
    for index in 2..8 {
        writeln!(text, "        - c: gen.rs {index}").unwrap();
    }
    text.push_str("    - named: {data: {d: gen.rs x}}\n");
    text.push_str("    - '': {generate: 'gen.rs {count}', count: -1..=0}\n");
    text.push_str("  sample:\n    data:\n    - a: gen.rs s\n");
    let cases = read_in(&dir, &text);
    let names = names(&cases);
    assert_eq!(names[..4], ["sample/01-a", "secret/02", "secret/03-b", "secret/1-inner/04-c"]);
    let last = ["secret/1-inner/09-c", "secret/2-named/d", "secret/10--1", "secret/11-00"];
    assert_eq!(names[8..], last);
    assert_eq!(cases[10].attempts[0].args, ["-1"]);
}

#[test]
fn lists_in_tables_are_numbered_in_the_order_of_their_names() {
    let (_repository, dir) = package();
    let text = "data:\n  secret:\n    data:\n      b: {data: [{'': gen.rs 1}]}\n      \
        a: {data: [{'': gen.rs 2}]}\n";
    assert_eq!(names(&read_in(&dir, text)), ["secret/a/1", "secret/b/2"]);
}

#[test]
fn counts_change_the_seed_and_constants_are_filled_in() {
    let (_repository, dir) = package();
    let constants =
        "problem_format_version: 2025-09\nconstants: {max: 1000, min: {value: 2, tex: \"two\"}}\n";
    std::fs::write(dir.join("problem.yaml"), constants).unwrap();
    let text = "data:\n  secret:\n    data:\n      a: {generate: 'gen.rs {{max.value}} {{min.value}} \
        {{min.tex}} {seed}', count: 2, retries: 3}\n      \
        b: {generate: gen.rs 1, count: [5, 9]}\n";
    let cases = read_in(&dir, text);
    assert_eq!(names(&cases), ["secret/a-1", "secret/a-2", "secret/b-5", "secret/b-9"]);
    let shown = "gen.rs 1000 2 two {seed}";
    let first = seed("", 1, shown);
    let args: Vec<&str> = cases[0].attempts.iter().map(|one| one.args[3].as_str()).collect();
    assert_eq!(args, [0, 1, 2].map(|more| (first + more).to_string()));
    assert_eq!(cases[1].attempts[0].args[3], seed("", 2, shown).to_string());
    assert_eq!(cases[2].attempts.len(), 1);
}

#[test]
fn folders_include_the_cases_of_earlier_ones() {
    let (_repository, dir) = package();
    let text = "\
data:
  sample:
    data:
      '1': gen.rs 1
      '2': gen.rs 2
  secret:
    data:
      - small:
          data:
            - one: gen.rs 3
          include: ['1']
      - large:
          data:
            - two: gen.rs 4
          include: [small, sample]
    test_group.yaml: {max_score: 5}
  invalid_input:
    include: [one]
";
    let (rules, errors, _) = read_all(&dir, text);
    assert_eq!(errors, "");
    let rules = rules.unwrap();
    let expected = [
        "sample/1",
        "sample/2",
        "secret/1-small/1-one",
        "secret/1-small/1",
        "secret/2-large/2-two",
        "secret/2-large/1-one",
        "secret/2-large/1",
        "secret/2-large/2",
        "invalid_input/1-one",
    ];
    assert_eq!(names(&rules.cases), expected);
    assert_eq!(rules.cases[6].attempts, rules.cases[0].attempts);
    let group =
        GroupFile { folder: String::from("secret"), text: Some(String::from("{max_score: 5}\n")) };
    assert_eq!(rules.groups, [group]);
}

#[test]
fn joined_programs_have_their_files() {
    let (_repository, dir) = package();
    let text = "generators: {both: [gen.rs, lib.rs]}\n\
        data: {secret: {data: {a: both 1, b: many 2}}}\n";
    let cases = read_in(&dir, text);
    let file = |name: &str| dir.join("generators").join(name);
    assert_eq!(cases[0].attempts[0].files, [file("gen.rs"), file("lib.rs")]);
    assert_eq!(cases[1].attempts[0].source, file("many"));
    assert_eq!(cases[1].attempts[0].files, [] as [PathBuf; 0]);
}

#[test]
fn a_fault_does_not_hide_the_other_cases() {
    let (_repository, dir) = package();
    let text = "data: {secret: {data: {a: no.rs, b: gen.rs}}}\n";
    let (rules, errors, _) = read_all(&dir, text);
    assert!(errors.contains("generators/no.rs does not exist"), "{errors}");
    let rules = rules.unwrap();
    assert_eq!((names(&rules.cases), rules.faults), (vec!["secret/b"], 1));
}
