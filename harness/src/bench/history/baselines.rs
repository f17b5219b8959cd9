//! The history of the baselines that a repository has committed.

use std::collections::BTreeMap;
use std::path::Path;

use super::{History, HistoryError};
use crate::bench::baseline::Baseline;
use crate::bench::git::{AsOf, PathCommit, PathHistory};
use crate::notice::Code;
use crate::printable::one_line;
use crate::statistics::median;

/// A history, and what is missing in it.
pub(crate) struct BaselineHistory {
    pub(crate) history: History,
    /// A sentence for each gap.
    pub(crate) missing: Vec<String>,
}

impl BaselineHistory {
    /// The counts of instructions in the baseline at `path`, or in each baseline of that folder, at every commit that
    /// changed them.
    pub(crate) fn of(path: &Path) -> Result<Self, HistoryError> {
        let found = PathHistory::of(path)?;
        let mut missing = Vec::new();
        if found.is_shallow {
            let notice = Code::MissingFile
                .says("this clone is shallow, so it has only the newest commits")
                .help("fetch the others with `git fetch --unshallow`");
            missing.push(notice.to_string());
        }
        let mut history = History {
            quantity: Some(("instructions".to_owned(), "instructions".to_owned())),
            ..History::default()
        };
        let mut known = BTreeMap::new();
        for commit in &found.commits {
            let baselines = baselines(path, commit, &mut missing)?;
            if !baselines.is_empty() {
                history.commit(&label(commit), baselines, &mut known);
            }
        }
        if history.labels.is_empty() {
            return Err(Code::UnknownPath
                .says(format!("no commit has a baseline in `{}`", path.display()))
                .help("create one with `rejudge bench --save NAME`, and commit it")
                .into());
        }
        Ok(Self { history, missing })
    }
}

/// `a1b2c3d4e5 2026-01-31`.
fn label(commit: &PathCommit) -> String {
    let time = humantime::format_rfc3339_seconds(commit.time).to_string();
    let day = time.split('T').next().unwrap_or_default();
    format!("{} {day}", commit.short())
}

/// The baselines of a commit, by name.
fn baselines(
    path: &Path,
    commit: &PathCommit,
    missing: &mut Vec<String>,
) -> Result<Vec<(String, Baseline)>, HistoryError> {
    let files = match commit.content()? {
        AsOf::Text(text, path) => vec![(path, text)],
        AsOf::Folder(files, _) => {
            let files = files.into_iter();
            files.map(|file| (file.path, file.text)).collect()
        }
        // The commit removed it.
        AsOf::Missing | AsOf::NoFile => Vec::new(),
    };
    let files = files.into_iter();
    let files = files.filter(|(file, _)| file.extension().is_some_and(|end| end == "json"));
    let mut baselines = Vec::new();
    for (file, text) in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let name = one_line(stem.as_bytes(), 100);
        let place = format!("{} of commit {}", path.display(), commit.short());
        match Baseline::parse(&place, &String::from_utf8_lossy(&text)) {
            Ok(baseline) => baselines.push((name, baseline)),
            Err(error) => missing.push(one_line(error.to_string().as_bytes(), 300)),
        }
    }
    Ok(baselines)
}

impl History {
    /// Adds the baselines of a commit. `known` are the last ones before it.
    fn commit(
        &mut self,
        label: &str,
        baselines: Vec<(String, Baseline)>,
        known: &mut BTreeMap<String, Baseline>,
    ) {
        let at = self.labels.len();
        self.labels.push(label.to_owned());
        for (name, baseline) in baselines {
            if let Some(old) = known.get(&name) {
                let differences = old.key.differences(&baseline.key).into_iter();
                let differences = differences.map(|text| one_line(text.as_bytes(), 500));
                self.conditions.extend(differences.map(|text| (at, text)));
            }
            for (solution, cases) in &baseline.solutions {
                for (case, samples) in cases {
                    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
                    let counts = samples.instructions.iter().map(|count| *count as f64);
                    let counts: Vec<f64> = counts.collect();
                    if let Ok(median) = median(&counts) {
                        let key = [name.as_str(), solution, case]
                            .map(|text| one_line(text.as_bytes(), 500));
                        let series = self.series.entry(key).or_default();
                        series.resize(at, None);
                        series.push(Some((median, None)));
                    }
                }
            }
            known.insert(name, baseline);
        }
        for series in self.series.values_mut() {
            series.resize(at + 1, None);
        }
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
        let data = history.data();
        assert_eq!(data["labels"], json!(["one", "two", "three"]));
        assert_eq!(
            data["series"][0]["points"],
            json!([[10.0, null, null], null, [20.0, null, null]])
        );
        assert_eq!(data["series"][1]["problem"], "other");
        assert_eq!(
            data["conditions"],
            json!([[2, "the compiler of `rust`: `1.88` then, `1.90` now"]])
        );
    }
}
