use super::*;
use Verdict::{Accepted as AC, TimeLimit as TLE, WrongAnswer as WA};

#[test]
fn a_want_is_read_and_decided() {
    for (text, verdicts, differences, expected) in [
        ("wa.py WA", &[WA][..], &[][..], true),
        ("wa.py WA", &[AC], &[], false),
        ("a.py != b.py", &[AC, AC], &[true], true),
        ("a.py!=b.py", &[AC, AC], &[false], false),
        ("a.py == b.py", &[AC, AC], &[false], true),
        ("wa.py WA and slow.py AC", &[WA, AC], &[], true),
        ("wa.py WA and slow.py AC", &[WA, TLE], &[], false),
        ("a WA or b WA and c WA", &[WA, AC, AC], &[], true),
        ("(a WA or b WA) and c WA", &[WA, AC, AC], &[], false),
        ("not a AC", &[TLE], &[], true),
        ("not (a AC or a WA)", &[WA], &[], false),
    ] {
        let want = Want::parse(text).unwrap();
        assert_eq!(want.holds(verdicts, differences), expected, "{text}");
    }
    let want = Want::parse("a.py != b.py and a.py WA").unwrap();
    assert_eq!(want.names().collect::<Vec<_>>(), ["a.py", "b.py"]);
    assert_eq!(want.pairs(), [(0, 1)]);
}

#[test]
fn a_mistake_is_shown_with_a_caret() {
    for (text, kind, carets) in [
        ("", "expected the name of a program", "^"),
        ("a.py", "expected a verdict, `!=` or `==`", "    ^"),
        ("a.py AND b.py", "expected a verdict, `!=` or `==`", "     ^~~"),
        ("a.py WA b.py", "expected `and`, `or` or the end", "        ^~~~"),
        ("(a.py WA", "expected `)`", "        ^"),
        ("a.py WA and", "expected the name of a program", "           ^"),
        ("WA", "expected the name of a program", "^~"),
        ("é.py JE", "expected a verdict, `!=` or `==`", "     ^~"),
        ("a != and", "expected the name of a program", "     ^~~"),
    ] {
        let error = Want::parse(text).unwrap_err().to_string();
        assert_eq!(error, format!("`--want`: {kind}\n  {text}\n  {carets}"), "{text}");
    }
}

#[test]
fn a_want_that_can_never_hold_is_refused() {
    let check = |text: &str| Want::parse(text).unwrap().check(text, &|name| name == 1);
    for text in ["a WA and b AC", "not a AC", "a != b", "a TLE or b WA", "a WA and a != b"] {
        assert_eq!(check(text), Ok(()), "{text}");
    }
    for text in ["a WA and a AC", "a != a", "a AC and b WA", "a TLE and a != b"] {
        let error = check(text).unwrap_err();
        assert_eq!(error.kind, WantErrorKind::NeverHolds, "{text}");
    }
}
