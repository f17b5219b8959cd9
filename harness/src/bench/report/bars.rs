//! Bars made of characters.

/// Length of the longest bar, in columns.
const BAR: f64 = 12.0;

/// A bar with a resolution of an eighth of a column.
pub(super) fn bar(value: f64, longest: f64) -> String {
    const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
    if longest <= 0.0 || value <= 0.0 {
        return String::new();
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the length of the longest bar"
    )]
    let eighths = (BAR * 8.0 * value / longest).round().clamp(1.0, BAR * 8.0) as usize;
    let mut bar = "█".repeat(eighths / 8);
    if let Some(rest) = (eighths % 8).checked_sub(1) {
        bar.push(EIGHTHS[rest]);
    }
    bar
}

/// A bar to the right of the line for an increase, to the left for a decrease. One column is one per cent; the bar has
/// at most six columns.
pub(super) fn change_bar(effect: f64) -> String {
    const MOST: f64 = 6.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between zero and six"
    )]
    let columns = (100.0 * effect.abs()).round().min(MOST) as usize;
    let (left, right) = if effect < 0.0 { (columns, 0) } else { (0, columns) };
    let most = 6;
    format!("{}{}│{}", " ".repeat(most - left), "█".repeat(left), "█".repeat(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_bar_is_proportional_to_its_value() {
        assert_eq!(bar(1.0, 1.0), "████████████");
        assert_eq!(bar(0.5, 1.0), "██████");
        assert_eq!(bar(0.0001, 1.0), "▏");
        assert_eq!(bar(0.0, 0.0), "");
        // In floating-point numbers, a quotient of equal numbers may be a little less than one.
        for value in (1..10_000).map(|number| f64::from(number) * 0.001) {
            assert_eq!(bar(value, value), bar(1.0, 1.0), "{value}");
        }
        assert_eq!(change_bar(0.03), "      │███");
        assert_eq!(change_bar(-0.5), "██████│");
    }
}
