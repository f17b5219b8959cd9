//! What a process inherits: limits, streams, signals, a folder, a mask of modes, variables. Everything works, or an error
//! says what is in the way; no verdict depends on it.

use crate::support::{Ran, Repo};

/// Runs `rejudge run` after `set_up`, with these arguments and redirections.
fn judge(set_up: &str, rest: &str) -> Ran {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "read a b\necho $((a + b))\n");
    let script = format!("{set_up}\nexec rejudge run sum {rest}");
    repo.finish(&mut repo.shell(&script))
}

#[test]
fn surroundings_that_rejudge_tolerates_change_no_verdict() {
    let table = [
        ("ulimit -n 200", ""),
        ("ulimit -Sn 16", ""),
        ("ulimit -c 0", ""),
        ("ulimit -Ss 64", ""),
        ("ulimit -Sf 0", "--no-compile-cache"),
        ("ulimit -Sv 100000", ""),
        ("ulimit -t 3600", ""),
        ("trap '' CHLD", ""),
        ("trap '' PIPE TERM INT HUP", ""),
        ("umask 0777", ""),
        ("", "<&-"),
        ("", ">&-"),
        ("", "2>&-"),
        ("", "<&- >&- 2>&-"),
    ];
    for (set_up, rest) in table {
        let ran = judge(set_up, rest);
        assert_eq!(ran.status, 0, "{set_up} {rest}: {}", ran.all());
    }
}

#[test]
fn a_limit_that_is_too_low_is_named() {
    // Whoever may raise a hard limit does so.
    let table = [
        ("ulimit -n 64", "open files (`ulimit -Hn`) is 64"),
        ("ulimit -s 64", "stack size (`ulimit -Hs`) is 64 KiB"),
        ("ulimit -s 2048", "stack size (`ulimit -Hs`) is 2 MiB"),
        ("ulimit -f 0", "file size (`ulimit -Hf`) is 0 B"),
        ("ulimit -v 1000000", "address space (`ulimit -Hv`) is"),
        ("ulimit -d 1000000", "data size (`ulimit -Hd`) is"),
        ("ulimit -t 5", "CPU time (`ulimit -Ht`) is 5 s"),
    ];
    for (set_up, words) in table {
        let ran = judge(set_up, "");
        let named = ran.all().contains(&format!("the inherited limit of {words}"));
        assert!(ran.status == 0 || (ran.status == 2 && named), "{set_up}: {}", ran.all());
    }
}

#[test]
fn nobody_else_can_start_a_launcher() {
    for rest in ["", "</dev/null", "<&-"] {
        let ran = judge("export REJUDGE_LAUNCHER=x", rest);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert_eq!(
            ran.stderr,
            "error: the environment variable `REJUDGE_LAUNCHER` is set, which only rejudge itself may set\n\
             help: remove it: `unset REJUDGE_LAUNCHER`\n",
            "{rest}"
        );
    }
}

#[test]
fn a_folder_that_is_gone_is_an_error() {
    let ran = judge("mkdir gone && cd gone && rmdir ../gone", "");
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("cannot determine the current folder"), "{}", ran.all());
}

#[test]
fn a_signal_that_a_parent_blocked_still_ends_it() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "while :; do :; done\n");
    let script = "env --block-signal=TERM rejudge run sum & pid=$!\n\
                  while kill -TERM $pid 2>/dev/null; do sleep 0.1; done; wait $pid";
    let there = repo.finish(&mut repo.shell("env --block-signal=TERM true"));
    if there.status != 0 {
        crate::support::skip("`env` cannot block signals; install coreutils 8.31 or later");
        return;
    }
    let ran = repo.finish(&mut repo.shell(script));
    assert_eq!(ran.status, 143, "{}", ran.all());
}
