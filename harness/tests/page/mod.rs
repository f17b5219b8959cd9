//! The pages in HTML: their script's functions under node, and whole pages in a browser.
//!
//! Without node, chromium, firefox-esr and the node modules `playwright-core`, `puppeteer-core` and `axe-core`, tests that
//! need them are skipped, loudly, except in CI, which installs them.

mod browser;
mod commands;
mod figures;
mod history;
mod paper;
mod text;
mod visit;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder of this module.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page")
}

/// Whether tests that need `what` cannot run, which they then report. In CI that is an error.
fn is_skipped(what: &str, is_present: bool) -> bool {
    if !is_present {
        assert!(std::env::var_os("CI").is_none(), "CI must install {what}");
        eprintln!("SKIPPED: this test needs {what}, which is not installed");
    }
    !is_present
}

/// `node`, if it is installed.
fn node() -> Option<Command> {
    // The modules are outside of the checkout. npm takes a quarter of a second to name their folder.
    static MODULES: OnceLock<Option<String>> = OnceLock::new();
    let works = Command::new("node").arg("--version").output().is_ok();
    let mut node = Command::new("node");
    let modules = MODULES.get_or_init(|| {
        let root = Command::new("npm").args(["root", "--global"]).output();
        let root = String::from_utf8(root.ok()?.stdout).unwrap();
        std::env::var_os("NODE_PATH").is_none().then(|| root.trim().to_owned())
    });
    if let Some(modules) = modules {
        node.env("NODE_PATH", modules);
    }
    works.then_some(node)
}

#[test]
fn the_functions_of_the_script_pass_their_own_tests() {
    let node = node();
    if is_skipped("node", node.is_some()) {
        return;
    }
    let mut node = node.unwrap();
    let ran = node.arg("--test").arg(folder().join("functions.cjs")).output().unwrap();
    let shown = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{shown}");
    // An empty test file would pass.
    assert!(shown.contains("the figures of an index are read back"), "{shown}");
}
