//! Runs that go on, and runs that are judged again.

use super::{assert_refused, lines, remarks, submit};
use crate::support::Repo;
use crate::support::nats::{Background, NatsServer, until};
use crate::support::wire::WireClient;

/// A repository with this number of solutions, each a unit of work.
fn archive(solutions: usize) -> Repo {
    let repo = Repo::with_sum();
    for number in 0..solutions {
        let text = format!("read a b; echo $((a + b)) # {number}\n");
        repo.file(&format!("solutions/sum/s{number}.sh"), text);
    }
    repo
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_run_goes_on_after_its_submitter_was_killed() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = archive(12);
    let url = server.url();
    let worker = || Background::worker(&repo, &server, "only", &[]);
    let mut submitter = submit(&repo, &server, &[]);
    let mut wire = WireClient::connect(&server);
    until("the units wait", || wire.has_work());
    let first = worker();
    until("something is judged", || wire.messages("REJUDGE_RESULTS") >= 3);
    submitter.kill();
    drop(first);
    let before = wire.messages("REJUDGE_RESULTS");
    let _worker = worker();
    let mut submitter = submit(&repo, &server, &[]);
    submitter.ends_with(0);
    submitter.said("an earlier run was not finished, and goes on");
    assert_eq!(lines(&repo, "submission", &["verdict"]), vec!["AC"; 12]);
    assert!(remarks(&repo).contains("worker only judged 12 of 12 units"), "{}", remarks(&repo));
    assert!(before >= 3, "what was judged before counts");
    assert_eq!(wire.messages("REJUDGE_RESULTS"), 12, "nothing is judged twice");
    let listed = repo.run(&["cluster", "--nats", &url]).stdout;
    assert!(listed.contains("runs     1\n"), "{listed}");
    assert!(listed.contains(": 12 of 12 units, reported"), "{listed}");
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_rejudge_is_a_new_run_and_the_old_one_stays() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = archive(2);
    let url = server.url();
    let mut wire = WireClient::connect(&server);
    server.prepare(&repo);
    let worker = Background::worker(&repo, &server, "only", &[]);
    assert_eq!(submit(&repo, &server, &[]).wait().code(), Some(0));
    let old = wire.last_run();
    assert_eq!(submit(&repo, &server, &[]).wait().code(), Some(0));
    assert_ne!(wire.last_run(), old);
    assert_eq!(wire.messages("REJUDGE_RESULTS"), 4);
    let listed = repo.run(&["cluster", "--nats", &url]).stdout;
    assert!(listed.contains("runs     2\n"), "{listed}");
    // Nobody judges any more, and the old run can be reported.
    drop(worker);
    let mut submitter = submit(&repo, &server, &["--run", &old]);
    submitter.ends_with(0);
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["AC", "AC"]);
    // Of what has changed since, there is no result.
    repo.file("solutions/sum/s1.sh", "echo 3\n");
    let ran = repo.finish(&mut server.submission(&repo, &["--run", &old]));
    assert_refused(&ran, "is a run of another plan", "restore what has changed");
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn everybody_waits_for_a_server_that_is_away() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let repo = archive(4);
    repo.file("solutions/sum/s3.sh", "sleep 3; read a b; echo $((a + b))\n");
    server.prepare(&repo);
    let worker = Background::worker(&repo, &server, "only", &[]);
    let mut submitter = submit(&repo, &server, &["--time-limit", "20"]);
    let mut wire = WireClient::connect(&server);
    until("something is judged", || wire.messages("REJUDGE_RESULTS") > 0);
    server.stop();
    for command in [&worker, &submitter] {
        until("it says that it waits", || command.stderr().contains("; waiting for it"));
    }
    server.start_again();
    submitter.ends_with(0);
    for command in [&worker, &submitter] {
        let count = |words| command.stderr().matches(words).count();
        let waits = || count("; waiting for it");
        // The server may have stored a result whose receipt never came: then the run ends before the worker asks again.
        until("it says that it goes on", || {
            waits() == count("note: the NATS server answers again")
        });
        // A server that has just started may be away once more while it reads its store.
        assert!((1..=2).contains(&waits()), "{}", command.stderr());
    }
    assert_eq!(lines(&repo, "submission", &["verdict"]), vec!["AC"; 4]);
}
