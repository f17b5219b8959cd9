//! `submissions.yaml`: each key, and the exact message of each fault.

use std::ffi::OsStr;
use std::path::Path;

use super::*;
use crate::expectation::Bound;
use crate::notice::Notices;
use crate::specimen;
use crate::verdict::Verdict;
use Verdict::{
    Accepted as AC, MemoryLimit as MLE, OutputLimit as OLE, RunTimeError as RTE, TimeLimit as TLE,
    WrongAnswer as WA,
};

/// The result of reading a text, with its errors and warnings. The problem has the cases `0`, `1`,
/// `2`.
fn read_text(text: &str) -> (Metadata, Vec<String>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    for path in ["accepted/a.py", "mixed/b.py"] {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    let path = dir.path().join(FILE_NAME);
    std::fs::write(&path, text).unwrap();
    let mut notices = Notices::relative_to(Some(dir.path()));
    let language_of = |extension: &OsStr| (extension == "py").then(|| "python3".to_owned());
    let metadata = read(&path, &specimen::problem(3), &language_of, &mut notices);
    let texts = |list: &[crate::notice::Notice]| list.iter().map(ToString::to_string).collect();
    (metadata, texts(&notices.errors), texts(&notices.warnings))
}

fn expectation(text: &str, path: &str) -> Expectation {
    let (metadata, errors, _) = read_text(text);
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    let folder = Path::new(path).parent().unwrap().to_str();
    let base = Expectation::of_folder(folder.unwrap()).unwrap_or_else(|| Expectation::bare("x"));
    metadata.of(path, folder).merge_into(base)
}

#[test]
fn a_folders_name_replaces_its_promise_and_other_globs_add_to_it() {
    let replaced = expectation("accepted: {permitted: [AC, WA]}", "accepted/a.py");
    assert_eq!(replaced.rules.len(), 1);
    assert_eq!(replaced.rules[0].permitted, Some(vec![AC, WA]));
    assert_eq!(replaced.rules[0].required, [AC]);
    assert_eq!(replaced.rules[0].origin.as_deref(), Some("submissions.yaml:1"));

    let added = expectation("accepted/*: {required: [RTE]}", "accepted/a.py");
    assert_eq!(added.rules.len(), 2);
    assert_eq!(added.rules[0].permitted, Some(vec![AC]));
    assert_eq!(added.rules[1].required, [RTE, MLE, OLE]);

    let mixed = expectation("mixed: {permitted: [AC, TLE], required: TLE}", "mixed/b.py");
    assert_eq!(mixed.rules[0].required, [TLE]);
    assert_eq!(mixed.rules[0].time_bound(), Bound::Upper);
}

#[test]
fn every_key_is_read() {
    let text = "accepted/a.py:\n  language: python3\n  entrypoint: main.py\n  authors: [A, {name: B}]\n  \
                model_solution: true\n  score: [10, 20.5]\n  message: too long\n  \
                use_for_time_limit: false\n  '{0,1}':\n    permitted: [AC]\n    score: 3\n    \
                use_for_time_limit: lower\n  '2': {use_for_time_limit: upper}\n";
    let (metadata, errors, warnings) = read_text(text);
    assert_eq!((errors, warnings), (Vec::new(), Vec::new()));
    let settings = metadata.of("accepted/a.py", Some("accepted"));
    assert_eq!(settings.language.as_deref(), Some("python3"));
    assert_eq!(settings.entrypoint.as_deref(), Some("main.py"));
    let expected = settings.merge_into(Expectation::accepted());
    let [_, whole, some, last] = expected.rules.as_slice() else { panic!("{expected:?}") };
    assert_eq!(whole.score, Some((10.0, 20.5)));
    assert_eq!(whole.message.as_deref(), Some("too long"));
    assert_eq!(whole.time_bound(), Bound::Neither);
    assert_eq!(some.score, Some((3.0, 3.0)));
    assert!(some.covers("1") && !some.covers("2"));
    assert_eq!(some.origin.as_deref(), Some("submissions.yaml:9"));
    assert_eq!(some.permitted, Some(vec![AC]));
    assert_eq!((last.time_bound(), last.required.as_slice()), (Bound::Upper, &[TLE][..]));
    assert!(expected.permits("2", AC) && !expected.permits("1", WA));
}

#[test]
fn every_fault_names_its_line() {
    let table = [
        ("- a", "1:1: expected a table of globs, got a list"),
        ("'**': {}", "1:1: `**` is not a glob: `**` is not supported, use `*`"),
        ("a: 3", "1:4: expected a table of keys, got `3`"),
        ("a:\n  permited: [AC]", "2:3: unknown key `permited`\nhelp: did you mean `permitted`?"),
        (
            "a:\n  permitted: [AC, XX]",
            "2:14: `permitted` lists `XX`, which is not a verdict\nhelp: use `AC`, `WA`, `TLE`, `RTE`",
        ),
        ("a: {required: }", "1:13: `required` must be a list of verdicts, got nothing"),
        (
            "a: {score: [2, 1]}",
            "1:12: `score` must be a number or a list of the lowest and the highest, got a list",
        ),
        ("a: {message: [x]}", "1:14: `message` must be a text, got a list"),
        (
            "a: {use_for_time_limit: both}",
            "1:25: `use_for_time_limit` must be `true`, `false`, `lower` or `upper`, got the text `both`",
        ),
        (
            "a: {language: klingon}",
            "1:15: unknown `language`: `klingon`\nhelp: `rejudge languages` lists the known languages",
        ),
        ("a: {model_solution: 1}", "1:21: `model_solution` must be `true` or `false`, got `1`"),
        (
            "a:\n  '0': {language: py}",
            "2:9: unknown key `language` of a glob of cases\nhelp: use one of `permitted`, \
             `required`, `score`, `message`, `use_for_time_limit`",
        ),
    ];
    for (text, error) in table {
        assert_eq!(read_text(text).1, [format!("submissions.yaml:{error}")], "{text}");
    }
}

#[test]
fn rules_that_contradict_each_other_are_named() {
    let problem = specimen::problem(3);
    let text = "accepted/*:\n  '1': {permitted: [WA]}\n";
    let expected = expectation(text, "accepted/a.py");
    assert_eq!(
        contradiction(&expected, &problem).as_deref(),
        Some("no verdict on `1` satisfies both its folder and submissions.yaml:2")
    );
    let fine = expectation("accepted: {permitted: [AC, WA]}", "accepted/a.py");
    assert_eq!(contradiction(&fine, &problem), None);
}

#[test]
fn globs_that_match_nothing_get_a_warning() {
    let (_, _, warnings) =
        read_text("acepted: {}\nwrong_answer: {}\naccepted/*:\n  '7': {required: [WA]}\n");
    assert_eq!(
        warnings,
        [
            "submissions.yaml:1: no submission matches `acepted`",
            "submissions.yaml:4: no case matches `7`",
        ]
    );
}
