//! The built-in table, its overrides and its errors.

use super::*;
use crate::language::is_binary;

fn overrides(text: &str) -> BTreeMap<String, LanguageEntry> {
    toml::from_str(text).unwrap()
}

fn languages(text: &str) -> Languages {
    Languages::load(&overrides(text)).unwrap()
}

#[test]
fn the_built_in_table_claims_every_extension_once() {
    let table = languages("");
    let claimed: usize = table.iter().map(|one| one.extensions.len()).sum();
    assert_eq!(claimed, table.extensions.len());
    for language in table.iter() {
        assert!(!language.extensions.is_empty(), "{}", language.id);
        assert!(!language.version.is_empty(), "{}", language.id);
        assert_ne!(language.install, language.name, "{}", language.id);
    }
}

#[test]
fn languages_are_found_by_extension() {
    let table = languages("");
    let rows = [
        ("rs", Some("rust")),
        ("c", Some("c")),
        ("CPP", Some("cpp")),
        ("py", Some("python3")),
        ("java", Some("java")),
        ("R", Some("r")),
        ("txt", None),
        ("", None),
    ];
    for (extension, id) in rows {
        let found = table.by_extension(extension).map(|one| one.id.as_str());
        assert_eq!(found, id, "{extension}");
    }
}

#[test]
fn an_override_changes_only_its_keys() {
    let table = languages("[cpp]\ncompile = ['clang++', '{source}']\n");
    let cpp = table.get("cpp").unwrap();
    assert_eq!(cpp.name, "C++");
    assert_eq!(cpp.compile[0].as_str(), "clang++");
    assert_eq!(cpp.run[0].as_str(), "{binary}");
}

#[test]
fn an_override_with_another_compiler_drops_resolve_and_version() {
    let asked = |text: &str, id: &str| {
        let table = languages(text);
        let language = table.get(id).unwrap();
        (
            language.resolve.first().cloned().unwrap_or_default(),
            language.version.first().cloned().unwrap_or_default(),
        )
    };
    let both = |name: &str| (name.to_owned(), name.to_owned());
    for (text, id, expected) in [
        ("[rust]\ncompile = ['rustc', '-O', '{source}']", "rust", both("rustc")),
        ("[rust]\ntime_factor = 2", "rust", both("rustc")),
        ("[python3]\nrun = ['python3', '-O', '{source}']", "python3", both("python3")),
        (
            "[rust]\nrun = ['qemu', '{binary}']\nversion = ['x']",
            "rust",
            ("rustc".to_owned(), "x".to_owned()),
        ),
        (
            "[rust]\ncompile = ['mrustc']\ndebug = ['mrustc']\nsanitize = ['mrustc']",
            "rust",
            both(""),
        ),
        (
            "[python3]\ncompile = []\nrun = ['pyston', '{source}']\nresolve = ['pyston', '-r']",
            "python3",
            ("pyston".to_owned(), String::new()),
        ),
    ] {
        assert_eq!(asked(text, id), expected, "{text}");
    }
}

#[test]
fn an_override_wins_an_extension() {
    let table = languages("[pypy3]\nextensions = ['py']\n");
    assert_eq!(table.by_extension("py").unwrap().id, "pypy3");
    let python = table.get("python3").unwrap();
    assert_eq!(python.extensions, ["py3"]);
    let new = languages("[mine]\nextensions = ['rs']\nrun = ['x']\n");
    assert_eq!(new.by_extension("rs").unwrap().id, "mine");
}

#[test]
fn the_lines_of_a_source_choose_between_languages_with_one_extension() {
    let table = languages("");
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        ("a.m", "printf (\"1\");\n", "octave"),
        ("a.m", "// x\n#import <Foundation/Foundation.h>\n", "objectivec"),
        ("a.M", "#include <stdio.h>\n", "objectivec"),
        ("a.fs", "printfn \"1\"\n", "fsharp"),
        ("a.fs", "\\ adds\n: add + ;\n", "forth"),
        ("a.sh", "#!/bin/bash\n", "bash"),
        ("a.sh", "echo 1\n", "bash"),
        ("a.sh", "#!/bin/sh\necho 1\n", "sh"),
        ("a.scm", "(import (chicken io))\n", "chicken"),
        ("a.scm", "(display 1)\n", "guile"),
    ];
    for (name, text, id) in rows {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        assert_eq!(table.of_file(&path).unwrap().id, id, "{text}");
        let extension = path.extension().unwrap();
        assert_eq!(table.id_of_text(extension, text.as_bytes()).as_deref(), Some(id), "{text}");
    }
    assert_eq!(table.id_of_text(OsStr::new("rs"), b"fn main() {}"), None);
}

#[test]
fn the_settings_decide_about_shared_extensions() {
    let of = |settings: &str| {
        let table = languages(settings);
        let found = table.of_text("m", b"#import <Foundation/Foundation.h>\n");
        found.map(|language| language.id.clone()).unwrap()
    };
    assert_eq!(of(""), "objectivec");
    assert_eq!(of("[octave]\nextensions = ['m']"), "octave");
    assert_eq!(of("[objectivec]\nshares = []"), "octave");
    let mine = "[mine]\nextensions = ['mine']\nshares = ['m']\nmarks = ['#import']\nrun = ['x']";
    assert_eq!(of(mine), "mine");
}

#[test]
fn errors_name_the_language_and_the_key() {
    let table = [
        ("[a]\nrun = ['x']", "language `a` has no `extensions`"),
        ("[a]\nextensions = ['a']", "language `a` has no `run`"),
        ("[a]\nextensions = ['.a']\nrun = ['x']", "invalid extension `.a`"),
        (
            "[a]\nextensions = ['z']\nrun = ['x']\n[b]\nextensions = ['z']\nrun = ['x']",
            "languages `a` and `b` both claim `.z`",
        ),
    ];
    for (text, expected) in table {
        let error = Languages::load(&overrides(text)).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn unknown_keys_and_fields_are_rejected() {
    for text in ["[a]\nbogus = 1", "[a]\nrun = ['{bogus}']"] {
        let error = toml::from_str::<BTreeMap<String, LanguageEntry>>(text).unwrap_err();
        assert!(error.to_string().contains("bogus"), "{error}");
    }
}

#[test]
fn the_first_line_of_a_script_chooses_its_interpreter() {
    let table = languages("");
    let folder = tempfile::tempdir().unwrap();
    let table_of_lines = [
        ("#!/usr/bin/env python2\n", "a.py", "python2"),
        ("#!/usr/bin/python2.7 -u\n", "a.py", "python2"),
        ("#! /usr/bin/env -S pypy\n", "a.py", "python2"),
        ("#!/usr/bin/pypy3\n", "a.py", "pypy3"),
        ("#!/usr/bin/env python3\n", "a.py", "python3"),
        ("#!/bin/sh\n", "a.py", "python3"),
        ("#!\n", "a.py", "python3"),
        ("import sys\n#!/usr/bin/env python2\n", "a.py", "python3"),
        ("#!/usr/bin/env python2\n", "a", "python2"),
    ];
    for (text, name, id) in table_of_lines {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        assert_eq!(table.of_program(&path).unwrap().id, id, "{text}");
    }
}

#[test]
fn a_module_of_webassembly_is_a_source_and_other_binary_files_are_none() {
    for (text, expected) in [
        (&b"\0asm\x01\0\0\0"[..], false),
        (b"\x7fELF\0", true),
        (b"asm\0", true),
        (b"int main() {}", false),
        (b"", false),
    ] {
        assert_eq!(is_binary(text), expected, "{text:?}");
    }
}
