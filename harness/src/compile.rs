//! Builds sources into artefacts, and keeps them by the content that made them.
//!
//! Third in the flow. A source is compiled as a judge would: the one file, alone in a fresh folder,
//! by its language's own compiler, under limits, through the sandbox. It never judges: a source that
//! does not compile is a value, [`Built::Failed`]; an `Err` means that we could not find out.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::bytes::Bytes;
use crate::cache::Cache;
use crate::language::{
    Language, Names, NotInstalled, Profile, Template, Toolchain, Values, binary_in, expand,
};
use crate::problem::ProblemLimits;
use crate::sandbox::{Execution, Input, Job, Limits, SandboxError, WorkDir};

mod artifact;
mod environment;
mod failure;
mod header;
mod key;
mod message;
mod store;

pub use artifact::Artifact;
pub(crate) use header::is_testlib;
pub use store::{CacheInfo, clean, info};

use header::Header;
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
    text: Vec<u8>,
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

    /// Builds `source`, or finds it built. Safe to call from several threads and processes at once.
    pub fn compile(
        &self,
        source: &Path,
        language: &Language,
        limits: &ProblemLimits,
        run: &mut Run<'_>,
    ) -> Result<Built, CompileError> {
        let toolchain = language
            .toolchain(&self.cache)
            .map_err(|missing| CompileError::NotInstalled(missing.clone()))?;
        let text = doing(std::fs::read(source), "read", source)?;
        if let Some(failure) = failure::refused(&text, limits) {
            return Ok(Built::Failed(failure));
        }
        let names = language.names(&text);
        let variable = std::env::var_os(header::VARIABLE);
        let header = header::find(source, &text, variable.as_deref());
        let request = Request {
            source,
            header: doing(header, "read the `testlib.h` of", source)?,
            file_name: file_name(source, language, &names),
            text,
            names,
            language,
            toolchain,
        };
        let key = key::of(&request, &self.options);
        if let Some((dir, manifest)) = self.store.find(&key) {
            return Ok(Built::Ready(self.artifact(&request, dir, &manifest, true)));
        }
        self.build(&request, &key, limits, run)
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
        doing(std::fs::write(&file, &request.text), "write", &file)?;
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
        let cpu_time = limits.compilation_time.unwrap_or(COMPILATION_TIME);
        let memory = limits.compilation_memory.unwrap_or(COMPILATION_MEMORY);
        let limits = Limits {
            cpu_time,
            cpu_kill: cpu_time,
            wall_time: crate::limits::wall_for(cpu_time),
            memory,
            output: message::MOST_OUTPUT,
            stack: Bytes::mib(STACK_MIB),
            processes: PROCESSES,
            file_size: FILE_SIZE,
            one_core: false,
        };
        // Relative, so that messages, symbols and panics name the file and not where it was built.
        let values = Values {
            source: request.file_name.clone().into(),
            binary: binary_in(Path::new("")),
            dir: ".".into(),
            main_class: request.names.main_class.clone().unwrap_or_default(),
            memory_mib: (memory.get() >> 20).max(1),
            stack_mib: STACK_MIB,
            include: self.include(),
        };
        let mut command = expand(argv, &values);
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

/// The compiler's home and its folder for temporary files, below the one it works in.
const SCRATCH: &str = "tmp";

/// What the source is called where it is compiled: what the language demands, else its own name if a
/// compiler cannot take it for an option or choke on it.
fn file_name(source: &Path, language: &Language, names: &Names) -> String {
    let extension = source.extension().unwrap_or_default().to_string_lossy();
    if let Some(stem) = &names.file_stem {
        return format!("{stem}.{extension}");
    }
    let own = source.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let stem = own.strip_suffix(&*extension).unwrap_or_default();
    let stem = stem.strip_suffix('.').unwrap_or_default();
    let taken = stem == "program" || stem == SCRATCH;
    if stem.starts_with(|c: char| c.is_ascii_alphabetic()) && stem.chars().all(plain) && !taken {
        return own.into_owned();
    }
    let extension = language.extensions.first().map_or("", String::as_str);
    format!("submission.{extension}")
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
