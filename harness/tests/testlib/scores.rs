//! Points and partly correct answers, which are scores if the problem has scores.

use std::fmt::Write as _;

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
    repo.problem("p", "name: p\ntype: scoring\n", &[("secret/1", "1\n", "1\n")]);
    repo.file("cases/p/data/secret/test_group.yaml", "max_score: 50\nscore_aggregation: sum\n");
    repo.problem("q", "name: q\n", &[("secret/1", "1\n", "1\n")]);
    repo.file("solutions/p/x.sh", "echo 25").file("solutions/q/x.sh", "echo 25");
    repo.file("lib/check.cpp", checker).file("lib/testlib.h", HEADER);
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
        why.contains("the checker has a fault: it gives points, but the problem has no scores"),
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
    let why = "JE  the checker has a fault: it gives a part of the points, but `secret/g` gives all points or none (`pass-fail`)";
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
    repo.problem("p", "name: p\ntype: scoring\n", &cases).problem("q", "name: q\n", &cases);
    repo.file("cases/p/data/secret/test_group.yaml", "max_score: 300\nscore_aggregation: sum\n")
        .file("lib/check.cpp", checker)
        .file("lib/testlib.h", HEADER);
    // The last one has the exit code of a wrong answer, the one before it that of points.
    for points in [13, 7, 1, 257] {
        for problem in ["p", "q"] {
            repo.file(&format!("solutions/{problem}/x.sh"), format!("echo {points}\n"));
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

#[test]
fn hydro_reads_shares_and_percentages_and_calls_them_wrong() {
    if lacks("g++") {
        return;
    }
    let checker = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int kind = ouf.readInt(), points = ouf.readInt();
    if (kind == 0) quitf(_pc(points), \"some of it\");
    if (kind == 1) quitp(points / 1000.0, \"some of it\");
    quitf(_ok, \"all of it\");
}
";
    // The outputs of three cases, their verdicts, the points of a subtask of each type, with 40 for all of them, and those
    // of a second one of 60 points that depends on it.
    let table = [
        (["2 0", "2 0", "2 0"], ["AC", "AC", "AC"], [40.0, 40.0, 40.0], 60.0),
        (["2 0", "1 333", "0 50"], ["AC", "WA", "WA"], [13.0, 40.0, 24.0], 0.0),
        (["1 75000", "1 1000", "1 100000"], ["WA", "AC", "AC"], [30.0, 40.0, 36.0], 0.0),
        (["0 0", "0 100", "1 250"], ["WA", "WA", "WA"], [0.0, 40.0, 16.0], 0.0),
    ];
    for (outputs, verdicts, points, second) in table {
        for (kind, first) in ["min", "max", "sum"].into_iter().zip(points) {
            let repo = Repo::new();
            let mut config = format!(
                "checker_type: testlib\nchecker: check.cpp\nsubtasks:\n- {{id: 1, score: 40, type: {kind}, cases: ["
            );
            for (output, number) in outputs.iter().zip(1..) {
                write!(config, "{{input: {number}.in, output: {number}.out}}, ").unwrap();
                repo.file(&format!("there/{number}.in"), output)
                    .file(&format!("there/{number}.out"), "");
            }
            config += "]}\n- {id: 2, score: 60, if: [1], cases: [{input: 4.in, output: 4.out}]}\n";
            repo.file("there/4.in", "2 0").file("there/4.out", "");
            repo.file("there/config.yaml", &config)
                .file("there/check.cpp", checker)
                .file("there/testlib.h", HEADER)
                .file("there/x.sh", "cat");
            let ran = repo.run(&["run", "there/x.sh", "--json", "-"]);
            let lines: Vec<serde_json::Value> =
                (ran.stdout.lines()).map(|line| serde_json::from_str(line).unwrap()).collect();
            let cases = lines.iter().filter(|line| line["type"] == "case");
            let found: Vec<&str> =
                (cases.take(3)).map(|case| case["verdict"].as_str().unwrap()).collect();
            assert_eq!(found, verdicts, "{kind} {outputs:?}: {}", ran.all());
            let submission = lines.iter().find(|line| line["type"] == "submission");
            let score = submission.unwrap()["score"].as_f64().unwrap();
            let expected = first + second;
            assert!(
                (score - expected).abs() < 1e-9,
                "{kind} {outputs:?}: {score}, expected {expected}: {}",
                ran.all()
            );
        }
    }
}

#[test]
fn dmoj_reads_only_whole_points_alone_in_their_line() {
    if lacks("g++") {
        return;
    }
    let checker = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int printed = ouf.readInt();
    if (printed == 0) return 0;
    if (printed == 1) { std::fprintf(stderr, \"points 4\\n\"); return 7; }
    if (printed == 2) { std::fprintf(stderr, \"points 2.5\\n\"); return 7; }
    if (printed == 3) { std::fprintf(stderr, \"points 4 of it\\n\"); return 7; }
    if (printed == 4) { std::fprintf(stderr, \"points 11\\n\"); return 7; }
    quitf(_pc(5), \"some of it\");
}
";
    let talker = checker
        .replace("registerTestlibCmd", "registerInteraction")
        .replace("int printed", "std::cout << \"go\" << std::endl; int printed");
    let bridged = "checker:\n  name: bridged\n  args: {files: check.cpp, type: testlib}\n";
    let interactive = "interactive: {files: talk.cpp, type: testlib}\n";
    for (number, verdict, points) in [
        (0, "AC", 10.0),
        (1, "AC", 4.0),
        (2, "JE", 0.0),
        (3, "JE", 0.0),
        (4, "JE", 0.0),
        (5, "JE", 0.0),
    ] {
        for head in [bridged, interactive] {
            let repo = Repo::new();
            let init = format!("{head}test_cases:\n- {{in: 1.in, out: 1.out, points: 10}}\n");
            repo.file("there/init.yml", init)
                .file("there/1.in", "go\n")
                .file("there/1.out", "\n")
                .file("there/check.cpp", checker)
                .file("there/talk.cpp", &talker)
                .file("there/testlib.h", HEADER)
                .file("there/x.sh", format!("read; echo {number}\n"));
            let ran = repo.run(&["run", "there/x.sh", "--json", "-"]);
            let case = (ran.stdout.lines())
                .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
                .find(|line| line["type"] == "case")
                .unwrap_or_else(|| panic!("{}", ran.all()));
            assert_eq!(case["verdict"], verdict, "{number} {head}: {}", ran.all());
            assert!(
                (case["score"].as_f64().unwrap_or(0.0) - points).abs() < 1e-9,
                "{number} {head}: {}",
                ran.all()
            );
        }
    }
}
