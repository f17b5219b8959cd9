//! A recording as a picture that moves: one screen after another, by the style of the picture, without a script.
//!
//! Readers who asked for less motion see the last screen.

use std::fmt::Write as _;

use vt100::Screen;

use super::svg::{Theme, frame, texts};

/// How long a screen is seen, in milliseconds: while a character is typed, while the program works, and at the end.
const TYPED: u32 = 150;
const WORKING: u32 = 600;
const LAST: u32 = 7000;

/// The most screens of the program at work.
const MOST: usize = 12;

/// The picture of a recording.
pub(super) fn picture(screens: &[Screen], theme: Theme, about: &str) -> String {
    let shown = thinned(&distinct(screens));
    let Some((last, others)) = shown.split_last() else { return String::new() };
    let lengths = others.iter().map(|screen| if is_typed(screen) { TYPED } else { WORKING });
    let lengths: Vec<u32> = lengths.collect();
    let end: u32 = lengths.iter().sum();
    let whole = end + LAST;
    let part = |at: u32| f64::from(at) * 100.0 / f64::from(whole);
    let mut style = String::from("<style>\n.f{visibility:hidden}\n");
    let mut body = String::new();
    let mut from = 0;
    for (number, (screen, length)) in others.iter().zip(lengths).enumerate() {
        let (start, stop) = (part(from), part(from + length));
        let before = if from == 0 { String::new() } else { "0%{visibility:hidden}".to_owned() };
        let _ = writeln!(
            style,
            "@keyframes f{number}{{{before}{start:.2}%{{visibility:visible}}{stop:.2}%{{visibility:hidden}}}}\n\
             .f{number}{{animation:f{number} {whole}ms step-end infinite}}"
        );
        let _ = write!(body, "<g class=\"f f{number}\">\n{}</g>\n", texts(screen, theme, " "));
        from += length;
    }
    let _ = write!(
        style,
        "@keyframes l{{0%{{visibility:hidden}}{:.2}%{{visibility:visible}}}}\n.l{{animation:l {whole}ms step-end infinite}}\n\
         @media (prefers-reduced-motion:reduce){{.f,.l{{animation:none}}}}\n</style>\n",
        part(end)
    );
    let _ = write!(body, "<g class=\"l\">\n{}</g>\n", texts(last, theme, ""));
    frame(last, theme, about, &style, &body)
}

/// Whether nothing but a command stands on the screen.
fn is_typed(screen: &Screen) -> bool {
    screen.contents().lines().count() <= 1
}

/// All screens of what is typed, [`MOST`] at equal distances of the program at work, and the last one.
fn thinned<'a>(screens: &[&'a Screen]) -> Vec<&'a Screen> {
    let typed = screens.iter().take_while(|screen| is_typed(screen)).count();
    let working = screens.len().saturating_sub(typed + 1);
    let step = working.div_ceil(MOST).max(1);
    let is_kept =
        |at: usize| at < typed || at + 1 == screens.len() || (at - typed).is_multiple_of(step);
    (0..screens.len()).filter(|at| is_kept(*at)).map(|at| screens[at]).collect()
}

/// The screens that say something else than the one before: not those in which only the sign of work or the time moved.
fn distinct(screens: &[Screen]) -> Vec<&Screen> {
    let said = |screen: &Screen| -> Vec<String> {
        let is_shown = |word: &&str| {
            let time = word.strip_suffix('s').is_some_and(|word| word.parse::<u32>().is_ok());
            !time && word.chars().any(|character| character.is_ascii_graphic())
        };
        screen.contents().split_whitespace().filter(is_shown).map(str::to_owned).collect()
    };
    let mut shown: Vec<&Screen> = Vec::new();
    for screen in screens {
        match shown.last_mut() {
            // The newest of those that say the same.
            Some(last) if said(last) == said(screen) => *last = screen,
            _ => shown.push(screen),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::pictures::svg::masked_text;

    #[test]
    fn screens_that_say_the_same_are_one_and_the_last_is_compared() {
        let size = |number| NonZeroU16::new(number).unwrap();
        let screen = |text: &str| {
            let mut terminal = vt100::Parser::new(size(4), size(40), 0);
            terminal.process(text.as_bytes());
            terminal.screen().clone()
        };
        let texts =
            ["$ a", "$ ab", "$ ab\r\n⠁ 0s round 1", "$ ab\r\n⠉ 1s round 1", "$ ab\r\nfound 2 <"];
        let screens = texts.map(screen);
        assert_eq!(distinct(&screens).len(), 4);
        let picture = picture(&screens, Theme::Dark, "x");
        assert_eq!(masked_text(&picture), "$ ab\nfound 2 &lt;");
        assert_eq!(picture.matches("@keyframes").count(), 4, "{picture}");
        assert!(picture.contains(".f2{animation:f2 7900ms step-end infinite}"), "{picture}");
    }
}
