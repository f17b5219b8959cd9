//! The command line of a compiler, with its limits and folders.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rejudge_quantity::Bytes;

use super::brought::SEARCHED_LAST;
use super::{CompileRequest, Compiler, SCRATCH, environment, message, sources};
use crate::language::{Language, Template, Values, binary_in, expand};
use crate::problem::ProblemLimits;
use crate::sandbox::{Job, Limits, WorkDir};

/// The CPU time limit of a compilation unless the problem sets another: the default of the 2025-09
/// format.
const COMPILATION_TIME: Duration = Duration::from_secs(60);
/// The memory limit of a compilation unless the problem sets another: the default of the 2025-09
/// format.
const COMPILATION_MEMORY: Bytes = Bytes::mib(2048);
/// The maximum size of a file that a compiler writes.
const FILE_SIZE: Bytes = Bytes::mib(1024);
/// The maximum number of threads and processes of the compiler and the linker.
const PROCESSES: u32 = 256;
/// The largest stack requested from a runtime: some do not start with a larger one, and all of them
/// reserve it.
pub(super) const STACK_MIB: u64 = 256;

impl Compiler {
    /// The job that compiles `request` in `dir`.
    pub(super) fn job(
        &self,
        request: &CompileRequest<'_>,
        argv: &[Template],
        dir: &Path,
        limits: &ProblemLimits,
    ) -> Job {
        let limits = compile_limits(limits);
        // Relative, so that messages, symbols and panics contain the file's name and not the folder
        // of the compilation.
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
        // The last of two contrary options counts.
        let last = command.iter().position(|word| word == "-o").unwrap_or(1);
        command.splice(last..last, expand(&request.own_flags, &values));
        command.splice(1..1, expand(&request.judge_flags, &values));
        command.splice(1..1, expand(&request.whole_program_flags, &values));
        if !request.headers.brought.is_empty() {
            command.splice(1..1, [SEARCHED_LAST, SCRATCH].map(OsString::from));
        }
        if self.colors(request.language) {
            command.splice(1..1, expand(&request.language.color_flags, &values));
        }
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
            preload: None,
        }
    }

    /// Replaces the source that starts with all sources, for compilers that need all of them.
    fn with_all_sources(request: &CompileRequest<'_>, command: Vec<OsString>) -> Vec<OsString> {
        let others: Vec<OsString> = request
            .files
            .iter()
            .filter(|file| sources::is_source(file, request.language))
            .filter(|file| request.language.all_sources && !file.is_included)
            .filter(|file| file.name != request.file_name)
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

    /// Whether the compiler of this language is told to colour its messages. This is not part of the artefact's key,
    /// because the program is the same.
    pub(super) fn colors(&self, language: &Language) -> bool {
        self.options.colors && !language.color_flags.is_empty()
    }

    /// The include folders as absolute paths, because the compiler runs in another folder.
    pub(super) fn include(&self) -> Vec<PathBuf> {
        let folders = self.options.include.iter();
        folders
            .map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.clone()))
            .collect()
    }
}

/// The limits of a compilation.
pub(super) fn compile_limits(limits: &ProblemLimits) -> Limits {
    let cpu_time = limits.compilation_time.unwrap_or(COMPILATION_TIME);
    let memory = limits.compilation_memory.unwrap_or(COMPILATION_MEMORY);
    Limits {
        output: message::MOST_OUTPUT,
        stack: Bytes::mib(STACK_MIB),
        processes: PROCESSES,
        file_size: FILE_SIZE,
        ..Limits::new(cpu_time, memory)
    }
}
