//! Builds sources into artefacts, and keeps them by the content that made them.
//!
//! Third in the flow. A source is compiled as a judge would: the one file, alone in a fresh folder,
//! by its language's own compiler, under limits, through the sandbox. It never judges: a source that
//! does not compile is a value, [`Built::Failed`]; an `Err` means that we could not find out.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::bytes::Bytes;
use crate::cache::Cache;
use crate::language::{
    Language, Languages, Names, NotInstalled, Profile, Template, Toolchain, Values, binary_in,
    expand,
};
use crate::problem::ProblemLimits;
use crate::sandbox::{Execution, Input, Job, Limits, SandboxError, WorkDir};

mod artifact;
mod environment;
mod failure;
mod header;
mod key;
mod message;
mod scripts;
mod sources;
mod store;
mod terms;

pub use artifact::Artifact;
pub(crate) use header::is_testlib;
pub(crate) use scripts::has_scripts;
pub(crate) use store::MANIFEST;
pub use store::{CacheInfo, clean, info};
pub use terms::Terms;

use header::Header;
use sources::{SourceFile, Sources};
use store::Manifest;

/// Starts a job: the sandbox's runner, or a test's.
pub type Run<'a> = dyn FnMut(&Job, Input) -> Result<Execution, SandboxError> + 'a;

/// CPU time of a compilation, unless the problem says otherwise: the 2025-09 format's default.
const COMPILATION_TIME: Duration = Duration::from_secs(60);
/// Memory of a compilation, unless the problem says otherwise: the 2025-09 format's default.
const COMPILATION_MEMORY: Bytes = Bytes::mib(2048);
/// The largest file that a compiler may write.
const FILE_SIZE: Bytes = Bytes::mib(1024);
/// Threads of the compiler and of the linker.
const PROCESSES: u32 = 256;
/// Stacks above this are not asked of a runtime: some refuse to start, and all reserve it.
const STACK_MIB: u64 = 256;

/// What is the same for every compilation of a run.
#[derive(Debug, Clone, Default)]
pub struct CompileOptions {
    /// With which command lines.
    pub profile: Profile,
    /// Folders for `{include}`: a contest library, `bits/stdc++.h`.
    pub include: Vec<PathBuf>,
    /// Build even what the cache holds (`--no-compile-cache`).
    pub fresh: bool,
}

/// Builds sources.
#[derive(Debug)]
pub struct Compiler {
    cache: Cache,
    options: CompileOptions,
    /// Where artefacts lie: in the cache folder, or in one of our own.
    store: store::Store,
}

/// What became of a source.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one for each source, and moved on at once"
)]
pub enum Built {
    /// It can be run.
    Ready(Artifact),
    /// It does not compile.
    Failed(CompileFailure),
}

/// Why a source does not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileFailure {
    /// One line: `the compiler ended with exit code 1`.
    pub reason: String,
    /// The compiler's own words, with the paths as people know them; it may be empty.
    pub message: String,
}

/// We could not compile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The language is not installed.
    #[error(transparent)]
    NotInstalled(NotInstalled),
    /// The program is in no language, or in several.
    #[error("{0}")]
    NoLanguage(String),
    /// Reading the source, or writing the artefact.
    #[error("{action}")]
    Io {
        /// What was being done, and to which file.
        action: String,
        /// The system's error.
        source: io::Error,
    },
    /// The compiler could not be run.
    #[error("cannot run the compiler")]
    Sandbox(#[from] SandboxError),
}

/// Adds to an error of the system what was being done.
fn doing<T>(result: io::Result<T>, action: &str, path: &Path) -> Result<T, CompileError> {
    result.map_err(|source| CompileError::Io {
        action: format!("cannot {action} `{}`", path.display()),
        source,
    })
}

/// A source that was read, with all that its compilation depends on.
struct Request<'a> {
    source: &'a Path,
    files: Vec<SourceFile>,
    /// The name of the file that starts.
    file_name: String,
    names: Names,
    header: Header,
    language: &'a Language,
    toolchain: &'a Toolchain,
}

impl Compiler {
    /// A compiler that keeps its artefacts in `cache`.
    pub fn new(cache: Cache, options: CompileOptions) -> Result<Self, CompileError> {
        let root = cache.artefacts();
        let store = if options.fresh {
            store::Store::temporary()
        } else {
            store::Store::at(root.clone())
        };
        let store = doing(store, "make the folder", &root)?;
        Ok(Self {
            cache,
            options,
            store,
        })
    }

    /// The cache that it was made with.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Builds `source`, a file or a folder of files, or finds it built. Safe to call from several
    /// threads and processes at once.
    pub fn compile<'a>(
        &self,
        source: &Path,
        language: &Language,
        terms: impl Into<Terms<'a>>,
        run: &mut Run<'_>,
    ) -> Result<Built, CompileError> {
        self.compile_from(source, None, language, terms, run)
    }

    /// The same, starting at `entrypoint`: a file of the folder, or a class.
    pub fn compile_from<'a>(
        &self,
        source: &Path,
        entrypoint: Option<&str>,
        language: &Language,
        terms: impl Into<Terms<'a>>,
        run: &mut Run<'_>,
    ) -> Result<Built, CompileError> {
        let terms = terms.into();
        let toolchain = language
            .toolchain(&self.cache)
            .map_err(|missing| CompileError::NotInstalled(missing.clone()))?;
        let included = doing(
            terms.included(language),
            "read what is included with",
            source,
        )?;
        let read = sources::read(source, entrypoint, language, included);
        let read = doing(read, "read", source)?;
        let mut whole = match read.and_then(|whole| failure::refused(whole, &terms.limits)) {
            Ok(whole) => whole,
            Err(reason) => {
                return Ok(Built::Failed(CompileFailure {
                    reason,
                    message: String::new(),
                }));
            }
        };
        terms.fill_in(&mut whole.files);
        let request = Request {
            source,
            header: doing(header_of(&whole, source), "read the `testlib.h` of", source)?,
            file_name: whole.files[whole.main].name.clone(),
            files: whole.files,
            names: whole.names,
            language,
            toolchain,
        };
        let key = key::of(&request, &self.options);
        if let Some((dir, manifest)) = self.store.find(&key) {
            return Ok(Built::Ready(self.artifact(&request, dir, &manifest, true)));
        }
        self.build(&request, &key, &terms.limits, run)
    }

    /// Builds a program of a package's own: a file, a folder, or a folder with `build` or `run`.
    pub fn compile_program<'a>(
        &self,
        source: &Path,
        languages: &Languages,
        terms: impl Into<Terms<'a>>,
        run: &mut Run<'_>,
    ) -> Result<Built, CompileError> {
        let terms = terms.into();
        if source.is_dir() && has_scripts(source) {
            return self.compile_scripts(source, &terms, run);
        }
        let language = languages
            .of_program(source)
            .map_err(CompileError::NoLanguage)?;
        self.compile(source, language, terms, run)
    }

    fn build(
        &self,
        request: &Request<'_>,
        key: &str,
        limits: &ProblemLimits,
        run: &mut Run<'_>,
    ) -> Result<Built, CompileError> {
        let place = doing(self.store.begin(), "make a folder in", self.store.root())?;
        let dir = place.path();
        let file = dir.join(&request.file_name);
        doing(sources::write(&request.files, dir), "write to", dir)?;
        let start = Instant::now();
        let argv = request.language.compile_argv(self.options.profile);
        let header = dir.join(header::NAME);
        if let Header::Found(text) = &request.header {
            doing(std::fs::write(&header, text), "write", &header)?;
        }
        if !argv.is_empty() {
            let scratch = dir.join(SCRATCH);
            doing(std::fs::create_dir(&scratch), "make the folder", &scratch)?;
            let job = self.job(request, argv, dir, limits);
            let execution = run(&job, Input::Empty)?;
            if let Some(mut failure) =
                failure::of(&execution, &job.limits, request.source, dir, &file)
            {
                if request.header == Header::Missing {
                    failure.message.push_str(MISSING_HEADER);
                }
                if disk_is_full(dir) {
                    let full = io::Error::from(io::ErrorKind::StorageFull);
                    return doing(Err(full), "compile into", dir);
                }
                return Ok(Built::Failed(failure));
            }
            doing(std::fs::remove_dir_all(&scratch), "remove", &scratch)?;
        }
        if let Header::Found(_) = request.header {
            doing(std::fs::remove_file(&header), "remove", &header)?;
        }
        let stored = self.store.finish(place, key, start.elapsed());
        let (dir, manifest) = doing(stored, "keep the artefact in", self.store.root())?;
        Ok(Built::Ready(self.artifact(request, dir, &manifest, false)))
    }

    fn job(
        &self,
        request: &Request<'_>,
        argv: &[Template],
        dir: &Path,
        limits: &ProblemLimits,
    ) -> Job {
        let limits = compile_limits(limits);
        // Relative, so that messages, symbols and panics name the file and not where it was built.
        let values = Values {
            source: request.file_name.clone().into(),
            binary: binary_in(Path::new("")),
            dir: ".".into(),
            main_class: request.names.main_class.clone().unwrap_or_default(),
            memory_mib: (limits.memory.get() >> 20).max(1),
            stack_mib: STACK_MIB,
            include: self.include(),
        };
        let mut command = Self::with_all_sources(request, expand(argv, &values));
        let program = argv.first().and_then(Template::plain);
        if let Some(path) = program.and_then(|name| request.toolchain.programs.get(name)) {
            command[0] = path.clone().into_os_string();
        }
        let mut env = environment::of(request, &values);
        let scratch = dir.join(SCRATCH);
        for name in ["HOME", "TMPDIR", "TMP", "TEMP", "XDG_CACHE_HOME", "GOCACHE"] {
            env.push((name.into(), scratch.clone().into()));
        }
        let mut readable = request.toolchain.readable.clone();
        readable.extend(values.include);
        Job {
            argv: message::merged(command),
            env,
            work_dir: WorkDir::At(dir.to_owned()),
            readable,
            limits,
        }
    }

    /// The command line with every source in the place of the one that starts, for compilers that
    /// want them all.
    fn with_all_sources(request: &Request<'_>, command: Vec<OsString>) -> Vec<OsString> {
        let others: Vec<OsString> = request
            .files
            .iter()
            .filter(|file| sources::is_source(file, request.language))
            .filter(|file| request.language.all_sources && file.name != request.file_name)
            .map(|file| OsString::from(&file.name))
            .collect();
        let mut whole = Vec::with_capacity(command.len() + others.len());
        for word in command {
            let is_source = word == *request.file_name;
            whole.push(word);
            if is_source {
                whole.extend(others.iter().cloned());
            }
        }
        whole
    }

    /// Absolute, for the compiler works elsewhere.
    fn include(&self) -> Vec<PathBuf> {
        let folders = self.options.include.iter();
        folders
            .map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.clone()))
            .collect()
    }

    fn artifact(
        &self,
        request: &Request<'_>,
        dir: PathBuf,
        manifest: &Manifest,
        cached: bool,
    ) -> Artifact {
        let stem = Path::new(&request.file_name).file_stem();
        let stem = stem.unwrap_or_default().to_string_lossy().into_owned();
        let values = Values {
            source: dir.join(&request.file_name),
            binary: binary_in(&dir),
            dir: dir.clone(),
            main_class: request.names.main_class.clone().unwrap_or(stem),
            include: self.include(),
            ..Values::default()
        };
        let language = request.language;
        let program = language.run.first().and_then(Template::plain);
        let mut readable = vec![dir.clone()];
        readable.extend_from_slice(&request.toolchain.readable);
        Artifact {
            env: environment::of(request, &values),
            program: program.and_then(|name| request.toolchain.programs.get(name).cloned()),
            run: language.run.clone(),
            processes: language.processes,
            build_time: manifest.build_time(),
            cached,
            readable,
            values,
            dir,
        }
    }
}

/// Said of a source that does not compile and wants a header that was not found.
const MISSING_HEADER: &str = "\nhelp: put `testlib.h` beside the source or into the package, or \
    name it in the variable `TESTLIB`";

/// The limits of a compilation.
fn compile_limits(limits: &ProblemLimits) -> Limits {
    let cpu_time = limits.compilation_time.unwrap_or(COMPILATION_TIME);
    Limits {
        cpu_time,
        cpu_kill: cpu_time,
        wall_time: crate::limits::wall_for(cpu_time),
        memory: limits.compilation_memory.unwrap_or(COMPILATION_MEMORY),
        output: message::MOST_OUTPUT,
        stack: Bytes::mib(STACK_MIB),
        processes: PROCESSES,
        file_size: FILE_SIZE,
        one_core: false,
    }
}

/// The BLAKE3 sum, in hexadecimal, of a source: a file's bytes, or the names and bytes of a folder's files.
pub(crate) fn source_blake3(source: &Path) -> Option<String> {
    if source.is_dir() {
        return Some(key::of_files(&sources::read_folder(source).ok()?));
    }
    let text = std::fs::read(source).ok()?;
    Some(blake3::hash(&text).to_hex().to_string())
}

/// The compiler's home and its folder for temporary files, below the one it works in.
const SCRATCH: &str = "tmp";

/// The header that one of the sources may ask for and that does not lie among them.
fn header_of(whole: &Sources, source: &Path) -> io::Result<Header> {
    if whole.files.iter().any(|file| file.name == header::NAME) {
        return Ok(Header::Unwanted);
    }
    let variable = std::env::var_os(header::VARIABLE);
    for file in &whole.files {
        let path = if source.is_dir() {
            source.join(&file.name)
        } else {
            source.to_owned()
        };
        match header::find(&path, &file.text, variable.as_deref())? {
            Header::Unwanted => {}
            found => return Ok(found),
        }
    }
    Ok(Header::Unwanted)
}

/// Whether a compiler may have failed for want of space, which is no fault of the source.
#[cfg(unix)]
fn disk_is_full(dir: &Path) -> bool {
    rustix::fs::statvfs(dir).is_ok_and(|fs| {
        fs.f_bavail.saturating_mul(fs.f_frsize) < 1 << 20 || (fs.f_files > 0 && fs.f_favail == 0)
    })
}

#[cfg(not(unix))]
fn disk_is_full(_dir: &Path) -> bool {
    false
}

#[cfg(test)]
#[path = "compile/tests.rs"]
mod tests;
