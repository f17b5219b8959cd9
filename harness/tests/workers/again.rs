//! Results that come twice.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::{lines, remarks, submit};
use crate::support::Repo;
use crate::support::nats::{Background, NatsServer, until};
use crate::support::wire::WireClient;

const A: &str = "solutions/sum/a.sh";
const B: &str = "solutions/sum/wrong_answer/b.sh";

/// Judges `a.sh` and `b.sh` with the name `first`, and then again, while the result of `of` in the first run is stored, changed, as
/// that of `a.sh` in the second. Returns what the second report says about the run.
fn judged_while_there_is_a_result(
    of: usize,
    change: impl Fn(&str) -> String,
) -> Option<(Repo, String)> {
    let server = NatsServer::start()?;
    let repo = Repo::with_sum();
    repo.file(A, "sleep 1\nread a b; echo $((a + b))\n");
    repo.file(B, "echo 3\n");
    server.prepare(&repo);
    let _worker = Background::worker(&repo, &server, "slow", &[]);
    let mut submitter = submit(&repo, &server, &["--run", "first"]);
    submitter.ends_with(0);
    let mut wire = WireClient::connect(&server);
    let result = |run: &str, unit: usize| format!("rejudge.result.{run}.{unit}");
    let first = wire.last_run();
    let stored = wire.stored("REJUDGE_RESULTS", &result(&first, of));
    let mut submitter = submit(&repo, &server, &["--run", "second"]);
    let second = first.replace("first", "second");
    until("the unit is taken", || {
        wire.last_of("REJUDGE_CLAIMS")
            .contains(&format!("{second}.0."))
    });
    let mut text = String::new();
    let mut inflated = ZlibDecoder::new(stored.bytes.as_slice());
    inflated.read_to_string(&mut text).unwrap();
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::fast());
    deflated.write_all(change(&text).as_bytes()).unwrap();
    wire.publish(&result(&second, 0), &deflated.finish().unwrap());
    submitter.wait();
    let told = remarks(&repo);
    Some((repo, told))
}

#[test]
fn an_equal_result_is_counted() {
    let Some((repo, told)) = judged_while_there_is_a_result(0, str::to_owned) else {
        return;
    };
    assert!(
        told.contains("1 result came twice and counts once; 0 of them differ"),
        "{told}"
    );
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["AC", "WA"]);
}

#[test]
fn a_different_result_is_reported() {
    let of_a = |text: &str| text.replace(B, A);
    let Some((repo, told)) = judged_while_there_is_a_result(1, of_a) else {
        return;
    };
    assert!(
        told.contains("1 result came twice and counts once; 1 of them differ"),
        "{told}"
    );
    let difference = "`solutions/sum/a.sh`: WA or AC on `secret/big`, on worker slow";
    assert!(told.contains(difference), "{told}");
    // The first result counts.
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["WA", "WA"]);
}

#[test]
fn a_result_of_another_submission_is_a_judge_error() {
    let Some((repo, _)) = judged_while_there_is_a_result(1, str::to_owned) else {
        return;
    };
    assert_eq!(lines(&repo, "submission", &["verdict"]), ["JE", "WA"]);
    let told = "JE worker slow sent a result that does not fit the run";
    let cases = lines(&repo, "case", &["verdict", "feedback"]);
    assert_eq!(
        cases.iter().filter(|case| *case == told).count(),
        2,
        "{cases:?}"
    );
}
