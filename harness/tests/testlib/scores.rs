//! Points and partly correct answers, which are scores if the problem has scores.

use crate::support::{Repo, lacks};
use crate::testlib::HEADER;

#[test]
fn points_are_scores_if_the_problem_has_scores() {
    if lacks("g++") {
        return;
    }
    let checker = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    quitp(ouf.readInt() * 0.5, \"half of what it says\");
}
";
    let repo = Repo::new();
    repo.problem(
        "p",
        "name: p\ntype: scoring\n",
        &[("secret/1", "1\n", "1\n")],
    );
    repo.file(
        "cases/p/data/secret/test_group.yaml",
        "max_score: 50\nscore_aggregation: sum\n",
    );
    repo.problem("q", "name: q\n", &[("secret/1", "1\n", "1\n")]);
    repo.file("solutions/p/x.sh", "echo 25")
        .file("solutions/q/x.sh", "echo 25");
    repo.file("lib/check.cpp", checker)
        .file("lib/testlib.h", HEADER);
    let args = ["run", "--json", "-", "--checker", "testlib:lib/check.cpp"];
    let text = repo.run(&args).stdout;
    let cases: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|event: &serde_json::Value| event["type"] == "case")
        .collect();
    assert_eq!(cases[0]["verdict"], "AC", "{text}");
    assert_eq!(cases[0]["score"], 12.5, "{text}");
    assert_eq!(cases[1]["verdict"], "JE", "{text}");
    let why = cases[1]["feedback"].as_str().unwrap();
    assert!(
        why.contains("it gives points, but the problem has no scores"),
        "{why}"
    );
}

#[test]
fn a_checker_gives_a_part_of_the_points_of_a_polygon_test() {
    if lacks("g++") {
        return;
    }
    let checker = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    quitp(ouf.readInt() * 0.5, \"half of what it says\");
}
";
    let xml = |policy: &str| {
        format!(
            "<problem short-name=\"p\"><judging><testset name=\"tests\">
<time-limit>1000</time-limit><memory-limit>268435456</memory-limit><test-count>2</test-count>
<input-path-pattern>tests/%d</input-path-pattern><answer-path-pattern>tests/%d.a</answer-path-pattern>
<tests><test points=\"10\"GROUP/><test points=\"20\"GROUP/></tests><groups>{policy}</groups></testset></judging>
<assets><checker type=\"testlib\"><source path=\"files/check.cpp\"/></checker><solutions>
<solution tag=\"main\"><source path=\"solutions/x.sh\"/></solution></solutions></assets></problem>"
        )
    };
    let complete = "<group name=\"g\" points-policy=\"complete-group\"/>";
    let repo = Repo::new();
    for (name, text) in [
        ("each", xml("").replace("GROUP", "")),
        ("complete", xml(complete).replace("GROUP", " group=\"g\"")),
    ] {
        repo.file(&format!("{name}/problem.xml"), text)
            .file(&format!("{name}/files/check.cpp"), checker)
            .file(&format!("{name}/files/testlib.h"), HEADER)
            .file(&format!("{name}/solutions/x.sh"), "cat");
        for number in [1, 2] {
            repo.file(&format!("{name}/tests/{number}"), "13\n")
                .file(&format!("{name}/tests/{number}.a"), "13\n");
        }
    }
    let ran = repo.run(&["run", "each", "-v"]);
    assert!(ran.stdout.contains("13 of 30 points"), "{}", ran.all());
    let ran = repo.run(&["run", "complete", "-v"]);
    let why = "it wrote score.txt, but `secret/g` gives all points or none (`pass-fail`)";
    assert!(ran.stdout.contains(why), "{}", ran.all());
}

#[test]
fn a_partly_correct_output_has_points_or_is_wrong() {
    if lacks("g++") {
        return;
    }
    let checker = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int points = ouf.readInt();
    quitf(_pc(points), \"some of it\");
}
";
    let repo = Repo::new();
    let cases = [("secret/1", "1\n", "1\n")];
    repo.problem("p", "name: p\ntype: scoring\n", &cases)
        .problem("q", "name: q\n", &cases);
    repo.file(
        "cases/p/data/secret/test_group.yaml",
        "max_score: 300\nscore_aggregation: sum\n",
    )
    .file("lib/check.cpp", checker)
    .file("lib/testlib.h", HEADER);
    // The last one has the exit code of a wrong answer, the one before it that of points.
    for points in [13, 7, 1, 257] {
        for problem in ["p", "q"] {
            repo.file(
                &format!("solutions/{problem}/x.sh"),
                format!("echo {points}\n"),
            );
        }
        let found = repo.verdicts(&["--checker", "testlib:lib/check.cpp"]);
        let wrong = format!("q/x.sh secret/1 WA partially correct ({points}) some of it");
        assert_eq!(found, ["p/x.sh secret/1 AC".to_owned(), wrong], "{points}");
        let text = repo.run(&["run", "p", "-v", "--checker", "testlib:lib/check.cpp"]);
        assert!(
            text.stdout.contains(&format!("{points} points"))
                || text.stdout.contains(&format!("{points}/300"))
                || text.stdout.contains(&format!("{points} of 300")),
            "{}",
            text.all()
        );
    }
}
