//! Accounts, keys and certificates: the ways to prove who connects, and what each role may do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::{assert_accepted, assert_refused, submit};
use crate::support::nats::{Background, NatsServer};
use crate::support::wire::WireClient;
use crate::support::{Repo, lacks};

/// The start of the help for a connection that the server refuses.
const ACCOUNT: &str = "name the file of your account";

/// Files with keys that exist for these tests only.
fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/nats");
    folder.join(name).to_str().unwrap().to_owned()
}

/// The settings of the guide with a store in this folder, where these lines replace the keys of worker and submitter.
fn settings_of_guide(folder: &TempDir, [worker, submitter]: [&str; 2]) -> String {
    let page = include_str!("../../guide/src/workers.md");
    let (_, rest) = page.split_once("```text\njetstream").expect("the page has settings");
    let (settings, _) = rest.split_once("```").expect("the settings end");
    let store = folder.path().join("store");
    let settings =
        format!("jetstream{settings}").replace("/var/lib/rejudge", store.to_str().unwrap());
    assert!(settings.contains("nkey: UWORKER…") && settings.contains("nkey: USUBMITTER…"));
    // A busy machine may take long to sign.
    let settings = settings.replace("authorization {", "authorization { timeout: 60,");
    settings.replace("nkey: UWORKER…", worker).replace("nkey: USUBMITTER…", submitter)
}

/// The second line of a file with a key: its public part.
fn public(name: &str) -> String {
    let text = fs::read_to_string(fixture(name)).unwrap();
    text.lines().nth(1).unwrap().to_owned()
}

fn folder() -> TempDir {
    tempfile::Builder::new().prefix("nats-").tempdir().unwrap()
}

#[test]
fn the_permissions_of_the_guide_are_enough_to_judge() {
    let folder = folder();
    let keys = ["worker.nk", "submitter.nk"].map(|name| format!("nkey: {}", public(name)));
    let settings = settings_of_guide(&folder, [&keys[0], &keys[1]]);
    let Some(server) = NatsServer::within(folder, &settings) else {
        return;
    };
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "read a b; echo $((a + b))\n");
    let url = server.url();
    let [worker, submitter, stranger] = ["worker.nk", "submitter.nk", "stranger.nk"].map(fixture);
    let cluster = |more: &[&str]| repo.run(&[&["cluster", "--nats", &url], more].concat());

    for unknown in [&[][..], &["--nats-nkey", &stranger]] {
        let ran = cluster(unknown);
        assert_refused(&ran, "refuses the connection", ACCOUNT);
    }
    repo.file(".damaged.nk", "SUADAMAGED\n");
    let ran = cluster(&["--nats-nkey", ".damaged.nk"]);
    assert_refused(&ran, "its seed is not valid", "correct the path");
    let ran = cluster(&["--prepare", "--nats-nkey", &worker]);
    assert_refused(&ran, "cannot create the streams: ", "add the permissions");

    let ran = cluster(&["--prepare", "--nats-nkey", &submitter]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let command = server.work(&repo, "w", &["--nats-nkey", &worker]);
    let worker = Background::spawn(&repo, "w", command);
    let run = submit(&repo, &server, &["--nats-nkey", &submitter]);
    assert_accepted(&repo, run, &worker);
    assert!(!worker.stderr().contains("warning"), "{}", worker.stderr());
}

#[test]
fn a_worker_reads_only_work_and_writes_only_results() {
    let folder = folder();
    let users = ["user: worker, password: w", "user: submitter, password: s"];
    let settings = settings_of_guide(&folder, users);
    let Some(server) = NatsServer::within(folder, &settings) else {
        return;
    };
    let mut wire = WireClient::connect_as(&server, "worker", "w");
    for allowed in ["rejudge.result.r.1", "rejudge.claim.r.1.1", "$KV.rejudge_workers.w"] {
        wire.publish(allowed, b"x");
        assert_eq!(wire.refusals, [""; 0]);
    }
    for forbidden in [
        "rejudge.work.any.r.1",
        "rejudge.again.c.r.1",
        "$KV.rejudge_runs.r",
        "$O.rejudge_blobs.C.x",
        "$O.rejudge_blobs.M.x",
        "$JS.API.STREAM.CREATE.X",
        "$JS.API.STREAM.DELETE.REJUDGE_RESULTS",
        "$JS.API.STREAM.PURGE.REJUDGE_RESULTS",
        "$JS.API.STREAM.MSG.DELETE.REJUDGE_RESULTS",
        "$JS.API.CONSUMER.CREATE.REJUDGE_WORK",
        "$JS.API.CONSUMER.DELETE.REJUDGE_WORK.workers",
        "$JS.API.DIRECT.GET.REJUDGE_WORK",
        "$JS.API.DIRECT.GET.ORDERS.x",
        "orders.1",
        "_INBOX.submitter.x",
    ] {
        wire.publish(forbidden, b"x");
        let refusals = std::mem::take(&mut wire.refusals);
        assert!(
            matches!(&refusals[..], [one] if one.contains("Permissions Violation")),
            "{forbidden}: {refusals:?}"
        );
    }
    for forbidden in [
        "rejudge.>",
        "$KV.>",
        "orders.>",
        ">",
        // The replies that others get.
        "_INBOX.>",
        "_INBOX.submitter.>",
    ] {
        wire.subscribe(forbidden);
        let refusals = std::mem::take(&mut wire.refusals);
        assert!(
            matches!(&refusals[..], [one] if one.contains("Permissions Violation")),
            "{forbidden}: {refusals:?}"
        );
    }
}

#[test]
fn a_file_with_credentials_opens_an_account() {
    let settings = fs::read_to_string(fixture("operator.conf")).unwrap();
    let Some(server) = NatsServer::with(&settings) else {
        return;
    };
    let repo = Repo::with_sum();
    let url = server.url();
    let refused = repo.run(&["cluster", "--nats", &url, "--prepare"]);
    assert_refused(&refused, "refuses the connection", ACCOUNT);
    let creds = fixture("judge.creds");
    let ran = repo.run(&["cluster", "--nats", &url, "--prepare", "--nats-creds", &creds]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // A file of another kind.
    let ran = repo.run(&["cluster", "--nats", &url, "--nats-creds", &fixture("operator.conf")]);
    assert_refused(&ran, "cannot use `", "correct the path");
}

/// Makes an authority, and a certificate of it for a server at 127.0.0.1 and for a client, in this folder.
fn certificates(folder: &Path) {
    let script = "
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority \\
          -keyout ca.key -out ca.pem
        for name in server client; do
          openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=$name -keyout $name.key -out $name.csr
          printf 'subjectAltName=IP:127.0.0.1\\nextendedKeyUsage=serverAuth,clientAuth\\n' >extensions
          openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions -out $name.pem
        done";
    let made = Command::new("sh").args(["-e", "-c", script]).current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

#[test]
fn certificates_prove_who_the_server_and_the_client_are() {
    if lacks("openssl") {
        return;
    }
    let folder = folder();
    certificates(folder.path());
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    let [ca, certificate, key] =
        ["ca.pem", "client.pem", "client.key"].map(|name| path(name).to_str().unwrap().to_owned());
    let settings = format!(
        "jetstream {{ store_dir: \"{}\" }}\ntls {{ cert_file: \"{}\", key_file: \"{}\", ca_file: \"{ca}\", verify: true, timeout: 60 }}\n",
        path("store").display(),
        path("server.pem").display(),
        path("server.key").display()
    );
    let Some(server) = NatsServer::within(folder, &settings) else {
        return;
    };
    let repo = Repo::with_sum();
    let url = format!("tls://127.0.0.1:{}", server.port);
    let cluster =
        |more: &[&str]| repo.run(&[&["cluster", "--prepare", "--nats", &url], more].concat());
    let own = ["--nats-cert", &certificate, "--nats-key", &key];

    let ran = cluster(&[&["--nats-ca", ca.as_str()], &own[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.all());
    let ran = cluster(&own);
    assert_refused(&ran, "with TLS: ", "name the file of the certificate authority");
    let ran = cluster(&["--nats-ca", &ca]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("help: "), "{}", ran.all());
}
