//! The command that runs one case again from the current folder with the same options.

use std::path::{Component, Path, PathBuf};

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

    /// The command, quoted for a shell.
    pub(crate) fn command(&self, submission: &str, case: &str) -> String {
        let path = self.folder.join(submission).to_string_lossy().into_owned();
        let mut words = vec!["rejudge".to_owned(), "run".to_owned()];
        words.extend(["--case".to_owned(), quoted(case)]);
        words.extend(self.options.iter().map(|word| quoted(word)));
        if path.starts_with('-') {
            words.push("--".to_owned());
        }
        words.push(quoted(&path));
        words.join(" ")
    }
}

/// The relative path from one absolute folder to another; empty if they are the same.
fn relative_path(from: &Path, to: &Path) -> PathBuf {
    let mut from = from.components().peekable();
    let mut to = to.components().peekable();
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    from.map(|_| Component::ParentDir).chain(to).collect()
}

/// The word, quoted for a shell if necessary.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
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
            ("/r", "/r/s", "/t/a.c", "/t/a.c"),
        ];
        for (base, current, submission, expected) in table {
            let rerun = Rerun::new(Vec::new(), Path::new(base), Path::new(current));
            let command = format!("rejudge run --case secret/1 {expected}");
            assert_eq!(rerun.command(submission, "secret/1"), command);
        }
    }

    #[test]
    fn the_command_repeats_the_options() {
        let options = ["--cases", "my cases", "-t", "0.5"].map(str::to_owned);
        let rerun = Rerun::new(options.into(), Path::new("/r"), Path::new("/r"));
        assert_eq!(
            rerun.command("a.c", "it's"),
            r"rejudge run --case 'it'\''s' --cases 'my cases' -t 0.5 a.c"
        );
    }
}
