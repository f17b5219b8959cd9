//! Paths in the messages of programs: they are those of the sources.

use crate::support::{Repo, lacks, skip};

/// Judges `source` under this name. Its message must contain `expected`, and nothing of the cache.
fn message_names(name: &str, source: &str, expected: &str) {
    let repo = Repo::with_sum();
    let path = format!("solutions/sum/{name}");
    repo.file(&path, source);
    let ran = repo.run(&["--case", "1"]);
    if ran.stdout.contains("not judged") {
        return skip(&format!("the language of {name} is not installed"));
    }
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.contains(expected), "{}", ran.all());
    assert!(!ran.stdout.contains("artefacts"), "{}", ran.all());
}

#[test]
fn python() {
    let source = "def f():\n    raise ValueError\nf()\n";
    message_names("boom.py", source, "File \"solutions/sum/boom.py\", line 2");
}

#[test]
fn javascript() {
    let source = "function f() { throw new Error('x'); }\nf();\n";
    message_names("boom.js", source, "solutions/sum/boom.js:1:");
}

#[test]
fn java() {
    let source = "public class Boom { public static void main(String[] a) {\nthrow new RuntimeException(); } }\n";
    message_names("boom.java", source, "(solutions/sum/boom.java:2)");
}

#[test]
fn rust() {
    let source = "fn main() {\n    panic!(\"x\");\n}\n";
    message_names("boom.rs", source, "solutions/sum/boom.rs:2:5");
}

#[test]
fn a_validator_in_python() {
    if lacks("python3") {
        return;
    }
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.py", "a, b = map(int, input().split())\nprint(a + b)\n")
        .file("cases/sum/output_validator/check.py", "raise ValueError\n");
    let ran = repo.run(&["--case", "1"]);
    let expected = "File \"cases/sum/output_validator/check.py\", line 1";
    assert!(ran.stdout.contains(expected), "{}", ran.all());
    assert!(!ran.all().contains("artefacts"), "{}", ran.all());
}

#[test]
fn a_generator_in_python() {
    if lacks("python3") {
        return;
    }
    let repo = Repo::with_sum();
    repo.file("cases/sum/generators/make.py", "raise ValueError\n").file(
        "cases/sum/generators/generators.yaml",
        "data:\n  secret:\n    data:\n      made:\n        generate: make.py\n        ans: \"3\"\n",
    );
    let ran = repo.run(&["generate", "sum"]);
    let expected = "File \"cases/sum/generators/make.py\", line 1";
    assert!(ran.all().contains(expected), "{}", ran.all());
    assert!(!ran.all().contains("artefacts"), "{}", ran.all());
}
