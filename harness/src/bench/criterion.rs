//! Reads the samples of every benchmark that criterion stored in `target/criterion` as a given baseline.
//!
//! Criterion shortens and sanitises names for its folders, so benchmarks are matched by the ids in `benchmark.json`.
//! Only the raw samples are read: `change/` may be stale and contains no verdict.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use walkdir::WalkDir;

use crate::plain_file;

/// Samples by benchmark. The key is the group of the benchmark and the rest of its id.
pub type CriterionSamples = BTreeMap<(String, String), Vec<f64>>;

/// Results that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CriterionError {
    /// A folder or file cannot be read.
    #[error("cannot read `{path}`")]
    Io {
        /// The folder or file.
        path: String,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// A file does not have criterion's format.
    #[error("`{path}` is not a valid file of criterion: {reason}")]
    Format {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
}

#[derive(Deserialize)]
struct StoredSample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// The folder of criterion's results: `$CRITERION_HOME`, otherwise `criterion` in the target folder.
#[must_use]
pub fn home(root: &Path) -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(home) = set("CRITERION_HOME") {
        return root.join(home);
    }
    let target = set("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    root.join(target).join("criterion")
}

/// The samples of the baseline `name` (`new`, `base`, or the name given to `--save-baseline`). A sample is the time of
/// one iteration.
pub fn read(home: &Path, name: &str) -> Result<CriterionSamples, CriterionError> {
    let mut found = CriterionSamples::new();
    for entry in WalkDir::new(home).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.depth() == 0 => return Ok(found),
            Err(error) => {
                return Err(CriterionError::Io {
                    path: error.path().unwrap_or(home).display().to_string(),
                    source: error.into(),
                });
            }
        };
        let folder = entry.path().parent();
        let is_named = folder.and_then(Path::file_name).is_some_and(|folder| folder == name);
        if entry.file_name() == "benchmark.json" && is_named {
            let benchmark: Benchmark = json(entry.path())?;
            let path = entry.path().with_file_name("sample.json");
            let StoredSample { iters, times } = json(&path)?;
            if iters.len() != times.len() {
                return Err(CriterionError::Format {
                    path: path.display().to_string(),
                    reason: format!("{} iterations but {} times", iters.len(), times.len()),
                });
            }
            let each = times.iter().zip(iters).map(|(time, iterations)| time / iterations);
            let rest: Vec<String> =
                [benchmark.function_id, benchmark.value_str].into_iter().flatten().collect();
            found.insert((benchmark.group_id, rest.join("/")), each.collect());
        }
    }
    Ok(found)
}

fn json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, CriterionError> {
    let shown = || path.display().to_string();
    let text = plain_file::read_text(path)
        .map_err(|source| CriterionError::Io { path: shown(), source })?;
    serde_json::from_str(&text)
        .map_err(|error| CriterionError::Format { path: shown(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(home: &Path, folder: &str, benchmark: &str, sample: &str) {
        let folder = home.join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("benchmark.json"), benchmark).unwrap();
        std::fs::write(folder.join("sample.json"), sample).unwrap();
    }

    #[test]
    fn matches_benchmarks_by_id_and_computes_the_time_of_one_iteration() {
        let home = tempfile::tempdir().unwrap();
        let id = r#"{"group_id":"a/b","function_id":"cpu","value_str":"x","throughput":null}"#;
        let sample = r#"{"sampling_mode":"Linear","iters":[1.0,2.0],"times":[10.0,22.0]}"#;
        write(home.path(), "a_b/cpu/x/new", id, sample);
        write(home.path(), "a_b/cpu/x/base", id, sample);
        let samples = read(home.path(), "new").unwrap();
        let key = ("a/b".to_owned(), "cpu/x".to_owned());
        assert_eq!(samples, [(key, vec![10.0, 11.0])].into());
        assert!(read(home.path(), "main").unwrap().is_empty());
        assert!(read(&home.path().join("no"), "new").unwrap().is_empty());
        write(home.path(), "a_b/cpu/x/new", id, r#"{"iters":[1.0],"times":[]}"#);
        let error = read(home.path(), "new").unwrap_err().to_string();
        assert!(error.ends_with("1 iterations but 0 times"), "{error}");
    }
}
