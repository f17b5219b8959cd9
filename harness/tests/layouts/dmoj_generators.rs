//! Cases of DMOJ that a generator makes before they are judged.

use crate::support::{Repo, lacks};

/// Prints a number, and twice the number on standard error.
const GENERATOR: &str = "x=$1; [ -n \"$x\" ] || read x; echo $x; echo $((x * 2)) >&2\n";

fn problem(init: &str, generator: &str) -> Repo {
    let repo = Repo::new();
    repo.file("p/init.yml", init)
        .file("p/gen.sh", generator)
        .file("p/four.txt", "4\n")
        .file("p/accepted/good.sh", "read x; echo $((x * 2))\n")
        .file("p/wrong_answer/bad.sh", "read x; [ $x = 4 ] && x=0; echo $((x * 2))\n");
    repo
}

#[test]
fn a_generator_makes_inputs_and_answers() {
    let init = "generator: {source: [gen.sh], time_limit: 5, memory_limit: 65536}
test_cases:
- {generator_args: [3], points: 10}
- {generator_in: four.txt, points: 20}
- {in: four.txt, generator_in: four.txt, points: 30}
";
    let repo = problem(init, GENERATOR);
    let cache = repo.path("cache");
    for _ in 0..2 {
        let mut command = repo.command(&["run", "p", "-v"]);
        let judged = repo.finish(command.env("REJUDGE_CACHE_DIR", &cache));
        assert_eq!(judged.status, 0, "{}", judged.all());
        for line in ["good.sh  AC   3/3 accepted", "bad.sh"] {
            assert!(judged.stdout.contains(line), "{}", judged.all());
        }
    }
    let files = std::fs::read_dir(cache.join("cases")).unwrap();
    let inputs = files.filter(|file| {
        let path = file.as_ref().unwrap().path();
        path.extension().is_some_and(|end| end == "in")
    });
    assert_eq!(inputs.count(), 2);
}

#[test]
fn a_generator_that_fails_is_reported() {
    let init = "generator: gen.sh\ntest_cases:\n- {points: 10}\n";
    let repo = problem(init, "echo broken >&2; exit 3\n");
    let judged = repo.run(&["run", "p"]);
    assert_eq!(judged.status, 2, "{}", judged.all());
    for words in ["gen.sh` failed: exit code 3", "broken"] {
        assert!(judged.stderr.contains(words), "{}", judged.all());
    }
}

/// A command with a cache of its own, which is empty at first.
fn ran(repo: &Repo, args: &[&str]) -> crate::support::Ran {
    let cache = repo.path("cache");
    repo.finish(repo.command(args).env("REJUDGE_CACHE_DIR", cache))
}

#[test]
fn generated_cases_are_made_before_they_are_exported_or_imported() {
    if lacks("g++") {
        return;
    }
    let init = "generator: gen.sh
test_cases:
- {generator_args: [3], points: 10}
- {in: four.txt, generator_in: four.txt, points: 30}
";
    for args in
        [&["export", "p", "--to", "domjudge", "-o", "q.zip"][..], &["import", "p", "--name", "q"]]
    {
        let repo = problem(init, GENERATOR);
        let made = ran(&repo, args);
        assert_eq!(made.status, 0, "{}", made.all());
        assert!(made.stdout.contains("2 cases"), "{}", made.all());
        for lost in ["no answer", "without an answer"] {
            assert!(!made.stderr.contains(lost), "{}", made.all());
        }
        let judged = match args[0] {
            "import" => ran(&repo, &["run", "q", "-v"]),
            _ => ran(&repo, &["run", "q.zip", "-v"]),
        };
        assert_eq!(judged.status, 0, "{}", judged.all());
        assert!(judged.stdout.contains("2/2 accepted"), "{}", judged.all());
    }
}

#[test]
fn a_generator_that_fails_ends_an_export_and_an_import() {
    let init = "generator: gen.sh\ntest_cases:\n- {points: 10}\n";
    for args in
        [&["export", "p", "--to", "icpc", "-o", "q.zip"][..], &["import", "p", "--name", "q"]]
    {
        let repo = problem(init, "echo broken >&2; exit 3\n");
        let made = ran(&repo, args);
        assert_eq!(made.status, 2, "{}", made.all());
        for words in ["cannot make the cases of `p`", "exit code 3", "broken"] {
            assert!(made.stderr.contains(words), "{}", made.all());
        }
        assert!(!repo.path("q.zip").exists() && !repo.path("cases/q").exists());
    }
}

/// Every file that the generator includes counts, wherever in the package it is.
#[test]
fn a_case_is_made_again_when_an_included_file_changes() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    let generator = "#include <cstdio>\n#include \"../lib/number.ipp\"\n\
        int main() { std::printf(\"%d\\n\", N); std::fprintf(stderr, \"%d\\n\", N); }\n";
    repo.file("p/init.yml", "generator: gen/gen.cpp\ntest_cases: [{points: 1}]\n")
        .file("p/gen/gen.cpp", generator)
        .file("p/echo.sh", "cat\n");
    for number in ["3", "4"] {
        repo.file("p/lib/number.ipp", format!("const int N = {number};\n"));
        let made = ran(&repo, &["import", "p", "--name", &format!("q{number}")]);
        assert_eq!(made.status, 0, "{}", made.all());
        let inputs = walkdir::WalkDir::new(repo.path(&format!("cases/q{number}/data")));
        let inputs = inputs.into_iter().map(|entry| entry.unwrap().into_path());
        let inputs = inputs.filter(|path| path.extension().is_some_and(|end| end == "in"));
        let texts: Vec<String> =
            inputs.map(|path| std::fs::read_to_string(path).unwrap()).collect();
        assert_eq!(texts, [format!("{number}\n")]);
    }
}
