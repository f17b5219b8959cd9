//! Settings of `rejudge.toml` that name nothing: every command warns about them.

use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Repo, skip};

#[test]
fn settings_that_name_nothing_are_reported_by_every_command() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "read a b; echo $((a + b))\n")
        .file(
            "rejudge.toml",
            "include = [\"libs\", \"lib\"]\ntemplate = \"start.rs\"\n[problems.summ]\ntime_limit = 1\n\
             [problems.sum]\ninteractor = \"talk.cpp\"\n[problems.zzz]\n",
        )
        .file("lib/a.h", "");
    let warnings = "warning: rejudge.toml: `include` names `libs`, but no such folder exists\n\
        warning: rejudge.toml: `template` names `start.rs`, but no such file exists\n\
        warning: rejudge.toml: `problems.sum.interactor` names `talk.cpp`, but no such file exists\n\
        warning: rejudge.toml: `[problems.summ]` names no problem\nhelp: did you mean `[problems.sum]`?\n\
        warning: rejudge.toml: `[problems.zzz]` names no problem\n";
    let commands: [&[&str]; 12] = [
        &["answer", "sum", "--from", "solutions/sum/a.sh"],
        &["bench", "--runs", "2", "sum"],
        &["time", "sum"],
        &["new", "next"],
        &["draw", "sum/sample/1", "-o", "pictures"],
        &["case", "add", "sum", "--input", "lib/a.h"],
        &["list"],
        &["run"],
        &["exec", "solutions/sum/a.sh"],
        &["verify"],
        &["generate", "--check"],
        &["languages"],
    ];
    for args in commands {
        let ran = repo.run(args);
        assert!(ran.stderr.contains(warnings), "{args:?}: {}", ran.all());
        assert_eq!(ran.stderr.matches("`template` names").count(), 1, "{args:?}: {}", ran.all());
    }
}

#[test]
fn a_problem_that_exists_anywhere_in_the_repository_is_named() {
    let repo = Repo::with_sum();
    repo.file(
        "rejudge.toml",
        "[problems.sum]\ntime_limit = \"3s\"\n[problems.deep]\n[problems.single]\n",
    )
    .file("2024/final/deep/1.in", "1\n")
    .file("2024/single.py", "\n")
    .file("solutions/sum/a.sh", "read a b; echo $((a + b))\n");
    let ran = repo.run(&["list", "sum"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.all());
    assert!(ran.stdout.contains("limits: 3 s CPU"), "{}", ran.stdout);
}

#[test]
fn a_folder_of_cases_that_is_never_read_is_reported_once_by_every_command() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "read a b; echo $((a + b))\n")
        .file("cases/sum/data/secrets/1.in", "1 2\n")
        .file("cases/sum/data/secrets/1.ans", "3\n")
        .file("new.in", "1 1\n");
    let commands: [&[&str]; 10] = [
        &["list"],
        &["run"],
        &["exec", "solutions/sum/a.sh", "--case", "sample/1"],
        &["verify"],
        &["generate", "--check"],
        &["answer", "sum", "--from", "solutions/sum/a.sh"],
        &["draw", "sum/sample/1", "-o", "pictures"],
        &["time", "sum"],
        &["bench", "--runs", "2", "sum"],
        &["case", "add", "sum", "--input", "new.in"],
    ];
    for args in commands {
        let ran = repo.run(args);
        let all = ran.all();
        assert_eq!(all.matches("data/secrets").count(), 1, "{args:?}: {all}");
        assert!(all.contains("has no meaning in `data/` and is never read"), "{args:?}: {all}");
        assert!(all.contains("did you mean `secret`?"), "{args:?}: {all}");
    }
}

/// A sandbox shows little of `/etc`. What a language needs there, it may name.
#[test]
fn resolve_may_name_folders_of_etc() {
    let folder = "/etc/default";
    // By everybody: the program is another user.
    let readable = |entry: &std::fs::DirEntry| {
        entry.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o004 != 0)
    };
    let mut entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let Some(file) = entries.find(readable) else {
        skip(&format!("{folder} has no file that everybody may read"));
        return;
    };
    let file = file.path().display().to_string();
    let language = |folder: &str| {
        format!(
            "[languages.mine]\nname = \"Mine\"\nextensions = [\"mine\"]\nrun = [\"dash\", \"{{source}}\"]\n\
             resolve = [\"dash\", \"-c\", \"command -v dash; echo {folder}\"]\n"
        )
    };
    let repo = Repo::new();
    repo.file("a.mine", format!("test -r {file} && echo yes || echo no\n")).file("1.in", "\n");
    for (folder, found) in [(folder, "yes\n"), ("/etc", "no\n")] {
        repo.file("rejudge.toml", language(folder)).file("1.out", found);
        let ran = repo.run(&["run", "a.mine"]);
        assert_eq!(ran.status, 0, "{folder}: {}", ran.all());
    }
}
