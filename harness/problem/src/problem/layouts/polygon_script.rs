//! The commands of tests in `doall.sh` or `doall.bat` of a Polygon package: older packages state them only there.
//!
//! Polygon writes these scripts itself, so only its own lines are read. Nothing of a script is run.

use std::collections::BTreeMap;
use std::path::Path;

use super::scene::inside;
use crate::notice::{Code, Notices, Place};
use crate::plain_file;
use crate::shell::{shell_word, split_words};

/// The scripts, the preferred one first.
const SCRIPTS: [&str; 2] = ["doall.sh", "doall.bat"];

/// Words that start a line which makes no input.
const OTHERS: [&str; 10] =
    ["echo", "@echo", "rem", "mkdir", "md", "export", "set", "exit", "cls", "pause"];

/// The programs of Polygon that make no input.
const OTHER_PROGRAMS: [&str; 4] =
    ["gen-answer", "run-validator-tests", "run-checker-tests", "run-validator"];

/// The command of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScriptCommand {
    /// The name of the generator, without folder and ending.
    pub(super) program: String,
    /// The command line, which starts with this name.
    pub(super) line: String,
    /// The file that the generator writes instead of its standard output.
    pub(super) file: Option<String>,
}

/// The commands of a script by the inputs that they make.
pub(super) type ScriptCommands = BTreeMap<String, ScriptCommand>;

/// Reads the script of the package in `root`, if there is one. Every line that is not one of Polygon's is a warning.
pub(super) fn read(root: &Path, notices: &mut Notices) -> ScriptCommands {
    let mut commands = ScriptCommands::new();
    let mut scripts = SCRIPTS.into_iter().filter_map(|name| inside(root, name).ok());
    let Some(path) = scripts.find(|path| path.is_file()) else {
        return commands;
    };
    let Ok(text) = plain_file::read_text(&path) else {
        return commands;
    };
    let is_batch = path.extension().is_some_and(|end| end == "bat");
    for (line, number) in text.lines().zip(1..) {
        match parse(line, is_batch) {
            ScriptLine::Inputs(made) => commands.extend(made),
            ScriptLine::Other => {}
            ScriptLine::Unknown => {
                let at = notices.show_at(&path, Place { line: number, column: 1 });
                let message = "rejudge does not know this line of the script, and skips it";
                notices.warn(Code::Unsupported.at(&at, message));
            }
        }
    }
    commands
}

/// The meaning of a line.
#[derive(Debug, PartialEq, Eq)]
enum ScriptLine {
    /// It makes these inputs.
    Inputs(Vec<(String, ScriptCommand)>),
    /// It makes no input.
    Other,
    Unknown,
}

fn parse(line: &str, is_batch: bool) -> ScriptLine {
    let line = line.trim();
    let first = line.split_whitespace().next().unwrap_or_default();
    if first.is_empty() || first.starts_with(['#', ':']) || OTHERS.contains(&first) {
        return ScriptLine::Other;
    }
    let words = if is_batch { batch_words(line) } else { split_words(line) };
    let Some(words) = words else {
        return ScriptLine::Unknown;
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words = words.strip_prefix(&["call"]).unwrap_or(&words);
    let Some((first, arguments)) = words.split_first() else {
        return ScriptLine::Other;
    };
    let inputs = match (stem(first), arguments) {
        (name, _) if OTHER_PROGRAMS.contains(&name.as_str()) => return ScriptLine::Other,
        (name, [command, input, ..]) if name == "gen-input-via-stdout" => {
            generator(command).map(|command| vec![(slashed(input), command)])
        }
        (name, [command, inputs, files, ..]) if name == "gen-input-via-files" => {
            generator(command).map(|command| several(&command, inputs, files))
        }
        (name, [command, inputs]) if name == "gen-input-via-files" => {
            generator(command).map(|command| several(&command, inputs, inputs))
        }
        _ => None,
    };
    inputs.map_or(ScriptLine::Unknown, ScriptLine::Inputs)
}

/// The inputs of a generator that writes files, which are separated by colons.
fn several(command: &ScriptCommand, inputs: &str, files: &str) -> Vec<(String, ScriptCommand)> {
    let inputs = inputs.split(':').map(slashed);
    let files = files.split(':').map(stem);
    let made = inputs.zip(files).map(|(input, file)| {
        let file = Some(file.trim_start_matches('0').to_owned());
        (input, ScriptCommand { file, ..command.clone() })
    });
    made.collect()
}

/// The command of a generator, which Polygon names as the program that it compiled.
fn generator(command: &str) -> Option<ScriptCommand> {
    let words = split_words(command)?;
    let words = words.strip_prefix(&["wine".to_owned()]).unwrap_or(&words);
    let (program, arguments) = words.split_first()?;
    let path = slashed(program);
    let ends = Path::new(&path).extension().is_some_and(|end| end == "exe");
    let is_program = ends && path.contains("files/");
    let program = stem(program);
    let line: Vec<String> =
        std::iter::once(&program).chain(arguments).map(|word| shell_word(word)).collect();
    is_program.then(|| ScriptCommand { line: line.join(" "), program, file: None })
}

/// Splits a line of a batch file into words. In quotes, two quotes are one. `None`: a quote is not closed.
fn batch_words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.next_if_eq(&'"').is_some() => {
                word.get_or_insert_default().push('"');
            }
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' | '\t' if !quoted => words.extend(word.take()),
            // In the command of a generator, a backslash separates folders, and a shell would drop it.
            '\\' => word.get_or_insert_default().push('/'),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    (!quoted).then_some(words)
}

fn slashed(path: &str) -> String {
    path.replace('\\', "/")
}

/// The name of a file without its folder and its ending.
fn stem(path: &str) -> String {
    let path = slashed(path);
    let name = path.rsplit('/').next().unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(input: &str, line: &str, file: Option<&str>) -> (String, ScriptCommand) {
        let program = line.split(' ').next().unwrap_or_default().to_owned();
        let command =
            ScriptCommand { program, line: line.to_owned(), file: file.map(str::to_owned) };
        (input.to_owned(), command)
    }

    #[test]
    fn the_lines_of_polygon_are_read_and_others_are_not() {
        let one = |made| ScriptLine::Inputs(vec![made]);
        let table = [
            ("#    *** tests ***", false, ScriptLine::Other),
            ("mkdir -p tests", false, ScriptLine::Other),
            ("echo \"Generating test #2\"", false, ScriptLine::Other),
            ("scripts/run-checker-tests.sh", false, ScriptLine::Other),
            ("scripts/gen-answer.sh tests/01 tests/01.a \"tests\" \"\"", false, ScriptLine::Other),
            (
                "scripts/gen-input-via-stdout.sh \"wine files/gen.exe -n=5 x\" \"tests/02\" 2",
                false,
                one(made("tests/02", "gen -n=5 x", None)),
            ),
            (
                "scripts/gen-input-via-stdout.sh \"wine files/gen.exe \\\"a b\\\"\" \"tests/02\" 2",
                false,
                one(made("tests/02", "gen 'a b'", None)),
            ),
            (
                "call scripts\\gen-input-via-stdout.bat \"files\\gen.exe \"\"1\"\" \"\"2\"\"\" \"tests\\02\" 2",
                true,
                one(made("tests/02", "gen 1 2", None)),
            ),
            (
                "call scripts\\gen-input-via-files.bat \"..\\files\\gen.exe 3\" \"tests\\03:tests\\04\" \"3:4\"",
                true,
                ScriptLine::Inputs(vec![
                    made("tests/03", "gen 3", Some("3")),
                    made("tests/04", "gen 3", Some("4")),
                ]),
            ),
            ("rem   *** tests ***", true, ScriptLine::Other),
            ("python3 gen.py > tests/07", false, ScriptLine::Unknown),
            (
                "scripts/gen-input-via-stdout.sh \"rm -rf /\" \"tests/02\" 2",
                false,
                ScriptLine::Unknown,
            ),
            ("echo \"open", false, ScriptLine::Other),
            ("scripts/gen-answer.sh \"open", false, ScriptLine::Unknown),
            ("scripts/gen-input-via-stdout.sh", false, ScriptLine::Unknown),
        ];
        for (line, is_batch, expected) in table {
            assert_eq!(parse(line, is_batch), expected, "{line}");
        }
    }
}
