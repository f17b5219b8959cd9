//! Finds the class that a program starts in, as judges do: from the source's text.
//!
//! Comments and literals are blanked first, so that a class in a comment misleads nobody.

/// What a source says of its own names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// What the file must be called, without its extension; `None`: nothing is demanded.
    pub(crate) file_stem: Option<String>,
    /// The class to start, with its package; `None`: no class has a `main`.
    pub(crate) main_class: Option<String>,
}

/// The names in a Java source: the file is called as its public class, and starts in the class that
/// encloses the first `main`.
pub(crate) fn java(source: &str) -> Names {
    let tokens = tokens(source);
    let package = dotted_after(&tokens, "package");
    let mut public = None;
    let mut main = None;
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
                    if is_public(&tokens[..at]) {
                        public.get_or_insert(name);
                    }
                }
                open.push((name.to_owned(), depth));
            }
            "main" if next == Some("(") && before == Some("void") && main.is_none() => {
                let path: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
                main = Some(path.join("$")).filter(|path| !path.is_empty());
            }
            _ => {}
        }
    }
    let stem = public.or(first).map(str::to_owned);
    Names {
        main_class: main.map(|main| with_package(package.as_deref(), &main)),
        file_stem: stem,
    }
}

/// The names in a Scala source: the object with a `main`, one that extends `App`, or a `@main def`.
pub(crate) fn scala(source: &str) -> Names {
    let tokens = tokens(source);
    let package = dotted_after(&tokens, "package");
    let mut object = None;
    let mut main = None;
    for (at, &token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).copied();
        let after = tokens.get(at + 2).copied();
        let found = match (token, next) {
            ("object", Some(name)) if is_name(name) => {
                object = Some(name);
                None
            }
            ("extends" | "with", Some("App")) | ("def", Some("main")) => object,
            ("@main", Some("def")) => after,
            _ => None,
        };
        main = main.or(found);
    }
    Names {
        main_class: main.map(|main| with_package(package.as_deref(), main)),
        file_stem: None,
    }
}

fn with_package(package: Option<&str>, class: &str) -> String {
    package.map_or_else(|| class.to_owned(), |package| format!("{package}.{class}"))
}

fn dotted_after(tokens: &[&str], word: &str) -> Option<String> {
    let at = tokens.iter().position(|token| *token == word)?;
    let part = |token: &&&str| is_name(token) || **token == ".";
    let mut name = String::new();
    for token in tokens[at + 1..].iter().take_while(part) {
        // Without `;` the next statement follows on: two names in a row end the package's.
        if is_name(token) && !name.is_empty() && !name.ends_with('.') {
            break;
        }
        name.push_str(token);
    }
    Some(name).filter(|name| !name.is_empty())
}

/// Whether `public` is among the modifiers right before a declaration.
fn is_public(before: &[&str]) -> bool {
    let modifiers = before.iter().rev();
    modifiers
        .take_while(|token| is_name(token))
        .any(|token| *token == "public")
}

fn is_name(token: &str) -> bool {
    token
        .chars()
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_' || first == '$')
}

/// Words and single punctuation marks; comments, strings and characters are left out.
fn tokens(source: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(after) = rest.strip_prefix("/*") {
            after.find("*/").map_or(rest.len(), |end| end + 4)
        } else if let Some(after) = rest.strip_prefix("\"\"\"") {
            after.find("\"\"\"").map_or(rest.len(), |end| end + 6)
        } else if first == '"' || first == '\'' {
            literal(rest, first)
        } else if word(first) || first == '@' {
            let end = rest[first.len_utf8()..].find(|c| !word(c));
            let length = end.map_or(rest.len(), |end| end + first.len_utf8());
            tokens.push(&rest[..length]);
            length
        } else {
            let length = first.len_utf8();
            if !first.is_whitespace() {
                tokens.push(&rest[..length]);
            }
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a literal on one line, quotes included.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(stem: Option<&str>, main: Option<&str>) -> Names {
        Names {
            file_stem: stem.map(str::to_owned),
            main_class: main.map(str::to_owned),
        }
    }

    #[test]
    fn finds_java_names() {
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
                "class Ä { static void main(String[] a) {} }",
                Some("Ä"),
                Some("Ä"),
            ),
        ];
        for (source, stem, main) in table {
            assert_eq!(java(source), names(stem, main), "{source}");
        }
    }

    #[test]
    fn finds_scala_names() {
        let table = [
            ("object A extends App { }", Some("A")),
            (
                "object A { }\nobject B { def main(args: Array[String]) = () }",
                Some("B"),
            ),
            ("package p\nobject C extends T with App", Some("p.C")),
            ("@main def go() = println(1)", Some("go")),
            ("class A", None),
        ];
        for (source, main) in table {
            assert_eq!(scala(source), names(None, main), "{source}");
        }
    }
}
