//! Foreign text as the page shows it: bounded, and without characters that control, hide or reorder what is around.

use crate::printable::{one_line, paragraph};

/// The most characters of a name.
const NAME: usize = 500;

/// The most bytes of a text, and the most characters of one of its lines.
const TEXT: usize = 64 << 10;
const LINE: usize = 2000;

/// A name on one line.
pub(crate) fn name(text: &str) -> String {
    one_line(text.as_bytes(), NAME)
}

/// A text of several lines.
pub(crate) fn text(text: &str) -> String {
    let shown = paragraph(text.as_bytes(), TEXT);
    if shown.lines().all(|line| line.len() <= LINE) {
        return shown;
    }
    let lines = shown.lines().map(|line| one_line(line.as_bytes(), LINE));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn long_and_hostile_texts_are_cut_and_made_visible() {
        assert_eq!(super::name("a\u{202e}\n\0b"), "a\\u{202e}\\n\\x00b");
        assert_eq!(super::text("a\u{202e}\n\0b"), "a\\u{202e}\n\\x00b");
        let long = super::text(&format!("a\n{}", "x".repeat(10 << 20)));
        assert!(long.len() < 3000 && long.ends_with("x…"), "{}", long.len());
    }
}
