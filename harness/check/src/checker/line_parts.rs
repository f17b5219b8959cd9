//! The parts of a text that a rule for lines compares, where the text has to be read whole.

use std::borrow::Cow;

use super::number;
use super::window::is_blank;
use rejudge_problem::checker_spec::LineRule;

/// A part of a text, and its offset.
pub(super) type LocatedPart<'a> = (Cow<'a, [u8]>, usize);

/// The parts of a text that count under the rule, in the order in which they are compared.
pub(super) fn parts(text: &[u8], rule: LineRule) -> Box<dyn Iterator<Item = LocatedPart<'_>> + '_> {
    let mut next = 0;
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(move |line| {
        let at = next;
        next += line.len() + 1;
        (line, at)
    });
    let filled = lines.clone().filter(|(line, _)| !line.is_empty());
    match rule {
        LineRule::Letters => Box::new(letters(text)),
        LineRule::Sorted => {
            let words = filled.map(|(line, at)| {
                let words = line.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty());
                (Cow::Owned(words.collect::<Vec<_>>().join(&b' ')), at)
            });
            let mut all: Vec<LocatedPart<'_>> = words.collect();
            all.sort_unstable();
            Box::new(all.into_iter())
        }
        LineRule::SortedWords => {
            let mut all: Vec<LocatedPart<'_>> = words(text).collect();
            all.sort_unstable();
            Box::new(all.into_iter())
        }
        LineRule::FilledEnds => {
            Box::new(filled.map(|(line, at)| (Cow::Borrowed(line.trim_ascii_end()), at)))
        }
        LineRule::Filled => {
            Box::new(filled.map(|(line, at)| (Cow::Borrowed(line.trim_ascii()), at)))
        }
        LineRule::Hydro => Box::new(with_text(text, hydro_line).into_iter()),
        LineRule::Stripped => Box::new(stripped_lines(text)),
        LineRule::Decimal => Box::new(decimal_lines(text).into_iter()),
        LineRule::HydroStrict => Box::new(text_lines(text)),
        LineRule::Sinol => Box::new(with_text(text, sinol_line).into_iter()),
        _ => Box::new(lines.map(|(line, at)| (Cow::Borrowed(line.trim_ascii_end()), at))),
    }
}

/// The lines of a text, of which the last one may end without a line end, without `\r` at their ends.
fn text_lines(text: &[u8]) -> impl Iterator<Item = LocatedPart<'_>> {
    let mut next = 0;
    text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let at = next;
        next += line.len();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let end = line.iter().rposition(|byte| *byte != b'\r');
        (Cow::Borrowed(&line[..end.map_or(0, |last| last + 1)]), at)
    })
}

/// The lines of a text up to the last byte that is not a blank of Python.
fn stripped_lines(text: &[u8]) -> impl Iterator<Item = LocatedPart<'_>> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\x0b';
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(0, |last| last + 1);
    let mut next = 0;
    text[..end].split(|byte| *byte == b'\n').map(move |line| {
        let at = next;
        next += line.len() + 1;
        (Cow::Borrowed(line), at)
    })
}

/// The lines of a text between the first and the last that have text, without blanks around them. If all words of a line are
/// numbers, they are written in one way.
fn decimal_lines(text: &[u8]) -> Vec<LocatedPart<'_>> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\x0b';
    let trim = |line: &'_ [u8]| -> (usize, usize) {
        let start = line.iter().position(|byte| !is_blank(byte)).unwrap_or(line.len());
        let end = line.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
        (start, end)
    };
    let (start, end) = trim(text);
    let mut next = start;
    let lines = text[start..end].split(|byte| *byte == b'\n').map(|line| {
        let (first, last) = trim(line);
        let at = next + first;
        next += line.len() + 1;
        let line = &line[first..last];
        let words = line.split(is_blank).filter(|word| !word.is_empty());
        let numbers: Option<Vec<Vec<u8>>> = words.map(number::canonical).collect();
        let part = numbers.map_or(Cow::Borrowed(line), |words| Cow::Owned(words.join(&b' ')));
        (part, at)
    });
    lines.collect()
}

/// The words of a text.
fn words(text: &[u8]) -> impl Iterator<Item = LocatedPart<'_>> {
    let mut next = 0;
    let words = text.split(|byte| is_blank(*byte)).map(move |word| {
        let at = next;
        next += word.len() + 1;
        (Cow::Borrowed(word), at)
    });
    words.filter(|(word, _)| !word.is_empty())
}

/// All characters that are not blank, in lower case and sorted. Each has the offset of the first one that is equal.
fn letters(text: &[u8]) -> impl Iterator<Item = LocatedPart<'_>> {
    let (mut counts, mut first) = ([0_usize; 256], [0_usize; 256]);
    for (at, byte) in text.iter().enumerate().filter(|(_, byte)| !is_blank(**byte)) {
        let byte = usize::from(byte.to_ascii_lowercase());
        if counts[byte] == 0 {
            first[byte] = at;
        }
        counts[byte] += 1;
    }
    (0..=u8::MAX).flat_map(move |byte| {
        let part = (Cow::Owned(vec![byte]), first[usize::from(byte)]);
        std::iter::repeat_n(part, counts[usize::from(byte)])
    })
}

/// The lines of a text up to the last that `read` finds something in. It returns `None` for an empty line.
fn with_text(text: &[u8], read: fn(&[u8]) -> Option<Cow<'_, [u8]>>) -> Vec<LocatedPart<'_>> {
    let mut found: Vec<LocatedPart<'_>> = Vec::new();
    let (mut next, mut kept) = (0, 0);
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    for line in text.split(|byte| *byte == b'\n') {
        let read = read(line);
        let has_text = read.is_some();
        found.push((read.unwrap_or_default(), next));
        next += line.len() + 1;
        if has_text {
            kept = found.len();
        }
    }
    found.truncate(kept);
    found
}

/// A line without the blanks at its end, of which a form feed is none. A line of blanks is not empty.
fn hydro_line(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    let cut = |blanks: &[u8]| {
        let end = line.iter().rposition(|byte| !blanks.contains(byte));
        &line[..end.map_or(0, |last| last + 1)]
    };
    (!cut(b"\r").is_empty()).then(|| Cow::Borrowed(cut(b" \t\r")))
}

/// The words of a line with one blank between them. NUL is a blank, a form feed is none.
fn sinol_line(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    let words = line.split(|byte| matches!(byte, 0 | b'\t' | b'\x0b' | b'\r' | b' '));
    let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| Cow::Owned(words.join(&b' ')))
}
