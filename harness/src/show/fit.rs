//! Makes text fit the columns of a terminal. A column is what a terminal shows, not a byte and not a character.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// `text` with blanks after it, up to `columns` columns.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

/// The end of a text, with `…` before it if it has more than `most` columns.
pub(crate) fn ending_of(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let starts = text.char_indices().map(|(at, _)| at);
    let mut ends = starts.filter(|at| text[*at..].width() < most);
    format!("…{}", ends.next().map_or("", |at| &text[at..]))
}

/// The start of a text, with `…` after it if it has more than `most` columns.
pub(crate) fn start_of(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(at, _)| at);
    let start = ends.take_while(|at| text[..*at].width() < most).last();
    format!("{}…", &text[..start.unwrap_or(0)])
}

/// The text in lines of at most `columns` columns. A longer line is continued on the next one, at a blank outside back
/// quotes if possible, and indented. Styles may be in the text; they have no width.
pub(crate) fn fitted(text: &str, columns: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        fit_line(line, columns.max(20), &mut out);
    }
    out
}

/// A part of a line: a character, or a style, which has no width.
struct LinePart<'a> {
    text: &'a str,
    columns: usize,
}

fn parts(mut line: &str) -> Vec<LinePart<'_>> {
    let mut parts = Vec::new();
    while let Some(first) = line.chars().next() {
        let style = line.strip_prefix("\x1b[").and_then(|rest| rest.find('m'));
        let length = style.map_or(first.len_utf8(), |at| at + 3);
        let columns = if style.is_some() { 0 } else { first.width().unwrap_or(0) };
        let (text, rest) = line.split_at(length);
        parts.push(LinePart { text, columns });
        line = rest;
    }
    parts
}

fn fit_line(line: &str, columns: usize, out: &mut String) {
    let parts = parts(line);
    if parts.iter().map(|part| part.columns).sum::<usize>() <= columns {
        out.push_str(line);
        return;
    }
    let blanks = parts.iter().filter(|part| part.columns > 0);
    let indent = blanks.take_while(|part| part.text == " ").count();
    // A line of results starts with a word of four letters and two blanks.
    let hanging = if indent == 0 { 6 } else { indent + 2 }.min(columns / 2);
    let mut rest = parts.as_slice();
    let mut room = columns;
    loop {
        let end = row_end(rest, room);
        out.extend(rest[..end].iter().map(|part| part.text));
        rest = &rest[end..];
        while rest.first().is_some_and(|part| part.text == " ") {
            rest = &rest[1..];
        }
        if rest.iter().all(|part| part.columns == 0) {
            out.extend(rest.iter().map(|part| part.text));
            return;
        }
        out.push('\n');
        out.push_str(&" ".repeat(hanging));
        room = columns - hanging;
    }
}

/// The number of parts of the next row of at most `room` columns.
fn row_end(parts: &[LinePart<'_>], room: usize) -> usize {
    let (mut used, mut text_begun, mut quoted) = (0, false, false);
    let (mut anywhere, mut outside_quotes) = (None, None);
    for (index, part) in parts.iter().enumerate() {
        if part.text == " " && text_begun {
            anywhere = Some(index);
            if !quoted && !is_within_value(parts, index) {
                outside_quotes = anywhere;
            }
        }
        used += part.columns;
        if used > room {
            return outside_quotes.or(anywhere).unwrap_or(index.max(1));
        }
        text_begun |= part.columns > 0 && part.text != " ";
        quoted ^= part.text == "`";
    }
    parts.len()
}

/// What a number is counted in: a line is not broken before it.
const UNITS: [&str; 8] = ["s", "ms", "B", "KiB", "MiB", "GiB", "%", "×"];

/// Whether the blank at this place stands between a number and its unit.
fn is_within_value(parts: &[LinePart<'_>], blank: usize) -> bool {
    let before = parts[..blank].iter().rev().find(|part| part.columns > 0);
    if !before.is_some_and(|part| part.text.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    let after = parts[blank + 1..].iter().filter(|part| part.columns > 0);
    let word: String = after.take_while(|part| part.text != " ").map(|part| part.text).collect();
    UNITS.contains(&word.trim_end_matches([',', ';', ')', '.', '\n']))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_line_is_continued_at_a_blank_and_indented() {
        let table = [
            ("short\n", "short\n"),
            ("ok    a b c d e f g h i\n", "ok    a b c d e f g\n      h i\n"),
            ("  1234 6789 1234 6789\n", "  1234 6789 1234\n    6789\n"),
            ("123456789012345678901234", "12345678901234567890\n      1234"),
            ("use `a b c` or `d e f g`", "use `a b c` or\n      `d e f g`"),
            ("slowest 0.048 s of 10 s, b", "slowest 0.048 s of\n      10 s, b"),
            ("1234567890 12345 13.1 MiB", "1234567890 12345\n      13.1 MiB"),
            ("一二三四五 六七八九十一", "一二三四五\n      六七八九十一"),
            ("\x1b[2m1234567890 1234567890\x1b[0m", "\x1b[2m1234567890\n      1234567890\x1b[0m"),
        ];
        for (text, expected) in table {
            assert_eq!(fitted(text, 20), expected, "{text}");
        }
        assert_eq!(padded("一", 4), "一  ");
        assert_eq!(padded("abcd", 2), "abcd");
        assert_eq!([start_of("abcd", 4), start_of("abcde", 4)], ["abcd", "abc…"]);
        assert_eq!([ending_of("一二", 4), ending_of("一二三", 4)], ["一二", "…三"]);
    }

    proptest! {
        #[test]
        fn every_line_fits_and_nothing_but_blanks_is_lost(text in "( |a|`|一|é|\n){0,200}", columns in 20..60_usize) {
            let fitted = fitted(&text, columns);
            for line in fitted.lines() {
                prop_assert!(line.width() <= columns, "{line}");
            }
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(bare(&fitted), bare(&text));
        }
    }
}
