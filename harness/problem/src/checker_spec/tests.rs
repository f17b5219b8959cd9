//! Unit tests.

use super::*;

fn flags(line: &str) -> Result<TokenOptions, Notice> {
    let words: Vec<_> = line.split_whitespace().collect();
    TokenOptions::from_words(&words)
}

#[test]
fn flags_set_their_options() {
    assert_eq!(flags(""), Ok(TokenOptions::default()));
    let all = TokenOptions {
        exact_integers: false,
        case_sensitive: true,
        space_change_sensitive: true,
        float_absolute: Some(1e-6),
        float_relative: Some(0.5),
        answers: AnswerWords::Any,
    };
    let line = "float_relative_tolerance 0.5 case_sensitive \
         float_absolute_tolerance 1e-6 space_change_sensitive";
    assert_eq!(flags(line), Ok(all));
    let both = flags("float_tolerance 0").unwrap();
    assert_eq!(both.float_absolute, Some(0.0));
    assert_eq!(both.float_relative, Some(0.0));
}

#[test]
fn bad_flags_are_rejected_with_the_fix() {
    for (line, what) in [
        ("Case_sensitive", "unknown flag `Case_sensitive`"),
        ("1e-6", "unknown flag `1e-6`"),
        ("float_tolerance", "`float_tolerance` needs a number"),
        ("float_tolerance case_sensitive", "invalid tolerance `case_sensitive`"),
        ("float_tolerance -1", "invalid tolerance `-1`"),
        ("float_tolerance -0", "invalid tolerance `-0`"),
        ("float_tolerance nan", "invalid tolerance `nan`"),
        ("float_tolerance inf", "invalid tolerance `inf`"),
        ("float_tolerance 1e999", "invalid tolerance `1e999`"),
        ("float_tolerance 1 float_tolerance 1", "set twice"),
        ("float_absolute_tolerance 1 float_absolute_tolerance 1", "set twice"),
        ("float_tolerance 1 float_relative_tolerance 1", "cannot be combined with another"),
        ("float_absolute_tolerance 1 float_tolerance 1", "cannot be combined with another"),
    ] {
        let error = flags(line).unwrap_err();
        assert!(error.message.contains(what), "{line}: {error}");
        assert!(error.help.is_some(), "{line}: {error}");
    }
}

#[test]
fn a_checker_is_a_keyword_or_a_path() {
    let parse = CheckerSpec::parse;
    assert_eq!(parse("exact"), Ok(CheckerSpec::Exact));
    assert_eq!(parse("tokens"), Ok(CheckerSpec::default()));
    for (word, rule) in LineRule::ALL {
        assert_eq!(parse(word), Ok(CheckerSpec::Lines(rule)));
        assert_eq!(rule.word(), word);
    }
    let float = flags("float_tolerance 1e-9").unwrap();
    assert_eq!(parse("float:1e-9"), Ok(CheckerSpec::Tokens(float)));
    assert_eq!(parse("tokens:case"), Ok(CheckerSpec::Tokens(flags("case_sensitive").unwrap())));
    assert_eq!(parse("numbers:1e-9"), Ok(CheckerSpec::numbers(1e-9)));
    for (word, tolerance) in [("json", None), ("json:1e-9", Some(1e-9))] {
        let rule = JsonRule { tolerance };
        assert_eq!(parse(word), Ok(CheckerSpec::Json(rule)));
        assert_eq!(rule.word(), word);
    }
    let source = PathBuf::from("a/check.cpp");
    assert_eq!(parse("testlib:a/check.cpp"), Ok(CheckerSpec::Testlib { source: source.clone() }));
    for (word, convention) in Convention::ALL {
        let source = PathBuf::from("a.cpp");
        let value = format!("{word}:a.cpp");
        let parsed = CheckerSpec::parse(&value).ok();
        let call = Vec::new();
        let expected = CheckerSpec::Foreign { source, convention, call };
        assert_eq!(parsed, Some(expected));
        assert_eq!(convention.word(), word);
    }
    for path in ["a/check.cpp", "./exact", "c:x", "float.rs", "cms:"] {
        let validator = CheckerSpec::Validator { source: PathBuf::from(path), args: Vec::new() };
        assert_eq!(parse(path), Ok(validator));
    }
    for bad in
        ["", "float", "float:", "float:-1", "float:x", "numbers", "numbers:x", "json:", "testlib:"]
    {
        assert!(parse(bad).unwrap_err().help.is_some(), "{bad}");
    }
}
