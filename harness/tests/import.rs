//! `rejudge import` and `rejudge new`: the new problem can be judged at once, existing files are
//! not replaced, and anything that could not be imported is listed.

use std::io::Write as _;

use crate::support::Repo;
use zip::write::SimpleFileOptions;

const SUM: &str = "fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!(\"{sum}\");
}
";
const THREE: &str = "fn main() { println!(\"3\"); }\n";

/// A repository with a Polygon package of the problem `sum` next to its folders.
fn with_polygon() -> Repo {
    let repo = Repo::new();
    repo.file("rejudge.toml", "[defaults]\njobs = 1\n");
    for (path, text) in [
        ("problem.xml", include_str!("fixtures/layouts/problem.xml")),
        ("tests/01", "1 2\n"),
        ("tests/01.a", "3\n"),
        ("tests/02", "5 7\n"),
        ("tests/02.a", "12\n"),
        ("solutions/sum.rs", SUM),
        ("solutions/three.rs", THREE),
        ("solutions/crash.rs", "fn main() { panic!() }\n"),
    ] {
        repo.file(&format!("A-Plus B/{path}"), text);
    }
    repo
}

#[test]
fn options_state_the_time_limit_of_an_imported_problem() {
    let repo = with_polygon();
    assert_eq!(repo.run(&["import", "A-Plus B", "-t", "3s"]).status, 0);
    let yaml = repo.read("cases/aplusb/problem.yaml");
    assert!(yaml.contains("  time_limit: 3\n"), "{yaml}");
    // A package is copied as it is.
    repo.file("pack/problem.yaml", "problem_format_version: 2025-09\nname: Pack\n")
        .file("pack/data/secret/1.in", "1 2\n")
        .file("pack/data/secret/1.ans", "3\n")
        .file("pack/submissions/accepted/sum.rs", SUM);
    let ran = repo.run(&["import", "pack", "-t", "2"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("`[problems.pack]` has time_limit = 2"), "{}", ran.all());
    assert!(repo.read("rejudge.toml").ends_with("[problems.pack]\ntime_limit = 2\n"));
    assert!(repo.run(&["run", "pack", "-v"]).stdout.contains(" of 2 s"));
}

#[test]
fn a_package_is_imported_with_its_limits_checker_and_solutions() {
    let repo = with_polygon();
    let ran = repo.run(&["import", "A-Plus B"]);
    assert_eq!(
        ran.all(),
        "aplusb: 2 cases, 3 solutions -> cases/aplusb\n  next: rejudge run aplusb\n--- exit status 0"
    );
    let yaml = repo.read("cases/aplusb/problem.yaml");
    assert!(yaml.contains("name: \"Sum\"\n"), "{yaml}");
    assert!(
        yaml.ends_with(
            "limits:\n  time_limit: 1.5\n  time_resolution: 0.5\n  memory: 128\n  output: 64\n"
        ),
        "{yaml}"
    );
    assert_eq!(
        repo.read("cases/aplusb/data/test_group.yaml"),
        "output_validator_args: [\"case_sensitive\"]\n"
    );
    assert_eq!(repo.read("cases/aplusb/data/sample/01.in"), "1 2\n");
    assert_eq!(repo.read("cases/aplusb/data/secret/02.ans"), "12\n");
    for solution in ["sum.rs", "wrong_answer/three.rs", "rejected/crash.rs"] {
        assert!(repo.path(&format!("solutions/aplusb/{solution}")).is_file());
    }
    let ran = repo.run(&["run", "aplusb"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // Existing files are not replaced, and no other files are left.
    let again = repo.run(&["import", "A-Plus B"]);
    assert_eq!(
        again.errors(),
        "error: cases/aplusb already exists\n\
         help: choose another name: `--name NAME`\n--- exit status 2"
    );
    assert_eq!(repo.run(&["import", "A-Plus B", "--name", "other"]).status, 0);
    let ran = repo.run(&["import", "A-Plus B", "--name", "No Name"]);
    assert!(ran.stderr.contains("help: `--name noname`"), "{}", ran.stderr);
    let entries = std::fs::read_dir(repo.path("cases")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["aplusb", "other"]);
}

#[test]
fn archives_keep_their_order_and_checkers_without_a_flag_go_to_the_settings() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "[defaults]\njobs = 1");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [
        ("config.yaml", "type: default\ntime: 2s\n"),
        ("2.in", "1 2\n"),
        ("2.out", "3\n"),
        ("10.in", "5 7\n"),
        ("10.out", "12 \n"),
    ] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    repo.file("Sum (2).zip", archive.finish().unwrap().into_inner());
    let ran = repo.run(&["import", "Sum (2).zip", "--into", "cases"]);
    assert_eq!(
        ran.all(),
        "sum2: 2 cases, 0 solutions -> cases/sum2\n  \
         rejudge.toml: `[problems.sum2]` has checker = \"lines:hydro\"\n  \
         next: write solutions/sum2/sum2.rs, then: rejudge run sum2\n--- exit status 0"
    );
    repo.file("solutions/sum2/sum2.rs", SUM);
    let ran = repo.run(&["run", "-vv"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let place = |case: &str| ran.stdout.find(case).unwrap();
    assert!(place("secret/1-2") < place("secret/2-10"), "{}", ran.stdout);
}

#[test]
fn points_are_imported_as_groups_of_the_format() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "");
    let init = "checker: identical\ntest_cases:\n- {in: a.in, out: a.out, points: 30}\n- points: 30\n  \
                batched: [{in: b.in, out: b.out}]\n- points: 40\n  dependencies: [1]\n  batched:\n  \
                - {in: a.in, out: a.out}\n  - {in: b.in, out: b.out}\n";
    for (path, text) in [
        ("init.yml", init),
        ("a.in", "1 2\n"),
        ("a.out", "3\n"),
        ("b.in", "5 7\n"),
        ("b.out", "12\n"),
        ("sum.rs", SUM),
        ("three.rs", THREE),
    ] {
        repo.file(&format!("there/{path}"), text);
    }
    let score = |args: &[&str]| {
        let ran = repo.run(&[&["run", "--json", "-"], args].concat());
        let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
        let mut scores = lines.filter_map(|line: serde_json::Value| line["score"].as_f64());
        // Scores of cases come first.
        scores.next_back().unwrap_or_else(|| panic!("{}", ran.all()))
    };
    let [right, partly] = [100.0, 30.0];
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
    near(score(&["there/sum.rs"]), right);
    near(score(&["there/three.rs"]), partly);
    assert_eq!(repo.run(&["import", "there", "--name", "sum"]).status, 0);
    assert!(repo.read("cases/sum/problem.yaml").contains("type: scoring\n"));
    assert_eq!(
        repo.read("cases/sum/data/secret/3/test_group.yaml"),
        "max_score: 40\nscore_aggregation: pass-fail\nrequire_pass: [secret/2]\n"
    );
    near(score(&["solutions/sum/sum.rs"]), right);
    near(score(&["solutions/sum/three.rs"]), partly);
}

#[test]
fn an_icpc_package_is_imported_unchanged() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "");
    for (path, text) in [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Sum\n"),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/g/test_group.yaml", "output_validator_args: [case_sensitive]\n"),
        ("data/secret/g/1.in", "5 7\n"),
        ("data/secret/g/1.ans", "12\n"),
        ("statement/problem.en.md", "# Sum\n"),
        ("submissions/accepted/sum.rs", SUM),
        ("submissions/wrong_answer/three.rs", THREE),
    ] {
        repo.file(&format!("there/{path}"), text);
    }
    std::os::unix::fs::symlink("/etc/passwd", repo.path("there/statement/link")).unwrap();
    let ran = repo.run(&["import", "there", "--name", "sum"]);
    assert_eq!(
        ran.all(),
        "sum: 2 cases, 2 solutions -> cases/sum\n  next: rejudge run sum\n--- standard error\n\
         warning: not imported: statement/link, which is a link out of the problem\n--- exit status 0"
    );
    assert!(repo.path("cases/sum/statement/problem.en.md").is_file());
    assert!(repo.path("cases/sum/data/secret/g/test_group.yaml").is_file());
    assert!(!repo.path("cases/sum/submissions").exists());
    assert_eq!(repo.run(&["run"]).status, 0);
}

#[test]
fn a_failed_import_is_explained_and_leaves_no_files() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "");
    repo.file("empty/readme", "");
    repo.file("broken/problem.xml", "<problem");
    repo.file("bad.zip", "no archive");
    for (path, message) in [
        ("nowhere", "no such file or folder: `nowhere`"),
        ("empty", "has neither test cases nor problems"),
        ("broken", "not valid XML"),
        ("bad.zip", "not a readable ZIP archive"),
    ] {
        let ran = repo.run(&["import", path]);
        assert!(ran.stderr.contains(message), "{path}: {}", ran.all());
        assert_eq!(ran.status, 2, "{path}");
    }
    assert!(!repo.path("cases").exists());
}

#[test]
fn a_new_problem_can_be_judged_at_once() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "");
    let ran = repo.run(&["new", "tower"]);
    assert_eq!(
        ran.all(),
        "cases/tower: problem.yaml, statement/, data/sample/ of an example problem\n\
         solutions/tower/tower.rs: its solution\n\
         next: rejudge run tower; then make the problem your own: write its cases to \
         cases/tower/data/secret/, answers with `rejudge answer tower --from SOLUTION`\n\
         --- exit status 0"
    );
    let ran = repo.run(&["run"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(ran.stderr, "");
    // First a second solution in another language; then there is nothing left to do.
    assert_eq!(repo.run(&["new", "tower", "--language", "py"]).status, 0);
    assert!(repo.path("solutions/tower/tower.py").is_file());
    let ran = repo.run(&["new", "tower"]);
    assert!(ran.stderr.contains("already exist"), "{}", ran.all());
    assert_eq!(ran.status, 2);
    // From a folder below, the paths are those that lead there from it.
    repo.file("notes/deep/x", "");
    let ran = repo.finish(&mut repo.command_in("notes/deep", &["new", "tower"]));
    let told = "error: ../../cases/tower and its solution already exist\n";
    assert!(ran.stderr.starts_with(told), "{}", ran.all());
    // A starter in another language would solve the example problem, not this one.
    repo.file("cases/lake/problem.yaml", "name: Lake\n").file("solutions/lake/a.py", "");
    let ran = repo.run(&["new", "lake"]);
    assert!(
        ran.stderr.contains(" next to `solutions/lake/a.py`, add `--language"),
        "{}",
        ran.all()
    );
    assert_eq!(ran.status, 2);
    let ran = repo.finish(&mut repo.command_in("notes", &["new", "river"]));
    assert!(ran.stdout.starts_with("../cases/river: problem.yaml"), "{}", ran.all());
    assert!(
        ran.stdout.contains(" write its cases to ../cases/river/data/secret/,"),
        "{}",
        ran.all()
    );
    // Options about a package that exists change nothing.
    let args = ["new", "tower", "--full", "--title", "T", "--language", "c"];
    let ran = repo.run(&args);
    for option in ["--full", "--title"] {
        let warning =
            format!("warning: cases/tower already exists: `{option}` changes nothing in it\n");
        assert!(ran.stderr.contains(&warning), "{}", ran.all());
    }
    for (args, message) in [
        (&["new", "My Tower"][..], "help: `rejudge new mytower`"),
        (&["new", "x", "--title", " "], "the title of `--title` is empty"),
        (&["new", "x", "--language", "klingon"], "no such language: `klingon`"),
        (&["new", "x", "--language", "awk"], "there is no starter solution in `awk`"),
    ] {
        let ran = repo.run(args);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.all());
        assert_eq!(ran.status, 2, "{args:?}");
    }
    assert!(!repo.path("cases/x").exists());
    // With a custom template.
    repo.file("rejudge.toml", "template = \"lib/start.rs\"\n").file("lib/start.rs", SUM);
    assert_eq!(repo.run(&["new", "bridge"]).status, 0);
    assert_eq!(repo.read("solutions/bridge/bridge.rs"), SUM);
}

#[test]
fn a_package_with_an_empty_name_does_not_pass_a_strict_check() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "");
    assert_eq!(repo.run(&["new", "sum", "--full", "--language", "c"]).status, 0);
    let yaml = repo.read("cases/sum/problem.yaml");
    for name in ["\"\"", "\" \"", "{en: \"\"}"] {
        repo.file("cases/sum/problem.yaml", yaml.replace("\"New problem\"", name));
        let ran = repo.run(&["verify", "--strict", "sum"]);
        assert_ne!(ran.status, 0, "{name}: {}", ran.all());
        assert!(ran.all().contains("`name` is empty"), "{name}: {}", ran.all());
        assert_eq!(repo.run(&["run", "sum"]).status, 0, "{name}");
    }
}

#[test]
fn cases_of_coci_are_imported_without_a_word() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "");
    for case in ["1a", "1b", "2"] {
        repo.file(&format!("t/t.in.{case}"), "1\n").file(&format!("t/t.out.{case}"), "1\n");
    }
    let ran = repo.run(&["import", "t"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.all());
    // What is no part of a case is named.
    repo.file("t/t.asm", "x\n");
    let ran = repo.run(&["import", "t", "--name", "u"]);
    assert!(ran.stderr.contains("t/t.asm is not in a known language"), "{}", ran.all());
    assert_eq!(ran.stderr.matches("warning").count(), 1, "{}", ran.all());
}

#[test]
fn every_starter_solves_the_new_problem() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "");
    let installed = repo.run(&["languages", "--json", "-"]).stdout;
    for language in ["rust", "cpp", "c", "python3", "java", "go", "javascript"] {
        let known = installed.lines().find(|line| line.contains(&format!("\"id\":\"{language}\"")));
        if !known.unwrap().contains("\"installed\":true") {
            crate::support::skip(&format!(
                "{language} is not installed, so its starter is not judged"
            ));
            continue;
        }
        let id = format!("p{language}");
        assert_eq!(repo.run(&["new", &id, "--language", language]).status, 0);
        let ran = repo.run(&["run", &id]);
        assert_eq!(ran.status, 0, "{language}: {}", ran.all());
    }
}

#[test]
#[ignore = "a minute: `.ci/full long` runs it"]
fn a_full_new_problem_needs_no_correction() {
    for (language, program) in [("rust", "rustc"), ("cpp", "g++"), ("python3", "python3")] {
        if std::process::Command::new(program).arg("--version").output().is_err() {
            crate::support::skip(
                "a compiler is missing, so new problems in its language are not tested",
            );
            continue;
        }
        let repo = Repo::new();
        // A template solves another problem.
        repo.file("rejudge.toml", "template = \"main.rs\"\n").file("main.rs", "fn main() {}\n");
        let title = "A: \"sum\"";
        let ran = repo.run(&["new", "sum", "--full", "--title", title, "--language", language]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        let yaml = repo.read("cases/sum/problem.yaml");
        assert!(yaml.contains("name: \"A: \\\"sum\\\"\"\n"), "{yaml}");
        let statement = repo.read("cases/sum/statement/problem.en.tex");
        assert!(statement.starts_with("\\problemname{}\n"), "{statement}");
        let ran = repo.run(&["verify", "--strict", "sum"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{language}: {}", ran.all());
        let ran = repo.run(&["generate", "--check", "sum"]);
        assert_eq!(ran.stdout, "sum: 4 cases as generated\n", "{language}: {}", ran.all());
    }
}

#[test]
fn links_inside_an_imported_package_become_copies() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "");
    for (path, text) in [
        ("problem.yaml", "name: Sum\n"),
        ("data/secret/g1/1.in", "1 2\n"),
        ("data/secret/g1/1.ans", "3\n"),
        ("data/secret/g2/5.in", "5 7\n"),
        ("data/secret/g2/5.ans", "12\n"),
        ("submissions/accepted/sum.rs", SUM),
    ] {
        repo.file(&format!("there/{path}"), text);
    }
    let secret = repo.path("there/data/secret");
    for (target, link) in [("../g1/1.in", "g2/1.in"), ("../g1/1.ans", "g2/1.ans"), ("g2", "g3")] {
        std::os::unix::fs::symlink(target, secret.join(link)).unwrap();
    }
    std::os::unix::fs::symlink("..", repo.path("there/data/around")).unwrap();
    let ran = repo.run(&["import", "there", "--name", "sum"]);
    assert_eq!(
        ran.all(),
        "sum: 5 cases, 1 solution -> cases/sum\n  next: rejudge run sum\n--- standard error\n\
         warning: there/data/around has no meaning in `data/` and is never read\n\
         warning: not imported: data/around, which is a link that leads nowhere\n--- exit status 0"
    );
    let copy = repo.path("cases/sum/data/secret/g3/1.in");
    assert!(copy.symlink_metadata().unwrap().is_file());
    let ran = repo.run(&["run"]);
    assert!(ran.stdout.contains("5/5 accepted"), "{}", ran.all());
}
