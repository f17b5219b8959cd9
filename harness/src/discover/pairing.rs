//! Finds the cases among the paths of a request: next to solutions, an archive or a folder without
//! solutions contains their cases.

use std::path::{Path, PathBuf};

use super::folders::absolute;
use super::{Request, SearchWatch};
use crate::problem::Problem;

/// The folder of the cases, and the paths of the request without it.
pub(super) fn separate_cases(
    request: &Request<'_>,
    watch: SearchWatch<'_>,
) -> (Option<PathBuf>, Vec<PathBuf>) {
    let cases = request.cases.map(std::path::Path::to_path_buf);
    if cases.is_none() && request.paths.len() > 1 {
        for holds_cases in [is_archive, is_folder_of_cases] {
            let (found, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
                request.paths.iter().partition(|path| holds_cases(request, watch, path));
            if let ([cases], false) = (found.as_slice(), others.is_empty()) {
                let others = others.into_iter().cloned().collect();
                return (Some((*cases).clone()), others);
            }
        }
    }
    (cases, request.paths.to_vec())
}

fn is_archive(request: &Request<'_>, _watch: SearchWatch<'_>, path: &Path) -> bool {
    Problem::is_file(&absolute(request.current, path))
}

/// Only if the other paths are files: several folders are several things to judge.
fn is_folder_of_cases(request: &Request<'_>, watch: SearchWatch<'_>, path: &Path) -> bool {
    let is_folder = |path: &Path| absolute(request.current, path).is_dir();
    if !is_folder(path) || request.paths.iter().filter(|path| is_folder(path)).count() > 1 {
        return false;
    }
    let paths = [path.to_path_buf()];
    let alone = Request { paths: &paths, ..*request };
    let alone = super::discover_watched(&alone, watch);
    alone.submissions.is_empty() && !alone.problems.is_empty()
}
