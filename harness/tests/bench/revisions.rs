//! Comparisons with revisions of git.

use std::process::Command;

use crate::bench::{
    COUNTED, LONG, PAIRS, SOLUTION, TENTH, committed, git, has_valgrind, program, repo,
};
use crate::support::Repo;

#[test]
fn instructions_show_a_change_of_half_a_per_cent() {
    if !has_valgrind() {
        return;
    }
    let repo = committed(COUNTED);
    let args = ["bench", "--against", "HEAD", "--counter", "instructions"];
    let ran = repo.run(&args);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("0 cases; 1 solution unchanged"), "{}", ran.stdout);
    repo.file(SOLUTION, program(COUNTED * 1005 / 1000));
    let ran = repo.run(&args);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.contains("  more    secret/long"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("measured with callgrind, valgrind-")
            || ran.stdout.contains("hardware")
    );
    git(&repo, &["commit", "-q", "-a", "-m", "second"]);
    repo.file(SOLUTION, program(COUNTED * 1005 / 1000 + 1));
    let ran = repo.run(&args);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("  same    secret/long"), "{}", ran.stdout);
}

#[test]
fn instructions_of_several_processes_are_not_counted_and_the_report_says_so() {
    if !has_valgrind() {
        return;
    }
    let repo = repo();
    let compare = |script: &str| {
        repo.file("solutions/busy/s.sh", format!("read n\n{script}\n"));
        repo.file("base.sh", format!("read n\n: base\n{script}\n"));
        repo.run(&[
            "bench",
            "solutions/busy/s.sh",
            "--against",
            "base.sh",
            "--counter",
            "instructions",
            "--case",
            "secret/long",
        ])
    };
    let alone = compare("echo ok");
    assert!(alone.stdout.contains("would have been seen"), "{}", alone.all());
    if alone.stdout.contains("hardware counter") {
        return;
    }
    // Another program, and a copy of the first one.
    for script in ["/bin/echo ok", "(echo ok)"] {
        let ran = compare(script);
        assert_eq!(ran.status, 4, "{}", ran.all());
        assert!(ran.stdout.contains("it starts other processes"), "{}", ran.all());
        assert!(!ran.stdout.contains("would have been seen"), "{}", ran.all());
    }
    let saved = repo.run(&["bench", "solutions/busy/s.sh", "--save", "x", "--runs", "6"]);
    assert!(saved.stdout.contains("it starts other processes"), "{}", saved.all());
}

#[test]
fn a_revision_is_read_without_touching_the_work_tree() {
    let repo = committed(TENTH);
    git(&repo, &["mv", SOLUTION, "solutions/busy/renamed.rs"]);
    repo.file("solutions/busy/renamed.rs", program(LONG).replace("let mut x", "let mut  x"))
        .file("solutions/busy/new.rs", program(LONG));
    // A filter of the repository's settings must not run.
    let filter = format!("touch '{}'; cat", repo.path("sprung").display());
    git(&repo, &["config", "filter.trap.clean", &filter]);
    repo.file(".git/info/attributes", "*.rs filter=trap\n");
    // On a busy machine even the short case may be long enough to be timed.
    let args = ["--case", "secret/long", "--pairs", PAIRS];
    let ran = repo.run(&[&["bench", "--against", "main..."], &args[..]].concat());
    assert!(!repo.path("sprung").exists());
    repo.file(".git/info/attributes", "");
    assert_eq!(ran.status, 1, "{}", ran.all());
    let text = &ran.stdout;
    assert!(text.contains("solutions/busy/renamed.rs\n  slower  secret/long"), "{text}");
    assert!(
        text.contains("no base  solutions/busy/new.rs: `main...` does not contain it"),
        "{text}"
    );
    let status =
        Command::new("git").current_dir(repo.path("")).args(["status", "--porcelain"]).output();
    let status = String::from_utf8(status.unwrap().stdout).unwrap();
    assert_eq!(
        status,
        "RM solutions/busy/busy.rs -> solutions/busy/renamed.rs\n?? solutions/busy/new.rs\n"
    );
}

#[test]
fn a_missing_base_exits_with_4() {
    let repo = committed(LONG);
    repo.file("solutions/busy/new.rs", program(LONG)).file("empty/x", "");
    let table: [(&[&str], &str); 8] = [
        (&["--against", "nope"], "error: no such revision: `nope`\nhelp: "),
        (&["--against", "git:--all"], "error: no such revision: `--all`\n"),
        (&["--against", "path:nope"], "error: no such file or folder: `nope`\n"),
        (
            &["--against", "baseline:nope"],
            "error: no such baseline: `nope` (benches/baselines/nope.json)\nhelp: ",
        ),
        (&["solutions/busy/new.rs", "--against", "HEAD"], ""),
        (&["--against", "empty"], ""),
        (&["--against", "HEAD...nope"], "error: no such revision: `nope`\n"),
        (&["--against", "HEAD", "--case", "x*"], "warning: no case matches `--case x*`\n"),
    ];
    for (args, error) in table {
        let ran = repo.run(&[&["bench"], args].concat());
        assert_eq!(ran.status, 4, "{args:?}: {}", ran.all());
        assert!(ran.stderr.starts_with(error), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn the_error_explains_a_missing_repository_and_a_shallow_clone() {
    let plain = repo();
    let ran = plain.run(&["bench", "--against", "HEAD"]);
    assert_eq!(ran.status, 4, "{}", ran.all());
    assert!(ran.stderr.contains("`HEAD` is neither a path nor a revision"), "{}", ran.stderr);
    let origin = committed(LONG);
    origin.file(SOLUTION, program(20_000));
    git(&origin, &["commit", "-q", "-a", "-m", "second"]);
    let clone = Repo::new();
    let from = format!("file://{}", origin.path("").display());
    git(&clone, &["clone", "-q", "--depth", "1", &from, "."]);
    let ran = clone.run(&["bench", "--against", "HEAD~1"]);
    assert_eq!(ran.status, 4, "{}", ran.all());
    assert!(ran.stderr.contains("this clone is shallow"), "{}", ran.stderr);
}

#[test]
fn what_a_partial_clone_is_missing_is_not_fetched_by_a_program_of_the_settings() {
    let all = ["HEAD~1", "HEAD~1^{tree}", &format!("HEAD~1:{SOLUTION}")].map(str::to_owned);
    for missing in all {
        let repo = committed(TENTH);
        repo.file(SOLUTION, program(LONG));
        git(&repo, &["commit", "-q", "-a", "-m", "second"]);
        let object = git(&repo, &["rev-parse", &missing]);
        let marker = format!("touch '{}'", repo.path("fetched").display());
        for (key, value) in [
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "far"),
            ("remote.far.promisor", "true"),
            ("remote.far.url", &repo.path("").display().to_string()),
            ("remote.far.uploadpack", &marker),
        ] {
            git(&repo, &["config", key, value]);
        }
        let (folder, file) = object.split_at(2);
        std::fs::remove_file(repo.path(".git/objects").join(folder).join(file)).unwrap();
        for words in [
            &["bench", "--against", "HEAD~1"][..],
            &["bench", "--against", "HEAD~1...HEAD"],
            &["report", "--history", "solutions", "--page", "history.html"],
            &["list"],
        ] {
            let ran = repo.run(words);
            let what = format!("{missing}: {words:?}: {}", ran.all());
            assert!(!repo.path("fetched").exists(), "{what}");
        }
        let ran = repo.run(&["bench", "--against", "HEAD~1"]);
        let what = format!("{missing}: {}", ran.all());
        assert!(ran.status == 4 || ran.status == 2, "{what}");
        assert!(ran.stderr.contains("git fetch"), "{what}");
        // It would be seen.
        let _ = Command::new("git")
            .args(["cat-file", "-p", &object])
            .current_dir(repo.path(""))
            .output();
        assert!(repo.path("fetched").exists(), "{missing}");
    }
}

/// A solution that is a folder of two files.
const FOLDER: &str = "solutions/busy/accepted/parts";

fn parts(repo: &Repo, folder: &str, rounds: u32) {
    let main = program(rounds)
        .replace("fn main", "mod more;\nfn main")
        .replace(&format!("n * {rounds}"), "n * more::ROUNDS");
    repo.file(&format!("{folder}/main.rs"), main)
        .file(&format!("{folder}/more.rs"), format!("pub const ROUNDS: u64 = {rounds};\n"));
}

#[test]
fn a_solution_that_is_a_folder_is_compared_as_a_whole() {
    if !has_valgrind() {
        return;
    }
    let repo = committed(COUNTED);
    parts(&repo, FOLDER, COUNTED);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "parts"]);
    let args = ["bench", "--against", "HEAD", "--counter", "instructions"];
    // A file that is not compiled does not count as a change.
    repo.file(&format!("{FOLDER}/.main.rs.swp"), "");
    let same = repo.run(&args);
    assert_eq!(same.status, 0, "{}", same.all());
    assert!(same.stdout.contains("0 cases; 2 solutions unchanged"), "{}", same.all());
    // The change is in the other file, and the folder has another name.
    git(&repo, &["mv", FOLDER, "solutions/busy/accepted/renamed"]);
    parts(&repo, "solutions/busy/accepted/renamed", COUNTED * 2);
    let more = repo.run(&args);
    assert_eq!(more.status, 1, "{}", more.all());
    assert!(
        more.stdout.contains("solutions/busy/accepted/renamed\n  more    sample/short"),
        "{}",
        more.all()
    );
    // A folder that contains a link cannot be read from git.
    std::os::unix::fs::symlink("main.rs", repo.path("solutions/busy/accepted/renamed/link.rs"))
        .unwrap();
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "link"]);
    parts(&repo, "solutions/busy/accepted/renamed", COUNTED);
    let link = repo.run(&args);
    assert_eq!(link.status, 0, "{}", link.all());
    assert!(
        link.stdout
            .contains("it is neither a regular file nor a folder of regular files in `HEAD`"),
        "{}",
        link.all()
    );
}
