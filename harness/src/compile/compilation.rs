//! One compilation, plain or with a precompiled header, and the decision which of them counts.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::message::{Message, MessageOrigin};
use super::precompiled::{MakingPlan, PrecompiledFile, PrecompiledFiles, same_files};
use super::store::{BuildFolder, Manifest};
use super::{
    Built, CompileError, CompileFailure, CompileRequest, Compiler, SCRATCH, Terms, doing, failure,
    sources,
};
use crate::language::Language;
use crate::left_behind::KeepError;
use crate::problem::ProblemLimits;
use crate::sandbox::{Input, RunJob};

/// What a compiler made.
pub(super) struct Compilation {
    place: BuildFolder,
    start: Instant,
    message: Message,
    failure: Option<CompileFailure>,
    /// Whether it succeeded, and printed at most warnings about lines of the source.
    pub(super) is_about_source: bool,
}

/// What became of the wish to let a compiler start from a stored file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WarmStart {
    /// Nothing can be stored for the source.
    Impossible,
    /// It was stored before.
    Known,
    /// It was made.
    Made,
}

impl Compiler {
    pub(super) fn build(
        &self,
        request: &mut CompileRequest<'_>,
        key: &str,
        limits: &ProblemLimits,
        run: &mut RunJob<'_>,
    ) -> Result<Built, CompileError> {
        let mut compilation = match &self.precompiled {
            Some(precompiled) => self.with_file(precompiled, request, limits, run)?,
            None => self.compile_once(request, limits, None, run)?,
        };
        // What cannot be linked like this can be linked as usual, and the message of an error is the usual one.
        if !request.whole_program_flags.is_empty() && compilation.failure.is_some() {
            request.whole_program_flags.clear();
            compilation = self.compile_once(request, limits, None, run)?;
        }
        self.result(request, key, compilation)
    }

    /// Compiles with a precompiled file if there is one and nobody can tell, and plainly otherwise.
    fn with_file(
        &self,
        precompiled: &PrecompiledFiles,
        request: &CompileRequest<'_>,
        limits: &ProblemLimits,
        run: &mut RunJob<'_>,
    ) -> Result<Compilation, CompileError> {
        let Some(plan) = self.plan(request, limits) else {
            return self.compile_once(request, limits, None, run);
        };
        if precompiled.is_due(&plan) {
            precompiled.make(&plan, run)?;
        }
        let Some(file) = precompiled.find(&plan) else {
            return self.compile_once(request, limits, None, run);
        };
        self.with_stored(precompiled, &file, request, limits, run)
    }

    /// Compiles with a stored file. If the result does not count, or the file was never used before, it compiles plainly, too.
    fn with_stored(
        &self,
        precompiled: &PrecompiledFiles,
        file: &PrecompiledFile,
        request: &CompileRequest<'_>,
        limits: &ProblemLimits,
        run: &mut RunJob<'_>,
    ) -> Result<Compilation, CompileError> {
        let fast = self.compile_once(request, limits, Some(file), run)?;
        if fast.counts(file) && file.is_proven {
            return Ok(fast);
        }
        let usual = self.compile_once(request, limits, None, run)?;
        if usual.counts(file) && !file.is_proven {
            precompiled.prove(file, fast.counts(file) && fast.is_same(&usual));
        }
        Ok(usual)
    }

    /// Makes what the compiler of `source` can start with, whether or not it pays, and compares a first program.
    pub(crate) fn precompile<'a>(
        &self,
        source: &Path,
        entrypoint: Option<&str>,
        language: &Language,
        terms: impl Into<Terms<'a>>,
        run: &mut RunJob<'_>,
    ) -> Result<WarmStart, CompileError> {
        let terms = terms.into();
        let request = self.request(source, entrypoint, language, &terms)?;
        let (Some(precompiled), Ok(request)) = (&self.precompiled, request) else {
            return Ok(WarmStart::Impossible);
        };
        let Some(plan) = self.plan(&request, &terms.limits) else {
            return Ok(WarmStart::Impossible);
        };
        let is_missing = precompiled.may_make(&plan);
        if is_missing {
            precompiled.make(&plan, run)?;
        }
        let Some(file) = precompiled.find(&plan) else { return Ok(WarmStart::Impossible) };
        if !file.is_proven {
            self.with_stored(precompiled, &file, &request, &terms.limits, run)?;
        }
        let stays = precompiled.find(&plan).is_some();
        Ok(match (stays, is_missing) {
            (false, _) => WarmStart::Impossible,
            (true, false) => WarmStart::Known,
            (true, true) => WarmStart::Made,
        })
    }

    /// What a compilation can start with.
    fn plan(&self, request: &CompileRequest<'_>, limits: &ProblemLimits) -> Option<MakingPlan> {
        let argv = request.language.compile_argv(self.options.profile);
        let job = (!argv.is_empty()).then(|| self.job(request, argv, Path::new(""), limits));
        job.and_then(|job| MakingPlan::of(request, &job))
    }

    pub(super) fn compile_once(
        &self,
        request: &CompileRequest<'_>,
        limits: &ProblemLimits,
        file: Option<&PrecompiledFile>,
        run: &mut RunJob<'_>,
    ) -> Result<Compilation, CompileError> {
        let place = doing(self.store.begin(), "create a folder in", self.store.root())?;
        let dir = place.path();
        let source = dir.join(&request.file_name);
        doing(sources::write(&request.files, place.work()), "write to", dir)?;
        let start = Instant::now();
        for (name, text) in &request.headers.found {
            let written = place.work().write(Path::new(name), 0o644, text);
            doing(written, "write to", dir)?;
        }
        let argv = request.language.compile_argv(self.options.profile);
        let origin = MessageOrigin {
            shown: &self.shown(request.source),
            dir,
            file: &source,
            is_colored: self.colors(request.language),
        };
        let (mut message, mut failed) = (Message::default(), None);
        if !argv.is_empty() {
            doing(place.work().make_folder(SCRATCH), "create a folder in", dir)?;
            for header in &request.headers.brought {
                let path = Path::new(SCRATCH).join(header.name);
                doing(place.work().write(&path, 0o644, header.text), "write to", dir)?;
            }
            let mut job = self.job(request, argv, dir, limits);
            if let Some(file) = file {
                file.add_to(&mut job);
            }
            let execution = run(&job, Input::Empty)?;
            failed = failure::of(&execution, &job.limits, &origin, "the compiler")
                .or_else(|| failure::without_program(&execution, request, &place, &origin));
            if failed.is_some() && failure::disk_is_full(dir) {
                let full = io::Error::from(io::ErrorKind::StorageFull);
                return doing(Err(full), "compile into", dir);
            }
            message = Message::of(&execution, &origin);
        }
        let is_about_source = failed.is_none() && message.is_about(&request.file_name);
        Ok(Compilation { place, start, message, failure: failed, is_about_source })
    }

    /// Stores what a compilation made.
    fn result(
        &self,
        request: &CompileRequest<'_>,
        key: &str,
        compilation: Compilation,
    ) -> Result<Built, CompileError> {
        let Compilation { place, start, message, failure, .. } = compilation;
        if let Some(mut failure) = failure {
            failure.beside.clone_from(&request.beside);
            let help = request.headers.help();
            failure.message.push_str(&help);
            if let Some(colored) = &mut failure.colored {
                colored.push_str(&help);
            }
            return Ok(Built::Failed(failure));
        }
        let dir = place.path();
        doing(place.work().remove(SCRATCH), "remove files in", dir)?;
        for (name, _) in &request.headers.found {
            doing(place.work().remove(name), "remove files in", dir)?;
        }
        Ok(match self.kept(&place, key, start, &message)? {
            Ok((dir, manifest)) => {
                Built::Ready(self.artifact(request, dir, &manifest, Some(message)))
            }
            Err(failure) => Built::Failed(failure),
        })
    }

    /// Stores the result. If it contains files that an artefact may not contain, the compilation
    /// has failed.
    pub(super) fn kept(
        &self,
        place: &BuildFolder,
        key: &str,
        start: Instant,
        message: &Message,
    ) -> Result<Result<(PathBuf, Manifest), CompileFailure>, CompileError> {
        match self.store.finish(place, key, start.elapsed(), message) {
            Ok(kept) => Ok(Ok(kept)),
            Err(KeepError::Contents(reason)) => Ok(Err(CompileFailure::because(reason))),
            Err(KeepError::Io(error)) => {
                doing(Err(error), "keep the artefact in", self.store.root())
            }
        }
    }
}

impl Compilation {
    /// Whether its result is that of a plain compilation, as far as it shows.
    pub(super) fn counts(&self, file: &PrecompiledFile) -> bool {
        if file.changes_messages() { self.is_about_source } else { self.failure.is_none() }
    }

    /// Whether another compilation wrote the same files and messages.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.message == other.message && same_files(&self.place, &other.place).unwrap_or(false)
    }
}
