//! The tests of builds again, as a user other than root.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::support::once_written;

/// The user and the group `nobody`.
const NOBODY: u32 = 65534;

#[test]
fn builds_change_nothing_for_a_user_other_than_root() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // Other users may have no access to the folder of the test binaries.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let suite = folder.path().join("suite");
    fs::copy(std::env::current_exe().unwrap(), &suite).unwrap();
    let mut command = Command::new(suite);
    command
        .args(["builds::", "--nocapture"])
        .current_dir("/")
        .env_remove("XDG_RUNTIME_DIR")
        .uid(NOBODY)
        .gid(NOBODY);
    let output = once_written(|| command.output()).unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "as nobody:\n{printed}\n{errors}");
    assert!(printed.contains("1 passed"), "{printed}");
}
