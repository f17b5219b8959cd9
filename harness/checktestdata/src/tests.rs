//! Grammars and inputs, with what is decided about them.

use std::time::Duration;

use super::{Grammar, GrammarError, Ruling};

fn ruling(grammar: &str, input: &str) -> Ruling {
    let grammar =
        Grammar::read(grammar.as_bytes()).unwrap_or_else(|error| panic!("{grammar}: {error}"));
    grammar.check(input.as_bytes(), Duration::from_secs(60))
}

/// Inputs that a grammar accepts, and inputs that it rejects.
fn table(rows: &[(&str, &[&str], &[&str])]) {
    for (grammar, valid, invalid) in rows {
        for input in *valid {
            assert_eq!(ruling(grammar, input), Ruling::Valid, "{grammar} on {input:?}");
        }
        for input in *invalid {
            let found = ruling(grammar, input);
            assert!(matches!(found, Ruling::Invalid(_)), "{grammar} on {input:?}: {found:?}");
        }
    }
}

#[test]
fn integers() {
    table(&[
        (
            "INT(1, 10) NEWLINE",
            &["1\n", "10\n"],
            &["0\n", "11\n", "01\n", "+1\n", "1", "1\n\n", "", "-\n"],
        ),
        ("INT(-5, 0)", &["-5", "0"], &["-0", "-05", "--1", "1"]),
        (
            "INT(10^30, 10^40)",
            &["1000000000000000000000000000000"],
            &["999999999999999999999999999999"],
        ),
        ("INT(0, 7/2) SPACE INT(0, -7 % 4 + 3)", &["3 0"], &["4 0", "3 1"]),
        ("INT(-2^2, 2^3^2) # a power binds from the left", &["-4", "64"], &["-5", "65"]),
        (
            "INT(1, 9, n) NEWLINE REP(n, SPACE) INT(0, n) END",
            &["2\n0 2", "1\n1"],
            &["2\n0", "2\n0 3", "2\n0  1"],
        ),
    ]);
}

#[test]
fn floats() {
    table(&[
        (
            "FLOAT(0, 1)",
            &["0", "0.5", "1.000", "5e-1", "1E0"],
            &["-0.1", "1.0001", ".5", "0.", "00.5", "1e00", "1e"],
        ),
        // As DOMjudge's program (5f981cd of March 2026), and unlike that of PyPI.
        ("FLOAT(-1, 1)", &["-0.0", "-0", "-0e0", "-0.5"], &["--0", "+0"]),
        ("FLOAT(0, 9, x, FIXED)", &["0.5"], &["5e-1"]),
        ("FLOAT(0, 9, x, SCIENTIFIC)", &["5e-1", "0e+0"], &["0.5"]),
        ("FLOATP(0, 100, 1, 3)", &["0.5", "99.125", "1.5e1"], &["1", "0.1234", "15.0e0", "0.5e0"]),
        (
            "FLOAT(0.1, 0.3, x) SPACE FLOAT(x+0.1, x+0.1)",
            &["0.2 0.3", "0.1 2e-1"],
            &["0.2 0.30000000001"],
        ),
        ("FLOAT(0, 1, x) ASSERT(x * 3 == 1.0 || x / 0.5 < 1)", &["0.25"], &["0.5"]),
    ]);
}

#[test]
fn strings_and_patterns() {
    table(&[
        (r#"STRING("a\"\\\n\101")"#, &["a\"\\\nA"], &["a\"\\\nB", "a"]),
        (
            r#"REGEX("[a-z]+", s) SPACE STRING(s) ASSERT(STRLEN(s) < 4)"#,
            &["ab ab"],
            &["ab ac", "abcd abcd", "1 1"],
        ),
        // The longest match counts, whatever comes first.
        (r#"REGEX("a|ab") NEWLINE"#, &["ab\n", "a\n"], &["abb\n"]),
        (r#"REGEX("[]^-]+[[:digit:]]\\.") EOF"#, &["]^-4."], &["]^-4,", "a4."]),
        (r#"REGEX(".*")"#, &["two\nlines\n", ""], &[]),
        (r#"REGEX("(x{2,3}|[^x\n])*")NEWLINE"#, &["xxaxxx\n"], &["xax\n"]),
        ("REGEX(\"[a-c\\\\]*\") STRING(\"!\")", &["ab\\!"], &["d!"]),
    ]);
}

#[test]
fn blocks_and_tests() {
    table(&[
        ("WHILE(!ISEOF, SPACE) INT(0, 9) END", &["1 2 3", ""], &["1 2 ", "12 "]),
        (
            "WHILEI(i, !MATCH(\"\\n\")) INT(i, i) SPACE END NEWLINE ASSERT(i == 3)",
            &["0 1 2 \n"],
            &["0 1 \n", "0 2 1 \n"],
        ),
        ("REPI(i, 3, NEWLINE) INT(0, 9, a[i]) END ASSERT(UNIQUE(a))", &["1\n2\n3"], &["1\n2\n1"]),
        (
            "REPI(i, 2) INT(0, 9, x[i]) SPACE INT(0, 9, y[i]) NEWLINE END ASSERT(UNIQUE(x, y))",
            &["1 1\n1 2\n"],
            &["1 1\n1 1\n"],
        ),
        (
            "INT(1, 3, n) IF(n == 1) STRING(\"a\") ELSE IF(n == 2) STRING(\"b\") END END",
            &["1a", "2b", "3"],
            &["1b", "3a"],
        ),
        (
            "SET(a[0] = 4, a[1,2] = \"x\") INT(0, 9, n) ASSERT(INARRAY(n, a) && INARRAY(\"x\", a))",
            &["4"],
            &["5"],
        ),
        ("SET(a[0] = 4, a[0] = 5) INT(0, 9, n) ASSERT(!INARRAY(n, a))", &["4"], &["5"]),
        ("SET(a = 1) UNSET(a) INT(0, 9, n) ASSERT(!INARRAY(n, a))", &["1"], &[]),
        ("INT(0, 9, n) ASSERT(!n < 3 && n != 7 || (n) + 1 == 1)", &["0", "5"], &["1", "7"]),
        ("INT(0, 9, n) ASSERT(((n - 1) * 2 > 4) && (n < 8))", &["4"], &["3", "8"]),
    ]);
}

#[test]
fn messages_name_both_places() {
    let found = ruling("INT(1, 9, n)\nNEWLINE\nREP(n, SPACE)\nINT(1, 5)\nEND\nNEWLINE", "2\n1 6\n");
    let why = "line 2, column 3: 6 is not in [1, 5]: expected `INT(1, 5)` in line 4 of the grammar";
    assert_eq!(found, Ruling::Invalid(why.to_owned()));
    let found = ruling("INT(1, 9, n) SPACE INT(1, m)", "1 1");
    let why =
        "`m` has no value: `INT(1, m)` in line 1 of the grammar, at line 1, column 3 of the input";
    assert_eq!(found, Ruling::Failed(why.to_owned()));
}

#[test]
fn faulty_grammars_name_their_line() {
    let rows = [
        ("INT(1, 2)\nINT(1", 2, "expected `,`, found the end of the file"),
        ("SPACE\n\nspace", 3, "expected a command, found `space`"),
        ("REP(3)\nSPACE", 2, "expected `END`, found the end of the file"),
        ("END", 1, "expected a command, found `END`"),
        ("STRING(\"a\nb", 1, "the string has no end: write `\"`"),
        ("INT(1, 007)", 1, "the integer `007` starts with a zero"),
        ("REP(2, REP(2)) END", 1, "expected a command without a block, found `REP`"),
        ("INT(1, $)", 1, "`$` is not part of the language"),
    ];
    for (grammar, wanted_line, wanted) in rows {
        match Grammar::read(grammar.as_bytes()) {
            Err(GrammarError::Syntax { line, what }) => {
                assert_eq!((line, what.as_str()), (wanted_line, wanted), "{grammar}");
            }
            other => panic!("{grammar}: {other:?}"),
        }
    }
}

#[test]
fn hostile_grammars_end() {
    let deep = format!("ASSERT({}1 == 1{})", "(".repeat(10_000), ")".repeat(10_000));
    assert!(Grammar::read(deep.as_bytes()).is_err());
    let fails = [
        "SET(a = 10^1000000000)",
        "SET(a = 2) REP(100) SET(a = a * a) END",
        "SET(a = 1 / 0)",
        "SET(a = 1.5 / 0.0)",
        "REGEX(\"((a{1000}){1000}){1000}\")",
        "REGEX(\"(a\")",
        "REP(-1) END",
        "SET(a = 1 + \"x\")",
    ];
    for grammar in fails {
        let found = ruling(grammar, "a");
        assert!(matches!(found, Ruling::Failed(_)), "{grammar}: {found:?}");
    }
    for chained in [
        format!("ASSERT({}1 > 0)", "1 + ".repeat(20_000)),
        format!("ASSERT({}1 > 0)", "1 * ".repeat(20_000)),
        format!("ASSERT(1{} > 0)", " ^ 1".repeat(20_000)),
        format!("ASSERT(1 > 0{})", " && 1 > 0".repeat(20_000)),
        format!("ASSERT(1 < 0{} || 1 > 0)", " || 1 < 0".repeat(20_000)),
    ] {
        assert_eq!(ruling(&chained, ""), Ruling::Valid);
    }
    let digits = "9".repeat(1_000_000);
    for grammar in ["INT(0, 1)", "FLOAT(0, 1)"] {
        let found = ruling(grammar, &digits);
        assert!(matches!(found, Ruling::Invalid(_)), "{grammar}: {found:?}");
    }
    assert!(Grammar::read(format!("INT(0, 1{})", &digits[..20_000]).as_bytes()).is_err());
    // Each value of 10,000 digits is short, and all of them are not.
    let large = "SET(a = 9^10000) REPI(i, 1000000) SET(b[i] = a + i) END";
    let found = ruling(large, "");
    let why = "the variables need more than 32 MiB of memory";
    assert!(matches!(&found, Ruling::Failed(text) if text.starts_with(why)), "{found:?}");
    let endless = Grammar::read(b"WHILE(1 == 1) END").unwrap();
    assert_eq!(endless.check(b"", Duration::from_millis(50)), Ruling::TimedOut);
}
