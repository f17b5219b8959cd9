//! The commands that use a NATS server: without one, and on a real one. `cargo xtask nats` kills more, and for longer.

#[cfg(feature = "nats")]
use serde_json::Value;

#[cfg(feature = "nats")]
use crate::support::nats::{Background, NatsServer, sign_key};

#[cfg(feature = "nats")]
mod access;
#[cfg(feature = "nats")]
mod again;
#[cfg(feature = "nats")]
mod classes;
#[cfg(feature = "nats")]
mod failures;
#[cfg(feature = "nats")]
mod project;
#[cfg(feature = "nats")]
mod requests;
#[cfg(feature = "nats")]
mod resumed;
#[cfg(feature = "nats")]
mod servers;
#[cfg(feature = "nats")]
mod signed;
#[cfg(feature = "nats")]
mod stored;

use crate::support::{Ran, Repo, SUM};

/// Asserts that a command fails with these words, and with this help.
fn assert_refused(ran: &Ran, error: &str, help: &str) {
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains(error), "{}", ran.all());
    assert!(ran.stderr.contains(&format!("help: {help}")), "{}", ran.all());
}

/// Starts `rejudge run` on the workers of `server`. The report goes to `far.jsonl`.
#[cfg(feature = "nats")]
fn submit(repo: &Repo, server: &NatsServer, more: &[&str]) -> Background {
    let fixed = ["--quiet", "--json", "far.jsonl"];
    let command = server.submission(repo, &[&fixed, more].concat());
    Background::spawn(repo, "submitter", command)
}

/// Asserts that the run ends well, and that its only submission is accepted.
#[cfg(feature = "nats")]
fn assert_accepted(repo: &Repo, mut run: Background, worker: &Background) {
    let status = run.wait().code();
    assert_eq!(status, Some(0), "{}{}", run.stderr(), worker.stderr());
    assert_eq!(lines(repo, "submission", &["verdict"]), ["AC"]);
}

/// The lines of a report of this type, each with the values of these keys.
#[cfg(feature = "nats")]
fn lines(repo: &Repo, kind: &str, keys: &[&str]) -> Vec<String> {
    let text = repo.read("far.jsonl");
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of_kind = events.filter(|event| event["type"] == kind);
    let words = |event: Value| keys.iter().map(|key| event[key].to_string()).collect::<Vec<_>>();
    of_kind.map(|event| words(event).join(" ").replace('"', "")).collect()
}

/// What the report says about the run as a whole.
#[cfg(feature = "nats")]
fn remarks(repo: &Repo) -> String {
    lines(repo, "summary", &["remarks"]).concat()
}

/// A public key that signs nothing here.
const TRUSTED: &str = "ADUXJEH5B2FKKMX5QM3RLBNCYCKHQ7BCLOQV6AY7S3XDTPZV2TPS2QSB";

/// A repository with one solution, and the commands that need a server at `url`.
fn commands(url: &str) -> (Repo, [Vec<&str>; 3]) {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/sum.rs", SUM);
    #[cfg(feature = "nats")]
    sign_key(&repo);
    let commands = [
        vec!["run", "--sign-key", ".sign.nk", "--nats", url],
        vec!["work", "--sandbox", "auto", "--trust", TRUSTED, "--nats", url],
        vec!["cluster", "--nats", url],
    ];
    (repo, commands)
}

#[cfg(not(feature = "nats"))]
#[test]
fn a_build_without_nats_says_what_it_is_missing() {
    let (repo, commands) = commands("nats://127.0.0.1:1");
    for command in commands {
        let ran = repo.run(&command);
        assert_refused(&ran, "needs a rejudge with NATS", "build rejudge with");
    }
}

#[cfg(feature = "nats")]
#[test]
fn without_a_server_every_command_says_how_to_start_one() {
    let (repo, commands) = commands("nats://127.0.0.1:1");
    for command in commands {
        let ran = repo.run(&command);
        assert_refused(&ran, "cannot reach a NATS server", "start one with");
    }
}

#[cfg(feature = "nats")]
#[test]
fn an_address_or_a_file_that_is_not_one_is_an_error() {
    let (repo, commands) = commands("nats://");
    for command in &commands {
        let ran = repo.run(command);
        assert_refused(&ran, "is not the address", "write it as");
    }
    for option in ["--nats-creds", "--nats-nkey", "--nats-ca"] {
        let ran = repo.run(&["cluster", "--nats", "nats://127.0.0.1:1", option, "none.txt"]);
        assert_refused(&ran, "cannot use `none.txt`", "correct the path");
    }
}

#[test]
fn runs_on_workers_cannot_be_divided_or_watched() {
    let (repo, [run, ..]) = commands("nats://127.0.0.1:1");
    for option in [&["--shard", "1/2"][..], &["--watch"], &["--failed"], &["--keep", "x"]] {
        let ran = repo.run(&[&run, option].concat());
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.all());
    }
}
