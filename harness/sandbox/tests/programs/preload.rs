//! Programs in Python that begin in a copy of an interpreter: they do what they do without it, and leave as little.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rejudge_sandbox::{Execution, Exit, Input, Job, LimitKind, Preload};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::early_runs::launcher;
use crate::fixture::{Fixture, input, marked_processes, python, scaled};
use crate::support;

/// A program of the fixtures' Python, with this source; `None`, said loudly, if there is none or the machine keeps runs less
/// apart than it must.
fn program(fixture: &Fixture, folder: &Path, source: &str) -> Option<Job> {
    let mut job = python(fixture, "spy.py")?;
    let missing: Vec<_> = fixture.facts().missing().map(|(missing, _)| missing.name()).collect();
    if !missing.is_empty() {
        let why = format!("no interpreter is copied without {missing:?}");
        if rustix::process::geteuid().is_root() {
            support::skip(&why);
        } else {
            support::skip_even_in_ci(&why);
        }
        return None;
    }
    let path = folder.join("solution.py");
    fs::write(&path, source).unwrap();
    job.readable.push(folder.to_owned());
    job.argv[1] = path.into();
    job.limits.cpu_time = scaled(Duration::from_secs(5));
    job.limits.cpu_kill = job.limits.cpu_time;
    Some(job)
}

/// A folder that the user of programs may read.
fn readable_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    folder
}

fn preload(job: &Job, modules: &[&str]) -> Job {
    let modules = modules.iter().map(|&name| name.to_owned()).collect();
    Job { preload: Some(Preload { modules }), ..job.clone() }
}

fn said(execution: &Execution) -> String {
    let out = String::from_utf8_lossy(execution.stdout.as_slice().unwrap());
    let errors = String::from_utf8_lossy(&execution.stderr_tail);
    format!("{out}--\n{errors}")
}

#[test]
fn a_program_does_the_same_in_a_copy() {
    let mut fixture = Fixture::new();
    for source in SOURCES {
        let folder = readable_folder();
        let Some(plain) = program(&fixture, folder.path(), source) else { return };
        let text = b"3 4\nrest\n";
        let before = fixture.run(&plain, input(text)).unwrap();
        let job = preload(&plain, &["collections", "heapq", "os.path", "this", "no_such_module"]);
        for number in 0..4 {
            let now = fixture.run(&job, input(text)).unwrap();
            assert_eq!(now.usage.preloaded, number > 0, "run {number} of {source}");
            assert_eq!(now.exit, before.exit, "run {number} of {source}: {}", said(&now));
            assert_eq!(said(&now), said(&before), "run {number} of {source}");
        }
    }
}

/// Each prints what it finds, or ends in its own way.
const SOURCES: [&str; 17] = [
    "class End:\n  def __del__(self): print('deleted')\nend = End()\ndef wait():\n  try: yield\n  finally: print('ended')\n\
     waiting = wait(); next(waiting); cycle = [End()]; cycle.append(cycle)",
    "'''\nimport this\n'''\nprint('only this')",
    "import os; print(len(open('/proc/self/auxv', 'rb').read()) > 0, os.access('/proc/self/mem', os.R_OK), os.listdir('/proc/self/ns') != [])",
    "import sys, os; sys.stderr.write('half a line'); os._exit(3)",
    "import sys; out = open(1, 'w', closefd=False); out.write('not flushed'); print(sorted(sys.flags), sys.orig_argv[1:])",
    "a, b = map(int, input().split()); print(a + b); print(input())",
    "import sys; print(sys.argv[1:], __name__, sys.path[0] == __file__.rpartition('/')[0], len(sys.path))",
    "import sys; print(sys.stdin, sys.stdout, sys.stderr, sys.stdin is sys.__stdin__, sys.stdout.line_buffering)",
    "import os, sys; print(sorted(os.environ), os.getcwd(), os.listdir('.'), os.listdir('/tmp'), os.getpid(), os.getppid())",
    "import os; print(os.listdir('/proc/self/fd'), open('/proc/self/status').read().split('Cap', 1)[1].split('voluntary')[0])",
    "import resource; print([resource.getrlimit(n) for n in range(16)])",
    "def f(n): return 1 if n == 0 else 1 + f(n - 1)\nimport sys\ntry: f(5000)\nexcept RecursionError as error: print(error)\n\
     import traceback; traceback.print_stack(); print(len(traceback.extract_stack()))\nf(5000)",
    "import atexit; atexit.register(print, 'the end'); raise SystemExit(7)",
    "print('begun'); 1 // 0",
    "import os, signal; print('gone', flush=True); os.kill(os.getpid(), signal.SIGSEGV)",
    "import threading; t = threading.Thread(target=lambda: print(threading.current_thread() is t)); t.start(); t.join(); \
     print(threading.main_thread().name, threading.main_thread().ident == threading.get_ident(), threading.get_native_id())",
    "import subprocess, sys; print(subprocess.run([sys.executable, '-c', 'print(input())'], capture_output=True).stdout)",
];

/// Shows what earlier runs could have left, and leaves it: files, processes, and changes of what was imported.
const TRACES: &str = "
import builtins, heapq, os, random, sys, threading, time
processes = [name for name in os.listdir('/proc') if name.isdigit()]
times = [[getattr(os.stat(place), 'st_' + what) for what in ('mode', 'uid', 'nlink', 'mtime')] for place in ('.', '/tmp')]
print(os.getcwd(), os.listdir('.'), os.listdir('/tmp'), os.listdir('/dev/shm'), processes, times, os.getpid(), os.getpgid(0))
print(hasattr(builtins, 'mark'), hasattr(heapq, 'mark'), 'MARK' in os.environ, sys.getrecursionlimit(), len(sys.modules))
print(threading.active_count(), os.sched_getaffinity(0), os.umask(0o77), os.nice(0), sorted(os.listdir('/proc/self/fd')))
print(random.random(), file=sys.stderr)
builtins.mark = heapq.mark = os.environ['MARK'] = 'left'
sys.setrecursionlimit(50000)
os.nice(5)
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
for place in ('left', '/tmp/left', '/dev/shm/left'):
    open(place, 'w').write('left')
os.chmod('.', 0o700)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        time.sleep(100)
";

#[test]
fn nothing_passes_from_copy_to_copy() {
    let mut fixture = Fixture::new();
    let folder = readable_folder();
    let Some(job) = program(&fixture, folder.path(), TRACES) else { return };
    let job = preload(&job, &["heapq", "random", "threading"]);
    let mut runs: Vec<Execution> = Vec::new();
    for number in 0..6 {
        let now = fixture.run(&job, Input::Empty).unwrap();
        assert_eq!((now.exit, now.usage.preloaded), (Exit::Code(0), number > 0), "{}", said(&now));
        if let Some(last) = runs.last() {
            assert_eq!(now.stdout.as_slice(), last.stdout.as_slice(), "run {number}");
            assert_ne!(now.stderr_tail, last.stderr_tail, "run {number} draws other numbers");
        }
        runs.push(now);
        fixture.innocent_is_unaffected("a copy");
    }
    let mark = fixture.mark.clone();
    assert_eq!(marked_processes(&mark).len(), 1, "the interpreter");
    drop(fixture);
    let patience = Instant::now() + Duration::from_secs(60);
    while !marked_processes(&mark).is_empty() {
        assert!(Instant::now() < patience, "the interpreter is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_interpreter_itself_never_runs_the_program() {
    // A run has no parent that it can name, so this ends itself. The interpreter would end the launcher.
    let source = "import os; print(os.getuid() == 0, flush=True); os.kill(os.getppid(), 9)";
    for (name, option) in
        [("solution.py", Some("-I")), ("solution.py", Some("-S")), ("heapq.py", None)]
    {
        let mut fixture = Fixture::new();
        let folder = readable_folder();
        let Some(mut job) = program(&fixture, folder.path(), source) else { return };
        fs::rename(folder.path().join("solution.py"), folder.path().join(name)).unwrap();
        job.argv[1] = folder.path().join(name).into();
        if let Some(option) = option {
            job.argv.insert(1, option.into());
        }
        let plain = fixture.run(&job, Input::Empty).unwrap();
        let before = launcher(&mut fixture);
        let job = preload(&job, &["heapq"]);
        for number in 0..4 {
            let now = fixture.run(&job, Input::Empty).unwrap();
            assert_eq!(
                (now.exit, said(&now)),
                (plain.exit, said(&plain)),
                "run {number} of {name}"
            );
            assert!(!now.usage.preloaded, "run {number} of {name} {option:?}");
        }
        assert_eq!(launcher(&mut fixture), before, "{name} {option:?}");
    }
}

#[test]
fn a_run_whose_interpreter_is_gone_starts_again() {
    let mut fixture = Fixture::new();
    let folder = readable_folder();
    let Some(job) = program(&fixture, folder.path(), "print(input())") else { return };
    let job = preload(&job, &[]);
    for number in 0..4 {
        // Of the children of the launcher, it is the only one that is another program.
        let launcher = launcher(&mut fixture);
        let children = format!("/proc/{launcher}/task/{launcher}/children");
        for child in fs::read_to_string(children).unwrap().split_whitespace() {
            let name = fs::read_to_string(format!("/proc/{child}/comm")).unwrap();
            if number == 2 && name.starts_with("python") {
                kill_process(Pid::from_raw(child.parse().unwrap()).unwrap(), Signal::KILL).unwrap();
            }
        }
        let now = fixture.run(&job, input(b"here\n")).unwrap();
        assert_eq!((now.exit, said(&now)), (Exit::Code(0), "here\n--\n".to_owned()));
        assert_eq!(now.usage.preloaded, number % 2 == 1, "run {number}");
    }
}

#[test]
fn limits_hold_in_a_copy() {
    let mut fixture = Fixture::new();
    for (source, limit) in [
        ("while True: pass", LimitKind::Cpu),
        ("import time; time.sleep(100)", LimitKind::Wall),
        ("a = []\nwhile True: a.append(bytearray(1 << 20))", LimitKind::Memory),
        ("while True: print('x' * 1000)", LimitKind::Output),
        ("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", LimitKind::Processes),
    ] {
        let folder = readable_folder();
        let Some(mut job) = program(&fixture, folder.path(), source) else { return };
        job.limits.cpu_time = scaled(Duration::from_millis(300));
        job.limits.cpu_kill = job.limits.cpu_time;
        if limit == LimitKind::Wall {
            job.limits.wall_time = scaled(Duration::from_millis(300));
        }
        let job = preload(&job, &["time"]);
        for number in 0..3 {
            let now = fixture.run(&job, Input::Empty).unwrap();
            let killed = matches!(now.exit, Exit::Killed(kind) if kind == limit || limit == LimitKind::Processes);
            assert!(killed, "run {number} of {source}: {:?}", now.exit);
            assert_eq!(now.usage.preloaded, number > 0, "run {number} of {source}");
        }
    }
}
