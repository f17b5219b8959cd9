//! Bad input for the commands that use a NATS server. `.ci/nats` tries them on a real server.

use crate::support::{Repo, SUM};

/// A repository with one solution, and the commands that need a server at `url`.
fn commands(url: &str) -> (Repo, [Vec<&str>; 3]) {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/sum.rs", SUM);
    let commands = [
        vec!["run", "--nats", url],
        vec!["work", "--sandbox", "auto", "--nats", url],
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
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(
            ran.stderr.contains("needs a rejudge with NATS"),
            "{}",
            ran.all()
        );
        assert!(
            ran.stderr.contains("help: build rejudge with"),
            "{}",
            ran.all()
        );
    }
}

#[cfg(feature = "nats")]
#[test]
fn without_a_server_every_command_says_how_to_start_one() {
    let (repo, commands) = commands("nats://127.0.0.1:1");
    for command in commands {
        let ran = repo.run(&command);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(
            ran.stderr.contains("cannot reach a NATS server"),
            "{}",
            ran.all()
        );
        assert!(ran.stderr.contains("help: start one with"), "{}", ran.all());
    }
}

#[cfg(feature = "nats")]
#[test]
fn an_address_or_a_file_that_is_not_one_is_an_error() {
    let (repo, commands) = commands("nats://");
    for command in &commands {
        let ran = repo.run(command);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains("is not the address"), "{}", ran.all());
    }
    for option in ["--nats-creds", "--nats-nkey", "--nats-ca"] {
        let ran = repo.run(&[
            "cluster",
            "--nats",
            "nats://127.0.0.1:1",
            option,
            "none.txt",
        ]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(
            ran.stderr.contains("cannot use `none.txt`"),
            "{}",
            ran.all()
        );
    }
}

#[test]
fn runs_on_workers_cannot_be_divided_or_watched() {
    let (repo, [run, ..]) = commands("nats://127.0.0.1:1");
    for option in [
        &["--shard", "1/2"][..],
        &["--watch"],
        &["--failed"],
        &["--keep", "x"],
    ] {
        let ran = repo.run(&[&run, option].concat());
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.all());
    }
}
