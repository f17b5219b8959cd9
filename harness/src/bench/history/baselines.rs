//! The history of the baselines that a repository has committed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rejudge_statistics::median;

use super::{History, HistoryError};
use crate::bench::baseline::Baseline;
use crate::bench::git::{AsOf, PathCommit, PathHistory};
use crate::notice::Code;
use crate::printable::one_line;
use crate::show::words::Thousands;

impl History {
    /// The counts of instructions in the baseline at `path`, or in each baseline of that folder, at every commit that
    /// changed them.
    pub(crate) fn of_baselines(path: &Path) -> Result<Self, HistoryError> {
        let found = PathHistory::of(path)?;
        let mut history = Self {
            quantity: Some(("instructions".to_owned(), "instructions".to_owned())),
            ..Self::default()
        };
        if found.is_shallow {
            let notice = Code::MissingFile
                .says("this clone is shallow, so it has only the newest commits")
                .help("fetch the others with `git fetch --unshallow`");
            history.missing.push(notice.to_string());
        }
        if found.is_cut {
            let count = Thousands(found.commits.len());
            history.missing.push(format!("only the newest {count} commits are drawn"));
        }
        let mut known = BTreeMap::new();
        let mut unread = BTreeSet::new();
        for commit in &found.commits {
            let files = files(commit)?;
            let baselines = parsed(files, commit.short(), &mut unread, &mut history.missing);
            history.commit(&label(commit), baselines, &mut known);
        }
        if history.labels.is_empty() {
            return Err(Code::UnknownPath
                .says(format!("no commit has a baseline in `{}`", path.display()))
                .help("create one with `rejudge bench --save NAME`, and commit it")
                .into());
        }
        Ok(history)
    }
}

/// `a1b2c3d4e5 2026-01-31`.
fn label(commit: &PathCommit) -> String {
    let time = humantime::format_rfc3339_seconds(commit.time).to_string();
    let day = time.split('T').next().unwrap_or_default();
    format!("{} {day}", commit.short())
}

/// A file of a commit, and its text.
type CommittedFile = (PathBuf, Vec<u8>);

/// The baselines' files of a commit.
fn files(commit: &PathCommit) -> Result<Vec<CommittedFile>, HistoryError> {
    let mut files = match commit.content()? {
        AsOf::Text(text, path) => vec![(path, text)],
        AsOf::Folder(files, _) => {
            let files = files.into_iter();
            files.map(|file| (file.path, file.text)).collect()
        }
        // The commit removed it.
        AsOf::Missing | AsOf::NoFile => Vec::new(),
    };
    files.retain(|(file, _)| file.extension().is_some_and(|end| end == "json"));
    Ok(files)
}

/// The baselines of a commit, by name. A file that is not a baseline is `missing`, once for each text in `unread`.
fn parsed(
    files: Vec<CommittedFile>,
    commit: &str,
    unread: &mut BTreeSet<CommittedFile>,
    missing: &mut Vec<String>,
) -> Vec<(String, Baseline)> {
    let mut baselines = Vec::new();
    for (file, text) in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let name = one_line(stem.as_bytes(), 100);
        let place = format!("{} of commit {commit}", file.display());
        match Baseline::parse(&place, &String::from_utf8_lossy(&text)) {
            Ok(baseline) => baselines.push((name, baseline)),
            Err(error) => {
                if unread.insert((file, text)) {
                    missing.push(one_line(error.to_string().as_bytes(), 300));
                }
            }
        }
    }
    baselines
}

impl History {
    /// Adds the baselines of a commit, as far as it changed them: the others were not measured again. `known` are the last
    /// ones before it.
    fn commit(
        &mut self,
        label: &str,
        baselines: Vec<(String, Baseline)>,
        known: &mut BTreeMap<String, Baseline>,
    ) {
        let changed =
            baselines.into_iter().filter(|(name, baseline)| known.get(name) != Some(baseline));
        let changed: Vec<(String, Baseline)> = changed.collect();
        if changed.is_empty() {
            return;
        }
        let at = self.label(label);
        for (name, baseline) in changed {
            if let Some(old) = known.get(&name) {
                let differences = old.key.differences(&baseline.key).into_iter();
                let differences =
                    differences.map(|text| one_line(format!("{name}: {text}").as_bytes(), 500));
                self.conditions.extend(differences.map(|text| (at, text)));
            }
            for (solution, cases) in &baseline.solutions {
                for (case, samples) in cases {
                    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
                    let counts: Vec<f64> =
                        samples.instructions.iter().map(|count| *count as f64).collect();
                    if let Ok(median) = median(&counts) {
                        let key = [name.as_str(), solution, case]
                            .map(|text| one_line(text.as_bytes(), 500));
                        self.point(at, key, (median, None));
                    }
                }
            }
            known.insert(name, baseline);
        }
        self.pad();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn baseline(compiler: &str, count: u64) -> Baseline {
        let text = format!(
            "{{\"schema\":1,\"key\":{{\"arch\":\"a\",\"libc\":\"l\",\"counter\":\"c\",\"compilers\":{{\"rust\":\"{compiler}\"}}}},\
             \"machine\":{{\"os\":\"linux\",\"cpu\":null,\"kernel\":null,\"cores\":1}},\
             \"solutions\":{{\"a.rs\":{{\"1\":{{\"instructions\":[{count},{count}],\"cpu_us\":[],\"memory_bytes\":[]}}}}}}}}"
        );
        Baseline::parse("a", &text).unwrap()
    }

    #[test]
    fn an_unreadable_baseline_is_reported_once_for_each_of_its_texts() {
        let (mut unread, mut missing) = (BTreeSet::new(), Vec::new());
        for (commit, text) in [("one", "{"), ("two", "{"), ("three", "[")] {
            let file = (PathBuf::from("baselines/broken.json"), text.into());
            assert_eq!(parsed(vec![file], commit, &mut unread, &mut missing), []);
        }
        let places =
            ["one", "three"].map(|commit| format!("baselines/broken.json of commit {commit}"));
        assert_eq!(missing.len(), 2, "{missing:?}");
        for (line, place) in missing.iter().zip(places) {
            assert!(line.contains(&place), "{line}");
        }
    }

    #[test]
    fn each_case_is_a_series_and_a_new_compiler_is_a_condition() {
        let mut history = History::default();
        let mut known = BTreeMap::new();
        for (label, name, compiler, count) in [
            ("one", "main", "1.88", 10),
            ("two", "other", "1.88", 7),
            ("three", "main", "1.90", 20),
        ] {
            let baselines = vec![(name.to_owned(), baseline(compiler, count))];
            history.commit(label, baselines, &mut known);
        }
        let data = history.data(&history.ranked());
        assert_eq!(data["labels"], json!(["one", "two", "three"]));
        assert_eq!(
            data["series"][0]["points"],
            json!([[10.0, null, null], null, [20.0, null, null]])
        );
        assert_eq!(data["series"][1]["problem"], "other");
        assert_eq!(
            history.conditions,
            vec![(2, "main: the compiler of `rust`: `1.88` then, `1.90` now".to_owned())]
        );
    }

    #[test]
    fn a_baseline_that_a_commit_leaves_unchanged_was_not_measured_again() {
        let mut history = History::default();
        let mut known = BTreeMap::new();
        for (label, main, other) in
            [("one", 10, 7), ("two", 20, 7), ("none", 20, 7), ("three", 20, 8)]
        {
            let baselines = [("main", main), ("other", other)];
            let baselines =
                baselines.map(|(name, count)| (name.to_owned(), baseline("1.88", count)));
            history.commit(label, baselines.into(), &mut known);
        }
        let data = history.data(&history.ranked());
        assert_eq!(data["labels"], json!(["one", "two", "three"]));
        assert_eq!(
            data["series"][0]["points"],
            json!([[10.0, null, null], [20.0, null, null], null])
        );
        assert_eq!(
            data["series"][1]["points"],
            json!([[7.0, null, null], null, [8.0, null, null]])
        );
    }
}
