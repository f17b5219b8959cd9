//! The names in a Scala source.

use super::tokens::tokens;
use super::{ClassNames, dotted_after, is_name, with_package};

/// The names in a Scala source: the object with a `main`, an object that extends `App`, or a `@main
/// def`.
pub(crate) fn scala(source: &str) -> ClassNames {
    let tokens = tokens(source);
    let package = dotted_after(&tokens, "package");
    let mut main = None;
    // Objects and classes with the depth of their braces; in Scala 3 there may be no braces.
    let mut declared: Vec<(&str, bool, usize)> = Vec::new();
    let mut depth = 0;
    for (at, &token) in tokens.iter().enumerate() {
        let word = |ahead: usize| tokens.get(at + ahead).copied();
        let around = || {
            let outer = declared.iter().rev().find(|(_, _, outer)| *outer < depth);
            let last_object = || declared.iter().rev().find(|(_, object, _)| *object);
            let found = outer.or_else(last_object)?;
            found.1.then_some(found.0)
        };
        let found = match token {
            "{" => {
                depth += 1;
                None
            }
            "}" => {
                depth = usize::saturating_sub(depth, 1);
                declared.retain(|(_, _, outer)| *outer < depth || depth == 0);
                None
            }
            "object" | "class" | "trait" => {
                if let Some(name) = word(1).filter(|name| is_name(name)) {
                    declared.push((name, token == "object", depth));
                }
                None
            }
            "extends" | "with" if word(1) == Some("App") => {
                let last = declared.last().filter(|(_, object, _)| *object);
                last.map(|(name, _, _)| *name)
            }
            "def" if word(1) == Some("main") && word(5) == Some("Array") => around(),
            "@main" if word(1) == Some("def") => word(2),
            _ => None,
        };
        main = main.or(found);
    }
    ClassNames {
        main_class: main.map(|main| with_package(package.as_deref(), main)),
        file_stem: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scala_names_are_found() {
        let table = [
            ("object A extends App { }", Some("A")),
            (
                "object A { }\nobject B { def main(args: Array[String]) = () }",
                Some("B"),
            ),
            ("package p\nobject C extends T with App", Some("p.C")),
            ("@main def go() = println(1)", Some("go")),
            (
                "object H { }\nclass T { def main(x: Int) = x }\nobject M { case class P(x: Int)\n \
                 def main(args: Array[String]) = () }",
                Some("M"),
            ),
            (
                "object H { val x = 1 }\nclass T { def main(args: Array[String]) = () }",
                None,
            ),
            (
                "class T:\n  def f = 1\nobject M:\n  def main(args: Array[String]) = ()",
                Some("M"),
            ),
            ("class A", None),
        ];
        for (source, main) in table {
            let expected = ClassNames {
                file_stem: None,
                main_class: main.map(str::to_owned),
            };
            assert_eq!(scala(source), expected, "{source}");
        }
    }
}
