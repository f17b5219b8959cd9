//! Opens pages in a browser.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{folder, is_skipped, node};
use crate::support::Repo;

/// A browser of Debian, and the node module that controls it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Browser {
    Chromium,
    Firefox,
}

impl Browser {
    pub(super) const ALL: [Self; 2] = [Self::Chromium, Self::Firefox];

    /// Its name in a plan, its program, and the module.
    fn names(self) -> [&'static str; 3] {
        match self {
            Self::Chromium => ["chromium", "/usr/bin/chromium", "playwright-core"],
            Self::Firefox => ["firefox", "/usr/bin/firefox-esr", "puppeteer-core"],
        }
    }
}

/// What chromium found in each step of a plan; `None` if the test is skipped.
pub(super) fn visit(repo: &Repo, steps: &[Value]) -> Option<Vec<Value>> {
    visit_with(Browser::Chromium, repo, steps)
}

/// What the browser found in each step of a plan; `None` if the test is skipped.
pub(super) fn visit_with(browser: Browser, repo: &Repo, steps: &[Value]) -> Option<Vec<Value>> {
    if is_missing(browser) {
        return None;
    }
    let [name, ..] = browser.names();
    let plan = json!({ "browser": name, "steps": steps });
    repo.file("plan.json", plan.to_string());
    let mut node: Command = node().unwrap();
    let ran = node.arg(folder().join("browser.cjs")).arg(repo.path("plan.json"));
    let ran = ran.current_dir(repo.path("")).output().unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{errors}");
    Some(serde_json::from_slice(&ran.stdout).unwrap())
}

/// Whether tests with this browser are skipped.
pub(super) fn is_missing(browser: Browser) -> bool {
    let [_, program, module] = browser.names();
    if is_skipped(program, Path::new(program).exists()) || is_skipped("node", node().is_some()) {
        return true;
    }
    [module, "axe-core"].iter().any(|module| {
        let mut node = node().unwrap();
        let finds = node.args(["-e", "require.resolve(process.argv[1])", module]);
        let finds = finds.output().unwrap().status.success();
        is_skipped(&format!("the node module {module}"), finds)
    })
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
