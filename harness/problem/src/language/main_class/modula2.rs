//! The module of a Modula-2 source: gm2 links only if the file is named after it.

use super::ClassNames;

/// The module after the first `MODULE` outside comments. A comment is between `(*` and `*)`, and may contain others.
pub(in crate::language) fn modula2(text: &str) -> ClassNames {
    let text = without_comments(text);
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = words.by_ref().find(|word| *word == "MODULE").and_then(|_| {
        let name = words.find(|word| !word.is_empty())?;
        name.starts_with(|c: char| !c.is_ascii_digit()).then(|| name.to_owned())
    });
    ClassNames { file_stem: name, main_class: None }
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let (mut depth, mut kept) = (0_usize, String::new());
    while let Some(at) = rest.find(['(', '*']) {
        if depth == 0 {
            kept.push_str(&rest[..at]);
        }
        let length = if rest[at..].starts_with("(*") {
            depth += 1;
            kept.push(' ');
            2
        } else if depth > 0 && rest[at..].starts_with("*)") {
            depth -= 1;
            2
        } else {
            if depth == 0 {
                kept.push_str(&rest[at..=at]);
            }
            1
        };
        rest = &rest[at + length..];
    }
    if depth == 0 {
        kept.push_str(rest);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_is_the_declared_one() {
        let table = [
            ("MODULE sum;\nBEGIN\nEND sum.\n", Some("sum")),
            ("(* MODULE a; (* b *) MODULE c; *)\n IMPLEMENTATION MODULE(**)D ;", Some("D")),
            ("MODULE 1x;", None),
            ("(* MODULE a;", None),
            ("a * (b) MODULE\nx", Some("x")),
            ("", None),
        ];
        for (text, name) in table {
            let expected = ClassNames { file_stem: name.map(str::to_owned), main_class: None };
            assert_eq!(modula2(text), expected, "{text}");
        }
    }
}
