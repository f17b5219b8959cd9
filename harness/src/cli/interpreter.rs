//! Commands of generators that begin with an interpreter, such as `python3 gen.py {seed}`.

use std::path::Path;

/// The command from its source on: rejudge knows how the source is run. `folders`: where the program may be.
pub(super) fn without_interpreter<'a>(command: &'a str, folders: &[&Path]) -> &'a str {
    let command = command.trim_start();
    let Some((first, rest)) = command.split_once(char::is_whitespace) else { return command };
    let second = rest.split_whitespace().next().unwrap_or_default();
    let is_here = folders.iter().any(|folder| folder.join(first).is_file());
    if is_here || first.contains('/') || !is_like_source(second) {
        command
    } else {
        rest.trim_start()
    }
}

/// Whether a word is the name of a file, and not a number or a field.
fn is_like_source(word: &str) -> bool {
    let extension = Path::new(word).extension().and_then(|end| end.to_str());
    extension.is_some_and(|end| end.starts_with(|c: char| c.is_ascii_alphabetic()))
        && !word.contains('{')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_of_an_interpreter_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tool"), "").unwrap();
        for (command, expected) in [
            ("python3 gen.py {n}", "gen.py {n}"),
            (" pypy3.10   sub/gen.py 1 {n}", "sub/gen.py 1 {n}"),
            ("gen.py {n} {seed}", "gen.py {n} {seed}"),
            ("gen 1.5 {seed}", "gen 1.5 {seed}"),
            ("gen {n:1..50}", "gen {n:1..50}"),
            ("tool words.txt {n}", "tool words.txt {n}"),
            ("./run gen.py", "./run gen.py"),
            ("gen", "gen"),
        ] {
            assert_eq!(without_interpreter(command, &[folder.path()]), expected);
        }
    }
}
