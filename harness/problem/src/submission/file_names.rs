//! The files that a solution reads and writes instead of standard input and output: USACO and many older contests ask for
//! `NAME.in` and `NAME.out`.

use std::io;
use std::path::{Path, PathBuf};

use super::{comments, composed};
use crate::plain_file;
use crate::problem::{Problem, Streams, is_file_name};

/// The endings of inputs that any contest may name.
const INPUTS: [&str; 2] = ["in", "inp"];

/// The endings of outputs.
const OUTPUTS: [&str; 5] = ["out", "txt", "ans", "ou", "res"];

/// The names of the files that a solution uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileNames {
    /// The names under which the solution may open its input.
    pub inputs: Vec<String>,
    /// The names of files that it may write its output to.
    pub outputs: Vec<String>,
    /// Whether the problem prescribes them. If so, they replace the standard streams; otherwise the solution may use
    /// both.
    pub are_stated: bool,
    /// Whether a solution that does not write a prescribed file has failed.
    pub missing_is_failure: bool,
    /// Whether the problem permits both. If so, a file that the solution writes is its output, even if it also prints.
    pub are_optional: bool,
    /// Symbolic links in the working folder, to standard streams.
    pub links: Vec<(String, &'static str)>,
    /// Files of which copies lie in the working folder.
    pub copies: Vec<PathBuf>,
    /// How the name of an input ends that the source puts together: `.in`. The names are guesses then.
    pub composed: Option<String>,
}

impl FileNames {
    /// The names for a solution of `problem`, whose source has this path and this text.
    pub fn of(problem: &Problem, path: &Path, text: &[u8]) -> Self {
        let links = problem.additions.links.clone();
        let of_extension = |extension: &str| path.extension().is_some_and(|own| own == extension);
        let copies = problem.additions.with_solutions.iter();
        let copies = copies.filter(|(extension, _)| of_extension(extension));
        Self {
            links,
            copies: copies.map(|(_, path)| path.clone()).collect(),
            ..Self::named(problem, path, text)
        }
    }

    /// The names without what the package adds to the working folder.
    fn named(problem: &Problem, path: &Path, text: &[u8]) -> Self {
        // The interactor takes the place of the files.
        if problem.is_interactive() {
            return Self::default();
        }
        if let Some(named) = Self::of_streams(&problem.streams) {
            return named;
        }
        if problem.is_package {
            return Self::default();
        }
        let own = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = problem.id.rsplit('/').next().unwrap_or(&problem.id);
        let text = comments::blanked(&String::from_utf8_lossy(text), path);
        let named = Self::in_source(
            &text,
            |stem| {
                let is = |other: &str| other.eq_ignore_ascii_case(stem);
                is(&own) || is(folder) || problem.cases.iter().any(|case| is(case.name()))
            },
            |name| {
                // Whatever its ending: `data.txt`. Many cases have names of another kind.
                const FEW: usize = 16;
                problem.cases.len() <= FEW
                    && problem.cases.iter().any(|case| {
                        case.input().file_name().is_some_and(|own| own.eq_ignore_ascii_case(name))
                    })
            },
        );
        named.with_composed(&text, &[&own, folder])
    }

    /// Adds what a source may open that puts names together from one of its texts, or from one of `stems`, and an ending.
    fn with_composed(mut self, text: &str, stems: &[&str]) -> Self {
        let endings = composed::endings(text);
        let of = |known: &[&str]| -> Vec<&String> {
            let is_known = |ending: &String| known.contains(&ending.to_ascii_lowercase().as_str());
            endings.iter().filter(|ending| is_known(ending)).collect()
        };
        let (inputs, outputs) = (of(&INPUTS), of(&OUTPUTS));
        self.composed = inputs.first().map(|ending| format!(".{ending}"));
        let stems = composed::stems(text, stems);
        let names = |endings: &[&String]| -> Vec<String> {
            let all = endings
                .iter()
                .flat_map(|end| stems.iter().map(move |stem| format!("{stem}.{end}")));
            all.filter(|name| is_name_of_literal(name)).collect()
        };
        for (known, all) in
            [(&mut self.inputs, names(&inputs)), (&mut self.outputs, names(&outputs))]
        {
            let new: Vec<String> = all.into_iter().filter(|name| !known.contains(name)).collect();
            known.extend(new);
        }
        self
    }

    /// The names for the solution at `path`, if it belongs to a problem.
    pub fn of_solution(problem: Option<&Problem>, path: &Path) -> io::Result<Self> {
        let Some(problem) = problem else {
            return Ok(Self::default());
        };
        let text = if path.is_dir() { Vec::new() } else { plain_file::read(path)? };
        Ok(Self::of(problem, path, &text))
    }

    /// Whether rejudge gives or reads a file with this name, so that no file of the solution may have it.
    pub fn names(&self, name: &str) -> bool {
        let mut links = self.links.iter().map(|(link, _)| link);
        let is = |known: &String| known == name;
        self.stated_inputs().iter().any(is) || self.outputs.iter().any(is) || links.any(is)
    }

    /// The inputs that the problem states.
    pub fn stated_inputs(&self) -> &[String] {
        if self.are_stated { &self.inputs } else { &[] }
    }

    /// The names that a problem states.
    pub fn of_streams(streams: &Streams) -> Option<Self> {
        let (files, are_optional) = match streams {
            Streams::Unstated => return None,
            Streams::Stated(files) => (files, false),
            Streams::Either(files) => (files, true),
        };
        Some(Self {
            inputs: files.input.iter().cloned().collect(),
            outputs: files.output.iter().cloned().collect(),
            are_stated: !are_optional,
            missing_is_failure: files.missing_is_failure,
            are_optional,
            ..Self::default()
        })
    }

    /// The names in a source, without comments, of a problem with these stems: those of the source, the problem and its
    /// cases. `input.txt` is an input, and so is `STEM.in`. Another `NAME.in` is one only if the source names no second
    /// one, because a source may also list the cases on which its author tried it.
    fn in_source(
        text: &str,
        is_stem: impl Fn(&str) -> bool,
        is_input_of_case: impl Fn(&str) -> bool,
    ) -> Self {
        let literals = literals(text);
        let inputs: Vec<&String> =
            literals.iter().filter(|name| INPUTS.contains(&ending(name).as_str())).collect();
        let is_input = |name: &String| {
            name.eq_ignore_ascii_case("input.txt")
                || (inputs.contains(&name) && (inputs.len() == 1 || is_stem(stem(name))))
        };
        let (inputs, others): (Vec<String>, Vec<String>) =
            literals.iter().cloned().partition(|name| is_input(name) || is_input_of_case(name));
        let outputs = others.into_iter().filter(|name| OUTPUTS.contains(&ending(name).as_str()));
        Self { outputs: outputs.collect(), inputs, ..Self::default() }
    }

    /// The names of files in the text of the source at `path`, without its comments.
    pub fn named_in(path: &Path, text: &[u8]) -> Vec<String> {
        literals(&comments::blanked(&String::from_utf8_lossy(text), path))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
            && self.outputs.is_empty()
            && self.links.is_empty()
            && self.copies.is_empty()
    }
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn ending(name: &str) -> String {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.unwrap_or_default().to_ascii_lowercase()
}

/// The texts in quotes that look like names of files, each once.
fn literals(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    composed::each_literal(text, |part| {
        let name = part.strip_prefix("./").unwrap_or(part);
        if is_name_of_literal(name) && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    });
    found
}

/// Whether a text looks like the name of a file, and not like a format or a sentence.
fn is_name_of_literal(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    is_file_name(name)
        && name.bytes().all(is_plain)
        && name
            .rsplit_once('.')
            .is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_comments_do_not_count() {
        let table: [(&str, &str, &[&str]); 6] = [
            ("a.c", "freopen(\"a.in\"); // freopen(\"b.in\")", &["a.in"]),
            ("a.c", "/* \"a.in\"\n\"c.in\" */ open(\"b.in\")", &["b.in"]),
            ("a.py", "  # open('a.in')\nopen('b.in')", &["b.in"]),
            ("a.c", "#define IN \"a.in\"\n#include \"b.in\"", &["a.in"]),
            ("a.c", "/* \"a.in\"", &[]),
            ("a.c", "", &[]),
        ];
        for (file, source, names) in table {
            let found = FileNames::named_in(Path::new(file), source.as_bytes());
            assert_eq!(found, names, "{source}");
        }
    }

    #[test]
    fn inputs_and_outputs_are_found_in_any_language() {
        let table: [(&str, &[&str], &[&str]); 9] = [
            (
                "ifstream fin(\"gift1.in\"); ofstream fout (\"gift1.out\");",
                &["gift1.in"],
                &["gift1.out"],
            ),
            (
                "freopen(\"input.txt\",\"r\",stdin);\nfreopen(\"output.txt\", \"w\", stdout);",
                &["input.txt"],
                &["output.txt"],
            ),
            ("open('./blist.in'), open('blist.out', 'w')", &["blist.in"], &["blist.out"]),
            ("assign(input, 'BAI1.INP');", &["BAI1.INP"], &[]),
            // Cases on which the author tried it.
            ("for f in ['1.in', '2.in', 'sum.in']:", &["sum.in"], &[]),
            ("#include \"data.in\"\nint main() {}", &[], &[]),
            ("open('/etc/passwd.in'); open('../up.in')", &[], &[]),
            ("print(\"a.b\", '%.2f', \"x..\", 'it.is')", &[], &[]),
            ("std::ofstream log(\"log.txt\");", &[], &["log.txt"]),
        ];
        for (source, inputs, outputs) in table {
            let names = FileNames::in_source(source, |stem| stem == "sum", |_| false);
            assert_eq!(names.inputs, inputs, "{source}");
            assert_eq!(names.outputs, outputs, "{source}");
        }
    }
}
