//! A first command on a machine where something is missing: it says what works, what does not, and what to do.
//!
//! Root takes things away in namespaces of its own. Other users cannot, and skip those tests.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};
use std::thread;

use crate::support::{Repo, lacks, skip_even_in_ci};

/// What to write before a script so that it runs without the rights of root, and without a home.
const AS_STRANGER: &str =
    "exec setpriv --reuid 54321 --regid 54321 --clear-groups env --ignore-environment PATH=$PATH";

/// What was printed, and the exit status.
struct Said {
    text: String,
    status: i32,
}

impl Said {
    fn of(output: Output) -> Self {
        let mut text = String::from_utf8(output.stdout).unwrap();
        text.push_str(&String::from_utf8(output.stderr).unwrap());
        let status = output.status.code().unwrap();
        Self { text, status }
    }

    fn has(&self, status: i32, lines: &[&str]) {
        assert_eq!(self.status, status, "{}", self.text);
        for line in lines {
            assert!(self.text.contains(line), "`{line}` is not in:\n{}", self.text);
        }
    }
}

/// A folder with a solution and a case that everybody may read, and the program.
fn folder() -> Repo {
    let repo = Repo::new();
    repo.file("sum/sum.sh", "read a b\necho $((a + b))\n");
    repo.file("sum/1.in", "1 2\n").file("sum/1.ans", "3\n");
    fs::copy(env!("CARGO_BIN_EXE_rejudge"), repo.path("rejudge")).unwrap();
    fs::set_permissions(repo.path(""), Permissions::from_mode(0o755)).unwrap();
    repo
}

/// Runs a script in mount and PID namespaces of its own, in which `rejudge` is the program. `None`: that is not allowed.
fn in_namespaces(repo: &Repo, script: &str) -> Option<Said> {
    if lacks("unshare") || lacks("setpriv") {
        return None;
    }
    if !rustix::process::geteuid().is_root() {
        skip_even_in_ci("only root can take parts of a machine away");
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(["--mount", "--pid", "--fork", "--mount-proc"]);
    command.args(["sh", "-c", &format!("PATH=$PWD:$PATH; cd sum; {script}")]);
    command.current_dir(repo.path("")).env("NO_COLOR", "1");
    command.env("REJUDGE_CACHE_DIR", repo.path("cache"));
    Some(Said::of(command.output().unwrap()))
}

/// In a container, a judge and its launcher have the same numbers as those of the next container.
#[test]
fn two_judges_with_the_same_process_number_are_equally_protected() {
    let repo = folder();
    repo.file("sum/slow.sh", "sleep 2\necho 3\n");
    let judge = || in_namespaces(&repo, "exec rejudge run slow.sh --json -");
    let both =
        thread::scope(|scope| [(); 2].map(|()| scope.spawn(judge)).map(|one| one.join().unwrap()));
    let [Some(one), Some(other)] = both else {
        return;
    };
    one.has(0, &["\"verdict\":\"AC\""]);
    other.has(0, &["\"verdict\":\"AC\""]);
    let protections = |said: &Said| {
        let (_, after) = said.text.split_once("\"sandbox\":").unwrap();
        after.split_once("\"jobs\"").unwrap().0.to_owned()
    };
    assert_eq!(protections(&one), protections(&other));
}

#[test]
fn without_compilers_each_solution_names_its_package() {
    let repo = Repo::new();
    repo.file("a/a.c", "int main(void) {}\n");
    repo.file("a/1.in", "").file("a/1.ans", "");
    for (args, status, lines) in [
        (
            &["run"][..],
            2,
            &[
                "a.c: not judged: C is not installed: `gcc` was not found",
                "help: install the Debian package `gcc`",
            ][..],
        ),
        (&["doctor"], 0, &["languages  0 of ", "`rejudge languages` lists what to install"]),
        (&["languages"], 0, &["install the Debian package `gcc`"]),
        (&["list"], 0, &["a.c"]),
    ] {
        let mut command = repo.command_in("a", args);
        let output = command.env("PATH", "/nowhere").output().unwrap();
        Said::of(output).has(status, lines);
    }
}

#[test]
fn without_a_part_of_the_system_the_error_names_it() {
    let repo = folder();
    for (taken, place, help) in [
        ("/proc", "/proc", "mount -t proc none /proc"),
        ("/dev", "/dev/null", "mknod -m 666 /dev/null c 1 3"),
    ] {
        for command in ["sum.sh", "doctor", "self-test"] {
            let script = format!("mount -t tmpfs none {taken}; exec rejudge {command}");
            let Some(said) = in_namespaces(&repo, &script) else {
                return;
            };
            let error = format!("error: the sandbox needs `{place}`, which is missing\n");
            said.has(2, &[&error, &format!("help: run `{help}`")]);
        }
    }
}

#[test]
fn without_control_groups_the_verdict_stands_and_doctor_helps() {
    let repo = folder();
    let taken = "umount --lazy /sys/fs/cgroup";
    let Some(said) = in_namespaces(&repo, &format!("{taken}; exec rejudge sum.sh")) else {
        return;
    };
    let warning = "warning: missing protections: memory_group, process_group, cpu_account; `rejudge doctor` explains";
    said.has(0, &["ok    sum.sh  AC", warning]);
    let said = in_namespaces(&repo, &format!("{taken}; exec rejudge doctor")).unwrap();
    said.has(
        0,
        &[
            "no    all its memory is limited by the kernel (control group)",
            "help: ",
            "in part  exceeds no memory limit",
        ],
    );
}

#[test]
fn without_user_namespaces_the_verdict_stands_and_doctor_helps() {
    let repo = folder();
    // The inner namespace is the only one that the limit of the outer one allows.
    let taken = |command: &str| {
        let inner =
            format!("exec unshare --user --map-user=1000 --map-group=1000 rejudge {command}");
        format!(
            "{AS_STRANGER} unshare --user --map-root-user sh -c \
             'echo 1 >/proc/sys/user/max_user_namespaces && {inner}'"
        )
    };
    let Some(said) = in_namespaces(&repo, &taken("sum.sh")) else {
        return;
    };
    if said.text.starts_with("unshare: ") {
        skip_even_in_ci("users of this machine may not create namespaces");
        return;
    }
    let warning =
        "warning: missing protections: pid_namespace, mount_namespace, network_namespace and ";
    said.has(0, &["ok    sum.sh  AC", warning]);
    let said = in_namespaces(&repo, &taken("doctor")).unwrap();
    said.has(0, &["sandbox  no namespaces: ", "no    sees only its own processes", "help: "]);
}

#[test]
fn on_a_read_only_machine_the_error_says_what_works() {
    let repo = folder();
    // Every mount becomes read-only.
    let taken = "for place in $(cut -d ' ' -f 2 /proc/self/mounts | sort -ru); do \
                 mount -o remount,bind,ro $place 2>/dev/null; done; touch here 2>/dev/null && exit 77;";
    for command in ["", "doctor", "self-test", "languages"] {
        let Some(said) = in_namespaces(&repo, &format!("{taken} exec rejudge {command}")) else {
            return;
        };
        if said.status == 77 {
            skip_even_in_ci("this machine does not become read-only");
            return;
        }
        said.has(
            2,
            &[
                "error: cannot create a folder in `/tmp`: Read-only file system",
                "\nhelp: set `TMPDIR` to a writable folder, or mount one: `mount -t tmpfs none /tmp`",
                "`rejudge report` and `merge` need none",
            ],
        );
    }
    let stored = "rejudge run -q sum.sh --json ../run.jsonl;";
    let said = in_namespaces(&repo, &format!("{stored} {taken} exec rejudge report ../run.jsonl"));
    said.unwrap().has(0, &["ok    sum.sh  AC"]);
    let mounted = format!("{taken} mount -t tmpfs none /mnt && TMPDIR=/mnt exec rejudge sum.sh");
    let said = in_namespaces(&repo, &mounted).unwrap();
    said.has(
        0,
        &[
            "ok    sum.sh  AC",
            "warning: cannot write to the cache folder `",
            "help: make it writable, or set `REJUDGE_CACHE_DIR` to a writable folder",
        ],
    );
}

#[test]
fn a_user_without_a_home_is_warned_about_the_cache_alone() {
    let repo = folder();
    for (home, place) in [("HOME=/nonexistent", "/nonexistent/.cache/rejudge"), ("", "")] {
        let script = format!("{AS_STRANGER} {home} rejudge sum.sh");
        let Some(said) = in_namespaces(&repo, &script) else {
            return;
        };
        said.has(0, &["ok    sum.sh  AC"]);
        let warning = format!("warning: cannot write to the cache folder `{place}`");
        assert!(home.is_empty() || said.text.contains(&warning), "{}", said.text);
    }
}

#[test]
fn without_a_home_no_file_of_another_user_is_taken_for_cached() {
    let repo = folder();
    repo.file("open/kept", "");
    fs::set_permissions(repo.path("open"), Permissions::from_mode(0o777)).unwrap();
    let judge = format!("{AS_STRANGER} TMPDIR=$PWD/../open rejudge sum.sh");
    let own = repo.path("open/rejudge-cache-54321");
    let Some(said) = in_namespaces(&repo, &judge) else {
        return;
    };
    said.has(0, &["ok    sum.sh  AC"]);
    assert!(!said.text.contains("cache folder"), "{}", said.text);
    assert!(own.join("artefacts").is_dir());
    let planted =
        "chown -R 12345 ../open/rejudge-cache-54321; chmod -R a+rwX ../open/rejudge-cache-54321;";
    let said = in_namespaces(&repo, &format!("{planted} {judge}")).unwrap();
    let warning = format!("warning: another user made `{}`", own.display());
    said.has(0, &["ok    sum.sh  AC", "help: remove it, or set `REJUDGE_CACHE_DIR`"]);
    assert!(said.text.replace("/sum/../", "/").contains(&warning), "{}", said.text);
}

/// Tries to create a file in two file systems below a folder of the system, and prints whether these are read-only.
const WRITES: &str = r#"#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
int main(void) {
    const char *places[] = {"/usr/local/file", "/usr/local/a b/file"};
    for (int i = 0; i < 2; i++) {
        int file = open(places[i], O_CREAT | O_WRONLY, 0600);
        printf("%d %d\n", file < 0, errno == EROFS);
    }
}
"#;

#[test]
fn before_linux_5_12_the_system_is_as_read_only_as_after() {
    if lacks("gcc") || lacks("python3") {
        return;
    }
    let repo = folder();
    repo.file("sum/writes.c", WRITES);
    repo.file("sum/1.in", "").file("sum/1.ans", "1 1\n1 1\n");
    let mounted = "mount -t tmpfs -o mode=1777 none /usr/local && mkdir '/usr/local/a b' && \
                   mount -t tmpfs -o mode=1777 none '/usr/local/a b';";
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/without_call.py");
    let older = format!("exec python3 {fixture} mount_setattr ../rejudge");
    for started in ["exec rejudge", &older] {
        let Some(said) = in_namespaces(&repo, &format!("{mounted} {started} writes.c")) else {
            return;
        };
        said.has(0, &["ok    writes.c  AC"]);
    }
    let [now, before] = ["exec rejudge", &older].map(|started| {
        let script = format!("{started} doctor | sed -n '/^sandbox/,/^machine/p'");
        in_namespaces(&repo, &script).unwrap().text
    });
    assert_eq!(now, before);
    assert!(now.contains("  ok    "), "{now}");
    let tried = in_namespaces(&repo, &format!("{older} self-test")).unwrap();
    tried.has(0, &["this installation can be trusted"]);
}
