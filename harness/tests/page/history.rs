//! The history of benchmarks: of reports, and of the baselines that a repository has committed.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::json;

use super::text::markup;
use super::visit::{assert_sound, visit};
use crate::support::Repo;

fn git(repo: &Repo, args: &[&str]) {
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    let mut git = Command::new("git");
    let output = git.current_dir(repo.path("")).args(author).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

/// A baseline in which case `1` takes this number of instructions.
fn baseline(compiler: &str, count: u64) -> String {
    format!(
        "{{\"schema\":1,\"key\":{{\"arch\":\"a\",\"libc\":\"l\",\"counter\":\"c\",\"compilers\":{{\"rust\":\"{compiler}\"}}}},\
         \"machine\":{{\"os\":\"linux\",\"cpu\":null,\"kernel\":null,\"cores\":1}},\
         \"solutions\":{{\"solutions/sum/a.rs\":{{\"secret/1\":{{\"instructions\":[{count},{count}],\"cpu_us\":[],\
         \"memory_bytes\":[]}}}}}}}}\n"
    )
}

/// A repository with a commit for each count.
fn committed(counts: &[u64]) -> Repo {
    let repo = Repo::new();
    git(&repo, &["init", "-q", "-b", "main"]);
    for (at, count) in counts.iter().enumerate() {
        let compiler = if at < counts.len() / 2 { "1.88" } else { "1.90" };
        repo.file("benches/baselines/main.json", baseline(compiler, *count))
            .file("other", at.to_string());
        git(&repo, &["add", "."]);
        git(&repo, &["commit", "-q", "-m", "</script>"]);
    }
    repo
}

#[test]
fn the_baselines_of_every_commit_are_drawn() {
    let counts = (0..16).map(|at| if at < 8 { 100 + at % 2 } else { 150 + at % 2 });
    let repo = committed(&counts.collect::<Vec<_>>());
    // A commit that does not change the baselines is not a point, and neither is a file that is not committed.
    repo.file("other", "more").file("benches/baselines/new.json", "no");
    git(&repo, &["commit", "-q", "-m", "other", "other"]);
    repo.file("deep/er/x", "");
    for (folder, arguments) in [
        ("", &["--history"][..]),
        ("deep/er", &["--history"]),
        ("", &["--history", "benches/baselines/main.json"]),
        ("", &["--history=benches/baselines"]),
    ] {
        let page = repo.path("history.html");
        let html = ["report", "--html", page.to_str().unwrap()];
        let mut command = repo.command_in(folder, &[&html[..], arguments].concat());
        let ran = repo.finish(&mut command);
        assert_eq!(ran.status, 0, "{}", ran.all());
        let text = markup(&repo.read("history.html"));
        assert!(text.contains("16 benchmarks of 1 case"), "{text}");
        std::fs::remove_file(page).unwrap();
    }
    repo.run(&["report", "--html", "history.html", "--history"]);
    let rows = "[...document.querySelectorAll('tbody tr')].map(row => row.innerText.replace(/[0-9a-f]{10} .*/, 'x'))";
    let steps = [("light", 360), ("dark", 1200)].map(|(theme, width)| {
        json!({ "file": "history.html", "axe": true, "theme": theme, "width": width, "actions": [
            { "value": rows },
            { "value": "document.querySelectorAll('.history svg .point').length" },
            { "value": "document.querySelectorAll('.history svg .change').length" },
            { "value": "void (Element.prototype.scrollIntoView = function () { globalThis.shown = this.id; })" },
            { "value": "document.querySelector('.history a').click()" },
            { "wait": "location.hash === '#view=history&n=0' && shown === 'series-0'" },
            // The same link again.
            { "value": "void (globalThis.shown = undefined)" },
            { "value": "document.querySelector('.history a').click()" },
            { "wait": "shown === 'series-0'" },
        ] })
    });
    let Some(found) = visit(&repo, &steps) else {
        return;
    };
    assert_sound(&found, &steps);
    for found in found {
        assert_eq!(
            found["values"],
            json!([
                ["main: secret/1\tsolutions/sum/a.rs\t151\t+49.8 %\tx"],
                16,
                1,
                null,
                null,
                null,
                null
            ])
        );
        let text = found["text"].as_str().unwrap();
        assert!(text.contains("main: the compiler of `rust`: `1.88` then, `1.90` now"), "{text}");
    }
}

#[test]
fn reports_of_benchmarks_are_drawn_as_lines_with_intervals() {
    let repo = Repo::new();
    let mut arguments = vec!["report", "--html", "history.html"];
    let names: Vec<String> = (0..9).map(|at| format!("{at}.jsonl")).collect();
    for (at, name) in names.iter().enumerate() {
        let median = if at < 5 { 1.0 } else { 2.0 };
        let (lower, upper) = (median - 0.1, median + 0.1);
        repo.file(
            name,
            format!(
                "{{\"type\":\"start\",\"schema\":1,\"quantity\":\"cpu\",\"unit\":\"s\",\"meter\":\"clocks\"}}\n\
                 {{\"type\":\"measured\",\"schema\":1,\"problem\":\"p\",\"submission\":\"</script><b>\",\"case\":\"<i>\",\
                 \"cpu_s\":{{\"median\":{median},\"interval\":[{lower},{upper}]}}}}\n\
                 {{\"type\":\"summary\",\"schema\":1}}\n"
            ),
        );
        arguments.push(name);
    }
    let ran = repo.run(&arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.all());
    let page = markup(&repo.read("history.html"));
    assert!(
        page.contains("<th scope=\"row\">p: &lt;i&gt;</th>") && !page.contains("role=\"alert\""),
        "{page}"
    );
    // Of a report that ends early, the whole part is drawn.
    let cut = repo.read("8.jsonl");
    for length in [cut.len() - 9, cut.find("{\"type\":\"summary\"").unwrap()] {
        repo.file("8.jsonl", &cut[..length]);
        let ran = repo.run(&arguments);
        assert_eq!(ran.status, 0, "{}", ran.all());
        let missing = "`8.jsonl` ends before its summary";
        assert!(ran.stderr.contains(missing), "{}", ran.all());
        let page = markup(&repo.read("history.html"));
        assert!(page.contains(&format!("<p class=\"note\" role=\"alert\">{missing}")), "{page}");
    }
    let steps = [json!({ "file": "history.html", "axe": true, "actions": [
        { "value": "document.querySelector('h2').textContent" },
        { "value": "document.querySelector('figcaption').textContent" },
        { "value": "document.querySelector('.band').getAttribute('points').split(' ').length" },
    ] })];
    let Some(found) = visit(&repo, &steps) else {
        return;
    };
    assert_sound(&found, &steps);
    assert_eq!(
        found[0]["values"],
        json!(["History of 9 benchmarks", "</script><b> on p: <i>", 18])
    );
}

#[test]
fn the_settings_of_a_repository_run_nothing_when_its_history_is_read() {
    let repo = committed(&[1, 2]);
    let trap = repo.path("trap.sh");
    repo.file("trap.sh", format!("#!/bin/sh\ntouch '{}'\n", repo.path("sprung").display()));
    std::fs::set_permissions(&trap, std::fs::Permissions::from_mode(0o755)).unwrap();
    let trap = trap.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "core.pager",
        "pager.rev-list",
        "core.sshCommand",
        "core.editor",
        "core.askPass",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "gpg.program",
        "credential.helper",
        "remote.origin.uploadpack",
        "alias.rev-list",
        "alias.cat-file",
        "uploadpack.packObjectsHook",
        "core.alternateRefsCommand",
        "core.gitProxy",
    ] {
        git(&repo, &["config", key, trap]);
    }
    for (key, value) in [
        ("log.showSignature", "true"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", &format!("ext::{trap}")),
        ("protocol.ext.allow", "always"),
        ("protocol.allow", "always"),
    ] {
        git(&repo, &["config", key, value]);
    }
    repo.file(".git/info/attributes", "* diff=x filter=x\n")
        .file(".git/hooks/post-index-change", format!("#!/bin/sh\nexec '{trap}'\n"));
    let ran = repo.run(&["report", "--html", "history.html", "--history"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // What a partial clone is missing is not fetched.
    let object = repo.finish(&mut repo.shell("git rev-parse HEAD:benches/baselines/main.json"));
    let (folder, name) = object.stdout.trim().split_at(2);
    std::fs::remove_file(repo.path(&format!(".git/objects/{folder}/{name}"))).unwrap();
    let ran = repo.run(&["report", "--html", "history.html", "--history"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("`git cat-file` failed"), "{}", ran.all());
    assert!(!repo.path("sprung").exists());
}

#[test]
fn a_folder_without_a_history_is_an_error() {
    let repo = committed(&[1]);
    let ran = repo.run(&["report", "--html", "history.html", "--history", "missing"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stderr.contains("no commit has a baseline in `missing`\nhelp: create one"),
        "{}",
        ran.all()
    );
    let ran = repo.run(&["report", "--html", "history.html", "--history", "."]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stderr.contains(
            "error: `.` is the root of the repository, not a part of it\nhelp: name a file or a folder"
        ),
        "{}",
        ran.all()
    );
    let ran = repo.run(&["report", "--history"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(!repo.path("history.html").exists());
}
