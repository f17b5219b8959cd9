//! A merge accepts exactly the shards of one run, and says in every report if it was told to accept less.

use super::{archive, merge, shard};
use crate::support::Repo;
use crate::support::divided::with_new_digests;

/// Changes the text of a report.
fn change(repo: &Repo, file: &str, change: impl FnOnce(String) -> String) {
    let text = change(repo.read(file));
    repo.file(file, text);
}

#[test]
fn an_empty_shard_writes_its_first_line_and_succeeds() {
    let repo = archive();
    for number in 1..=9 {
        let ran = shard(&repo, number, 9, &[]);
        let report = repo.read(&format!("{number}.jsonl"));
        assert!(report.starts_with("{\"type\":\"start\""), "{report}");
        if number > 6 {
            assert_eq!(ran.status, 0, "{}", ran.all());
            // Each with its digest.
            assert_eq!(report.lines().count(), 4, "{report}");
        }
    }
    assert_eq!(merge(&repo, 9).status, 1);
}

#[test]
fn shards_of_different_plans_do_not_fit() {
    let repo = archive();
    shard(&repo, 1, 2, &[]);
    let before = repo.read("solutions/sum/b.sh");
    let changes: [(&str, &str, &[&str]); 5] = [
        ("solutions/sum/b.sh", "echo 5\n", &[]),
        ("cases/echo/data/secret/2.in", "3\n", &[]),
        ("solutions/sum/b.sh", &before, &["-t", "3"]),
        ("solutions/sum/b.sh", &before, &["--checker", "exact"]),
        ("solutions/echo/new.sh", "cat\n", &[]),
    ];
    for (file, text, args) in changes {
        let old = std::fs::read(repo.path(file)).ok();
        repo.file(file, text);
        shard(&repo, 2, 2, args);
        let ran = merge(&repo, 2);
        assert_eq!(ran.status, 2, "{file} {args:?}: {}", ran.all());
        let shown = "`2.jsonl` does not belong to the run of `1.jsonl`: it has another plan";
        assert!(ran.stderr.contains(shown), "{}", ran.all());
        match old {
            Some(old) => std::fs::write(repo.path(file), old).unwrap(),
            None => std::fs::remove_file(repo.path(file)).unwrap(),
        }
    }
    shard(&repo, 2, 2, &[]);
    assert_eq!(merge(&repo, 2).status, 1);
    // Nor do those of another number of shards.
    shard(&repo, 2, 3, &[]);
    assert_eq!(merge(&repo, 2).status, 2);
}

#[test]
fn the_folder_of_the_repository_does_not_matter() {
    let (one, other) = (archive(), archive());
    shard(&one, 1, 2, &[]);
    shard(&other, 2, 2, &[]);
    one.file("2.jsonl", other.read("2.jsonl"));
    let ran = merge(&one, 2);
    assert_eq!(ran.status, 1, "{}", ran.all());
}

#[test]
fn a_partial_merge_says_so_in_red_in_every_report() {
    let repo = archive();
    for number in 1..=3 {
        shard(&repo, number, 3, &[]);
    }
    std::fs::remove_file(repo.path("2.jsonl")).unwrap();
    // Killed in the middle of a line.
    change(&repo, "3.jsonl", |text| {
        let end = text.rfind("{\"type\":\"summary\"").unwrap();
        text[..end + 10].to_owned()
    });
    let files = ["merge", "1.jsonl", "3.jsonl"];
    let ran = repo.run(&files);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let missing = "shard 2 of 3 is missing";
    let interrupted = "`3.jsonl`, shard 3 of 3, was interrupted: it has 2 of 2 submissions";
    for shown in [missing, interrupted, "help: name its report, or run it with `--shard 2/3`"] {
        assert!(ran.stderr.contains(shown), "{}", ran.all());
    }
    assert_eq!(ran.stdout, "");

    let reports =
        ["--json", "m.jsonl", "--junit", "m.xml", "--html", "m.html", "--markdown", "m.md"];
    let coloured = ["--partial", "--color", "always"];
    let mut command = repo.command(&[&files, &coloured[..], &reports].concat());
    let ran = repo.finish(command.env_remove("NO_COLOR"));
    let plain = format!("incomplete: {missing}");
    let mut lines = ran.stdout.lines();
    let line = lines.find(|line| line.contains(&plain)).unwrap();
    let (style, _) = line.split_once("incomplete").unwrap();
    assert!(style.ends_with("31m"), "{line:?}");
    for file in ["m.jsonl", "m.xml", "m.html", "m.md"] {
        let text = repo.read(file);
        assert!(text.contains(missing), "{file}");
    }
    let page = repo.read("m.html");
    let note = format!("<p class=\"note\" role=\"alert\">{missing}");
    assert!(page.contains(&note));
    assert!(repo.read("m.xml").contains("<failure type=\"incomplete\""));
    let markdown = repo.read("m.md");
    let head = "### rejudge run: ❌ 3 of 4 solutions as expected\n";
    let tail = "\n❌ **Incomplete:** shard 2 of 3 is missing\n\n\
        ❌ **Incomplete:** \\`3.jsonl\\`, shard 3 of 3, was interrupted: it has 2 of 2 submissions\n\n";
    assert!(markdown.starts_with(head), "{markdown}");
    assert!(markdown.ends_with(tail), "{markdown}");
    // Also if everything that there is is as expected.
    repo.run(&["merge", "3.jsonl", "--partial", "--markdown", "3.md"]);
    let head = "### rejudge run: ❌ 2 of 2 solutions as expected\n";
    assert!(repo.read("3.md").starts_with(head));
    // Reports that are made of the merged report say it too.
    let ran = repo.run(&["report", "m.jsonl"]);
    assert!(ran.stdout.contains(&plain), "{}", ran.all());
}

#[test]
fn a_shard_that_is_named_twice_is_an_error_and_one_that_is_run_again_replaces_the_first() {
    let repo = archive();
    shard(&repo, 1, 2, &[]);
    shard(&repo, 2, 2, &[]);
    let ran = repo.run(&["merge", "1.jsonl", "2.jsonl", "1.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("are the same run of shard 1 of 2"), "{}", ran.all());
    std::fs::rename(repo.path("1.jsonl"), repo.path("old.jsonl")).unwrap();
    shard(&repo, 1, 2, &[]);
    for files in [["1.jsonl", "old.jsonl"], ["old.jsonl", "1.jsonl"]] {
        let ran = repo.run(&[&["merge", "2.jsonl"], &files[..]].concat());
        assert_eq!(ran.status, 1, "{}", ran.all());
        let told = "note: shard 1 of 2 was run again: `1.jsonl` replaces `old.jsonl`";
        assert!(ran.stdout.contains(told), "{}", ran.all());
    }
}

#[test]
fn unlike_machines_are_told_and_runs_close_to_a_limit_marked() {
    let repo = archive();
    shard(&repo, 1, 2, &[]);
    shard(&repo, 2, 2, &[]);
    change(&repo, "2.jsonl", |text| {
        let machine = text.find("\"cores\":").unwrap();
        let (head, tail) = text.split_at(machine + 8);
        let tail = tail.trim_start_matches(|c: char| c.is_ascii_digit());
        // The first case took 1.9 of its 2 s.
        let tail = tail.replacen("\"cpu_ms\":", "\"cpu_ms\":1900.0,\"old_ms\":", 1);
        with_new_digests(&format!("{head}4096{tail}"))
    });
    let ran = repo.run(&["merge", "1.jsonl", "2.jsonl", "-vv", "--json", "m.jsonl"]);
    assert!(
        ran.stdout.contains("note: the shards ran on unlike machines: shard 1: "),
        "{}",
        ran.all()
    );
    assert!(ran.stdout.contains("; shard 2: "), "{}", ran.all());
    assert!(ran.stdout.contains("note: 1 run is within 20 % of a time limit"), "{}", ran.all());
    assert_eq!(repo.read("m.jsonl").matches("\"near_limit\":true").count(), 1);
}
