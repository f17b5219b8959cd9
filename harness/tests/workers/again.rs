//! Results that come twice, and results that no worker has sent.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rejudge_cluster::{
    Claim, Cluster, NoteKind, Purpose, Queue, ResultKind, SigningKey, Unit, WorkerIdentity,
};

use super::{lines, remarks, submit};
use crate::support::Repo;
use crate::support::nats::{Background, NatsServer, until};
use crate::support::wire::WireClient;

const A: &str = "solutions/sum/a.sh";
const B: &str = "solutions/sum/wrong_answer/b.sh";

/// A worker that this test plays, and the unit that it holds.
struct Played {
    client: Cluster,
    identity: WorkerIdentity,
    claim: Claim,
}

/// Judges `a.sh` and `b.sh` with the name `first`, and then again, while a second worker stores something for `a.sh`: `store` gets the
/// outcome of the submission `of` in the first run, changed. Returns what the second report says about the run.
fn judged_beside(
    of: usize,
    change: impl Fn(&str) -> String,
    store: impl Fn(&Played, &[u8], &mut WireClient),
) -> Option<(Repo, String)> {
    let server = NatsServer::start()?;
    let repo = Repo::with_sum();
    repo.file(A, "sleep 1\nread a b; echo $((a + b))\n");
    repo.file(B, "echo 3\n");
    server.prepare(&repo);
    let worker = Background::worker(&repo, &server, "slow", &[]);
    let mut submitter = submit(&repo, &server, &["--run", "first"]);
    submitter.ends_with(0);
    drop(worker);
    let mut wire = WireClient::connect(&server);
    let first = Unit { run: wire.last_run(), number: of };
    let client = server.client();
    let message = client.result(&first).unwrap().unwrap();
    let outcome = client.opened(&first, ResultKind::First, &message).unwrap();
    let mut text = String::new();
    let mut inflated = ZlibDecoder::new(outcome.as_slice());
    inflated.read_to_string(&mut text).unwrap();
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::fast());
    deflated.write_all(change(&text).as_bytes()).unwrap();
    let outcome = deflated.finish().unwrap();

    let mut submitter = submit(&repo, &server, &["--run", "second"]);
    until("the units wait", || wire.messages("REJUDGE_WORK") == 2);
    let identity = WorkerIdentity { name: "second".to_owned(), key: SigningKey::generate() };
    let wait = Duration::from_secs(30);
    let claim = client.claim(&Queue::Any, &identity, wait).unwrap().unwrap();
    assert_eq!(claim.unit.number, 0);
    let played = Played { client, identity, claim };
    let (client, claim) = (&played.client, &played.claim);
    assert!(client.holds(claim, &played.identity).unwrap());
    // As if its lease were over.
    let kind = NoteKind::Returned;
    client.hand_back(claim, &played.identity, kind, None).unwrap();
    let _worker = Background::worker(&repo, &server, "slow", &[]);
    let taken = format!("{}.0.", played.claim.unit.run);
    until("the unit is taken", || {
        let last = wire.last_of("REJUDGE_CLAIMS");
        last.contains(&taken) && last.ends_with(".2")
    });
    store(&played, &outcome, &mut wire);
    submitter.wait();
    let told = remarks(&repo);
    Some((repo, told))
}

/// Stores the outcome as a worker does.
fn as_a_worker(played: &Played, outcome: &[u8], _: &mut WireClient) {
    let Played { client, identity, claim } = played;
    client.store(claim, identity, outcome).unwrap();
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn an_equal_result_is_counted() {
    let Some((repo, told)) = judged_beside(0, str::to_owned, as_a_worker) else {
        return;
    };
    assert!(told.contains("1 result came twice and counts once; 0 of them differ"), "{told}");
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["AC", "WA"]);
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_different_result_is_reported() {
    let of_a = |text: &str| text.replace(B, A);
    let Some((repo, told)) = judged_beside(1, of_a, as_a_worker) else {
        return;
    };
    assert!(told.contains("1 result came twice and counts once; 1 of them differ"), "{told}");
    let difference = "`solutions/sum/a.sh`: WA or AC on `secret/big`, on worker slow";
    assert!(told.contains(difference), "{told}");
    // The first result counts.
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["WA", "WA"]);
}

/// Asserts that both cases of `a.sh` are a judge error that says this.
fn assert_refused(repo: &Repo, why: &str) {
    assert_eq!(lines(repo, "submission", &["verdict"]), ["JE", "WA"]);
    let told = format!("JE {why}");
    let cases = lines(repo, "case", &["verdict", "feedback"]);
    let count = cases.iter().filter(|case| **case == told).count();
    assert_eq!(count, 2, "{cases:?}");
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_result_of_another_submission_is_a_judge_error() {
    if let Some((repo, _)) = judged_beside(1, str::to_owned, as_a_worker) {
        assert_refused(&repo, "worker slow sent a result that does not fit the run");
    }
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_result_that_nobody_signed_does_not_count() {
    let unsigned = |played: &Played, outcome: &[u8], wire: &mut WireClient| {
        let Unit { run, number } = &played.claim.unit;
        wire.publish(&format!("rejudge.result.{run}.{number}"), outcome);
    };
    if let Some((repo, _)) = judged_beside(0, str::to_owned, unsigned) {
        assert_refused(&repo, "a result was refused: it is not signed for its unit");
    }
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn a_result_of_a_worker_that_did_not_hold_the_unit_does_not_count() {
    let strange = |played: &Played, outcome: &[u8], wire: &mut WireClient| {
        let unit = &played.claim.unit;
        let text = [br#"{"turn":"3.1","pieces":null}"#, &b"\n"[..], outcome].concat();
        let message = SigningKey::generate().sign(Purpose::Result, unit, &text);
        let subject = format!("rejudge.result.{}.{}", unit.run, unit.number);
        wire.publish(&subject, &message);
    };
    if let Some((repo, _)) = judged_beside(0, str::to_owned, strange) {
        let why = "a result was refused: its worker did not hold the unit";
        assert_refused(&repo, why);
    }
}

#[test]
#[ignore = "most of a minute each: `.ci/full workers` runs them"]
fn notes_of_a_stranger_change_nothing() {
    let note = |played: &Played, _: &[u8], wire: &mut WireClient| {
        let unit = &played.claim.unit;
        let text =
            b"{\"turn\":\"3.1\",\"pieces\":null}\n{\"worker\":\"x\",\"difference\":\"forged\"}";
        for (token, purpose) in [("again", Purpose::Again), ("elsewhere", Purpose::Elsewhere)] {
            let message = SigningKey::generate().sign(purpose, unit, text);
            let subject = format!("rejudge.result.{}.{}.{token}.x", unit.run, unit.number);
            wire.publish(&subject, &message);
            wire.publish(&subject, b"x");
        }
        // Longer than the submitter takes to read them: no unit goes to another queue.
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(wire.published("REJUDGE_WORK"), 4);
    };
    let Some((repo, told)) = judged_beside(0, str::to_owned, note) else {
        return;
    };
    assert!(!told.contains("twice"), "{told}");
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["AC", "WA"]);
}
