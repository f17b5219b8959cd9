//! Problems of plain folders, whose cases discovery has gathered from the names of files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{CaseFiles, CaseSet, Format, Problem, TestCase};

/// A case, by the paths of its files.
pub struct GatheredCase {
    /// Its name, below `data/` in a package.
    pub name: String,
    /// The file of its input.
    pub input: PathBuf,
    /// `None`: the case is only run.
    pub answer: Option<PathBuf>,
}

impl Problem {
    /// The problem in `dir` with these cases. `name`: its name, if the folder has several problems.
    pub fn gathered(dir: &Path, name: Option<&str>, cases: Vec<GatheredCase>) -> Self {
        let set = Arc::new(CaseSet { root: dir.to_path_buf(), ..CaseSet::default() });
        let cases = cases.into_iter().map(|case| {
            let files = CaseFiles { input: case.input, answer: case.answer };
            TestCase::with_files(case.name, Arc::clone(&set), files)
        });
        let mut problem = Self { cases: cases.collect(), format: Format::V2025, ..Self::bare(dir) };
        if let Some(name) = name {
            name.clone_into(&mut problem.id);
        }
        problem
    }
}
