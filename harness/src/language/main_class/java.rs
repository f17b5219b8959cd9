//! The names in a Java source.

use super::tokens::tokens;
use super::{ClassNames, dotted_after, is_name, modifiers, with_package};

/// The names in a Java source: the file is named after its public class, and the program starts in
/// the class that encloses the first `main` that Java would start.
pub(crate) fn java(source: &str) -> ClassNames {
    let tokens = tokens(source);
    let package = dotted_after(&tokens, "package");
    let mut public = None;
    let mut main: Option<(Signature, String)> = None;
    let mut first = None;
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut depth = 0;
    for (at, &token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).copied();
        let next = tokens.get(at + 1).copied();
        match token {
            "{" => depth += 1,
            "}" => {
                depth = usize::saturating_sub(depth, 1);
                open.retain(|(_, outer)| *outer < depth);
            }
            "class" | "interface" | "enum" | "record" if before != Some(".") => {
                let Some(name) = next.filter(|name| is_name(name)) else {
                    continue;
                };
                if depth == 0 {
                    first.get_or_insert(name);
                    if modifiers(&tokens[..at]).any(|word| word == "public") {
                        public.get_or_insert(name);
                    }
                }
                open.push((name.to_owned(), depth));
            }
            "main" if next == Some("(") && before == Some("void") && !open.is_empty() => {
                let found = signature(&tokens, at);
                if main.as_ref().is_none_or(|(best, _)| *best < found) {
                    let path: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
                    main = Some((found, path.join("$")));
                }
            }
            _ => {}
        }
    }
    let stem = public.or(first).map(str::to_owned);
    ClassNames {
        main_class: main.map(|(_, main)| with_package(package.as_deref(), &main)),
        file_stem: stem,
    }
}

/// How closely a method `main` matches the one that Java starts.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Signature {
    Other,
    Static,
    /// `static void main(String...)`.
    Starts,
}

fn signature(tokens: &[&str], at: usize) -> Signature {
    if !modifiers(&tokens[..at]).any(|word| word == "static") {
        return Signature::Other;
    }
    let mut arguments = tokens[at + 2..].iter();
    match arguments.find(|token| **token != "final") {
        Some(&"String") => Signature::Starts,
        _ => Signature::Static,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(stem: Option<&str>, main: Option<&str>) -> ClassNames {
        ClassNames {
            file_stem: stem.map(str::to_owned),
            main_class: main.map(str::to_owned),
        }
    }

    #[test]
    fn java_names_are_found() {
        let table = [
            ("", None, None),
            (
                "public class Main { public static void main(String[] a) {} }",
                Some("Main"),
                Some("Main"),
            ),
            (
                "class A { static void main(String[] a) {} }",
                Some("A"),
                Some("A"),
            ),
            (
                "package p.q; public final class A { } class B { static void main(String[] a) {} }",
                Some("A"),
                Some("p.q.B"),
            ),
            (
                "/* class X { */ // class Y\nclass Z { String s = \"class W { void main(\"; char c = '\"'; void main() {} }",
                Some("Z"),
                Some("Z"),
            ),
            (
                "class A { static class B { void f() {} } public static void main(String[] a) {} }",
                Some("A"),
                Some("A"),
            ),
            (
                "class A { static class B { public static void main(String... a) {} } }",
                Some("A"),
                Some("A$B"),
            ),
            (
                "class P { int main; Object o = A.class; } public class Q { void x() { main(); } }",
                Some("Q"),
                None,
            ),
            (
                "import x.*; class A { String t = \"\"\"\n class B { \"quoted\" \n\"\"\"; public static void main(String[] a) {} }",
                Some("A"),
                Some("A"),
            ),
            (
                "class A { void main() {} } class B { static void main(int n) {} } \
                 class C { static public void main(final String[] a) {} }",
                Some("A"),
                Some("C"),
            ),
            (
                "class Ä { static void main(String[] a) {} }",
                Some("Ä"),
                Some("Ä"),
            ),
        ];
        for (source, stem, main) in table {
            assert_eq!(java(source), names(stem, main), "{source}");
        }
    }
}
