//! Languages that run code while they compile, and those that only read files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rejudge::sandbox::Protection;

use crate::workbench::{Shape, Workbench, shapes};
use crate::world::SECRET;

/// What the code does: links where files are written later, here and around its folder, and changes to the home. No
/// language has to quote anything in it.
const ATTACK: &str = "for n in manifest.json files whole work run sub testlib.h; do \
    ln -s HOME/.bashrc $n; ln -s HOME/new ../$n; done; ln -s HOME folder; \
    echo x >> HOME/.bashrc; touch HOME/new; rm -rf HOME/.ssh; mv HOME/tool HOME/moved";

/// Sources that run a command while they are compiled; `ATTACK` stands for it.
const RUNNING: [(&str, &str, &str); 7] = [
    ("perl", "a.pl", "BEGIN { system(q{ATTACK}) }\nprint 1;\n"),
    (
        "haskell",
        "a.hs",
        "{-# LANGUAGE TemplateHaskell #-}\nimport Language.Haskell.TH.Syntax\nimport System.Process\n\
         main = print $(runIO (system \"ATTACK\") >> lift (1 :: Int))\n",
    ),
    (
        "nim",
        "a.nim",
        "const said = staticExec(\"\"\"ATTACK\"\"\")\necho said.len\n",
    ),
    (
        "lisp",
        "a.lisp",
        "(eval-when (:compile-toplevel)\n  (run-program \"/bin/sh\" (list \"-c\" \"ATTACK\")))\n\
         (print #.(progn (run-program \"/bin/sh\" (list \"-c\" \"ATTACK\")) 1))\n",
    ),
    (
        "prolog",
        "a.prolog",
        ":- shell('ATTACK', _).\nmain :- write(1).\n",
    ),
    // Modules of the folder come before the library's.
    (
        "python3",
        "py_compile.py",
        "import os\nos.system('ATTACK')\n",
    ),
    // The compiler of the table runs no code, and should it begin to, it is no harm either.
    ("ruby", "a.rb", "BEGIN { system(%q{ATTACK}) }\nputs 1\n"),
];

/// Those that run code while they are compiled even today.
const RUNS: [&str; 6] = ["perl", "haskell", "nim", "lisp", "prolog", "python3"];

/// Sources that include a file of the user's; `SECRET` stands for its path, and they print it if they can.
const READING: [(&str, &str, &str); 11] = [
    (
        "c",
        "a.c",
        "#include \"SECRET\"\nint main(void) { return 0; }\n",
    ),
    (
        "cpp",
        "a.cpp",
        "#include <cstdio>\nasm(\".section .rodata\\n.globl text\\ntext: .incbin \\\"SECRET\\\"\\n.byte 0\\n.text\");\n\
         extern \"C\" const char text[];\nint main() { std::puts(text); }\n",
    ),
    (
        "rust",
        "a.rs",
        "fn main() { println!(\"{}\", include_str!(\"SECRET\")); }\n",
    ),
    ("fortran", "a.f90", "include 'SECRET'\nend\n"),
    (
        "cobol",
        "a.cob",
        "IDENTIFICATION DIVISION.\nPROGRAM-ID. A.\nPROCEDURE DIVISION.\nCOPY \"SECRET\".\nSTOP RUN.\n",
    ),
    ("pascal", "a.pas", "begin\n{$I SECRET}\nend.\n"),
    (
        "d",
        "a.d",
        "import std.stdio;\nvoid main() { writeln(import(\"SECRET\")); }\n",
    ),
    (
        "nim",
        "a.nim",
        "const text = staticRead(\"SECRET\")\necho text\n",
    ),
    (
        "lisp",
        "a.lisp",
        "(print #.(with-open-file (in \"SECRET\") (read-line in)))\n",
    ),
    ("perl", "a.pl", "BEGIN { require q{SECRET} }\nprint 1;\n"),
    (
        "ada",
        "a.adb",
        "pragma Source_File_Name (B, Spec_File_Name => \"SECRET\");\nwith B;\nprocedure A is begin null; end A;\n",
    ),
];

/// What keeps the two worlds apart: a mount namespace, and only the rules of the kernel.
fn tried() -> impl Iterator<Item = Shape> {
    let tried = |shape: &Shape| ["everything", "a container"].contains(&shape.name);
    shapes().into_iter().filter(tried)
}

/// Builds what `write` puts into the repository; what was said of it.
fn built(bench: &mut Workbench, what: &str, write: impl FnOnce(&Path) -> PathBuf) -> String {
    let folder = bench.world.path(&format!("repository/{what}"));
    fs::create_dir(&folder).unwrap();
    let source = write(&folder);
    let before = bench.world.own(true);
    let built = bench.build(&source);
    assert_eq!(bench.world.own(true), before, "{what}: {built:?}");
    built.unwrap_or_else(|why| why)
}

#[test]
fn code_that_runs_while_compiling_changes_nothing() {
    for shape in tried() {
        let mut bench = Workbench::new(&shape);
        if !bench.is_walled() {
            continue;
        }
        let home = bench.world.path("home").display().to_string();
        let attack = ATTACK.replace("HOME", &home);
        for (id, name, source) in RUNNING {
            if !bench.has_language(id) {
                continue;
            }
            let said = built(&mut bench, id, |folder| {
                let path = folder.join(name);
                fs::write(&path, source.replace("ATTACK", &attack)).unwrap();
                path
            });
            // So it did run.
            let refused = said.contains("which is a symbolic link");
            assert_eq!(
                refused,
                RUNS.contains(&id),
                "{id} under {}: {said}",
                shape.name
            );
        }
        if bench.has_language("java") {
            let said = built(&mut bench, "java", |folder| {
                java_with_processor(folder, &attack)
            });
            assert!(
                said.contains("which is a symbolic link"),
                "{}: {said}",
                shape.name
            );
        }
        bench.end(shape.name);
    }
}

/// A program in Java that brings a compiled annotation processor, which the compiler runs.
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
    let status = Command::new("javac")
        .arg("-d")
        .arg(folder)
        .arg(&source)
        .status();
    assert!(status.unwrap().success());
    fs::write(
        folder.join("Main.java"),
        "class Main { public static void main(String[] a) { System.out.println(1); } }\n",
    )
    .unwrap();
    let services = folder.join("META-INF/services");
    fs::create_dir_all(&services).unwrap();
    fs::write(
        services.join("javax.annotation.processing.Processor"),
        "Evil\n",
    )
    .unwrap();
    folder.to_owned()
}

#[test]
fn a_compiler_shows_no_file_that_is_not_the_submissions() {
    for shape in tried() {
        let mut bench = Workbench::new(&shape);
        if !bench.is_walled() {
            continue;
        }
        let secret = bench.world.path("home/secret").display().to_string();
        for (id, name, source) in READING {
            if !bench.has_language(id) {
                continue;
            }
            let said = built(&mut bench, id, |folder| {
                let path = folder.join(name);
                fs::write(&path, source.replace("SECRET", &secret)).unwrap();
                path
            });
            assert!(!said.contains(SECRET), "{id} under {}: {said}", shape.name);
        }
        bench.end(shape.name);
    }
}

/// The attacks are attacks: without walls each file is shown, but by compilers that look in folders of their own only.
#[test]
fn without_walls_compilers_do_show_files() {
    let [.., open] = shapes();
    let mut bench = Workbench::new(&open);
    assert!(!bench.has(Protection::MountNamespace) && !bench.has(Protection::Landlock));
    let secret = bench.world.path("home/secret").display().to_string();
    for (id, name, source) in READING {
        if ["d", "ada"].contains(&id) || !bench.has_language(id) {
            continue;
        }
        let said = built(&mut bench, id, |folder| {
            let path = folder.join(name);
            fs::write(&path, source.replace("SECRET", &secret)).unwrap();
            path
        });
        assert!(said.contains(SECRET), "{id}: {said}");
    }
}
