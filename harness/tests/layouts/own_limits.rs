//! Limits of single cases and groups, and points that depend on the time limit.

use crate::support::{Ran, Repo};

/// Needs some tenths of a second for `2`, and next to nothing for other inputs.
const SLOW_ON_2: &str = "fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    if text.trim() == \"2\" {
        for round in 0..600_000_000u64 {
            std::hint::black_box(round);
        }
    }
    print!(\"{text}\");
}
";

fn repo(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    for (path, text) in files {
        repo.file(path, text);
    }
    repo
}

/// Paths and contents.
type Texts = Vec<(&'static str, &'static str)>;

/// Cases 1 and 2 in a layout: its file, the others, the text of its file with the limit of all, `ALL`, and that of the second
/// case, `OWN`, and the solution.
fn layouts() -> Vec<(&'static str, Texts, &'static str, &'static str)> {
    let sinol = vec![
        ("p/in/abc1a.in", "1\n"),
        ("p/out/abc1a.out", "1\n"),
        ("p/in/abc2a.in", "2\n"),
        ("p/out/abc2a.out", "2\n"),
    ];
    let hydro = vec![
        ("p/testdata/1.in", "1\n"),
        ("p/testdata/1.out", "1\n"),
        ("p/testdata/2.in", "2\n"),
        ("p/testdata/2.out", "2\n"),
    ];
    vec![
        (
            "p/testcases/a.yml",
            vec![("p/Cargo.toml", "[package]\nname = \"abc001\"\n")],
            "type: Batch\ntimelimit: ALLms\nmatch: Lines\ncases:\n- {name: one, in: \"1\\n\", out: \"1\\n\"}\n\
             - {name: two, in: \"2\\n\", out: \"2\\n\", timelimit: OWNms}\nextend: []\n",
            "p/src/bin/a.rs",
        ),
        (
            "p/config.yml",
            sinol.clone(),
            "title: P\nsinol_task_id: abc\ntime_limit: ALL\nmemory_limit: 262144\ntime_limits: {2: OWN}\n",
            "p/prog/abc.rs",
        ),
        (
            "p/config.yml",
            sinol,
            "title: P\nsinol_task_id: abc\ntime_limit: ALL\nmemory_limit: 262144\ntime_limits: {2: 1, 2a: OWN}\n",
            "p/prog/abc.rs",
        ),
        (
            "p/testdata/config.yaml",
            hydro.clone(),
            "time: ALLms\nsubtasks:\n- {cases: [{input: 1.in, output: 1.out}]}\n\
             - {time: OWNms, cases: [{input: 2.in, output: 2.out}]}\n",
            "p/a.rs",
        ),
        (
            "p/testdata/config.yaml",
            hydro,
            "time: ALLms\nsubtasks:\n- {cases: [{input: 1.in, output: 1.out}]}\n\
             - {time: 1ms, cases: [{input: 2.in, output: 2.out, time: OWNms}]}\n",
            "p/a.rs",
        ),
    ]
}

#[test]
fn a_case_may_have_a_time_limit_of_its_own() {
    for (file, files, text, solution) in layouts() {
        for (all, own, arguments, status) in
            [("10000", "30", "", 1), ("30", "10000", "", 0), ("10000", "30", "-t10", 0)]
        {
            let text = text.replace("ALL", all).replace("OWN", own);
            let repo = repo(&files);
            repo.file(file, &text).file(solution, SLOW_ON_2);
            let arguments = std::iter::once(arguments).filter(|one| !one.is_empty());
            let arguments: Vec<&str> =
                ["run", "-vv", solution].into_iter().chain(arguments).collect();
            let ran = repo.run(&arguments);
            assert_eq!(ran.status, status, "{text}{}", ran.all());
            assert_eq!(ran.stderr, "", "{text}");
            if status == 1 {
                assert!(ran.stdout.contains("got TLE"), "{text}{}", ran.all());
                assert!(ran.stdout.contains("limit 0.03 s"), "{text}{}", ran.all());
            }
        }
    }
}

/// Judges solutions of a contest of this type that need three quarters of the limit on the second group.
fn judged_by_time(contest: &str) -> Ran {
    let config = format!(
        "title: P\nsinol_task_id: abc\nsinol_contest_type: {contest}\ntime_limit: 1000\nmemory_limit: 262144\n\
         scores: {{1: 40, 2: 60}}\nsinol_expected_scores:\n\
         \x20 abc.py:\n    expected: {{1: {{points: 40, status: OK}}, 2: {{points: 60, status: OK}}}}\n    points: 100\n\
         \x20 abc1.py:\n    expected: {{1: {{points: 40, status: OK}}, 2: {{points: 7, status: OK}}}}\n    points: 47\n\
         \x20 abc2.py:\n    expected: {{1: {{points: 40, status: OK}}, 2: {{points: 60, status: OK}}}}\n    points: 100\n"
    );
    let slow =
        "import time\nx = input()\nwhile x == '2' and time.process_time() < 0.75: pass\nprint(x)\n";
    let files = [
        ("p/config.yml", config.as_str()),
        ("p/prog/abc.py", "print(input())\n"),
        ("p/prog/abc1.py", slow),
        ("p/prog/abc2.py", slow),
        ("p/in/abc1a.in", "1\n"),
        ("p/out/abc1a.out", "1\n"),
        ("p/in/abc2a.in", "2\n"),
        ("p/out/abc2a.out", "2\n"),
    ];
    repo(&files).run(&["run", "p", "-v"])
}

#[test]
fn points_of_an_oi_contest_of_sinol_depend_on_the_time() {
    if crate::support::lacks("python3") {
        return;
    }
    let ran = judged_by_time("OI");
    let has = |text: &str| assert!(ran.stdout.contains(text), "{text}\n{}", ran.all());
    assert_eq!(ran.status, 1, "{}", ran.all());
    has("ok    p/prog/abc.py");
    // Points that fell with the time on another machine may be others here.
    has("ok    p/prog/abc1.py");
    has("FAIL  p/prog/abc2.py: got ");
    let line = ran.stdout.lines().find(|line| line.contains("abc1.py")).unwrap();
    let points: f64 =
        line.split("secret/2 ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    // At 0.75 s, 50 % are left of 60 points.
    assert!((1.0..=30.0).contains(&points), "{line}");
    let ran = judged_by_time("default");
    assert!(ran.stdout.contains("ok    p/prog/abc2.py"), "{}", ran.all());
    assert!(ran.stdout.contains("FAIL  p/prog/abc1.py"), "{}", ran.all());
}

#[test]
fn unknown_keys_of_a_sinol_package_are_named() {
    let files = [("p/prog/abc.sh", "cat\n"), ("p/in/abc1.in", "1\n"), ("p/out/abc1.out", "1\n")];
    // The keys that sinol-make and SIO2 read.
    let known = "title: P\ntitle_pl: P\ntitle_en: P\nsinol_task_id: abc\nsinol_contest_type: oij\n\
                 sinol_latex_compiler: auto\nsinol_static_tests: []\nsinol_undocumented_time_tool: time\n\
                 sinol_undocumented_test_limits: true\ntestrun_soc: x.cpp\nmemory_limit: 262144\nmemory_limits: {1: 65536}\n\
                 time_limit: 10000\ntime_limits: {1: 9000}\noverride_limits: {py: {time_limit: 5}}\n\
                 sinol_total_score: 100\nscores: {1: 100}\nsubtask_dependencies: {}\nextra_compilation_files: []\n\
                 extra_compilation_args: {cpp: []}\nextra_execution_files: {py: []}\nno_outgen: true\n\
                 sinol_expected_scores: {}\n";
    let ran = repo(&[&files[..], &[("p/config.yml", known)]].concat()).run(&["run", "p"]);
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{}", ran.all());
    let odd =
        "title: P\nsinol_task_id: abc\ntime_limt: 5\nfake_time: x\nsinol_contest_type: talent\n";
    let ran = repo(&[&files[..], &[("p/config.yml", odd)]].concat()).run(&["run", "p"]);
    for line in [
        "p/config.yml:3:12: `time_limt` is not a key of sinol; it is ignored",
        "help: did you mean `time_limit`?",
        "p/config.yml:4:12: `fake_time` is not supported; it is ignored",
        "p/config.yml:5:21: unknown contest type `talent`; points are those of `default`",
    ] {
        assert!(ran.stderr.contains(line), "{line}\n{}", ran.all());
    }
    assert_eq!(ran.status, 0, "{}", ran.all());
}
