//! The standard streams of a run: whatever a program does to them reaches neither the case's file, nor another run, nor
//! anybody else. Nothing here needs a protection: it holds under every back end, with all of them and with none.

use std::fs::{self, File, Metadata, OpenOptions};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rejudge_sandbox::{Execution, Exit, Input, Isolation, Turn};
use rustix::fs::{FlockOperation, fcntl_lock, flock};
use tempfile::TempDir;

use crate::fixture::{Fixture, marked_processes, programs, scaled};
use crate::shape;

const TEXT: &str = "1 2\n";

/// A case's file, as it lies in a repository: with a name, a mode and times, and owned by whoever judges.
struct StreamTest {
    _folder: TempDir,
    path: PathBuf,
    before: Metadata,
}

/// Everything about a file but when it was read and when its status was set.
fn traits(data: &Metadata) -> [u64; 8] {
    [
        data.ino(),
        data.mode().into(),
        data.nlink(),
        data.uid().into(),
        data.gid().into(),
        data.size(),
        data.mtime().cast_unsigned(),
        data.mtime_nsec().cast_unsigned(),
    ]
}

impl StreamTest {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.in");
        fs::write(&path, text).unwrap();
        let before = fs::metadata(&path).unwrap();
        Self { _folder: folder, path, before }
    }

    fn open(&self) -> Input {
        Input::File(File::open(&self.path).unwrap())
    }

    fn is_unchanged(&self, after: &str) {
        let now = fs::metadata(&self.path).unwrap();
        assert_eq!(traits(&now), traits(&self.before), "{after}");
        // Whatever sets an attribute, a mode or an owner sets this time too.
        let changed = |data: &Metadata| (data.ctime(), data.ctime_nsec());
        assert_eq!(changed(&now), changed(&self.before), "{after}");
        assert_eq!(fs::read_to_string(&self.path).unwrap(), TEXT, "{after}");
    }

    /// Nobody holds a lock or a lease on it.
    fn is_free(&self, after: &str) {
        let file = OpenOptions::new().read(true).write(true).open(&self.path);
        let file = file.unwrap_or_else(|error| panic!("{after}: {error}"));
        flock(&file, FlockOperation::NonBlockingLockExclusive).expect(after);
        fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive).expect(after);
    }
}

fn said(execution: &Execution) -> String {
    String::from_utf8_lossy(execution.stdout.as_slice().unwrap()).into_owned()
}

/// The fixtures of every back end that can be had here, and of none of its protections.
fn fixtures() -> impl Iterator<Item = (&'static str, Fixture)> {
    let shapes = shape::all().into_iter().map(|shape| (shape.name, Fixture::in_shape(&shape)));
    let off = || ("no protection", Fixture::in_isolation(Isolation::Off));
    shapes.chain(std::iter::once_with(off))
}

#[test]
fn a_program_changes_no_case_and_no_other_run_through_its_streams() {
    if programs().is_none() {
        return;
    }
    for (name, mut fixture) in fixtures() {
        let case = StreamTest::new(TEXT);
        let job = fixture.job("mark_streams");
        // The first ones start at once, the others from a process that waits.
        for run in 0..5 {
            let execution = fixture.run(&job, case.open()).unwrap();
            let what = format!("run {run} under {name}");
            assert_eq!(execution.exit, Exit::Code(0), "{what}");
            assert_eq!(said(&execution), "", "{what}");
            case.is_unchanged(&what);
        }
        for run in 0..5 {
            let turn = Turn { job: &job, input: &case.path };
            let next = (run < 4).then_some(turn);
            let execution = fixture.runner().run_ahead(turn, run > 0, next).unwrap();
            let what = format!("run {run} of a row under {name}");
            assert_eq!(execution.exit, Exit::Code(0), "{what}");
            assert_eq!(said(&execution), "", "{what}");
            case.is_unchanged(&what);
        }
        case.is_free(name);
    }
}

#[test]
fn a_program_without_input_gets_an_empty_input_of_its_own() {
    if programs().is_none() {
        return;
    }
    let null = || fs::metadata("/dev/null").unwrap();
    let before = null();
    for (name, mut fixture) in fixtures() {
        let job = fixture.job("mark_streams");
        for run in 0..4 {
            let execution = fixture.run(&job, Input::Empty).unwrap();
            let what = format!("run {run} under {name}");
            assert_eq!(execution.exit, Exit::Code(0), "{what}");
            assert_eq!(said(&execution), "descriptor 0: another text\n", "{what}");
        }
    }
    assert_eq!(traits(&null())[..6], traits(&before)[..6]);
}

/// Waits until `condition` holds; far longer than it can take, so that only a fault runs into it.
fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(600);
    while !condition() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_lock_of_one_program_blocks_no_other() {
    if programs().is_none() {
        return;
    }
    for (name, mut holder) in fixtures() {
        let case = StreamTest::new(TEXT);
        let (interrupt, mark) = (holder.interrupt.clone(), holder.mark.clone());
        let mut job = holder.job("mark_streams");
        job.argv.push("wait".into());
        job.limits.wall_time = scaled(Duration::from_secs(3600));
        let input = case.open();
        let thread = std::thread::spawn(move || holder.run(&job, input).map(drop));
        eventually("it holds its locks", || marked_processes(&mark).len() == 2);
        case.is_unchanged(name);
        case.is_free(name);
        let mut other = Fixture::new();
        let job = other.job("mark_streams");
        let execution = other.run(&job, case.open()).unwrap();
        assert_eq!(said(&execution), "", "beside it, under {name}");
        interrupt.trigger();
        thread.join().unwrap().unwrap_err();
    }
}

#[test]
fn an_input_of_any_size_can_be_read_and_opened_again() {
    // Small, larger than any buffer, and larger than what is kept in memory.
    for length in [0, 1, 70_000, 3 << 20, (64 << 20) + 5] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        let bytes: Vec<u8> = (0..length).map(|i: u32| (i % 251) as u8).collect();
        fs::write(&path, &bytes).unwrap();
        let sum = checksum(&path);
        let Some(sum) = sum else { return };
        for (name, mut fixture) in fixtures() {
            let script = "cksum /dev/stdin | cut -d' ' -f1,2; cksum <&0 | cut -d' ' -f1,2";
            let mut job = crate::fixture::sh(&fixture, &format!("PATH=/usr/bin:/bin; {script}"));
            job.limits.cpu_time = scaled(Duration::from_secs(60));
            job.limits.cpu_kill = job.limits.cpu_time;
            let execution = fixture.run(&job, Input::File(File::open(&path).unwrap())).unwrap();
            assert_eq!(said(&execution), format!("{sum}\n{sum}\n"), "{length} bytes under {name}");
        }
    }
}

fn checksum(path: &Path) -> Option<String> {
    let output = std::process::Command::new("cksum").arg(path).output().ok()?;
    let text = String::from_utf8(output.stdout).unwrap();
    let words: Vec<&str> = text.split_whitespace().take(2).collect();
    Some(words.join(" "))
}
