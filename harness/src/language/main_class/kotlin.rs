//! The names in a Kotlin source.

use super::tokens::tokens;
use super::{ClassNames, dotted_after, is_name, modifiers, with_package};

/// The names in the Kotlin source `stem`.kt: a function `main` of the file starts, otherwise a
/// `@JvmStatic` one in an object.
pub(crate) fn kotlin(source: &str, stem: &str) -> ClassNames {
    let tokens = tokens(source);
    let package = dotted_after(&tokens, "package");
    let mut of_file = false;
    let mut of_object = None;
    // Classes and objects with the depth of their braces; some have no braces.
    let mut declared: Vec<(&str, usize)> = Vec::new();
    let mut depth = 0;
    for (at, &token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).copied();
        match token {
            "{" => depth += 1,
            "}" => {
                depth = usize::saturating_sub(depth, 1);
                declared.retain(|(_, outer)| *outer < depth);
            }
            "object" | "class" | "interface" => {
                // A static function of a companion object is also static in the class around it.
                if modifiers(&tokens[..at]).next() == Some("companion") {
                    declared.push(("", depth));
                } else if let Some(name) = next.filter(|name| is_name(name)) {
                    declared.push((name, depth));
                }
            }
            "fun" if next == Some("main") && tokens.get(at + 2) == Some(&"(") => {
                if depth == 0 {
                    of_file = true;
                } else if modifiers(&tokens[..at]).any(|word| word == "@JvmStatic") {
                    of_object.get_or_insert(path(&declared, depth));
                }
            }
            _ => {}
        }
    }
    let class = if of_file {
        Some(file_class(source, stem))
    } else {
        of_object.filter(|path| !path.is_empty())
    };
    ClassNames {
        main_class: class.map(|class| with_package(package.as_deref(), &class)),
        file_stem: None,
    }
}

/// The class whose body is open at `depth`, with its enclosing classes.
fn path(declared: &[(&str, usize)], depth: usize) -> String {
    let mut names = Vec::new();
    let mut inside = depth;
    for (name, outer) in declared.iter().rev() {
        if *outer < inside {
            names.push(*name);
            inside = *outer;
        }
    }
    names.retain(|name| !name.is_empty());
    names.reverse();
    names.join("$")
}

/// The class that contains a file's functions: `@file:JvmName`, or the file's name as an identifier
/// plus `Kt`.
fn file_class(source: &str, stem: &str) -> String {
    let named = source.split_once("@file:JvmName(\"");
    if let Some((name, _)) = named.and_then(|(_, rest)| rest.split_once('"')) {
        return name.to_owned();
    }
    let mut class = String::new();
    for c in stem.chars() {
        let fits = c.is_alphanumeric() || c == '_' || c == '$';
        if class.is_empty() {
            class.extend(c.to_uppercase());
        } else {
            class.push(if fits { c } else { '_' });
        }
    }
    class + "Kt"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kotlin_names_are_found() {
        let table = [
            ("fun main() {}", "a", Some("AKt")),
            (
                "package p.q\nfun main(args: Array<String>) {}",
                "wrong-answer_1",
                Some("p.q.Wrong_answer_1Kt"),
            ),
            (
                "@file:JvmName(\"X\")\nsuspend fun main() {}",
                "a",
                Some("X"),
            ),
            (
                "object A { @JvmStatic fun main(a: Array<String>) {} }\nfun main() {}",
                "a",
                Some("AKt"),
            ),
            (
                "package p\nobject A {\n @JvmStatic\n fun main(a: Array<String>) {} }",
                "a",
                Some("p.A"),
            ),
            (
                "data class P(val x: Int)\nclass A { class Q(val y: Int)\n companion object { \
                 @JvmStatic public fun main(a: Array<String>) {} } }",
                "a",
                Some("A"),
            ),
            (
                "class A { object B { @JvmStatic fun main(a: Array<String>) {} } }",
                "a",
                Some("A$B"),
            ),
            ("class A { fun main() {} }", "a", None),
            ("val s = \"fun main() {}\" // fun main()", "a", None),
        ];
        for (source, stem, main) in table {
            let expected = ClassNames {
                file_stem: None,
                main_class: main.map(str::to_owned),
            };
            assert_eq!(kotlin(source, stem), expected, "{source}");
        }
    }
}
