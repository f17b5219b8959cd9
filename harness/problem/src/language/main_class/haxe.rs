//! The class of a Haxe source that starts: the compiler demands that the file is named after it.

use super::tokens::{Literals, tokens};
use super::{ClassNames, is_name, main_or_first};

/// The class `Main` if it has a static function `main`, otherwise the first class that has one.
pub(in crate::language) fn haxe(text: &str) -> ClassNames {
    let tokens = tokens(text, Literals::Java);
    let (mut class, mut found) = ("", Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).copied().unwrap_or_default();
        match *token {
            "class" if is_name(next) => class = next,
            "function" if next == "main" && !class.is_empty() => {
                let before = tokens[..at].iter().rev();
                let mut modifiers = before.take_while(|word| is_name(word));
                if modifiers.any(|word| *word == "static") {
                    found.push(class);
                }
            }
            _ => {}
        }
    }
    let main = main_or_first(&found);
    ClassNames { file_stem: main.clone(), main_class: main }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_with_a_static_main_starts() {
        let table = [
            ("class A {\n  static function main() {}\n}\n", Some("A")),
            ("class A { static public function main() {} }\n", Some("A")),
            (
                "class A { static function main() {} }\nclass Main { static function main() {} }\n",
                Some("Main"),
            ),
            ("class A {\n  function main() {}\n}\n", None),
            ("// class B { static function main() {} }\nclass A {}\n", None),
            ("class ../x { static function main() {} }\n", None),
        ];
        for (text, name) in table {
            assert_eq!(haxe(text).main_class.as_deref(), name, "{text}");
            assert_eq!(haxe(text).file_stem.as_deref(), name, "{text}");
        }
    }
}
