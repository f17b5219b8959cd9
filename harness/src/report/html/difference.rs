//! A difference between an output and its answer in the colours of the terminal, whether it was drawn with colours or
//! with carets: both are read back to the same texts.

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthChar as _;

use crate::show::page::clean;

/// The most lines and the most texts of a difference that the page shows.
const LINES: usize = 40;
const TEXTS: usize = 400;

/// What the coloured drawing begins a text with: the sequences of the module `diff`.
const SEQUENCES: [(&str, SequenceEffect); 4] = [
    ("\u{1b}[31m", SequenceEffect::Side(DifferenceSide::Expected)),
    ("\u{1b}[32m", SequenceEffect::Side(DifferenceSide::Got)),
    ("\u{1b}[7m", SequenceEffect::Mark),
    ("\u{1b}[0m", SequenceEffect::Reset),
];

/// What a sequence changes.
#[derive(Debug, Clone, Copy)]
enum SequenceEffect {
    Side(DifferenceSide),
    Mark,
    Reset,
}

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum DifferenceSide {
    #[default]
    Both,
    Expected,
    Got,
}

/// A text in one colour.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct DifferenceText {
    side: DifferenceSide,
    /// Whether it differs; the rest of its line gives the context.
    is_marked: bool,
    text: String,
}

/// A difference as the page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShownDifference(Vec<DifferenceText>);

impl ShownDifference {
    /// Reads a difference as the module `diff` draws it, or as a report stores it.
    pub(super) fn of(drawn: &str) -> Self {
        let mut lines = drawn.lines().take(LINES).peekable();
        let mut texts = Vec::new();
        while let Some(line) = lines.next() {
            if line.contains('\u{1b}') {
                texts.append(&mut coloured_line(line));
            } else {
                let marks = lines.peek().and_then(|next| marks(line, next));
                if marks.is_some() {
                    lines.next();
                }
                texts.append(&mut plain_line(line, marks));
            }
            texts.push(DifferenceText { text: "\n".to_owned(), ..DifferenceText::default() });
        }
        texts.truncate(TEXTS);
        texts.pop_if(|last| last.text == "\n");
        Self(joined(texts))
    }

    /// The texts as pairs for the script: `e` and `g` are what was expected and what the program printed, and an `m`
    /// after it marks what differs.
    pub(super) fn json(&self) -> Value {
        self.0.iter().map(|text| json!([text.class(), text.text])).collect()
    }

    /// The texts as markup.
    pub(super) fn markup(&self) -> Markup {
        html! {
            pre.difference {
                (PreEscaped("\n"))
                @for text in &self.0 {
                    @match (text.side, text.is_marked) {
                        (DifferenceSide::Both, _) => (text.text),
                        (DifferenceSide::Expected, false) => span.is-expected { (text.text) },
                        (DifferenceSide::Expected, true) => mark.is-expected { (text.text) },
                        (DifferenceSide::Got, false) => span.is-got { (text.text) },
                        (DifferenceSide::Got, true) => mark.is-got { (text.text) },
                    }
                }
            }
        }
    }
}

impl DifferenceText {
    fn class(&self) -> &'static str {
        match (self.side, self.is_marked) {
            (DifferenceSide::Both, _) => "",
            (DifferenceSide::Expected, false) => "e",
            (DifferenceSide::Expected, true) => "em",
            (DifferenceSide::Got, false) => "g",
            (DifferenceSide::Got, true) => "gm",
        }
    }
}

/// A line with the sequences of the terminal. Any other sequence is foreign text, which becomes visible.
fn coloured_line(mut line: &str) -> Vec<DifferenceText> {
    let mut texts = vec![DifferenceText::default()];
    while !line.is_empty() {
        let own = texts.last_mut().expect("there is a first text");
        let found = SEQUENCES
            .iter()
            .find_map(|(sequence, change)| line.strip_prefix(sequence).map(|rest| (rest, change)));
        let Some((rest, change)) = found else {
            let first = line.chars().next().map_or(0, char::len_utf8);
            let end = line[first..].find('\u{1b}').map_or(line.len(), |at| at + first);
            own.text.push_str(&line[..end]);
            line = &line[end..];
            continue;
        };
        line = rest;
        let (side, is_marked) = match change {
            SequenceEffect::Side(side) => (*side, own.is_marked),
            SequenceEffect::Mark => (own.side, true),
            SequenceEffect::Reset => (DifferenceSide::Both, false),
        };
        texts.push(DifferenceText { side, is_marked, text: String::new() });
    }
    texts
}

/// A line without colours; `marks` are the carets below it.
fn plain_line(line: &str, marks: Option<&str>) -> Vec<DifferenceText> {
    let side = match line.as_bytes() {
        [b' ', b' ', b'-', b' ', ..] => DifferenceSide::Expected,
        [b' ', b' ', b'+', b' ', ..] => DifferenceSide::Got,
        _ => DifferenceSide::Both,
    };
    let Some((number, content)) = line.split_once(" | ").filter(|_| side != DifferenceSide::Both)
    else {
        return vec![DifferenceText { side, text: line.to_owned(), ..DifferenceText::default() }];
    };
    let text = |side, is_marked, text: String| DifferenceText { side, is_marked, text };
    let mut texts = vec![
        text(DifferenceSide::Both, false, number[..2].to_owned()),
        text(side, false, number[2..3].to_owned()),
        text(DifferenceSide::Both, false, format!("{} | ", &number[3..])),
    ];
    let marks = marks.unwrap_or_default().as_bytes();
    let mut column = 0;
    for character in content.chars() {
        let is_marked = marks.get(column) == Some(&b'^');
        column += character.width().unwrap_or(0);
        texts.push(text(side, is_marked, character.to_string()));
    }
    texts
}

/// The carets of the line `below`, if it marks what differs in `line`: in columns of what follows the number.
fn marks<'a>(line: &str, below: &'a str) -> Option<&'a str> {
    let is_drawn = |line: &str| line.starts_with("  - ") || line.starts_with("  + ");
    let at = line.find(" | ").filter(|_| is_drawn(line))?;
    let (blank, carets) =
        below.split_at_checked(at + 3).or_else(|| below.split_at_checked(at + 2))?;
    let is_blank = blank.trim_end().strip_suffix('|').is_some_and(|blank| blank.trim().is_empty());
    (is_blank && carets.contains('^') && carets.bytes().all(|byte| b" ^".contains(&byte)))
        .then_some(carets)
}

/// The texts with equal neighbours joined, cleaned, and without empty ones.
fn joined(texts: Vec<DifferenceText>) -> Vec<DifferenceText> {
    let mut joined: Vec<DifferenceText> = Vec::new();
    for text in texts.into_iter().filter(|text| !text.text.is_empty()) {
        match joined.last_mut() {
            Some(last) if (last.side, last.is_marked) == (text.side, text.is_marked) => {
                last.text += &text.text;
            }
            _ => joined.push(text),
        }
    }
    for text in &mut joined {
        let lines = text.text.split('\n').map(clean::name);
        text.text = lines.collect::<Vec<_>>().join("\n");
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(drawn: &str) -> String {
        let texts = ShownDifference::of(drawn).0;
        let texts = texts.iter().map(|text| format!("{}<{}>", text.class(), text.text));
        texts.collect::<Vec<_>>().concat()
    }

    #[test]
    fn colours_and_carets_are_read_back_to_the_same_texts() {
        let carets =
            "line 1, column 3\n    1 | 0\n  - 2 | 1 2 3\n      |   ^\n  + 2 | 1 é4 3\n      |   ^^";
        let colours = "line 1, column 3\n    1 | 0\n  \x1b[31m-\x1b[0m 2 | \x1b[31m1 \x1b[0m\x1b[7m\x1b[31m2\x1b[0m\x1b[31m 3\x1b[0m\n  \
             \x1b[32m+\x1b[0m 2 | \x1b[32m1 \x1b[0m\x1b[7m\x1b[32mé4\x1b[0m\x1b[32m 3\x1b[0m";
        let texts = "<line 1, column 3\n    1 | 0\n  >e<->< 2 | >e<1 >em<2>e< 3><\n  >g<+>< 2 | >g<1 >gm<é4>g< 3>";
        assert_eq!(shown(carets), texts);
        assert_eq!(shown(colours), texts);
    }

    #[test]
    fn foreign_texts_stay_text() {
        for (drawn, texts) in [
            ("1 | -5\n1 | +6", "<1 | -5\n1 | +6>"),
            ("  - | \n  ^", "<  >e<-><"),
            ("  - 1 | \x1b[31ma\x1b[5m", "<  - 1 | >e<a\\x1b[5m>"),
            ("\x1b", "<\\x1b>"),
            ("", ""),
        ] {
            assert!(shown(drawn).starts_with(texts), "{drawn:?}: {}", shown(drawn));
        }
        let long = "\x1b[31m-\x1b[0m".repeat(10_000);
        assert!(ShownDifference::of(&format!("{long}\n").repeat(100)).0.len() <= TEXTS);
    }
}
