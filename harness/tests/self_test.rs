//! `rejudge self-test`. The tests hold on any machine.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::Repo;
use serde_json::Value;

/// The lines of `self-test --json -` with more arguments, and its exit status.
fn tried(args: &[&str]) -> (Vec<Value>, i32) {
    let repo = Repo::new();
    let mut all = vec!["self-test", "--json", "-"];
    all.extend(args);
    let ran = repo.run(&all);
    let lines = ran.stdout.lines().map(serde_json::from_str::<Value>);
    (lines.map(Result::unwrap).collect(), ran.status)
}

/// Whether each check holds.
fn checks(lines: &[Value]) -> BTreeMap<&str, bool> {
    let checks = lines.iter().filter(|line| line["type"] == "check");
    checks.map(|line| (line["check"].as_str().unwrap(), line["holds"] == true)).collect()
}

#[test]
fn a_machine_with_every_protection_is_trusted() {
    let repo = Repo::new();
    let sound = repo.run(&["doctor", "--strict"]).status == 0;
    let (lines, status) = tried(&[]);
    let checks = checks(&lines);
    let last = lines.last().unwrap();
    assert_eq!(last["type"], "summary");
    assert_eq!(last["trusted"], status == 0);
    assert_eq!(last["checks"], checks.len());
    assert!(!sound || status == 0, "{lines:?}");
    // A compiler is needed to test rejudge at all, and a shell is on every machine.
    assert!(checks.len() >= 16, "{checks:?}");
    assert!(checks["output"] && checks["crash"] && checks["cpu-limit"], "{checks:?}");
}

#[test]
fn without_the_sandbox_the_installation_is_not_trusted() {
    let (lines, status) = tried(&["--sandbox", "off"]);
    assert_eq!(status, 1);
    let checks = checks(&lines);
    // Clocks and limits are kept, and so are the verdicts.
    for (check, holds) in checks {
        let is_isolation = ["read", "write", "network", "kill"].contains(&check);
        // It has no group that counts processes, and none that is killed as a whole.
        let is_open = ["process-limit", "left-behind"].contains(&check);
        assert!(is_open || holds != is_isolation, "{check}");
    }
    for line in lines.iter().filter(|line| line["holds"] == false) {
        assert!(line["why"].as_str().unwrap().starts_with("it "), "{line}");
    }
    let repo = Repo::new();
    let ran = repo.run(&["self-test", "--sandbox", "off"]);
    assert!(ran.stdout.contains("this installation cannot be trusted: "));
    assert!(ran.stderr.contains("help: `rejudge doctor` says"), "{}", ran.stderr);
}

#[test]
fn without_any_compiler_the_sandbox_is_tried() {
    let repo = Repo::new();
    let mut command = repo.command(&["self-test", "-v"]);
    let output = command.env("PATH", "/nowhere").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("; no language is installed\n"), "{text}");
    assert!(text.contains(" 14 checks"), "{text}");
    assert!(text.lines().count() == 16, "{text}");
}

#[test]
fn an_interpreter_whose_programs_are_wrong_is_not_trusted() {
    let repo = Repo::new();
    let fake = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 5.2; else echo 1; fi\n";
    repo.file("bin/bash", fake);
    let bin = repo.path("bin");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bin.join("bash"), executable).unwrap();
    let sandbox = tried(&[]).0;
    let is_open = sandbox.iter().any(|line| line["holds"] == false);
    let mut command = repo.command(&["self-test", "--json", "-"]);
    let output = command.env("PATH", bin).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    // The protections are not to blame.
    let help = String::from_utf8(output.stderr).unwrap();
    assert_eq!(help.contains("`rejudge doctor`"), is_open, "{help}");
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find(|line| line.contains("\"bash\""));
    let line: Value = serde_json::from_str(line.unwrap()).unwrap();
    assert_eq!(line["holds"], false, "{line}");
}

#[test]
fn the_settings_of_a_repository_change_nothing() {
    let repo = Repo::new();
    let never = "compile = [\"false\"]\n";
    let languages = ["c", "cpp", "rust"].map(|id| format!("[languages.{id}]\n{never}"));
    repo.file("rejudge.toml", languages.concat());
    let ran = repo.run(&["self-test", "--json", "-"]);
    let line = ran.stdout.lines().find(|line| line.contains("\"c\""));
    let line: Value = serde_json::from_str(line.unwrap()).unwrap();
    assert_eq!(line["holds"], true, "{line}");
}

/// Makes an empty root with the program and its libraries, in a mount namespace of its own, and runs the rest there.
const BARE_ROOT: &str = r#"set -e
root=$1 program=$2 is_mount=$3
shift 3
[ "$is_mount" = no ] || mount --bind "$root" "$root"
mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/tmp"
cp "$program" "$root/bin/rejudge"
for library in $(ldd "$program" | grep -o '/[^ ]*'); do
  mkdir -p "$root${library%/*}"
  cp "$library" "$root$library"
done
: > "$root/dev/null"
mount --bind /dev/null "$root/dev/null"
mount -t proc proc "$root/proc"
exec chroot "$root" /bin/rejudge "$@"
"#;

/// `None`: the caller may not create mount namespaces.
fn in_a_bare_root(is_mount: &str, args: &[&str]) -> Option<std::process::Output> {
    let root = tempfile::tempdir().unwrap();
    let unshared = || {
        let mut command = std::process::Command::new("unshare");
        command.args(["--mount", "--pid", "--fork"]);
        command
    };
    if !unshared().arg("true").status().unwrap().success() {
        return None;
    }
    let mut command = unshared();
    command.args(["sh", "-c", BARE_ROOT, "sh"]).arg(root.path());
    command.args([env!("CARGO_BIN_EXE_rejudge"), is_mount]);
    Some(command.args(args).env_clear().output().unwrap())
}

#[test]
fn after_chroot_the_new_root_is_the_root_of_the_namespaces() {
    if crate::support::lacks("unshare") {
        return;
    }
    for is_mount in ["no", "yes"] {
        let Some(ran) = in_a_bare_root(is_mount, &["doctor"]) else {
            crate::support::skip_even_in_ci("the caller may not create mount namespaces");
            return;
        };
        let said = String::from_utf8_lossy(&ran.stdout);
        for protection in ["mount", "pid", "network"] {
            let held = said.lines().any(|line| {
                line.trim_start().starts_with("ok ")
                    && line.ends_with(&format!("({protection} namespace)"))
            });
            assert!(held, "{protection}: {said}");
        }
        let ran = in_a_bare_root(is_mount, &["self-test"]).unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(ran.status.code(), Some(0), "{is_mount}: {said}");
    }
}
