//! The stored cases: in `data/` of the package, or in the cache if they are too large for a
//! repository.
//!
//! Each file is written to a temporary name and then moved, so it appears whole or not at all.
//! Cases that the plan does not know are reported and never changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rejudge_quantity::Bytes;

use super::compare::{self, LineDifference};
use super::maker::Made;
use super::plan::GenerationPlan;
use super::recipe::{GroupFile, IMAGES, TEXTS};
use crate::cache;
use crate::file_error::FileError;
use crate::left_behind::{remove_beneath, write_beneath};
use crate::notice::Notices;
use crate::problem::{OnDemand, on_demand};
use crate::sandbox::Captured;
use crate::whole_file;

mod unknown;

pub(crate) use unknown::Unknown;

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
    /// This file is stored, although the rules state that there is none.
    Surplus(PathBuf),
}

/// The stored cases of one package.
#[derive(Debug)]
pub(crate) struct CaseStore {
    dir: PathBuf,
    listed: BTreeMap<String, OnDemand>,
    now: BTreeMap<String, OnDemand>,
    /// The files of the cases that were kept or compared.
    made: BTreeSet<PathBuf>,
    /// The settings of cases that were written before the cases are made with them.
    settings: BTreeSet<PathBuf>,
}

impl CaseStore {
    /// Opens the store of the package in `dir`; `None` if its `large.toml` has errors, which are
    /// added to `notices`.
    pub(crate) fn open(dir: &Path, notices: &mut Notices) -> Option<Self> {
        let before = notices.errors.len();
        let listed = on_demand::read(dir, notices);
        let listed: BTreeMap<_, _> =
            listed.into_iter().map(|one| (one.name.clone(), one)).collect();
        (notices.errors.len() == before).then(|| Self {
            dir: dir.to_path_buf(),
            now: listed.clone(),
            listed,
            made: BTreeSet::new(),
            settings: BTreeSet::new(),
        })
    }

    /// Stores a case in the place for its size.
    pub(crate) fn keep(&mut self, name: &str, made: &Made) -> Result<Kept, FileError> {
        let large = large(name, made);
        let mut changed = match large {
            Some(pair) => {
                let entry = entry(name, pair)?;
                write_if_missing(&entry.input, pair.0)?;
                write_if_missing(&entry.answer, pair.1)?;
                let changed = self.now.get(name) != Some(&entry);
                self.now.insert(name.to_owned(), entry);
                changed
            }
            None => self.now.remove(name).is_some(),
        };
        for (ending, bytes) in &made.0 {
            let file = self.file(name, ending);
            if large.is_some() && is_of_pair(ending) {
                let removed = remove_beneath(&self.dir, &self.below(&file));
                changed |= removed.map_err(FileError::on("remove", &file))?;
            } else {
                changed |= self.write_if_other(&file, bytes)? || self.settings.contains(&file);
                self.made.insert(file);
            }
        }
        Ok(if changed { Kept::Made } else { Kept::Unchanged })
    }

    /// Stores the settings of the wanted cases and of their folders, with which the cases are made; returns the number of
    /// folders whose settings changed.
    pub(crate) fn keep_settings(
        &mut self,
        plan: &GenerationPlan,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<usize, FileError> {
        let mut changed = 0;
        let is_below = |name: &str, folder: &str| {
            let rest = name.strip_prefix(folder);
            folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
        };
        for group in &plan.groups {
            let cases = plan.cases.iter();
            let mut inside = cases.filter(|case| is_below(&case.name, &group.folder));
            if inside.all(|case| !is_wanted(&case.name)) {
                continue;
            }
            let file = self.group_file(group);
            changed += usize::from(if let Some(text) = &group.text {
                self.write_if_other(&file, &text_of(text))?
            } else {
                let removed = remove_beneath(&self.dir, &self.below(&file));
                removed.map_err(FileError::on("remove", &file))?
            });
        }
        for case in plan.cases.iter().filter(|case| is_wanted(&case.name)) {
            let mut texts = case.texts.iter();
            if let Some((ending, text)) = texts.find(|(ending, _)| *ending == "yaml") {
                let file = self.file(&case.name, ending);
                if self.write_if_other(&file, &text_of(text))? {
                    self.settings.insert(file);
                }
            }
        }
        Ok(changed)
    }

    /// Compares the stored settings of folders with those of the plan.
    pub(crate) fn compare_settings(
        &self,
        plan: &GenerationPlan,
    ) -> Result<Vec<Discrepancy>, FileError> {
        let mut findings = Vec::new();
        for group in &plan.groups {
            let file = self.group_file(group);
            match &group.text {
                Some(text) => findings.extend(compare(&text_of(text), file)?),
                None if file.exists() => findings.push(Discrepancy::Surplus(file)),
                None => {}
            }
        }
        Ok(findings)
    }

    /// Compares the stored case with the created one.
    pub(crate) fn compare(
        &mut self,
        name: &str,
        made: &Made,
    ) -> Result<Vec<Discrepancy>, FileError> {
        let mut findings = Vec::new();
        let large = large(name, made);
        let listed = self.listed.get(name);
        if large.is_none() && listed.is_some() {
            findings.push(Discrepancy::Stale(on_demand::path(&self.dir)));
        }
        for ending in PAIR.into_iter().chain(TEXTS).chain(IMAGES) {
            let Some(bytes) = made.0.get(ending) else {
                continue;
            };
            let file = self.file(name, ending);
            if !self.made.insert(file.clone()) {
                continue;
            }
            if large.is_none() || !is_of_pair(ending) {
                findings.extend(compare(bytes, file)?);
            } else if file.exists() {
                findings.push(Discrepancy::TooLarge(file, Bytes(bytes.len())));
            }
        }
        if let Some(pair) = large {
            let list = on_demand::path(&self.dir);
            let entry = entry(name, pair)?;
            findings.extend(match listed {
                None => {
                    let size = pair.0.len().max(pair.1.len());
                    Some(Discrepancy::NotListed(list, Bytes(size)))
                }
                Some(listed) if *listed == entry => None,
                Some(listed) if listed.input_blake3 != entry.input_blake3 => {
                    Some(Discrepancy::OtherSum(list, "in_blake3"))
                }
                Some(listed) if listed.answer_blake3 != entry.answer_blake3 => {
                    Some(Discrepancy::OtherSum(list, "ans_blake3"))
                }
                Some(_) => Some(Discrepancy::OtherSum(list, "in_bytes or ans_bytes")),
            });
        }
        Ok(findings)
    }

    /// Writes `large.toml` without the cases in `gone`.
    pub(crate) fn finish(mut self, gone: &[String]) -> Result<(), FileError> {
        self.now.retain(|name, _| !gone.contains(name));
        if self.now == self.listed {
            return Ok(());
        }
        let path = on_demand::path(&self.dir);
        if self.now.is_empty() {
            let removed = remove_beneath(&self.dir, &self.below(&path));
            return removed.map(drop).map_err(FileError::on("remove", &path));
        }
        let text = on_demand::to_toml(self.now.values());
        self.write(&path, &Captured::from_bytes(text.into_bytes()))
    }

    /// Writes the file unless it has these contents already; returns whether it was written.
    fn write_if_other(&self, path: &Path, bytes: &Captured) -> Result<bool, FileError> {
        let same = compare::with_file(bytes, path).map_err(FileError::on("read", path))?;
        if same == compare::FileComparison::Same {
            return Ok(false);
        }
        self.write(path, bytes).map(|()| true)
    }

    /// Writes a whole file of the package, and never through a symbolic link to a folder.
    fn write(&self, path: &Path, bytes: &Captured) -> Result<(), FileError> {
        let written = bytes
            .reader()
            .and_then(|mut reader| write_beneath(&self.dir, &self.below(path), &mut reader));
        written.map_err(FileError::on("write", path))
    }

    /// The path of one of the package's files, relative to its folder.
    fn below(&self, path: &Path) -> PathBuf {
        let below = path.strip_prefix(&self.dir);
        below.expect("made of the package's folder").to_owned()
    }

    fn file(&self, name: &str, ending: &str) -> PathBuf {
        self.dir.join("data").join(format!("{name}.{ending}"))
    }

    fn group_file(&self, group: &GroupFile) -> PathBuf {
        let folder = self.dir.join("data").join(&group.folder);
        folder.join("test_group.yaml")
    }
}

/// The endings of the files that a large case has in the cache.
const PAIR: [&str; 2] = ["in", "ans"];

fn is_of_pair(ending: &str) -> bool {
    PAIR.contains(&ending)
}

fn text_of(text: &str) -> Captured {
    Captured::from_bytes(text.as_bytes().to_vec())
}

/// How a file differs from these bytes.
fn compare(bytes: &Captured, file: PathBuf) -> Result<Option<Discrepancy>, FileError> {
    let found = compare::with_file(bytes, &file).map_err(FileError::on("compare", &file))?;
    Ok(match found {
        compare::FileComparison::Same => None,
        compare::FileComparison::Missing => Some(Discrepancy::Missing(file)),
        compare::FileComparison::Differs(at) => Some(Discrepancy::Differs(file, at)),
    })
}

/// The input and the answer of a case that is judged, if they are too large for a repository.
fn large<'m>(name: &str, made: &'m Made) -> Option<(&'m Captured, &'m Captured)> {
    let is_judged = ["sample/", "secret/"].iter().any(|place| name.starts_with(place));
    let pair = made.pair().filter(|_| is_judged)?;
    (pair.0.len().max(pair.1.len()) > LARGEST.get()).then_some(pair)
}

/// The entry of such a case in `large.toml`.
pub(super) fn entry(name: &str, pair: (&Captured, &Captured)) -> Result<OnDemand, FileError> {
    let sum = |bytes: &Captured| {
        let mut hasher = blake3::Hasher::new();
        let read = bytes.reader().and_then(|reader| hasher.update_reader(reader).map(|_| ()));
        read.map_err(FileError::on("read back", &std::env::temp_dir()))?;
        Ok(hasher.finalize().to_hex().to_string())
    };
    let (input, answer) = (sum(pair.0)?, sum(pair.1)?);
    Ok(OnDemand {
        name: name.to_owned(),
        input: cache::cases_dir().join(format!("{input}.in")),
        answer: cache::cases_dir().join(format!("{answer}.ans")),
        input_blake3: input,
        answer_blake3: answer,
        input_bytes: Bytes(pair.0.len()),
        answer_bytes: Bytes(pair.1.len()),
    })
}

/// Writes a file of the cache unless a file of this size exists: its name is its checksum.
pub(super) fn write_if_missing(path: &Path, bytes: &Captured) -> Result<(), FileError> {
    if has_size(path, Bytes(bytes.len())) {
        return Ok(());
    }
    cache::writable().map_err(FileError::on("write", path))?;
    let written = bytes.reader().and_then(|mut reader| whole_file::write(path, &mut reader));
    written.map_err(FileError::on("write", path))
}

/// Whether the file exists with this size.
pub(super) fn has_size(path: &Path, size: Bytes) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() == size.get())
}
