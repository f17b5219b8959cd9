//! The names in a Kotlin source.

use super::tokens::{Literals, tokens};
use super::{
    ClassNames, Preference, dotted_after, in_parentheses, is_name, modifiers, with_package,
};

/// The names in the Kotlin source `stem`.kt: a function `main` of the file starts, otherwise a
/// `@JvmStatic` one in the object that is first in the order of [`Preference`].
pub(in crate::language) fn kotlin(source: &str, stem: &str) -> ClassNames {
    let tokens = tokens(source, Literals::Raw);
    let package = dotted_after(&tokens, "package");
    let mut of_file = false;
    let mut of_objects = Vec::new();
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
            "fun" if next == Some("main") && starts(&tokens, at) => {
                if depth == 0 {
                    of_file = true;
                } else if modifiers(&tokens[..at]).any(|word| word == "@JvmStatic")
                    && has_strings(in_parentheses(&tokens[at + 2..]))
                {
                    of_objects.push(path(&declared, depth));
                }
            }
            _ => {}
        }
    }
    let class = if of_file {
        Some(file_class(source, stem))
    } else {
        of_objects.retain(|path| !path.is_empty());
        let preference = |path: &String| Preference::of(path, stem, path.contains('$'));
        of_objects.into_iter().min_by_key(preference)
    };
    ClassNames {
        main_class: class.map(|class| with_package(package.as_deref(), &class)),
        file_stem: None,
    }
}

/// Whether the function `main` at the token `at` starts a program: it is visible, has no parameter or an array of strings,
/// and returns nothing.
fn starts(tokens: &[&str], at: usize) -> bool {
    let hidden = |word| matches!(word, "private" | "protected" | "internal");
    let list = tokens.get(at + 2..).unwrap_or_default();
    if list.first() != Some(&"(") {
        return false;
    }
    let is_hidden = modifiers(&tokens[..at]).any(hidden);
    let parameters = in_parentheses(list);
    let after = list.get(parameters.len() + 2..).unwrap_or_default();
    let returns_nothing = !matches!(after, [":", kind, ..] if !matches!(*kind, "Unit" | "kotlin"));
    !is_hidden && returns_nothing && (parameters.is_empty() || has_strings(parameters))
}

/// Whether the parameters are `args: Array<String>` or `vararg args: String`.
fn has_strings(parameters: &[&str]) -> bool {
    let Some(colon) = parameters.iter().position(|token| *token == ":") else {
        return false;
    };
    let is_many = parameters[..colon].contains(&"vararg");
    let plain = |token: &&&str| !matches!(**token, "kotlin" | "." | "out" | "?" | ",");
    let kind = parameters[colon + 1..].iter().filter(plain);
    let expected: &[&str] = if is_many { &["String"] } else { &["Array", "<", "String", ">"] };
    kind.eq(expected)
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
            ("@file:JvmName(\"X\")\nsuspend fun main() {}", "a", Some("X")),
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
            ("class A { object B { @JvmStatic fun main(a: Array<String>) {} } }", "a", Some("A$B")),
            ("class A { fun main() {} }", "a", None),
            (
                "fun main(x: Int) {}\nobject B { @JvmStatic fun main(vararg a: String) {} }",
                "a",
                Some("B"),
            ),
            ("fun main(a: Array<String>): Int = 1\nfun main(): Unit {}", "a", Some("AKt")),
            ("private fun main(a: Array<String>) {}", "a", None),
            ("/* /* */ fun main() {} */\nval s = \"\"\"\"fun main() {}\"\"\"\"", "a", None),
            (
                "object A { @JvmStatic fun main() {}\n @JvmStatic fun main(x: Array<Int>) {}\n \
                 @JvmStatic internal fun main(x: Array<String>) {} }",
                "a",
                None,
            ),
            (
                "object A { object B { START }\n START }\nobject Main { START }\nobject C { START }",
                "a",
                Some("Main"),
            ),
            (
                "object A { object B { START }\n START }\nobject Main { START }\nobject C { START }",
                "C",
                Some("C"),
            ),
            ("class A { object B { START } }\nobject C { START }", "a", Some("C")),
            ("val s = \"fun main() {}\" // fun main()", "a", None),
        ];
        for (source, stem, main) in table {
            let expected = ClassNames { file_stem: None, main_class: main.map(str::to_owned) };
            let source = source.replace("START", "@JvmStatic fun main(args: Array<out String>) {}");
            assert_eq!(kotlin(&source, stem), expected, "{source}");
        }
    }
}
