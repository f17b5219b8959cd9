//! Children behind a ruleset: what they reach, and what they do not.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Output, Stdio};

use rustix::thread::{CapabilitySet, CapabilitySets};
use tempfile::TempDir;

use super::*;

/// A folder with a secret, a folder for the program, and a process of somebody's.
struct LandlockFolders {
    secret: TempDir,
    own: TempDir,
    victim: Child,
}

/// Makes `command` start without capabilities: with them, one looks into processes past any Landlock.
fn harmless(
    mut command: Command,
    then: impl FnMut() -> io::Result<()> + Send + Sync + 'static,
) -> Command {
    let mut then = then;
    let drop_all = move || {
        rustix::thread::set_no_new_privs(true)?;
        let none = CapabilitySet::empty();
        let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
        rustix::thread::set_capabilities(None, sets)?;
        then()
    };
    // SAFETY: system calls only, no allocation.
    unsafe { command.pre_exec(drop_all) };
    command
}

impl LandlockFolders {
    fn new() -> Self {
        let (secret, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(secret.path().join("1.ans"), "the answer").unwrap();
        fs::write(secret.path().join("1.in"), "the input").unwrap();
        let mut victim = Command::new("sleep");
        victim.arg("1000").env("PASSWORD", "secret");
        victim.stdin(File::open(secret.path().join("1.ans")).unwrap());
        let victim = harmless(victim, || Ok(())).spawn().unwrap();
        Self { secret, own, victim }
    }

    /// Runs `script` in the program's folder, `$SECRET` being the other one; with `walled`, behind the rules.
    fn run(&self, script: &str, walled: bool) -> Option<Output> {
        let stdin = File::open(self.secret.path().join("1.in")).unwrap();
        let reach = Reach {
            readable: super::super::system::folders()
                .chain(["/etc", "/proc", "/nowhere"])
                .map(Path::new)
                .collect(),
            writable: vec![self.own.path()],
            ..Reach::default()
        };
        let Some(ruleset) = Ruleset::new(&reach).unwrap() else {
            let why = "this kernel has no Landlock";
            assert!(std::env::var_os("CI").is_none(), "{why}");
            eprintln!("SKIPPED: {why}");
            return None;
        };
        ruleset.allow_stream(stdin.as_fd(), StreamAccess::Read).unwrap();
        let restrict = move || {
            if walled {
                ruleset.restrict()?;
            }
            Ok(())
        };
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .current_dir(self.own.path())
            .env("SECRET", self.secret.path())
            .env("VICTIM", self.victim.id().to_string())
            .stdin(stdin.try_clone().unwrap())
            .stdout(Stdio::piped());
        Some(harmless(command, restrict).output().unwrap())
    }
}

impl Drop for LandlockFolders {
    fn drop(&mut self) {
        self.victim.kill().unwrap();
        self.victim.wait().unwrap();
    }
}

/// Each does one thing, which succeeds without the rules.
const ATTACKS: &[&str] = &[
    "cat $SECRET/1.ans",
    "ls $SECRET",
    "cp $SECRET/1.ans .",
    "echo x > $SECRET/new",
    "echo x >> $SECRET/1.ans",
    "ln $SECRET/1.ans here",
    "mkdir $SECRET/folder && rmdir $SECRET/folder",
    "truncate -s 1 $SECRET/1.ans",
    "kill -0 $VICTIM",
    "grep -z PASSWORD /proc/$VICTIM/environ",
    "cat /proc/$VICTIM/fd/0",
    "echo 500 > /proc/$VICTIM/oom_score_adj && test $(cat /proc/$VICTIM/oom_score_adj) = 500",
    "file=$(mktemp) && rm $file",
];

#[test]
fn what_is_outside_is_out_of_reach() {
    for attack in ATTACKS {
        let ground = LandlockFolders::new();
        let Some(walled) = ground.run(attack, true) else {
            return;
        };
        assert!(!walled.status.success(), "{attack}: {walled:?}");
        assert!(walled.stdout.is_empty(), "{attack}");
        assert_eq!(fs::read(ground.secret.path().join("1.ans")).unwrap(), b"the answer");
        let open = ground.run(attack, false).unwrap();
        let errors = String::from_utf8_lossy(&open.stderr);
        assert!(open.status.success(), "{attack} is no attack: {errors}");
    }
}

#[test]
fn what_is_its_own_is_in_reach() {
    let script = "set -e; cat /dev/stdin; cat > file < /dev/null; mkdir -p a/b; mv file a/b/c; ln a/b/c d; \
                  ln -s d e; mkfifo f; rm -r a; echo > /dev/null; head -c 1 /dev/urandom > g; kill -0 $$; \
                  cat /proc/self/stat > g; (sleep 100 & kill $!); echo done > /dev/stdout";
    let Some(output) = LandlockFolders::new().run(script, true) else {
        return;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(output.stdout, b"the inputdone\n");
}
