//! The result of a compilation: a program and the command line that starts it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::job::STACK_MIB;
use super::message::own_paths;
use super::message::{self, Message};
use super::preload;
use super::store::Manifest;
use super::{CompileRequest, Compiler, FilesBeside, OwnPaths, environment};
use crate::beside;
use crate::language::{Template, Values, binary_in, expand};
use crate::sandbox::{Job, Limits, Preload, WorkDir};

/// A program that can be started.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// The folder with all files of the program; it must not be written to.
    pub dir: PathBuf,
    /// Whether it was built by an earlier run.
    pub cached: bool,
    /// How long its compilation took when it was built.
    pub build_time: Duration,
    /// Folders that the program must be able to read, including its own.
    pub readable: Vec<PathBuf>,
    /// The number of processes and threads that its runtime needs.
    pub processes: u32,
    /// How users know the files that its messages name.
    pub(crate) own_paths: Arc<OwnPaths>,
    /// What the compiler printed when it built the program, such as warnings.
    pub(crate) message: Message,
    /// The checksum of the compiled program: equal checksums mean that two sources are the same program. `None`: it runs
    /// from its source.
    pub(crate) program_digest: Option<blake3::Hash>,
    /// The names of the files that a submission of several files consists of, with those that its package includes. It may open
    /// them in its working folder.
    pub(crate) opened: Arc<[String]>,
    /// The files next to the source that it names.
    pub(crate) beside: FilesBeside,
    pub(super) program: Option<PathBuf>,
    pub(super) run: Vec<Template>,
    pub(super) values: Values,
    pub(super) env: Vec<(OsString, OsString)>,
    /// The environment that the language sets, in which the limits can stand.
    pub(super) own_env: BTreeMap<String, Template>,
    /// How it begins in a copy of an interpreter, if it does.
    pub(super) preload: Option<Preload>,
}

impl Artifact {
    /// An artefact that cannot be started, for submissions that consist of answers only.
    pub(crate) fn none() -> Self {
        Self {
            dir: PathBuf::new(),
            cached: true,
            build_time: Duration::ZERO,
            readable: Vec::new(),
            processes: 1,
            own_paths: Arc::default(),
            message: Message::default(),
            program_digest: None,
            opened: Arc::default(),
            beside: FilesBeside::default(),
            program: None,
            run: Vec::new(),
            values: Values::default(),
            env: Vec::new(),
            own_env: BTreeMap::new(),
            preload: None,
        }
    }

    /// What the compiler printed although it accepted the source, such as warnings.
    pub fn warnings(&self) -> Option<&str> {
        Some(self.message.plain.as_str()).filter(|text| !text.is_empty())
    }

    /// The entry point: a class if the language starts classes, otherwise a file.
    pub(crate) fn entry_point(&self) -> String {
        let starts_class = |word: &Template| word.as_str().contains("{main_class}");
        if self.run.iter().any(starts_class) {
            return self.values.main_class.clone();
        }
        let file = self.values.source.file_name().unwrap_or_default();
        file.to_string_lossy().into_owned()
    }

    /// The command line. Some runtimes need the memory and the stack from `limits`.
    pub fn argv(&self, limits: &Limits) -> Vec<OsString> {
        let mut argv = expand(&self.run, &self.values_under(limits));
        if let (Some(program), Some(first)) = (&self.program, argv.first_mut()) {
            *first = program.clone().into_os_string();
        }
        argv
    }

    fn values_under(&self, limits: &Limits) -> Values {
        Values {
            memory_mib: (limits.memory.get() >> 20).max(1),
            stack_mib: (limits.stack.get() >> 20).clamp(1, STACK_MIB),
            ..self.values.clone()
        }
    }

    /// The job that runs it in `work_dir`; the arguments `more` follow its own.
    pub fn job(&self, limits: &Limits, more: &[OsString], work_dir: WorkDir) -> Job {
        let mut argv = self.argv(limits);
        argv.extend_from_slice(more);
        let mut env = self.env.clone();
        env.extend(environment::own(&self.own_env, &self.values_under(limits)));
        Job {
            argv,
            env,
            work_dir,
            readable: self.readable.clone(),
            limits: Limits { processes: limits.processes.max(self.processes), ..*limits },
            preload: self.preload.clone(),
        }
    }
}

impl Compiler {
    /// How messages name a source.
    pub(super) fn shown(&self, source: &Path) -> String {
        let below = self.nameless.as_ref().and_then(|dir| source.strip_prefix(dir).ok());
        below.map_or_else(|| message::shown(source), |below| below.display().to_string())
    }

    /// The artefact of `request` in the store's folder `dir`. `fresh` is the compiler's message if it ran just now.
    pub(super) fn artifact(
        &self,
        request: &CompileRequest<'_>,
        dir: PathBuf,
        manifest: &Manifest,
        fresh: Option<Message>,
    ) -> Artifact {
        let cached = fresh.is_none();
        let message = fresh.unwrap_or_else(|| manifest.message());
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
        let shown = self.shown(request.source);
        let of_message = Values { source: shown.clone().into(), ..Values::default() };
        let success = expand(&language.success, &of_message);
        let message = message.about(&shown, &request.file_name);
        let program = language.run.first().and_then(Template::plain);
        let runs_source = language.run.iter().any(|word| word.as_str().contains("{source}"));
        let sources: Vec<&str> = request.files.iter().map(|file| file.name.as_str()).collect();
        let opens = request.source.is_dir()
            || request.has_include
            || beside::looks_in_work_folder(request.source);
        let opened = if opens && sources.len() > 1 {
            request.files.iter().map(|file| file.name.clone()).collect()
        } else {
            Arc::default()
        };
        let mut readable = vec![dir.clone()];
        readable.extend_from_slice(&request.toolchain.readable);
        Artifact {
            env: environment::common(request),
            own_env: language.env.clone(),
            preload: self.preloads.then(|| preload::of(request)).flatten(),
            program: program.and_then(|name| request.toolchain.programs.get(name).cloned()),
            run: language.run.clone(),
            processes: language.processes,
            own_paths: own_paths(self.store.root(), request.source, (&request.file_name, &shown)),
            message: message.without_lines(&success),
            build_time: manifest.build_time(),
            program_digest: manifest.digest_without(&sources).filter(|_| !runs_source),
            opened,
            beside: request.beside.clone(),
            cached,
            readable,
            values,
            dir,
        }
    }
}
