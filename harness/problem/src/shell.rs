//! Words and paths in commands of a shell.

use std::path::{Component, Path, PathBuf};

/// The relative path from one absolute folder to another; empty if they are the same.
pub fn relative_path(from: &Path, to: &Path) -> PathBuf {
    let mut from = from.components().peekable();
    let mut to = to.components().peekable();
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    from.map(|_| Component::ParentDir).chain(to).collect()
}

/// The word, quoted for a shell if necessary.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Splits a text into words as a POSIX shell does. `None`: a quote is not closed.
pub fn split_words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\'' => loop {
                let word = word.get_or_insert_default();
                match rest.next()? {
                    '\'' => break,
                    c => word.push(c),
                }
            },
            '"' => loop {
                let word = word.get_or_insert_default();
                match rest.next()? {
                    '"' => break,
                    '\\' => {
                        let escaped = rest.next_if(|c| matches!(c, '"' | '\\'));
                        word.push(escaped.unwrap_or('\\'));
                    }
                    c => word.push(c),
                }
            },
            '\\' => {
                let next = rest.next()?;
                word.get_or_insert_default().push(next);
            }
            ' ' | '\t' | '\r' | '\n' => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_if_the_shell_would_change_it() {
        for (word, expected) in [
            ("a-b/c.py", "a-b/c.py"),
            ("lines:a,b", "lines:a,b"),
            ("gen.py {n:1..5}", "'gen.py {n:1..5}'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(word), expected);
        }
    }
}
