//! The methods `main` of Java, and which of them a release starts.

use super::super::{in_parentheses, is_name};

/// The first release that starts a `main` without `public`, `static` or parameters (JEP 512).
const EVERY_MAIN: u32 = 25;

/// A method that starts a program; the better one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum JavaEntry {
    /// `public static void main(String[])`.
    Classic,
    /// From JDK 25 on: static, with or without the parameter.
    Static,
    /// From JDK 25 on: of an object, which the class must be able to create.
    OfObject,
}

/// The method whose name is the token `at`, if `release` starts it. The methods of an interface are public without the word.
pub(super) fn entry(
    tokens: &[&str],
    at: usize,
    is_in_interface: bool,
    release: Option<u32>,
) -> Option<JavaEntry> {
    if at == 0 || tokens[at - 1] != "void" || tokens.get(at + 1) != Some(&"(") {
        return None;
    }
    let words: Vec<&str> = words_before(&tokens[..at]).collect();
    let is = |word: &str| words.contains(&word);
    let parameters = in_parentheses(&tokens[at + 1..]);
    let has_strings = is_array_of_strings(parameters);
    let has_any = has_strings || parameters.is_empty();
    let is_public = is("public") || (is_in_interface && !is("private"));
    if is_public && is("static") && has_strings {
        return Some(JavaEntry::Classic);
    }
    let starts = release.is_some_and(|release| release >= EVERY_MAIN) && has_any && !is("private");
    if starts && is("static") {
        Some(JavaEntry::Static)
    } else {
        (starts && !is("abstract")).then_some(JavaEntry::OfObject)
    }
}

/// The words of a declaration before its name, without those in parentheses.
pub(super) fn words_before<'a>(before: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let mut depth = 0_usize;
    before
        .iter()
        .rev()
        .copied()
        .take_while(move |token| {
            match *token {
                ")" => depth += 1,
                "(" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth > 0 || !matches!(*token, ";" | "{" | "}")
        })
        .filter(|token| is_name(token))
}

/// Whether the parameters are one array of strings: `String[] a`, `String a[]` or `String... a`.
fn is_array_of_strings(parameters: &[&str]) -> bool {
    let mut rest: Vec<&str> = Vec::new();
    let mut depth = 0_usize;
    for token in parameters {
        match *token {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "final" => {}
            _ if depth == 0 && !token.starts_with('@') => rest.push(token),
            _ => {}
        }
    }
    if let ["java", ".", "lang", ".", ..] = rest.as_slice() {
        rest.drain(..4);
    }
    match rest.as_slice() {
        ["String", "[", "]", name]
        | ["String", ".", ".", ".", name]
        | ["String", name, "[", "]"] => is_name(name),
        _ => false,
    }
}
