//! `rejudge cache`: the contents of the cache, and cleaning it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn rejudge(place: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rejudge"))
        .args(args)
        .current_dir(place)
        .env("REJUDGE_CACHE_DIR", place.join("cache"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn info_counts_the_entries_and_clean_removes_them() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("a.rs"), "fn main() {}").unwrap();
    let cache = place.join("cache");
    let info = |entries: usize| {
        let text = said(&rejudge(place, &["cache", "info"]));
        let expected = format!("folder   {}\nentries  {entries}\nsize     ", cache.display());
        assert!(text.starts_with(&expected), "{text}");
    };
    info(0);
    for _ in 0..2 {
        assert!(rejudge(place, &["exec", "a.rs"]).status.success());
        info(1);
    }
    let kept = said(&rejudge(place, &["cache", "clean", "--older-than", "1"]));
    let expected = format!("removed 0 entries, 0 B, from {}\n", cache.display());
    assert_eq!(kept, expected);
    info(1);
    let cleaned = said(&rejudge(place, &["cache", "clean"]));
    assert!(cleaned.starts_with("removed 1 entry, "), "{cleaned}");
    info(0);
    assert!(rejudge(place, &["exec", "a.rs"]).status.success());
}

#[test]
fn without_the_cache_nothing_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("a.rs"), "fn main() {}").unwrap();
    let output = rejudge(place, &["exec", "a.rs", "--no-compile-cache"]);
    assert!(output.status.success(), "{output:?}");
    let text = said(&rejudge(place, &["cache", "info"]));
    assert!(text.contains("entries  0"), "{text}");
}

#[test]
fn a_cache_that_cannot_be_written_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("a.rs"), "fn main() {}").unwrap();
    std::fs::write(place.join("cache"), "a file in its place").unwrap();
    let output = rejudge(place, &["exec", "a.rs"]);
    assert!(output.status.success(), "{output:?}");
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(words.matches("warning: cannot write to the cache folder").count(), 1);
}

#[test]
fn a_folder_that_is_not_a_cache_is_neither_used_nor_cleaned() {
    let place = tempfile::tempdir().unwrap();
    let thesis = place.path().join("cache/cases/thesis/chapter.tex");
    std::fs::create_dir_all(thesis.parent().unwrap()).unwrap();
    std::fs::write(&thesis, "years of work").unwrap();
    for subcommand in ["clean", "info"] {
        let ran = rejudge(place.path(), &["cache", subcommand]);
        assert_eq!(ran.status.code(), Some(2));
        let told = String::from_utf8(ran.stderr).unwrap();
        assert!(told.contains("is not a cache folder of rejudge"), "{told}");
    }
    assert_eq!(std::fs::read_to_string(&thesis).unwrap(), "years of work");
}

#[test]
fn a_relative_cache_folder_is_below_the_current_folder() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(place.path().join(name), text).unwrap();
    file("a.rs", "fn main() { println!(\"3\"); }");
    file("1.in", "");
    file("1.ans", "3\n");
    for _ in 0..2 {
        let ran = Command::new(env!("CARGO_BIN_EXE_rejudge"))
            .args(["run", "a.rs"])
            .current_dir(place.path())
            .env("REJUDGE_CACHE_DIR", "my cache")
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    }
    assert!(place.path().join("my cache/artefacts").is_dir());
}

/// A package with an inferred time limit and a case that is made on demand.
fn package(place: &Path) {
    let file = |name: &str, text: &str| {
        let path = place.join("p").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    file("problem.yaml", "problem_format_version: 2025-09\nname: P\n");
    file("data/secret/1.in", "");
    file("data/secret/1.ans", "3\n");
    file("submissions/accepted/a.rs", "fn main() { println!(\"3\"); }");
}

#[test]
fn cleaning_removes_everything_that_is_stored() {
    let place = tempfile::tempdir().unwrap();
    package(place.path());
    let judged = rejudge(place.path(), &["run", "p"]);
    assert_eq!(judged.status.code(), Some(0), "{judged:?}");
    let files = || -> Vec<_> {
        let walk = walkdir::WalkDir::new(place.path().join("cache")).into_iter();
        let files = walk.map(Result::unwrap).filter(|one| one.file_type().is_file());
        files.map(walkdir::DirEntry::into_path).collect()
    };
    let limits = place.path().join("cache/time-limits");
    assert_eq!(std::fs::read_dir(&limits).unwrap().count(), 1);
    rejudge(place.path(), &["cache", "clean", "--older-than", "1"]);
    assert_eq!(std::fs::read_dir(&limits).unwrap().count(), 1);
    rejudge(place.path(), &["cache", "clean"]);
    assert_eq!(files(), [place.path().join("cache/CACHEDIR.TAG")]);
}

#[test]
fn nothing_is_written_to_a_folder_of_another_program() {
    let place = tempfile::tempdir().unwrap();
    package(place.path());
    std::fs::create_dir(place.path().join("cache")).unwrap();
    std::fs::write(place.path().join("cache/thesis.tex"), "years of work").unwrap();
    let judged = rejudge(place.path(), &["run", "p"]);
    assert_eq!(judged.status.code(), Some(0), "{judged:?}");
    let told = String::from_utf8(judged.stderr).unwrap();
    assert!(told.contains("is not a cache folder of rejudge"), "{told}");
    let names = std::fs::read_dir(place.path().join("cache")).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["thesis.tex"]);
}

#[test]
fn what_is_precompiled_on_demand_is_shown_by_its_first_lines() {
    // A temporary folder in memory has no precompiled files.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let place = folder.path();
    if Command::new("g++").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "CI has g++");
        eprintln!("SKIPPED: no g++");
        return;
    }
    let text = "#define N 1\n#include <cstdio>\nint main() { puts(\"3\"); }\n";
    std::fs::write(place.join("sum.cpp"), text).unwrap();
    std::fs::write(place.join("sum.py"), "print(3)\n").unwrap();
    std::fs::write(place.join("1.in"), "").unwrap();
    std::fs::write(place.join("1.ans"), "3\n").unwrap();
    for expected in [
        "precompiled 1, known 0; 1 solution cannot use anything precompiled\n",
        "precompiled 0, known 1; 1 solution cannot use anything precompiled\n",
    ] {
        let warmed = rejudge(place, &["cache", "warm", "sum.cpp", "sum.py"]);
        assert_eq!(said(&warmed), expected, "{warmed:?}");
    }
    let shown = said(&rejudge(place, &["cache", "info"]));
    assert!(shown.contains(", used within the last hour\n  g++ "), "{shown}");
    assert!(shown.ends_with("\n  #define N 1\n  #include <cstdio>\n"), "{shown}");
    let ran = rejudge(place, &["run", "sum.cpp"]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
}

#[test]
#[ignore = "half a minute: `.ci/full long` runs it"]
fn a_header_that_rejudge_brings_along_is_precompiled_in_the_sandbox() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let place = folder.path();
    let text = "#include \"testlib.h\"\nint main() { puts(\"3\"); }\n";
    std::fs::write(place.join("sum.cpp"), text).unwrap();
    std::fs::write(place.join("1.in"), "").unwrap();
    std::fs::write(place.join("1.ans"), "3\n").unwrap();
    let warmed = rejudge(place, &["cache", "warm", "sum.cpp"]);
    let expected = "precompiled 1, known 0; 0 solutions cannot use anything precompiled\n";
    assert_eq!(said(&warmed), expected, "{warmed:?}");
}
