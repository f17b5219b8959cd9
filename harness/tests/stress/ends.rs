//! Ends that are not planned: Ctrl-C, a full disk, a failure that does not repeat.

use std::fs::{self, File};
use std::io::Read as _;
use std::process::Stdio;

use super::{PLAN, SCRIPTS, folder, package, scripts, stress};
use crate::support::{Repo, skip, terminal};

/// A validator that does not decide about short inputs, so that shrinking never ends.
const SLOW: &str = "read count\n[ \"$count\" -ge 6 ] || sleep 98765\nexit 42\n";

/// The processes whose command line contains this text.
fn processes(text: &str) -> Vec<String> {
    let folders = fs::read_dir("/proc").unwrap().flatten();
    let lines = folders.filter_map(|folder| fs::read(folder.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(text)).collect()
}

#[test]
fn ctrl_c_keeps_the_smallest_input_so_far() {
    let repo = scripts();
    let temporary = repo.path("temporary");
    fs::create_dir(&temporary).unwrap();
    repo.file("val.sh", SLOW);
    let (keys, line) = terminal::open(120, 40);
    let more = ["--validator", "val.sh", "--budget", "36000s", "--add"];
    let mut command = repo.command(&[&["stress"], &SCRIPTS[..], &more].concat());
    command.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(line);
    let child = command.spawn().unwrap();
    drop(command);
    let (mut keys, mut seen) = (File::from(keys), Vec::new());
    // The validator sleeps once the input is short.
    while processes("sleep 98765").is_empty()
        || !String::from_utf8_lossy(&seen).contains("shrinking the input")
    {
        let mut bytes = [0; 4096];
        let count = keys.read(&mut bytes).unwrap_or_else(|error| {
            let seen = String::from_utf8_lossy(&seen);
            panic!("the search ended: {error}; {seen}")
        });
        seen.extend_from_slice(&bytes[..count]);
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{text}");
    for part in [
        "WA wrong.sh in round 1",
        "until it was ended",
        "again: rejudge stress wrong.sh",
        "interrupted after 1 round",
        "added tests/1.in",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let kept = repo.read("tests/1.in");
    let count: usize = kept.lines().next().unwrap().parse().unwrap();
    assert!(count >= 6 && kept.split_whitespace().count() < 40, "{kept}");
    assert_eq!(repo.read("tests/1.ans"), "6\n");
    assert_eq!(processes("sleep 98765"), [""; 0]);
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

/// Runs a search with `--add` in a folder for the secret cases that has room for only one file.
fn add_with_a_full_disk(repo: &Repo) -> Option<(i32, String, String)> {
    let script = "mount -t tmpfs -o size=4k none cases/best/data/secret || exit 77\n\
        rejudge stress best --wall-limit 60 --seed 4 --rounds 100 --add; status=$?\n\
        ls cases/best/data/secret > left\nexit $status";
    let unshare = if rustix::process::geteuid().is_root() { "unshare -m" } else { "unshare -Urm" };
    let script = format!("exec {unshare} sh -c '{script}'");
    let ran = repo.finish(&mut repo.shell(&script));
    let is_done = ran.status == 2 && repo.path("left").exists();
    is_done.then_some((ran.status, ran.stdout, ran.stderr))
}

#[test]
fn a_full_disk_loses_nothing_that_was_found() {
    let repo = package();
    repo.file("cases/best/generators/generators.yaml", PLAN)
        .file("cases/best/data/sample/1.in", "1\n2\n")
        .file("cases/best/data/sample/1.ans", "2\n");
    let Some((status, stdout, stderr)) = add_with_a_full_disk(&repo) else {
        return skip("no file system can be mounted, so the full disk is not tested");
    };
    assert_eq!(status, 2, "{stderr}");
    assert!(stdout.contains("input, 2 tokens:\n  1\n  -1\n"), "{stdout}");
    let error = "error: the case is not added; correct the cause, and run `rejudge stress ";
    assert!(stderr.contains(error), "{stderr}");
    assert!(stderr.contains("No space left on device"), "{stderr}");
    assert_eq!(repo.read("left"), "");
    assert_eq!(repo.read("cases/best/generators/generators.yaml"), PLAN);
}

#[test]
fn a_failure_that_does_not_repeat_is_called_flaky() {
    let repo = folder();
    // One run in 64 prints something else, so two more that do the same are hardly ever seen.
    repo.file("wrong.sh", "cat > /dev/null; echo $((RANDOM % 64 == 0))\n")
        .file("brute.sh", "cat > /dev/null; echo 0\n");
    let args = ["wrong.sh", "--against", "brute.sh", "--rounds", "2000"];
    let ran = stress(&repo, &args);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains("flaky: "), "{}", ran.stdout);
}

#[test]
fn a_program_that_waited_to_be_read_is_not_too_slow() {
    let repo = folder();
    // The second program starts with the first one, and waits, because it prints more than a pipe holds. The first one is
    // run twice, because it is killed, and this takes longer than the limit of the second one.
    repo.file("slow.sh", "sleep 2; kill -KILL $$\n")
        .file("long.sh", "cat > /dev/null; seq 30000\n");
    let condition = "slow.sh RTE and long.sh TLE";
    let args = ["stress", "slow.sh", "long.sh", "--want", condition];
    let ran = repo.run(&[&args[..], &["--wall-limit", "3", "--rounds", "1"]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
}

#[test]
fn a_time_that_does_not_repeat_is_counted() {
    let repo = folder();
    // Three runs in five never end. On a busy machine, a run that is too slow is tried twice more.
    let slow = "cat > /dev/null; while [ $((RANDOM % 5)) -lt 3 ] || [ $again ]; do again=1; done; echo 0\n";
    repo.file("late.sh", slow).file("brute.sh", "cat > /dev/null; echo 0\n");
    let args = ["late.sh", "--against", "brute.sh", "--rounds", "100", "-t", "0.06"];
    let ran = stress(&repo, &[&args[..], &["--json", "-"]].concat());
    let line = ran.stdout.lines().last().unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    // It may repeat by chance.
    let (unrepeated, findings) = (line["unrepeated"].as_u64(), line["findings"].as_u64());
    assert_eq!(ran.status, i32::from(findings > Some(0)), "{line}{}", ran.stderr);
    assert!(unrepeated.unwrap() + findings.unwrap() > 0, "{line}");
}

#[test]
fn a_report_that_cannot_be_written_loses_nothing_that_was_found() {
    let error =
        "error: the report is not complete; correct the cause, and run `rejudge stress wrong.sh ";
    for (stdout, json) in [(None, "/dev/full"), (Some("/dev/full"), "report.jsonl")] {
        let repo = scripts();
        let args = ["--rounds", "1", "--add", "--json", json];
        let mut command = repo.command(&[&["stress"], &SCRIPTS[..], &args].concat());
        if let Some(file) = stdout {
            command.stdout(File::options().write(true).open(file).unwrap());
        }
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}{stderr}");
        assert!(stderr.contains(error), "{stderr}");
        assert!(stderr.contains("No space left on device"), "{stderr}");
        let found = match stdout {
            None => text,
            Some(_) => repo.read(json),
        };
        assert!(found.contains("rejudge stress wrong.sh"), "{found}");
        assert_eq!(repo.read("tests/1.ans"), "6\n");
    }
}
