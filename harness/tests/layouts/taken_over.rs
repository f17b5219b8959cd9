//! Submissions, limits, checkers, interactors and points of packages are used as the package
//! defines them.

use crate::layouts::{SUM, THREE, fixtures};
use crate::support::Repo;

#[test]
fn submissions_in_packages_must_meet_the_packages_expectations() {
    let polygon = include_str!("../fixtures/layouts/problem.xml");
    let tests = [
        ("tests/01", "1 2\n"),
        ("tests/01.a", "3\n"),
        ("tests/02", "5 7\n"),
        ("tests/02.a", "12\n"),
    ];
    let repo = Repo::new();
    for (path, text) in tests {
        repo.file(&format!("there/{path}"), text);
    }
    repo.file("there/problem.xml", polygon)
        .file("there/solutions/sum.rs", SUM)
        .file("there/solutions/three.rs", THREE)
        .file("there/solutions/crash.rs", "fn main() { panic!() }\n");
    let ran = repo.run(&["run", "-v", "there"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    for (source, verdict) in [("sum", "AC"), ("three", "WA"), ("crash", "RTE")] {
        let line = format!("ok    there/solutions/{source}.rs  {verdict}");
        assert!(ran.stdout.contains(&line), "{}", ran.stdout);
    }
    let ran = repo.run(&["run", "-v", "there/solutions/three.rs"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // A wrong solution that is tagged as right does not meet its expectation.
    repo.file("there/problem.xml", polygon.replace("wrong-answer", "accepted"));
    let ran = repo.run(&["run", "-v", "there/solutions/three.rs"]);
    assert_eq!(ran.status, 1, "{}", ran.all());

    let repo = Repo::new();
    let info = "timelimit = 2.0\n[[solutions]]\nname = \"three.rs\"\nwrong = true\n";
    repo.file("there/info.toml", info)
        .file("there/in/a.in", "5 7\n")
        .file("there/out/a.out", "12\n")
        .file("there/sol/sum.rs", SUM)
        .file("there/sol/three.rs", THREE);
    assert_eq!(repo.run(&["run", "there"]).status, 0);
    repo.file("there/info.toml", "timelimit = 2.0\n");
    assert_eq!(repo.run(&["run", "there"]).status, 1);

    let repo = Repo::new();
    repo.file("there/task.yaml", "name: sum\nn_input: 1\ninfile: ''\noutfile: ''\n")
        .file("there/input/input0.txt", "5 7\n")
        .file("there/output/output0.txt", "12\n")
        .file("there/sol/solution.rs", SUM)
        .file("there/sol/three.rs", THREE);
    let ran = repo.run(&["run", "-v", "there"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("there/sol/three.rs  WA"), "{}", ran.stdout);
}

#[test]
fn limits_and_checkers_of_packages_are_used() {
    let table: [(&str, u32, u32, &str); 4] = [
        ("polygon", 1500, 128, "tokens case_sensitive"),
        ("library-checker", 2000, 2048, "tokens case_sensitive"),
        ("cms", 1500, 64, "lines:blanks"),
        ("cph", 1500, 256, "tokens"),
    ];
    for (layout, time, memory, checker) in table {
        let fixture = fixtures().find(|one| one.layout == layout).unwrap();
        let repo = fixture.write(SUM);
        let ran = repo.run(&["list", "--json", "-", "there/sum.rs"]);
        let line = ran.stdout.lines().next().unwrap();
        let problem: serde_json::Value = serde_json::from_str(line).unwrap();
        let milliseconds = problem["cpu_limit_ms"].as_f64();
        assert_eq!(milliseconds, Some(f64::from(time)), "{layout}");
        let bytes = u64::from(memory << 20);
        assert_eq!(problem["memory_limit_bytes"].as_u64(), Some(bytes), "{layout}");
        assert_eq!(problem["checker"], checker, "{layout}");
    }
}

/// An interactor that prints the secret and writes the guess to its output.
const TELL: &str = "read secret < \"$1\"\necho \"$secret\"\nread guess\necho \"$guess\" > \"$2\"\n";

/// Like [`TELL`], but decides the verdict.
const ASK: &str =
    "read secret < \"$1\"\necho \"$secret\"\nread guess\n[ \"$guess\" = \"$secret\" ]\n";

#[test]
fn interactors_of_packages_talk_with_solutions() {
    let polygon = include_str!("../fixtures/layouts/problem.xml").replace(
        "<solutions>",
        "<interactor><source path=\"files/talk.sh\"/></interactor><solutions>",
    );
    let dmoj = "interactive: {files: talk.sh, type: testlib}\ntest_cases:\n- {in: 1, out: 1.a}\n";
    let hydro = "type: interactive\ninteractor: talk.sh\ncases:\n- {input: '1', output: 1.a}\n";
    let table = [
        ("problem.xml", polygon.as_str(), "files/talk.sh", TELL, ["tests/01", "tests/02"]),
        ("init.yml", dmoj, "talk.sh", ASK, ["1", "2"]),
        ("config.yaml", hydro, "talk.sh", ASK, ["1", "2"]),
    ];
    for (file, text, program, talk, inputs) in table {
        let repo = Repo::new();
        repo.file(&format!("there/{file}"), text)
            .file(&format!("there/{program}"), talk)
            .file("there/right.sh", "read secret\necho $secret\n")
            .file("there/wrong.sh", "read secret\necho 1$secret\n");
        for input in inputs {
            repo.file(&format!("there/{input}"), "7\n").file(&format!("there/{input}.a"), "7\n");
        }
        let ran = repo.run(&["run", "there/right.sh"]);
        assert_eq!(ran.status, 0, "{file}: {}", ran.all());
        let ran = repo.run(&["run", "there/wrong.sh"]);
        assert!(ran.stdout.contains("got WA"), "{file}: {}", ran.all());
        assert_eq!(ran.status, 1, "{file}");
    }
}

#[test]
fn points_are_those_of_the_layout() {
    let tests = "<test points=\"10\" group=\"a\"/><test points=\"25\" group=\"b\"/><test points=\"65\" \
                 group=\"b\"/></tests><groups><group name=\"a\" points-policy=\"POLICY\"/><group \
                 name=\"b\" points-policy=\"POLICY\"><dependencies><dependency group=\"a\"/>\
                 </dependencies></group></groups>";
    let polygon = include_str!("../fixtures/layouts/problem.xml");
    let (head, rest) = polygon.split_once("<tests>").unwrap();
    let (_, tail) = rest.split_once("</tests>").unwrap();
    let polygon = |policy: &str| format!("{head}<tests>{}{tail}", tests.replace("POLICY", policy));
    let dmoj = "test_cases:\n- {in: tests/01, out: tests/01.a, points: 10}\n- points: 90\n  batched:\n  \
                - {in: tests/02, out: tests/02.a}\n  - {in: tests/03, out: tests/03.a}\n";
    let cms = "name: sum\nn_input: 3\ninfile: ''\noutfile: ''\n";
    let hydro = |kind: &str| {
        format!(
            "subtasks:\n- {{id: 1, score: 10, cases: [{{input: tests/01, output: tests/01.a}}]}}\n\
             - {{id: 2, if: [1], type: {kind}, cases: [{{input: tests/02, output: tests/02.a}}, \
             {{input: tests/03, output: tests/03.a}}]}}\n"
        )
    };
    // The layout, its file, and the scores of three solutions: right everywhere, right in cases 1
    // and 3, and wrong only in the first case.
    let table: [(&str, &str, &str, [f64; 3]); 7] = [
        ("whole", "problem.xml", &polygon("complete-group"), [100.0, 10.0, 0.0]),
        ("each", "problem.xml", &polygon("each-test"), [100.0, 75.0, 0.0]),
        ("dmoj", "init.yml", dmoj, [100.0, 10.0, 90.0]),
        ("min", "config.yaml", &hydro("min"), [100.0, 10.0, 0.0]),
        ("sum", "config.yaml", &hydro("sum"), [100.0, 55.0, 0.0]),
        ("subtasks", "task.yaml", cms, [100.0, 10.0, 90.0]),
        ("sum of all", "task.yaml", cms, [100.0, 66.666_667, 66.666_667]),
    ];
    for (what, file, text, scores) in table {
        let repo = Repo::new();
        repo.file(&format!("there/{file}"), text);
        for (number, input, answer) in
            [(1, "1 2\n", "3\n"), (2, "5 7\n", "12\n"), (3, "3 0\n", "3\n")]
        {
            repo.file(&format!("there/tests/0{number}"), input)
                .file(&format!("there/tests/0{number}.a"), answer)
                .file(&format!("there/input/input{}.txt", number - 1), input)
                .file(&format!("there/output/output{}.txt", number - 1), answer);
        }
        if what == "subtasks" {
            repo.file("there/gen/GEN", "#ST: 10\n1\n#ST: 90\n2\n3\n");
        }
        let later =
            SUM.replace("println!", "if sum == 3 && text != \"3 0\\n\" { return; }\n    println!");
        for (solution, score) in [SUM, THREE, &later].into_iter().zip(scores) {
            repo.file("there/sum.rs", solution);
            let ran = repo.run(&["run", "there/sum.rs", "--json", "-"]);
            let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
            let mut lines = lines.filter(|line: &serde_json::Value| line["type"] == "submission");
            let submission = lines.next().unwrap_or_else(|| panic!("{what}: {}", ran.all()));
            let found = submission["score"].as_f64().unwrap_or(-1.0);
            assert!((found - score).abs() < 1e-5, "{what}: {found}, not {score}: {submission}");
        }
    }
}
