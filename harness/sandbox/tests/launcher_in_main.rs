//! A program that calls `run_launcher_if_asked` in `main` serves as its own launcher there, with the constructor linked
//! in or not.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use rejudge_sandbox::Bytes;
use rejudge_sandbox::{Exit, Input, Interrupt, Job, LimitKind, Limits};
use rejudge_sandbox::{Runner, RunnerOptions, work_base};

/// Set in a launcher; the value is a folder.
const VARIABLE: &str = "REJUDGE_LAUNCHER_IN_MAIN";
/// A file in that folder.
const MARK: &str = "main-was-reached";

fn main() -> Result<(), Box<dyn Error>> {
    let folders = work_base()?;
    let options = RunnerOptions::new(folders.path(), Interrupt::new()?);
    if let Some(base) = std::env::var_os(VARIABLE) {
        std::fs::write(Path::new(&base).join(MARK), "")?;
    } else if cfg!(not(feature = "constructor")) {
        let error = Runner::start(&options).expect_err("nothing would serve as the launcher");
        let text = error.to_string();
        assert!(text.contains("call `rejudge_sandbox::run_launcher_if_asked()`"), "{text}");
    }
    rejudge_sandbox::run_launcher_if_asked();
    let mut runner = Runner::start(&options)?;
    assert!(folders.path().join(MARK).exists(), "the constructor served as the launcher");

    let limits = Limits::new(Duration::from_secs(30), Bytes::mib(256));
    let job = Job::new(["/bin/sh", "-c", "read word; echo $word; exit 3"], limits);
    let execution = runner.run(&job, Input::Bytes(b"hello\n".to_vec()))?;
    assert_eq!(execution.exit, Exit::Code(3));
    assert_eq!(execution.stdout.as_slice(), Some(&b"hello\n"[..]));

    let limits = Limits::new(Duration::from_millis(100), Bytes::mib(256));
    let job = Job::new(["/bin/sh", "-c", "while :; do :; done"], limits);
    let execution = runner.run(&job, Input::Empty)?;
    assert_eq!(execution.exit, Exit::Killed(LimitKind::Cpu));
    println!("test a_program_without_constructor_runs_others ... ok");
    Ok(())
}
