//! Scores from output validators.

use crate::scoring::{OBEY, V2025, package};

#[test]
fn validators_give_scores_within_their_bounds() {
    let unbounded = "max_score: unbounded\n";
    // The settings of `secret`, the validator's instructions for two cases, and the expected
    // result.
    let table = [
        ("", "accept score.txt 20", "accept", "70 of 100 points"),
        (
            "",
            "accept score_multiplier.txt 0.5",
            "accept score_multiplier.txt 1",
            "75 of 100 points",
        ),
        (unbounded, "accept score.txt 1e3", "accept score.txt 0.25", "1000.25 points"),
        (unbounded, "reject", "accept score.txt 7", "7 points"),
        ("score_aggregation: min\n", "accept score.txt 99", "accept", "99 of 100 points"),
        ("", "accept score.txt 50.5", "accept", "not judged"),
        ("", "reject score.txt 0", "accept", "not judged"),
        ("", "accept score.txt 1 score_multiplier.txt 1", "accept", "not judged"),
        (unbounded, "accept", "accept score.txt 1", "not judged"),
        ("score_aggregation: pass-fail\n", "accept score.txt 1", "accept", "not judged"),
    ];
    for (settings, first, second, expected) in table {
        let repo = package(V2025, &[("output_validator/obey.sh", OBEY)], &["secret/1", "secret/2"]);
        repo.file("p/data/secret/test_group.yaml", settings);
        // The score of a sample is ignored, even an invalid one.
        repo.file("p/data/sample/1.in", "").file("p/data/sample/1.ans", "accept score.txt 5\n");
        repo.file("p/data/secret/1.ans", format!("{first}\n"));
        repo.file("p/data/secret/2.ans", format!("{second}\n"));
        repo.file("p/submissions/any/s.sh", "echo\n");
        repo.file("p/submissions/submissions.yaml", "any: {permitted: [AC, WA]}\n");
        let ran = repo.judge_package();
        if expected == "not judged" {
            assert_eq!(ran.status, 2, "{first} {second}\n{}", ran.all());
            assert!(
                ran.stdout.contains("secret/1  JE  the output validator has a fault: it wrote")
                    || ran
                        .stdout
                        .contains("JE  the output validator has a fault: score.txt contains"),
                "{}",
                ran.all()
            );
        } else {
            assert_eq!(ran.status, 0, "{first} {second}\n{}", ran.all());
            assert!(
                ran.stdout.contains(&format!("accepted, {expected}")),
                "{expected}\n{}",
                ran.all()
            );
        }
    }
}
