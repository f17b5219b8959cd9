//! Runs that end abnormally: interrupted, unable to write, or with a killed launcher.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Repo, skip};
use crate::support::{SUM, does};

#[test]
fn an_interrupted_run_prints_its_summary_and_leaves_nothing_behind() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let repo = Repo::with_sum();
        repo.file("solutions/sum/a.rs", SUM)
            .file("solutions/sum/b.rs", does("loop { std::thread::park(); }"))
            .file("tmp/.keep", "");
        // However early the second solution is built, a worker is left for the first, and the second never ends.
        let args = ["-v", "--json", "report.json", "-j", "3", "--wall-limit", "1000"];
        let mut command = repo.command(&args);
        command.env("TMPDIR", repo.path("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        lines.read_line(&mut first).unwrap();
        let id = child.id().to_string();
        let killed = Command::new("kill").args(["-s", signal, &id]).status().unwrap();
        assert!(killed.success());
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(status));
        assert!(rest.contains("1 as expected, 1 skipped"), "{rest}");
        assert!(rest.contains("interrupted"), "{rest}");
        for line in repo.read("report.json").lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
        let left: Vec<_> = std::fs::read_dir(repo.path("tmp")).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    for args in [&["-v"][..], &["--json", "-"], &["list"], &["man"]] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let ran = repo.finish(repo.command(args).stdout(full.unwrap()));
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.stderr.contains("No space left"), "{}", ran.stderr);
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ran = repo.finish(repo.command(&["-v"]).stdout(writer));
    assert_eq!((ran.status, ran.stderr.as_str()), (2, ""));
}

#[test]
fn a_killed_launcher_fails_one_case_and_not_the_run() {
    let repo = Repo::with_sum();
    // The parent of the program is its launcher, which it can reach without a sandbox.
    let kills = "let _ = std::process::Command::new(\"/bin/sh\").arg(\"-c\").arg(format!(\"kill -9 {}\", \
                 std::os::unix::process::parent_id())).status();";
    repo.file("solutions/sum/a.rs", does(kills)).file("solutions/sum/b.rs", SUM);
    let ran = repo.run(&["-v", "--sandbox", "off"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stdout.contains("JE  the launcher failed: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("ok    solutions/sum/b.rs  AC   2/2"), "{}", ran.stdout);
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn judging_works_without_the_right_to_choose_processors() {
    if Command::new("python3").arg("--version").output().is_err() {
        return skip("python3 is missing, so a kernel that refuses is not tested; install python3");
    }
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    let plain = repo.command(&["--repeat", "3"]);
    let mut command = Command::new("python3");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/without_call.py");
    command.arg(script).arg("sched_setaffinity");
    command.arg(plain.get_program()).args(plain.get_args()).current_dir(repo.path(""));
    let variables = plain.get_envs().filter_map(|(name, value)| Some((name, value?)));
    command.envs(variables);
    let ran = repo.finish(&mut command);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}
