//! Points of 2025-09: groups, cases outside groups, and cases that are not run.

use crate::scoring::{GROUP_CASES, GROUPS, V2025, echo_but, figures, package};

#[test]
fn the_points_of_all_groups_sum_to_a_hundred() {
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    let table = [
        ("none", "AC   6/6 accepted, 100 of 100 points (secret/a 30 of 30, secret/b 70 of 70)"),
        (
            "secret/b/2",
            "WA   5/6 accepted, 76.666667 of 100 points (secret/a 30 of 30, secret/b 46.666667 of 70)",
        ),
        // A group is not run if a group that it requires failed.
        ("secret/a/2", "WA   2/6 accepted, 0 of 100 points (secret/a 0 of 30, secret/b 0 of 70)"),
        ("sample/1", "WA   2/6 accepted, 30 of 100 points (secret/a 30 of 30, secret/b 0 of 70)"),
    ];
    for (hard, expected) in table {
        assert_eq!(figures(&repo, &echo_but(hard)), expected, "{hard}");
    }
    repo.file("p/data/secret/b/test_group.yaml", "max_score: 70\nscore_aggregation: min\n");
    let found = figures(&repo, &echo_but("secret/b/2"));
    assert!(found.contains("30 of 100 points (secret/a 30 of 30, secret/b 0 of 70)"), "{found}");
    repo.file("p/data/secret/test_group.yaml", "score_aggregation: min\n");
    let found = figures(&repo, &echo_but("none"));
    assert!(found.contains("30 of 100 points"), "{found}");
    let all = "score_aggregation: pass-fail\nmax_score: 9\n";
    repo.file("p/data/secret/test_group.yaml", all);
    repo.file("p/data/secret/b/test_group.yaml", "max_score: 70\n");
    assert!(figures(&repo, &echo_but("none")).contains("9 of 9 points"));
    assert!(figures(&repo, &echo_but("secret/b/1")).contains("0 of 9 points"));
}

#[test]
fn cases_without_groups_share_the_points_of_secret() {
    let repo = package(V2025, &[], &["secret/1", "secret/2", "secret/3", "secret/4"]);
    assert_eq!(figures(&repo, &echo_but("secret/3")), "WA   3/4 accepted, 75 of 100 points");
    // A run on only some of the cases has no score.
    let ran = repo.run(&["run", "p", "-v", "--case", "secret/1"]);
    assert!(ran.stdout.contains("1/1 accepted"), "{}", ran.all());
    assert!(!ran.stdout.contains("points"), "{}", ran.all());
}

#[test]
fn a_case_that_is_not_run_has_a_reason() {
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    repo.file("p/submissions/any/s.sh", echo_but("secret/a/1"));
    repo.file("p/submissions/submissions.yaml", "any: {permitted: [AC, WA]}\n");
    let ran = repo.run(&["run", "p", "--json", "-", "--junit", "report.xml"]);
    assert_eq!(ran.status, 0);
    let lines: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let case = |name: &str| lines.iter().find(|line| line["case"] == name).unwrap();
    assert_eq!(case("secret/b/1")["verdict"], "SKIP");
    assert_eq!(case("secret/b/1")["feedback"], "its group requires `secret/a`, which did not pass");
    let report = lines.iter().find(|line| line["type"] == "submission").unwrap();
    assert_eq!((&report["score"], &report["max_score"]), (&0.0.into(), &100.0.into()));
    assert_eq!(report["groups"][0]["group"], "secret/a");
    assert_eq!(report["groups"][1]["max_score"], 70.0);
    let xml = repo.read("report.xml");
    assert!(xml.contains("<skipped message=\"its group requires"), "{xml}");
    assert!(xml.contains("name=\"score\" value=\"0\""), "{xml}");
}
