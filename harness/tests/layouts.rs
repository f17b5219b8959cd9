//! Foreign layouts are judged where they lie: each in a fixture of its own, with a right solution that
//! passes and a wrong one that is caught, so that inputs and answers are known to be paired.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod support;

use std::io::Write as _;

use support::Repo;
use zip::write::SimpleFileOptions;

const SUM: &str = "fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!(\"{sum}\");
}
";
/// Right in the case `1 2` alone.
const THREE: &str = "fn main() { println!(\"3\"); }\n";

/// Paths and texts.
type Files = &'static [(&'static str, &'static str)];

/// A folder in some layout, with the cases `1 2` → `3` and `5 7` → `12`, or the files of a package.
struct Fixture {
    layout: &'static str,
    files: Files,
    /// The names of the cases, in the order in which they are judged.
    cases: &'static [&'static str],
}

const fn fixture(layout: &'static str, files: Files, cases: &'static [&'static str]) -> Fixture {
    Fixture {
        layout,
        files,
        cases,
    }
}

/// Layouts without submissions in them.
const FOLDERS: [Fixture; 30] = [
    fixture(
        "plain",
        &[
            ("test/s-1.in", "1 2\n"),
            ("test/s-1.out", "3\n"),
            ("test/s-2.in", "5 7\n"),
            ("test/s-2.out", "12\n"),
        ],
        &["s-1", "s-2"],
    ),
    fixture(
        "plain",
        &[
            ("10.in", "5 7\n"),
            ("10.ans", "12\n"),
            ("2.in", "1 2\n"),
            ("2.ans", "3\n"),
            (".hidden.in", "?"),
            ("2.in~", "?"),
            ("__MACOSX/2.in", "?"),
        ],
        &["2", "10"],
    ),
    fixture(
        "sol",
        &[
            ("a.g1-1.in", "1 2\n"),
            ("a.g1-1.sol", "3\n"),
            ("a.g1-2.in", "5 7\n"),
            ("a.g1-2.sol", "12\n"),
        ],
        &["a.g1-1", "a.g1-2"],
    ),
    fixture(
        "hackerrank",
        &[
            ("input/input00.txt", "1 2\n"),
            ("input/input01.txt", "5 7\n"),
            ("output/output00.txt", "3\n"),
            ("output/output01.txt", "12\n"),
        ],
        &["00", "01"],
    ),
    fixture(
        "input-output",
        &[
            ("input000.txt", "1 2\n"),
            ("input001.txt", "5 7\n"),
            ("output000.txt", "3\n"),
            ("output001.txt", "12\n"),
        ],
        &["000", "001"],
    ),
    fixture(
        "polygon-tests",
        &[
            ("01", "1 2\n"),
            ("01.a", "3\n"),
            ("02", "5 7\n"),
            ("02.a", "12\n"),
        ],
        &["01", "02"],
    ),
    fixture(
        "polygon-tests",
        &[
            ("tests/1", "1 2\n"),
            ("tests/1.a", "3\n"),
            ("tests/10", "5 7\n"),
            ("tests/10.a", "12\n"),
        ],
        &["1", "10"],
    ),
    fixture(
        "atcoder",
        &[
            ("in/hand.txt", "5 7\n"),
            ("in/a_00", "1 2\n"),
            ("out/hand.txt", "12\n"),
            ("out/a_00", "3\n"),
        ],
        &["a_00", "hand.txt"],
    ),
    fixture(
        "in-out",
        &[
            ("in/s1a.in", "1 2\n"),
            ("in/s1b.in", "5 7\n"),
            ("out/s1a.out", "3\n"),
            ("out/s1b.out", "12\n"),
        ],
        &["s1a", "s1b"],
    ),
    fixture(
        "boca",
        &[
            ("input/L_1", "1 2\n"),
            ("input/L_2", "5 7\n"),
            ("output/L_1", "3\n"),
            ("output/L_2", "12\n"),
        ],
        &["L_1", "L_2"],
    ),
    fixture(
        "boca",
        &[
            ("input/1.in", "1 2\n"),
            ("input/2.in", "5 7\n"),
            ("output/1.out", "3\n"),
            ("output/2.out", "12\n"),
        ],
        &["1", "2"],
    ),
    fixture(
        "yukicoder",
        &[
            ("test_in/01_a.txt", "1 2\n"),
            ("test_in/02_b.txt", "5 7\n"),
            ("test_out/01_a.txt", "3\n"),
            ("test_out/02_b.txt", "12\n"),
            ("test_out/99_stray.txt", "0\n"),
        ],
        &["01_a.txt", "02_b.txt"],
    ),
    fixture(
        "cf-tool",
        &[
            ("in1.txt", "1 2\n"),
            ("ans1.txt", "3\n"),
            ("in2.txt", "5 7\n"),
            ("ans2.txt", "12\n"),
        ],
        &["1", "2"],
    ),
    fixture(
        "coci",
        &[
            ("sum.in.1", "1 2\n"),
            ("sum.out.1", "3\n"),
            ("sum.in.12", "5 7\n"),
            ("sum.out.12", "12\n"),
        ],
        &["sum.1", "sum.12"],
    ),
    fixture(
        "usaco",
        &[
            ("I.1", "1 2\n"),
            ("O.1", "3\n"),
            ("I.2", "5 7\n"),
            ("O.2", "12\n"),
        ],
        &["1", "2"],
    ),
    fixture(
        "folders",
        &[
            ("test_1/input.txt", "1 2\n"),
            ("test_1/output.txt", "3\n"),
            ("test_2/input.txt", "5 7\n"),
            ("test_2/output.txt", "12\n"),
        ],
        &["test_1", "test_2"],
    ),
    fixture(
        "folders",
        &[
            ("tests/a/input.txt", "1 2\n"),
            ("tests/a/output.txt", "3\n"),
            ("tests/b/input.txt", "5 7\n"),
            ("tests/b/output.txt", "12\n"),
        ],
        &["a", "b"],
    ),
    fixture(
        "icpc",
        &[
            (
                "problem.yaml",
                "problem_format_version: 2025-09\nname: Sum\n",
            ),
            ("data/sample/1.in", "1 2\n"),
            ("data/sample/1.ans", "3\n"),
            ("data/secret/1.in", "5 7\n"),
            ("data/secret/1.ans", "12\n"),
        ],
        &["sample/1", "secret/1"],
    ),
    fixture(
        "hydro",
        &[
            ("problem.yaml", "pid: P1\nowner: 1\ntitle: Sum\ntag: []\n"),
            ("testdata/sum1.in", "1 2\n"),
            ("testdata/sum1.out", "3\n"),
            ("testdata/sum2.in", "5 7\n"),
            ("testdata/sum2.ans", "12\n"),
        ],
        &["secret/1", "secret/2"],
    ),
    fixture(
        "hydro",
        &[
            (
                "config.yaml",
                "type: default\ntime: 1s\nmemory: 128m\nsubtasks:\n\
                 - {id: 1, score: 40, cases: [{input: a.in, output: a.out}]}\n\
                 - {id: 2, score: 60, if: [1], cases: [{input: b.in, output: b.out}]}\n",
            ),
            ("a.in", "1 2\n"),
            ("a.out", "3 \n\n"),
            ("b.in", "5 7\n"),
            ("b.out", "12"),
        ],
        &["secret/1/1", "secret/2/1"],
    ),
    fixture(
        "hydro",
        &[
            (
                "testdata/config.yaml",
                "checker_type: testlib\nchecker: ncmp\n",
            ),
            ("testdata/a1-1.in", "1 2\n"),
            ("testdata/a1-1.out", "3\n"),
            ("testdata/a2-1.in", "5 7\n"),
            ("testdata/a2-1.out", "12\n"),
        ],
        &["secret/1/1", "secret/2/1"],
    ),
    fixture(
        "dmoj",
        &[
            (
                "init.yml",
                "test_cases:\n- {in: a.in, out: a.out, points: 30}\n- points: 70\n  batched:\n  \
                 - {in: b.in, out: b.out}\n  dependencies: []\n",
            ),
            ("a.in", "1 2\n"),
            ("a.out", "3\n"),
            ("b.in", "5 7\n"),
            ("b.out", "12\n"),
        ],
        &["secret/1", "secret/2/1"],
    ),
    fixture(
        "dmoj",
        &[
            (
                "init.yml",
                "checker: {name: floats, args: {precision: 3}}\ntest_cases:\n\
                 - {in: a.in, out: a.out, points: 30}\n- {in: b.in, out: b.out, points: 70}\n",
            ),
            ("a.in", "1 2\n"),
            ("a.out", "3.0001\n"),
            ("b.in", "5 7\n"),
            ("b.out", "11.9999\n"),
        ],
        &["secret/1", "secret/2"],
    ),
    fixture(
        "cms",
        &[
            (
                "task.yaml",
                "name: sum\ntitle: Sum\ntime_limit: 1.5\nmemory_limit: 64\nn_input: 2\n\
                 infile: ''\noutfile: ''\n",
            ),
            ("gen/GEN", "#ST: 0\n#COPY: sample\n#ST: 100\n1 2\n"),
            ("input/input0.txt", "1 2\n"),
            ("input/input1.txt", "5 7\n"),
            ("output/output0.txt", "3\n"),
            ("output/output1.txt", "12\n"),
        ],
        &["secret/1/000", "secret/2/001"],
    ),
    fixture(
        "polygon",
        &[
            ("problem.xml", include_str!("fixtures/layouts/problem.xml")),
            ("tests/01", "1 2\n"),
            ("tests/01.a", "3\n"),
            ("tests/02", "5 7\n"),
            ("tests/02.a", "12\n"),
            ("solutions/none.txt", ""),
        ],
        &["sample/01", "secret/02"],
    ),
    fixture(
        "library-checker",
        &[
            (
                "info.toml",
                "title = 'Sum'\ntimelimit = 2.0\n[[tests]]\nname = \"example.in\"\nnumber = 1\n",
            ),
            ("gen/x.cpp", ""),
            ("in/example_00.in", "1 2\n"),
            ("out/example_00.out", "3\n"),
            ("in/random_00.in", "5 7\n"),
            ("out/random_00.out", "12\n"),
        ],
        &["sample/example_00", "secret/random_00"],
    ),
    fixture(
        "cpbooster",
        &[
            ("sum.in1", "1 2\n"),
            ("sum.ans1", "3\n"),
            ("sum.in2", "5 7\n"),
            ("sum.ans2", "12\n"),
        ],
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

impl Fixture {
    fn write(&self, solution: &str) -> Repo {
        let repo = Repo::new();
        for (path, text) in self.files {
            repo.file(&format!("there/{path}"), text);
        }
        repo.file("there/sum.rs", solution);
        repo
    }
}

/// The names of the cases that were judged and their verdicts, from `-vv`.
fn judged(stdout: &str) -> Vec<(&str, &str)> {
    let lines = stdout.lines().filter(|line| line.starts_with("  there"));
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    words
        .filter(|words| words.len() > 2 && !words[0].ends_with(':'))
        .map(|words| (words[1], words[2]))
        .collect()
}

#[test]
fn every_layout_is_judged_where_it_lies() {
    for fixture in &FOLDERS {
        let (layout, cases) = (fixture.layout, fixture.cases);
        for (solution, verdicts) in [(SUM, ["AC", "AC"]), (THREE, ["AC", "WA"])] {
            let repo = fixture.write(solution);
            let expected: Vec<(&str, &str)> = cases.iter().copied().zip(verdicts).collect();
            let green = verdicts == ["AC", "AC"];
            let mut ways: Vec<Vec<&str>> = vec![
                vec!["run", "-vv", "there/sum.rs"],
                vec!["run", "-vv", "there/sum.rs", "--layout", layout],
            ];
            // A folder with another solution too is judged as a whole; these have no place for any.
            if !matches!(
                layout,
                "polygon" | "cms" | "library-checker" | "icpc" | "cp-editor"
            ) {
                ways.push(vec!["run", "-vv", "there"]);
            }
            for args in ways {
                let mut found = repo.run(&args);
                let stdout = std::mem::take(&mut found.stdout);
                // The order of a report is that of the cases; verdicts need no order.
                let mut judged = judged(&stdout);
                judged.sort_by_key(|(case, _)| cases.iter().position(|known| known == case));
                assert_eq!(
                    judged, expected,
                    "{layout} {args:?}: {stdout}{}",
                    found.stderr
                );
                assert_eq!(found.status, i32::from(!green), "{layout} {args:?}");
            }
        }
    }
}

#[test]
fn the_parts_of_the_fixtures_are_recognised_as_they_are_called() {
    for fixture in &FOLDERS {
        let repo = fixture.write(SUM);
        let wrong = if fixture.layout == "usaco" {
            "coci"
        } else {
            "usaco"
        };
        let ran = repo.run(&["run", "there/sum.rs", "--layout", wrong]);
        let said = format!(
            "not laid out as `{wrong}`\nhelp: it is `{}`",
            fixture.layout
        );
        assert!(
            ran.stderr.contains(&said),
            "{}: {}",
            fixture.layout,
            ran.stderr
        );
        assert_eq!(ran.status, 2);
    }
}

/// Writes an archive.
fn zipped(repo: &Repo, path: &str, files: &[(&str, &str)]) {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in files {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    let bytes = archive.finish().unwrap().into_inner();
    repo.file(path, bytes);
}

#[test]
fn an_archive_is_read_in_place() {
    for fixture in &FOLDERS {
        if matches!(
            fixture.layout,
            "cph" | "cpbooster" | "competitest" | "cp-editor"
        ) {
            continue;
        }
        let repo = Repo::new();
        repo.file("there.rs", SUM).file("wrong.rs", THREE);
        zipped(&repo, "tests.zip", fixture.files);
        let wrapped: Vec<(String, &str)> = fixture
            .files
            .iter()
            .map(|(name, text)| (format!("a task/{name}"), *text))
            .collect();
        let wrapped: Vec<(&str, &str)> = wrapped
            .iter()
            .map(|(name, text)| (name.as_str(), *text))
            .collect();
        zipped(&repo, "wrapped.zip", &wrapped);
        for args in [
            &["run", "-vv", "there.rs", "tests.zip"][..],
            &["run", "-vv", "--cases", "tests.zip", "there.rs"],
            &["run", "-vv", "wrapped.zip", "there.rs"],
        ] {
            let ran = repo.run(args);
            let names: Vec<&str> = judged(&ran.stdout).iter().map(|(name, _)| *name).collect();
            assert_eq!(names.len(), 2, "{} {args:?}: {}", fixture.layout, ran.all());
            assert_eq!(ran.status, 0, "{} {args:?}: {}", fixture.layout, ran.all());
        }
        let ran = repo.run(&["run", "wrong.rs", "tests.zip"]);
        assert_eq!(ran.status, 1, "{}: {}", fixture.layout, ran.all());
        assert!(!repo.path("tests").exists());
    }
}

#[test]
fn an_archive_alone_says_what_is_there_and_what_to_type() {
    let repo = Repo::new();
    zipped(&repo, "tests.zip", &[("1.in", "1 2\n"), ("1.out", "3\n")]);
    let ran = repo.run(&["run", "tests.zip"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "error: tests.zip has 1 case and no solution\n\
                 help: name the solution too: `rejudge run SOLUTION tests.zip`";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}

#[test]
fn inputs_alone_are_run_only() {
    let table: [(&str, Files); 4] = [
        ("ahc", &[("tools/in/0000.txt", "1 2\n")]),
        ("atcoder", &[("in/0000.txt", "1 2\n")]),
        ("advent", &[("input.txt", "1 2\n"), ("example.txt", "3\n")]),
        (
            "advent",
            &[("inputs/01.txt", "1 2\n"), ("inputs/day02.in", "3\n")],
        ),
    ];
    for (layout, files) in table {
        let repo = Repo::new();
        for (path, text) in files {
            repo.file(path, text);
        }
        repo.file("there.rs", SUM);
        let ran = repo.run(&["run", "-vv", "there.rs"]);
        let expected = vec!["RAN"; files.len()];
        let verdicts: Vec<&str> = judged(&ran.stdout).iter().map(|(_, it)| *it).collect();
        assert_eq!(verdicts, expected, "{layout}: {}", ran.all());
        assert_eq!(ran.status, 1, "{layout}");
        assert_eq!(repo.run(&["run", "--no-check", "there.rs"]).status, 0);
    }
}

#[test]
fn dmoj_reads_its_archive_by_patterns() {
    for (init, cases) in [
        ("archive: data.zip\n", ["secret/1", "secret/2/1"]),
        (
            "archive: data.zip\ntest_cases:\n  input_format: '^(?P<batch>x)?.*?(?P<case>\\d+).in$'\n  \
             output_format: '.*?(?P<case>\\d+).out$'\n  case_points: [1, 2]\n",
            ["secret/1", "secret/2"],
        ),
    ] {
        let repo = Repo::new();
        let names = if init.contains("format") {
            ["t1.in", "t1.out", "t2.in", "t2.out"]
        } else {
            ["t.1.in", "t.1.out", "t.2.1.in", "t.2.1.out"]
        };
        let texts = ["1 2\n", "3\n", "5 7\n", "12\n"];
        let files: Vec<(&str, &str)> = names.into_iter().zip(texts).collect();
        zipped(&repo, "there/data.zip", &files);
        repo.file("there/init.yml", init).file("there/sum.rs", SUM);
        let ran = repo.run(&["run", "-vv", "there"]);
        let names: Vec<&str> = judged(&ran.stdout).iter().map(|(name, _)| *name).collect();
        assert_eq!(names, cases, "{}", ran.all());
        assert_eq!(ran.status, 0, "{}", ran.all());
    }
}

#[test]
fn submissions_in_packages_are_held_to_what_the_package_says() {
    let polygon = include_str!("fixtures/layouts/problem.xml");
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
    // A wrong solution that is tagged as right is not as expected.
    repo.file(
        "there/problem.xml",
        polygon.replace("wrong-answer", "accepted"),
    );
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
    repo.file(
        "there/task.yaml",
        "name: sum\nn_input: 1\ninfile: ''\noutfile: ''\n",
    )
    .file("there/input/input0.txt", "5 7\n")
    .file("there/output/output0.txt", "12\n")
    .file("there/sol/solution.rs", SUM)
    .file("there/sol/three.rs", THREE);
    let ran = repo.run(&["run", "-v", "there"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout.contains("there/sol/three.rs  WA"),
        "{}",
        ran.stdout
    );
}

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
    assert!(
        ran.stdout.contains("ok    there/src/bin/a.rs  AC"),
        "{}",
        ran.all()
    );
    assert!(
        ran.stdout.contains("there/src/bin/b.rs: got WA"),
        "{}",
        ran.all()
    );
    assert_eq!(ran.status, 1);
}

#[test]
fn limits_and_checkers_are_taken_over() {
    let table: [(&str, u32, u32, &str); 4] = [
        ("polygon", 1500, 128, "tokens case_sensitive"),
        ("library-checker", 2000, 2048, "tokens case_sensitive"),
        ("cms", 1500, 64, "lines:blanks"),
        ("cph", 1500, 256, "tokens"),
    ];
    for (layout, time, memory, checker) in table {
        let fixture = FOLDERS.iter().find(|one| one.layout == layout).unwrap();
        let repo = fixture.write(SUM);
        let ran = repo.run(&["list", "--json", "there/sum.rs"]);
        let line = ran.stdout.lines().next().unwrap();
        let problem: serde_json::Value = serde_json::from_str(line).unwrap();
        let milliseconds = problem["cpu_limit_ms"].as_f64();
        assert_eq!(milliseconds, Some(f64::from(time)), "{layout}");
        let bytes = u64::from(memory << 20);
        assert_eq!(
            problem["memory_limit_bytes"].as_u64(),
            Some(bytes),
            "{layout}"
        );
        assert_eq!(problem["checker"], checker, "{layout}");
    }
}

#[test]
fn several_readings_are_an_error_that_names_them() {
    let repo = Repo::new();
    repo.file("there/1.in", "1 2\n")
        .file("there/1.out", "3\n")
        .file("there/in/a", "5 7\n")
        .file("there/out/a", "13\n")
        .file("there/sum.rs", SUM);
    let ran = repo.run(&["run", "there"]);
    assert_eq!(
        ran.errors(),
        "error: there can be read in 2 ways: `plain` (`NAME.in` + `NAME.ans` or `NAME.out`), \
         `atcoder` (`in/X` + `out/X`)\nhelp: choose one: `--layout plain`\n--- exit status 2"
    );
    assert_eq!(repo.run(&["run", "there", "--layout", "plain"]).status, 0);
    assert_eq!(repo.run(&["run", "there", "--layout", "atcoder"]).status, 1);
    // Two descriptions of one folder.
    repo.file("there/problem.xml", "<problem/>")
        .file("there/init.yml", "{}");
    let ran = repo.run(&["run", "there"]);
    assert!(
        ran.stderr.contains("`polygon` (`problem.xml`), `dmoj`"),
        "{}",
        ran.stderr
    );
    // Cases of a source's own beside others.
    let repo = Repo::new();
    repo.file("1.in", "1 2\n")
        .file("1.out", "3\n")
        .file("sum.in1", "5 7\n")
        .file("sum.ans1", "12\n")
        .file("sum.rs", SUM);
    let ran = repo.run(&["run", "sum.rs"]);
    assert!(ran.stderr.contains("`cpbooster`"), "{}", ran.all());
    assert_eq!(
        repo.run(&["run", "sum.rs", "--layout", "cpbooster"]).status,
        0
    );
}

#[test]
fn broken_packages_say_where_and_how_to_mend_them() {
    const POLYGON: &str = include_str!("fixtures/layouts/problem.xml");
    let table: [(&str, Files, &str); 12] = [
        (
            "xml",
            &[("problem.xml", "<problem>\n  <judging>\n</problem>")],
            "there/problem.xml:3:1: not valid XML: ",
        ),
        ("no tests", &[("problem.xml", POLYGON)], "doall.sh"),
        (
            "toml",
            &[
                ("info.toml", "timelimit = 2.0\ntitle = \n"),
                ("in/a.in", ""),
            ],
            "there/info.toml:2:",
        ),
        (
            "yaml",
            &[("init.yml", "test_cases: [\n")],
            "there/init.yml:",
        ),
        (
            "wrong kind",
            &[("init.yml", "test_cases:\n- {in: [], out: a}\n")],
            "there/init.yml:2:8: `in` must be a text, got a list",
        ),
        (
            "way out",
            &[(
                "init.yml",
                "test_cases:\n- {in: ../../etc/passwd, out: a}\n",
            )],
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
                (
                    "init.yml",
                    "test_cases:\n- {batched: [{in: a, out: a}], dependencies: [1]}\n",
                ),
                ("a", ""),
            ],
            "there/init.yml:2:47: batch 1 can only depend on batches before it",
        ),
        (
            "checker",
            &[
                (
                    "init.yml",
                    "checker: mine.py\ntest_cases:\n- {in: a, out: a}\n",
                ),
                ("a", ""),
            ],
            "there/init.yml:1:10: DMOJ's checker `mine.py` is not known here",
        ),
        (
            "subtask",
            &[("task.yaml", "n_input: 1\n"), ("gen/GEN", "#ST: many\n")],
            "there/gen/GEN:1:1: `#ST:` needs a number of points",
        ),
        (
            "hydro",
            &[("config.yaml", "time: soon\ncases: []\n")],
            "`time` cannot be understood: `soon`",
        ),
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
    // What cannot be checked as the package asks can be checked otherwise.
    let repo = Repo::new();
    repo.file(
        "there/init.yml",
        "checker: mine.py\ntest_cases:\n- {in: a, out: b}\n",
    )
    .file("there/a", "1 2\n")
    .file("there/b", "3\n")
    .file("there/sum.rs", SUM);
    assert_eq!(repo.run(&["run", "there", "--checker", "tokens"]).status, 0);
}

#[test]
fn hostile_archives_harm_nothing() {
    let repo = Repo::new();
    repo.file("there.rs", SUM);
    let table: [(&str, Files, &str); 4] = [
        (
            "out",
            &[("../1.in", "1 2\n")],
            "`../1.in` in it leads out of the archive",
        ),
        ("absolute", &[("/tmp/1.in", "1 2\n")], "is an absolute path"),
        (
            "case",
            &[("a.in", ""), ("A.in", "")],
            "are one name to many systems",
        ),
        ("none", &[], "no test cases"),
    ];
    for (what, files, message) in table {
        zipped(&repo, "tests.zip", files);
        let ran = repo.run(&["run", "there.rs", "tests.zip"]);
        assert!(ran.stderr.contains(message), "{what}: {}", ran.all());
        assert_eq!(ran.status, 2, "{what}");
    }
    repo.file("tests.zip", "no archive");
    let ran = repo.run(&["run", "there.rs", "tests.zip"]);
    assert!(ran.stderr.contains("no ZIP archive"), "{}", ran.all());
}

/// Tells the solution the secret, and keeps what it says.
const TELL: &str = "read secret < \"$1\"\necho \"$secret\"\nread guess\necho \"$guess\" > \"$2\"\n";

/// As [`TELL`], but has the word itself.
const ASK: &str =
    "read secret < \"$1\"\necho \"$secret\"\nread guess\n[ \"$guess\" = \"$secret\" ]\n";

#[test]
fn interactors_of_packages_talk_with_solutions() {
    let polygon = include_str!("fixtures/layouts/problem.xml").replace(
        "<solutions>",
        "<interactor><source path=\"files/talk.sh\"/></interactor><solutions>",
    );
    let dmoj = "interactive: {files: talk.sh, type: testlib}\ntest_cases:\n- {in: 1, out: 1.a}\n";
    let hydro = "type: interactive\ninteractor: talk.sh\ncases:\n- {input: '1', output: 1.a}\n";
    let table = [
        (
            "problem.xml",
            polygon.as_str(),
            "files/talk.sh",
            TELL,
            ["tests/01", "tests/02"],
        ),
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
            repo.file(&format!("there/{input}"), "7\n")
                .file(&format!("there/{input}.a"), "7\n");
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
    let polygon = include_str!("fixtures/layouts/problem.xml");
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
    // The layout, its file, and the scores of one who is right, who is right in cases 1 and 3, and who
    // is wrong in the first.
    let table: [(&str, &str, &str, [f64; 3]); 7] = [
        (
            "whole",
            "problem.xml",
            &polygon("complete-group"),
            [100.0, 10.0, 0.0],
        ),
        (
            "each",
            "problem.xml",
            &polygon("each-test"),
            [100.0, 75.0, 0.0],
        ),
        ("dmoj", "init.yml", dmoj, [100.0, 10.0, 90.0]),
        ("min", "config.yaml", &hydro("min"), [100.0, 10.0, 0.0]),
        ("sum", "config.yaml", &hydro("sum"), [100.0, 55.0, 0.0]),
        ("subtasks", "task.yaml", cms, [100.0, 10.0, 90.0]),
        (
            "sum of all",
            "task.yaml",
            cms,
            [100.0, 66.666_667, 66.666_667],
        ),
    ];
    for (what, file, text, scores) in table {
        let repo = Repo::new();
        repo.file(&format!("there/{file}"), text);
        for (number, input, answer) in [
            (1, "1 2\n", "3\n"),
            (2, "5 7\n", "12\n"),
            (3, "3 0\n", "3\n"),
        ] {
            repo.file(&format!("there/tests/0{number}"), input)
                .file(&format!("there/tests/0{number}.a"), answer)
                .file(&format!("there/input/input{}.txt", number - 1), input)
                .file(&format!("there/output/output{}.txt", number - 1), answer);
        }
        if what == "subtasks" {
            repo.file("there/gen/GEN", "#ST: 10\n1\n#ST: 90\n2\n3\n");
        }
        let later = SUM.replace(
            "println!",
            "if sum == 3 && text != \"3 0\\n\" { return; }\n    println!",
        );
        for (solution, score) in [SUM, THREE, &later].into_iter().zip(scores) {
            repo.file("there/sum.rs", solution);
            let ran = repo.run(&["run", "there/sum.rs", "--json", "-"]);
            let lines = ran
                .stdout
                .lines()
                .map(|line| serde_json::from_str(line).unwrap());
            let mut lines = lines.filter(|line: &serde_json::Value| line["type"] == "submission");
            let submission = lines
                .next()
                .unwrap_or_else(|| panic!("{what}: {}", ran.all()));
            let found = submission["score"].as_f64().unwrap_or(-1.0);
            assert!(
                (found - score).abs() < 1e-5,
                "{what}: {found}, not {score}: {submission}"
            );
        }
    }
}
