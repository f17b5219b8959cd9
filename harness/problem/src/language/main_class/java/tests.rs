use super::*;

/// The names in the source `file`.java.
fn names(file: &str, source: &str, release: u32) -> (Option<String>, Option<String>) {
    let names = java(source, file, Some(release));
    (names.file_stem, names.main_class)
}

fn words(stem: Option<&str>, main: Option<&str>) -> (Option<String>, Option<String>) {
    (stem.map(str::to_owned), main.map(str::to_owned))
}

/// A method that starts a program.
const ENTRY: &str = "public static void main(String[] a) {}";

#[test]
fn java_names_are_found() {
    let table = [
        ("", None, None),
        ("public class Main { ENTRY }", Some("Main"), Some("Main")),
        ("package p.q; public final class A { } class B { ENTRY }", Some("A"), Some("p.q.B")),
        (
            "/* class X { */ // class Y\nclass Z { String s = \"class W { void main(\"; char c = '\"'; ENTRY }",
            Some("Z"),
            Some("Z"),
        ),
        ("class A { static class B { void f() {} } ENTRY }", Some("A"), Some("A")),
        ("class A { static class B { ENTRY } }", Some("A"), Some("A$B")),
        (
            "class P { int main; Object o = A.class; } public class Q { void x() { main(); } }",
            Some("Q"),
            None,
        ),
        (
            "import x.*; class A { String t = \"\"\"\n class B { \"quoted\" \\\"\"\" ENTRY } \n\"\"\"; ENTRY }",
            Some("A"),
            Some("A"),
        ),
        ("class Ä { ENTRY }", Some("Ä"), Some("Ä")),
        ("/* /* */ class A { ENTRY } /* */", Some("A"), Some("A")),
    ];
    for (source, stem, main) in table {
        let source = source.replace("ENTRY", ENTRY);
        assert_eq!(names("x", &source, 17), words(stem, main), "{source}");
    }
}

#[test]
fn of_several_classes_with_a_main_the_same_one_starts_as_on_judges() {
    let table = [
        ("x", "class A { ENTRY } public class B { ENTRY }", "B"),
        ("A", "class A { ENTRY } public class B { ENTRY }", "B"),
        ("x", "interface A { static void main(String[] a) {} } public class B { ENTRY }", "B"),
        ("b", "class A { ENTRY } class b { ENTRY } class Main { ENTRY }", "b"),
        ("x", "class A { ENTRY } class Main { ENTRY } class C { ENTRY }", "Main"),
        ("x", "class Main { ENTRY } class A { ENTRY }", "Main"),
        ("x", "class A { ENTRY } class B { ENTRY }", "A"),
        ("Inner", "class A { static class Inner { ENTRY } ENTRY }", "A"),
        ("x", "class A { static class Main { ENTRY } } class B { ENTRY }", "B"),
        ("x", "public class A { public static class B { ENTRY } } class C { ENTRY }", "C"),
        ("x", "class A { void f() { class B { ENTRY } } } class C { ENTRY }", "C"),
        ("x", "class A { Object o = new Object() { ENTRY }; } class C { ENTRY }", "C"),
        // Inherited from a class, but not from an interface.
        ("Main", "class Base { ENTRY } class Main extends Base { }", "Main"),
        (
            "x",
            "class O { static class B<T> { ENTRY } } public class C<T> extends O.B<T> implements D { }",
            "C",
        ),
        ("x", "interface I { ENTRY } public class C implements I { }", "I"),
        ("x", "class A extends B { } class B extends A { } class C { ENTRY }", "C"),
    ];
    for (file, source, main) in table {
        let source = source.replace("ENTRY", ENTRY);
        let found = java(&source, file, Some(17)).main_class;
        assert_eq!(found.as_deref(), Some(main), "{file}: {source}");
    }
}

#[test]
fn only_a_public_static_main_with_an_array_of_strings_starts() {
    for method in [
        "public static void main(String[] a) {}",
        "static public final synchronized strictfp void main(final String... a) throws Exception {}",
        "public static void main(String []a) {}",
        "public static void main(String a[]) {}",
        "public static void main(java.lang.String[] a) {}",
        "public static <T extends Comparable<T>> void main(String[] a) {}",
        "@SuppressWarnings({\"a\", \"b\"}) public static void main(String[] a) {}",
        "public @SuppressWarnings({\"a\"}) static void main(@B(x = 1) String @C [] a) {}",
    ] {
        let source = format!("class A {{ int x; {method} }}");
        let found = java(&source, "x", Some(17)).main_class;
        assert_eq!(found.as_deref(), Some("A"), "{method}");
    }
    for method in [
        "static void main(String[] a) {}",
        "protected static void main(String[] a) {}",
        "public void main(String[] a) {}",
        "public static int main(String[] a) { return 1; }",
        "public static void main() {}",
        "public static void main(String a) {}",
        "public static void main(String[][] a) {}",
        "public static void main(String[]... a) {}",
        "public static void main(String[] a, int b) {}",
        "public static void main(int[] a) {}",
        "static <T> void main(List<String> a) {}",
    ] {
        let source = format!("class A {{ {method} }}");
        assert_eq!(java(&source, "x", Some(17)).main_class, None, "{method}");
        let source = format!("class A {{ {method} }} class B {{ {ENTRY} }}");
        let found = java(&source, "A", Some(17)).main_class;
        assert_eq!(found.as_deref(), Some("B"), "{method}");
    }
    for kind in ["interface A {", "enum A { X, Y;", "record A(int x) {"] {
        let source = format!("{kind} {ENTRY} }}");
        let found = java(&source, "x", Some(17)).main_class;
        assert_eq!(found.as_deref(), Some("A"), "{kind}");
    }
    let private = "interface A { private static void main(String[] a) {} }";
    assert_eq!(java(private, "x", Some(17)).main_class, None);
}

/// Each of these was tried with the `java` of JDK 25.
#[test]
fn jdk_25_also_starts_other_methods_and_files_without_a_class() {
    let table = [
        ("x", "class A { static void main(String[] a) {} }", None, Some("A")),
        ("x", "class A { void main() {} }", None, Some("A")),
        ("x", "abstract class A { void main() {} } class B extends A { }", None, Some("B")),
        ("x", "interface A { default void main() {} } class B implements A { }", None, Some("B")),
        (
            "x",
            "class A { class B { void main() {} } static class C { void main() {} } }",
            None,
            Some("A$C"),
        ),
        ("x", "class A { private static void main(String[] a) {} }", None, None),
        (
            "x",
            "class A { static void main(String a) {} static int main() { return 1; } }",
            None,
            None,
        ),
        // A helper's method is not preferred to what every release starts.
        ("x", "class A { void main() {} } class B { ENTRY }", Some("B"), Some("B")),
        ("A", "class A { void main() {} } class B { ENTRY }", Some("B"), Some("A")),
    ];
    for (file, source, old, new) in table {
        let source = source.replace("ENTRY", ENTRY);
        let found = |release| java(&source, file, release).main_class;
        assert_eq!(found(Some(17)).as_deref(), old, "{source}");
        assert_eq!(found(None).as_deref(), old, "{source}");
        assert_eq!(found(Some(25)).as_deref(), new, "{source}");
    }
    let nameless = "import java.util.*; record P(int x) {} void main() { } class Main { ENTRY }"
        .replace("ENTRY", ENTRY);
    for (file, name) in [("a_1", "a_1"), ("wrong-answer", "Main"), ("1", "Main")] {
        let expected = words(Some(name), Some(name));
        assert_eq!(names(file, &nameless, 25), expected, "{file}");
    }
}
