//! Symbolic links in a ZIP archive. No link is created: each becomes a copy of what it leads to, once the files are unpacked.
//!
//! A link must stay inside the archive. That is decided after all links on its way are followed.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use super::super::store::StoreError;
use super::{Allowance, refused};

/// How many links may lead to one another, as for the files of a system.
const DEEPEST: usize = 40;

/// The links of an archive by their paths in it.
#[derive(Debug, Default)]
pub(super) struct ArchiveLinks(BTreeMap<String, ArchiveLink>);

#[derive(Debug)]
struct ArchiveLink {
    target: String,
    state: CopyState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CopyState {
    Waiting,
    Started,
    Copied,
}

/// Why a link is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum LinkFault {
    #[error("is a symbolic link with an absolute path")]
    Absolute,
    #[error("is a symbolic link that leads out of the archive")]
    Outside,
    #[error("is a symbolic link that leads nowhere")]
    Nowhere,
    #[error("is a symbolic link that leads back to itself")]
    Circle,
    #[error("is a symbolic link with the name of another entry")]
    Taken,
}

impl ArchiveLinks {
    /// Adds a link whose path is clean.
    pub(super) fn add(&mut self, path: String, target: &str) {
        let link = ArchiveLink { target: target.replace('\\', "/"), state: CopyState::Waiting };
        self.0.insert(path, link);
    }

    /// Copies what the links lead to. `folder` has everything else of the archive.
    pub(super) fn copy_all(
        &mut self,
        folder: &Path,
        allowance: &mut Allowance,
    ) -> Result<(), StoreError> {
        let paths: Vec<String> = self.0.keys().cloned().collect();
        for path in paths {
            self.copy(&path, folder, 0, allowance)?;
        }
        Ok(())
    }

    fn copy(
        &mut self,
        path: &str,
        folder: &Path,
        depth: usize,
        allowance: &mut Allowance,
    ) -> Result<(), StoreError> {
        let fault = |fault: LinkFault| refused(path, &fault.to_string());
        match self.0.get_mut(path) {
            Some(link) if link.state == CopyState::Copied => return Ok(()),
            Some(link) if link.state == CopyState::Waiting && depth < DEEPEST => {
                link.state = CopyState::Started;
            }
            _ => return Err(fault(LinkFault::Circle)),
        }
        let real = self.followed(path).map_err(fault)?;
        let below = format!("{real}/");
        if real.is_empty() || real == path || path.starts_with(&below) {
            return Err(fault(LinkFault::Circle));
        }
        // A folder is copied with what its own links lead to.
        let inner = self.0.range(below.clone()..).map(|(path, _)| path.clone());
        let inner: Vec<String> = inner.take_while(|path| path.starts_with(&below)).collect();
        for inner in inner {
            self.copy(&inner, folder, depth + 1, allowance)?;
        }
        let (from, to) = (folder.join(&real), folder.join(path));
        if !from.exists() {
            return Err(fault(LinkFault::Nowhere));
        }
        if to.exists() {
            return Err(fault(LinkFault::Taken));
        }
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        copy_tree(&from, &to, allowance)?;
        if let Some(link) = self.0.get_mut(path) {
            link.state = CopyState::Copied;
        }
        Ok(())
    }

    /// The path in the archive that a link leads to. No part of it is a link.
    fn followed(&self, path: &str) -> Result<String, LinkFault> {
        let mut real: Vec<String> = Vec::new();
        let mut rest: VecDeque<String> = path.split('/').map(str::to_owned).collect();
        let mut followed = 0;
        while let Some(part) = rest.pop_front() {
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    real.pop().ok_or(LinkFault::Outside)?;
                    continue;
                }
                _ => real.push(part),
            }
            let Some(link) = self.0.get(&real.join("/")) else {
                continue;
            };
            followed += 1;
            if followed > DEEPEST {
                return Err(LinkFault::Circle);
            }
            if link.target.starts_with('/') || link.target.as_bytes().get(1) == Some(&b':') {
                return Err(LinkFault::Absolute);
            }
            real.pop();
            for part in link.target.rsplit('/') {
                rest.push_front(part.to_owned());
            }
        }
        Ok(real.join("/"))
    }
}

/// Copies a file, or a folder without links.
fn copy_tree(from: &Path, to: &Path, allowance: &mut Allowance) -> Result<(), StoreError> {
    for entry in WalkDir::new(from) {
        let entry = entry.map_err(std::io::Error::from)?;
        let below = entry.path().strip_prefix(from).unwrap_or(entry.path());
        let target = if below.as_os_str().is_empty() { to.to_path_buf() } else { to.join(below) };
        allowance.entry()?;
        if entry.file_type().is_dir() {
            fs::create_dir(target)?;
        } else {
            allowance.spend(entry.metadata().map_err(std::io::Error::from)?.len())?;
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
