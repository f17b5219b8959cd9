//! Archives among the paths of a request: beside other paths, one holds the cases for them.

use std::path::PathBuf;

use super::Request;
use super::folders::absolute;
use crate::problem::Problem;

/// The cases and the paths, with an archive among the paths at the place where it belongs.
pub(super) fn sorted(request: &Request<'_>) -> (Option<PathBuf>, Vec<PathBuf>) {
    let cases = request.cases.map(std::path::Path::to_path_buf);
    let is_archive = |path: &&PathBuf| Problem::is_file(&absolute(request.current, path));
    let (archives, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
        request.paths.iter().partition(is_archive);
    match (cases, archives.as_slice()) {
        (None, [archive]) if !others.is_empty() => {
            let others = others.into_iter().cloned().collect();
            (Some((*archive).clone()), others)
        }
        (cases, _) => (cases, request.paths.to_vec()),
    }
}
