//! Snapshots of the output for users, and tests that it stays small.

use std::io::Write as _;

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;
use crate::checker::{CheckOutcome, CheckerFiles, check};
use rejudge_problem::checker_spec::TokenOptions;

const PLAIN: Look = Look { width: 60, colour: false };

fn flags(words: &str) -> Checker {
    let words: Vec<_> = words.split_whitespace().collect();
    Checker::Tokens(TokenOptions::from_words(&words).unwrap())
}

fn shown(checker: &Checker, answer: &[u8], output: &[u8], look: Look) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(answer).unwrap();
    let mut captured = Captured::default();
    captured.append(output).unwrap();
    let case = CheckerFiles { input: Path::new("1.in"), answer: Some(file.path()) };
    let judged = check(checker, case, &captured, None, &mut |_, _| unreachable!()).unwrap();
    let CheckOutcome::Wrong(mismatch) = judged.outcome else {
        panic!("wrong, not {:?}", judged.outcome);
    };
    render(&captured, file.path(), &mismatch, checker, look).unwrap()
}

fn tokens(answer: &str, output: &str) -> String {
    shown(&flags(""), answer.as_bytes(), output.as_bytes(), PLAIN)
}

#[test]
fn a_wrong_token_is_marked() {
    assert_snapshot!(tokens("1\n2\n3 4 5\n6\n7\n8\n", "1\n2\n3 7 5\n6\n7\n8\n"), @r"
    token 4: expected `4`, got `7`
    line 3, column 3 of the output (- expected, + got)
        1 | 1
        2 | 2
      - 3 | 3 4 5
          |   ^
      + 3 | 3 7 5
          |   ^
        4 | 6
        5 | 7
    ");
}

#[test]
fn a_missing_line_does_not_shift_the_rest() {
    assert_snapshot!(tokens("1\n2\n3\n4\n5\n6\n", "1\n2\n4\n5\n6\n"), @r"
    token 3: expected `3`, got `4`
    line 3, column 1 of the output (- expected, + got)
        1 | 1
        2 | 2
      - 3 | 3
        3 | 4
        4 | 5
    ");
}

#[test]
fn an_extra_line_is_shown_alone() {
    assert_snapshot!(tokens("1\n2\n3\n4\n", "1\n2\n9\n3\n4\n"), @r"
    token 3: expected `3`, got `9`
    line 3, column 1 of the output (- expected, + got)
        1 | 1
        2 | 2
      + 3 | 9
        4 | 3
        5 | 4
    ");
}

#[test]
fn an_empty_output_shows_what_was_expected() {
    assert_snapshot!(tokens("1\n2\n", ""), @r"
    the output is empty; expected `1`
    line 1, column 1 of the output (- expected, + got)
      - 1 | 1
      - 2 | 2
    ");
}

#[test]
fn what_follows_the_answer_is_shown() {
    assert_snapshot!(tokens("1\n2\n", "1\n2\n3\n"), @r"
    extra output after the answer's end (token 2): `3`
    line 3, column 1 of the output (- expected, + got)
        1 | 1
        2 | 2
      + 3 | 3
    ");
}

#[test]
fn case_and_blanks_that_do_not_matter_are_no_difference() {
    assert_snapshot!(tokens("Yes\n1  2\n3\n4", "YES\r\n1\t2 \r\n5\r\n4\r\n"), @r"
    token 4: expected `3`, got `5`
    line 3, column 1 of the output (- expected, + got)
        1 | YES
        2 | 1 2
      - 3 | 3
          | ^
      + 3 | 5
          | ^
        4 | 4
    ");
}

#[test]
fn escapes_never_reach_the_terminal() {
    assert_snapshot!(tokens("a\nb\n", "a\n\x1b[31mb\x07 \u{202e}x\n"), @r"
    token 2: expected `b`, got `\x1b[31mb\x07`
    line 2, column 1 of the output (- expected, + got)
        1 | a
      - 2 | b
          | ^
      + 2 | \x1b[31mb\x07 \u{202e}x
          | ^^^^^^^^^^^^^^^^^^^^^^^
    ");
}

fn blanks(answer: &str, output: &str) -> String {
    let checker = flags("space_change_sensitive");
    shown(&checker, answer.as_bytes(), output.as_bytes(), PLAIN)
}

#[test]
fn a_doubled_space_is_made_visible() {
    assert_snapshot!(blanks("1 2\n3\n", "1  2\n3\n"), @r"
    after token 1: expected a token, got a space
    line 1, column 3 of the output (- expected, + got)
      - 1 | 1 2
      + 1 | 1 ·2
          |   ^
        2 | 3
    ");
}

#[test]
fn a_tab_for_a_space_is_made_visible() {
    assert_snapshot!(blanks("1 2\n", "1\t2\n"), @r"
    after token 1: expected a space, got a tab
    line 1, column 2 of the output (- expected, + got)
      - 1 | 1·2
          |  ^
      + 1 | 1→2
          |  ^
    ");
}

#[test]
fn a_carriage_return_is_made_visible() {
    assert_snapshot!(blanks("1\n2\n", "1\r\n2\n"), @r"
    after token 1: expected a newline, got a carriage return
    line 1, column 2 of the output (- expected, + got)
      - 1 | 1
      + 1 | 1\r
          |  ^^
        2 | 2
    ");
}

#[test]
fn a_missing_final_newline_is_made_visible() {
    assert_snapshot!(blanks("1 2\n3\n", "1 2\n3"), @r"
    after token 3: expected a newline, got the end
    line 2, column 2 of the output (- expected, + got)
        1 | 1 2
      - 2 | 3↵
          |  ^
      + 2 | 3
    ");
}

#[test]
fn numbers_within_the_tolerance_are_not_marked() {
    let checker = flags("float_tolerance 1e-3");
    let (answer, output) = (b"0.50000 1 x\n2.0 3.0\n4\n", b"0.5 1 x\n1.9999 3.1\n4.0\n");
    assert_snapshot!(shown(&checker, answer, output, PLAIN), @r"
    token 5: expected about `3.0`, got `3.1` (off by 1.00e-1, relatively 3.33e-2)
    line 2, column 8 of the output (- expected, + got)
        1 | 0.5 1 x
      - 2 | 2.0 3.0
          |     ^^^
      + 2 | 1.9999 3.1
          |        ^^^
        3 | 4.0
    ");
}

#[test]
fn colours_replace_the_carets() {
    let look = Look { colour: true, ..PLAIN };
    let text = shown(&flags(""), b"1 2 3\n", b"1 4 3\n", look);
    assert_snapshot!(text.replace('\x1b', "~"), @r"
    token 2: expected `2`, got `4`
    line 1, column 3 of the output (- expected, + got)
      ~[31m-~[0m 1 | ~[31m1 ~[0m~[7m~[31m2~[0m~[31m 3~[0m
      ~[32m+~[0m 1 | ~[32m1 ~[0m~[7m~[32m4~[0m~[32m 3~[0m
    ");
}

#[test]
fn one_wrong_line_among_200000_keeps_its_number() {
    let lines = (1..=200_000).map(|number| format!("{number} of 200000\n"));
    let answer: String = lines.collect();
    let output = answer.replace("\n123456 of", "\n123456 off");
    assert_snapshot!(tokens(&answer, &output), @r"
    token 370367: expected `of`, got `off`
    line 123456, column 8 of the output (- expected, + got)
        123454 | 123454 of 200000
        123455 | 123455 of 200000
      - 123456 | 123456 of 200000
               |        ^^
      + 123456 | 123456 off 200000
               |        ^^^
        123457 | 123457 of 200000
        123458 | 123458 of 200000
    ");
}

#[test]
fn a_long_line_is_cut_to_a_window() {
    let row = "12 34 ".repeat(400_000);
    let output = format!("{row}56 {row}");
    let answer = format!("{row}57 {row}");
    assert_snapshot!(tokens(&answer, &output), @r"
    token 800001: expected `57`, got `56`
    line 1, column 2400001 of the output (- expected, + got)
      - 1 | … 34 12 34 12 34 57 12 34 12 34 12 34 12 34 12 34 1…
          |                  ^^
      + 1 | … 34 12 34 12 34 56 12 34 12 34 12 34 12 34 12 34 1…
          |                  ^^
    ");
}

#[test]
fn a_long_token_is_cut_to_a_window() {
    let half = "ab".repeat(1_000_000);
    let output = format!("{half}x{half}\n");
    let answer = format!("{half}ay{half}\n");
    assert_snapshot!(tokens(&answer, &output), @r"
    token 1, at its byte 2000001: expected `…ayababababababababababababababababababab…`, got `…xabababababababababababababababababababa…`
    line 1, column 2000001 of the output (- expected, + got)
      - 1 | …ababababababababayabababababababababababababababab…
          |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      + 1 | …ababababababababxababababababababababababababababa…
          |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
}

#[test]
fn without_a_position_only_the_headline_is_shown() {
    let mismatch =
        Mismatch { rest: None, headline: "the path leaves the board".to_owned(), at: None };
    let answer = Path::new("no/such/1.ans");
    let text = render(&Captured::default(), answer, &mismatch, &Checker::Exact, PLAIN);
    assert_eq!(text.unwrap(), "the path leaves the board\n");
}

#[test]
fn a_long_line_number_does_not_exceed_the_width() {
    let shared = "a\n".repeat(9999);
    let (answer, output) =
        (format!("{shared}{}", "\r0".repeat(20)), format!("{shared}{}", "\r1".repeat(20)));
    let look = Look { width: 20, colour: false };
    let text = shown(&Checker::Exact, answer.as_bytes(), output.as_bytes(), look);
    for line in text.lines().skip(2) {
        let width = unicode_width::UnicodeWidthStr::width(line);
        assert!(width <= look.width, "{width} columns: {line}");
    }
}

fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[ab]{1,3}".prop_map(String::into_bytes),
        2 => "[ \t\r\n]{1,2}".prop_map(String::into_bytes),
        1 => "\\PC{1,2}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 1..40),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// For any bytes: no panic, nothing raw, no line wider than the limit.
    #[test]
    fn any_two_texts_are_shown_safely(
        answer in soup(), output in soup(), shared in soup(), times in 0..400_usize, width in 20..100_usize,
    ) {
        prop_assume!(answer != output);
        let shared = shared.repeat(times);
        let (answer, output) = ([&shared[..], &answer].concat(), [&shared[..], &output].concat());
        let text = shown(&Checker::Exact, &answer, &output, Look { width, colour: false });
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        for line in text.lines().skip(2) {
            prop_assert!(unicode_width::UnicodeWidthStr::width(line) <= width, "{}", line);
        }
        prop_assert!(text.lines().count() <= 2 + 2 * ROWS);
        prop_assert!(text.lines().count() > 2, "{}", text);
    }
}
