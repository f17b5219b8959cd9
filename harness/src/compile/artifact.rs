//! What a compilation leaves: a program, and the command line that starts it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::job::STACK_MIB;
use super::store::Manifest;
use super::{Compiler, Request, environment};
use crate::language::{Template, Values, binary_in, expand};
use crate::sandbox::{Job, Limits, WorkDir};

/// A program that can be started, and how.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// The folder with everything that the program consists of; not to be written to.
    pub dir: PathBuf,
    /// Whether it was built by an earlier run.
    pub cached: bool,
    /// How long its compilation took when it was built.
    pub build_time: Duration,
    /// Folders that the program must be able to read, its own included.
    pub readable: Vec<PathBuf>,
    /// Processes and threads that its runtime needs.
    pub processes: u32,
    pub(super) program: Option<PathBuf>,
    pub(super) run: Vec<Template>,
    pub(super) values: Values,
    pub(super) env: Vec<(OsString, OsString)>,
}

impl Artifact {
    /// Nothing that can be started: a submission that is answers is only read.
    pub(crate) fn none() -> Self {
        Self {
            dir: PathBuf::new(),
            cached: true,
            build_time: Duration::ZERO,
            readable: Vec::new(),
            processes: 1,
            program: None,
            run: Vec::new(),
            values: Values::default(),
            env: Vec::new(),
        }
    }

    /// Where it starts: a class if the language starts those, else a file.
    pub(crate) fn entry_point(&self) -> String {
        let starts_class = |word: &Template| word.as_str().contains("{main_class}");
        if self.run.iter().any(starts_class) {
            return self.values.main_class.clone();
        }
        let file = self.values.source.file_name().unwrap_or_default();
        file.to_string_lossy().into_owned()
    }

    /// The command line under `limits`, of which a runtime may be told the memory and the stack.
    pub fn argv(&self, limits: &Limits) -> Vec<OsString> {
        let values = Values {
            memory_mib: (limits.memory.get() >> 20).max(1),
            stack_mib: (limits.stack.get() >> 20).clamp(1, STACK_MIB),
            ..self.values.clone()
        };
        let mut argv = expand(&self.run, &values);
        if let (Some(program), Some(first)) = (&self.program, argv.first_mut()) {
            *first = program.clone().into_os_string();
        }
        argv
    }

    /// The job that runs it in `work_dir`; `more` arguments follow its own.
    pub fn job(&self, limits: &Limits, more: &[OsString], work_dir: WorkDir) -> Job {
        let mut argv = self.argv(limits);
        argv.extend_from_slice(more);
        Job {
            argv,
            env: self.env.clone(),
            work_dir,
            readable: self.readable.clone(),
            limits: Limits {
                processes: limits.processes.max(self.processes),
                ..*limits
            },
        }
    }
}

impl Compiler {
    /// The artefact of `request` in the folder `dir` of the store.
    pub(super) fn artifact(
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
