//! Machines of several classes: times close to a limit count only on those of the run's class.

use rustix::process::Signal;

use super::{lines, remarks, submit};
use crate::support::nats::{Background, NatsServer, until};
use crate::support::wire::{ListedWorker, WireClient};
use crate::support::{Repo, lacks};

/// Takes 0.95 s of CPU time, on any machine.
const CLOSE: &str = "import time
a, b = map(int, input().split())
while time.process_time() < 0.95: pass
print(a + b)
";

/// A repository with a solution that is close to its limit, and the arguments of its run.
fn close_to_the_limit() -> (Repo, [&'static str; 6]) {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.py", CLOSE);
    let args = ["--time-limit", "1", "--wall-limit", "60", "--reference", "the-reference"];
    (repo, args)
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_time_close_to_its_limit_is_measured_again_on_the_reference_class() {
    let Some(server) = NatsServer::start().filter(|_| !lacks("python3")) else {
        return;
    };
    let (repo, args) = close_to_the_limit();
    server.prepare(&repo);
    let _other = Background::worker(&repo, &server, "other", &["--class", "another"]);
    // A worker of the reference class is listed, and takes no unit of all workers.
    let is_reference = |row: String| row.replace("another", "the-reference");
    let listed = ListedWorker::like(&server, ("other", "listed"), is_reference);
    let mut wire = WireClient::connect(&server);
    let mut run = submit(&repo, &server, &args);
    until("the unit is submitted again", || {
        wire.last_of("REJUDGE_WORK").starts_with("rejudge.again.")
    });
    let more = ["--class", "the-reference"];
    let _reference = Background::worker(&repo, &server, "measures", &more);
    drop(listed);
    run.ends_with(0);
    let told = remarks(&repo);
    assert!(told.contains("worker measures judged 1 of 1 unit"), "{told}");
    assert!(!told.contains("close to a limit"), "{told}");
    assert_eq!(lines(&repo, "case", &["verdict", "near_limit"]), ["AC null", "AC null"]);
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn without_the_reference_class_a_time_close_to_its_limit_is_marked() {
    let Some(server) = NatsServer::start().filter(|_| !lacks("python3")) else {
        return;
    };
    let (repo, args) = close_to_the_limit();
    server.prepare(&repo);
    let _other = Background::worker(&repo, &server, "other", &["--class", "another"]);
    let mut run = submit(&repo, &server, &args);
    run.ends_with(0);
    let told = remarks(&repo);
    assert!(
        told.contains(
            "2 runs are close to a limit, on machines that are not of the reference class"
        ),
        "{told}"
    );
    // What the worker measured about itself.
    for figure in ["arithmetic ", "memory ", "system calls ", "Python "] {
        assert!(told.contains(figure), "{told}");
    }
    assert_eq!(lines(&repo, "case", &["verdict", "near_limit"]), ["AC true", "AC true"]);
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_run_that_goes_on_leaves_a_unit_to_the_reference_class() {
    let Some(server) = NatsServer::start().filter(|_| !lacks("python3")) else {
        return;
    };
    let (repo, args) = close_to_the_limit();
    server.prepare(&repo);
    let other = Background::worker(&repo, &server, "other", &["--class", "another"]);
    let is_reference = |row: String| row.replace("another", "the-reference");
    let _listed = ListedWorker::like(&server, ("other", "listed"), is_reference);
    let mut wire = WireClient::connect(&server);
    let is_submitted_again = |wire: &mut WireClient| {
        let last = wire.last_of("REJUDGE_WORK");
        last.starts_with("rejudge.again.") && wire.messages("REJUDGE_WORK") == 1
    };
    let mut run = submit(&repo, &server, &args);
    until("the unit is submitted again", || is_submitted_again(&mut wire));
    run.kill();
    drop(other);
    wire.request("$JS.API.STREAM.PURGE.REJUDGE_WORK", b"");
    let mut run = submit(&repo, &server, &args);
    until("the unit is submitted again", || wire.has_work());
    assert!(is_submitted_again(&mut wire));
    run.signal(Signal::INT);
    run.ends_with(130);
}
