//! Tables on the terminal.

use unicode_width::UnicodeWidthStr as _;

use super::fit::padded;

/// Writes a table whose columns are as wide as their widest cell.
pub(crate) fn columns<const N: usize>(text: &mut String, rows: &[[String; N]]) {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].width());
        cells.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    for row in rows {
        let mut line = String::from(" ");
        for (cell, width) in row.iter().zip(&widths) {
            line.push(' ');
            line.push_str(&padded(cell, width + 1));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}
