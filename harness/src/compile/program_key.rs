//! What a program depends on, as one hash: with the installed compiler, for the runs of this machine, or without, for what
//! several machines have in common.

use std::io;
use std::path::Path;

use walkdir::WalkDir;

use super::{
    CompileError, CompileOptions, Compiler, Terms, has_scripts, key, scripts, source_blake3,
};
use crate::language::{Language, Languages, Toolchain};

impl Compiler {
    /// The key of everything that a run of `source` depends on, except for limits and input: its artefact, and how that
    /// is started. `None`: the source cannot be compiled.
    pub(crate) fn run_key<'a>(
        &self,
        source: &Path,
        entrypoint: Option<&str>,
        language: &Language,
        terms: impl Into<Terms<'a>>,
    ) -> Result<Option<String>, CompileError> {
        let request = self.request(source, entrypoint, language, &terms.into())?;
        Ok(request.ok().map(|request| key::of_run(&request, &self.options)))
    }

    /// As [`Compiler::run_key`], for a program of a package.
    pub(crate) fn program_run_key<'a>(
        &self,
        source: &Path,
        languages: &Languages,
        terms: impl Into<Terms<'a>>,
    ) -> Result<Option<String>, CompileError> {
        if source.is_dir() && has_scripts(source) {
            return Ok(Some(scripts::read(source, &terms.into())?.1));
        }
        let language = languages.of_program(source)?;
        self.run_key(source, None, language, terms)
    }

    /// The key of `source`, of all files that are compiled with it, and of the command lines: as [`Compiler::run_key`], but
    /// equal on machines with different compilers. It does not include the folders for `{include}`. `None`: the source
    /// cannot be read or compiled.
    pub(crate) fn content_key<'a>(
        &self,
        source: &Path,
        entrypoint: Option<&str>,
        language: &Language,
        terms: impl Into<Terms<'a>>,
    ) -> Option<String> {
        let unknown = Toolchain::default();
        let terms = terms.into();
        let request = self.request_for(&unknown, source, entrypoint, language, &terms);
        let options = CompileOptions { include: Vec::new(), ..self.options.clone() };
        Some(key::of_run(&request.ok()?.ok()?, &options))
    }

    /// As [`Compiler::content_key`], for a program of a package.
    pub(crate) fn program_content_key<'a>(
        &self,
        source: &Path,
        languages: &Languages,
        terms: impl Into<Terms<'a>>,
    ) -> Option<String> {
        if source.is_dir() && has_scripts(source) {
            return source_blake3(source);
        }
        self.content_key(source, None, languages.of_program(source).ok()?, terms)
    }

    /// The names and the text of all files in the folders for `{include}`, as one hash.
    pub(crate) fn include_key(&self) -> io::Result<String> {
        let mut hasher = blake3::Hasher::new();
        for folder in &self.options.include {
            hasher.update(b"folder");
            for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
                let entry = entry?;
                if entry.file_type().is_file() {
                    let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
                    let text = blake3::Hasher::new()
                        .update_reader(std::fs::File::open(entry.path())?)?
                        .finalize();
                    hasher.update(blake3::hash(name.as_os_str().as_encoded_bytes()).as_bytes());
                    hasher.update(text.as_bytes());
                }
            }
        }
        Ok(hasher.finalize().to_hex().to_string())
    }
}
