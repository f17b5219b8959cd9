//! CMS's `italy_yaml`: `task.yaml`, `input/inputN.txt`, `output/outputN.txt`, subtasks in `gen/GEN`,
//! solutions in `sol/`.

use std::path::Path;
use std::time::Duration;

use super::Wish;
use super::companion::mebibytes;
use super::fields::{self, Fields};
use super::parts::{CaseFileNames, ForeignProblem, Gatherer, Promise, Scene};
use super::points::{self, Share};
use crate::checker_spec::{CheckerSpec, LineRule};
use crate::notice::{Code, Notices, Place};
use crate::plain_file;
use crate::problem::{ProblemLimits, Streams, is_ignored, natural_order};

const FILE: &str = "task.yaml";

/// Whether `dir` is a task of CMS.
pub(super) fn is_in(dir: &Path) -> bool {
    let has = |name: &str| dir.join(name).is_dir();
    dir.join(FILE).is_file() && (has("input") || has("gen") || has("sol"))
}

/// A subtask in `gen/GEN`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Subtask {
    points: f64,
    cases: usize,
}

/// Reads the task.
pub(super) fn load(
    scene: &Scene<'_>,
    wish: Wish<'_>,
    notices: &mut Notices,
) -> Option<ForeignProblem> {
    let root = scene.root;
    let path = root.join(FILE);
    let node = fields::read(&path, notices)?;
    let table = Fields::of(&path, &node, notices)?;
    if table.flag("output_only") {
        table.fault("`output_only` tasks have no program to run", notices);
        return None;
    }
    let limits = limits(&table, notices);
    let streams = streams(&table, notices)?;
    refuse_programs(root, wish, notices);
    let subtasks = match plain_file::read_text(&root.join("gen/GEN")) {
        Ok(text) => subtasks(&text, &root.join("gen/GEN"), notices)?,
        Err(_) => Vec::new(),
    };
    let listed: usize = subtasks.iter().map(|subtask| subtask.cases).sum();
    let count = table.number("n_input", notices).unwrap_or_default();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bounded, and not negative"
    )]
    let count = count.min(1e6) as usize;
    let count = match (listed, count) {
        (0, 0) => count_inputs(root),
        (0, count) => count,
        (listed, _) => listed,
    };
    let mut gatherer = Gatherer::new(*scene);
    for (number, subtask) in (0..count).zip(subtask_of(&subtasks)) {
        let group = subtask.map_or_else(String::new, |subtask| format!("{subtask}/"));
        let named = CaseFileNames {
            name: &format!("secret/{group}{number:03}"),
            input: &format!("input/input{number}.txt"),
            answer: Some(&format!("output/output{number}.txt")),
        };
        gatherer.add(&named, notices);
    }
    let total = table.number("total_value", notices).unwrap_or(100.0);
    let help = "generate the cases as the task's authors do: `cmsMake all`";
    let cases = gatherer.finish(help, notices);
    let shares = subtasks
        .iter()
        .zip(1..)
        .map(|(subtask, number): (_, usize)| {
            // The lowest outcome in a subtask counts, and each outcome is all or nothing.
            Share::whole(number.to_string(), subtask.points)
        });
    let scoring = if subtasks.is_empty() {
        points::even_shares(total, &cases)
    } else {
        points::scoring(shares.collect(), &cases)
    };
    Some(ForeignProblem {
        title: table
            .text("title", notices)
            .or_else(|| table.text("name", notices)),
        limits,
        checker: CheckerSpec::Lines(LineRule::Blanks),
        interactor: None,
        streams,
        described: true,
        cases,
        scoring,
        validators: Vec::new(),
    })
}

/// `infile` and `outfile`. CMS takes `input.txt` and `output.txt` for a missing key; here the source decides then, because
/// older tasks also use the standard streams.
fn streams(table: &Fields<'_>, notices: &mut Notices) -> Option<Streams> {
    let names = ["infile", "outfile"].map(|key| table.text(key, notices));
    let [input, output] = names;
    if input.is_none() && output.is_none() {
        return Some(Streams::BySource);
    }
    table.stated_files(input, output, notices)
}

fn limits(table: &Fields<'_>, notices: &mut Notices) -> ProblemLimits {
    let mut either = |keys: [&str; 2]| {
        let mut found = keys.iter().filter_map(|key| table.number(key, notices));
        found.next().filter(|number| *number > 0.0)
    };
    ProblemLimits {
        cpu_time: either(["time_limit", "timeout"])
            .map(|seconds| Duration::from_secs_f64(seconds.min(86_400.0))),
        memory: either(["memory_limit", "memlimit"]).map(mebibytes),
        ..ProblemLimits::default()
    }
}

/// Reports checkers and managers of CMS, which have their own protocol, and graders, which are
/// linked to solutions.
fn refuse_programs(root: &Path, wish: Wish<'_>, notices: &mut Notices) {
    for folder in ["check", "cor", "sol"] {
        for (name, why) in [
            ("checker", "checkers of CMS are not supported"),
            ("correttore", "checkers of CMS are not supported"),
            ("manager", "tasks with a manager are not supported"),
            ("grader", "solutions that need a grader are not supported"),
            ("stub", "solutions that need a stub are not supported"),
        ] {
            let found = files(&root.join(folder)).into_iter().find(|file| {
                Path::new(file).file_stem().is_some_and(|stem| stem == name)
                    && (folder == "sol") == matches!(name, "grader" | "stub")
            });
            if let Some(file) = found {
                let shown = notices.show(&root.join(folder).join(file));
                wish.unless_checked(notices, |notices| {
                    notices.error_help(
                        Code::InvalidValue.at(&shown, why),
                        "choose another comparison: `--checker lines:blanks`, or `--checker PATH`",
                    );
                });
            }
        }
    }
}

/// The subtask's number for each case, followed by an endless sequence of `None`.
fn subtask_of(subtasks: &[Subtask]) -> impl Iterator<Item = Option<usize>> {
    let numbered = subtasks.iter().zip(1..);
    let all =
        numbered.flat_map(|(subtask, number)| std::iter::repeat_n(Some(number), subtask.cases));
    all.chain(std::iter::repeat(None))
}

fn count_inputs(root: &Path) -> usize {
    let folder = root.join("input");
    (0..1_000_000)
        .take_while(|number| folder.join(format!("input{number}.txt")).is_file())
        .count()
}

/// Parses `gen/GEN`: a line for each case, `#ST: POINTS` before the cases of a subtask, `#COPY:
/// FILE` for a case that is copied.
fn subtasks(text: &str, path: &Path, notices: &mut Notices) -> Option<Vec<Subtask>> {
    let mut subtasks: Vec<Subtask> = Vec::new();
    let mut before = 0;
    for (line, number) in text.lines().zip(1..) {
        let (case, comment) = line.split_once('#').unwrap_or((line, ""));
        let comment = comment.trim();
        if let Some(points) = comment.strip_prefix("ST:") {
            let points = points.trim().parse().ok();
            let Some(points) = points.filter(|points: &f64| points.is_finite() && *points >= 0.0)
            else {
                let place = Place {
                    line: number,
                    column: 1,
                };
                let at = notices.show_at(path, place);
                notices.error(Code::InvalidValue.at(&at, "`#ST:` needs a number of points"));
                return None;
            };
            subtasks.push(Subtask { points, cases: 0 });
        } else if !case.trim().is_empty() || comment.starts_with("COPY:") {
            match subtasks.last_mut() {
                Some(subtask) => subtask.cases += 1,
                None => before += 1,
            }
        }
    }
    if before > 0 && !subtasks.is_empty() {
        let shown = notices.show(path);
        notices.error(Code::Conflict.at(
            &shown,
            format!("{before} cases come before the first `#ST:`"),
        ));
        return None;
    }
    Some(subtasks)
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !is_ignored(name)).collect();
    names.sort_by(|a, b| natural_order(a, b));
    names
}

/// The sources in `sol/`. Only the model solutions have an expected verdict, by their names.
pub(super) fn promises(scene: &Scene<'_>, _: &mut Notices) -> Vec<Promise> {
    let folder = scene.root.join("sol");
    let sources = files(&folder).into_iter().map(|name| folder.join(name));
    let sources = sources.filter(|path| {
        let language = path.extension().and_then(|end| (scene.language_of)(end));
        language.is_some() && path.is_file()
    });
    let promises = sources.filter_map(|path| {
        let stem = path.file_stem()?.to_str()?;
        let folders: &[&str] = match stem {
            "grader" | "stub" | "template" => return None,
            "solution" | "soluzione" => &["accepted"],
            _ => &["accepted", "rejected"],
        };
        Some(Promise { path, folders })
    });
    promises.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gen_counts_the_cases_of_subtasks() {
        let read = |text: &str| {
            let mut notices = Notices::default();
            let found = subtasks(text, Path::new("GEN"), &mut notices);
            let counts = found.map(|all| {
                all.iter()
                    .map(|one| (one.points, one.cases))
                    .collect::<Vec<_>>()
            });
            (counts, notices.errors.len())
        };
        let text =
            "# a comment\n#ST: 0\n#COPY: sample.txt\n\n#ST: 40\n1 2 # small\n3 4\n#ST: 60\n5\n";
        assert_eq!(read(text), (Some(vec![(0.0, 1), (40.0, 2), (60.0, 1)]), 0));
        assert_eq!(read("1\n2\n"), (Some(vec![]), 0));
        assert_eq!(read("1\n#ST: 5\n2\n"), (None, 1));
        for points in ["x", "nan", "inf", "-1"] {
            assert_eq!(read(&format!("#ST: {points}\n5\n")), (None, 1), "{points}");
        }
    }
}
