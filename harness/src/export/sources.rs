//! Sources as they compile alone in another system: the files of the package that a source includes are part of its
//! text, and so are the values of the package's constants.

use std::borrow::Cow;
use std::path::Path;

use super::bundle::Bundle;
use crate::compile::{BroughtHeader, OneFile, TestlibPlace, in_one_file};
use crate::import::DraftText;
use crate::plain_file;
use crate::problem::{LocalIncludes, Problem, is_code};

/// The name of testlib's header.
const TESTLIB: &str = "testlib.h";

/// Who calls a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SourceRole {
    Program,
    Submission,
}

impl Bundle {
    /// Adds a program of the problem as `folder/name`, and the header of testlib if the program includes it.
    pub(super) fn put_program(&mut self, folder: &str, name: &str, source: &Path) {
        let testlib = self.put_source(&format!("{folder}/{name}"), source, SourceRole::Program);
        self.put_testlib(folder, testlib);
    }

    /// Adds the header of testlib to a folder with a program that includes it.
    pub(super) fn put_testlib(&mut self, folder: &str, place: Option<TestlibPlace>) {
        match place {
            None => {}
            Some(TestlibPlace(Some(header))) => self.copy(&format!("{folder}/{TESTLIB}"), &header),
            Some(TestlibPlace(None)) => {
                self.put(&format!("{folder}/{TESTLIB}"), BroughtHeader::testlib().text);
            }
        }
    }

    /// Adds a submission that is a single source.
    pub(super) fn put_submission(&mut self, name: &str, source: &Path) {
        if self.put_source(name, source, SourceRole::Submission).is_some() {
            self.lose(format_args!(
                "`{TESTLIB}`, which the submission `{}` includes",
                shown_name(source)
            ));
        }
    }

    /// The text of a program of the problem. `None`: it cannot be carried, which is listed.
    pub(super) fn program_text(&mut self, source: &Path) -> Option<OneFile> {
        if self.leads_out(source) {
            self.lose(format_args!("`{}`, which is a link out of the problem", shown_name(source)));
            return None;
        }
        match self.carried(source, SourceRole::Program) {
            Ok(one) => Some(one),
            Err(error) => {
                self.lose(format_args!("`{}`: {error}", shown_name(source)));
                None
            }
        }
    }

    fn put_source(&mut self, name: &str, source: &Path, role: SourceRole) -> Option<TestlibPlace> {
        if self.leads_out(source) {
            self.copy(name, source);
            return None;
        }
        match self.carried(source, role) {
            Ok(one) => {
                let is_same = plain_file::read(source).is_ok_and(|text| text == one.text);
                if is_same {
                    self.copy(name, source);
                } else {
                    self.put_text(name, DraftText::Here(one.text));
                }
                one.testlib
            }
            Err(error) => {
                self.lose(format_args!(
                    "the files that `{}` includes: {error}",
                    shown_name(source)
                ));
                self.copy(name, source);
                None
            }
        }
    }

    fn carried(&self, source: &Path, role: SourceRole) -> std::io::Result<OneFile> {
        let is_code = is_code(&shown_name(source));
        let local = match (&self.additions.local, role) {
            (Some(local), _) => Some(Cow::Borrowed(local)),
            (None, SourceRole::Submission) if Problem::is_described_in(&self.root) => None,
            // Outside packages, a submission is compiled with what it names.
            (None, _) => Some(Cow::Owned(self.neighbours(source))),
        };
        let mut one = match local.filter(|_| is_code) {
            Some(local) => in_one_file(source, &local)?,
            None => OneFile { text: plain_file::read(source)?, testlib: None },
        };
        one.text = self.additions.filled_in(one.text);
        Ok(one)
    }

    /// The files of the problem, or those next to a source that is elsewhere.
    fn neighbours(&self, source: &Path) -> LocalIncludes {
        let beside = source.parent().unwrap_or(source);
        let is_below = source.starts_with(&self.root);
        LocalIncludes::within(if is_below { &self.root } else { beside })
    }
}

/// The last part of a path.
pub(super) fn shown_name(source: &Path) -> String {
    let name = source.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
