//! Bars, of characters.

/// Columns of the longest bar.
const BAR: f64 = 12.0;

/// A bar in eighths of a column.
pub(super) fn bar(value: f64, longest: f64) -> String {
    const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
    if longest <= 0.0 || value <= 0.0 {
        return String::new();
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between one and the columns of a bar"
    )]
    let eighths = (BAR * 8.0 * value / longest).clamp(1.0, BAR * 8.0) as usize;
    let mut bar = "█".repeat(eighths / 8);
    if let Some(rest) = (eighths % 8).checked_sub(1) {
        bar.push(EIGHTHS[rest]);
    }
    bar
}

/// To the right of the line: more; to the left: less. A column is one per cent, the longest bar six.
pub(super) fn change_bar(effect: f64) -> String {
    const MOST: f64 = 6.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between zero and six"
    )]
    let columns = (100.0 * effect.abs()).round().min(MOST) as usize;
    let (left, right) = if effect < 0.0 {
        (columns, 0)
    } else {
        (0, columns)
    };
    let most = 6;
    format!(
        "{}{}│{}",
        " ".repeat(most - left),
        "█".repeat(left),
        "█".repeat(right)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values() {
        assert_eq!(bar(1.0, 1.0), "████████████");
        assert_eq!(bar(0.5, 1.0), "██████");
        assert_eq!(bar(0.0001, 1.0), "▏");
        assert_eq!(bar(0.0, 0.0), "");
        assert_eq!(change_bar(0.03), "      │███");
        assert_eq!(change_bar(-0.5), "██████│");
    }
}
