//! What is stored on a server: how long it stays, what removes it, and what lists it.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use super::{assert_accepted, assert_refused, submit};
use crate::support::nats::{Background, NatsServer, until};
use crate::support::schema::LineSchema;
use crate::support::wire::WireClient;
use crate::support::{Ran, Repo};

/// A repository with one solution, and a file of 300,000 bytes that travels with it.
fn archive() -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "read a b; echo $((a + b))\n")
        .file("cases/sum/large", vec![b'x'; 300_000]);
    repo
}

fn clean(repo: &Repo, server: &NatsServer, more: &[&str]) -> Ran {
    let url = server.url();
    repo.run(&[&["cluster", "clean", "--nats", &url], more].concat())
}

#[test]
fn a_clean_removes_what_no_run_needs_and_nothing_that_one_needs() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = archive();
    server.prepare(&repo);
    let ran = clean(&repo, &server, &[]);
    assert_eq!((ran.status, &*ran.stdout), (0, "removed 0 packs of files, 0 B\n"), "{}", ran.all());

    // A run that nobody judges yet, and whose submitter is there or not.
    let mut wire = WireClient::connect(&server);
    let mut first = submit(&repo, &server, &[]);
    until("the units wait", || wire.has_work());
    for is_killed in [false, true] {
        if is_killed {
            first.kill();
        }
        let before = wire.messages("OBJ_rejudge_blobs");
        let ran = clean(&repo, &server, &[]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        assert!(ran.stdout.starts_with("removed 0 packs of files, 0 B\nkept "), "{}", ran.all());
        assert!(ran.stdout.contains(", for 1 run that is not reported: "), "{}", ran.all());
        assert_eq!(wire.messages("OBJ_rejudge_blobs"), before);
    }

    // It goes on with another file: the units that wait need the old ones, too.
    repo.file("cases/sum/other", "y");
    let again = submit(&repo, &server, &[]);
    until("it goes on", || again.stderr().contains("goes on"));
    until("its files are there", || again.stderr().contains("note: run "));
    assert!(clean(&repo, &server, &[]).stdout.starts_with("removed 0 packs"));
    let worker = Background::worker(&repo, &server, "only", &[]);
    assert_accepted(&repo, again, &worker);

    // It is reported.
    let dry = clean(&repo, &server, &["--dry-run"]);
    let before = wire.messages("OBJ_rejudge_blobs");
    assert!(before > 3, "{before}");
    let ran = clean(&repo, &server, &[]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(ran.stdout.replace("removed", "would remove"), dry.stdout);
    assert!(!ran.stdout.contains("kept"), "{}", ran.all());
    assert_eq!(wire.messages("OBJ_rejudge_blobs"), 0);

    // A later run sends them again.
    let later = submit(&repo, &server, &[]);
    assert_accepted(&repo, later, &worker);
    assert!(wire.messages("OBJ_rejudge_blobs") > 3);
}

#[test]
fn what_a_submitter_sends_now_stays_and_what_a_killed_one_left_goes() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = archive();
    server.prepare(&repo);
    let mut wire = WireClient::connect(&server);
    let row = |is_sending: bool| {
        format!(
            r#"{{"plan":"p","units":1,"judged":0,"reference":"r","is_over":false,"jobs":[],"is_sending":{is_sending}}}"#
        )
    };
    // A piece without a description was stored before this run began to send, and another one after that.
    wire.publish("$O.rejudge_blobs.C.old-1", b"piece");
    wire.publish("$KV.rejudge_runs.r-1", row(true).as_bytes());
    wire.publish("$O.rejudge_blobs.C.new-1", b"piece");
    until("all is stored", || wire.messages("OBJ_rejudge_blobs") == 2);
    let dry = clean(&repo, &server, &["-n"]);
    let shown = "would remove 0 packs of files, 0 B, and 1 pack that was not sent to its end\n";
    assert_eq!(dry.stdout, shown, "{}", dry.all());
    assert_eq!(wire.messages("OBJ_rejudge_blobs"), 2);
    assert_eq!(clean(&repo, &server, &[]).stdout, shown.replace("would remove", "removed"));
    assert_eq!(wire.messages("OBJ_rejudge_blobs"), 1);
    wire.publish("$KV.rejudge_runs.r-1", row(false).as_bytes());
    until("the row is stored", || wire.messages("KV_rejudge_runs") == 1);
    clean(&repo, &server, &[]);
    until("it is removed", || wire.messages("OBJ_rejudge_blobs") == 0);
    // Of a run of a version that writes other rows, nobody knows what it needs.
    wire.publish("$O.rejudge_blobs.C.new-2", b"piece");
    wire.publish("$KV.rejudge_runs.r-2", b"{}");
    until("the row is stored", || wire.messages("KV_rejudge_runs") == 2);
    let ran = clean(&repo, &server, &[]);
    assert_refused(
        &ran,
        "cannot tell which files the run `r-2` needs",
        "use the version of rejudge",
    );
    assert_eq!(wire.messages("OBJ_rejudge_blobs"), 1);
}

#[test]
fn files_expire_and_are_sent_again_if_less_than_half_of_their_time_is_left() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = archive();
    let url = server.url();
    let prepare = ["cluster", "--prepare", "--nats", &url];
    let ran = repo.run(&prepare);
    assert!(ran.stdout.contains("files    0 B, each kept for 30 days\n"), "{}", ran.all());
    let ran = repo.run(&[&prepare[..], &["--keep-files", "1"]].concat());
    assert!(ran.stdout.contains("each kept for 1 day\n"), "{}", ran.all());
    let ran = repo.run(&["cluster", "--keep-files", "1", "--nats", &url]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let worker = Background::worker(&repo, &server, "only", &[]);
    let judged = || {
        let run = submit(&repo, &server, &[]);
        until("it is submitted", || run.stderr().contains("note: run "));
        let has_sent = run.stderr().contains("note: sent ");
        assert_accepted(&repo, run, &worker);
        has_sent
    };
    assert!(judged());
    assert!(!judged(), "they are still there");
    // Older than half of this time, which the owner of the server has set.
    let mut wire = WireClient::connect(&server);
    let mut config = wire.stream("OBJ_rejudge_blobs")["config"].clone();
    for key in ["max_age", "duplicate_window"] {
        config[key] = 10_000_000_000_u64.into();
    }
    let update = "$JS.API.STREAM.UPDATE.OBJ_rejudge_blobs";
    let updated = wire.request(update, config.to_string().as_bytes());
    assert!(!updated.text().contains("error"), "{}", updated.text());
    std::thread::sleep(Duration::from_secs(6));
    assert!(judged());
    until("they expire", || wire.messages("OBJ_rejudge_blobs") == 0);
}

#[test]
fn the_list_as_json_has_the_documented_keys() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let repo = archive();
    server.prepare(&repo);
    let worker = Background::worker(&repo, &server, "only", &[]);
    let run = submit(&repo, &server, &[]);
    assert_accepted(&repo, run, &worker);
    let url = server.url();
    let ran = repo.run(&["cluster", "--nats", &url, "--json", "-"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let schema = LineSchema::of("cluster");
    let lines: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["server", "worker", "queue", "files", "run"]);
    let mut keys = BTreeSet::new();
    for line in &lines {
        assert_eq!(schema.fault(line), None, "{line}");
        let kind = line["type"].as_str().unwrap();
        let object = line.as_object().unwrap().keys();
        let own = object.filter(|key| !matches!(key.as_str(), "type" | "schema"));
        keys.extend(own.map(|key| (kind.to_owned(), key.clone())));
    }
    let (server, worker, run) = (&lines[0], &lines[1], &lines[4]);
    assert_eq!(server["url"], url);
    assert_eq!((&worker["worker"], &worker["jobs"]), (&"only".into(), &1.into()));
    assert_eq!(worker["takes_work"], true);
    assert_eq!(
        (&run["units"], &run["judged"], &run["reported"]),
        (&1.into(), &1.into(), &true.into())
    );
    assert!(lines[3]["bytes"].as_u64().unwrap() > 300_000);
    assert_eq!(lines[3]["kept_s"], 30.0 * 86_400.0);
    // The text goes to standard output, too.
    let ran = repo.run(&["cluster", "--nats", &url, "--json", "list.jsonl"]);
    assert!(ran.stdout.starts_with("server   "), "{}", ran.all());
    assert_eq!(repo.read("list.jsonl").lines().count(), 5);

    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("guide/src/cluster.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let documented: BTreeSet<(String, String)> = rows
        .flat_map(|row| {
            let mut cells = row.split('|').map(str::trim).skip(1);
            let kind = cells.next().unwrap().trim_matches('`').to_owned();
            let keys = cells.next().unwrap().split(", ");
            keys.map(move |key| (kind.clone(), key.trim_matches('`').to_owned()))
                .collect::<Vec<_>>()
        })
        .collect();
    let missing: Vec<_> = keys.difference(&documented).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let rare = [("worker", "out"), ("queue", "left_s")]
        .map(|(kind, key)| (kind.to_owned(), key.to_owned()));
    let unknown: Vec<_> = documented.difference(&keys).filter(|key| !rare.contains(key)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
