//! Builds sources into artefacts and stores them by the content from which they were built.
//!
//! This is the third stage of the flow. A source is compiled as a judge would: the single file,
//! alone in a fresh folder, with its language's own compiler, under limits, in the sandbox. It
//! never judges: a source that does not compile is a value, [`Built::Failed`]; an `Err` means that
//! rejudge could not compile.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rejudge_quantity::Bytes;

use crate::cache::{Cache, Part};
use crate::language::{
    ClassNames, Language, Languages, NotInstalled, Profile, Template, Toolchain, UnclearLanguage,
};
use crate::notice;
use crate::notice::{Code, Notice};
use crate::sandbox::{RunJob, SandboxError};

mod artifact;
mod beside_source;
mod brought;
mod company;
mod compilation;
mod environment;
mod failure;
mod header;
mod job;
mod joined_sources;
mod kept_file;
mod key;
mod local_includes;
mod message;
mod named_files;
mod one_file;
mod precompiled;
mod preload;
mod program_key;
mod scripts;
mod source_file;
mod sources;
mod store;
mod terms;

pub use artifact::Artifact;
pub use beside_source::FilesBeside;
pub(crate) use brought::{BROUGHT, BroughtHeader};
pub(crate) use compilation::WarmStart;
pub(crate) use header::{is_testlib, place_of as testlib_header};
pub(crate) use named_files::files_beside;
pub(crate) use one_file::{OneFile, TestlibPlace, in_one_file};
pub use rejudge_check::OwnPaths;
pub(crate) use scripts::has_scripts;
pub(crate) use sources::{is_program_text, same_sources};
pub(crate) use store::precompiled;
pub use store::{CacheInfo, clean, info};
pub use terms::Terms;

use header::Headers;
use message::Message;
use precompiled::PrecompiledFiles;
use source_file::SourceFile;

/// The compiler's home and temporary folder, inside the folder in which it runs.
const SCRATCH: &str = "tmp";

/// Options that are the same for every compilation of a run.
#[derive(Debug, Clone, Default)]
pub struct CompileOptions {
    /// The profile that selects the command lines.
    pub profile: Profile,
    /// The folders for `{include}`, such as a contest library or `bits/stdc++.h`.
    pub include: Vec<PathBuf>,
    /// Whether submissions of problem packages get the flags of online judges too.
    pub online_judge: bool,
    /// Whether compilers are told to colour their messages.
    pub colors: bool,
    /// Whether to build even sources that are in the cache (`--no-compile-cache`).
    pub fresh: bool,
    /// The disk space for precompiled files. Zero: nothing is precompiled.
    pub room: Bytes,
}

/// Builds sources.
#[derive(Debug)]
pub struct Compiler {
    cache: Arc<Cache>,
    options: CompileOptions,
    precompiled: Option<PrecompiledFiles>,
    /// The store of artefacts: in the cache folder, or in a temporary one.
    store: store::ArtifactStore,
    /// The folder of sources that have no name of their own.
    nameless: Option<PathBuf>,
    /// Whether programs may begin in a copy of an interpreter.
    preloads: bool,
}

/// The result of a build.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one for each source, and moved on at once")]
pub enum Built {
    /// The program can be run.
    Ready(Artifact),
    /// The source does not compile.
    Failed(CompileFailure),
}

/// Why a source does not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileFailure {
    /// One line: `the compiler ended with exit code 1`.
    pub reason: String,
    /// The compiler's message, with the paths that users know; may be empty.
    pub message: String,
    /// The same message with the compiler's colours, if it was told to use them. Only for terminals.
    pub colored: Option<String>,
    /// The files next to the source that it names.
    pub beside: FilesBeside,
}

impl CompileFailure {
    /// A source that no compiler is asked about.
    pub(crate) fn without_compiler(reason: String) -> Self {
        Self::new(reason, Message::default())
    }

    fn new(reason: String, message: Message) -> Self {
        Self {
            reason,
            message: message.plain,
            colored: message.colored,
            beside: FilesBeside::default(),
        }
    }

    /// A failure without a message of a compiler.
    fn because(reason: impl Into<String>) -> Self {
        Self::new(reason.into(), Message::default())
    }
}

/// Why rejudge could not compile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The language is not installed.
    #[error(transparent)]
    NotInstalled(NotInstalled),
    /// The program is in no known language, or in several.
    #[error(transparent)]
    NoLanguage(#[from] UnclearLanguage),
    /// None of the program's files can be started. That is no fault that a compiler found.
    #[error("cannot start `{0}`: {1}")]
    NoStart(String, String),
    /// The package has a program that runs submissions, but not for this language.
    #[error("the package has no `entry` for a submission in {0}")]
    NoEntry(String),
    /// The source could not be read, or the artefact not be written.
    #[error("{action}")]
    Io {
        /// The failed action and its file.
        action: String,
        /// The system's error.
        source: io::Error,
    },
    /// The compiler could not be run.
    #[error("cannot run the compiler")]
    Sandbox(#[from] SandboxError),
}

impl CompileError {
    /// The notice of it, in one line with all its causes.
    pub(crate) fn notice(self) -> Notice {
        let code = match &self {
            Self::NotInstalled(missing) => return missing.notice(),
            Self::NoLanguage(_) => Code::UnknownLanguage,
            Self::NoStart(..) => Code::MissingFile,
            Self::NoEntry(_) => Code::Unsupported,
            Self::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                Code::UnusableFolder
            }
            Self::Io { .. } => Code::UnreadableFile,
            Self::Sandbox(_) => Code::BrokenProgram,
        };
        code.says(format!("{:#}", anyhow::Error::new(self)))
    }
}

/// Adds the action to an error of the system.
fn doing<T>(result: io::Result<T>, action: &str, path: &Path) -> Result<T, CompileError> {
    result.map_err(|source| CompileError::Io {
        action: format!("cannot {action} `{}`", path.display()),
        source,
    })
}

/// A source that was read, with everything that its compilation depends on.
struct CompileRequest<'a> {
    source: &'a Path,
    files: Vec<SourceFile>,
    /// The name of the file that starts.
    file_name: String,
    names: ClassNames,
    headers: Headers,
    beside: FilesBeside,
    /// Whether the package includes files.
    has_include: bool,
    language: &'a Language,
    /// Arguments for the compiler before those of the language.
    judge_flags: Vec<Template>,
    /// Arguments for a program of the problem that is one whole source, unless the compiler refused them.
    whole_program_flags: Vec<Template>,
    /// Arguments that the package states. They win over those of the language.
    own_flags: Vec<Template>,
    /// Whether its standard output should not be buffered.
    is_unbuffered: bool,
    toolchain: &'a Toolchain,
}

impl Compiler {
    /// Creates a compiler that stores its artefacts in `cache`.
    pub fn new(cache: Cache, options: CompileOptions) -> Result<Self, CompileError> {
        let root = cache.part(Part::Artefacts);
        let store = if options.fresh {
            store::ArtifactStore::temporary()
        } else {
            store::ArtifactStore::at(root.clone())
        };
        let store = doing(store, "create the folder", &root)?;
        let cache = Arc::new(cache);
        let precompiled = PrecompiledFiles::open(&cache, options.room);
        Ok(Self { cache, options, precompiled, store, nameless: None, preloads: false })
    }

    /// Lets messages name the files of this folder without it.
    pub(crate) fn leave_out(&mut self, folder: &Path) {
        self.nameless = Some(folder.to_owned());
    }

    /// From now on, programs whose language permits it begin in a copy of an interpreter: see [`Preload`](crate::sandbox::Preload).
    pub(crate) fn preload(&mut self) {
        self.preloads = true;
    }

    /// The cache that stores the artefacts.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Builds `source`, a file or a folder of files, or finds its artefact. Several threads and
    /// processes may call it at the same time.
    pub fn compile<'a>(
        &self,
        source: &Path,
        language: &Language,
        terms: impl Into<Terms<'a>>,
        run: &mut RunJob<'_>,
    ) -> Result<Built, CompileError> {
        self.compile_from(source, None, language, terms, run)
    }

    /// Like [`Compiler::compile`], but starts at `entrypoint`: a file of the folder, or a class.
    pub fn compile_from<'a>(
        &self,
        source: &Path,
        entrypoint: Option<&str>,
        language: &Language,
        terms: impl Into<Terms<'a>>,
        run: &mut RunJob<'_>,
    ) -> Result<Built, CompileError> {
        let terms = terms.into();
        let mut request = match self.request(source, entrypoint, language, &terms)? {
            Ok(request) => request,
            Err(failure) => return Ok(Built::Failed(failure)),
        };
        let key = key::of(&request, &self.options);
        if let Some((dir, manifest)) = self.store.find(&key) {
            return Ok(Built::Ready(self.artifact(&request, dir, &manifest, None)));
        }
        self.build(&mut request, &key, &terms.limits, run)
    }

    /// Reads `source` and everything else that its compilation depends on.
    fn request<'a>(
        &self,
        source: &'a Path,
        entrypoint: Option<&str>,
        language: &'a Language,
        terms: &Terms<'_>,
    ) -> Result<Result<CompileRequest<'a>, CompileFailure>, CompileError> {
        let toolchain = language
            .toolchain(&self.cache)
            .map_err(|missing| CompileError::NotInstalled(missing.clone()))?;
        self.request_for(toolchain, source, entrypoint, language, terms)
    }

    fn request_for<'a>(
        &self,
        toolchain: &'a Toolchain,
        source: &'a Path,
        entrypoint: Option<&str>,
        language: &'a Language,
        terms: &Terms<'_>,
    ) -> Result<Result<CompileRequest<'a>, CompileFailure>, CompileError> {
        let included = doing(terms.included(language), "read the files included with", source)?;
        if terms.lacks_its_entry(language) {
            return Err(CompileError::NoEntry(language.name.clone()));
        }
        let company = terms.company(source, language);
        let program = sources::ProgramSource { path: source, entrypoint, language, toolchain };
        let read = sources::read(&program, included, &company);
        let read = doing(read, "read", source)?;
        let name = source.file_name().map_or(source, Path::new);
        let whole =
            read.map_err(|why| CompileError::NoStart(notice::shown(name, None), why.reason))?;
        let mut whole = match failure::refused(whole, terms) {
            Ok(whole) => whole,
            Err(failure) => return Ok(Err(failure)),
        };
        terms.fill_in(&mut whole.files);
        let headers = header::wanted_by(&whole, source, language);
        let headers = doing(headers, "read the headers of", source)?;
        let own_flags = terms.own_flags(source, language);
        let is_whole = own_flags.is_empty() && is_one_source(&whole.files, &headers, language);
        Ok(Ok(CompileRequest {
            source,
            headers,
            file_name: whole.files[whole.main].name.clone(),
            files: whole.files,
            beside: whole.beside,
            has_include: terms.has_include(language),
            names: whole.names,
            language,
            judge_flags: terms.judge_flags(language, &self.options),
            whole_program_flags: terms.whole_program_flags(is_whole, language, &self.options),
            own_flags,
            is_unbuffered: terms.is_unbuffered(source),
            toolchain,
        }))
    }

    /// Builds a program of a package: a file, a folder, or a folder with `build` or `run`.
    pub fn compile_program<'a>(
        &self,
        source: &Path,
        languages: &Languages,
        terms: impl Into<Terms<'a>>,
        run: &mut RunJob<'_>,
    ) -> Result<Built, CompileError> {
        let terms = terms.into();
        if source.is_dir() && has_scripts(source) {
            return self.compile_scripts(source, &terms, run);
        }
        let language = languages.of_program(source)?;
        self.compile(source, language, terms, run)
    }
}

/// Whether a program is one source with headers of a package beside it.
fn is_one_source(files: &[SourceFile], headers: &Headers, language: &Language) -> bool {
    let sources = files.iter().filter(|file| sources::is_source(file, language)).count();
    sources == 1 && (files.len() > 1 || !headers.are_of_system())
}

/// The BLAKE3 checksum in hexadecimal of a source: of a file's bytes, or of the names and bytes of
/// a folder's files.
pub(crate) fn source_blake3(source: &Path) -> Option<String> {
    if source.is_dir() {
        return Some(key::of_files(&sources::read_folder(source).ok()?));
    }
    let text = std::fs::read(source).ok()?;
    Some(blake3::hash(&text).to_hex().to_string())
}

#[cfg(test)]
mod tests;
