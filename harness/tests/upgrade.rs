//! `rejudge upgrade`: an upgraded package is judged like the old one, and a package that cannot be upgraded is unchanged.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use walkdir::WalkDir;

use crate::support::{Repo, schema::LineSchema};

const SUM: &str = "read a b; echo $((a + b))\n";
const FIRST: &str = "read a b; echo $a\n";
const NOTHING: &str = "echo none\n";
const CRASH: &str = "read a b; [ $a = 1 ] || exit 3; echo 0\n";
/// A validator that demands the words of its arguments in the feedback.
const VALIDATOR: &str = "import sys\nassert sys.argv[4:] == ['strict', '7'], sys.argv\n\
                         sys.exit(42 if sys.stdin.read() == open(sys.argv[2]).read() else 43)\n";

/// Everything below a folder: texts of files, targets of links.
fn snapshot(repo: &Repo, folder: &str) -> BTreeMap<String, String> {
    let root = repo.path(folder);
    let entries = WalkDir::new(&root).min_depth(1).into_iter().map(Result::unwrap);
    let entries = entries.filter(|entry| !entry.file_type().is_dir());
    entries
        .map(|entry| {
            let path = entry.path();
            let text = std::fs::read_link(path).map_or_else(
                |_| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned(),
                |target| format!("-> {}", target.display()),
            );
            (path.strip_prefix(&root).unwrap().display().to_string(), text)
        })
        .collect()
}

/// What a run says of each submission: its verdict, whether that is expected, and its score.
fn judged(repo: &Repo, package: &str) -> BTreeMap<String, [Value; 3]> {
    let args = ["run", package, "-j", "2", "--wall-limit", "60", "-t", "1", "--json", "-"];
    let output = repo.command(&args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: BTreeMap<String, [Value; 3]> = lines
        .filter(|line| line["type"] == "submission")
        .map(|line| {
            let name = line["submission"].as_str().unwrap();
            let name = name.split_once("submissions/").unwrap().1.to_owned();
            (name, ["verdict", "met", "score"].map(|key| line[key].clone()))
        })
        .collect();
    assert!(!found.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    found
}

/// A package that uses what only the legacy format has.
fn legacy() -> Repo {
    let repo = Repo::new();
    let files = [
        (
            "problem.yaml",
            "# A sum.\nname: Sum\nauthor: Ada Ash and Bo Birk, Anders Land\n# where\nsource: Cup 2019\n\
             source_url: https://example.org\nkeywords: easy sums\nvalidation: custom # ours\n\
             validator_flags: strict 7\nlimits:\n  memory: 512\n  time_multiplier: 3\n\nlicense: cc by-sa\n",
        ),
        ("domjudge-problem.ini", "timelimit = 1.5\n"),
        ("problem_statement/problem.tex", "\\problemname{Sum}\n"),
        ("problem_statement/problem.sv.tex", "\\problemname{Summa}\n"),
        ("problem_statement/solution.tex", "Add.\n"),
        ("problem_statement/picture.png", "png"),
        ("input_format_validators/check.py", "import sys\nsys.exit(42)\n"),
        ("output_validators/compare/validate.py", VALIDATOR),
        ("attachments/note.txt", "note\n"),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/sample/1.hint", "Add them.\n"),
        ("data/secret/2.in", "3 4\n"),
        ("data/secret/2.ans", "7\n"),
        ("data/secret/2.desc", "Two\nlines: here\n"),
        ("submissions/accepted/sum.sh", SUM),
        ("submissions/wrong_answer/first.sh", FIRST),
        ("submissions/run_time_error/crash.sh", CRASH),
        ("submissions/wrong_answer/crash.sh", CRASH),
        ("submissions/run_error/crash.sh", CRASH),
        (".hidden/keep", "kept\n"),
    ];
    for (path, text) in files {
        repo.file(&format!("sum/{path}"), text);
    }
    let link = |to: &str, at: &str| {
        std::os::unix::fs::symlink(to, repo.path("sum").join(at)).unwrap();
    };
    link("../attachments/note.txt", "problem_statement/note.txt");
    link("../sample/1.in", "data/secret/3.in");
    link("../sample/1.ans", "data/secret/3.ans");
    repo
}

#[test]
fn an_upgraded_package_is_judged_like_the_old_one() {
    let repo = legacy();
    let before = judged(&repo, "sum");
    let old = snapshot(&repo, "sum");
    let ran = repo.run(&["upgrade", "sum", "--to", "copy/sum", "--json", "-"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.all());
    let line: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(LineSchema::of("upgrade").fault(&line), None, "{line}");
    assert_eq!(snapshot(&repo, "sum"), old);
    let ran = repo.run(&["upgrade", "sum"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.all());
    assert!(ran.stdout.contains("sum/problem.yaml:8: `validation` is now `type: pass-fail`\n"));
    let new = snapshot(&repo, "sum");
    assert_eq!(new, snapshot(&repo, "copy/sum"));
    let yaml = "# A sum.\nproblem_format_version: 2025-09\nname:\n  en: \"Sum\"\n  sv: Summa\n\
                uuid: f3d2\ncredits:\n  authors:\n    - Ada Ash\n    - Bo Birk\n    - Anders Land\n# where\n\
                source:\n  name: Cup 2019\n  url: https://example.org\nkeywords: [easy, sums]\n\
                type: pass-fail\nlimits:\n  memory: 512\n  time_multipliers:\n    ac_to_time_limit: 3\n  \
                time_limit: 1.5\n  time_resolution: 0.5\n\nlicense: cc by-sa\n";
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("uuid: ")).map(str::to_owned).collect()
    };
    assert_eq!(lines(&new["problem.yaml"]), lines(yaml), "{}", new["problem.yaml"]);
    let args = "output_validator_args: [strict, \"7\"]\n";
    for (file, text) in [
        ("statement/problem.en.tex", "\\problemname{Sum}\n"),
        ("statement/picture.png", "png"),
        ("solution/solution.en.tex", "Add.\n"),
        ("input_validators/check.py", "import sys\nsys.exit(42)\n"),
        ("statement/note.txt", "-> ../attachments/note.txt"),
        ("data/secret/3.in", "-> ../sample/1.in"),
        ("data/sample/test_group.yaml", args),
        ("data/secret/test_group.yaml", args),
        ("data/sample/1.yaml", "hint: Add them.\n"),
        ("data/secret/2.yaml", "description: |\n  Two\n  lines: here\n"),
        (".hidden/keep", "kept\n"),
    ] {
        assert_eq!(new.get(file).map(String::as_str), Some(text), "{file}");
    }
    // Every file is still there, or its text is in another one.
    let texts: Vec<&String> = new.values().collect();
    let moved =
        ["problem.yaml", "domjudge-problem.ini", "data/sample/1.hint", "data/secret/2.desc"];
    let files = old.iter().filter(|(_, text)| !text.starts_with("-> "));
    for (path, text) in files.filter(|(path, _)| !moved.contains(&path.as_str())) {
        assert!(texts.contains(&text), "{path}");
    }
    assert_eq!(judged(&repo, "sum"), before);
    assert!(before.values().all(|[_, met, _]| met == &Value::Bool(true)), "{before:?}");
}

/// A package with two groups of 30 and 70 points.
fn scored(flags: &str) -> Repo {
    let repo = Repo::new();
    let files = [
        (
            "problem.yaml",
            "name: Sums\ntype: scoring\ngrading:\n  show_test_data_groups: true\nlimits:\n  time_multipliers: 1\n",
        ),
        ("data/testdata.yaml", "grader_flags: ignore_sample\non_reject: continue\n"),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        (
            "data/secret/testdata.yaml",
            "grader_flags: first_error accept_if_any_accepted\non_reject: continue\nrange: 0 100\n",
        ),
        ("data/secret/a/1.in", "0 0\n"),
        ("data/secret/a/1.ans", "0\n"),
        ("data/secret/b/1.in", "5 6\n"),
        ("data/secret/b/1.ans", "11\n"),
        ("data/secret/b/2.in", "5 0\n"),
        ("data/secret/b/2.ans", "5\n"),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
        ("submissions/accepted/sum.sh", SUM),
        ("submissions/partially_accepted/first.sh", FIRST),
        ("submissions/wrong_answer/nothing.sh", NOTHING),
    ];
    for (path, text) in files {
        repo.file(&format!("sums/{path}"), text);
    }
    for (group, points) in [("a", 30), ("b", 70)] {
        let text = format!(
            "# {group}\non_reject: break\naccept_score: {points}\nrange: 0 {points}\ngrader_flags: {flags}\n\
             input_validator_flags: max={points}\n"
        );
        repo.file(&format!("sums/data/secret/{group}/testdata.yaml"), text);
    }
    repo
}

#[test]
fn upgraded_groups_give_the_same_points() {
    let repo = scored("min");
    let before = judged(&repo, "sums");
    let ran = repo.run(&["upgrade", "sums"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let lost = "warning: sums/problem.yaml:4:3: not carried: `show_test_data_groups`";
    assert!(ran.stderr.contains(lost), "{}", ran.all());
    assert_eq!(
        repo.read("sums/data/secret/a/test_group.yaml"),
        "# a\nmax_score: 30\nscore_aggregation: pass-fail\ninput_validator_args: [max=30]\n"
    );
    assert!(!repo.path("sums/data/testdata.yaml").exists());
    // In the new format, a submission with some of the points is not accepted.
    let points = |found: &BTreeMap<String, [Value; 3]>| -> Vec<[Value; 2]> {
        found.values().map(|[_, met, score]| [met.clone(), score.clone()]).collect()
    };
    assert_eq!(points(&judged(&repo, "sums")), points(&before));
    let scores: Vec<&Value> = before.values().map(|[_, _, score]| score).collect();
    assert_eq!(scores, [&Value::from(100.0), &Value::from(30.0), &Value::from(0.0)]);
    assert!(before.values().all(|[_, met, _]| met == &Value::Bool(true)), "{before:?}");
}

#[test]
fn a_package_that_cannot_be_upgraded_is_unchanged() {
    let table: [(&str, &str, &str); 5] = [
        (
            "sums/problem.yaml",
            "problem_format_version: 2025-09\nname: A\n",
            "has the format 2025-09 already",
        ),
        (
            "sums/statement/problem.en.tex",
            "\\problemname{A}\n",
            "both exist\nhelp: keep one of them",
        ),
        ("sums/problem.yaml", "{name: A, type: scoring}\n", "write each key on a line of its own"),
        (
            "sums/data/secret/b/testdata.yaml",
            "accept_score: 70\ngrader_flags: avg\n",
            "error: sums/data/secret/b/testdata.yaml: not carried: the points: the mean of cases",
        ),
        ("sums/output_validators/a.py", "", "both exist"),
    ];
    for (path, text, expected) in table {
        let repo = scored("min");
        repo.file("sums/problem_statement/problem.en.tex", "\\problemname{A}\n").file(path, text);
        if path.ends_with("a.py") {
            repo.file("sums/output_validator/a.py", "");
            repo.file("sums/problem.yaml", "name: A\ntype: scoring\nvalidation: custom\n");
        }
        let old = snapshot(&repo, "sums");
        let ran = repo.run(&["upgrade", "sums"]);
        assert_eq!(ran.status, 2, "{path}: {}", ran.all());
        assert!(ran.stderr.contains(expected), "{path}: {}", ran.all());
        assert_eq!(snapshot(&repo, "sums"), old, "{path}");
    }
    let repo = scored("min");
    repo.file("taken/file", "");
    let ran = repo.run(&["upgrade", "sums", "--to", "taken"]);
    assert_eq!(
        (ran.status, ran.stderr.contains("taken already exists")),
        (2, true),
        "{}",
        ran.all()
    );
    let repo = scored("avg");
    let ran = repo.run(&["upgrade", "sums", "--to", "copy"]);
    assert_eq!((ran.status, repo.path("copy/problem.yaml").exists()), (2, true), "{}", ran.all());
}

#[test]
fn a_package_that_is_upgraded_and_exported_back_has_the_old_settings() {
    let repo = scored("min");
    let old = snapshot(&repo, "sums");
    let before = judged(&repo, "sums");
    assert_eq!(repo.run(&["upgrade", "sums"]).status, 0);
    let ran = repo.run(&["export", "sums", "--to", "kattis-legacy", "-o", "back/sums.zip"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let lost = "warning: not carried: `submissions/submissions.yaml`: only the folders state what is expected\n";
    assert_eq!(ran.stderr, lost, "{}", ran.all());
    let mut archive =
        zip::ZipArchive::new(std::fs::File::open(repo.path("back/sums.zip")).unwrap()).unwrap();
    archive.extract(repo.path("back/sums")).unwrap();
    let new = snapshot(&repo, "back/sums");
    let names =
        |files: &BTreeMap<String, String>| -> Vec<String> { files.keys().cloned().collect() };
    // The samples get settings, which they inherited before.
    let mut expected = names(&old);
    expected.push("data/sample/testdata.yaml".to_owned());
    expected.sort();
    assert_eq!(names(&new), expected);
    let lines = |text: &str| {
        let lines = text.replace('"', "");
        let mut lines: Vec<String> =
            lines.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    for group in ["", "secret/", "secret/a/", "secret/b/"] {
        let file = format!("data/{group}testdata.yaml");
        let range = |text: &str| text.replace("range: 0 100\n", "");
        assert_eq!(lines(&range(&new[&file])), lines(&range(&old[&file])), "{file}");
    }
    let shown = "type: scoring\ngrading:\n  show_test_data_groups: true\n";
    assert!(new["problem.yaml"].contains(shown), "{}", new["problem.yaml"]);
    assert_eq!(judged(&repo, "back/sums"), before);
}

#[test]
fn what_the_legacy_format_cannot_state_is_listed() {
    let repo = Repo::new();
    repo.problem(
        "sum",
        "name: {en: Sum & 100%, sv: Summa}\ntype: pass-fail\nversion: \"2\"\ncredits: {authors: [Ada, Bo], testers: Cy}\n\
         source: {name: Cup, url: https://example.org}\nkeywords: [easy, sums]\nlimits: {time_limit: 2}\n",
        &[("sample/1", "1 2\n", "3\n"), ("secret/2", "3 4\n", "7\n"), ("secret/3", "3 5\n", "8\n")],
    );
    for (path, text) in [
        ("statement/problem.en.tex", "Add.\n"),
        ("statement/problem.sv.tex", "\\problemname{}\nAddera.\n"),
        ("statement/problem.de.md", "Addiere.\n"),
        ("data/secret/2.yaml", "hint: Add.\noutput_validator_args: [case_sensitive]\n"),
        ("data/secret/3.yaml", "full_feedback: true\n"),
        ("solution/solution.en.md", "Add.\n"),
        ("submissions/accepted/sum.sh", SUM),
        ("submissions/brute_force/loop.sh", SUM),
    ] {
        repo.file(&format!("cases/sum/{path}"), text);
    }
    let ran = repo.run(&["export", "cases/sum", "--to", "kattis-legacy", "-o", "sum.zip"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    for what in [
        "error: not carried: the different arguments of validators in `data/secret`",
        "warning: not carried: `credits.testers`",
        "warning: not carried: `version`",
        "warning: not carried: `full_feedback`",
        "warning: not carried: the time limit of 2 s",
        "warning: not carried: the statement `problem.de.md`",
        "warning: not carried: `solution/`, which the legacy format does not have",
        "warning: not carried: `cases/sum/submissions/brute_force/loop.sh`, whose folder problemtools does not read",
    ] {
        assert!(ran.stderr.contains(what), "{what}: {}", ran.all());
    }
    let mut archive =
        zip::ZipArchive::new(std::fs::File::open(repo.path("sum.zip")).unwrap()).unwrap();
    archive.extract(repo.path("out")).unwrap();
    assert_eq!(
        repo.read("out/problem.yaml"),
        "problem_format_version: legacy\nname: \"Sum & 100%\"\nauthor: \"Ada, Bo\"\nsource: \"Cup\"\n\
         source_url: \"https://example.org\"\nkeywords: \"easy sums\"\nlimits:\n  time_multiplier: 2\n  \
         time_safety_margin: 1.5\n"
    );
    assert_eq!(
        repo.read("out/problem_statement/problem.en.tex"),
        "\\problemname{Sum \\& 100\\%}\nAdd.\n"
    );
    assert_eq!(
        repo.read("out/problem_statement/problem.sv.tex"),
        "\\problemname{Summa}\n\nAddera.\n"
    );
    assert_eq!(repo.read("out/data/secret/2.hint"), "Add.\n");
}

#[test]
fn an_interrupted_upgrade_leaves_the_old_or_the_new_package_and_nothing_else() {
    let new = {
        let repo = large();
        assert_eq!(repo.run(&["upgrade", "sums"]).status, 0);
        snapshot(&repo, "sums")
    };
    for pause in [20, 40, 60, 80] {
        let repo = large();
        let old = snapshot(&repo, "sums");
        let mut command = repo.command(&["upgrade", "sums"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let pid = Pid::from_child(&child);
        std::thread::sleep(Duration::from_millis(pause));
        // It may have ended.
        let _ = kill_process(pid, Signal::TERM);
        child.wait().unwrap();
        let found = snapshot(&repo, "sums");
        assert!(found == old || found == new, "{pause} ms: {:?}", found.keys().take(5));
    }
}

/// As [`scored`], with many cases.
fn large() -> Repo {
    let repo = scored("min");
    for number in 0..500 {
        repo.file(&format!("sums/data/secret/b/c{number}.in"), "1 1\n");
        repo.file(&format!("sums/data/secret/b/c{number}.ans"), "2\n");
    }
    repo
}

/// The last table has what is lost, by its key.
#[test]
fn the_keys_of_generators_are_those_of_the_new_format() {
    let table: [(&str, &str, &[&str]); 7] = [
        (
            "testdata.yaml:\n  output_validator_flags: case_sensitive  --x=1 # a comment\n",
            "test_group.yaml:\n  output_validator_args: [case_sensitive, --x=1] # a comment\n",
            &[],
        ),
        (
            "data: {secret: {testdata.yaml: {input_validator_flags: 'a b', output_validator_flags: c}}}\n",
            "data: {secret: {test_group.yaml: {input_validator_args: [\"a\", \"b\"], output_validator_args: [\"c\"]}}}\n",
            &[],
        ),
        (
            "data:\n  invalid_inputs: &bad\n    data: {x: {in: '-1'}}\n  \"invalid_outputs\":\n    data: {}\n",
            "data:\n  invalid_input: &bad\n    data: {x: {in: '-1'}}\n  \"invalid_output\":\n    data: {}\n",
            &[],
        ),
        (
            "data:\n  invalid_answers: {data: {}}\n  valid_outputs: {data: {}}\n",
            "data:\n  invalid_answer: {data: {}}\n  valid_output: {data: {}}\n",
            &[],
        ),
        // Names of cases and texts stay.
        (
            "data: {sample: {data: {'1': {in: testdata.yaml, ans: invalid_inputs}}}}\n",
            "data: {sample: {data: {'1': {in: testdata.yaml, ans: invalid_inputs}}}}\n",
            &[],
        ),
        (
            "visualizer: /visualizers/v.py\ndata: {secret: {data: [{a: {in: '1', hint: no}}]}}\n",
            "visualizer: /visualizers/v.py\ndata: {secret: {data: [{a: {in: '1', hint: no}}]}}\n",
            &[
                "1:1: not carried: `visualizer`: write it anew",
                "2:38: not carried: `hint`: write it anew",
            ],
        ),
        ("data: [\n", "data: [\n", &["it is not valid YAML"]),
    ];
    for (old, new, lost) in table {
        let repo = scored("min");
        let file = "sums/generators/generators.yaml";
        repo.file(file, old);
        let ran = repo.run(&["upgrade", "sums"]);
        assert_eq!(repo.read(file), new, "{}", ran.all());
        for one in lost {
            assert!(ran.all().contains(one), "{one}: {}", ran.all());
        }
    }
}
