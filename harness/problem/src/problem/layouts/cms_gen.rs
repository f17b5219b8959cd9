//! The tests of a CMS task and their subtasks: the lines of `gen/GEN`, or of `gen/cases.gen` in the format of task-maker.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::notice::{Code, Notice, Notices, Place};
use crate::plain_file;

/// task-maker writes `gen/GEN` anew from the second file, with other commands, so that file comes first.
const FILES: [&str; 2] = ["gen/cases.gen", "gen/GEN"];

/// The tests that one of the files describes.
#[derive(Debug, Default)]
pub(super) struct GenFile {
    /// Empty if there is no file.
    pub(super) path: PathBuf,
    /// Empty if the tests are in none.
    pub(super) subtasks: Vec<Subtask>,
    pub(super) tests: Vec<DescribedTest>,
}

/// A subtask, with the tests that follow those of the subtask before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Subtask {
    pub(super) points: f64,
    pub(super) cases: usize,
}

/// How a test is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DescribedTest {
    /// By the generator of the task with these arguments.
    Arguments(String),
    /// A copy of this file of the task.
    CopyOf(String),
    /// By this program of the task, with these arguments.
    Program(String, String),
}

/// Whether one of the files exists.
pub(super) fn is_in(root: &Path) -> bool {
    FILES.iter().any(|file| root.join(file).is_file())
}

/// Reads the first of the files that exists. `None`: it is faulty, which `notices` reports.
pub(super) fn read(root: &Path, notices: &mut Notices) -> Option<GenFile> {
    let mut files = FILES.iter().map(|file| root.join(file));
    let Some(path) = files.find(|path| path.is_file()) else {
        return Some(GenFile::default());
    };
    let text = match plain_file::read_text(&path) {
        Ok(text) => text,
        Err(error) => {
            notices.error(Notice::unreadable(&notices.show(&path), &error));
            return None;
        }
    };
    let mut reader = Reader { notices, file: GenFile { path, ..GenFile::default() }, before: 0 };
    if reader.file.path.ends_with(FILES[0]) {
        reader.lines_of_cases_gen(&text)?;
    } else {
        reader.lines_of_gen(&text)?;
    }
    reader.finish()
}

struct Reader<'n> {
    notices: &'n mut Notices,
    file: GenFile,
    /// The number of tests before the first subtask.
    before: usize,
}

impl Reader<'_> {
    /// A line for each case, `#ST: POINTS` before the cases of a subtask, `#COPY: FILE` for a case that is copied.
    fn lines_of_gen(&mut self, text: &str) -> Option<()> {
        for (line, number) in text.lines().zip(1..) {
            let (case, comment) = line.split_once('#').unwrap_or((line, ""));
            let comment = comment.trim();
            if let Some(points) = comment.strip_prefix("ST:") {
                self.subtask(points.trim(), "#ST:", number)?;
            } else if let Some(file) = comment.strip_prefix("COPY:") {
                self.test(DescribedTest::CopyOf(file.trim().to_owned()));
            } else if !case.trim().is_empty() {
                self.test(DescribedTest::Arguments(case.trim().to_owned()));
            }
        }
        Some(())
    }

    /// The commands of task-maker begin with `:`. Other lines are arguments of the current generator. Its validators and
    /// constraints only check the arguments and the inputs.
    fn lines_of_cases_gen(&mut self, text: &str) -> Option<()> {
        let mut generators: BTreeMap<String, String> = BTreeMap::new();
        let mut default: Option<String> = None;
        let mut current: Option<String> = None;
        for (line, number) in text.lines().zip(1..) {
            let line = line.split('#').next().unwrap_or_default().trim();
            let (words, generator) = if let Some(command) = line.strip_prefix(':') {
                let (word, rest) = cut(command.trim());
                let (first, others) = cut(rest);
                match word {
                    "SUBTASK" => {
                        self.subtask(first, ":SUBTASK", number)?;
                        current.clone_from(&default);
                        continue;
                    }
                    "GEN" if others.is_empty() => {
                        current = Some(first.to_owned());
                        continue;
                    }
                    "GEN" => {
                        let (program, _) = cut(others);
                        generators.insert(first.to_owned(), program.to_owned());
                        if default.is_none() || first == "default" {
                            default = Some(first.to_owned());
                        }
                        continue;
                    }
                    "COPY" => {
                        self.test(DescribedTest::CopyOf(rest.to_owned()));
                        continue;
                    }
                    "VAL" | "CONSTRAINT" => continue,
                    "STDEP" => {
                        let at = self.notices.show_at(&self.file.path, start_of(number));
                        self.notices.warn(
                            Code::UnusedSetting.at(&at, "`:STDEP` is not supported; it is ignored"),
                        );
                        continue;
                    }
                    "RUN" => (others, Some(first.to_owned())),
                    _ => return self.fault(number, &format!("unknown command `:{word}`")),
                }
            } else if line.is_empty() {
                continue;
            } else {
                (line, current.clone())
            };
            let Some(generator) = generator else {
                return self.fault(number, "no generator is set: add `:GEN default PROGRAM`");
            };
            let Some(program) = generators.get(&generator) else {
                let generator = crate::notice::visible(&generator);
                return self.fault(number, &format!("unknown generator `{generator}`"));
            };
            self.test(DescribedTest::Program(program.clone(), words.to_owned()));
        }
        Some(())
    }

    fn subtask(&mut self, points: &str, word: &str, line: u64) -> Option<()> {
        let points = points.parse().ok();
        let Some(points) = points.filter(|points: &f64| points.is_finite() && *points >= 0.0)
        else {
            return self.fault(line, &format!("`{word}` needs a number of points"));
        };
        self.file.subtasks.push(Subtask { points, cases: 0 });
        Some(())
    }

    fn test(&mut self, test: DescribedTest) {
        match self.file.subtasks.last_mut() {
            Some(subtask) => subtask.cases += 1,
            None => self.before += 1,
        }
        self.file.tests.push(test);
    }

    fn fault(&mut self, line: u64, message: &str) -> Option<()> {
        let at = self.notices.show_at(&self.file.path, start_of(line));
        self.notices.error(Code::InvalidValue.at(&at, message));
        None
    }

    fn finish(self) -> Option<GenFile> {
        let is_cases_gen = self.file.path.ends_with(FILES[0]);
        if self.before == 0 || (self.file.subtasks.is_empty() && !is_cases_gen) {
            return Some(self.file);
        }
        let word = if is_cases_gen { ":SUBTASK" } else { "#ST:" };
        let shown = self.notices.show(&self.file.path);
        self.notices.error(
            Code::Conflict
                .at(&shown, format!("{} cases come before the first `{word}`", self.before)),
        );
        None
    }
}

fn start_of(line: u64) -> Place {
    Place { line, column: 1 }
}

/// The first word, and the rest.
fn cut(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    (word, rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(name: &str, text: &str) -> (Option<GenFile>, Vec<String>) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("gen")).unwrap();
        std::fs::write(dir.path().join(name), text).unwrap();
        let mut notices = Notices::default();
        let found = read(dir.path(), &mut notices);
        let errors = notices.errors.iter().map(|error| error.message.clone());
        (found, errors.collect())
    }

    fn counts(file: &GenFile) -> Vec<(f64, usize)> {
        let subtasks = file.subtasks.iter();
        subtasks.map(|one| (one.points, one.cases)).collect()
    }

    #[test]
    fn gen_counts_the_cases_of_subtasks() {
        let counted = |text: &str| {
            let (found, errors) = read_as("gen/GEN", text);
            (found.map(|file| counts(&file)), errors.len())
        };
        let text =
            "# a comment\n#ST: 0\n#COPY: sample.txt\n\n#ST: 40\n1 2 # small\n3 4\n#ST: 60\n5\n";
        assert_eq!(counted(text), (Some(vec![(0.0, 1), (40.0, 2), (60.0, 1)]), 0));
        assert_eq!(counted("1\n2\n"), (Some(vec![]), 0));
        assert_eq!(counted("1\n#ST: 5\n2\n"), (None, 1));
        for points in ["x", "nan", "inf", "-1"] {
            assert_eq!(counted(&format!("#ST: {points}\n5\n")), (None, 1), "{points}");
        }
    }

    #[test]
    fn cases_gen_names_generators_for_subtasks_and_tests() {
        let text = "# made with task-maker\n: GEN default gen/a.py N seed\n:GEN line gen/b.py N\n\
                    : VAL default gen/valida.py\n: CONSTRAINT 1 <= $N <= 10\n: SUBTASK 0 examples\n: COPY att/in.txt\n\
                    : SUBTASK 40 small # by hand\n  3 1\n: RUN line 4\n: SUBTASK 60\n: GEN line\n5\n: SUBTASK 0\n6 6\n";
        let (found, errors) = read_as("gen/cases.gen", text);
        assert_eq!(errors, Vec::<String>::new());
        let file = found.unwrap();
        assert_eq!(counts(&file), [(0.0, 1), (40.0, 2), (60.0, 1), (0.0, 1)]);
        let program =
            |program: &str, line: &str| DescribedTest::Program(program.to_owned(), line.to_owned());
        let expected = [
            DescribedTest::CopyOf("att/in.txt".to_owned()),
            program("gen/a.py", "3 1"),
            program("gen/b.py", "4"),
            program("gen/b.py", "5"),
            program("gen/a.py", "6 6"),
        ];
        assert_eq!(file.tests, expected);
        for (text, why) in [
            (":SUBTASK x\n", "`:SUBTASK` needs a number of points"),
            (":SUBTASK 1\n5\n", "no generator is set: add `:GEN default PROGRAM`"),
            (":SUBTASK 1\n:GEN a\n5\n", "unknown generator `a`"),
            (":SUBTASK 1\n:RUN b 5\n", "unknown generator `b`"),
            (":NEW 1\n", "unknown command `:NEW`"),
            (":COPY a\n", "1 cases come before the first `:SUBTASK`"),
        ] {
            let (found, errors) = read_as("gen/cases.gen", text);
            assert!(found.is_none(), "{text}");
            assert_eq!(errors.len(), 1, "{text}");
            assert!(errors[0].ends_with(why), "{errors:?}");
        }
    }
}
