//! The cases of requests as files. Requests with the same cases share them.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::TempDir;

use crate::problem::GatheredCase;

/// The number of sets of cases that are kept: callers send the samples of one task one after the other.
const KEPT: usize = 64;

/// Inputs and answers, before they are files.
pub(super) type CaseTexts<'a> = Vec<(std::borrow::Cow<'a, str>, Option<std::borrow::Cow<'a, str>>)>;

/// A folder with cases.
#[derive(Debug)]
pub(super) struct CaseFolder {
    folder: TempDir,
    /// Whether each case has an answer.
    answers: Vec<bool>,
}

impl CaseFolder {
    fn write(cases: &CaseTexts<'_>) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("cases-").tempdir()?;
        let answers = cases.iter().map(|(_, answer)| answer.is_some()).collect();
        let new = Self { folder, answers };
        for (index, (input, answer)) in cases.iter().enumerate() {
            fs::write(new.path(index, "in"), input.as_bytes())?;
            if let Some(answer) = answer {
                fs::write(new.path(index, "ans"), answer.as_bytes())?;
            }
        }
        Ok(new)
    }

    fn path(&self, index: usize, suffix: &str) -> PathBuf {
        self.folder.path().join(format!("{}.{suffix}", index + 1))
    }

    /// The cases, called by their numbers from 1.
    pub(super) fn cases(&self) -> Vec<GatheredCase> {
        let cases = self.answers.iter().enumerate().map(|(index, has_answer)| GatheredCase {
            name: (index + 1).to_string(),
            input: self.path(index, "in"),
            answer: has_answer.then(|| self.path(index, "ans")),
        });
        cases.collect()
    }
}

/// The sets of cases that were used last.
#[derive(Debug, Default)]
pub(super) struct CaseFolders(Mutex<VecDeque<(blake3::Hash, Arc<CaseFolder>)>>);

impl CaseFolders {
    /// The folder with these cases.
    pub(super) fn get(&self, cases: &CaseTexts<'_>) -> io::Result<Arc<CaseFolder>> {
        let digest = digest(cases);
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut known = lock();
            if let Some(at) = known.iter().position(|(of, _)| *of == digest)
                && let Some(found) = known.remove(at)
            {
                let folder = Arc::clone(&found.1);
                known.push_back(found);
                return Ok(folder);
            }
        }
        let folder = Arc::new(CaseFolder::write(cases)?);
        let mut known = lock();
        known.push_back((digest, Arc::clone(&folder)));
        // The oldest folder is removed when its last request is judged, and outside of the lock.
        let oldest = if known.len() > KEPT { known.pop_front() } else { None };
        drop(known);
        drop(oldest);
        Ok(folder)
    }
}

fn digest(cases: &CaseTexts<'_>) -> blake3::Hash {
    let mut digest = blake3::Hasher::new();
    let mut add = |text: Option<&str>| {
        let length = text.map_or(u64::MAX, |text| text.len() as u64);
        digest.update(&length.to_le_bytes());
        digest.update(text.unwrap_or_default().as_bytes());
    };
    for (input, answer) in cases {
        add(Some(input));
        add(answer.as_deref());
    }
    digest.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_cases_share_their_files_and_old_ones_go() {
        let folders = CaseFolders::default();
        let of = |input: &str, answer: Option<&str>| {
            let texts = vec![(input.to_owned().into(), answer.map(|text| text.to_owned().into()))];
            folders.get(&texts).unwrap()
        };
        let one = of("1", Some("2"));
        let again = of("1", Some("2"));
        assert!(Arc::ptr_eq(&one, &again));
        assert!(!Arc::ptr_eq(&one, &of("1", None)));
        assert!(!Arc::ptr_eq(&one, &of("12", Some(""))));
        let cases = one.cases();
        assert_eq!(fs::read_to_string(&cases[0].input).unwrap(), "1");
        assert_eq!(fs::read_to_string(cases[0].answer.as_ref().unwrap()).unwrap(), "2");
        let path = cases[0].input.clone();
        for number in 0..KEPT {
            of(&number.to_string(), None);
        }
        assert!(path.exists(), "a request that is judged keeps its files");
        drop((one, again));
        assert!(!path.exists());
    }
}
