//! Malicious packages, as a folder and as an archive, given to each command that reads packages: to
//! judge, check, list and import them. Each is reported in one sentence. rejudge reads and writes
//! nothing outside the package, and never blocks.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use crate::support::Repo;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

type HostileFiles = Vec<(&'static str, String)>;

/// The commands that read a package; `@` stands for the package.
const WAYS: [&[&str]; 4] =
    [&["run", "@"], &["verify", "@"], &["list", "@"], &["import", "@", "--name", "taken"]];

/// A valid package with additional files.
fn package(more: &[(&'static str, &str)]) -> HostileFiles {
    let mut files: HostileFiles = [
        (
            "problem.yaml",
            "problem_format_version: 2025-09\nname: P\ntype: scoring\nlimits: {time_limit: 5}\n",
        ),
        ("data/secret/a/test_group.yaml", "max_score: 100\n"),
        ("data/secret/a/1.in", "1\n"),
        ("data/secret/a/1.ans", "1\n"),
        ("submissions/accepted/a.sh", "echo 1\n"),
    ]
    .map(|(name, text)| (name, text.to_owned()))
    .into();
    for (name, text) in more {
        files.retain(|(old, _)| old != name);
        files.push((name, (*text).to_owned()));
    }
    files
}

fn yaml_bomb() -> String {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        let aliases = vec![format!("*a{}", i - 1); 8].join(", ");
        writeln!(bomb, "a{i}: &a{i} [{aliases}]").unwrap();
    }
    bomb
}

/// An archive with these entries.
fn zipped(fill: impl FnOnce(&mut ZipWriter<Cursor<Vec<u8>>>)) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    fill(&mut archive);
    archive.finish().unwrap().into_inner()
}

fn add(archive: &mut ZipWriter<Cursor<Vec<u8>>>, name: &str, text: &[u8]) {
    archive.start_file(name, SimpleFileOptions::default()).unwrap();
    archive.write_all(text).unwrap();
}

/// Every command exits with status 2, prints `words`, and leaves no files behind.
fn refused(repo: &Repo, package: &str, words: &str) {
    refused_by(&WAYS, repo, package, words);
}

fn refused_by(ways: &[&[&str]], repo: &Repo, package: &str, words: &str) {
    for way in ways {
        let args: Vec<&str> =
            way.iter().map(|word| if *word == "@" { package } else { word }).collect();
        let ran = repo.run(&args);
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.all());
        assert!(ran.all().contains(words), "{args:?}: {words}\n{}", ran.all());
        assert!(!ran.all().contains("panicked"), "{}", ran.all());
        for place in ["cases", "solutions", "evil.in", "evil.ans"] {
            assert!(!repo.path(place).exists(), "{args:?}: {place}");
        }
    }
}

#[test]
fn misleading_folders_and_archives_are_refused_by_every_command() {
    let bomb = yaml_bomb();
    let dmoj = |input: &str| format!("test_cases: [{{in: {input}, out: 1.out, points: 1}}]\n");
    let polygon = "<problem short-name=\"p\"><judging><testset name=\"tests\"><test-count>1</test-count>\
        <input-path-pattern>../../evil%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
        </testset></judging></problem>";
    let (up, root) = (dmoj("../evil.in"), dmoj("/etc/hostname"));
    let table: [(&str, HostileFiles, &str); 8] = [
        ("aliases without end", package(&[("problem.yaml", &bomb)]), "problem.yaml:"),
        (
            "aliases without end in a group",
            package(&[("data/secret/a/test_group.yaml", &bomb)]),
            "test_group.yaml:",
        ),
        ("two files that describe it", package(&[("problem.yml", "name: Q\n")]), "both exist"),
        (
            "a group that requires itself",
            package(&[(
                "data/secret/a/test_group.yaml",
                "max_score: 100\nrequire_pass: secret/a\n",
            )]),
            "it requires itself",
        ),
        (
            "a group that requires a later one",
            package(&[(
                "data/secret/a/test_group.yaml",
                "max_score: 100\nrequire_pass: secret/b\n",
            )]),
            "it requires `secret/b`, which is not a group",
        ),
        (
            "a file above it",
            vec![("init.yml", up), ("1.out", String::new())],
            "`../evil.in` leads out of the package",
        ),
        (
            "a file by its absolute path",
            vec![("init.yml", root), ("1.out", String::new())],
            "`/etc/hostname` is an absolute path",
        ),
        (
            "a pattern that leads up",
            vec![("problem.xml", polygon.to_owned()), ("tests/01.a", String::new())],
            "leads out of the package",
        ),
    ];
    for (what, files, words) in table {
        let repo = Repo::new();
        for (name, text) in &files {
            repo.file(&format!("p/{name}"), text);
        }
        refused(&repo, "p", words);
        let archive = zipped(|archive| {
            for (name, text) in &files {
                add(archive, &format!("p/{name}"), text.as_bytes());
            }
        });
        let repo = Repo::new();
        repo.file("p.zip", archive);
        println!("{what}");
        refused(&repo, "p.zip", words);
    }
}

#[test]
fn archives_that_are_dangerous_to_unpack_are_refused_by_every_command() {
    let options = SimpleFileOptions::default();
    let large = zipped(|archive| add(archive, "large", &vec![0; 8 << 20]));
    let bomb = zipped(|archive| {
        let mut one = zip::ZipArchive::new(Cursor::new(&large)).unwrap();
        for number in 0..60 {
            let entry = one.by_index_raw(0).unwrap();
            archive.raw_copy_file_rename(entry, format!("{number}.in")).unwrap();
        }
    });
    let table = [
        (
            zipped(|archive| add(archive, "../evil.in", b"1\n")),
            "its entry `../evil.in` leads out of the archive",
        ),
        (
            zipped(|archive| add(archive, "a/../../evil.in", b"1\n")),
            "its entry `a/../../evil.in` leads out of the archive",
        ),
        (zipped(|archive| add(archive, "/evil.in", b"1\n")), "is an absolute path"),
        (
            zipped(|archive| {
                archive.add_symlink("1.in", "/etc/hostname", options).unwrap();
            }),
            "is a symbolic link",
        ),
        (bomb, "MiB, so it is refused"),
        (b"PK\x03\x04 and nothing more".to_vec(), "not a readable ZIP archive"),
    ];
    for (archive, words) in table {
        let repo = Repo::new();
        repo.file("p.zip", archive);
        refused(&repo, "p.zip", words);
    }
}

#[test]
fn links_out_of_a_package_are_refused_by_every_command() {
    for (link, words) in [
        (
            "data/secret/a/2.in",
            "p/data/secret/a/2.in is a symbolic link that leads out of the package",
        ),
        (
            "submissions/accepted/b.sh",
            "p/submissions/accepted/b.sh is a symbolic link that leads out of the package",
        ),
    ] {
        let repo = Repo::new();
        for (name, text) in package(&[("data/secret/a/2.ans", "")]) {
            repo.file(&format!("p/{name}"), text);
        }
        if !link.ends_with("2.in") {
            repo.file("p/data/secret/a/2.in", "");
        }
        std::os::unix::fs::symlink("/etc/hostname", repo.path(&format!("p/{link}"))).unwrap();
        if link.ends_with("2.in") {
            refused(&repo, "p", words);
        } else {
            // The rest of the package is imported.
            refused_by(&WAYS[..3], &repo, "p", words);
            let ran = repo.run(&["import", "p", "--name", "taken"]);
            assert_eq!(ran.status, 2, "{}", ran.all());
            assert!(!repo.path("solutions/taken/b.sh").exists());
        }
    }
}

#[test]
fn a_link_in_a_submission_leads_to_sources_only() {
    for (target, is_source) in [
        ("../../../data/secret/a/1.ans", false),
        ("../../../../.git/config", false),
        ("../../../../common/answers.txt", false),
        ("../../../../common/echo.sh", true),
    ] {
        let repo = Repo::new();
        for (name, text) in package(&[]) {
            repo.file(&format!("p/{name}"), text);
        }
        repo.file(".git/config", "1\n")
            .file("common/answers.txt", "1\n")
            .file("common/echo.sh", "echo 1\n")
            .file("p/submissions/accepted/x/main.sh", ". \"${0%/*}/linked.sh\"\n")
            .file("p/submissions/accepted/a.sh", "echo 1\n");
        let link = repo.path("p/submissions/accepted/x/linked.sh");
        std::os::unix::fs::symlink(target, link).unwrap();
        let ran = repo.run(&["run", "p/submissions/accepted/x"]);
        let words = "`linked.sh` is a symbolic link that leads to a file that is not a source";
        assert_eq!(ran.all().contains(words), !is_source, "{}", ran.all());
        assert_eq!(ran.status, if is_source { 0 } else { 2 }, "{}", ran.all());
    }
}

/// The checks of equal files give equal results: each content is checked once.
#[test]
#[ignore = "creates 200,000 files: `.ci/run` runs it"]
fn a_hundred_thousand_empty_cases_are_listed_and_verified() {
    let repo = Repo::new();
    for (name, text) in package(&[]) {
        repo.file(&format!("p/{name}"), text);
    }
    repo.file("p/data/secret/a/1.in", "").file("p/data/secret/a/1.ans", "");
    repo.file("p/input_validators/v.sh", "exit 42\n")
        .file("p/submissions/accepted/a.sh", "exit 0\n");
    let folder = repo.path("p/data/secret/a");
    for number in 2..=100_000 {
        std::fs::write(folder.join(format!("{number}.in")), "").unwrap();
        std::fs::write(folder.join(format!("{number}.ans")), "").unwrap();
    }
    let ran = repo.run(&["list", "p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("cases: secret/a 100000"), "{}", ran.all());
    let ran = repo.run(&["verify", "p", "--no-submissions"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("100,000 inputs, 100,000 answers"), "{}", ran.all());
    assert!(ran.stdout.contains("99994 more duplicate inputs"), "{}", ran.all());
    // A submission on one case, selected among all.
    let ran = repo.run(&["run", "p", "--case", "secret/a/77777"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("1/1 accepted"), "{}", ran.all());
}
