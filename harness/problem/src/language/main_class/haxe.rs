//! The class of a Haxe source that starts: the compiler demands that the file is named after it.

use super::ClassNames;

/// The class `Main` if it has a static function `main`, otherwise the first class that has one.
pub(in crate::language) fn haxe(text: &str) -> ClassNames {
    let (mut class, mut found) = ("", Vec::new());
    for line in text.lines() {
        let words: Vec<&str> =
            line.split([' ', '\t', '(', '{']).filter(|word| !word.is_empty()).collect();
        let after = |word: &str| {
            let at = words.iter().position(|one| *one == word)?;
            words.get(at + 1).copied()
        };
        class = after("class").unwrap_or(class);
        if after("function") == Some("main") && words.contains(&"static") && !class.is_empty() {
            found.push(class);
        }
    }
    let main = found.iter().find(|name| **name == "Main").or(found.first());
    let main = main.map(|name| (*name).to_owned());
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
        ];
        for (text, name) in table {
            assert_eq!(haxe(text).main_class.as_deref(), name, "{text}");
            assert_eq!(haxe(text).file_stem.as_deref(), name, "{text}");
        }
    }
}
