//! A screen as a picture.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

/// The width of a character and the height of a line, in pixels.
const WIDTH: f64 = 8.4;
const HEIGHT: u32 = 19;
const MARGIN: u32 = 14;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Theme {
    Light,
    Dark,
}

impl Theme {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Ground and text.
    fn plain(self) -> (&'static str, &'static str) {
        match self {
            Self::Light => ("#f6f8fa", "#1f2328"),
            Self::Dark => ("#161b22", "#e6edf3"),
        }
    }

    /// The eight colours of a terminal, with a contrast of at least 4.5 to the ground.
    fn color(self, index: u8) -> Option<&'static str> {
        let all = match self {
            Self::Light => [
                "#24292f", "#b31d28", "#116329", "#7d4e00", "#0550ae", "#8250df", "#1b6c72",
                "#57606a",
            ],
            Self::Dark => [
                "#8b949e", "#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd",
                "#b1bac4",
            ],
        };
        all.get(usize::from(index % 8)).copied().filter(|_| index < 16)
    }
}

/// Characters of a line that look alike.
#[derive(Debug, PartialEq)]
struct Span {
    column: u16,
    text: String,
    color: Option<u8>,
    is_bold: bool,
    is_dim: bool,
}

impl Span {
    fn starting(column: u16, cell: &Cell) -> Self {
        let color = match cell.fgcolor() {
            Color::Idx(index) => Some(index),
            Color::Default | Color::Rgb(..) => None,
        };
        Self { column, text: String::new(), color, is_bold: cell.bold(), is_dim: cell.dim() }
    }

    fn looks_like(&self, other: &Self) -> bool {
        (self.color, self.is_bold, self.is_dim) == (other.color, other.is_bold, other.is_dim)
    }
}

/// The lines of the screen up to the last one with a text.
fn lines(screen: &Screen) -> Vec<Vec<Span>> {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let line = |row: u16| {
        let mut spans: Vec<Span> = Vec::new();
        for column in 0..columns {
            let Some(cell) = screen.cell(row, column) else { continue };
            let mut span = Span::starting(column, cell);
            let text = if cell.has_contents() { cell.contents() } else { " " };
            if let Some(last) = spans.last_mut().filter(|last| last.looks_like(&span)) {
                last.text.push_str(text);
            } else {
                span.text.push_str(text);
                spans.push(span);
            }
        }
        for span in &mut spans {
            // The place says where the text starts, so it needs no spaces.
            let text = span.text.trim_start_matches(' ');
            span.column += u16::try_from(span.text.len() - text.len()).unwrap_or(0);
            span.text = text.trim_end().to_owned();
        }
        spans.retain(|span| !span.text.is_empty());
        spans
    };
    let mut lines: Vec<_> = (0..rows).map(line).collect();
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

/// The picture of a screen.
pub(super) fn picture(screen: &Screen, theme: Theme, about: &str) -> String {
    frame(screen, theme, about, "", &texts(screen, theme, ""))
}

/// A picture of the size of `screen`: the ground, and `texts` on it.
pub(super) fn frame(
    screen: &Screen,
    theme: Theme,
    about: &str,
    style: &str,
    texts: &str,
) -> String {
    let width = WIDTH.mul_add(f64::from(screen.size().1.get()), f64::from(2 * MARGIN)).ceil();
    let height = HEIGHT * u32::try_from(lines(screen).len()).unwrap_or(0) + 2 * MARGIN;
    let (ground, text) = theme.plain();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{}</title>\n{style}\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{ground}\"/>\n\
         <g font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" font-size=\"14\" fill=\"{text}\" xml:space=\"preserve\">\n\
         {texts}</g>\n</svg>\n",
        escaped(about)
    )
}

/// The lines of a screen, each after `indent`.
pub(super) fn texts(screen: &Screen, theme: Theme, indent: &str) -> String {
    let mut svg = String::new();
    for (row, spans) in (0_u32..).zip(&lines(screen)) {
        let y = MARGIN + HEIGHT * row + 14;
        if spans.is_empty() {
            continue;
        }
        let _ = write!(svg, "{indent}<text y=\"{y}\">");
        for span in spans {
            let x = WIDTH.mul_add(f64::from(span.column), f64::from(MARGIN));
            let length = WIDTH * f64::from(u16::try_from(span.text.chars().count()).unwrap_or(0));
            let _ = write!(svg, "<tspan x=\"{x:.1}\" textLength=\"{length:.1}\"");
            if let Some(color) = span.color.and_then(|index| theme.color(index)) {
                let _ = write!(svg, " fill=\"{color}\"");
            }
            if span.is_bold {
                svg.push_str(" font-weight=\"bold\"");
            }
            if span.is_dim {
                svg.push_str(" opacity=\"0.7\"");
            }
            let _ = write!(svg, ">{}</tspan>", escaped(&span.text));
        }
        svg.push_str("</text>\n");
    }
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The text of a picture, with `#` for each number that has a unit of time or memory or counts runs, and for the name in
/// parentheses after a time: two cases take turns at being the slowest.
pub(super) fn masked_text(svg: &str) -> String {
    let lines = svg.lines().filter(|line| line.starts_with("<text "));
    let texts = lines.map(|line| {
        let parts = line.split("<tspan ").skip(1);
        let parts =
            parts.filter_map(|part| Some(part.split_once('>')?.1.split_once("</tspan>")?.0));
        let words: Vec<&str> = parts.flat_map(str::split_whitespace).collect();
        let is_number = |word: &str| word.parse::<f64>().is_ok();
        let mask = |(index, word): (usize, &&str)| {
            let next = words.get(index + 1).map(|next| next.trim_end_matches([',', ')']));
            let has_unit = next.is_some_and(|next| {
                ["s", "ms", "MiB", "runs", "texts", "generated"].contains(&next)
            });
            let before = index.checked_sub(1).and_then(|before| words.get(before));
            if has_unit && is_number(word) {
                "#".to_owned()
            } else if before.is_some_and(|before| ["s", "ms"].contains(before))
                && let Some((_, rest)) =
                    word.strip_prefix('(').and_then(|word| word.split_once(')'))
            {
                format!("(#){rest}")
            } else {
                (*word).to_owned()
            }
        };
        words.iter().enumerate().map(mask).collect::<Vec<_>>().join(" ")
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    fn screen(text: &str) -> Screen {
        let mut terminal =
            vt100::Parser::new(NonZeroU16::new(4).unwrap(), NonZeroU16::new(40).unwrap(), 0);
        terminal.process(text.as_bytes());
        terminal.screen().clone()
    }

    #[test]
    fn a_picture_has_the_text_and_the_colours_of_the_screen() {
        let screen =
            screen("working\r\x1b[K\x1b[31mFAIL\x1b[0m  a<b  0.012 s, 13.4 MiB\r\n\r\nend");
        let dark = picture(&screen, Theme::Dark, "a & b");
        assert!(dark.contains("fill=\"#ff7b72\">FAIL</tspan>"), "{dark}");
        assert!(dark.contains("<title>a &amp; b</title>") && !dark.contains("working"), "{dark}");
        assert_eq!(masked_text(&dark), "FAIL a&lt;b # s, # MiB\nend");
        let light = picture(&screen, Theme::Light, "");
        assert_eq!(masked_text(&light), masked_text(&dark));
        assert_ne!(light, dark);
    }

    #[test]
    fn which_case_was_the_slowest_does_not_count() {
        let [small, large] = ["small", "large"].map(|case| {
            let line = format!("1 of 2 cases (all) accepted, slowest 0.012 s ({case}), 13.4 MiB");
            masked_text(&picture(&screen(&line), Theme::Dark, ""))
        });
        assert_eq!(small, large);
        assert!(small.contains("(all) accepted") && small.contains("(#)"), "{small}");
    }
}
