//! Tests the built-in checkers with tables.

use std::io::Write;

use super::*;

mod laws;
mod linear;

fn options(flags: &str) -> TokenOptions {
    TokenOptions::from_words(&flags.split(' ').filter(|w| !w.is_empty()).collect::<Vec<_>>())
        .unwrap()
}

fn mismatch(output: &[u8], answer: &[u8], options: &TokenOptions) -> Option<Mismatch> {
    let finding = tokens::compare(output, answer, options).unwrap()?;
    Some(finding.explain(output, answer).unwrap())
}

fn headline(output: &[u8], answer: &[u8], flags: &str) -> String {
    let found = mismatch(output, answer, &options(flags));
    found.map_or_else(|| "right".to_owned(), |mismatch| mismatch.headline)
}

#[test]
fn numbers_are_judged_by_how_the_answer_writes_them() {
    let CheckerSpec::Tokens(options) = CheckerSpec::parse("numbers:1e-6").unwrap() else {
        unreachable!("numbers are compared by tokens");
    };
    let long = "0.25 ".repeat(2000);
    for (answer, output, right) in [
        ("1000000", "1000001", false),
        ("1000000.0", "1000001", true),
        ("1e6", "1000001", true),
        ("0.5", "0.500", true),
        ("0.5", "0.5000001", true),
        ("0.5", "0.51", false),
        ("5", "5.0", false),
        ("5", "05", false),
        ("5.0", "5", true),
        ("YES", "yes", false),
        ("nan", "nan", true),
        ("nan", "NaN", false),
        ("1 2.50 x", "1 2.5 x", true),
        ("1 2.50 x", "1.0 2.5 x", false),
        (&*format!("{long} 7 0.125 "), &*format!("{long} 7.0 0.125 "), false),
        (&*format!("{long} 7.0 8 "), &*format!("{long} 7 8 "), true),
        (&*format!("{long} 2.0 700000001 1 "), &*format!("{long} 2 700000002 1 "), false),
    ] {
        let found = mismatch(output.as_bytes(), answer.as_bytes(), &options);
        assert_eq!(found.is_none(), right, "{output} {answer}: {found:?}");
    }
}

#[test]
fn tokens_are_judged_as_the_format_specifies() {
    const RIGHT: bool = true;
    const WRONG: bool = false;
    let blanks = "space_change_sensitive";
    let (relative, absolute) = ("float_relative_tolerance 0.5", "float_absolute_tolerance 0.5");
    for (flags, answer, output, expected) in [
        ("", "", "", RIGHT),
        ("", "", " \t\r\n\x0b\x0c", RIGHT),
        ("", "1 2\n", "1\r\n2", RIGHT),
        ("", "Yes", "yES", RIGHT),
        ("", "1", "1.0", WRONG),
        ("", "1 2", "12", WRONG),
        ("", "12", "1 2", WRONG),
        ("", "a", "a\0", WRONG),
        ("", "1", "1 1", WRONG),
        ("", "1 1", "1", WRONG),
        ("", "É", "é", WRONG),
        ("case_sensitive", "Yes", "yES", WRONG),
        ("case_sensitive float_tolerance 0.1", "1e2", "1E2", RIGHT),
        ("case_sensitive float_tolerance 0.1", "inf", "INF", WRONG),
        (blanks, "1 2\n", "1 2\n", RIGHT),
        (blanks, "YES no\n", "yes NO\n", RIGHT),
        (blanks, "1 2\n", "1 2", WRONG),
        (blanks, "1 2", "1 2\n", WRONG),
        (blanks, "1 2\n", " 1 2\n", WRONG),
        (blanks, "1 2\n", "1  2\n", WRONG),
        (blanks, "1 2\n", "1\t2\n", WRONG),
        (blanks, "1 2\n", "1 2\r\n", WRONG),
        (absolute, "1", "1.5", RIGHT),
        (absolute, "1", "1.5000000000000000000000000001", WRONG),
        (absolute, "1000", "1499", WRONG),
        (relative, "1000", "1500", RIGHT),
        (relative, "1000", "500", RIGHT),
        (relative, "1000", "499.99999999999999999999", WRONG),
        (relative, "0", "0.0", RIGHT),
        (relative, "0", "-0", RIGHT),
        (relative, "0", "1e-400", WRONG),
        (relative, "-1", "1", WRONG),
        (absolute, "-0.25", ".25", RIGHT),
        (absolute, "nan", "NaN", RIGHT),
        (absolute, "1", "nan", WRONG),
        (absolute, "1", "inf", WRONG),
        (absolute, "0x10", "0X10", RIGHT),
        (absolute, "16", "0x10", WRONG),
        (absolute, "1.", "+1", RIGHT),
        (absolute, ".5", "5.e-1", RIGHT),
        (absolute, "1", "1e", WRONG),
        (absolute, "1", ".", WRONG),
        (absolute, ".", ".", RIGHT),
        (absolute, "1", "1f", WRONG),
        (absolute, "1", "1,0", WRONG),
        (absolute, "1e9999999999999999999999", "1e9999999999999999999999", RIGHT),
        (absolute, "1", "1e9999999999999999999999", WRONG),
        (absolute, "0", "1e-9999999999999999999999", RIGHT),
        ("float_tolerance 0.1", "1.0", "1.1", RIGHT),
        ("float_tolerance 0.1", "1e-999 1e-999", "-1e-999 0.1", RIGHT),
        ("float_tolerance 0", "0.1", "1e-1", RIGHT),
        ("float_tolerance 0", "9007199254740993", "9007199254740992", WRONG),
    ] {
        let found = mismatch(output.as_bytes(), answer.as_bytes(), &options(flags));
        assert_eq!(
            found.is_none(),
            expected,
            "{flags}: answer {answer:?}, output {output:?}: {found:?}"
        );
    }
}

#[test]
fn headlines_name_the_first_difference() {
    let exact = "space_change_sensitive";
    let float = "float_tolerance 1e-6";
    for (flags, answer, output, expected) in [
        ("", "1 2\n4\n", "1 2\n5\n", "token 3: expected `4`, got `5`"),
        ("", "1 23\n", "1 2 3\n", "token 2: expected `23`, got `2`"),
        ("", "1 2\n", "1\n", "the output ends after token 1; expected `2`"),
        ("", "1 2\n", "\n", "the output is empty; expected `1`"),
        ("", "1\n", "1\n2 3\n", "extra output after the answer's end (token 1): `2`"),
        ("", "", "x", "the answer is empty; got `x`"),
        ("", "a", "\u{1b}[2J`\u{202e}", "token 1: expected `a`, got `\\x1b[2J'\\u{202e}`"),
        (exact, "1 2\n", "1 2", "after token 2: expected a newline, got the end"),
        (exact, "1 2\n", "1  2\n", "after token 1: expected a token, got a space"),
        (exact, "1", " 1", "at the start: expected a token, got a space"),
        (exact, "1 2", "12", "token 1: expected `1`, got `12`"),
        (float, "1 2.5", "1 nan", "token 2: expected a number close to `2.5`, got `nan`"),
        (
            float,
            "0.5",
            "0.75",
            "token 1: expected about `0.5`, got `0.75` (off by 2.50e-1, relatively 5.00e-1)",
        ),
        (float, "0", "1", "token 1: expected about `0`, got `1` (off by 1.00e0)"),
    ] {
        assert_eq!(headline(output.as_bytes(), answer.as_bytes(), flags), expected);
    }
}

#[test]
fn a_long_token_is_shown_around_its_difference() {
    let mut answer = b"first ".to_vec();
    answer.resize(300_000, b'a');
    let mut output = answer.clone();
    output[200_006] = b'b';
    let found = mismatch(&output, &answer, &TokenOptions::default()).unwrap();
    let a = "a".repeat(39);
    let expected = format!("token 2, at its byte 200001: expected `…a{a}…`, got `…b{a}…`");
    assert_eq!(found.headline, expected);
    assert_eq!(found.at.unwrap().output.offset, 200_006);
    assert_eq!(found.at.unwrap().answer.column, 200_007);
}

#[test]
fn a_long_number_is_read_to_its_end() {
    let mut answer = vec![b'0'; 400_000];
    answer.extend_from_slice(b"12.5");
    let mut output = b"+12.5".to_vec();
    output.resize(500_000, b'0');
    assert_eq!(headline(&output, &answer, "float_tolerance 0"), "right");
    output.extend_from_slice(b"1");
    assert_ne!(headline(&output, &answer, "float_tolerance 0"), "right");
    output.extend_from_slice(b"x");
    assert!(headline(&output, &answer, "float_tolerance 1").contains("a number close to"));
}

#[test]
fn without_an_answer_nothing_is_checked() {
    let case = CheckerFiles { input: Path::new("1.in"), answer: None };
    let checked = check(&Checker::Exact, case, &Captured::default(), None, &mut |_, _| {
        panic!("nothing is run")
    });
    assert_eq!(checked.unwrap().outcome, CheckOutcome::Unchecked);
}

#[test]
fn an_unreadable_answer_is_a_fault_of_the_judge() {
    let case = CheckerFiles { input: Path::new("1.in"), answer: Some(Path::new("no/such/1.ans")) };
    let tokens = Checker::Tokens(TokenOptions::default());
    let checked =
        check(&tokens, case, &Captured::default(), None, &mut |_, _| panic!("nothing is run"));
    let CheckOutcome::Fault(fault) = checked.unwrap().outcome else {
        panic!("a fault");
    };
    assert!(fault.contains("`no/such/1.ans`"), "{fault}");
}

#[test]
fn a_spilled_output_is_compared_with_its_file() {
    let mut output = Captured::default();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    for number in 0..100_000 {
        output.append(format!("{number}\r\n").as_bytes()).unwrap();
        let written = if number == 70_000 { 1 } else { number };
        writeln!(file, "{written}").unwrap();
    }
    let case = CheckerFiles { input: Path::new("1.in"), answer: Some(file.path()) };
    let tokens = Checker::Tokens(TokenOptions::default());
    let checked = check(&tokens, case, &output, None, &mut |_, _| panic!("nothing is run"));
    let CheckOutcome::Wrong(mismatch) = checked.unwrap().outcome else {
        panic!("wrong");
    };
    assert_eq!(mismatch.headline, "token 70001: expected `1`, got `70000`");
    let at = mismatch.at.unwrap();
    assert_eq!((at.output.line, at.output.column), (70_001, 1));
    assert_eq!(at.answer.line, 70_001);
}
