//! Packages with a fault in the describing file, which is reported with its place.

use crate::layouts::{Files, SUM};
use crate::support::Repo;

#[test]
fn faults_of_packages_are_reported_with_place_and_fix() {
    const POLYGON: &str = include_str!("../fixtures/layouts/problem.xml");
    let table: [(&str, Files, &str); 12] = [
        (
            "xml",
            &[("problem.xml", "<problem>\n  <judging>\n</problem>")],
            "there/problem.xml:3:1: not valid XML: ",
        ),
        ("no tests", &[("problem.xml", POLYGON)], "rejudge generate"),
        (
            "toml",
            &[("info.toml", "timelimit = 2.0\ntitle = \n"), ("in/a.in", "")],
            "there/info.toml:2:",
        ),
        ("yaml", &[("init.yml", "test_cases: [\n")], "there/init.yml:"),
        (
            "wrong kind",
            &[("init.yml", "test_cases:\n- {in: [], out: a}\n")],
            "there/init.yml:2:8: `in` must be a text, got a list",
        ),
        (
            "way out",
            &[("init.yml", "test_cases:\n- {in: ../../etc/passwd, out: a}\n")],
            "`../../etc/passwd` leads out of the package",
        ),
        (
            "absolute",
            &[("init.yml", "test_cases:\n- {in: /etc/passwd, out: a}\n")],
            "`/etc/passwd` is an absolute path",
        ),
        (
            "later batch",
            &[
                ("init.yml", "test_cases:\n- {batched: [{in: a, out: a}], dependencies: [1]}\n"),
                ("a", ""),
            ],
            "there/init.yml:2:47: batch 1 can only depend on batches before it",
        ),
        (
            "checker",
            &[("init.yml", "checker: mine.py\ntest_cases:\n- {in: a, out: a}\n"), ("a", "")],
            "there/init.yml:1:10: `checker`: the file `mine.py` does not exist",
        ),
        (
            "subtask",
            &[("task.yaml", "n_input: 1\n"), ("gen/GEN", "#ST: many\n")],
            "there/gen/GEN:1:1: `#ST:` needs a number of points",
        ),
        ("hydro", &[("config.yaml", "time: soon\ncases: []\n")], "invalid `time`: `soon`"),
        (
            "cph",
            &[(".cph/.sum.rs_0.prob", "{\n\"name\": 1}")],
            "0.prob:2:9: invalid type: integer `1`, expected a string",
        ),
    ];
    for (what, files, message) in table {
        let repo = Repo::new();
        for (path, text) in files {
            repo.file(&format!("there/{path}"), text);
        }
        repo.file("there/sum.rs", SUM);
        let ran = repo.run(&["run", "there/sum.rs"]);
        assert!(ran.stderr.contains(message), "{what}: {}", ran.all());
        assert_eq!(ran.status, 2, "{what}: {}", ran.all());
    }
    // With `--checker`, an unsupported checker of the package is not an error.
    let repo = Repo::new();
    repo.file("there/init.yml", "checker: mine.py\ntest_cases:\n- {in: a, out: b}\n")
        .file("there/a", "1 2\n")
        .file("there/b", "3\n")
        .file("there/sum.rs", SUM);
    assert_eq!(repo.run(&["run", "there", "--checker", "tokens"]).status, 0);
}

#[test]
fn what_hydro_does_with_other_keys_is_not_ignored_in_silence() {
    let repo = Repo::new();
    repo.file(
        "there/config.yaml",
        "tmie: 1s\nmulti_pass: 2\ntime_limit_rate: {py: 2}\ncases: []\n",
    )
    .file("there/sum.rs", SUM);
    let ran = repo.run(&["run", "there/sum.rs"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    for message in [
        "there/config.yaml:1:7: `tmie` is not a key of Hydro; it is ignored\nhelp: did you mean `time`?",
        "`multi_pass` is not supported in this layout",
        "`time_limit_rate` is not supported; it is ignored",
    ] {
        assert!(ran.stderr.contains(message), "{message}: {}", ran.all());
    }
}
