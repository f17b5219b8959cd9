//! Labels and percentages that the text report and the Markdown report share.

use rejudge_statistics::{Decision, Quantity};

/// The decision about a case, in one word.
pub(super) const fn decision_label(quantity: Quantity, decision: &Decision) -> &'static str {
    match decision {
        Decision::Pass => "same",
        Decision::Improvement => "better",
        Decision::Regression => regression_label(quantity),
        Decision::Inconclusive(_) => "unclear",
    }
}

/// The label of a regression.
pub(super) const fn regression_label(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::CpuTime | Quantity::WallTime => "slower",
        Quantity::Memory | Quantity::Instructions => "more",
    }
}

/// A change with its sign, if it is one: `+1.23 %`. Two decimals below 10 %, because a threshold may have two.
pub(in crate::bench) fn signed_percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    match percent.abs() {
        size if size < 0.005 => "0.00 %".to_owned(),
        size if size < 9.995 => format!("{percent:+.2} %"),
        _ => format!("{percent:+.1} %"),
    }
}

/// A percentage without a sign: `2.1 %`.
pub(super) fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    let decimals = if percent < 1.0 { 2 } else { 1 };
    format!("{percent:.decimals$} %")
}

/// `a slowdown of 2.1 % or more would have been seen`.
pub(super) fn detectable_line(quantity: Quantity, detectable: f64) -> String {
    let noun = match quantity {
        Quantity::CpuTime | Quantity::WallTime => "a slowdown of",
        Quantity::Memory => "a growth of memory of",
        Quantity::Instructions => "an increase of instructions of",
    };
    format!("{noun} {} or more would have been seen", percent(detectable))
}

/// `3.1 % subtracted: the base differs from itself`.
pub(super) fn subtraction_note(subtracted: f64) -> String {
    let size = percent(subtracted);
    format!("{size} subtracted: the base differs from itself")
}

/// The width of the widest name, in columns.
pub(super) fn widest<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(unicode_width::UnicodeWidthStr::width).max().unwrap_or(0)
}

/// The name, followed by blanks up to this width.
pub(super) fn padded(name: &str, width: usize) -> String {
    let gap = width.saturating_sub(unicode_width::UnicodeWidthStr::width(name));
    format!("{name}{}", " ".repeat(gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_a_sign() {
        assert_eq!(signed_percent(0.0123), "+1.23 %");
        assert_eq!(signed_percent(-0.25), "-25.0 %");
        assert_eq!([0.0, -0.000_01].map(signed_percent), ["0.00 %", "0.00 %"]);
        assert_eq!(percent(0.0214), "2.1 %");
    }
}
