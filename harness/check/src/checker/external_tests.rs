//! A closure takes the place of the checker program: it sees the job and leaves any files.

use std::fs;
use std::time::Duration;

use rejudge_quantity::Bytes;

use super::*;
use crate::checker::feedback::MESSAGE_BYTES;
use crate::checker::{Checker, check};
use rejudge_sandbox::{LimitKind, Usage};

fn program(protocol: Protocol) -> CheckerProgram {
    let second = Duration::from_secs(1);
    CheckerProgram {
        protocol,
        argv: vec!["/artefact/check".into()],
        args: vec!["--strict".into(), "7".into()],
        call: Vec::new(),
        convention: None,
        env: Vec::new(),
        readable: vec!["/artefact".into()],
        own_paths: std::sync::Arc::default(),
        limits: Limits {
            cpu_time: second,
            cpu_kill: second,
            wall_time: second,
            memory: Bytes::default(),
            output: Bytes::default(),
            stack: Bytes::default(),
            processes: 1,
            file_size: Bytes::default(),
            one_core: false,
        },
    }
}

fn ended(exit: Exit, stderr: &[u8]) -> Execution {
    Execution {
        exit,
        usage: Usage::default(),
        stdout: Captured::default(),
        stderr_tail: stderr.to_vec(),
    }
}

fn folder(job: &Job) -> &Path {
    match &job.work_dir {
        WorkDir::At(folder) => folder,
        WorkDir::Fresh => panic!("a checker runs in its feedback folder"),
    }
}

fn judge(protocol: Protocol, mut act: impl FnMut(&Job, Input) -> Execution) -> Checked {
    let case =
        CheckerFiles { input: Path::new("/case/1.in"), answer: Some(Path::new("/case/1.ans")) };
    check(
        &Checker::Program(program(protocol)),
        case,
        &Captured::from_bytes(b"the output".to_vec()),
        None,
        &mut |job, input| Ok(act(job, input)),
    )
    .unwrap()
}

/// The exit code, the contents of `judgemessage.txt`, and stderr.
fn checked_with(protocol: Protocol, exit: Exit, message: &[u8], stderr: &[u8]) -> Checked {
    judge(protocol, |job, _| {
        if !message.is_empty() {
            fs::write(folder(job).join("judgemessage.txt"), message).unwrap();
        }
        ended(exit, stderr)
    })
}

fn wrong(headline: &str) -> CheckOutcome {
    CheckOutcome::Wrong(Mismatch { rest: None, headline: headline.to_owned(), at: None })
}

#[test]
fn a_validator_is_called_as_the_format_specifies() {
    let mut feedback = PathBuf::new();
    let checked = judge(Protocol::Icpc, |job, input| {
        feedback = folder(job).to_owned();
        assert!(feedback.is_dir());
        let slashed = format!("{}/", feedback.display());
        let argv = ["/artefact/check", "/case/1.in", "/case/1.ans", &slashed, "--strict", "7"];
        assert_eq!(job.argv, argv.map(OsString::from));
        let readable = ["/artefact", "/case/1.in", "/case/1.ans"];
        assert_eq!(job.readable, readable.map(PathBuf::from));
        let Input::Bytes(text) = input else {
            panic!("the output is its standard input");
        };
        assert_eq!(text, b"the output");
        ended(Exit::Code(42), b"")
    });
    assert_eq!(checked.outcome, CheckOutcome::Accepted);
    assert!(!feedback.exists(), "the feedback folder is removed");
}

#[test]
fn a_testlib_checker_gets_the_output_as_a_file() {
    let checked = judge(Protocol::Testlib, |job, input| {
        assert!(matches!(input, Input::Empty));
        assert_eq!(job.argv[1], "/case/1.in");
        assert_eq!(fs::read(&job.argv[2]).unwrap(), b"the output");
        assert!(job.readable.contains(&PathBuf::from(&job.argv[2])));
        assert_eq!(job.argv[3], "/case/1.ans");
        ended(Exit::Code(0), b"ok 3 tokens")
    });
    assert_eq!(checked.outcome, CheckOutcome::Accepted);
}

#[test]
fn a_rejection_has_the_checkers_message() {
    let reject = |message: &[u8], stderr: &[u8]| {
        checked_with(Protocol::Icpc, Exit::Code(43), message, stderr).outcome
    };
    let two_lines = CheckOutcome::Wrong(Mismatch {
        rest: Some("of 3".to_owned()),
        headline: "no path".to_owned(),
        at: None,
    });
    assert_eq!(reject(b"\nno path\nof 3\n", b"debug"), two_lines);
    assert_eq!(reject(b"", b"from stderr"), wrong("from stderr"));
    assert_eq!(reject(b" \n", b""), wrong("the output validator rejects it"));
    for code in [1, 2, 4, 8] {
        let checked = checked_with(Protocol::Testlib, Exit::Code(code), b"", b"wrong answer x\n");
        assert_eq!(checked.outcome, wrong("wrong answer x"));
    }
}

#[test]
fn points_are_those_that_a_testlib_checker_prints() {
    for (protocol, code, stderr, expected) in [
        (Protocol::Testlib, 7, "points 12.5 half of it", Some("12.5")),
        (Protocol::Interactor, 7, "points 3\n", Some("3")),
        (Protocol::Testlib, 0, "points 12.5", None),
        (Protocol::Testlib, 7, "point 12.5", None),
    ] {
        let checked = checked_with(protocol, Exit::Code(code), b"", stderr.as_bytes());
        let score = checked.score_files.score.map(|text| String::from_utf8(text).unwrap());
        assert_eq!(score.as_deref(), expected, "{code} {stderr}");
        assert_eq!(checked.score_files.points, expected.is_some());
        let accepted = code == 0 || expected.is_some();
        assert_eq!(checked.outcome == CheckOutcome::Accepted, accepted);
    }
}

#[test]
fn messages_are_kept_when_the_output_is_right() {
    let checked = judge(Protocol::Icpc, |job, _| {
        fs::write(folder(job).join("judgemessage.txt"), "12 moves\n").unwrap();
        fs::write(folder(job).join("teammessage.txt"), "well done").unwrap();
        ended(Exit::Code(42), b"")
    });
    assert_eq!(checked.judge_message.as_deref(), Some("12 moves"));
    assert_eq!(checked.team_message.as_deref(), Some("well done"));
}

#[test]
fn any_other_exit_is_a_fault_with_its_message() {
    for (protocol, exit, words) in [
        (Protocol::Icpc, Exit::Code(0), "exited with 0, not with 42"),
        (Protocol::Icpc, Exit::Code(1), "exited with 1, not with 42"),
        (Protocol::Icpc, Exit::Signal(11), "killed by signal 11"),
        (Protocol::Icpc, Exit::Killed(LimitKind::Wall), "exceeded its wall time limit"),
        (Protocol::Testlib, Exit::Code(3), "exited with 3 (fail)"),
        (Protocol::Testlib, Exit::Code(7), "7 (points) without printing the points"),
        (Protocol::Testlib, Exit::Code(42), "exited with 42"),
    ] {
        let checked = checked_with(protocol, exit, b"half a message", b"panicked\x1b[2J");
        let CheckOutcome::Fault(fault) = checked.outcome else {
            panic!("{exit:?} is a fault");
        };
        assert!(fault.contains(words), "{fault}");
        assert!(fault.contains("judgemessage.txt: half a message"), "{fault}");
        assert!(fault.contains("stderr: panicked\\x1b[2J"), "{fault}");
    }
}

#[test]
fn an_interrupted_run_is_not_a_verdict() {
    let case = CheckerFiles { input: Path::new("1.in"), answer: Some(Path::new("1.ans")) };
    let result = check(
        &Checker::Program(program(Protocol::Icpc)),
        case,
        &Captured::default(),
        None,
        &mut |_, _| Err(SandboxError::Interrupted),
    );
    assert!(matches!(result, Err(SandboxError::Interrupted)));
}

#[test]
fn a_huge_message_is_cut_and_made_safe() {
    let mut message = b"\xff\x1b]0;title\x07 \xe2\x80\xae".to_vec();
    message.resize(8 << 20, b'x');
    let checked = checked_with(Protocol::Icpc, Exit::Code(43), &message, b"");
    let text = checked.judge_message.unwrap();
    assert!(text.starts_with("\\xff\\x1b]0;title\\x07 \\u{202e}xxx"), "{text}");
    assert!(text.ends_with("x…"));
    assert!(text.len() < 2 * MESSAGE_BYTES);
    let CheckOutcome::Wrong(mismatch) = checked.outcome else {
        panic!("43 rejects");
    };
    assert!(mismatch.headline.chars().count() <= foreign::HEADLINE + 1);
}

#[test]
fn a_hostile_feedback_folder_is_harmless() {
    use std::os::unix::fs::symlink;
    let file = tempfile::NamedTempFile::new().unwrap();
    let secret = file.path();
    fs::write(secret, "secret").unwrap();
    let link = |job: &Job| symlink(secret, folder(job).join("judgemessage.txt")).unwrap();
    let device = |job: &Job| symlink("/dev/zero", folder(job).join("judgemessage.txt")).unwrap();
    let directory = |job: &Job| fs::create_dir(folder(job).join("judgemessage.txt")).unwrap();
    let fifo = |job: &Job| {
        let path = folder(job).join("judgemessage.txt");
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &path, kind, 0o600.into(), 0).unwrap();
    };
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("judgemessage.txt"), "elsewhere").unwrap();
    let replaced = |job: &Job| {
        fs::remove_dir(folder(job)).unwrap();
        symlink(elsewhere.path(), folder(job)).unwrap();
    };
    let tricks: [&dyn Fn(&Job); 5] = [&link, &device, &directory, &fifo, &replaced];
    for trick in tricks {
        let checked = judge(Protocol::Icpc, |job, _| {
            trick(job);
            ended(Exit::Code(43), b"")
        });
        assert_eq!(checked.judge_message, None);
        assert_eq!(checked.outcome, wrong("the output validator rejects it"));
    }
    assert_eq!(fs::read(secret).unwrap(), b"secret");
    assert!(elsewhere.path().join("judgemessage.txt").exists());
}
