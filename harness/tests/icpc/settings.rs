//! The settings of groups and cases.

use crate::icpc::{ACCEPTED, V2025, package};

/// Prints its arguments and the files in its working folder.
const LOOK: &str =
    "echo \"$*\"\nfor file in *; do test -f \"$file\" && cat \"$file\"; done; exit 0\n";

#[test]
fn settings_come_from_the_case_otherwise_from_its_group_key_by_key() {
    let repo = package(
        V2025,
        &[
            (
                "data/secret/test_group.yaml",
                "args: [all]\noutput_validator_args: [case_sensitive]\n",
            ),
            ("data/secret/a/test_group.yaml", "args: [group, two words]\n"),
            ("data/secret/a/1.in", ""),
            ("data/secret/a/1.ans", "group two words\n"),
            ("data/secret/a/2.in", ""),
            ("data/secret/a/2.ans", "own\nfrom a file\n"),
            (
                "data/secret/a/2.yaml",
                "args: [own]\nhint: look\ndescription: d\nfull_feedback: true\n",
            ),
            ("data/secret/a/2.files/note.txt", "from a file\n"),
            ("data/secret/b/1.in", ""),
            ("data/secret/b/1.ans", "ALL\n"),
            ("data/secret/b/2.in", ""),
            ("data/secret/b/2.ans", "ALL\n"),
            ("data/secret/b/2.yaml", "output_validator_args: []\n"),
            ("submissions/mixed/look.sh", LOOK),
            (
                "submissions/submissions.yaml",
                "mixed:\n  secret/{a,b/2}: {permitted: [AC]}\n  secret/b/1: {permitted: [WA]}\n",
            ),
        ],
    );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    // The program gets a copy: its changes are gone in the next run.
    repo.file("p/submissions/mixed/look.sh", format!("{LOOK}\nrm -f *\n"));
    assert_eq!(repo.judge_package().status, 0);
    assert_eq!(repo.read("p/data/secret/a/2.files/note.txt"), "from a file\n");
}

#[test]
fn legacy_settings_are_inherited_key_by_key_too() {
    let repo = package(
        "name: P\n",
        &[
            ("data/testdata.yaml", "output_validator_flags: case_sensitive\n"),
            ("data/secret/a/testdata.yaml", "input_validator_flags: --large\n"),
            ("data/secret/a/b/1.in", ""),
            ("data/secret/a/b/1.ans", "X\n"),
            (
                "data/secret/c/testdata.yaml",
                "output_validator_flags: {name: default, flags: float_tolerance 1}\n",
            ),
            ("data/secret/c/1.in", ""),
            ("data/secret/c/1.ans", "x\n"),
            ("submissions/mixed/x.sh", "echo x"),
            (
                "submissions/submissions.yaml",
                "mixed:\n  secret/a: {permitted: [WA]}\n  secret/c: {permitted: [AC]}\n",
            ),
        ],
    );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn invalid_settings_are_reported_with_their_line() {
    let table = [
        (
            "data/secret/test_group.yaml",
            "args: {a: b}\n",
            ":1:7: `args` must be a text or a list of texts, got a table",
        ),
        (
            "data/secret/1.yaml",
            "args: [[x]]\n",
            ":1:8: `args` must be a text or a list of texts, got a list",
        ),
        ("data/secret/1.yaml", "- x\n", ":1:1: expected a table of keys, got a list"),
        (
            "data/secret/1.yaml",
            "output_validator_args: [fast]\n",
            ":1:24: `output_validator_args`: unknown flag `fast`",
        ),
        (
            "data/secret/1.yaml",
            "arg: [x]\n",
            ":1:1: unknown key `arg`; it is ignored\nhelp: did you mean `args`?",
        ),
        ("data/secret/1.yaml", "max_score: 3\n", ":1:1: unknown key `max_score`; it is ignored"),
        (
            "data/secret/a/b/test_group.yaml",
            "args: []\n",
            " is nested too deeply\nhelp: a group is a folder directly in `data/secret/`; move its settings up",
        ),
    ];
    for (path, text, expected) in table {
        let repo = package(V2025, &[("data/secret/1.in", ""), ("data/secret/1.ans", "")]);
        repo.file("p/submissions/accepted/a.sh", "exit 0\n");
        repo.file(&format!("p/{path}"), text);
        let ran = repo.judge_package();
        assert!(ran.stderr.contains(&format!("p/{path}{expected}")), "{}", ran.all());
        let is_warning = ["is ignored", "too deeply"].iter().any(|words| expected.contains(words));
        assert_eq!(ran.status, if is_warning { 0 } else { 2 }, "{}", ran.all());
    }
}

#[test]
fn a_draft_with_testdata_is_graded_as_the_legacy_format() {
    let yaml = "problem_format_version: 2023-07-draft\ntype: scoring\nname: {en: P}\nlimits: {time_limit: 1}\n";
    let group = |score: u32| {
        format!("on_reject: break\naccept_score: {score}\nrange: 0 {score}\ngrader_flags: min\n")
    };
    let repo = package(
        yaml,
        &[
            (
                "data/testdata.yaml",
                "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
            ),
            (
                "data/secret/testdata.yaml",
                "on_reject: continue\nrange: 0 100\ngrader_flags: first_error accept_if_any_accepted\n",
            ),
            ("data/secret/one/testdata.yaml", &group(30)),
            ("data/secret/one/1.in", "3\n"),
            ("data/secret/one/1.ans", "3\n"),
            ("data/secret/two/testdata.yaml", &group(70)),
            ("data/secret/two/1.in", "4\n"),
            ("data/secret/two/1.ans", "4\n"),
        ],
    );
    repo.file("p/submissions/accepted/all.sh", "cat\n")
        .file("p/submissions/partially_accepted/one.sh", "echo 3\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    for points in ["100 of 100 points", "30 of 100 points"] {
        assert!(ran.stdout.contains(points), "{points}\n{}", ran.all());
    }
}

#[test]
fn a_constant_without_a_value_is_a_warning() {
    let repo = package(&format!("{V2025}constants: {{three: {{word: 'three'}}}}\n"), &ACCEPTED);
    repo.file("p/submissions/accepted/a.sh", "echo 3\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    let warning = "warning: p/problem.yaml:4:20: `constants.three` has no `value`: `{{three}}` is not replaced\n";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
}

#[test]
fn a_constant_may_have_variants() {
    let repo = package(
        &format!("{V2025}constants: {{three: {{value: 3, word: 'three times'}}, four: 4.0}}\n"),
        &[("data/secret/1.in", ""), ("data/secret/1.ans", "3 three times 4.0\n")],
    );
    repo.file("p/submissions/accepted/a.sh", "echo 3 three times 4.0\n");
    repo.file(
        "p/output_validator/check.sh",
        "read line\n[ \"$line\" = '{{three}} {{three.word}} {{four}}' ] && exit 42\nexit 43\n",
    );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn what_only_the_other_version_of_the_format_has_is_ignored_and_named() {
    const REJECTS: &str = "exit 43\n";
    let legacy = "problem_format_version: legacy\nname: P\nlimits: {time_limit: 2}\n";
    let validated =
        format!("{V2025}validation: custom interactive\nvalidator_flags: float_tolerance 1\n");
    let margins = format!("{V2025}grading: {{objective: min}}\nauthor: A\n");
    // The version, a file and its text, an answer, and a part of the warning. The output is `7`.
    let table = [
        (
            V2025,
            "output_validators/v.sh",
            REJECTS,
            "7",
            "`output_validators/` is of the legacy format and ignored: p/problem.yaml is 2025-09\nhelp: use `output_validator/`, or write `problem_format_version: legacy`",
        ),
        (
            legacy,
            "output_validator/v.sh",
            REJECTS,
            "7",
            "`output_validator/` is of the 2025-09 format and ignored: p/problem.yaml is legacy\nhelp: use `output_validators/`, or write",
        ),
        (
            "name: P\nlimits: {time_limit: 2}\n",
            "output_validator/v.sh",
            REJECTS,
            "7",
            "`output_validator/` is of the 2025-09 format",
        ),
        (
            V2025,
            "data/secret/testdata.yaml",
            "output_validator_flags: float_tolerance 1\n",
            "8",
            "`data/secret/testdata.yaml` is of the legacy format",
        ),
        (
            legacy,
            "data/secret/test_group.yaml",
            "output_validator_args: [float_tolerance, '1']\n",
            "8",
            "help: use `testdata.yaml`",
        ),
        (
            V2025,
            "data/secret/test_group.yaml",
            "output_validator_flags: float_tolerance 1\ngrading: custom\n",
            "8",
            "`data/secret/test_group.yaml: output_validator_flags` and `data/secret/test_group.yaml: grading` are of the legacy format",
        ),
        (
            legacy,
            "data/secret/testdata.yaml",
            "output_validator_args: [float_tolerance, '1']\n",
            "8",
            "use `output_validator_flags`",
        ),
        (
            legacy,
            "data/secret/1.yaml",
            "output_validator_args: [float_tolerance, '1']\n",
            "8",
            "`data/secret/1.yaml` is of the 2025-09 format",
        ),
        (
            &validated,
            "data/secret/1.in",
            "",
            "8",
            "`validation` and `validator_flags` are of the legacy format and ignored: p/problem.yaml is 2025-09\nhelp: use `type`, `output_validator_args` in `data/test_group.yaml`, or",
        ),
        (&margins, "graders/g.sh", "", "8", "`grading`, `author` and `graders/` are of"),
    ];
    for (yaml, file, text, answer, warning) in table {
        let repo = package(
            yaml,
            &[
                ("data/secret/1.in", ""),
                ("data/secret/1.ans", answer),
                (file, text),
                ("submissions/mixed/x.sh", "echo 7\n"),
            ],
        );
        let ran = repo.run(&["run", "p"]);
        let verdict = if answer == "7" { "AC" } else { "WA" };
        assert!(ran.stdout.contains(verdict), "{file}: {}", ran.all());
        assert!(ran.stderr.contains(warning), "{file}: {}", ran.all());
        assert_eq!(ran.stderr.matches("warning").count(), 1, "{file}: {}", ran.all());
        let verified = repo.run(&["verify", "p"]);
        let first = warning.lines().next().unwrap();
        assert!(verified.all().contains(first), "{file}: {}", verified.all());
    }
}

#[test]
fn drafts_and_packages_for_domjudge_have_the_names_of_both_versions() {
    for (yaml, more) in [
        ("problem_format_version: 2023-07-draft\nname: P\nlimits: {time_limit: 2}\n", "README"),
        ("name: P\nlimits: {time_limit: 2}\n", "domjudge-problem.ini"),
    ] {
        for folder in ["output_validator", "output_validators"] {
            let repo = package(
                yaml,
                &[
                    ("data/secret/1.in", ""),
                    ("data/secret/1.ans", "7\n"),
                    (more, ""),
                    (&format!("{folder}/v.sh"), "exit 43\n"),
                    ("submissions/mixed/x.sh", "echo 7\n"),
                ],
            );
            let ran = repo.run(&["run", "p"]);
            assert!(ran.stdout.contains("WA"), "{folder} {more}: {}", ran.all());
            assert!(!ran.stderr.contains("ignored"), "{folder} {more}: {}", ran.all());
        }
    }
}

/// `DOMjudge` has examples of such packages, without a file of its own.
#[test]
fn a_custom_validator_is_found_under_the_name_of_the_other_version() {
    let yaml = "name: P\nlimits: {time_limit: 2}\nvalidation: custom\n";
    for (code, verdict) in [("42", "AC"), ("43", "WA")] {
        let repo = package(
            yaml,
            &[
                ("data/secret/1.in", ""),
                ("data/secret/1.ans", "7\n"),
                ("output_validator/v.sh", &format!("exit {code}\n")),
                ("submissions/mixed/x.sh", "echo 8\n"),
            ],
        );
        let ran = repo.run(&["run", "p"]);
        assert!(ran.stdout.contains(verdict), "{code}: {}", ran.all());
        let warning = "warning: p/output_validator is read as in DOMjudge; problemtools ignores it";
        assert!(ran.stderr.contains(warning), "{}", ran.all());
        assert_eq!(ran.stderr.matches("warning").count(), 1, "{}", ran.all());
    }
}

#[test]
fn folders_like_files_and_cases_like_settings_are_named() {
    let repo = package(
        V2025,
        &[
            ("data/secret/1.in/note.txt", ""),
            ("data/secret/1.ans", "1\n"),
            ("data/secret/2.in", "1\n"),
            ("data/secret/2.ans", "1\n"),
        ],
    );
    let ran = repo.run(&["run", "p"]);
    let named = "p/data/secret/1.in is a folder, although it has the name of a file of a case";
    assert!(ran.stderr.contains(named), "{}", ran.all());
    let repo = package(
        V2025,
        &[
            ("data/secret/test_group.in", "1\n"),
            ("data/secret/test_group.ans", "1\n"),
            ("data/secret/2.in", "1\n"),
            ("data/secret/2.ans", "1\n"),
        ],
    );
    let ran = repo.run(&["run", "p"]);
    let named = "p/data/secret/test_group.in has a name that no case may have";
    assert!(ran.stderr.contains(named), "{}", ran.all());
}
