//! Commands to a CI or a terminal, and the text that is shown for them.

use proptest::prelude::*;

use super::*;
use crate::show::hostile::{self, obeyed};

#[test]
fn a_command_of_a_ci_gets_a_backslash() {
    for (text, shown) in [
        ("plain: a::b, a ##b, --- not at the start", "plain: a::b, a ##b, --- not at the start"),
        ("::error file=a::b", ":\\:error file=a::b"),
        (" \t\u{a0}\u{3000}::error::x", " \t\u{a0}\u{3000}:\\:error::x"),
        ("a\n  ::stop-commands::x", "a\n  :\\:stop-commands::x"),
        ("a ##[error]x", "a ##\\[error]x"),
        ("###[group]x", "###\\[group]x"),
        ("##vso[task.complete]", "##\\vso[task.complete]"),
        ("a ##teamcity[buildStop]", "a ##teamcity\\[buildStop]"),
        ("section_start:1:x\r\x1b[0Kx", "section_start\\:1:x\\r\\x1b[0Kx"),
        ("\x1b[8mha:AAA", "\\x1b[8mha:AAA"),
        (":\x1b[0m:error::", ":\x1b[0m\\:error::"),
        ("\x1b[1;31m::error::\x1b[0m", "\x1b[1;31m:\\:error::\x1b[0m"),
        ("a\u{202e}b\u{fffe}c\x07", "a\\u{202e}b\\u{fffe}c\\x07"),
    ] {
        let shown = shown.replace("##\\vso[", "##vso\\[");
        assert_eq!(inert_on(text, false), shown, "{text:?}");
        assert_eq!(inert_on(text, true), shown, "{text:?}");
    }
}

#[test]
fn what_folds_the_log_of_buildkite_gets_a_backslash_only_there() {
    let text = "--- a\n+++ b\n  ~~~ c\n    ^^^^^\n^^^ +++\n";
    let shown = "--\\- a\n++\\+ b\n  ~~\\~ c\n    ^^\\^^^\n^^\\^ +++\n";
    assert_eq!(inert_on(text, true), shown);
    assert_eq!(inert_on(text, false), text);
}

#[test]
fn every_style_of_our_own_passes() {
    for style in [
        "\x1b[0m",
        "\x1b[1m",
        "\x1b[2m",
        "\x1b[4m",
        "\x1b[7m",
        "\x1b[31m",
        "\x1b[92m",
        "\x1b[7m\x1b[31m",
    ] {
        assert_eq!(inert(style), style);
    }
}

#[test]
fn ordinary_messages_stay_as_they_are() {
    for text in [
        "{\"a\":\"b::c\",\"n\":[1,2]}\n",
        "  --> a.rs:1:2\n   |\n 1 | fn f() -> ::std::io::Result<()>\n",
        "\u{1b}[1m\u{1b}[31mFAIL\u{1b}[0m  größe ✓\n\n\t- x\n",
        "a.cpp:1:1: error: `::x` -- y\n",
        "    return x[1]\n           ~^^^\n    ^^^^^\n",
    ] {
        assert_eq!(inert(text), text);
    }
}

proptest! {
    #[test]
    fn nothing_is_executed_however_the_writes_are_split(text in hostile::text(), cut in 0_usize..64) {
        let whole = inert_on(&text, true);
        prop_assert_eq!(obeyed(&whole), None);
        prop_assert_eq!(hostile::folded(&whole), None);
        prop_assert_eq!(inert_on(&whole, true), whole.clone());
        prop_assert_eq!(obeyed(&inert_on(&text, false)), None);
        let mut out = Vec::new();
        let mut stream = Inert::on(&mut out, true);
        for part in text.as_bytes().chunks(cut.max(1)) {
            stream.write_all(part).unwrap();
        }
        stream.flush().unwrap();
        prop_assert_eq!(String::from_utf8(out).unwrap(), whole);
    }
}
