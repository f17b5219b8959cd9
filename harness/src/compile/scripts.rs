//! Programs of a package with their own `build` and `run` scripts.
//!
//! The folder is copied, `build` runs there under the limits of a compilation, and `run` is started
//! later.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::SCRATCH;
use super::job::compile_limits;
use super::message::{self, Message, MessageOrigin, own_paths};
use super::source_file::SourceFile;
use super::sources;
use super::store::{BuildFolder, Manifest};
use super::{
    Artifact, Built, CompileError, CompileFailure, Compiler, FilesBeside, OwnPaths, Terms, doing,
    failure, key,
};
use crate::language::{Template, Values};
use crate::problem::ProblemLimits;
use crate::sandbox::{Input, Job, RunJob, WorkDir};

/// The number of processes and threads that a script and its children need.
const PROCESSES: u32 = 64;

/// Whether the program in `dir` has its own scripts.
pub(crate) fn has_scripts(dir: &Path) -> bool {
    ["build", "run"].iter().any(|name| dir.join(name).is_file())
}

impl Compiler {
    /// Builds the program in `dir` with its own scripts, or finds its artefact.
    pub(super) fn compile_scripts(
        &self,
        dir: &Path,
        terms: &Terms<'_>,
        run: &mut RunJob<'_>,
    ) -> Result<Built, CompileError> {
        let (mut files, key) = read(dir, terms)?;
        let own_paths = own_paths(self.store.root(), dir, ("", &message::shown(dir)));
        if let Some((dir, manifest)) = self.store.find(&key) {
            return Ok(Built::Ready(artifact(dir, &manifest, own_paths, true)));
        }
        let place = doing(self.store.begin(), "create a folder in", self.store.root())?;
        for file in &mut files {
            file.executable |= file.name == "build";
        }
        let written = sources::write(&files, place.work());
        doing(written, "write to", place.path())?;
        let start = Instant::now();
        let message = match build(&files, dir, &place, &terms.limits, run)? {
            Ok(message) => message,
            Err(refused) => return Ok(Built::Failed(refused)),
        };
        if place.work().file(Path::new("run")).is_err() {
            let reason = "`build` created no file `run`".to_owned();
            return Ok(Built::Failed(CompileFailure::new(reason, message)));
        }
        Ok(match self.kept(&place, &key, start, &Message::default())? {
            Ok((dir, manifest)) => Built::Ready(artifact(dir, &manifest, own_paths, false)),
            Err(failure) => Built::Failed(failure),
        })
    }
}

/// The files of the program in `dir`, and the key of its artefact.
pub(super) fn read(
    dir: &Path,
    terms: &Terms<'_>,
) -> Result<(Vec<SourceFile>, String), CompileError> {
    let mut files = doing(sources::read_folder(dir), "read", dir)?;
    terms.fill_in(&mut files);
    let key = key::of_scripts(&files);
    Ok((files, key))
}

/// Runs `build`, if there is one; returns what it printed, or the reason if it failed.
fn build(
    files: &[SourceFile],
    source: &Path,
    place: &BuildFolder,
    limits: &ProblemLimits,
    run: &mut RunJob<'_>,
) -> Result<Result<Message, CompileFailure>, CompileError> {
    if !files.iter().any(|file| file.name == "build") {
        return Ok(Ok(Message::default()));
    }
    let dir = place.path();
    let script = dir.join("build");
    let scratch = dir.join(SCRATCH);
    if !place.work().has(SCRATCH) {
        doing(place.work().make_folder(SCRATCH), "create the folder", &scratch)?;
    }
    let mut env = environment();
    for name in ["HOME", "TMPDIR"] {
        env.push((name.into(), scratch.clone().into()));
    }
    let job = Job {
        argv: message::merged(vec![script.clone().into()]),
        env,
        work_dir: WorkDir::At(dir.to_owned()),
        readable: Vec::new(),
        limits: compile_limits(limits),
        preload: None,
    };
    let execution = run(&job, Input::Empty)?;
    let origin =
        MessageOrigin { shown: &message::shown(source), dir, file: &script, is_colored: false };
    if let Some(refused) = failure::of(&execution, &job.limits, &origin, "`build`") {
        return Ok(Err(refused));
    }
    doing(place.work().remove(SCRATCH), "remove", &scratch)?;
    Ok(Ok(message::of(&execution, &origin)))
}

fn environment() -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    vec![
        ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()),
        ("LANG".into(), "C.UTF-8".into()),
        ("LC_ALL".into(), "C.UTF-8".into()),
    ]
}

fn artifact(dir: PathBuf, manifest: &Manifest, own_paths: Arc<OwnPaths>, cached: bool) -> Artifact {
    let values = Values { dir: dir.clone(), ..Values::default() };
    Artifact {
        program_digest: None,
        cached,
        build_time: manifest.build_time(),
        readable: vec![dir.clone()],
        processes: PROCESSES,
        own_paths,
        message: Message::default(),
        opened: Arc::default(),
        beside: FilesBeside::default(),
        program: Some(dir.join("run")),
        run: vec![Template::try_from("{binary}".to_owned()).expect("it is a field")],
        values,
        env: environment(),
        own_env: std::collections::BTreeMap::new(),
        preload: None,
        dir,
    }
}
