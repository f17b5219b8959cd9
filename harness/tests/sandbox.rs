//! The sandbox against programs that misbehave, one limit after the other.

use std::ffi::OsString;
use std::time::Duration;

use rejudge::bytes::Bytes;
use rejudge::sandbox::{
    Exit, Input, Interrupt, Job, LimitKind, Limits, Runner, RunnerOptions, WorkDir,
};

fn limits() -> Limits {
    Limits {
        cpu_time: Duration::from_millis(300),
        cpu_kill: Duration::from_millis(300),
        wall_time: Duration::from_secs(10),
        memory: Bytes::mib(64),
        output: Bytes::mib(1),
        stack: Bytes::mib(64),
        processes: 16,
        file_size: Bytes::mib(16),
    }
}

fn sh(script: &str) -> Job {
    Job {
        argv: ["/bin/sh", "-c", script].map(OsString::from).to_vec(),
        env: vec![],
        work_dir: WorkDir::Fresh,
        readable: vec![],
        limits: limits(),
    }
}

#[test]
fn one_runner_tells_how_each_program_ended() {
    let base = tempfile::tempdir().unwrap();
    let options = RunnerOptions {
        work_base: base.path().to_owned(),
        interrupt: Interrupt::new().unwrap(),
    };
    let mut runner = Runner::start(&options).unwrap();
    let table = [
        ("exit 3", Exit::Code(3)),
        ("kill -9 $$", Exit::Signal(9)),
        ("while :; do :; done", Exit::Killed(LimitKind::Cpu)),
        ("cat /dev/zero", Exit::Killed(LimitKind::Output)),
        ("sleep 1000 & exit 0", Exit::Code(0)),
        ("mkdir -p a/b/c/d; touch a/b/x", Exit::Code(0)),
    ];
    for (script, exit) in table {
        let execution = runner.run(&sh(script), Input::Empty).unwrap();
        assert_eq!(execution.exit, exit, "{script}");
        assert_eq!(
            std::fs::read_dir(base.path()).unwrap().count(),
            0,
            "{script}"
        );
    }
}
