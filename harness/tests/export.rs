//! `rejudge export`: what an archive carries is judged as the problem is, and what it does not carry is listed.

use std::collections::BTreeMap;

use serde_json::Value;
use std::io::Read as _;

use crate::support::{Repo, lacks};

pub(crate) const TESTLIB: &str = include_str!("fixtures/testlib/testlib.h");

/// The systems whose archives rejudge reads with their submissions.
const READ_BACK: [&str; 4] = ["icpc", "domjudge", "polygon", "boca"];

const ECHO: &str = "import sys\nprint(sys.stdin.read().strip())\n";
const SHOUT: &str = "import sys\nprint(sys.stdin.read().strip().upper())\n";
const ROUGH: &str = "print(round(float(input()) + 0.00001, 6))\n";

/// A package whose answers are its inputs, with submissions in both places.
fn echo(settings: &str) -> Repo {
    let repo = Repo::new();
    repo.file("rejudge.toml", settings);
    repo.problem(
        "echo",
        "name: Echo & \"more\"\nlimits:\n  time_limit: 5\n  memory: 512\n",
        &[
            ("sample/1", "word\n", "word\n"),
            ("secret/a", "Other\n", "Other\n"),
            ("secret/b", "1.5\n", "1.5\n"),
        ],
    );
    repo.file("cases/echo/submissions/accepted/echo.py", ECHO)
        .file("solutions/echo/wrong_answer/shout.py", SHOUT)
        .file("solutions/echo/run_time_error/rough.py", ROUGH);
    repo
}

/// The verdicts of each submission, by the name of its file, and its score.
fn judged(repo: &Repo, what: &str) -> BTreeMap<String, (Vec<String>, Option<String>)> {
    let mut command = repo.command(&["run", "-j", "2", "--wall-limit", "60", "--json", "-", what]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut found: BTreeMap<String, (Vec<String>, Option<String>)> = BTreeMap::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let name =
            line["submission"].as_str().unwrap_or_default().rsplit('/').next().unwrap().to_owned();
        if line["type"] == "case" {
            let verdict = line["verdict"].as_str().unwrap().to_owned();
            found.entry(name).or_default().0.push(verdict);
        } else if line["type"] == "submission" {
            let score = line["score"].as_f64().map(|score| format!("{score:.6}"));
            found.entry(name).or_default().1 = score;
        }
    }
    assert!(!found.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    found
}

/// Exports the problem. Returns what is not carried.
pub(crate) fn exported(repo: &Repo, id: &str, to: &str) -> Vec<String> {
    let file = format!("{to}/{id}.zip");
    let ran = repo.run(&["export", id, "--to", to, "-o", &file, "--json", "-"]);
    let cannot_judge = ran.stderr.contains("error: not carried: ");
    assert_eq!(ran.status, if cannot_judge { 2 } else { 0 }, "{}", ran.all());
    let line: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&line["type"], &line["to"]), (&"export".into(), &to.into()));
    let lost = line["not_carried"].as_array().unwrap().iter();
    let lost: Vec<String> =
        lost.map(|notice| notice["message"].as_str().unwrap().to_owned()).collect();
    for message in &lost {
        assert!(ran.stderr.contains(message.as_str()), "{}", ran.all());
    }
    lost
}

pub(crate) fn assert_same_verdicts(repo: &Repo, id: &str, systems: &[&str]) {
    let expected = judged(repo, id);
    for to in systems {
        exported(repo, id, to);
        // Elsewhere: the settings of the repository do not apply there.
        let apart = Repo::new();
        let bytes = std::fs::read(repo.path(&format!("{to}/{id}.zip"))).unwrap();
        apart.file("exported.zip", bytes);
        assert_eq!(judged(&apart, "exported.zip"), expected, "{to}");
    }
}

#[test]
fn an_archive_is_judged_as_the_problem_is() {
    if lacks("g++") {
        return;
    }
    let repo = echo("[defaults]\njobs = 2\n");
    // `shout` differs in the case of letters, which does not count; `rough` crashes on words.
    assert_same_verdicts(&repo, "echo", &READ_BACK);
    repo.file(
        "cases/echo/data/test_group.yaml",
        "output_validator_args: [case_sensitive, float_tolerance, 1e-4]\n",
    );
    assert_same_verdicts(&repo, "echo", &READ_BACK);
}

#[test]
#[ignore = "a minute: `.ci/full long` runs it"]
fn rules_without_flags_become_programs() {
    if lacks("g++") {
        return;
    }
    for checker in ["exact", "lines", "lines:trimmed"] {
        let repo = echo(&format!("[problems.echo]\nchecker = \"{checker}\"\n"));
        repo.file("solutions/echo/wrong_answer/blank.py", "print(input() + ' ')\n")
            .file("solutions/echo/wrong_answer/open.py", "print(input(), end='')\n");
        assert_same_verdicts(&repo, "echo", &READ_BACK);
    }
}

#[test]
fn checkers_and_interactors_of_testlib_are_called_by_scripts() {
    if lacks("g++") {
        return;
    }
    let repo = echo("[problems.echo]\nchecker = \"testlib:cases/echo/lib/check.cpp\"\n");
    let check = "#include \"testlib.h\"\nint main(int c, char **v) {\n    registerTestlibCmd(c, v);\n    \
                 std::string a = ans.readToken(), b = ouf.readToken();\n    \
                 if (a != b) quitf(_wa, \"differs\");\n    quitf(_ok, \"same\");\n}\n";
    repo.file("cases/echo/lib/check.cpp", check).file("cases/echo/lib/testlib.h", TESTLIB);
    assert_same_verdicts(&repo, "echo", &READ_BACK);
    let repo = Repo::new();
    repo.file("rejudge.toml", "[problems.guess]\ninteractor = \"cases/guess/lib/talk.cpp\"\n");
    let talk = "#include \"testlib.h\"\nint main(int c, char **v) {\n    registerInteraction(c, v);\n    \
                int secret = inf.readInt();\n    std::cout << secret << std::endl;\n    \
                if (ouf.readInt() != secret + 1) quitf(_wa, \"no\");\n    quitf(_ok, \"yes\");\n}\n";
    repo.problem(
        "guess",
        "name: Guess\nlimits: {time_limit: 5}\n",
        &[("secret/1", "1\n", "1\n"), ("secret/2", "20\n", "20\n")],
    );
    repo.file("cases/guess/lib/talk.cpp", talk)
        .file("cases/guess/lib/testlib.h", TESTLIB)
        .file("solutions/guess/next.py", "print(int(input()) + 1, flush=True)\n")
        .file("solutions/guess/wrong_answer/two.py", "input()\nprint(2, flush=True)\n");
    assert_same_verdicts(&repo, "guess", &["icpc", "domjudge"]);
}

#[test]
fn points_are_carried_where_a_system_has_points() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    repo.file("rejudge.toml", "[defaults]\njobs = 2\n");
    let word = |word: &'static str| (word, word);
    let cases = ["secret/a/1", "secret/a/2", "secret/b/1", "secret/b/2"];
    let cases = cases.map(word).map(|(name, text)| (name, text, text));
    repo.problem("points", "type: scoring\nname: Points\nlimits: {time_limit: 5}\n", &cases);
    repo.file("cases/points/data/secret/a/test_group.yaml", "max_score: 40\n")
        .file(
            "cases/points/data/secret/b/test_group.yaml",
            "max_score: 60\nscore_aggregation: sum\n",
        )
        .file("solutions/points/echo.py", ECHO)
        .file(
            "solutions/points/partially_accepted/half.py",
            "word = input()\nprint(word if word != 'secret/b/2' else '')\n",
        );
    assert_same_verdicts(&repo, "points", &["icpc", "polygon"]);
    let lost = exported(&repo, "points", "domjudge");
    assert!(lost.iter().any(|one| one.contains("the points")), "{lost:?}");
    // Hydro's archives have no expectations, so the solutions are those of the repository.
    exported(&repo, "points", "hydro");
    let unpacked = "hydro/points.zip";
    let ran = repo.run(&[
        "run",
        "--cases",
        unpacked,
        "solutions/points/partially_accepted/half.py",
        "-v",
    ]);
    assert!(ran.stdout.contains("70 of 100 points"), "{}", ran.all());
}

#[test]
fn archives_are_the_same_bytes_and_replace_old_ones() {
    let repo = echo("");
    for to in ["icpc", "domjudge", "polygon", "boca", "hydro"] {
        exported(&repo, "echo", to);
        let path = repo.path(&format!("{to}/echo.zip"));
        let first = std::fs::read(&path).unwrap();
        // The time of a file does not matter.
        let case = repo.path("cases/echo/data/secret/a.in");
        let case = std::fs::File::options().write(true).open(case).unwrap();
        case.set_modified(std::time::UNIX_EPOCH).unwrap();
        exported(&repo, "echo", to);
        assert!(std::fs::read(&path).unwrap() == first, "{to}");
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(first)).unwrap();
        for index in 0..archive.len() {
            let entry = archive.by_index(index).unwrap();
            assert!(entry.enclosed_name().is_some(), "{to}");
        }
    }
}

#[test]
fn scripts_for_boca_compare_like_the_checker() {
    if lacks("g++") {
        return;
    }
    let repo = echo("");
    exported(&repo, "echo", "boca");
    let mut archive =
        zip::ZipArchive::new(std::fs::File::open(repo.path("boca/echo.zip")).unwrap()).unwrap();
    archive.extract(repo.path("unpacked")).unwrap();
    repo.file("right", "OTHER\n").file("wrong", "another\n");
    for (output, status) in [("right", 4), ("wrong", 6), ("missing", 43)] {
        let script =
            format!("bash unpacked/compare/cpp {output} unpacked/output/002 unpacked/input/002");
        let ran = repo.finish(&mut repo.shell(&script));
        assert_eq!(ran.status, status, "{output}: {}", ran.all());
    }
    let ran = repo
        .finish(&mut repo.shell(
            "bash unpacked/limits/java; for each in unpacked/*/cpp; do bash -n $each; done",
        ));
    assert_eq!(ran.stdout, "5\n1\n512\n8192\n", "{}", ran.all());
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_link_out_of_the_problem_is_not_carried() {
    let repo = echo("");
    repo.file("private.pdf", "a private file").file("elsewhere/v.py", "a private program");
    let links = [
        ("private.pdf", "cases/echo/problem_statement/problem.pdf"),
        ("elsewhere", "cases/echo/input_validators"),
    ];
    std::fs::create_dir(repo.path("cases/echo/problem_statement")).unwrap();
    for (target, link) in links {
        std::os::unix::fs::symlink(repo.path(target), repo.path(link)).unwrap();
    }
    for system in ["icpc", "domjudge", "polygon", "boca", "hydro"] {
        let lost = exported(&repo, "echo", system);
        for (name, text) in content(&repo, &format!("{system}/echo.zip")) {
            assert!(!text.contains("a private"), "{system}: {name}: {lost:?}");
        }
    }
}

/// The names and the texts of the files in an archive.
pub(crate) fn content(repo: &Repo, file: &str) -> BTreeMap<String, String> {
    let archive = std::fs::File::open(repo.path(file)).unwrap();
    let mut archive = zip::ZipArchive::new(archive).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let name = file.name().unwrap().into_owned();
        files.insert(name, std::io::read_to_string(&mut file).unwrap());
    }
    files
}

#[test]
fn a_case_of_a_plain_folder_that_is_a_link_out_of_it_is_not_carried() {
    for (link, private) in [("p/2.in", "private.in"), ("p/2.ans", "private.ans")] {
        let repo = Repo::new();
        repo.file("rejudge.toml", "")
            .file("p/1.in", "1\n")
            .file("p/1.ans", "1\n")
            .file("p/2.in", "2\n")
            .file("p/2.ans", "2\n")
            .file("p/echo.py", ECHO)
            .file(private, "a private file");
        std::fs::remove_file(repo.path(link)).unwrap();
        std::os::unix::fs::symlink(repo.path(private), repo.path(link)).unwrap();
        for system in ["icpc", "domjudge", "polygon", "boca", "hydro"] {
            let lost = exported(&repo, "p", system);
            let files = content(&repo, &format!("{system}/p.zip"));
            assert!(files.values().any(|text| text == "1\n"), "{system}");
            for (name, text) in files {
                assert!(!text.contains("a private"), "{system}: {name}: {lost:?}");
            }
            let is_listed = lost.iter().any(|one| one.contains("a link out of"));
            assert!(is_listed, "{system}: {lost:?}");
        }
    }
}

#[test]
fn a_link_inside_a_package_becomes_a_copy_of_its_file() {
    let repo = echo("");
    let link = |target: &str, at: &str| {
        std::os::unix::fs::symlink(target, repo.path(&format!("cases/echo/{at}"))).unwrap();
    };
    repo.file("cases/echo/attachments/shared/1.in", "shared\n")
        .file("cases/echo/attachments/shared/1.ans", "shared\n");
    link("a.in", "data/secret/c.in");
    link("a.ans", "data/secret/c.ans");
    link("../../attachments/shared", "data/secret/group");
    link("missing", "attachments/.#lock");
    link("missing", "attachments/nothing");
    link("..", "attachments/around");
    let lost = exported(&repo, "echo", "icpc");
    let nowhere = |name: &str| {
        format!("not carried: `attachments/{name}`, which is a link that leads nowhere")
    };
    assert_eq!(lost, [nowhere("around"), nowhere("nothing")]);
    let files = content(&repo, "icpc/echo.zip");
    for (name, text) in [
        ("data/secret/c.in", "Other\n"),
        ("data/secret/c.ans", "Other\n"),
        ("data/secret/group/1.in", "shared\n"),
        ("data/secret/group/1.ans", "shared\n"),
    ] {
        assert_eq!(files.get(name).map(String::as_str), Some(text), "{name}");
    }
}

#[test]
fn what_a_system_does_not_take_is_listed_and_what_it_takes_is_not() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "[problems.p]\nchecker = \"testlib:cases/p/lib/check.cpp\"\n");
    repo.problem(
        "p",
        "type: [scoring, multi-pass]\nname: P\nlimits: {time_limit: 1}\n",
        &[("secret/1", "1\n", "1\n")],
    );
    repo.file("cases/p/lib/check.cpp", "#include \"testlib.h\"\n")
        .file("cases/p/statement/problem.en.md", "A statement.\n")
        .file("cases/p/input_validators/v.py", "exit(42)\n")
        .file(
            "cases/p/data/secret/test_group.yaml",
            "max_score: 100\nscore_aggregation: pass-fail\n",
        );
    let without_groups = "the points without groups";
    for (system, listed) in [
        ("boca", &["further passes", "input validators"][..]),
        ("polygon", &["the statement", without_groups]),
        ("hydro", &["further passes", "input validators"]),
    ] {
        let lost = exported(&repo, "p", system);
        // The header that is brought along goes along.
        assert!(lost.iter().all(|one| !one.contains("testlib.h")), "{lost:?}");
        for words in listed {
            assert!(lost.iter().any(|one| one.contains(words)), "{lost:?}");
        }
        let has_header = |text: &String| text.contains("#define _TESTLIB_H_");
        assert!(content(&repo, &format!("{system}/p.zip")).values().any(has_header), "{system}");
        let names_points = lost.iter().any(|one| one.contains(without_groups));
        assert_eq!(names_points, system == "polygon", "{system}: {lost:?}");
    }
}

#[test]
fn a_missing_limit_or_problem_is_named() {
    let repo = echo("");
    repo.file("cases/echo/problem.yaml", "problem_format_version: 2025-09\nname: Echo\n");
    std::fs::remove_dir_all(repo.path("cases/echo/submissions")).unwrap();
    let lost = exported(&repo, "echo", "polygon");
    assert!(lost.iter().any(|one| one.contains("sets no time limit")), "{lost:?}");
    let ran = repo.run(&["export", "nothing", "--to", "icpc", "-o", "x.zip"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(!repo.path("x.zip").exists());
}

/// A package of its own without a limit, as a folder.
fn unlimited() -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.yaml", "problem_format_version: 2025-09\nname: P\n")
        .file("p/data/secret/1.in", "3\n")
        .file("p/data/secret/1.ans", "3\n")
        .file("p/submissions/accepted/cat.sh", "cat\n");
    repo
}

#[test]
fn an_archive_has_the_limit_that_a_run_infers_or_an_option_states() {
    let repo = unlimited();
    let export = |args: &[&str]| {
        let given = [&["export", "p", "--to", "polygon", "-o", "p.zip"], args].concat();
        let ran = repo.run(&given);
        assert_eq!(ran.status, 0, "{}", ran.all());
        assert!(!ran.stderr.contains("sets no time limit"), "{}", ran.all());
        let mut archive =
            zip::ZipArchive::new(std::fs::File::open(repo.path("p.zip")).unwrap()).unwrap();
        let mut text = String::new();
        archive.by_name("problem.xml").unwrap().read_to_string(&mut text).unwrap();
        let (_, rest) = text.split_once("<time-limit>").unwrap();
        rest.split('<').next().unwrap().to_owned()
    };
    assert_eq!(export(&[]), "1000");
    assert_eq!(export(&["-t", "2500ms"]), "2500");
    let ran = repo.run(&["time", "p", "--runs", "1", "--save", "limits.jsonl"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let saved = std::fs::read_to_string(repo.path("limits.jsonl")).unwrap();
    repo.file("limits.jsonl", saved.replace("\"limit_ms\":1000.0", "\"limit_ms\":3000.0"));
    assert_eq!(export(&["--limits", "limits.jsonl"]), "3000");
    assert_eq!(export(&["--limits", "limits.jsonl", "-t", "4"]), "4000");
    let ran = repo.run(&["export", "p", "--to", "icpc", "-o", "q.zip", "-t", "2"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stderr.contains("write `limits: {time_limit: 2}` to its problem.yaml"),
        "{}",
        ran.all()
    );
}

#[test]
fn an_archive_that_cannot_judge_its_problem_is_an_error() {
    let repo = unlimited();
    repo.file("p/problem.yaml", "problem_format_version: 2025-09\nname: P\ntype: interactive\n")
        .file("p/output_validator/v.sh", "exit 42\n");
    for to in ["boca", "hydro", "polygon"] {
        let ran = repo.run(&["export", "p", "--to", to, "-o", "p.zip", "-t", "1"]);
        assert_eq!(ran.status, 2, "{to}: {}", ran.all());
        assert!(ran.stderr.contains("error: not carried: the inter"), "{to}: {}", ran.all());
    }
    assert_eq!(repo.run(&["export", "p", "--to", "domjudge", "-o", "p.zip", "-t", "1"]).status, 0);
}

#[test]
fn a_whole_contest_is_exported_at_once() {
    let repo = echo("[defaults]\njobs = 2\n");
    repo.problem("other", "name: Other\nlimits:\n  time_limit: 5\n", &[("secret/a", "1\n", "1\n")]);
    let ran = repo.run(&["export", "cases", "--to", "domjudge", "-o", "contest"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let lines = "echo: 3 cases, 3 submissions -> contest/echo.zip\nother: 1 case, 0 submissions -> contest/other.zip\n";
    assert_eq!(ran.stdout, lines, "{}", ran.all());
    for name in ["echo", "other"] {
        assert!(repo.path(&format!("contest/{name}.zip")).is_file());
    }
    let ran = repo.run(&["export", "cases", "--to", "domjudge", "-o", "contest.zip"]);
    let help = "help: name one of them, or a folder for the archives of all: `-o DIR`\n";
    assert_eq!((ran.status, ran.stderr.ends_with(help)), (2, true), "{}", ran.all());
}

#[test]
fn a_contest_is_exported_as_its_list_states() {
    let repo = echo("");
    for id in ["first", "spare"] {
        repo.problem(id, "name: P\nlimits: {time_limit: 5}\n", &[("secret/a", "1\n", "1\n")]);
    }
    let entries = "- {id: first, label: A, rgb: '#f00'}\n- id: echo\n  label: B\n";
    repo.file("cases/problems.yaml", entries);
    let ran = repo.run(&["export", "cases", "--to", "domjudge", "-o", "c"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let lines =
        "first: 1 case, 0 submissions -> c/first.zip\necho: 3 cases, 3 submissions -> c/echo.zip\n";
    assert_eq!(ran.stdout, lines, "{}", ran.all());
    let skipped = "warning: not exported: `spare`, which cases/problems.yaml does not list\nhelp: list it, or export it alone\n";
    assert!(ran.stderr.contains(skipped), "{}", ran.all());
    assert!(!repo.path("c/spare.zip").exists());
    let ini = &content(&repo, "c/first.zip")["domjudge-problem.ini"];
    assert_eq!(ini, "timelimit = 5\nshort-name = \"A\"\ncolor = \"#f00\"\n");
    // Alone, a problem keeps its label, and the others are not asked for.
    let ran = repo.run(&["export", "cases/echo", "--to", "domjudge", "-o", "e.zip"]);
    assert_eq!((ran.status, ran.stderr.contains("spare")), (0, false), "{}", ran.all());
    let ini = &content(&repo, "e.zip")["domjudge-problem.ini"];
    assert_eq!(ini, "timelimit = 5\nshort-name = \"B\"\n");
    repo.file("cases/problems.yaml", format!("{entries}- {{id: sparse, label: C}}\n"));
    let ran = repo.run(&["export", "cases", "--to", "domjudge", "-o", "c"]);
    let lost = "error: cases/problems.yaml:4:3: no problem is called `sparse`\nhelp: did you mean `spare`?\n";
    assert_eq!((ran.status, ran.stderr.contains(lost)), (2, true), "{}", ran.all());
    repo.file("cases/problems.yaml", "- {id: echo, label: A}\n");
    let ran = repo.run(&["export", "cases", "--to", "domjudge", "-o", "one"]);
    let line = "echo: 3 cases, 3 submissions -> one/echo.zip\n";
    assert_eq!((ran.status, ran.stdout.as_str()), (0, line), "{}", ran.all());
    repo.file("cases/problems.yaml", "- {id: echo}\n");
    let ran = repo.run(&["export", "cases", "--to", "domjudge", "-o", "c"]);
    let lost = "error: cases/problems.yaml:1:3: the entry has no `label`\nhelp: add `label: A`\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, lost), "{}", ran.all());
}
