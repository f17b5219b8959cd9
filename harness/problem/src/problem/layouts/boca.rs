//! BOCA: `description/problem.info`, `input/` with `output/`, and scripts for each language: those in `limits/` print the
//! limits, those in `compare/` decide about outputs.
//!
//! No script is run here. Those of `rejudge export` contain the source of the checker, which is used instead.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rejudge_quantity::Bytes;

use super::scene::{CaseFileNames, ForeignSubmission, Gatherer, Scene, inside, names_in};
use super::store;
use crate::checker_spec::{CheckerSpec, Convention};
use crate::expectation::{Expectation, VerdictFolder};
use crate::name_text;
use crate::notice::{Code, Notice, Notices};
use crate::plain_file;
use crate::problem::{Problem, ProblemLimits};

/// The end of a text in a script that `rejudge export` makes.
pub const END: &str = "END_OF_THE_SOURCE_IN_THIS_SCRIPT";

/// The name of the checker's source in such a script.
pub const CHECK: &str = "check.cpp";

const FILE: &str = "description/problem.info";

/// The languages of which one has the scripts that count, in order.
const LANGUAGES: [&str; 5] = ["cpp", "cc", "c", "java", "py3"];

/// Whether `dir` is a problem of BOCA.
pub(super) fn is_in(dir: &Path) -> bool {
    dir.join(FILE).is_file() && dir.join("input").is_dir()
}

/// Reads the problem.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let path = scene.root.join(FILE);
    let info = match plain_file::read(&path) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) => {
            notices.error(Notice::unreadable(&notices.show(&path), &error));
            return None;
        }
    };
    let mut lines = info.lines();
    let title = lines.find_map(|line| line.trim().strip_prefix("fullname="));
    let mut gatherer = Gatherer::new(*scene);
    for name in names_in(&scene.root.join("input")) {
        let stem = name.strip_suffix(".in").filter(|stem| !stem.is_empty());
        // Other tools name the files as they do elsewhere.
        let other = stem.map(|stem| format!("{stem}.out"));
        let other =
            other.filter(|other| scene.root.join("output").join(name_text::path(other)).is_file());
        let case = CaseFileNames {
            name: stem.filter(|_| other.is_some()).unwrap_or(&name),
            input: &format!("input/{name}"),
            answer: Some(&format!("output/{}", other.as_ref().unwrap_or(&name))),
        };
        gatherer.add(&case, notices);
    }
    let (limits, limits_of_extensions) = limits(scene, notices);
    Some(Problem {
        title: title.map(|title| title.trim().to_owned()),
        limits,
        limits_of_extensions,
        checker: checker(scene, notices),
        is_package: true,
        cases: gatherer
            .finish("add the outputs to `output/`, with the names of the inputs", notices),
        ..Problem::foreign(scene.root)
    })
}

/// The scripts in a folder, by their languages; the first one counts.
fn scripts(scene: &Scene<'_>, folder: &str) -> Vec<(String, String)> {
    let mut names = names_in(&scene.root.join(folder));
    let place = |name: &String| {
        let known = LANGUAGES.iter().position(|known| known == name);
        known.unwrap_or(LANGUAGES.len())
    };
    names.sort_by_key(place);
    let read = |name: String| {
        let path = inside(scene.root, &format!("{folder}/{name}")).ok()?;
        let text = plain_file::read(&path).ok()?;
        Some((name, String::from_utf8_lossy(&text).into_owned()))
    };
    names.into_iter().filter_map(read).collect()
}

/// The limits that a script prints.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PrintedLimits {
    /// Of all runs together.
    seconds: f64,
    runs: f64,
    /// In MB.
    memory: f64,
    /// In KB.
    output: f64,
}

impl PrintedLimits {
    /// Reads a script that only prints. `None`: it computes the limits.
    fn of(script: &str) -> Option<Self> {
        let mut numbers = Vec::new();
        for line in script.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') || line == "exit 0" {
                continue;
            }
            let mut words = line.split_whitespace();
            let (command, number, rest) = (words.next(), words.next()?, words.next());
            if command != Some("echo") || rest.is_some() {
                return None;
            }
            let number: f64 = number.parse().ok()?;
            numbers.push(Some(number).filter(|number| *number > 0.0 && *number < 1e9)?);
        }
        let &[seconds, runs, memory, output, ..] = numbers.as_slice() else {
            return None;
        };
        Some(Self { seconds, runs, memory, output })
    }

    fn limits(self) -> ProblemLimits {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "they are positive and bounded"
        )]
        let kibibytes = |number: f64| Bytes((number * 1024.0) as u64);
        ProblemLimits {
            cpu_time: Some(Duration::from_secs_f64(self.seconds / self.runs)),
            memory: Some(kibibytes(self.memory * 1024.0)),
            output: Some(kibibytes(self.output)),
            ..ProblemLimits::default()
        }
    }
}

/// The limits that the first script prints, and those of the languages whose scripts print others.
fn limits(
    scene: &Scene<'_>,
    notices: &mut Notices,
) -> (ProblemLimits, Vec<(String, ProblemLimits)>) {
    let found = scripts(scene, "limits");
    let Some((_, first)) = found.first() else {
        return Default::default();
    };
    let of_first = PrintedLimits::of(first);
    let (mut known, mut of_languages) = (Vec::new(), Vec::new());
    for (place, (name, script)) in found.iter().enumerate() {
        // `cpp` and `cc` are the same language here.
        let language = (scene.language_of)(name.as_ref());
        if language.is_some() && known.contains(&language) {
            continue;
        }
        known.push(language);
        if place > 0 && script == first {
            continue;
        }
        match PrintedLimits::of(script) {
            None => {
                let shown = notices.show(&scene.root.join("limits").join(name));
                notices.warn_help(
                    Code::Unsupported
                        .of_file(&shown, "computes the limits; rejudge does not run it"),
                    "set them: `--time-limit`, `--memory-limit`",
                );
            }
            own if own == of_first => {}
            Some(own) => of_languages.push((name.clone(), own.limits())),
        }
    }
    let of_all = of_first.map(PrintedLimits::limits).unwrap_or_default();
    (of_all, of_languages)
}

/// The program that decides about outputs.
fn checker(scene: &Scene<'_>, notices: &mut Notices) -> CheckerSpec {
    let found = scripts(scene, "compare");
    let Some((first, script)) = found.first() else {
        return CheckerSpec::default();
    };
    let path = scene.root.join("compare").join(first);
    let shown = notices.show(&path);
    let mut others = found.iter().skip(1);
    if let Some((other, _)) = others.find(|(_, other)| other != script) {
        notices.warn(Code::Unsupported.says(format!(
            "{shown} compares the outputs of all languages; that of `{other}` differs"
        )));
    }
    let files = embedded(script);
    let own = files.iter().any(|(name, _)| *name == CHECK);
    let needs_more = script.contains("checker.exe");
    if needs_more && !own {
        scene.options.unless_checked(notices, |notices| {
            notices.warn_help(
                Code::Unsupported.of_file(
                    &shown,
                    "calls a program that `compile/` makes; outputs are compared word by word",
                ),
                "name the checker: `--checker testlib:PATH`",
            );
        });
        return CheckerSpec::default();
    }
    let files = if own { files } else { vec![("compare.sh", script.as_str())] };
    match stored(&files) {
        Ok(folder) if own => CheckerSpec::Testlib { source: folder.join(CHECK) },
        Ok(folder) => CheckerSpec::Foreign {
            source: folder.join("compare.sh"),
            convention: Convention::Boca,
            call: Vec::new(),
        },
        Err(error) => {
            notices.error(error.notice(&shown));
            CheckerSpec::default()
        }
    }
}

/// The names and the texts of the files that a script of `rejudge export` writes.
fn embedded(script: &str) -> Vec<(&str, &str)> {
    let mut files = Vec::new();
    let mut rest = script;
    let mark = format!("\" <<'{END}'\n");
    while let Some((before, behind)) = rest.split_once(&mark) {
        let name = before.rsplit('/').next().unwrap_or_default();
        let Some((text, after)) = behind.split_once(&format!("\n{END}\n")) else {
            break;
        };
        if name == CHECK || name == "testlib.h" {
            files.push((name, text));
        }
        rest = after;
    }
    files
}

/// A folder with these files.
fn stored(files: &[(&str, &str)]) -> Result<PathBuf, store::StoreError> {
    let mut hasher = blake3::Hasher::new();
    for part in files.iter().flat_map(|(name, text)| [*name, *text]) {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part.as_bytes());
    }
    store::materialise(&hasher.finalize(), |root| {
        let mut files = files.iter();
        files.try_for_each(|(name, text)| {
            store::write_new(root, name, format!("{text}\n").as_bytes())
        })
    })
}

/// The solutions: BOCA has no place for them. They are in verdict folders below `solutions/`, as in archives of
/// `rejudge export`, in `solutions/` itself, or next to the folders of the problem.
pub(super) fn submissions(scene: &Scene<'_>, _notices: &mut Notices) -> Vec<ForeignSubmission> {
    let root = scene.root.join("solutions");
    let mut submissions = sources_in(scene, &root, &Expectation::accepted());
    for folder in names_in(&root) {
        let known: Vec<VerdictFolder> = VerdictFolder::of_name(&folder).into_iter().collect();
        let folder = root.join(name_text::path(&folder));
        submissions.extend(sources_in(scene, &folder, &Expectation::of_any(&known, &[])));
    }
    if submissions.is_empty() {
        submissions = sources_in(scene, scene.root, &Expectation::accepted());
    }
    submissions
}

/// The sources in a folder.
fn sources_in(scene: &Scene<'_>, folder: &Path, expected: &Expectation) -> Vec<ForeignSubmission> {
    let paths = names_in(folder).into_iter().map(|name| folder.join(name_text::path(&name)));
    let sources = paths.filter(|path| scene.is_source(path) && path.is_file());
    sources.map(|path| ForeignSubmission::new(path, expected.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_from_scripts_that_only_print() {
        let script =
            "#!/bin/bash\n# seconds\necho 4\n\necho 10\necho 512\necho 1024\nexit 0\n# more\n";
        let limits = PrintedLimits::of(script).unwrap().limits();
        assert_eq!(limits.cpu_time, Some(Duration::from_millis(400)));
        assert_eq!(limits.memory, Some(Bytes::mib(512)));
        assert_eq!(limits.output, Some(Bytes(1 << 20)));
        for script in [
            "echo 4\necho 10\necho 512\n",
            "echo $((2 * 2))\necho 1\necho 512\necho 1024\n",
            "x=4\necho 4\necho 1\necho 512\necho 1024\n",
            "echo 0\necho 1\necho 512\necho 1024\n",
        ] {
            assert_eq!(PrintedLimits::of(script), None, "{script}");
        }
    }

    #[test]
    fn the_sources_in_a_script_are_found() {
        let script = format!(
            "cat > \"$folder/{CHECK}\" <<'{END}'\nint x;\n{END}\ncat > \"$folder/testlib.h\" <<'{END}'\nint y;\n\n{END}\n\
             cat > \"$folder/../z\" <<'{END}'\nz\n{END}\n"
        );
        let files = embedded(&script);
        assert_eq!(files, [(CHECK, "int x;"), ("testlib.h", "int y;\n")]);
    }
}
