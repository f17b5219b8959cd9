//! Languages that run code during compilation, and languages that only read files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rejudge::sandbox::Protection;

use crate::left_behind::workbench::{Shape, Workbench, shapes};
use crate::left_behind::world::SECRET;

/// The attack: it creates links where files are written later, in its folder and around it, and
/// changes the home. It needs no quoting in any language.
const ATTACK: &str = "for n in manifest.json files whole work run sub testlib.h; do \
    ln -s HOME/.bashrc $n; ln -s HOME/new ../$n; done; ln -s HOME folder; \
    echo x >> HOME/.bashrc; touch HOME/new; rm -rf HOME/.ssh; mv HOME/tool HOME/moved";

/// Sources that run a command during compilation; `ATTACK` stands for the command.
const RUNNING: [(&str, &str, &str); 7] = [
    ("perl", "a.pl", "BEGIN { system(q{ATTACK}) }\nprint 1;\n"),
    (
        "haskell",
        "a.hs",
        "{-# LANGUAGE TemplateHaskell #-}\nimport Language.Haskell.TH.Syntax\nimport System.Process\n\
         main = print $(runIO (system \"ATTACK\") >> lift (1 :: Int))\n",
    ),
    ("nim", "a.nim", "const said = staticExec(\"\"\"ATTACK\"\"\")\necho said.len\n"),
    (
        "lisp",
        "a.lisp",
        "(eval-when (:compile-toplevel)\n  (run-program \"/bin/sh\" (list \"-c\" \"ATTACK\")))\n\
         (print #.(progn (run-program \"/bin/sh\" (list \"-c\" \"ATTACK\")) 1))\n",
    ),
    ("prolog", "a.prolog", ":- shell('ATTACK', _).\nmain :- write(1).\n"),
    // The compilers of the table run no code here; the attacks must also be harmless if that changes.
    ("ruby", "a.rb", "BEGIN { system(%q{ATTACK}) }\nputs 1\n"),
    ("python3", "sys.py", "import os\nos.system('ATTACK')\n"),
];

/// The languages that currently run code during compilation.
const RUNS: [&str; 5] = ["perl", "haskell", "nim", "lisp", "prolog"];

/// Sources that include a file of the user and print it if they can; `SECRET` stands for its path.
const READING: [(&str, &str, &str); 11] = [
    ("c", "a.c", "#include \"SECRET\"\nint main(void) { return 0; }\n"),
    (
        "cpp",
        "a.cpp",
        "#include <cstdio>\nasm(\".section .rodata\\n.globl text\\ntext: .incbin \\\"SECRET\\\"\\n.byte 0\\n.text\");\n\
         extern \"C\" const char text[];\nint main() { std::puts(text); }\n",
    ),
    ("rust", "a.rs", "fn main() { println!(\"{}\", include_str!(\"SECRET\")); }\n"),
    ("fortran", "a.f90", "include 'SECRET'\nend\n"),
    (
        "cobol",
        "a.cob",
        "IDENTIFICATION DIVISION.\nPROGRAM-ID. A.\nPROCEDURE DIVISION.\nCOPY \"SECRET\".\nSTOP RUN.\n",
    ),
    ("pascal", "a.pas", "begin\n{$I SECRET}\nend.\n"),
    ("d", "a.d", "import std.stdio;\nvoid main() { writeln(import(\"SECRET\")); }\n"),
    ("nim", "a.nim", "const text = staticRead(\"SECRET\")\necho text\n"),
    ("lisp", "a.lisp", "(print #.(with-open-file (in \"SECRET\") (read-line in)))\n"),
    ("perl", "a.pl", "BEGIN { require q{SECRET} }\nprint 1;\n"),
    (
        "ada",
        "a.adb",
        "pragma Source_File_Name (B, Spec_File_Name => \"SECRET\");\nwith B;\nprocedure A is begin null; end A;\n",
    ),
];

/// The two protections that separate the worlds: a mount namespace, and only the rules of the
/// kernel.
fn tried() -> impl Iterator<Item = Shape> {
    let tried = |shape: &Shape| ["everything", "a container"].contains(&shape.name);
    shapes().into_iter().filter(tried)
}

/// Builds the files that `write` creates in the repository; returns the output.
fn built(workbench: &mut Workbench, what: &str, write: impl FnOnce(&Path) -> PathBuf) -> String {
    let folder = workbench.world.path(&format!("repository/{what}"));
    fs::create_dir(&folder).unwrap();
    let source = write(&folder);
    let before = workbench.world.own(true);
    let built = workbench.build(&source);
    assert_eq!(workbench.world.own(true), before, "{what}: {built:?}");
    built.unwrap_or_else(|why| why)
}

#[test]
fn code_that_runs_while_compiling_changes_nothing() {
    for shape in tried() {
        let mut workbench = Workbench::new(&shape);
        if !workbench.is_isolated() {
            continue;
        }
        let home = workbench.world.path("home").display().to_string();
        let attack = ATTACK.replace("HOME", &home);
        for (id, name, source) in RUNNING {
            if !workbench.has_language(id) {
                continue;
            }
            let said = built(&mut workbench, id, |folder| {
                let path = folder.join(name);
                fs::write(&path, source.replace("ATTACK", &attack)).unwrap();
                path
            });
            // The code did run.
            let refused = said.contains("which is a symbolic link");
            assert_eq!(refused, RUNS.contains(&id), "{id} under {}: {said}", shape.name);
        }
        if workbench.has_language("java") {
            let said = built(&mut workbench, "java", |folder| java_with_processor(folder, &attack));
            assert!(said.contains("which is a symbolic link"), "{}: {said}", shape.name);
        }
        workbench.end(shape.name);
    }
}

/// A Java program with a compiled annotation processor, which the compiler runs.
fn java_with_processor(folder: &Path, attack: &str) -> PathBuf {
    let processor = format!(
        "import java.util.*;\nimport javax.annotation.processing.*;\nimport javax.lang.model.element.*;\n\
         @SupportedAnnotationTypes(\"*\")\npublic class Evil extends AbstractProcessor {{\n\
         public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) {{\n\
         try {{ new ProcessBuilder(\"/bin/sh\", \"-c\", \"{attack}\").start().waitFor(); }}\n\
         catch (Exception error) {{ throw new RuntimeException(error); }}\nreturn false; }} }}\n"
    );
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("Evil.java");
    fs::write(&source, processor).unwrap();
    let status = Command::new("javac").arg("-d").arg(folder).arg(&source).status();
    assert!(status.unwrap().success());
    fs::write(
        folder.join("Main.java"),
        "class Main { public static void main(String[] a) { System.out.println(1); } }\n",
    )
    .unwrap();
    let services = folder.join("META-INF/services");
    fs::create_dir_all(&services).unwrap();
    fs::write(services.join("javax.annotation.processing.Processor"), "Evil\n").unwrap();
    folder.to_owned()
}

#[test]
fn a_compiler_shows_only_files_of_the_submission() {
    for shape in tried() {
        let mut workbench = Workbench::new(&shape);
        if !workbench.is_isolated() {
            continue;
        }
        let secret = workbench.world.path("home/secret").display().to_string();
        for (id, name, source) in READING {
            if !workbench.has_language(id) {
                continue;
            }
            let said = built(&mut workbench, id, |folder| {
                let path = folder.join(name);
                fs::write(&path, source.replace("SECRET", &secret)).unwrap();
                path
            });
            assert!(!said.contains(SECRET), "{id} under {}: {said}", shape.name);
        }
        workbench.end(shape.name);
    }
}

/// Checks the attacks themselves: without protections every file is shown, except by compilers that
/// only search folders of their own.
#[test]
fn without_protections_compilers_show_files() {
    let [.., open] = shapes();
    let mut workbench = Workbench::new(&open);
    assert!(!workbench.has(Protection::MountNamespace) && !workbench.has(Protection::Landlock));
    let secret = workbench.world.path("home/secret").display().to_string();
    for (id, name, source) in READING {
        if ["d", "ada"].contains(&id) || !workbench.has_language(id) {
            continue;
        }
        let said = built(&mut workbench, id, |folder| {
            let path = folder.join(name);
            fs::write(&path, source.replace("SECRET", &secret)).unwrap();
            path
        });
        assert!(said.contains(SECRET), "{id}: {said}");
    }
}
