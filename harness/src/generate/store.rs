//! The stored cases: in `data/` of the package, or in the cache if they are too large for a
//! repository.
//!
//! Each file is written to a temporary name and then moved, so it appears whole or not at all.
//! Cases that the plan does not know are reported and never changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::compare::{self, LineDifference};
use super::maker::Made;
use super::plan::GenerationPlan;
use crate::bytes::Bytes;
use crate::cache;
use crate::left_behind::{remove_beneath, write_beneath};
use crate::notice::Notices;
use crate::problem::{OnDemand, is_ignored, on_demand};
use crate::sandbox::Captured;
use crate::whole_file;

/// The largest file of a case that is stored in the repository.
pub(crate) const LARGEST: Bytes = Bytes::mib(4);

/// What the store did with a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// The case is new or has changed.
    Made,
    /// The case was stored already, byte for byte.
    Unchanged,
}

/// How a stored case differs from the created one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Discrepancy {
    /// This file is missing.
    Missing(PathBuf),
    /// This file has other contents.
    Differs(PathBuf, LineDifference),
    /// This file is stored, although the case is created on demand.
    TooLarge(PathBuf, Bytes),
    /// `large.toml` does not list this large case.
    NotListed(PathBuf, Bytes),
    /// `large.toml` has another value for this key of the case.
    OtherSum(PathBuf, &'static str),
    /// `large.toml` lists the case, although it is not large.
    Stale(PathBuf),
}

/// Stored cases that the plan does not know.
#[derive(Debug, Default)]
pub(crate) struct Unknown {
    /// Files below `data/sample` and `data/secret`, in order.
    pub(crate) files: Vec<PathBuf>,
    /// Names in `large.toml`.
    pub(crate) listed: Vec<String>,
}

/// A file of a case could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{path}`")]
pub(crate) struct WriteError {
    action: &'static str,
    path: String,
    source: io::Error,
}

/// The stored cases of one package.
#[derive(Debug)]
pub(crate) struct CaseStore {
    dir: PathBuf,
    listed: BTreeMap<String, OnDemand>,
    now: BTreeMap<String, OnDemand>,
}

impl CaseStore {
    /// Opens the store of the package in `dir`; `None` if its `large.toml` has errors, which are
    /// added to `notices`.
    pub(crate) fn open(dir: &Path, notices: &mut Notices) -> Option<Self> {
        let before = notices.errors.len();
        let listed = on_demand::read(dir, notices);
        let listed: BTreeMap<_, _> = listed
            .into_iter()
            .map(|one| (one.name.clone(), one))
            .collect();
        (notices.errors.len() == before).then(|| Self {
            dir: dir.to_path_buf(),
            now: listed.clone(),
            listed,
        })
    }

    /// Stores a case in the place for its size.
    pub(crate) fn keep(&mut self, name: &str, made: &Made) -> Result<Kept, WriteError> {
        let files = self.files(name);
        if !is_large(made) {
            let stale = self.now.remove(name).is_some();
            let input = self.write_if_other(&files[0], &made.input)?;
            let answer = self.write_if_other(&files[1], &made.answer)?;
            let made = stale || input || answer;
            return Ok(if made { Kept::Made } else { Kept::Unchanged });
        }
        let entry = entry(name, made)?;
        write_if_missing(&entry.input, &made.input)?;
        write_if_missing(&entry.answer, &made.answer)?;
        let mut changed = self.now.get(name) != Some(&entry);
        self.now.insert(name.to_owned(), entry);
        for file in files {
            changed |=
                remove_beneath(&self.dir, &self.below(&file)).map_err(failed("remove", &file))?;
        }
        Ok(if changed { Kept::Made } else { Kept::Unchanged })
    }

    /// Compares the stored case with the created one.
    pub(crate) fn compare(&self, name: &str, made: &Made) -> Result<Vec<Discrepancy>, WriteError> {
        let mut findings = Vec::new();
        let files = self.files(name);
        let listed = self.listed.get(name);
        if is_large(made) {
            for (file, bytes) in files.into_iter().zip([&made.input, &made.answer]) {
                if file.exists() {
                    findings.push(Discrepancy::TooLarge(file, Bytes(bytes.len())));
                }
            }
            let list = on_demand::path(&self.dir);
            let entry = entry(name, made)?;
            match listed {
                None => {
                    let size = made.input.len().max(made.answer.len());
                    findings.push(Discrepancy::NotListed(list, Bytes(size)));
                }
                Some(listed) if *listed == entry => {}
                Some(listed) if listed.input_blake3 != entry.input_blake3 => {
                    findings.push(Discrepancy::OtherSum(list, "in_blake3"));
                }
                Some(listed) if listed.answer_blake3 != entry.answer_blake3 => {
                    findings.push(Discrepancy::OtherSum(list, "ans_blake3"));
                }
                Some(_) => findings.push(Discrepancy::OtherSum(list, "in_bytes or ans_bytes")),
            }
            return Ok(findings);
        }
        if listed.is_some() {
            findings.push(Discrepancy::Stale(on_demand::path(&self.dir)));
        }
        for (file, bytes) in files.into_iter().zip([&made.input, &made.answer]) {
            match compare::with_file(bytes, &file).map_err(failed("compare", &file))? {
                compare::FileComparison::Same => {}
                compare::FileComparison::Missing => findings.push(Discrepancy::Missing(file)),
                compare::FileComparison::Differs(at) => {
                    findings.push(Discrepancy::Differs(file, at));
                }
            }
        }
        Ok(findings)
    }

    /// Finds stored cases that `plan` does not know.
    pub(crate) fn unknown(&self, plan: &GenerationPlan) -> Unknown {
        let known: BTreeSet<&str> = plan.cases.iter().map(|case| case.name.as_str()).collect();
        let data = self.dir.join("data");
        let mut files = Vec::new();
        for place in ["sample", "secret"] {
            let walk = WalkDir::new(data.join(place))
                .sort_by_file_name()
                .into_iter();
            let seen = walk.filter_entry(|e| !is_ignored(&e.file_name().to_string_lossy()));
            for entry in seen.flatten() {
                let stem = case_of(&data, entry.path());
                if stem.is_some_and(|stem| !known.contains(stem.as_str())) {
                    files.push(entry.into_path());
                }
            }
        }
        let listed = self
            .now
            .keys()
            .filter(|name| !known.contains(name.as_str()));
        Unknown {
            listed: listed.cloned().collect(),
            files,
        }
    }

    /// Writes `large.toml` without the cases in `gone`.
    pub(crate) fn finish(mut self, gone: &[String]) -> Result<(), WriteError> {
        self.now.retain(|name, _| !gone.contains(name));
        if self.now == self.listed {
            return Ok(());
        }
        let path = on_demand::path(&self.dir);
        if self.now.is_empty() {
            let removed = remove_beneath(&self.dir, &self.below(&path));
            return removed.map(drop).map_err(failed("remove", &path));
        }
        let text = on_demand::to_toml(self.now.values());
        self.write(&path, &Captured::from_bytes(text.into_bytes()))
    }

    /// Writes the file unless it has these contents already; returns whether it was written.
    fn write_if_other(&self, path: &Path, bytes: &Captured) -> Result<bool, WriteError> {
        let same = compare::with_file(bytes, path).map_err(failed("read", path))?;
        if same == compare::FileComparison::Same {
            return Ok(false);
        }
        self.write(path, bytes).map(|()| true)
    }

    /// Writes a whole file of the package, and never through a symbolic link to a folder.
    fn write(&self, path: &Path, bytes: &Captured) -> Result<(), WriteError> {
        let written = bytes
            .reader()
            .and_then(|mut reader| write_beneath(&self.dir, &self.below(path), &mut reader));
        written.map_err(failed("write", path))
    }

    /// The path of one of the package's files, relative to its folder.
    fn below(&self, path: &Path) -> PathBuf {
        let below = path.strip_prefix(&self.dir);
        below.expect("made of the package's folder").to_owned()
    }

    fn files(&self, name: &str) -> [PathBuf; 2] {
        [".in", ".ans"].map(|suffix| self.dir.join("data").join(format!("{name}{suffix}")))
    }
}

/// Whether a case is too large for a repository.
fn is_large(made: &Made) -> bool {
    made.input.len().max(made.answer.len()) > LARGEST.get()
}

/// The entry of such a case in `large.toml`.
pub(super) fn entry(name: &str, made: &Made) -> Result<OnDemand, WriteError> {
    let sum = |bytes: &Captured| {
        let mut hasher = blake3::Hasher::new();
        let read = bytes
            .reader()
            .and_then(|reader| hasher.update_reader(reader).map(|_| ()));
        read.map_err(failed("read back", &std::env::temp_dir()))?;
        Ok(hasher.finalize().to_hex().to_string())
    };
    let (input, answer) = (sum(&made.input)?, sum(&made.answer)?);
    Ok(OnDemand {
        name: name.to_owned(),
        input: cache::cases_dir().join(format!("{input}.in")),
        answer: cache::cases_dir().join(format!("{answer}.ans")),
        input_blake3: input,
        answer_blake3: answer,
        input_bytes: Bytes(made.input.len()),
        answer_bytes: Bytes(made.answer.len()),
    })
}

/// The case that a file belongs to, if it is the input or the answer of a case.
fn case_of(data: &Path, file: &Path) -> Option<String> {
    let relative = file.strip_prefix(data).ok()?.to_str()?.replace('\\', "/");
    let stem = relative
        .strip_suffix(".in")
        .or_else(|| relative.strip_suffix(".ans"))?;
    Some(stem.to_owned())
}

/// Writes a file of the cache unless a file of this size exists: its name is its checksum.
pub(super) fn write_if_missing(path: &Path, bytes: &Captured) -> Result<(), WriteError> {
    if has_size(path, Bytes(bytes.len())) {
        return Ok(());
    }
    cache::writable().map_err(failed("write", path))?;
    let written = bytes
        .reader()
        .and_then(|mut reader| whole_file::write(path, &mut reader));
    written.map_err(failed("write", path))
}

/// Whether the file exists with this size.
pub(super) fn has_size(path: &Path, size: Bytes) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() == size.get())
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.display().to_string();
    move |source| WriteError {
        action,
        path,
        source,
    }
}
