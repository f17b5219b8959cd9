//! Runs one program under limits: `cargo run -p rejudge-sandbox --example run -- /bin/sh -c 'echo hello'`.

use std::time::Duration;

use rejudge_sandbox::Bytes;
use rejudge_sandbox::{Input, Interrupt, Job, Limits, Runner, RunnerOptions, work_base};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rejudge_sandbox::run_launcher_if_asked();
    let folders = work_base()?;
    let mut runner = Runner::start(&RunnerOptions::new(folders.path(), Interrupt::new()?))?;
    let limits = Limits::new(Duration::from_secs(1), Bytes::mib(256));
    let job = Job::new(std::env::args_os().skip(1), limits);
    let execution = runner.run(&job, Input::Empty)?;
    std::io::copy(&mut execution.stdout.reader()?, &mut std::io::stdout())?;
    let usage = &execution.usage;
    let (cpu, memory) = (usage.cpu(), usage.peak_memory);
    eprintln!("{:?}: {cpu:.1?} of CPU time, {memory}", execution.exit);
    Ok(())
}
