//! Multi-pass problems: the requests of validators for further passes, and their results.

use crate::support::Repo;

/// A validator that counts its passes in the feedback folder, checks that its input is that of the pass, and requests
/// the next pass until there were three.
const THREE: &str = "pass=1
if [ -e \"$3count\" ]; then pass=$(( $(cat \"$3count\") + 1 )); fi
echo $pass > \"$3count\"
[ \"$(cat \"$1\")\" = \"in $pass\" ] || exit 7
[ \"$(cat)\" = \"out $pass\" ] || { echo \"not out $pass\" > \"$3judgemessage.txt\"; exit 43; }
if [ $pass -lt 3 ]; then echo \"in $((pass + 1))\" > \"$3nextpass.in\"; fi
exit 42
";

/// A correct solution.
const GOOD: &str = "read in pass; echo out $pass";

/// The verdict and reason for a validator and a solution.
fn judged(kind: &str, limits: &str, validator: &str, solution: &str) -> String {
    let repo = Repo::new();
    let yaml = format!("name: x\ntype: {kind}\nlimits:\n  time_limit: 0.3\n{limits}");
    repo.problem("p", &yaml, &[("secret/1", "in 1\n", "in 1\n")]);
    repo.file("cases/p/output_validator/check.sh", validator);
    repo.file("solutions/p/x.sh", solution);
    let found = repo.verdicts(&["--wall-limit", "60"]);
    assert_eq!(found.len(), 1);
    found[0].replace("p/x.sh secret/1 ", "")
}

#[test]
fn every_end_of_a_pass_has_its_verdict() {
    let three = "  validation_passes: 3\n";
    let rejects = "echo in 2 > \"$3nextpass.in\"; exit 43";
    let folder = "mkdir \"$3nextpass.in\"; exit 42";
    let link = "ln -s /etc/passwd \"$3nextpass.in\"; exit 42";
    let crashes = "echo in 2 > \"$3nextpass.in\"; exit 1";
    let too_many = "JE pass 2: the output validator requests more than 2 passes";
    for (limits, validator, solution, expected) in [
        (three, THREE, GOOD, "AC"),
        ("", "exit 42", GOOD, "AC"),
        ("", THREE, GOOD, too_many),
        (three, THREE, "read in pass; echo out $((pass % 2))", "WA pass 2: not out 2"),
        (three, THREE, "echo out 2", "WA not out 1"),
        (
            three,
            THREE,
            "read in pass; [ $pass = 3 ] && exit 5; echo out $pass",
            "RTE pass 3: exit code 5",
        ),
        ("", rejects, GOOD, "JE the output validator requests another pass but rejects this one"),
        (
            "",
            folder,
            GOOD,
            "JE the output validator requests an invalid next pass: `nextpass.in` is not a regular file",
        ),
        (
            "",
            link,
            GOOD,
            "JE the output validator requests an invalid next pass: `nextpass.in` is not a regular file",
        ),
        (
            "",
            crashes,
            GOOD,
            "JE the output validator exited with 1, not with 42 (accept) or 43 (reject)",
        ),
    ] {
        let found = judged("multi-pass", limits, validator, solution);
        assert_eq!(found, expected, "{validator}\n{solution}");
    }
}

#[test]
fn limits_apply_to_each_pass_and_not_to_their_sum() {
    let slow_once = "read in pass; [ $pass = 2 ] && while :; do :; done; echo out $pass";
    let found = judged("multi-pass", "  validation_passes: 3\n", THREE, slow_once);
    assert!(found.starts_with("TLE pass 2: CPU time "), "{found}");
}

#[test]
fn a_request_for_another_pass_is_ignored_in_a_single_pass_problem() {
    let asks = "echo in 2 > \"$3nextpass.in\"; exit 42";
    assert_eq!(judged("pass-fail", "", asks, GOOD), "AC");
}

#[test]
fn an_interactive_problem_can_have_passes() {
    let talks = "read in pass < \"$1\"
echo $pass; read answer
[ \"$answer\" = $((pass * 2)) ] || { echo \"got $answer\" > \"$3judgemessage.txt\"; exit 43; }
if [ $pass = 1 ]; then echo in 2 > \"$3nextpass.in\"; fi
exit 42
";
    let kind = "[interactive, multi-pass]";
    let right = "read n; echo $((n * 2))";
    assert_eq!(judged(kind, "", talks, right), "AC");
    let wrong = "read n; echo 2";
    assert_eq!(judged(kind, "", talks, wrong), "WA pass 2: got 2");
    let crashes = "read n; [ $n = 2 ] && exit 3; echo 2";
    assert_eq!(judged(kind, "", talks, crashes), "RTE pass 2: exit code 3");
    // The solution failed, so the request does not count.
    let late = "read n; echo $((n * 2)); read n; exit 4";
    assert_eq!(judged(kind, "", talks, late), "RTE exit code 4");
}

#[test]
fn the_output_of_every_pass_is_kept_and_the_slowest_counts() {
    let repo = Repo::new();
    repo.problem(
        "p",
        "name: x\ntype: multi-pass\nlimits:\n  validation_passes: 3\n",
        &[("secret/1", "in 1\n", "in 1\n")],
    );
    repo.file("cases/p/output_validator/check.sh", THREE);
    let busy = "read in pass
if [ $pass = 2 ]; then i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; echo busy >&2; fi
echo out $pass";
    repo.file("solutions/p/x.sh", busy);
    let output = repo.command(&["run", "--json", "-", "--keep", "kept"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for (name, out) in [("1", "out 1\n"), ("1.pass2", "out 2\n"), ("1.pass3", "out 3\n")] {
        let path = format!("kept/solutions/p/x.sh/secret/{name}.out");
        assert_eq!(repo.read(&path), out);
    }
    let line = text.lines().find(|line| line.contains("\"case\",")).unwrap();
    let case: serde_json::Value = serde_json::from_str(line).unwrap();
    // 200,000 iterations of the shell; the other passes take a few milliseconds.
    assert!(case["cpu_ms"].as_f64().unwrap() > 25.0, "{case}");
    assert_eq!(case["output_bytes"], 6, "{case}");
}
