//! The layouts of other tools. Recognises the layout of a folder, reports an ambiguous one, and
//! reads the problem.
//!
//! If a file describes the folder, it decides the layout; otherwise the names of the cases do. An
//! archive is read as the folder that it contains. A source may have its own cases.

use std::path::{Path, PathBuf};

use super::{
    DefaultOutput, LanguageOf, Problem, ReadOptions, UnpackedArchive, natural_order, package,
    plain, versions,
};
use crate::notice::{self, Notices};

pub mod archive;
pub mod boca;
mod case_texts;
mod cms;
mod cms_gen;
mod cms_recipes;
mod cms_scores;
mod cms_subtasks;
mod coci;
pub mod companion;
mod compete;
mod described;
mod dmoj;
mod dmoj_cases;
mod dmoj_checkers;
mod dmoj_generators;
mod dmoj_keys;
mod dmoj_names;
mod dmoj_programs;
mod dmoj_python;
mod fields;
mod folder_names;
mod fps;
mod hydro;
mod hydro_cases;
mod hydro_limits;
mod hydro_names;
mod hydro_points;
mod json;
mod json_cases;
mod keys;
mod library_checker;
mod library_checker_recipes;
mod omegaup;
mod omegaup_cases;
mod omegaup_settings;
mod pairs;
mod points;
mod polygon;
mod polygon_points;
mod polygon_recipes;
mod polygon_script;
mod polygon_solutions;
mod qduoj;
mod qduoj_answers;
mod qduoj_json;
mod rbx;
mod rbx_keys;
mod rbx_limits;
mod rbx_recipes;
mod rbx_solutions;
mod rbx_testplan;
mod rbx_vars;
mod reading;
mod recipes;
mod scene;
mod sinol;
mod sinol_limits;
mod sinol_recipes;
mod sinol_solutions;
mod source_cases;
mod std_checkers;
mod store;
mod test_recipe;
mod unreached;
mod uoj;
mod uoj_conf;
mod uoj_interactor;
mod uoj_tests;
mod xml;

pub use reading::names;
use reading::{DESCRIBED, Reading, choose, readings};
pub use recipes::{has_recipes, recipes};
pub use scene::ForeignSubmission;
use scene::Scene;
pub use test_recipe::{
    InputWriter, PrintedPlans, TestAnswer, TestCommand, TestRecipe, TestRecipes, TestSource,
};

/// Whether a folder is part of a layout, and not a folder that merely contains the problem.
fn is_part_of_layout(folder: &Path) -> bool {
    const PARTS: [&str; 12] = [
        "data",
        "input",
        "output",
        "in",
        "out",
        "test",
        "tests",
        "test_in",
        "testdata",
        "tools",
        "inputs",
        "testcases",
    ];
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| PARTS.contains(&name)) || folder.join("input.txt").is_file()
}

/// Whether `dir` holds cases in a known layout.
pub(super) fn is_in(dir: &Path) -> bool {
    !readings(dir).is_empty()
}

/// Whether `dir` is an ICPC package. A `problem.yaml` next to `testdata/` is Hydro's.
pub(super) fn is_icpc(dir: &Path) -> bool {
    package::is_package(dir) && (dir.join("data").is_dir() || !hydro::is_in(dir))
}

/// Whether `dir` is a task of CMS.
pub(super) fn is_cms_task(dir: &Path) -> bool {
    cms::is_in(dir)
}

/// Whether `dir` has a file that describes a problem.
pub(super) fn is_described(dir: &Path) -> bool {
    package::is_package(dir) || DESCRIBED.iter().any(|layout| (layout.is_in)(dir))
}

/// The names of the files that may describe a problem.
pub(super) fn signs() -> impl Iterator<Item = &'static str> {
    let described = DESCRIBED.iter().flat_map(|layout| layout.signs);
    std::iter::once(versions::FILE).chain(described.copied())
}

/// Whether `path` is a file that contains cases: an archive, or cases as JSON.
pub(super) fn is_file_of_cases(path: &Path) -> bool {
    archive::is_at(path) || fps::is_at(path) || is_export(path)
}

/// The folders of the problems in a file that has several of them. `None`: it is one problem, or no such file.
pub(super) fn problems_in_file(path: &Path) -> Option<Vec<PathBuf>> {
    let folder = unpacked(path)?.ok()?;
    if !readings(&folder).is_empty() {
        return None;
    }
    let entries = std::fs::read_dir(&folder).ok()?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.is_dir());
    if !found.iter().any(|path| is_described(path)) {
        return None;
    }
    // Folders with cases are problems too, and are not left out in silence.
    found.retain(|path| is_in(path));
    found.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
    notice::call(&folder, path);
    Some(found)
}

/// Unpacks a file that stands for a folder. `None`: it is no such file.
fn unpacked(path: &Path) -> Option<Result<PathBuf, archive::StoreError>> {
    if archive::is_at(path) {
        Some(archive::unpack(path))
    } else if fps::is_at(path) {
        Some(fps::unpack(path))
    } else {
        None
    }
}

/// Whether `path` is a source with its own cases.
pub(super) fn is_source_with_cases(path: &Path) -> bool {
    path.is_file() && !source_cases::of_source(path).is_empty()
}

fn is_export(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "json") && path.is_file()
}

/// The path of the problem that a source file solves, found from its location: the package around
/// it, the source itself if it has its own cases, or the folder of the cases next to it.
pub(super) fn home_of(source: &Path, language_of: LanguageOf<'_>) -> Option<PathBuf> {
    let dir = source.parent()?;
    let around = dir.ancestors().take(3);
    let mut packages = around.filter(|dir| DESCRIBED.iter().any(|layout| (layout.is_in)(dir)));
    if let Some(package) = packages.next() {
        return Some(package.to_path_buf());
    }
    if !source_cases::of_source(source).is_empty() {
        return Some(source_cases::first_of_name(source, &is_source(language_of)));
    }
    is_in(dir).then(|| dir.to_path_buf())
}

fn is_source(language_of: LanguageOf<'_>) -> impl Fn(&Path) -> bool {
    move |path| path.extension().is_some_and(|end| language_of(end).is_some())
}

/// How to read a problem.
#[derive(Clone, Copy)]
pub(super) struct LoadRequest<'a> {
    pub(super) options: ReadOptions<'a>,
    pub(super) language_of: LanguageOf<'a>,
}

/// Reads the problem at `path`: a folder, an archive, or a source with its own cases.
pub(super) fn load(order: &LoadRequest<'_>, path: &Path, notices: &mut Notices) -> Option<Problem> {
    if let Some(unpacked) = unpacked(path) {
        return load_archive(order, path, unpacked, notices);
    }
    if is_export(path) {
        return Some(named(json_cases::load_export(path, notices)?, path));
    }
    if path.is_file() {
        return load_source_cases(order, path, notices);
    }
    load_folder(order, path, notices)
}

fn load_folder(order: &LoadRequest<'_>, dir: &Path, notices: &mut Notices) -> Option<Problem> {
    let readings = readings(dir);
    if readings.is_empty() && order.options.layout.is_none() {
        // Reports how cases must be named.
        return plain::load(order.options, dir, notices);
    }
    let scene = Scene { root: dir, options: order.options, language_of: order.language_of };
    match choose(dir, readings, order.options, notices)? {
        Reading::Icpc => Some(package::load(order.options, dir, order.language_of, notices)),
        Reading::Plain => plain::load(order.options, dir, notices),
        Reading::Described(layout) => {
            let mut problem = (layout.load)(&scene, notices)?;
            problem.default_output = DefaultOutput::of_layout(layout.output);
            problem.kind.scoring = problem.scoring.is_some();
            Some(problem)
        }
        Reading::Pairs(found) => Some(pairs::load(found, &scene, notices)),
        Reading::SourceCases(_) => None,
    }
}

fn load_archive(
    order: &LoadRequest<'_>,
    path: &Path,
    unpacked: Result<PathBuf, archive::StoreError>,
    notices: &mut Notices,
) -> Option<Problem> {
    match unpacked {
        Ok(folder) => {
            notice::call(&folder, path);
            let problem = load_folder(order, &folder, notices)?;
            let path = path.to_path_buf();
            Some(Problem {
                archive: Some(UnpackedArchive { path: path.clone(), folder }),
                ..named(problem, &path)
            })
        }
        Err(error) => {
            let shown = notices.show(path);
            notices.error(error.notice(&shown));
            None
        }
    }
}

fn load_source_cases(
    order: &LoadRequest<'_>,
    source: &Path,
    notices: &mut Notices,
) -> Option<Problem> {
    let dir = parent(source);
    let mut all: Vec<Reading> =
        source_cases::of_source(source).into_iter().map(Reading::SourceCases).collect();
    let is_shared = |reading: &Reading| match reading {
        Reading::SourceCases(cases) => cases.are_in_shared_folder(),
        _ => false,
    };
    let shares_plain = all.iter().any(is_shared);
    let beside = readings(dir)
        .into_iter()
        .filter(|reading| !(shares_plain && matches!(reading, Reading::Plain)));
    all.extend(beside);
    match choose(source, all, order.options, notices)? {
        Reading::SourceCases(cases) => {
            Some(named(source_cases::load(&cases, source, notices)?, source))
        }
        _ => load_folder(order, dir, notices),
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

/// The problem, with the name of the file that it was read from.
fn named(problem: Problem, path: &Path) -> Problem {
    let stem = path.file_stem().unwrap_or_default();
    Problem { id: stem.to_string_lossy().into_owned(), ..problem }
}

/// The submissions inside the problem in `dir`; `None`: its layout has no folder for submissions.
pub(super) fn submissions(
    dir: &Path,
    read_options: ReadOptions<'_>,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Option<Vec<ForeignSubmission>> {
    let mut found = DESCRIBED.iter().filter(|layout| (layout.is_in)(dir));
    let layout = match read_options.layout {
        Some(name) => found.find(|layout| layout.name == name)?,
        None => found.next()?,
    };
    let scene = Scene { root: dir, options: read_options, language_of };
    Some((layout.submissions?)(&scene, notices))
}
