//! What is saved of a received problem, and where.

use std::fs;

use super::*;

fn problem(json: &str) -> CompanionProblem {
    serde_json::from_str(json).unwrap()
}

fn read(saver: &Saver, path: &str) -> String {
    fs::read_to_string(saver.cases.join(path)).unwrap()
}

#[test]
fn a_problem_sent_again_gets_the_new_samples_and_keeps_the_rest() {
    let root = tempfile::tempdir().unwrap();
    let place = || root.path().join("cases");
    let mut saver = Saver::new(place(), None);
    let two = problem(
        r#"{"name": "A. Sum", "url": "https://example.org/a", "timeLimit": 1500,
            "tests": [{"input": "1 2\n", "output": "3\n"}, {"input": "5 7\n", "output": "12\n"}]}"#,
    );
    let kept = saver.save(&two).unwrap();
    assert_eq!((kept.id.as_str(), kept.samples, kept.again), ("a-sum", 2, false));
    fs::create_dir_all(place().join("a-sum/data/secret")).unwrap();
    fs::write(place().join("a-sum/data/secret/1.in"), "mine").unwrap();
    let one = problem(
        r#"{"name": "A. Sum", "url": "https://example.org/a",
            "tests": [{"input": "0 0\n", "output": "0\n"}]}"#,
    );
    // Another process, which finds the problem only by its URL.
    let mut saver = Saver::new(place(), None);
    assert!(saver.save(&one).unwrap().again);
    assert_eq!(read(&saver, "a-sum/data/sample/1.in"), "0 0\n");
    assert!(!place().join("a-sum/data/sample/2.in").exists());
    assert_eq!(read(&saver, "a-sum/data/secret/1.in"), "mine");
    assert!(read(&saver, "a-sum/problem.yaml").contains("time_limit: 1.5"));
    // A different problem with the same name.
    let other = problem(r#"{"name": "A. Sum", "url": "https://example.org/b"}"#);
    assert_eq!(saver.save(&other).unwrap().id, "a-sum2");
}

#[test]
fn problems_that_share_an_address_stay_apart() {
    let root = tempfile::tempdir().unwrap();
    let place = || root.path().join("cases");
    let send = |saver: &mut Saver, name: &str| {
        let json = format!(r#"{{"name": "{name}", "url": "https://example.org/problems"}}"#);
        let saved = saver.save(&problem(&json)).unwrap();
        (saved.id, saved.again)
    };
    let mut saver = Saver::new(place(), None);
    for name in ["A. One", "B. Two", "C. Three"] {
        assert!(!send(&mut saver, name).1, "{name}");
    }
    assert_eq!(send(&mut saver, "B. Two"), (String::from("b-two"), true));
    // Another process.
    let mut saver = Saver::new(place(), None);
    assert_eq!(send(&mut saver, "C. Three"), (String::from("c-three"), true));
    assert_eq!(fs::read_dir(place()).unwrap().count(), 3);
}

#[test]
fn a_title_without_letters_gets_the_id_of_the_address_and_atcoder_its_comparison() {
    let root = tempfile::tempdir().unwrap();
    let mut saver = Saver::new(root.path().join("cases"), None);
    for (url, id) in [
        ("https://atcoder.jp/contests/abc400/tasks/abc400_a", "abc400_a"),
        ("https://codeforces.com/contest/1850/problem/A", "1850A"),
        ("https://codeforces.com/problemset/problem/1850/B?x=1", "1850B"),
    ] {
        let json = format!(
            r#"{{"name": "問題", "url": "{url}", "tests": [{{"input": "1", "output": "Yes"}}]}}"#
        );
        assert_eq!(saver.save(&problem(&json)).unwrap().id, id);
    }
    assert!(read(&saver, "abc400_a/data/test_group.yaml").contains("case_sensitive"));
    assert!(!saver.cases.join("1850A/data/test_group.yaml").exists());
}

#[test]
fn names_stay_in_their_folder_and_interactive_samples_are_not_cases() {
    let root = tempfile::tempdir().unwrap();
    let mut saver = Saver::new(root.path().join("cases"), None);
    let evil = problem(
        r#"{"name": "../../Evil\u001b[31m", "group": "../x", "interactive": true,
            "input": {"type": "file", "fileName": "../../e.in"},
            "tests": [{"input": "1\n", "output": "2\n"}]}"#,
    );
    let kept = saver.save(&evil).unwrap();
    assert_eq!(kept.id, "evil-31m");
    assert_eq!(kept.notes.len(), 1);
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    let sample = saver.cases.join("evil-31m/data/sample");
    assert!(sample.join("1.in.statement").is_file());
    assert!(!sample.join("1.in").exists());
    assert!(read(&saver, "evil-31m/problem.yaml").contains("type: interactive"));
}
