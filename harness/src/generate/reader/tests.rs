//! Which `generators.yaml` are read, and the errors for the others.

use std::path::{Path, PathBuf};

use super::super::command::seed;
use super::super::recipe::{AnswerSource, InputSource};
use super::*;

/// A repository with the problem `p`, whose `generators/` contains some files.
fn package() -> (tempfile::TempDir, PathBuf) {
    let repository = tempfile::tempdir().unwrap();
    let dir = repository.path().join("cases/p");
    for file in ["gen.rs", "hand/one.in", "hand/one.ans", "hand/two.in"] {
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

fn read_in(dir: &Path, text: &str) -> Result<Vec<Recipe>, String> {
    let mut notices = Notices::relative_to(Some(dir));
    read(dir, text, &mut notices).ok_or_else(|| {
        let errors: Vec<String> = notices.errors.iter().map(ToString::to_string).collect();
        errors.join("\n")
    })
}

fn names(cases: &[Recipe]) -> Vec<&str> {
    cases.iter().map(|case| case.name.as_str()).collect()
}

#[test]
fn every_kind_of_case_is_read() {
    let (_repository, dir) = package();
    let text = "\
solution: /submissions/accepted/fast.rs
random_salt: abcd
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
  secret:
    solution: /submissions/accepted/other.rs
    data:
      small:
        data:
          a: gen.rs  {name} {seed}
          b: {generate: gen.rs 2, solution: /submissions/wrong_answer/bad.rs fast}
      empty: {data: }
";
    let cases = read_in(&dir, text).unwrap();
    assert_eq!(
        names(&cases),
        [
            "sample/1",
            "sample/2",
            "sample/3",
            "secret/small/a",
            "secret/small/b"
        ]
    );
    let root = dir.parent().unwrap().parent().unwrap();
    let program = |source: PathBuf, args: &[&str], shown: &str| GeneratorCommand {
        source,
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        shown: shown.to_owned(),
    };
    assert_eq!(cases[0].input, InputSource::Text("1 2\n".into()));
    assert_eq!(cases[0].answer, AnswerSource::Text("3\n".into()));
    let hand = dir.join("generators/hand");
    assert_eq!(cases[1].input, InputSource::Copy(hand.join("one.in")));
    assert_eq!(cases[1].answer, AnswerSource::Copy(hand.join("one.ans")));
    assert_eq!(cases[2].input, InputSource::Copy(hand.join("two.in")));
    assert_eq!(cases[2].answer, AnswerSource::Text(String::new()));
    let number = seed("abcd", "gen.rs  {name} {seed}").to_string();
    let generator = dir.join("generators/gen.rs");
    let command = program(generator, &["a", &number], "gen.rs  {name} {seed}");
    assert_eq!(cases[3].input, InputSource::Generated(command));
    let other = root.join("solutions/p/accepted/other.rs");
    let solved = program(other, &[], "/submissions/accepted/other.rs");
    assert_eq!(cases[3].answer, AnswerSource::Solved(solved));
    let bad = root.join("solutions/p/wrong_answer/bad.rs");
    let solved = program(bad, &["fast"], "/submissions/wrong_answer/bad.rs fast");
    assert_eq!(cases[4].answer, AnswerSource::Solved(solved));
}

#[test]
fn a_package_with_its_submissions_inside_uses_them() {
    let (_repository, dir) = package();
    std::fs::create_dir_all(dir.join("submissions/accepted")).unwrap();
    std::fs::write(dir.join("submissions/accepted/fast.rs"), "").unwrap();
    let text = "solution: /submissions/accepted/fast.rs\ndata: {secret: {data: {a: gen.rs}}}\n";
    let cases = read_in(&dir, text).unwrap();
    let AnswerSource::Solved(program) = &cases[0].answer else {
        panic!("{cases:?}")
    };
    assert_eq!(program.source, dir.join("submissions/accepted/fast.rs"));
}

#[test]
fn cases_of_lists_are_numbered_across_groups() {
    let (_repository, dir) = package();
    let mut text = String::from(
        "solution: /submissions/accepted/fast.rs\ndata:\n  sample:\n    data:\n    \
         - a: gen.rs s\n  secret:\n    data:\n    - '': gen.rs 0\n    - b: gen.rs 1\n    \
         - inner:\n        data:\n",
    );
    for index in 2..10 {
        text += "        - c: gen.rs ";
        text += &index.to_string();
        text += "\n";
    }
    text.push_str("    - named: {data: {d: gen.rs x}}\n");
    let cases = read_in(&dir, &text).unwrap();
    let names = names(&cases);
    assert_eq!(names[..3], ["sample/1-a", "secret/01", "secret/02-b"]);
    assert_eq!(names[3], "secret/g1-inner/03-c");
    assert_eq!(names[10..], ["secret/g1-inner/10-c", "secret/g2-named/d"]);
}

#[test]
fn errors_name_the_line() {
    let (_repository, dir) = package();
    let table = [
        ("data: 1", "1:7: `data` must be a table of folders, not `1`"),
        ("solution:", "1:1: missing key `data`"),
        (
            "data:\n  secret: {data: {a: gen.rs}}\n",
            "2:19: `secret/a` has no answer\nhelp: add the answer",
        ),
        (
            "data: {}\nvisualizer: /x\n",
            "2:1: `visualizer` is not supported here\nhelp: known keys",
        ),
        (
            "data:\n  other: {data: {}}\n",
            "2:3: cannot create cases in `other`\nhelp: put them in",
        ),
        (
            "data:\n  secret: {data: {a: }}\n",
            "2:19: `secret/a` has no input",
        ),
        (
            "data: {secret: {data: {a: 5}}}",
            "1:27: `secret/a` must be a command or a table, not `5`",
        ),
        (
            "data: {secret: {data: {a: {in: 5}}}}",
            "1:32: `in` must be text, not `5`\nhelp: put it",
        ),
        (
            "data: {secret: {data: {a: {in: x, copy: y}}}}",
            "1:27: `secret/a` must have one of",
        ),
        (
            "data: {secret: {data: {a: {desc: x}}}}",
            "1:27: `secret/a` must have one of",
        ),
        (
            "data: {secret: {data: {a: {in: x, an: y}}}}",
            "1:35: `an` is not supported here",
        ),
        (
            "data: {secret: {data: {-a: gen.rs}}}",
            "1:24: invalid name `-a` of a case or folder",
        ),
        (
            "data: {secret: {data: {a: no.rs}}}",
            "1:27: generators/no.rs does not exist",
        ),
        (
            "data: {secret: {data: {a: ../x.rs}}}",
            "1:27: generators/../x.rs must lie in",
        ),
        (
            "data: {secret: {data: {a: /x.rs}}}",
            "1:27: /x.rs must lie in `generators/`",
        ),
        (
            "data: {secret: {data: {a: hand}}}",
            "1:27: generators/hand is a folder, and only single",
        ),
        (
            "data: {secret: {data: {a: {copy: hand/no}}}}",
            "1:34: generators/hand/no.in does not exist",
        ),
        (
            "data: {secret: {data: {a: 'gen.rs {sed}'}}}",
            "1:27: `secret/a`: unknown field `{sed}`",
        ),
        (
            "data:\n  secret:\n    data: [{a: {in: x, ans: z}}, {b: gen.rs, c: gen.rs}]\n",
            "3:34: an item of a numbered list must be a table of one case",
        ),
        (
            "solution: /submissions/accepted/no.rs\ndata: {}\n",
            "1:11: no such file: `solution: /submissions/accepted/no.rs`\nhelp: expected at",
        ),
        (
            "solution: fast.rs\ndata: {}\n",
            "1:11: no such file: `solution: fast.rs`\nhelp: start the path",
        ),
        (
            "solution: /../x\ndata: {}\n",
            "1:11: no such file: `solution: /../x`\nhelp: start the path",
        ),
        (
            "solution: /submissions/accepted/fast.rs\ndata:\n  secret:\n    data:\n      \
             a: gen.rs 1\n      b: gen.rs 1 \n",
            "6:10: `secret/b` has the same command as `secret/a`\nhelp: remove one of them",
        ),
        ("data: [", "1:7: unclosed"),
    ];
    for (text, expected) in table {
        let error = read_in(&dir, text).expect_err(text);
        let expected = format!("generators/generators.yaml:{expected}");
        assert!(
            error.starts_with(&expected),
            "{text:?}\n{error}\n{expected}"
        );
    }
}
