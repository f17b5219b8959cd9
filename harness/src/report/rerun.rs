//! The command that runs one case again from the current folder with the same options.

use std::path::{Path, PathBuf};

use unicode_width::UnicodeWidthStr as _;

use crate::shell::{relative_path, shell_word};

/// The name of a submission whose source came from standard input, and the path that stands for it.
pub(crate) const STANDARD_INPUT: &str = "-";

/// The common part of the commands of one session.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rerun {
    options: Vec<String>,
    folder: PathBuf,
}

impl Rerun {
    /// `options` are arguments without quotes. Names of submissions are relative to `base`; the command is for a shell
    /// in `current`.
    pub(crate) fn new(options: Vec<String>, base: &Path, current: &Path) -> Self {
        let folder = relative_path(current, base);
        Self { options, folder }
    }

    /// The command, quoted for a shell, in lines of at most `columns` columns, as far as its words allow that. A shell
    /// reads it as one command.
    pub(crate) fn lines(&self, submission: &str, case: &str, columns: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut words = self.words(submission, case).into_iter().peekable();
        while let Some(word) = words.next() {
            // Space for ` \` at the end of a line that is not the last.
            let end = if words.peek().is_some() { 2 } else { 0 };
            match lines.last_mut() {
                Some(line) if line.width() + 1 + word.width() + end <= columns => {
                    line.push(' ');
                    line.push_str(&word);
                }
                Some(line) => {
                    line.push_str(" \\");
                    lines.push(format!("  {word}"));
                }
                None => lines.push(word),
            }
        }
        lines
    }

    /// The words of the command, quoted for a shell.
    fn words(&self, submission: &str, case: &str) -> Vec<String> {
        let path = match submission {
            STANDARD_INPUT => STANDARD_INPUT.to_owned(),
            _ => self.folder.join(submission).to_string_lossy().into_owned(),
        };
        let mut words = vec!["rejudge".to_owned(), "run".to_owned()];
        words.extend(["--case".to_owned(), shell_word(case)]);
        words.extend(self.options.iter().map(|word| shell_word(word)));
        if path.starts_with('-') && path != STANDARD_INPUT {
            words.push("--".to_owned());
        }
        words.push(shell_word(&path));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_works_where_it_is_shown() {
        let table = [
            ("/r", "/r", "a.c", "a.c"),
            ("/r", "/", "a.c", "r/a.c"),
            ("/r", "/r/s/t", "s/a b.c", "'../../s/a b.c'"),
            ("/r", "/q", "a.c", "../r/a.c"),
            ("/r", "/r", "-a.c", "-- -a.c"),
            ("/r", "/q", "-", "-"),
            ("/r", "/r/s", "/t/a.c", "/t/a.c"),
        ];
        for (base, current, submission, expected) in table {
            let rerun = Rerun::new(Vec::new(), Path::new(base), Path::new(current));
            let command = format!("rejudge run --case secret/1 {expected}");
            assert_eq!(rerun.words(submission, "secret/1").join(" "), command);
        }
    }

    #[test]
    fn a_long_command_is_continued_on_the_next_line() {
        let options = ["--time-limit", "0.5", "--checker", "tokens"].map(str::to_owned);
        let rerun = Rerun::new(options.into(), Path::new("/r"), Path::new("/r"));
        let lines = rerun.lines("solutions/sum/a.c", "secret/1", 34);
        let expected = [
            "rejudge run --case secret/1 \\",
            "  --time-limit 0.5 --checker \\",
            "  tokens solutions/sum/a.c",
        ];
        let whole = rerun.words("solutions/sum/a.c", "secret/1").join(" ");
        assert_eq!(lines, expected);
        assert_eq!(rerun.lines("solutions/sum/a.c", "secret/1", 200), [whole]);
    }

    #[test]
    fn the_command_repeats_the_options() {
        let options = ["--cases", "my cases", "-t", "0.5"].map(str::to_owned);
        let rerun = Rerun::new(options.into(), Path::new("/r"), Path::new("/r"));
        assert_eq!(
            rerun.words("a.c", "it's").join(" "),
            r"rejudge run --case 'it'\''s' --cases 'my cases' -t 0.5 a.c"
        );
    }
}
