//! Builds programs with the compilers of the judge and runs them in its sandbox.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rejudge::Bytes;
use rejudge::compile::{Artifact, Built};
use rejudge::problem::ProblemLimits;
use rejudge::sandbox::{
    Exit, Input, Interrupt, Limits, ProcessFolder, Runner, RunnerOptions, WorkDir, work_base,
};
use rejudge::{Cache, CompileOptions, Compiler, Languages};
use tempfile::TempDir;

/// The CPU time limit of every run: far above every target, so that a slow run is measured and not killed.
const CPU_TIME: Duration = Duration::from_secs(60);

/// The result of a successful run.
pub(crate) struct ProgramRun {
    /// User plus system CPU time.
    pub(crate) cpu: Duration,
    pub(crate) peak: Bytes,
    pub(crate) output: Vec<u8>,
}

/// A compiler, a sandbox, and a folder for files.
pub(crate) struct ProgramRunner {
    compiler: Compiler,
    languages: Languages,
    runner: Runner,
    dir: TempDir,
    /// Removed after the launcher is gone.
    _work_base: ProcessFolder,
}

impl ProgramRunner {
    pub(crate) fn new() -> Self {
        let cache = Cache::open().expect("a cache folder");
        let work_base = work_base().expect("a temporary folder");
        let options = RunnerOptions::new(work_base.path(), Interrupt::new().expect("a pipe"));
        Self {
            compiler: Compiler::new(cache, CompileOptions::default()).expect("room to compile"),
            languages: Languages::load(&[].into()).expect("the built-in table"),
            runner: Runner::start(&options).expect("a launcher"),
            dir: tempfile::tempdir().expect("a temporary folder"),
            _work_base: work_base,
        }
    }

    /// Writes a file to the folder and returns its path.
    pub(crate) fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, content).expect("room for a file");
        path
    }

    /// Compiles a Rust source with the flags of the judge, or finds the program in the cache of the judge.
    pub(crate) fn compile(&mut self, source: &Path) -> Artifact {
        let rust = self.languages.by_extension("rs").expect("Rust is built in");
        let runner = &mut self.runner;
        let limits = ProblemLimits::default();
        let run = &mut |job: &_, input| runner.run(job, input);
        match self.compiler.compile(source, rust, &limits, run) {
            Ok(Built::Ready(artifact)) => artifact,
            other => panic!("{} does not compile: {other:?}", source.display()),
        }
    }

    /// Runs a program, which must succeed.
    pub(crate) fn run(
        &mut self,
        program: &Artifact,
        arguments: &[&str],
        input: Input,
    ) -> ProgramRun {
        let (code, run) = self.run_to_any_end(program, arguments, input, WorkDir::Fresh);
        assert_eq!(code, 0, "{} {arguments:?}", program.dir.display());
        run
    }

    /// Runs an output validator. `answer` needs to contain only what this validator reads.
    pub(crate) fn accepts(
        &mut self,
        validator: &Artifact,
        input: &Path,
        answer: &[u8],
        output: &[u8],
    ) -> bool {
        // The validator can read and write only in its working folder.
        let path = |name| self.dir.path().join(name);
        fs::copy(input, path("input")).expect("room for an input");
        fs::write(path("answer"), answer).expect("room for an answer");
        let output = self.write("output", output);
        let output = Input::File(File::open(output).expect("just written"));
        let folder = WorkDir::At(self.dir.path().into());
        let (code, _) = self.run_to_any_end(validator, &["input", "answer", "."], output, folder);
        assert!(code == 42 || code == 43, "the validator exited with code {code}");
        code == 42
    }

    fn run_to_any_end(
        &mut self,
        program: &Artifact,
        arguments: &[&str],
        input: Input,
        folder: WorkDir,
    ) -> (i32, ProgramRun) {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let job = program.job(&limits(), &arguments, folder);
        let execution = self.runner.run(&job, input).expect("a run");
        let Exit::Code(code) = execution.exit else {
            panic!("{} ended with {:?}", program.dir.display(), execution.exit)
        };
        let mut output = Vec::new();
        let reader = execution.stdout.reader();
        reader
            .and_then(|mut reader| reader.read_to_end(&mut output))
            .expect("what was captured can be read");
        let run =
            ProgramRun { cpu: execution.usage.cpu(), peak: execution.usage.peak_memory, output };
        (code, run)
    }
}

fn limits() -> Limits {
    Limits {
        output: Bytes::mib(256),
        stack: Bytes::mib(256),
        processes: 64,
        ..Limits::new(CPU_TIME, Bytes::mib(4096))
    }
}
