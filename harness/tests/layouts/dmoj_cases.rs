//! What DMOJ's `init.yml` says about cases: pretests, points, line ends, and keys that nobody reads.

use crate::support::{Ran, Repo};

fn judged(files: &[(&str, &str)]) -> Ran {
    let repo = Repo::new();
    for (path, text) in files {
        repo.file(&format!("p/{path}"), text);
    }
    repo.run(&["run", "p", "-v"])
}

const INIT: &str = "init.yml";
/// Prints its input, unless it begins with `2`.
const FAILS_2: (&str, &str) = ("rejected/two.sh", "read x; test \"$x\" = 2 || echo $x\n");
const GOOD: (&str, &str) = ("accepted/good.sh", "cat\n");

#[test]
fn pretests_are_judged_first_and_give_no_points() {
    let init = "pretest_test_cases:\n- {in: 2.txt, out: 2.txt, points: 7}\n- {batched: [{in: 1.txt, out: 1.txt}], points: 3}\n\
                test_cases:\n- {in: 1.txt, out: 1.txt, points: 5}\n- {in: 1.txt, out: 1.txt, points: 4}\n";
    let files = [(INIT, init), ("1.txt", "1\n"), ("2.txt", "2\n"), FAILS_2, GOOD];
    let ran = judged(&files);
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{}", ran.all());
    assert!(ran.stdout.contains("0 of 12 points"), "{}", ran.all());
    assert!(ran.stdout.contains("12 of 12 points"), "{}", ran.all());
    assert!(ran.stdout.contains("secret/pretest-1"), "{}", ran.all());
    // Without points, a failed pretest is a failed case.
    let init =
        "pretest_test_cases: [{in: 2.txt, out: 2.txt}]\ntest_cases: [{in: 1.txt, out: 1.txt}]\n";
    let files = [(INIT, init), ("1.txt", "1\n"), ("2.txt", "2\n"), FAILS_2, GOOD];
    let ran = judged(&files);
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{}", ran.all());
    assert!(ran.stdout.contains("WA   1/2 accepted"), "{}", ran.all());
}

#[test]
fn a_failed_case_of_no_points_in_a_batch_ends_the_submission() {
    let init = "test_cases:\n- {in: 1.txt, out: 1.txt, points: 5}\n\
                - {batched: [{in: 1.txt, out: 1.txt}, {in: 2.txt, out: 2.txt, points: 0}], points: 10}\n\
                - {in: 1.txt, out: 1.txt, points: 4}\n";
    let files = [(INIT, init), ("1.txt", "1\n"), ("2.txt", "2\n"), FAILS_2, GOOD];
    let ran = judged(&files);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("5 of 9 points"), "{}", ran.all());
    assert!(ran.stdout.contains("9 of 9 points"), "{}", ran.all());
    let warning = "p/init.yml:3:3: the cases of batch 1 have different points, of which a batch gives the fewest: 0";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
}

#[test]
fn points_of_the_file_are_those_of_each_case() {
    let init = "points: 3\ntest_cases: [{in: 1.txt, out: 1.txt}, {in: 2.txt, out: 2.txt}]\n";
    let files = [(INIT, init), ("1.txt", "1\n"), ("2.txt", "2\n"), FAILS_2, GOOD];
    let ran = judged(&files);
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{}", ran.all());
    assert!(ran.stdout.contains("3 of 6 points"), "{}", ran.all());
}

#[test]
fn cases_inherit_from_their_batch_and_from_the_file() {
    // `identical` of the batch, and the answer of the file.
    let init = "out: 1.txt\ntest_cases:\n- {batched: [{in: 1.txt}, {in: 1.txt, checker: standard}], points: 2, checker: identical}\n\
                - {in: 1.txt, points: 3}\n";
    let files = [(INIT, init), ("1.txt", "1\n"), ("rejected/end.sh", "printf 1\n"), GOOD];
    let ran = judged(&files);
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{}", ran.all());
    assert!(ran.stdout.contains("3 of 5 points"), "{}", ran.all());
}

#[test]
fn files_get_line_ends_unless_they_are_binary() {
    let count = ("accepted/count.sh", "wc -c | tr -d ' '\n");
    for (binary, answer, status) in
        [("", "4\n", 0), ("binary_data: true\n", "5\n", 0), ("", "5\n", 1)]
    {
        let init = format!("{binary}test_cases: [{{in: 1.txt, out: 2.txt}}]\n");
        let files = [(INIT, &*init), ("1.txt", "1\r\n2\r"), ("2.txt", answer), count];
        let ran = judged(&files);
        assert_eq!((ran.status, &*ran.stderr), (status, ""), "{binary:?} {answer:?}{}", ran.all());
    }
    // The answer gets them too, and what is not judged is not named.
    let init = "checker: identical\ntest_cases: [{in: 1.txt, out: 2.txt}]\n";
    let files = [(INIT, init), ("1.txt", "1\n"), ("2.txt", "1"), GOOD];
    let ran = judged(&files);
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{}", ran.all());
}

#[test]
fn arguments_of_checkers_count() {
    let table = [
        ("{name: sorted, args: {split_on: whitespace}}", "a\nb c\n", 0),
        ("{name: sorted}", "a\nb c\n", 1),
        ("unordered", "a\nb c\n", 0),
        ("{name: rstripped, args: {filter_new_line: true}}", "c b\n\na\n", 0),
        ("{name: rstripped}", "c b\n\na\n", 1),
    ];
    for (checker, answer, status) in table {
        let init = format!("checker: {checker}\ntest_cases: [{{out: 1.txt}}]\n");
        let files = [(INIT, &*init), ("1.txt", answer), ("accepted/a.sh", "printf 'c b\\na\\n'\n")];
        let ran = judged(&files);
        assert_eq!((ran.status, &*ran.stderr), (status, ""), "{checker}{}", ran.all());
    }
    let wrong = "checker: {name: sorted, args: {split_on: words}}\ntest_cases: [{out: 1.txt}]\n";
    let ran = judged(&[(INIT, wrong), ("1.txt", "a\n"), GOOD]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "p/init.yml:1:10: `checker`: `split_on` must be `lines` or `whitespace`";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}

#[test]
fn every_key_that_nobody_reads_is_named() {
    let table = [
        ("test_cases: [{out: 1.txt, ponts: 1}]", ":1:34: `ponts` is not a key of a case of DMOJ"),
        (
            "test_cases: [{batched: [{out: 1.txt}], depends: [1]}]",
            "`depends` is not a key of a batch of DMOJ",
        ),
        (
            "test_cases: [{out: 1.txt, symlinks: {}}]",
            "`symlinks` is supported only for the whole problem",
        ),
        ("test_cases: [{out: 1.txt, wall_time_factor: 2}]", "`wall_time_factor` is not supported"),
        (
            "checker: {name: standard, arg: {}}\ntest_cases: [{out: 1.txt}]",
            "`arg` is not a key of `checker` of DMOJ",
        ),
        (
            "checker: {name: sorted, args: {split: words}}\ntest_cases: [{out: 1.txt}]",
            "`split` is not a key of the checker's `args` of DMOJ",
        ),
        (
            "file_io: {inptu: a}\ntest_cases: [{out: 1.txt}]",
            "`inptu` is not a key of `file_io` of DMOJ",
        ),
        (
            "test_cases: [{out: 1.txt, points+: 3}]",
            "`points+` is code in Python, which rejudge does not run",
        ),
        ("chekcer: easy\ntest_cases: [{out: 1.txt}]", "`chekcer` is not a key of DMOJ"),
    ];
    for (init, warning) in table {
        let ran = judged(&[(INIT, init), ("1.txt", ""), GOOD]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        assert!(ran.stderr.contains(warning), "{warning}\n{}", ran.all());
        assert!(ran.stderr.contains("it is ignored"), "{}", ran.all());
    }
    let ran = judged(&[(INIT, "test_cases: [{out: 1.txt, ponts: 1}]"), ("1.txt", ""), GOOD]);
    assert!(ran.stderr.contains("did you mean `points`?"), "{}", ran.all());
}
