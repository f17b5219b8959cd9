//! Compiles sources with and without stored classes of the compiler, and compares the programs.

use std::io::Write as _;

use super::precompiled::HeaderFixture;
use super::*;
use crate::compile::precompiled::{MakingPlan, PrecompiledFile};

/// Sources with a class of their own each.
const SOURCES: [(&str, &str, &str); 3] = [
    (
        "java",
        "Sum.java",
        "import java.util.*;\npublic class Sum {\n  static class Inner<T> { T kept; }\n\
         public static void main(String[] a) { List raw = new ArrayList(); raw.add(1); System.out.println(raw); } }\n",
    ),
    (
        "kotlin",
        "sum.kt",
        "class Inner(val kept: Int)\nfun main() { val unused = 1; println(Inner(2).kept) }\n",
    ),
    (
        "scala",
        "Sum.scala",
        "object Sum { def main(a: Array[String]): Unit = println(List(1, 2).sum) }\n",
    ),
];

/// Compares the program of a language, which may be missing.
fn compare(id: &str) {
    let fixture = HeaderFixture::new();
    if fixture.languages.get(id).unwrap().toolchain(&fixture.compiler.cache).is_err() {
        let why = format!("SKIPPED: stored classes, because no compiler of {id} is installed\n");
        assert!(std::env::var_os("CI").is_none() || id == "scala", "{why}");
        std::io::stderr().write_all(why.as_bytes()).unwrap();
        return;
    }
    let (_, name, text) = SOURCES.into_iter().find(|(language, ..)| *language == id).unwrap();
    let source = fixture.source(name, text);
    let file = fixture
        .with(&source, |compile, plan| {
            let plan = plan.unwrap();
            let file = fixture.made(&plan).unwrap();
            let (fast, usual) = (compile(Some(&file)), compile(None));
            assert!(fast.counts(&file) && fast.is_same(&usual), "{id}");
            assert!(loads_from(&fixture, &source, &file), "{id}");
            damage(&fixture, &plan, &file);
            file
        })
        .unwrap();
    let broken = fixture.source(name, &text.replace("main", "main("));
    let failed = fixture.with(&broken, |compile, _| !compile(Some(&file)).counts(&file)).unwrap();
    assert!(failed, "a failure is repeated without the file");
}

/// Whether the virtual machine loads classes from the archive.
fn loads_from(fixture: &HeaderFixture, source: &Path, file: &PrecompiledFile) -> bool {
    let language = fixture.languages.of_file(source).unwrap();
    let limits = ProblemLimits::default();
    let terms = Terms::from(&limits);
    let request = fixture.compiler.request(source, None, language, &terms).unwrap().unwrap();
    let mut listed = String::new();
    let mut run = |job: &Job, input: Input| {
        let WorkDir::At(dir) = &job.work_dir else { panic!("a folder of its own") };
        let list = dir.join("loaded");
        let mut job = job.clone();
        let option = format!("-J-Xlog:class+load:file={}", list.display());
        job.argv.insert(message::MERGED_WORDS + 1, option.into());
        let execution = bare(&job, input)?;
        listed = fs::read_to_string(list).unwrap();
        Ok(execution)
    };
    fixture.compiler.compile_once(&request, &limits, Some(file), &mut run).unwrap();
    listed.contains("shared objects file (top)")
}

/// A damaged archive is not used, and not without a check of its digest.
fn damage(fixture: &HeaderFixture, plan: &MakingPlan, file: &PrecompiledFile) {
    let path = file.folder().join("classes.jsa");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(fixture.compiler.precompiled.as_ref().unwrap().find(plan).is_none());
}

#[test]
fn java_compiles_the_same_with_stored_classes() {
    compare("java");
}

#[test]
#[ignore = "a minute: `.ci/full long` runs it"]
fn kotlin_and_scala_compile_the_same_with_stored_classes() {
    compare("kotlin");
    compare("scala");
}
