//! What workers on a NATS server cost: how many units a second a server carries, if workers answer without judging; the
//! throughput of one, two and four workers, compared with a local run of as many jobs; and what a case costs over local
//! judging.
//!
//! Needs `nats-server` (the variable `NATS_SERVER` may name another one) and gcc:
//! `cargo bench -p rejudge-benches --bench workers`. Workers, submitter and server share this machine, so the
//! figures show what workers cost, and not what more machines bring.
//!
//! Worker and submitter are the whole command line in processes of their own, which are this program, started again.
//! Every figure is a median over rounds; each round measures everything that is compared.

use std::env;
use std::process::ExitCode;

mod carried;
mod judged;
mod server;

use server::BenchServer;

/// A process with this environment variable is a worker or a submitter.
const JUDGE: &str = "REJUDGE_BENCH_COMMAND";

fn main() -> ExitCode {
    if env::var_os(JUDGE).is_some() {
        return rejudge::command_line();
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "Workers, submitter and server share {processors} processors: this shows what workers cost, and not how they scale."
    );
    carried::print(&BenchServer::start());
    judged::print(&BenchServer::start());
    ExitCode::SUCCESS
}
