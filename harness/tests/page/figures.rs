//! The figures of a large page that hold on every machine: sizes, memory, and costs as ratios.

use std::path::Path;

use serde_json::Value;

use super::node;
use super::visit::{Browser, is_missing};

/// The figures that `benches/page.cjs` prints for a run of this size.
fn figures(size: &str) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut node = node().unwrap();
    let ran = node
        .arg(root.join("benches/page.cjs"))
        .args([env!("CARGO_BIN_EXE_rejudge"), "--json", size])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{errors}");
    serde_json::from_slice(&ran.stdout).unwrap()
}

#[test]
#[ignore = "measures for a minute: `.ci/full page` runs it"]
fn a_hundred_thousand_cells_cost_little_more_than_to_inflate_and_parse_them() {
    if is_missing(Browser::Chromium) {
        return;
    }
    let found = figures("50x2000");
    let figure = |name: &str| found[name].as_f64().unwrap();
    // At most 1.5 MB, and little enough that a million cells have at most 12 MB. The figures in the cells are noise.
    assert!(figure("bytes") <= 1.2e6, "{found}");
    assert!(figure("heap") <= f64::from(150 << 20), "{found}");
    // A cell has 24 bytes, and the whole run is in memory only once.
    let memory = found["writing"]["memory"].as_f64().unwrap();
    assert!(memory <= f64::from(48 << 20), "{found}");
    // CPU times, medians of pages that are opened in turn. On an idle machine the page costs 2.2 times as much, and no
    // interaction more than 0.8 times as much.
    let bare = figure("bareCpu");
    assert!(figure("cpu") <= 8.0 * bare, "{found}");
    for (name, cpu) in found["cpus"].as_object().unwrap() {
        assert!(cpu.as_f64().unwrap() <= 4.0 * bare, "{name}: {found}");
    }
}
