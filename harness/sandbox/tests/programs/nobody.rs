//! The whole suite again as a user who is not root, in a process of its own: where root has namespaces and control
//! groups for the asking, a user has what the machine lets users have.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::back_ends::PROMISED;
use crate::fixture::programs;
use crate::shape::AS_NOBODY;
use crate::support::once_written;

/// The user and the group that own nothing.
const NOBODY: u32 = 65534;

#[test]
#[ignore = "runs all tests of the sandbox again: `.ci/run` runs it"]
fn the_suite_holds_for_a_user_who_is_not_root() {
    let root = rustix::process::geteuid().is_root();
    let Some(programs) = programs().filter(|_| root) else {
        return;
    };
    // Where the tests were built nobody else may be able to look.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let suite = folder.path().join("suite");
    fs::copy(std::env::current_exe().unwrap(), &suite).unwrap();
    let mut command = Command::new(suite);
    command
        // The tests wait more than they compute.
        .args(["--skip", "nobody::", "--test-threads", "4"])
        .current_dir("/")
        .env(AS_NOBODY, "1")
        .env("REJUDGE_TEST_PROGRAMS", programs)
        .env_remove(PROMISED)
        .env_remove("XDG_RUNTIME_DIR")
        .uid(NOBODY)
        .gid(NOBODY);
    let output = once_written(|| command.output()).unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "as nobody:\n{said}\n{errors}");
    assert!(said.contains("test result: ok"), "{said}");
}
