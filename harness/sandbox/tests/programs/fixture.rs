//! Compiles the programs in `tests/hostile`, runs them, and sees what they leave behind.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rejudge_sandbox::{
    Bytes, Contention, Execution, Exit, Facts, Input, Interrupt, Isolation, Job, Limits,
    ProcessFolder, Runner, RunnerOptions, SandboxError, Usage, WorkDir, work_base,
};
use tempfile::TempDir;

use crate::shape::MachineShape;
use crate::support;

/// The number of processors that the caller may use, which is what `nproc` prints. A quota of CPU time does not count.
pub(crate) fn processors() -> usize {
    let all = rustix::thread::sched_getaffinity(None).unwrap();
    usize::try_from(all.count()).unwrap()
}

/// In the environment of every program of a fixture, with a value of that fixture's own.
pub(crate) const MARK: &str = "REJUDGE_TEST_MARK";

/// The folder of the compiled programs; `None`, said loudly, if there is no C compiler.
///
/// `REJUDGE_TEST_PROGRAMS` names a folder to keep them in, for a machine that has no compiler: they are compiled into
/// it only while it is empty.
pub(crate) fn programs() -> Option<&'static Path> {
    static PROGRAMS: OnceLock<Option<TestFolder>> = OnceLock::new();
    PROGRAMS.get_or_init(prepare_all).as_ref().map(|(folder, _)| folder.as_path())
}

/// The folder, and what removes it at the end if it is temporary.
type TestFolder = (PathBuf, Option<TempDir>);

fn prepare_all() -> Option<TestFolder> {
    if let Some(kept) = std::env::var_os("REJUDGE_TEST_PROGRAMS").map(PathBuf::from) {
        let empty = fs::read_dir(&kept).unwrap().next().is_none();
        return (!empty || compile_all(&kept)).then_some((kept, None));
    }
    let folder = tempfile::tempdir().unwrap();
    compile_all(folder.path()).then(|| (folder.path().to_owned(), Some(folder)))
}

fn compile_all(programs: &Path) -> bool {
    if Command::new("gcc").arg("--version").output().is_err() {
        support::skip("gcc is missing, so the sandbox is not tested; install gcc");
        return false;
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    // As artefacts are: for everybody to execute.
    fs::set_permissions(programs, Permissions::from_mode(0o755)).unwrap();
    for entry in fs::read_dir(sources).unwrap() {
        let source = entry.unwrap().path();
        if source.extension().is_none_or(|extension| extension != "c") {
            let copy = programs.join(source.file_name().unwrap());
            fs::copy(&source, copy).unwrap();
            continue;
        }
        let program = programs.join(source.file_stem().unwrap());
        // -O1 removes recursion and spinning less eagerly than -O2; volatile does the rest.
        let flags = ["-O1", "-pthread", "-fno-optimize-sibling-calls", "-o"];
        let status = Command::new("gcc").args(flags).arg(&program).arg(&source).status();
        assert!(status.unwrap().success(), "gcc {}", source.display());
    }
    true
}

/// A runner with a folder of its own.
pub(crate) struct Fixture {
    pub(crate) base: ProcessFolder,
    pub(crate) interrupt: Interrupt,
    pub(crate) mark: String,
    runner: Runner,
    /// What the innocent program used before anything hostile ran.
    innocent: Option<Usage>,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        Self::in_shape(&MachineShape::new("everything", &[]))
    }

    /// A runner that does without some walls.
    pub(crate) fn in_shape(shape: &MachineShape) -> Self {
        Self::start(|options| options.without.clone_from(&shape.without))
    }

    /// A runner with as much isolation as this.
    pub(crate) fn in_isolation(isolation: Isolation) -> Self {
        Self::start(|options| options.isolation = isolation)
    }

    fn start(change: impl FnOnce(&mut RunnerOptions)) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let base = work_base().unwrap();
        let interrupt = Interrupt::new().unwrap();
        let mut options = RunnerOptions::new(base.path(), interrupt.clone());
        change(&mut options);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self {
            base,
            interrupt,
            mark: format!("{}-{count}", std::process::id()),
            runner: Runner::start(&options).unwrap(),
            innocent: None,
        }
    }

    /// The folder for working folders.
    pub(crate) fn base(&self) -> &Path {
        self.base.path()
    }

    pub(crate) fn facts(&self) -> &Facts {
        self.runner.facts()
    }

    /// A job that starts `program` of the fixtures, or any with an absolute path.
    pub(crate) fn job(&self, program: &str) -> Job {
        let path = programs().map_or_else(|| PathBuf::from(program), |dir| dir.join(program));
        job(path, &self.mark)
    }
    pub(crate) fn run(&mut self, job: &Job, input: Input) -> Result<Execution, SandboxError> {
        self.runner.run(job, input)
    }

    /// For what a plain run cannot do.
    pub(crate) fn runner(&mut self) -> &mut Runner {
        &mut self.runner
    }

    /// Runs the innocent program, which must not feel what ran before it: its figures are those of a run before.
    pub(crate) fn innocent_is_unaffected(&mut self, after: &str) {
        let before = match self.innocent {
            Some(before) => before,
            None => Fixture::new().run_innocent("nothing"),
        };
        self.innocent = Some(before);
        let usage = self.run_innocent(after);
        // What a hostile program burns, and what it holds, is more than these.
        let (cpu, memory) = (scaled(Duration::from_millis(150)), 4 << 20);
        let figures = format!("after {after}: {usage:?}, before: {before:?}");
        assert!(usage.cpu() <= before.cpu() + cpu, "{figures}");
        assert!(usage.peak_memory.get() <= before.peak_memory.get() + memory, "{figures}");
    }

    fn run_innocent(&mut self, after: &str) -> Usage {
        let execution = self.run(&self.job("innocent"), input(b"1 2\n")).unwrap();
        assert_eq!(execution.exit, Exit::Code(0), "after {after}");
        let stdout = execution.stdout.as_slice();
        assert_eq!(stdout, Some(&b"3\n"[..]), "after {after}");
        assert!(execution.stderr_tail.is_empty(), "after {after}");
        execution.usage
    }

    /// Files that a program left beside its folder; they are removed.
    pub(crate) fn left_beside(&self) -> Vec<String> {
        let entries = fs::read_dir(self.base.path()).unwrap().flatten();
        let left = entries.filter(|entry| fs::remove_file(entry.path()).is_ok());
        left.map(|entry| format!("{} was left", entry.path().display())).collect()
    }

    /// Neither a process nor a file of any run is left.
    pub(crate) fn is_clean(&self, after: &str) {
        assert_eq!(marked_processes(&self.mark), [0_u32; 0], "after {after}");
        let left = fs::read_dir(self.base.path()).unwrap().count();
        assert_eq!(left, 0, "files left after {after}");
    }
}

pub(crate) fn job(program: PathBuf, mark: &str) -> Job {
    Job {
        argv: vec![program.into()],
        env: vec![(MARK.into(), mark.into())],
        work_dir: WorkDir::Fresh,
        readable: programs().into_iter().map(Path::to_owned).collect(),
        limits: limits(),
        preload: None,
    }
}

pub(crate) fn sh(fixture: &Fixture, script: &str) -> Job {
    let mut job = fixture.job("/bin/sh");
    job.argv.extend(["-c", script].map(OsString::from));
    job
}

/// A job that runs a Python script of the fixtures; `None`, said loudly, if there is no Python.
pub(crate) fn python(fixture: &Fixture, script: &str) -> Option<Job> {
    let found = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let Ok(found) = found else {
        support::skip("python3 is missing, so its specimens are not run; install python3");
        return None;
    };
    let interpreter = PathBuf::from(String::from_utf8(found.stdout).unwrap().trim());
    let prefix = interpreter.parent().and_then(Path::parent).map(Path::to_owned);
    let mut job = fixture.job("/");
    job.argv = vec![interpreter.into(), programs()?.join(script).into()];
    job.readable.extend(prefix);
    job.limits.memory = Bytes::mib(256);
    Some(job)
}

/// A time limit as it is on this machine: an emulated one, which is many times slower, sets `REJUDGE_TEST_TIME_FACTOR`.
pub(crate) fn scaled(time: Duration) -> Duration {
    let factor = std::env::var("REJUDGE_TEST_TIME_FACTOR");
    time * factor.map_or(1, |factor| factor.parse().unwrap())
}

/// What the kernel counts in ticks is exact to this.
pub(crate) const TICKS: Duration = Duration::from_millis(40);

/// The time in which a run slept does not count as starved. Its few ready moments may: a busy machine can make it wait in
/// each of them.
pub(crate) fn assert_slept(contention: &Contention) {
    let waited = contention.run_delay + contention.steal + contention.throttled + TICKS;
    assert!(contention.starved <= waited, "{contention:?}");
}

/// Small, so that every limit is reached soon; the wall limit is far off, so that it never comes first unasked.
pub(crate) fn limits() -> Limits {
    Limits {
        cpu_time: scaled(Duration::from_millis(200)),
        cpu_kill: scaled(Duration::from_millis(200)),
        wall_time: scaled(Duration::from_secs(60)),
        memory: Bytes::mib(64),
        output: Bytes::mib(1),
        stack: Bytes::mib(64),
        processes: 16,
        file_size: Bytes::mib(16),
        one_core: false,
    }
}

/// A file to read, and not to write, as the judge opens inputs.
pub(crate) fn input(bytes: &[u8]) -> Input {
    let mut file: File = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.set_permissions(Permissions::from_mode(0o644)).unwrap();
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    Input::File(File::open(path).unwrap())
}

/// Processes with this mark in their environment.
pub(crate) fn marked_processes(mark: &str) -> Vec<u32> {
    let wanted = format!("{MARK}={mark}\0");
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let environment = [b"\0", &environment[..]].concat();
        let wanted = [b"\0", wanted.as_bytes()].concat();
        if environment.windows(wanted.len()).any(|window| window == wanted) {
            found.push(pid);
        }
    }
    found
}
