//! What becomes of stored headers: several makers, damage, files that change, makers that were killed.

use std::time::{Duration, SystemTime};

use super::precompiled::HeaderFixture;
use super::*;
use crate::compile::precompiled::MakingPlan;

const SOURCE: &str = "#include <cstdio>\nint main() { puts(\"1\"); }\n";

impl HeaderFixture {
    /// A compiler of another process, with the same cache.
    fn another(&self, include: &[&Path]) -> Compiler {
        let cache = Cache::open_at(&self.dir.path().join("cache")).unwrap();
        let include = include.iter().map(|path| path.to_path_buf()).collect();
        let options =
            CompileOptions { include, room: Bytes::mib(2048), ..CompileOptions::default() };
        Compiler::new(cache, options).unwrap()
    }

    fn precompile(&self, compiler: &Compiler, source: &Path) -> WarmStart {
        let language = self.languages.of_file(source).unwrap();
        let limits = ProblemLimits::default();
        compiler.precompile(source, None, language, &limits, &mut bare).unwrap()
    }

    fn stored(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.dir.path().join("cache/precompiled")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

#[test]
fn several_makers_store_one_header_which_all_can_use() {
    let fixture = HeaderFixture::new();
    if fixture.lacks_compiler() {
        return;
    }
    let source = fixture.source("one.cpp", SOURCE);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let compiler = fixture.another(&[]);
                let made = fixture.precompile(&compiler, &source);
                assert!(matches!(made, WarmStart::Made | WarmStart::Known), "{made:?}");
            });
        }
    });
    assert_eq!(fixture.stored().len(), 1, "{:?}", fixture.stored());
    assert_eq!(fixture.precompile(&fixture.another(&[]), &source), WarmStart::Known);
}

#[test]
fn a_damaged_header_is_not_used_and_made_again() {
    let fixture = HeaderFixture::new();
    if fixture.lacks_compiler() {
        return;
    }
    let source = fixture.source("one.cpp", SOURCE);
    let header = fixture.with(&source, |_, plan| fixture.made(&plan.unwrap()).unwrap()).unwrap();
    let path = header.folder().join("lead.h.gch");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let find = |plan: Option<MakingPlan>| {
        fixture.compiler.precompiled.as_ref().unwrap().find(&plan.unwrap()).is_some()
    };
    assert!(!fixture.with(&source, |_, plan| find(plan)).unwrap());
    assert_eq!(fixture.precompile(&fixture.another(&[]), &source), WarmStart::Made);
    assert!(fixture.with(&source, |_, plan| find(plan)).unwrap());
}

#[test]
fn a_header_of_files_that_have_changed_is_made_again() {
    let fixture = HeaderFixture::new();
    if fixture.lacks_compiler() {
        return;
    }
    let library = fixture.dir.path().join("library");
    fs::create_dir(&library).unwrap();
    let write = |text: &str| fs::write(library.join("number.h"), text).unwrap();
    write("#pragma once\n#include <cstdio>\ninline int number() { return 1; }\n");
    let text = "#include <number.h>\nint main() { return number(); }\n";
    let source = fixture.source("one.cpp", text);
    assert_eq!(fixture.precompile(&fixture.another(&[&library]), &source), WarmStart::Made);
    assert_eq!(fixture.precompile(&fixture.another(&[&library]), &source), WarmStart::Known);
    write("#pragma once\n#include <cstdio>\ninline int number() { return 2; }\n");
    assert_eq!(fixture.precompile(&fixture.another(&[&library]), &source), WarmStart::Made);
}

#[test]
fn what_a_maker_that_was_killed_has_left_is_removed() {
    let fixture = HeaderFixture::new();
    let left = fixture.dir.path().join("cache/precompiled/new-left");
    fs::create_dir_all(left.join("work")).unwrap();
    fs::write(left.join("work/lead.h.gch"), "half").unwrap();
    fixture.another(&[]);
    assert!(left.exists(), "its maker may just have begun");
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    fs::File::open(&left).unwrap().set_modified(hour_ago).unwrap();
    fixture.another(&[]);
    assert!(!left.exists());
}
