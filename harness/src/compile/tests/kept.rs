//! The store of artefacts: which are kept, and which are built again.

use std::time::Duration;

use super::*;

#[test]
fn a_damaged_artefact_is_built_again() {
    let fixture = CompilerFixture::new();
    let source = fixture.source("a.t", "good");
    let compiler = fixture.compiler(CompileOptions::default());
    let damages: [fn(&Path); 5] = [
        |dir| fs::remove_file(dir.with_file_name("manifest.json")).unwrap(),
        |dir| fs::write(dir.with_file_name("manifest.json"), "{").unwrap(),
        |dir| fs::remove_file(dir.join("program")).unwrap(),
        |dir| {
            fs::rename(dir.join("program"), dir.join("other")).unwrap();
            std::os::unix::fs::symlink("other", dir.join("program")).unwrap();
        },
        |dir| {
            fs::remove_file(dir.join("program")).unwrap();
            fs::write(dir.join("program"), "goof").unwrap();
        },
    ];
    for (at, damage) in damages.into_iter().enumerate() {
        let artifact = fixture.ready(&compiler, &source);
        damage(&artifact.dir);
        let again = fixture.ready(&compiler, &source);
        assert_eq!((again.cached, fixture.runs()), (false, at + 2));
        assert_eq!(fs::read(again.dir.join("program")).unwrap(), b"good");
        assert_eq!(fixture.entries(), 1);
    }
}

#[test]
fn parallel_builds_create_one_artefact() {
    let fixture = CompilerFixture::new();
    let source = fixture.source("a.t", "good");
    let folders: Vec<PathBuf> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let compiler = fixture.compiler(CompileOptions::default());
                    fixture.ready(&compiler, &source).dir
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(folders.iter().all(|dir| *dir == folders[0]));
    assert_eq!(fixture.entries(), 1);
    assert!(fixture.ready(&fixture.compiler(CompileOptions::default()), &source).cached);
}

#[test]
fn without_the_cache_nothing_is_kept() {
    let fixture = CompilerFixture::new();
    let source = fixture.source("a.t", "good");
    let options = CompileOptions { fresh: true, ..CompileOptions::default() };
    for round in 1..=2 {
        let compiler = fixture.compiler(options.clone());
        let artifact = fixture.ready(&compiler, &source);
        assert!(!artifact.cached);
        assert_eq!(fixture.runs(), round);
        drop(compiler);
        assert!(!artifact.dir.exists());
    }
    assert_eq!(fixture.entries(), 0);
}

#[test]
fn cleaning_keeps_used_and_unfinished_artefacts() {
    let fixture = CompilerFixture::new();
    let compiler = fixture.compiler(CompileOptions::default());
    let old = fixture.ready(&compiler, &fixture.source("a.t", "old"));
    fixture.ready(&compiler, &fixture.source("b.t", "new"));
    let unfinished = fixture.dir.path().join("cache/artefacts/new-x");
    fs::create_dir(&unfinished).unwrap();
    let manifest = fs::File::open(old.dir.with_file_name("manifest.json")).unwrap();
    let day = Duration::from_secs(24 * 60 * 60);
    manifest.set_modified(std::time::SystemTime::now() - 3 * day).unwrap();
    assert_eq!(info(compiler.cache()).unwrap().entries, 3);
    assert_eq!(clean(compiler.cache(), 2 * day).unwrap().entries, 1);
    assert!(!old.dir.exists());
    let cases = fixture.dir.path().join("cache/cases/some");
    fs::create_dir_all(&cases).unwrap();
    assert_eq!(clean(compiler.cache(), Duration::ZERO).unwrap().entries, 2);
    assert!(unfinished.is_dir() && !cases.exists());
}
