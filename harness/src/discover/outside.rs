//! A repository is closed: only its own layout is judged, and the folders that `rejudge.toml` adds.
//! Other problems in it are counted.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::join::{self, Tree};
use super::not_judged::LeftOvers;
use super::progress::SearchProgress;
use super::walk::{WalkExtent, walk};
use super::{NotJudgedReason, Request};
use crate::config::{FILE_NAME, Repository};
use crate::notice::{Code, Notices};
use crate::shell::{relative_path, shell_word};

/// The number of folders in a line.
const NAMES: usize = 8;

/// Counts the problems outside the layout, unless `rejudge.toml` says which folders to judge.
pub(super) fn count(
    repository: &Repository,
    request: &Request<'_>,
    progress: &mut SearchProgress<'_>,
    left_overs: &mut LeftOvers,
    notices: &mut Notices,
) {
    if repository.config.folders.is_some() {
        return;
    }
    let own = [repository.cases(), repository.solutions()];
    // What cannot be read there does not matter for the repository.
    let mut quiet = Notices::default();
    let extent = WalkExtent::Outside(&own);
    let root = &repository.root;
    let language_of = request.language_of;
    let Some(tree) = walk(root, extent, None, language_of, &mut quiet, progress) else {
        return;
    };
    let outside: Vec<PathBuf> = places(&tree).into_iter().map(|place| root.join(place)).collect();
    if outside.is_empty() {
        return;
    }
    let tops = outside.iter().filter_map(|path| {
        let below = path.strip_prefix(root).ok()?;
        Some(below.components().next()?.as_os_str().to_string_lossy())
    });
    let tops: BTreeSet<String> = tops.map(std::borrow::Cow::into_owned).collect();
    let from = relative_path(request.current, root);
    let shown = tops.iter().take(NAMES);
    let mut command: Vec<String> =
        shown.map(|top| shell_word(&from.join(top).to_string_lossy())).collect();
    let mut names: Vec<&str> = tops.iter().take(NAMES).map(String::as_str).collect();
    let more = format!("… and {} more", tops.len().saturating_sub(NAMES));
    if tops.len() > NAMES {
        names.push(&more);
        command.push("…".to_owned());
    }
    let at_least = if tree.is_cut { "at least " } else { "" };
    let (noun, verb) = match outside.len() {
        1 => ("problem", "is"),
        _ => ("problems", "are"),
    };
    let count =
        format!("{at_least}{} {noun} outside `cases/` and `solutions/` {verb}", outside.len());
    notices.warn_help(
        Code::NotJudged.says(format!("{count} not judged: {}", names.join(", "))),
        format!(
            "judge them with `rejudge {}`; to judge folders always, list them in {FILE_NAME}: `folders = [\"…\"]`",
            command.join(" ")
        ),
    );
    left_overs.note(outside, NotJudgedReason::OutsideRepository);
}

/// Where the problems of a tree are: folders, or sources at its root.
fn places(tree: &Tree) -> Vec<PathBuf> {
    // Texts of sources are not read only to count.
    let outcome = join::join(tree, join::NO_TEXTS);
    let place = |folder: usize, name: &str| match folder {
        0 => PathBuf::from(name),
        _ => tree.path(folder),
    };
    let joined = outcome.problems.iter().map(|problem| {
        let first = &problem.sources[0].file;
        place(first.folder, &first.name)
    });
    let leaves = outcome.leaves.iter().filter(|(at, _)| *at != 0).map(|(at, _)| tree.path(*at));
    let own = outcome.with_own_file.iter().map(|file| place(file.folder, &file.name));
    joined.chain(leaves).chain(own).collect()
}
