//! The names in a Scala source.

use super::tokens::{Literals, tokens};
use super::{
    ClassNames, Preference, dotted_after, in_parentheses, is_name, modifiers, with_package,
};

/// The longest chain of types that inherit a `main`.
const GENERATIONS: usize = 32;

/// The names in the Scala source `stem`.scala: the object with a `main`, an object that extends `App`, or a `@main
/// def`; of several, the first in the order of [`Preference`].
pub(in crate::language) fn scala(source: &str, stem: &str) -> ClassNames {
    let tokens = tokens(source, Literals::Raw);
    let package = dotted_after(&tokens, "package");
    let declared = ScalaSource::read(source, &tokens);
    let main = declared.starts.iter().copied().min_by_key(|name| Preference::of(name, stem, false));
    ClassNames {
        main_class: main.map(|main| with_package(package.as_deref(), main)),
        file_stem: None,
    }
}

/// An object, class or trait.
struct ScalaType<'a> {
    name: &'a str,
    is_object: bool,
    /// The number of open braces around it, and the indentation of its line if its body is indented instead of in braces, as
    /// in Scala 3; otherwise nothing is indented deeper.
    place: (usize, usize),
    /// Whether it is in no other type. A nested object has no static `main`.
    is_outermost: bool,
    has_main: bool,
    parents: Vec<&'a str>,
}

/// The declarations of a source.
#[derive(Default)]
struct ScalaSource<'a> {
    types: Vec<ScalaType<'a>>,
    /// Those around the token that is read.
    open: Vec<usize>,
    /// What starts a program, in the order of the source.
    starts: Vec<&'a str>,
}

impl<'a> ScalaSource<'a> {
    fn read(source: &str, tokens: &[&'a str]) -> Self {
        let mut found = Self::default();
        let mut depth = 0_usize;
        let mut functions = Vec::new();
        for (at, &token) in tokens.iter().enumerate() {
            let word = |ahead: usize| tokens.get(at + ahead).copied();
            match token {
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    let (types, place) = (&found.types, (depth, indentation(source, token)));
                    found.open.retain(|one| types[*one].place < place);
                }
                "object" | "class" | "trait" => {
                    let Some(name) = word(1).filter(|name| is_name(name)) else {
                        continue;
                    };
                    let place = (depth, indentation(source, token));
                    let is_outermost = found.around(place).is_none();
                    let (parents, is_indented) = header(&tokens[at + 2..]);
                    let indentation = if is_indented { place.1 } else { usize::MAX };
                    found.open.push(found.types.len());
                    found.types.push(ScalaType {
                        name,
                        is_object: token == "object",
                        place: (depth, indentation),
                        is_outermost,
                        has_main: false,
                        parents,
                    });
                }
                "def" if word(1) == Some("main") && word(2) == Some("(") => {
                    let is_hidden = modifiers(&tokens[..at])
                        .any(|word| matches!(word, "private" | "protected"));
                    let place = (depth, indentation(source, token));
                    let around = found.around(place);
                    if let Some(around) =
                        around.filter(|_| !is_hidden && has_strings(&tokens[at + 2..]))
                    {
                        found.types[around].has_main = true;
                    }
                }
                "@main" if word(1) == Some("def") => functions.extend(word(2)),
                _ => {}
            }
        }
        let starts = |one: &&ScalaType<'_>| {
            one.is_object && one.is_outermost && found.has_main(one, GENERATIONS)
        };
        let objects = found.types.iter().filter(starts).map(|one| one.name);
        found.starts = objects.chain(functions).collect();
        found
    }

    /// The type around a declaration at a depth and an indentation.
    fn around(&self, place: (usize, usize)) -> Option<usize> {
        let mut open = self.open.iter().rev().copied();
        open.find(|one| self.types[*one].place < place)
    }

    /// Whether a type has a `main`, its own or inherited.
    fn has_main(&self, one: &ScalaType<'_>, generations: usize) -> bool {
        let inherits = |parent: &&str| {
            let known = self.types.iter().find(|other| other.name == *parent && !other.is_object);
            match known {
                Some(known) => generations > 0 && self.has_main(known, generations - 1),
                None => *parent == "App",
            }
        };
        one.has_main || one.parents.iter().any(inherits)
    }
}

/// The indentation of the line of a token of `source`, in bytes.
fn indentation(source: &str, token: &str) -> usize {
    let at = token.as_ptr().addr() - source.as_ptr().addr();
    let line = &source[source[..at].rfind('\n').map_or(0, |end| end + 1)..];
    line.len() - line.trim_start().len()
}

/// The types after `extends` and `with`, without their packages, and whether a `:` ends the header.
fn header<'a>(tokens: &[&'a str]) -> (Vec<&'a str>, bool) {
    let ends = |token: &str| {
        matches!(
            token,
            "{" | "}" | ":" | "=" | ";" | "object" | "class" | "trait" | "def" | "val" | "package"
        )
    };
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut is_listed = false;
    for &token in tokens {
        match token {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if ends(token) => return (names, token == ":"),
            "extends" | "with" => is_listed = true,
            "." => is_listed = names.pop().is_some(),
            _ if is_listed && is_name(token) => {
                names.push(token);
                is_listed = false;
            }
            _ => {}
        }
    }
    (names, false)
}

/// Whether the parameters that open at the first token are one array of strings.
fn has_strings(tokens: &[&str]) -> bool {
    let parameters = in_parentheses(tokens);
    let Some(colon) = parameters.iter().position(|token| *token == ":") else {
        return false;
    };
    let plain = |token: &&&str| !matches!(**token, "scala" | "Predef" | "." | ",");
    let kind = parameters[colon + 1..].iter().filter(plain);
    kind.eq(&["Array", "[", "String", "]"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scala_names_are_found() {
        let table = [
            ("object A extends App { }", Some("A")),
            ("object A { }\nobject B { def main(args: Array[String]) = () }", Some("B")),
            ("package p\nobject C extends T with App", Some("p.C")),
            ("@main def go() = println(1)", Some("go")),
            (
                "object H { }\nclass T { def main(x: Int) = x }\nobject M { case class P(x: Int)\n \
                 def main(args: Array[String]) = () }",
                Some("M"),
            ),
            ("object H { val x = 1 }\nclass T { def main(args: Array[String]) = () }", None),
            ("class T:\n  def f = 1\nobject M:\n  def main(args: Array[String]) = ()", Some("M")),
            ("class A", None),
            ("object A { object B { MAIN }\n MAIN }\nobject C { MAIN }", Some("A")),
            ("object A { object B { MAIN } }\nobject C { MAIN }", Some("C")),
            ("object A:\n  object B:\n    MAIN\nobject C:\n  MAIN", Some("C")),
            ("object A { MAIN }\nobject x { MAIN }\nobject Main extends App", Some("x")),
            ("object A { MAIN }\n@main def Main(n: Int) = n", Some("Main")),
            ("object A { private MAIN }\nobject B { def main(args: Array[Int]) = () }", None),
            ("object A { def main(args: String*) = () }", None),
            ("trait T[X] { MAIN }\nobject A extends U(1) with T[Int] { }", Some("A")),
            ("abstract class T extends scala.App\nobject A extends T { val x = 1 }", Some("A")),
            ("class App\nobject A extends App\nobject B { MAIN }", Some("B")),
            ("/* /* */ object A { MAIN } */ package p { object B { MAIN } }", Some("p.B")),
        ];
        for (source, main) in table {
            let expected = ClassNames { file_stem: None, main_class: main.map(str::to_owned) };
            let source = source.replace("MAIN", "def main(args: Array[String]): Unit = ()");
            assert_eq!(scala(&source, "x"), expected, "{source}");
        }
    }
}
