//! Every installed language: the abilities of its programs, their file names, and invalid sources.
//!
//! A language that is not installed is skipped with a message; if `CI` is set, those of
//! `each::CORE` must be installed.

mod each;
mod judge;
mod modes;
mod names;
mod table;

use rejudge::compile::Built;
use rejudge::language::Profile;
use rejudge::sandbox::Exit;

use each::{BEYOND, CORE, FULL};
use judge::Judge;

#[test]
fn invalid_sources_fail_with_their_path() {
    fail_with_their_path(&[&CORE[..], &BEYOND].concat());
}

#[test]
#[ignore = "`.ci/full languages` installs them and runs it"]
fn invalid_sources_of_the_other_languages_fail_with_their_path() {
    fail_with_their_path(&FULL);
}

fn fail_with_their_path(ids: &[&str]) {
    let mut judge = Judge::new(Profile::Judge);
    for &id in ids {
        let language = judge.languages.get(id).unwrap();
        // Some are not compiled.
        if language.compile.is_empty() || !judge.has(language) {
            continue;
        }
        let extension = language.extensions[0].clone();
        let source = judge.folder.path().join(format!("rubbish.{extension}"));
        // In PHP, text before the tag is printed and need not be a program.
        let tag = if id == "php" { "<?php " } else { "" };
        std::fs::write(&source, format!("{tag}this is ( no program\n")).unwrap();
        let Built::Failed(failure) = judge.compile(&source) else {
            panic!("{id} compiles rubbish")
        };
        // Gambit ends with 0 when its debugger has nothing more to read.
        let tells_code = failure.reason.contains("exit code");
        assert!(tells_code || id == "gambit", "{failure:#?}");
        let place = source.display().to_string();
        // Genie and Raku print only the line; Haxe looks for a file named after the class.
        let tells_path = !["algol68", "haxe", "raku"].contains(&id);
        assert!(!tells_path || failure.message.contains(&place), "{failure:#?}");
    }
}

#[test]
fn the_profiles_check_what_a_judge_does_not() {
    let c = "#include <stdio.h>\n\
        int main(int n, char **v) { (void)v; int a[2] = {0}; n += 1; a[n % 8] = 3; \
        int big = 2147483647; big += n; printf(\"%d\\n\", big < 0); return 0; }\n";
    let rust = "fn main() { let n = std::env::args().count() as u8; \
        println!(\"{}\", n.wrapping_add(254) + n); }\n";
    for (name, text, profile) in [
        ("over.c", c, Profile::Sanitize),
        ("over.rs", rust, Profile::Debug),
        ("over.rs", rust, Profile::Sanitize),
    ] {
        let mut usual = Judge::new(Profile::Judge);
        let mut checked = Judge::new(profile);
        let source = usual.folder.path().join(name);
        std::fs::write(&source, text).unwrap();
        if !usual.has(usual.languages.of_file(&source).unwrap()) {
            continue;
        }
        assert_eq!(usual.run(&source, "").0.exit, Exit::Code(0), "{name}");
        let (execution, _) = checked.run(&source, "");
        assert_ne!(execution.exit, Exit::Code(0), "{name} {profile:?}");
    }
}
