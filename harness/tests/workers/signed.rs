//! What a worker does with units that no submitter has signed for their place, and large results.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use rejudge_cluster::{Purpose, Queue, ResultKind, SigningKey, Unit, WorkerIdentity};

use super::{TRUSTED, assert_refused, lines, submit};
use crate::support::Repo;
use crate::support::nats::{Background, NatsServer, SIGN_KEY, sign_key, until};
use crate::support::wire::WireClient;

/// A solution that needs no compiler.
const SUM: &str = "read a b; echo $((a + b))\n";

#[test]
fn nothing_is_unpacked_for_a_unit_that_no_submitter_signed_for_its_place() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", SUM);
    // A real unit of a real run, whose files are on the server.
    let mut submitter = submit(&repo, &server, &[]);
    let mut wire = WireClient::connect(&server);
    until("the unit waits", || wire.has_work() && !wire.last_run().is_empty());
    submitter.kill();
    let run = wire.last_run();
    let place = format!("rejudge.work.any.{run}.0");
    let real = wire.stored("REJUDGE_WORK", &place).bytes;
    wire.request("$JS.API.STREAM.PURGE.REJUDGE_WORK", b"");
    let signed = real.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let order = &real[signed..];

    let folder = tempfile::tempdir().unwrap();
    let mut command = server.work(&repo, "w", &[]);
    command.env("TMPDIR", folder.path());
    let worker = Background::spawn(&repo, "w", command);
    server.lists(&repo, "w");
    let unpacked = || {
        let mut entries = walkdir::WalkDir::new(folder.path()).into_iter().flatten();
        entries.any(|entry| entry.file_name() == "a.sh")
    };
    let own = Unit { run: run.clone(), number: 0 };
    let key = sign_key(&repo);
    let text = String::from_utf8(order.to_vec()).unwrap();
    let (before, until_when) = text.rsplit_once(':').unwrap();
    assert!(before.ends_with("\"until\""), "{text}");
    let over = text.replace(until_when, "1}");
    let altered = [&real[..signed], text.replace("\"entry\":0", "\"entry\":1").as_bytes()].concat();
    assert_ne!(altered, real);
    let large = [order, &vec![b' '; 100_000]].concat();
    for (what, place, message) in [
        ("unsigned", place.clone(), order.to_vec()),
        ("altered", place.clone(), altered),
        ("of another unit", format!("rejudge.work.any.{run}.1"), real.clone()),
        ("of another run", "rejudge.work.any.other.0".to_owned(), real.clone()),
        ("a result", place.clone(), key.sign(Purpose::Result, &own, order)),
        ("late", place.clone(), key.sign(Purpose::Unit, &own, over.as_bytes())),
        ("large", place.clone(), key.sign(Purpose::Unit, &own, &large)),
        ("no unit", place.clone(), key.sign(Purpose::Unit, &own, b"{}")),
    ] {
        wire.publish(&place, &message);
        until("it is off the queue", || !wire.has_work());
        assert!(!unpacked(), "{what}");
    }
    worker.said(&format!("unit 0 of run {run} was refused: it is not signed for its place"));
    // Another worker may trust this key, so the unit goes back.
    let stranger = SigningKey::generate();
    wire.publish(&place, &stranger.sign(Purpose::Unit, &own, order));
    until("it goes back", || wire.last_note().contains("returned"));
    worker.said(&format!("a unit is signed with the key {}", stranger.public()));
    assert!(!unpacked());
    assert_eq!(wire.messages("REJUDGE_RESULTS"), 0);
    wire.request("$JS.API.STREAM.PURGE.REJUDGE_WORK", b"");
    // In its place, the real one is judged.
    wire.publish(&place, &real);
    until("it is judged", || wire.messages("REJUDGE_RESULTS") == 1);
    assert!(unpacked());
    submit(&repo, &server, &[]).ends_with(0);
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["AC"]);
}

#[test]
fn both_sides_name_a_key_that_is_missing() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", SUM);
    server.prepare(&repo);
    let url = server.url();
    let ran = repo.run(&["run", "--nats", &url]);
    let make = "make one with `rejudge cluster key FILE`";
    assert_refused(&ran, "no key is named", make);
    let ran = repo.run(&["work", "--sandbox", "auto", "--nats", &url]);
    let make = "make a key for those who submit with `rejudge cluster key FILE`";
    assert_refused(&ran, "this worker trusts no key", make);
    let seed = fs::read_to_string(repo.path(SIGN_KEY)).unwrap_or_default();
    for wrong in ["AX", "", seed.as_str()] {
        let trust = format!("--trust={wrong}");
        let ran = repo.run(&["work", "--sandbox", "auto", "--nats", &url, &trust]);
        assert_refused(&ran, "is not the public part of a key", "name the text that");
    }
    // Workers that trust another key are as good as none.
    let _worker = Background::worker(&repo, &server, "w", &[]);
    fs::rename(repo.path(SIGN_KEY), repo.path(".old.nk")).unwrap();
    let mut submitter = submit(&repo, &server, &["--wait-for-workers", "100ms"]);
    submitter.ends_with(2);
    submitter.said("no worker that is there trusts your key; start one with `--trust A");
    // One that trusts both, as while keys change.
    let trust = ["--trust", TRUSTED];
    let _both = Background::worker(&repo, &server, "both", &trust);
    submit(&repo, &server, &[]).ends_with(0);
}

#[test]
fn a_key_is_made_once_and_used_while_nobody_else_can_read_it() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", SUM);
    let ran = repo.run(&["cluster", "key", "new.nk"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(rejudge_cluster::is_public_key(ran.stdout.trim()), "{}", ran.all());
    let mode = |path: &str| fs::metadata(repo.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("new.nk"), 0o600);
    let ran = repo.run(&["cluster", "key", "new.nk"]);
    assert_refused(&ran, "`new.nk` exists", "name another file");
    fs::set_permissions(repo.path("new.nk"), fs::Permissions::from_mode(0o644)).unwrap();
    let run = ["run", "--nats", "nats://127.0.0.1:1", "--sign-key"];
    let ran = repo.run(&[&run[..], &["new.nk"]].concat());
    assert_refused(&ran, "its mode is 644", "`chmod 600 new.nk`");
    let ran = repo.run(&[&run[..], &["none.nk"]].concat());
    assert_refused(&ran, "cannot use `none.nk`", "correct the path");
}

/// Bytes that cannot be compressed.
fn noise(size: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(5);
    std::iter::repeat_with(|| random.u8(..)).take(size).collect()
}

#[test]
fn a_result_may_be_larger_than_a_message_of_the_server() {
    const LIMIT: usize = 32 << 10;
    let Some(server) = NatsServer::with(&format!("max_payload: {LIMIT}")) else {
        return;
    };
    let client = server.client();
    client.prepare().unwrap();
    let identity = WorkerIdentity { name: "w".to_owned(), key: SigningKey::generate() };
    for (number, size) in [0, LIMIT / 2, LIMIT + 1024, 100 * LIMIT].into_iter().enumerate() {
        client.submit(&Queue::Any, "r", &[(number, vec![b'x'])]).unwrap();
        let wait = Duration::from_secs(30);
        let claim = client.claim(&Queue::Any, &identity, wait).unwrap().unwrap();
        assert!(client.holds(&claim, &identity).unwrap());
        let bytes = noise(size);
        client.store(&claim, &identity, &bytes).unwrap();
        client.done(&claim).unwrap();
        let message = client.result(&claim.unit).unwrap().unwrap();
        let opened = client.opened(&claim.unit, ResultKind::First, &message).unwrap();
        assert!(opened == bytes, "{size}");
    }
    // The run sees results only, and not their pieces.
    let mut after = 0;
    for number in 0..4 {
        let next = client.next_result("r", after).unwrap().unwrap();
        assert_eq!((next.unit, next.kind), (number, ResultKind::First));
        after = next.sequence;
    }
    assert!(client.next_result("r", after).unwrap().is_none());
}

#[test]
fn a_unit_with_many_long_failures_has_the_verdicts_of_a_local_run() {
    let Some(server) = NatsServer::with("max_payload: 5000") else {
        return;
    };
    let repo = Repo::with_sum();
    // A wrong answer of 1,000 other characters in each case.
    repo.file("solutions/sum/a.sh", "read a b; head -c 750 /dev/urandom | base64 -w0\n");
    for case in 0..150 {
        repo.file(&format!("cases/sum/secret/x{case}.in"), "1 2\n");
        repo.file(&format!("cases/sum/secret/x{case}.ans"), "3\n");
    }
    let mut wire = WireClient::connect(&server);
    server.prepare(&repo);
    let _worker = Background::worker(&repo, &server, "w", &[]);
    let mut submitter = submit(&repo, &server, &["--batch", "10000"]);
    submitter.ends_with(1);
    let far = lines(&repo, "case", &["case", "verdict"]);
    let ran = repo.run(&["run", "--quiet", "--json", "far.jsonl"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert_eq!(far, lines(&repo, "case", &["case", "verdict"]));
    assert!(wire.messages("REJUDGE_RESULTS") > 2, "the result had room in one message");
}
