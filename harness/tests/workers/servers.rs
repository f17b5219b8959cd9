//! Servers that cannot be used, or not now.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{TRUSTED, assert_refused, lines, submit};
use crate::support::Repo;
use crate::support::nats::{Background, NatsServer, SIGN_KEY, SmallDisk, sign_key, until};
use crate::support::wire::WireClient;

/// The address of a server of this version that answers every `PING` like this.
fn imitation(version: &'static str, answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("nats://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let info = r#"{"server_id":"S","server_name":"S","version":"VERSION","go":"go1.18","host":"127.0.0.1",
                "port":4222,"headers":true,"max_payload":1048576,"proto":1,"client_id":1}"#;
            let info = info.replace('\n', "").replace("VERSION", version);
            write!(stream, "INFO {info}\r\n").unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            for _ in lines.map_while(Result::ok).filter(|line| line == "PING") {
                let _ = write!(stream, "{answer}\r\n");
            }
        }
    });
    url
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_server_that_has_no_time_to_check_an_account_refuses_the_connection() {
    let url = imitation("2.9.10", "-ERR 'Authentication Timeout'");
    let ran = Repo::with_sum().run(&["cluster", "--nats", &url]);
    let error = "refuses the connection: ";
    assert_refused(&ran, error, "name the file of your account");
    assert!(ran.stderr.contains("Authentication Timeout"), "{}", ran.all());
    assert!(ran.stderr.contains("try again"), "{}", ran.all());
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn an_old_server_is_refused_with_its_version() {
    let url = imitation("2.8.4", "PONG");
    let ran = Repo::with_sum().run(&["cluster", "--nats", &url]);
    let error = "has version 2.8.4, and ";
    assert_refused(&ran, error, "install a later version of `nats-server`");
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_server_that_stores_nothing_is_refused() {
    let folder = tempfile::Builder::new().prefix("nats-").tempdir().unwrap();
    let Some(server) = NatsServer::within(folder, "") else {
        return;
    };
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "read a b; echo $((a + b))\n");
    let url = server.url();
    sign_key(&repo);
    for command in [
        &["run", "--sign-key", SIGN_KEY, "--nats", &url][..],
        &["cluster", "--nats", &url],
        &["cluster", "--prepare", "--nats", &url],
        &["work", "--sandbox", "auto", "--trust", TRUSTED, "--nats", &url],
    ] {
        let ran = repo.run(command);
        assert_refused(&ran, "has no JetStream", "start it with `nats-server -js`");
    }
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_server_that_nobody_has_prepared_is_refused() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = Repo::with_sum();
    let url = server.url();
    for command in [
        &["work", "--sandbox", "auto", "--trust", TRUSTED, "--nats", &url][..],
        &["cluster", "--nats", &url],
        &["cluster", "clean", "--nats", &url],
    ] {
        let ran = repo.run(command);
        assert_refused(
            &ran,
            "is not prepared for work",
            "prepare the server with `rejudge cluster --prepare`",
        );
    }
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_stream_of_another_purpose_is_refused() {
    for (name, subject, error) in [
        (
            "REJUDGE_WORK",
            "orders.>",
            "the stream `REJUDGE_WORK` of the NATS server has another purpose",
        ),
        ("ORDERS", "rejudge.work.>", "belong to another stream"),
    ] {
        let Some(server) = NatsServer::start() else {
            return;
        };
        let mut wire = WireClient::connect(&server);
        let config = format!(
            r#"{{"name":"{name}","subjects":["{subject}"],"retention":"limits","storage":"file","num_replicas":1,
            "max_consumers":-1,"max_msgs":-1,"max_bytes":-1,"max_age":0,"discard":"old"}}"#
        );
        let made = wire.request(&format!("$JS.API.STREAM.CREATE.{name}"), config.as_bytes());
        assert!(!made.text().contains("error"), "{}", made.text());
        let repo = Repo::with_sum();
        repo.file("solutions/sum/a.sh", "read a b; echo $((a + b))\n");
        let url = server.url();
        sign_key(&repo);
        for command in [
            &["run", "--sign-key", SIGN_KEY, "--nats", &url][..],
            &["cluster", "--prepare", "--nats", &url],
        ] {
            let ran = repo.run(command);
            assert_refused(&ran, error, "use another server or account, or remove the stream");
        }
    }
}

/// The folder of a server, and that of its store.
fn store() -> (TempDir, PathBuf) {
    let folder = tempfile::Builder::new().prefix("nats-").tempdir().unwrap();
    let store = folder.path().join("store");
    (folder, store)
}

/// The settings of a server with this store, which may grow up to `most`.
fn limited(store: &Path, most: &str) -> String {
    let store = store.display();
    format!("jetstream {{ store_dir: \"{store}\", max_file_store: {most} }}\n")
}

/// A repository with one solution and a file of this size, which travels too, as every file of a repository does.
fn repo_with_file(size: usize) -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "read a b; echo $((a + b))\n");
    repo.file("cases/sum/large", vec![b'x'; size]);
    repo
}

/// A run that waited for the server goes on, with a new worker.
fn ends_well(run: &mut Background, repo: &Repo, server: &NatsServer) {
    let _worker = Background::worker(repo, server, "w", &[]);
    run.ends_with(0);
    run.said("note: the NATS server answers again");
    assert_eq!(lines(repo, "submission", &["verdict"]), ["AC"]);
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_run_goes_on_after_the_disk_of_the_server_was_full() {
    let (folder, store) = store();
    let Some(disk) = SmallDisk::mount(&store) else {
        return;
    };
    // It does not notice by itself that this is more than there is.
    let Some(mut server) = NatsServer::on(Some(disk), folder, &limited(&store, "100MB")) else {
        return;
    };
    let repo = repo_with_file(3_000_000);
    let mut run = submit(&repo, &server, &[]);
    until("it says that the server stores nothing", || {
        run.stderr().contains("cannot send a file: the NATS server ")
    });
    until("it says what to do", || run.stderr().contains("free space"));
    // No version goes on without that, and some hang.
    server.stop();
    server.free();
    server.start_again();
    ends_well(&mut run, &repo, &server);
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_run_goes_on_when_a_full_server_has_space_again() {
    let (folder, store) = store();
    let Some(mut server) = NatsServer::within(folder, &limited(&store, "400KB")) else {
        return;
    };
    let repo = repo_with_file(1_000_000);
    let mut run = submit(&repo, &server, &[]);
    until("it says that the server is full", || run.stderr().contains("the NATS server is full"));
    run.said("help: free space in the server's store");
    server.stop();
    server.start_again_with(&limited(&store, "100MB"));
    ends_well(&mut run, &repo, &server);
}
