//! Workers that are lost, that fail, and that end.

use std::fs;

use rustix::process::Signal;

use super::{lines, submit};
use crate::support::Repo;
use crate::support::nats::{Background, NatsServer, until};
use crate::support::wire::{ListedWorker, WireClient};

/// A solution that needs no compiler.
const SUM: &str = "read a b; echo $((a + b))\n";

/// A run whose unit these workers lose and another one takes then. It ends with this exit status.
fn lost_by(workers: &[&str], status: i32) -> Option<Repo> {
    let server = NatsServer::start()?;
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", SUM);
    let mut submitter = submit(&repo, &server, &[]);
    let mut wire = WireClient::connect(&server);
    until("the unit waits", || wire.has_work());
    for worker in workers {
        let unit = wire.take(worker);
        wire.lose(&unit);
    }
    let _worker = Background::worker(&repo, &server, "last", &[]);
    submitter.ends_with(status);
    Some(repo)
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn three_lost_deliveries_are_a_judge_error_that_names_the_workers() {
    let Some(repo) = lost_by(&["first", "second", "third"], 2) else {
        return;
    };
    let told = "the unit was lost 3 times: its workers were first, second, third";
    assert_eq!(
        lines(&repo, "case", &["case", "verdict", "feedback"]),
        [format!("sample/1 JE {told}"), format!("secret/big JE {told}")]
    );
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn two_lost_deliveries_are_not_an_error() {
    if let Some(repo) = lost_by(&["first", "second"], 0) {
        assert_eq!(lines(&repo, "submission", &["verdict"]), ["AC"]);
    }
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_unit_that_is_in_no_queue_and_has_no_result_is_submitted_again() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", SUM);
    let mut submitter = submit(&repo, &server, &[]);
    let mut wire = WireClient::connect(&server);
    until("the unit waits", || wire.has_work());
    let unit = wire.take("gone");
    wire.publish(&unit.reply, b"+ACK");
    until("the unit waits again", || wire.has_work());
    let _worker = Background::worker(&repo, &server, "last", &[]);
    submitter.ends_with(0);
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["AC"]);
    assert_eq!(wire.messages("REJUDGE_RESULTS"), 1);
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_project_that_could_not_be_opened_is_opened_again() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", SUM);
    let folders = tempfile::tempdir().unwrap();
    let [there, away] = ["there", "away"].map(|name| folders.path().join(name));
    fs::create_dir(&there).unwrap();
    let mut command = server.work(&repo, "unlucky", &[]);
    command.env("TMPDIR", &there);
    server.prepare(&repo);
    let worker = Background::spawn(&repo, "unlucky", command);
    server.lists(&repo, "unlucky");
    // So that it hands the unit back: another worker is listed.
    let _listed = ListedWorker::like(&server, ("unlucky", "listed"), |row| row);
    fs::rename(&there, &away).unwrap();
    let mut submitter = submit(&repo, &server, &[]);
    until("it cannot open the project", || worker.stderr().contains("cannot open the project"));
    fs::rename(&away, &there).unwrap();
    submitter.ends_with(0);
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["AC"]);
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_worker_that_cannot_judge_what_others_judge_takes_itself_out() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = Repo::with_sum();
    for number in 0..8 {
        repo.file(&format!("solutions/sum/s{number}.sh"), SUM);
    }
    // It has no shell, because it finds no program.
    let mut command = server.work(&repo, "bad", &[]);
    command.env("PATH", repo.path("cases"));
    server.prepare(&repo);
    let mut bad = Background::spawn(&repo, "bad", command);
    server.lists(&repo, "bad");
    let _good = Background::worker(&repo, &server, "good", &[]);
    // Nothing is wrong with a server where nobody has submitted anything yet.
    assert!(!bad.stderr().contains("warning"), "{}", bad.stderr());
    let mut submitter = submit(&repo, &server, &[]);
    submitter.ends_with(0);
    let verdicts = lines(&repo, "submission", &["verdict"]);
    assert_eq!(verdicts, vec!["AC"; 8]);
    // More runs, until it has failed often enough.
    for _ in 0..50 {
        if bad.has_ended() {
            break;
        }
        let ran = repo.finish(&mut server.submission(&repo, &["--quiet"]));
        assert_eq!(ran.status, 0, "{}", ran.all());
    }
    bad.ends_with(2);
    let words = bad.stderr();
    assert!(words.contains("this worker judges no more: it could not judge "), "{words}");
    assert!(words.contains("help: compare `rejudge doctor` and `rejudge languages`"), "{words}");
    let listed = repo.run(&["cluster", "--nats", &server.url()]).stdout;
    assert!(listed.contains("judges no more: it could not judge "), "{listed}");
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_package_with_a_broken_checker_takes_no_worker_out() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = Repo::with_sum();
    for number in 0..6 {
        repo.file(&format!("solutions/sum/s{number}.sh"), SUM);
    }
    server.prepare(&repo);
    let mut workers: Vec<_> =
        ["one", "two"].map(|name| Background::worker(&repo, &server, name, &[])).into();
    // It does not compile, or it fails on each case.
    for checker in ["if then", "exit 7"] {
        repo.file("cases/sum/output_validator/check.sh", checker);
        let ran = repo.finish(&mut server.submission(&repo, &["--quiet", "--json", "far.jsonl"]));
        assert_eq!(ran.status, 2, "{checker}: {}", ran.all());
        let verdicts = lines(&repo, "submission", &["verdict"]);
        assert_eq!(verdicts, vec!["JE"; 6], "{checker}");
    }
    // Longer than a worker takes to review what it could not judge.
    std::thread::sleep(std::time::Duration::from_secs(4));
    for worker in &mut workers {
        assert!(!worker.has_ended(), "{}", worker.stderr());
    }
    fs::remove_dir_all(repo.path("cases/sum/output_validator")).unwrap();
    let ran = repo.finish(&mut server.submission(&repo, &["--quiet"]));
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_run_without_workers_ends_and_goes_on_later() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", SUM);
    let mut submitter = submit(&repo, &server, &["--wait-for-workers", "100ms"]);
    submitter.ends_with(2);
    submitter
        .said("there was no worker for 0.1 s, and 1 of 1 unit have no result: solutions/sum/a.sh");
    submitter.said("help: start a worker with `rejudge work --nats URL --trust KEY`");
    let _worker = Background::worker(&repo, &server, "late", &[]);
    let ran = repo.finish(&mut server.submission(&repo, &["--json", "far.jsonl"]));
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stderr.contains("an earlier run was not finished, and goes on"), "{}", ran.all());
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_worker_that_ends_hands_its_unit_to_another_one() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    for signal in [Signal::TERM, Signal::INT] {
        let repo = Repo::with_sum();
        // The first worker never gets to the end.
        repo.file("solutions/sum/a.sh", format!("sleep 20\n{SUM}"));
        let limit = ["--time-limit", "60"];
        server.prepare(&repo);
        let mut first = Background::worker(&repo, &server, "first", &[]);
        let mut submitter = submit(&repo, &server, &limit);
        let mut wire = WireClient::connect(&server);
        until("the unit is taken", || wire.last_note().contains("first"));
        first.signal(signal);
        first.ends_with(0);
        first.said("worker first judged 0 units");
        assert!(wire.last_note().contains("returned"), "{}", wire.last_note());
        let listed = repo.run(&["cluster", "--nats", &server.url()]).stdout;
        assert!(listed.contains("workers  0\n"), "{listed}");
        // It does not wait for the end of a lease.
        assert_eq!(wire.take("second").delivery(), 2);
        submitter.signal(Signal::INT);
        submitter.ends_with(130);
    }
}
