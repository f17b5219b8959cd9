//! Opens pages in a browser.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{folder, is_skipped, node};
use crate::support::Repo;

/// What the browser found in each step of a plan; `None` if the test is skipped.
pub(super) fn visit(repo: &Repo, steps: &[Value]) -> Option<Vec<Value>> {
    let chromium = Path::new("/usr/bin/chromium").exists();
    if is_skipped("chromium", chromium) || is_skipped("node", node().is_some()) {
        return None;
    }
    let mut modules = node().unwrap();
    let modules = modules.args([
        "-e",
        "require('playwright-core'); require.resolve('axe-core')",
    ]);
    let modules = modules.output().unwrap().status.success();
    if is_skipped("the node modules playwright-core and axe-core", modules) {
        return None;
    }
    repo.file("plan.json", json!({ "steps": steps }).to_string());
    let mut node: Command = node().unwrap();
    let ran = node
        .arg(folder().join("browser.cjs"))
        .arg(repo.path("plan.json"));
    let ran = ran.current_dir(repo.path("")).output().unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{errors}");
    Some(serde_json::from_slice(&ran.stdout).unwrap())
}

/// No error, no request, no violation of accessibility rules, no sideways scroll.
pub(super) fn assert_sound(found: &[Value], steps: &[Value]) {
    for (found, step) in found.iter().zip(steps) {
        for key in ["errors", "requests", "violations"] {
            assert_eq!(found[key], json!([]), "{key} of {step}");
        }
        assert_eq!(found["scrolls_sideways"], false, "{step}");
    }
}
