//! Archives are read in place, whatever their layout, and malicious ones do no harm.

use std::io::Write as _;

use zip::write::SimpleFileOptions;

use crate::layouts::{Files, SUM, THREE, fixtures, judged};
use crate::support::Repo;

/// Writes an archive.
pub(super) fn zipped(repo: &Repo, path: &str, files: &[(&str, &str)]) {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    let bytes = archive.finish().unwrap().into_inner();
    repo.file(path, bytes);
}

/// Writes an archive with these files in one folder.
fn zipped_below(repo: &Repo, archive: &str, folder: &str, files: &[(&str, &str)]) {
    let files: Vec<(String, &str)> =
        files.iter().map(|(name, text)| (format!("{folder}/{name}"), *text)).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    zipped(repo, archive, &files);
}

/// Compilers and programs name files below the cache, to which the archive is unpacked.
#[test]
fn messages_of_compilers_and_programs_name_the_archive() {
    if crate::support::lacks("g++") {
        return;
    }
    let repo = Repo::new();
    let files = [
        ("1.in", "1\n"),
        ("1.out", "1\n"),
        ("a.cpp", "int main() { return x; }\n"),
        ("b.py", "print(1 // 0)\n"),
    ];
    zipped(&repo, "all.zip", &files);
    let ran = repo.run(&["run", "all.zip"]);
    assert!(ran.stdout.contains("all.zip/a.cpp:1:"), "{}", ran.all());
    assert!(ran.stdout.contains("File \"all.zip/b.py\", line 1"), "{}", ran.all());
    assert!(!ran.all().contains("/cases/"), "{}", ran.all());
}

#[test]
fn an_archive_is_read_in_place() {
    for fixture in fixtures() {
        if matches!(fixture.layout, "cph" | "cpbooster" | "competitest" | "cp-editor") {
            continue;
        }
        let repo = Repo::new();
        repo.file("there.rs", SUM).file("wrong.rs", THREE);
        zipped(&repo, "tests.zip", fixture.files);
        zipped_below(&repo, "wrapped.zip", "a task", fixture.files);
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

/// Archives, other files, and the numbers of cases of the first two problems.
type ArchivesBeside<'a> = (&'a [(&'a str, Files)], Files, [usize; 2]);

#[test]
fn an_archive_of_nothing_but_cases_counts_if_nothing_else_does() {
    const SECOND: Files =
        &[("1.in", "4 5\n"), ("1.out", "9\n"), ("2.in", "0 1\n"), ("2.out", "1\n")];
    const FIRST: Files = &[("1.in", "1 2\n"), ("1.out", "3\n")];
    const FOLDERS: Files = &[("input/1.txt", "1 2\n"), ("output/1.txt", "3\n")];
    const MORE: Files = &[("1.in", "1 2\n"), ("1.out", "3\n"), ("README.md", "")];
    let table: [ArchivesBeside; 9] = [
        (&[("p/tests.zip", SECOND)], &[("p/sum.rs", SUM)], [2, 0]),
        (&[("p/sum.zip", FIRST)], &[("p/sum.rs", SUM)], [1, 0]),
        (&[("p/whatever.ZIP", FOLDERS)], &[("p/sum.rs", SUM)], [1, 0]),
        (&[("p/tests/all.zip", FIRST)], &[("p/sum.rs", SUM)], [1, 0]),
        (&[("p/tests.zip", FIRST)], &[("p/src/sum.rs", SUM)], [1, 0]),
        (&[("p/a.zip", FIRST), ("p/b.zip", SECOND)], &[("p/a.rs", SUM), ("p/b.rs", SUM)], [1, 2]),
        // Other cases count, and the archive does not.
        (
            &[("p/tests.zip", SECOND)],
            &[("p/sum.rs", SUM), ("p/1.in", "1\n"), ("p/1.out", "1\n")],
            [1, 0],
        ),
        (
            &[("p/tests.zip", SECOND)],
            &[("p/a.rs", SUM), ("p/a1.in", "1\n"), ("p/a1.out", "1\n"), ("p/b.rs", SUM)],
            [1, 0],
        ),
        (
            &[("p/tests.zip", MORE)],
            &[("p/sum.rs", SUM), ("q/b.rs", SUM), ("q/1.in", "1\n"), ("q/1.out", "1\n")],
            [1, 0],
        ),
    ];
    for (archives, files, cases) in table {
        let repo = Repo::new();
        for (path, files) in archives {
            zipped(&repo, path, files);
        }
        for (path, text) in files {
            repo.file(path, text);
        }
        let what = archives[0].0;
        let ran = repo.run(&["list", "--json", "-"]);
        let problems = ran.stdout.lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            line["case_files"].as_array().map_or(0, Vec::len)
        });
        let found: Vec<usize> = problems.filter(|count| *count > 0).collect();
        let expected: Vec<usize> = cases.into_iter().filter(|count| *count > 0).collect();
        assert_eq!(found, expected, "{what}: {}", ran.all());
        let ran = repo.run(&["run"]);
        assert_eq!(ran.status, 0, "{what}: {}", ran.all());
        let (path, _) = files[0];
        if path.starts_with("p/s") && archives[0].1.len() != MORE.len() {
            let ran = repo.run(&["run", path]);
            assert!(ran.stdout.contains("accepted"), "{what}: {}", ran.all());
        }
    }
}

#[test]
fn a_hostile_archive_next_to_a_source_costs_one_line() {
    for (files, message) in [
        (&[("../1.in", "1 2\n")][..], "its entry `../1.in` leads out of the archive"),
        (&[("1.in", "1\n"), ("1.IN", "2\n")], "on many systems"),
    ] {
        let repo = Repo::new();
        repo.file("bad/sum.rs", SUM)
            .file("good/sum.rs", SUM)
            .file("good/1.in", "1 2\n")
            .file("good/1.out", "3\n");
        zipped(&repo, "bad/tests.zip", files);
        let ran = repo.run(&["run"]);
        assert!(ran.stderr.contains(message), "{}", ran.all());
        assert!(ran.stdout.contains("good"), "{}", ran.all());
        assert_eq!(ran.status, 2, "{}", ran.all());
        // The source looks for cases in two trees, and both have the archive.
        let ran = repo.run(&["run", "bad/sum.rs"]);
        assert_eq!(ran.stderr.matches(message).count(), 1, "{}", ran.all());
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(!repo.path("1.in").exists());
    }
}

#[test]
fn an_archive_next_to_a_source_that_is_not_selected_is_not_opened() {
    let repo = Repo::new();
    repo.file("p/a.rs", SUM)
        .file("p/1.in", "1 2\n")
        .file("p/1.out", "3\n")
        .file("p/q/lone.rs", SUM)
        .file("r/b.rs", SUM)
        .file("r/backup.zip", "not an archive");
    let ran = repo.run(&["list", "p"]);
    assert!(!ran.stderr.contains("backup"), "{}", ran.all());
    assert_eq!(ran.status, 0, "{}", ran.all());
    let ran = repo.run(&["list", "r"]);
    assert!(ran.stderr.contains("r/backup.zip"), "{}", ran.all());
}

#[test]
fn an_archive_or_folder_without_solutions_explains_what_to_run() {
    let repo = Repo::new();
    zipped(&repo, "tests.zip", &[("1.in", "1 2\n"), ("1.out", "3\n")]);
    let ran = repo.run(&["run", "tests.zip"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "error: tests.zip has 1 case and no solution\n\
                 help: name the solution too: `rejudge run SOLUTION tests.zip`";
    assert!(ran.stderr.contains(error), "{}", ran.all());
    repo.file("tests/1.in", "1 2\n").file("tests/1.out", "3\n");
    let ran = repo.run(&["run", "tests"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let help = "help: name the solution too: `rejudge run SOLUTION tests`";
    assert!(ran.stderr.contains(help), "{}", ran.all());
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
fn hostile_archives_harm_nothing() {
    let repo = Repo::new();
    repo.file("there.rs", SUM);
    let table: [(&str, Files, &str); 4] = [
        ("out", &[("../1.in", "1 2\n")], "its entry `../1.in` leads out of the archive"),
        ("absolute", &[("/tmp/1.in", "1 2\n")], "is an absolute path"),
        ("case", &[("a.in", ""), ("A.in", "")], "on many systems"),
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
    assert!(ran.stderr.contains("not a readable ZIP archive"), "{}", ran.all());
}

#[test]
fn the_expectations_of_a_package_count_in_an_archive() {
    let expects = "foo/three.rs:\n  permitted: [AC]\n  required: [AC]\n";
    let files = [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Sum\n"),
        ("data/secret/1.in", "5 7\n"),
        ("data/secret/1.ans", "12\n"),
        ("submissions/foo/three.rs", THREE),
        ("submissions/submissions.yaml", expects),
    ];
    let repo = Repo::new();
    zipped(&repo, "p.zip", &files);
    zipped_below(&repo, "wrapped.zip", "p", &files);
    for archive in ["p.zip", "wrapped.zip"] {
        let ran = repo.run(&["run", archive]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        let origin = format!("got WA, expected AC ({archive}/submissions/submissions.yaml:1)");
        assert!(ran.stdout.contains(&origin), "{}", ran.all());
        let ran = repo.run(&["list", archive]);
        assert!(!ran.all().contains("not named after a verdict"), "{}", ran.all());
        let source = format!("{archive}/submissions/foo/three.rs");
        assert!(ran.stdout.contains(&source), "{}", ran.all());
        let ran = repo.run(&["verify", archive]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        let error = format!("error: {source}: WA instead of foo: {origin}");
        assert!(ran.stdout.contains(&error), "{error}\n{}", ran.all());
        let warning = format!("warning: {archive}/statement: there is no statement");
        let warned = ran.stdout.replace(&format!("{archive}/p/"), &format!("{archive}/"));
        assert!(warned.contains(&warning), "{}", ran.all());
        let ran = repo.run(&["time", archive]);
        let name = archive.strip_suffix(".zip").unwrap();
        assert!(ran.stdout.starts_with(&format!("{name}: ")), "{}", ran.all());
        assert!(ran.stdout.contains(&source), "{}", ran.all());
        let ran = repo.run(&["import", archive]);
        let imported = format!("{name}: 1 case, 1 solution -> ");
        assert!(ran.stdout.contains(&imported), "{}", ran.all());
        let solution = repo.path(&format!("solutions/{name}/three.rs"));
        assert!(solution.is_file(), "{}", ran.all());
    }
}
