//! Cases as the tools of contestants store them: each source has its own.

use crate::layouts::{LayoutFixture, SUM, THREE, fixture, judged};
use crate::support::Repo;

/// Cases that belong to a source in the same folder.
pub(crate) const TOOLS: [LayoutFixture; 4] = [
    fixture(
        "cpbooster",
        &[("sum.in1", "1 2\n"), ("sum.ans1", "3\n"), ("sum.in2", "5 7\n"), ("sum.ans2", "12\n")],
        &["1", "2"],
    ),
    fixture(
        "competitest",
        &[
            ("sum_input0.txt", "1 2\n"),
            ("sum_output0.txt", "3\n"),
            ("sum_input1.txt", "5 7\n"),
            ("sum_output1.txt", "12\n"),
        ],
        &["0", "1"],
    ),
    fixture(
        "cp-editor",
        &[
            ("sum_1.in", "1 2\n"),
            ("sum_1.ans", "3\n"),
            ("sum_2.in", "5 7\n"),
            ("sum_2.ans", "12\n"),
            ("other.rs", "fn main() {}\n"),
            ("other_1.in", "0\n"),
            ("other_1.ans", "\n"),
        ],
        &["1", "2"],
    ),
    fixture(
        "cph",
        &[(
            ".cph/.sum.rs_0123456789abcdef0123456789abcdef.prob",
            "{\"name\": \"A. Sum\", \"url\": \"https://example.org/a\", \"interactive\": false,
              \"memoryLimit\": 256, \"timeLimit\": 1500, \"group\": \"Example - Round 1\",
              \"tests\": [{\"id\": 1, \"input\": \"1 2\\n\", \"output\": \"3\\n\"},
                          {\"id\": 2, \"input\": \"5 7\\n\", \"output\": \"12\\n\"}],
              \"testType\": \"single\", \"srcPath\": \"/elsewhere/sum.rs\", \"local\": false}",
        )],
        &["1", "2"],
    ),
];

#[test]
fn cargo_competes_sources_have_their_own_cases() {
    let repo = Repo::new();
    let cases = "---\ntype: Batch\ntimelimit: 2s\nmatch: Lines\n\ncases:\n  - name: sample1\n    in: |\n      \
                 1 2\n    out: |\n      3\n  - name: sample2\n    in: |\n      5 7\n    out: |\n      12\n\n\
                 extend: []\n";
    repo.file("there/Cargo.toml", "[package]\nname = \"abc001\"\n")
        .file("there/testcases/a.yml", cases)
        .file("there/testcases/b.yml", cases)
        .file("there/src/bin/a.rs", SUM)
        .file("there/src/bin/b.rs", THREE);
    let ran = repo.run(&["run", "-vv", "there/src/bin/a.rs"]);
    let names: Vec<&str> = judged(&ran.stdout).iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["sample1", "sample2"], "{}", ran.all());
    assert_eq!(ran.status, 0);
    let ran = repo.run(&["run", "-v", "there"]);
    assert!(ran.stdout.contains("ok    there/src/bin/a.rs  AC"), "{}", ran.all());
    assert!(ran.stdout.contains("there/src/bin/b.rs: got WA"), "{}", ran.all());
    assert_eq!(ran.status, 1);
}
