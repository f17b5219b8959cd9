//! Text in Markdown, and the file that a hosted CI shows for a job.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::printable::{PrintablePiece, is_hazardous};
use crate::show::inert::inert;

/// The file to append to: the requested one, or the one that a hosted CI names for the page of the job.
pub(crate) fn file(requested: Option<&Path>) -> Option<PathBuf> {
    let named = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|name| !name.is_empty());
    requested.map(Path::to_owned).or(named.map(PathBuf::from))
}

/// Appends `text` to `file`, which other steps may have written to.
pub(crate) fn append(file: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(file)?;
    file.write_all(text.as_bytes())
}

/// The text in a form that cannot end its cell or line, and has no meaning in Markdown, HTML or a CI's log.
pub(crate) fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // First the commands of a CI, in case the page is printed to its log; then the special characters of Markdown.
    for c in inert(&text.replace(['\n', '\r'], " ")).chars() {
        match c {
            '|' | '<' | '>' | '*' | '_' | '[' | '~' | '`' | '$' | '&' | '#' | '@' | '\\' => {
                out.extend(['\\', c]);
            }
            '\t' => out.push(' '),
            c if is_hazardous(c) => PrintablePiece::Escaped(c).push_to(&mut out),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_stays_a_cell() {
        assert_eq!(cell("a|b\n<c> d_e\u{1b}"), "a\\|b \\<c\\> d\\_e\\\\x1b");
    }
}
