//! A command next to busy processors.

use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::thread;

use anyhow::{Context as _, Result, ensure};

/// `busy COUNT COMMAND…`: runs the command while COUNT threads on each processor compute, and exits with its status. The
/// threads end with this process, even by SIGKILL.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    let [count, program, arguments @ ..] = arguments else {
        anyhow::bail!("no command\nhelp: cargo xtask busy COUNT COMMAND…");
    };
    let count: usize = count.parse().with_context(|| format!("`{count}` is not a number"))?;
    ensure!(count > 0, "no busy threads\nhelp: cargo xtask busy COUNT COMMAND…");
    for _ in 0..count * thread::available_parallelism()?.get() {
        thread::spawn(|| {
            let mut number = 0_u64;
            loop {
                number = black_box(number.wrapping_add(1));
            }
        });
    }
    let status = Command::new(program).args(arguments).status();
    let status = status.with_context(|| format!("cannot start {program}"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
