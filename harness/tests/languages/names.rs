//! File names and main classes that judges accept, as they occur in real repositories.

use rejudge::compile::Built;
use rejudge::language::Profile;
use rejudge::sandbox::Exit;

use crate::languages::judge::Judge;

/// Compiles and runs sources, by file name, each of which prints `fine`.
fn are_fine(sources: &[(&str, &str)]) {
    let mut judge = Judge::new(Profile::Judge);
    for (name, text) in sources {
        let source = judge.folder.path().join(name);
        std::fs::write(&source, text).unwrap();
        if !judge.has(judge.languages.of_file(&source).unwrap()) {
            continue;
        }
        let (execution, output) = judge.run(&source, "");
        let words = String::from_utf8_lossy(&execution.stderr_tail);
        assert_eq!(execution.exit, Exit::Code(0), "{name}: {output:?}\n{words}");
        assert_eq!(output, "fine\n", "{name}");
    }
}

#[test]
fn a_java_class_may_have_any_name_and_package() {
    are_fine(&[
        (
            "wrong answer-1.java",
            "package a.b;\n/* public class Not {} */\npublic class Solution {\n\
             public static void main(String[] args) { System.out.println(\"fine\"); } }\n",
        ),
        (
            "dp.java",
            "class Helper { void main() {} static void main(int n) {} }\n\
             final class Other { public static void main(final String... args) { System.out.println(\"fine\"); } }\n",
        ),
        (
            "2.JAVA",
            "class Outer { static class Inner { \
             static public void main(String args[]) { System.out.println(\"fine\"); } } }\n",
        ),
        (
            "Main.java",
            "public interface Start { static void main(String[] a) { System.out.println(\"fine\"); } }\n",
        ),
    ]);
}

#[test]
fn of_several_java_classes_the_one_of_judges_starts() {
    const OTHER: &str = "public static void main(String[] a) { System.out.println(\"other\"); }";
    const FINE: &str = "public static void main(String[] a) { System.out.println(\"fine\"); }";
    let table = [
        ("Fast.java", "class Brute { OTHER }\npublic class Fast { FINE }"),
        ("2.java", "interface Tester { OTHER }\npublic class Iface { FINE }"),
        ("mainfirst.java", "class Aaa { OTHER }\nclass Main { FINE }"),
        ("Named.java", "class Aaa { OTHER }\nclass Named { FINE }\nclass Main { OTHER }"),
        ("inner.java", "class Outer { static class Main { OTHER } FINE }"),
        ("Main.java", "class Base { FINE }\nclass Other { OTHER }\nclass Main extends Base { }"),
        (
            "hidden.java",
            "class A { static void main(String[] a) { System.out.println(\"other\"); } }\nclass B { FINE }",
        ),
        ("Größe.java", "class Aaa { OTHER }\nclass Größe { FINE }"),
    ];
    for (name, text) in table {
        let text = text.replace("OTHER", OTHER).replace("FINE", FINE);
        are_fine(&[(name, &text)]);
    }
}

#[test]
fn a_kotlin_main_may_be_in_an_object_or_a_package() {
    are_fine(&[
        (
            "1-object.kt",
            "package a.b\nobject Solution {\n    @JvmStatic\n    fun main(args: Array<String>) = println(\"fine\")\n}\n",
        ),
        (
            "several.kt",
            "object Helper { @JvmStatic fun main(args: Array<String>) = println(\"other\") }\n\
             object Main { @JvmStatic fun main(args: Array<String>) = println(\"fine\") }\nfun main(x: Int) = x\n",
        ),
        (
            "main-function.kt",
            "package c\nclass Helper { fun main() = 1 }\nfun main(args: Array<String>) { println(\"fine\") }\n",
        ),
    ]);
}

#[test]
fn a_scala_object_may_have_any_name() {
    are_fine(&[(
        "several.scala",
        "object Helper extends App { println(\"other\") }\nobject Outer { object Inner extends App { println(\"other\") } }\n\
         trait Solver { def main(args: Array[String]): Unit = println(\"fine\") }\nobject Main extends Solver\n",
    )]);
    are_fine(&[(
        "two-objects.scala",
        "package a.b\nobject Helper { def twice(n: Int) = 2 * n }\nclass T { def main(n: Int) = n }\n\
         object Other extends App { println(\"fine\") }\n",
    )]);
}

#[test]
fn any_compiler_accepts_a_file_name_that_is_not_an_identifier() {
    are_fine(&[
        ("wrong-answer_1.nim", "echo \"fine\"\n"),
        ("wrong-answer_1.d", "import std.stdio; void main() { writeln(\"fine\"); }\n"),
        ("tree_test.go", "package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"fine\") }\n"),
        (
            "tree_windows.go",
            "package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"fine\") }\n",
        ),
        (
            "wrong-answer 1.adb",
            "with Ada.Text_IO;\nprocedure Anything is begin Ada.Text_IO.Put_Line (\"fine\"); end Anything;\n",
        ),
        ("1 b.pas", "program other;\nbegin\n  writeln('fine');\nend.\n"),
        ("not-Main.hs", "module Main (main) where\nmain = putStrLn \"fine\"\n"),
        (
            "No-Class.cs",
            "namespace A.B { struct Other { static int Main(string[] args) \
             { System.Console.WriteLine(\"fine\"); return 0; } } }\n",
        ),
        ("1.ml", "let () = print_endline \"fine\"\n"),
        ("Ö.rs", "fn main() { println!(\"fine\") }\n"),
        ("-rf.py", "print('fine')\n"),
    ]);
}

#[test]
fn an_extension_that_selects_a_variant_of_the_language_is_kept() {
    are_fine(&[
        ("1.f", "C     A COMMENT\n      PRINT '(A)', 'fine'\n      END\n"),
        ("1.mjs", "import { argv } from \"node:process\";\nif (argv) console.log(\"fine\");\n"),
        ("A.HS", "main = putStrLn \"fine\"\n"),
        ("1.CPP", "#include <cstdio>\nint main() { std::puts(\"fine\"); }\n"),
    ]);
}

#[test]
fn sources_without_a_program_or_with_a_too_long_name_are_rejected() {
    let mut judge = Judge::new(Profile::Judge);
    let name = "A".repeat(255);
    for (file, text, reason) in [
        ("library.go", "package library\n\nfunc F() {}\n", "the compiler created no program"),
        ("u.pas", "unit u;\ninterface\nimplementation\nend.\n", "the compiler created no program"),
        (
            "long.java",
            &format!("public class {name} {{ public static void main(String[] a) {{}} }}\n"),
            "the file name would have 260 bytes; at most 255 are possible",
        ),
        (
            "fits.java",
            &format!(
                "public class {} {{ public static void main(String[] a) {{}} }}\n",
                &name[..250]
            ),
            "the compiler ended with exit code 1",
        ),
    ] {
        let source = judge.folder.path().join(file);
        std::fs::write(&source, text).unwrap();
        if !judge.has(judge.languages.of_file(&source).unwrap()) {
            continue;
        }
        let Built::Failed(failure) = judge.compile(&source) else { panic!("{file} is a program") };
        assert_eq!(failure.reason, reason, "{file}");
    }
}
