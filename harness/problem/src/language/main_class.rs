//! Finds the class in which a program starts from the text of its source, as judges do.
//!
//! Judges such as problemtools start the class that the file is named after. Many sources outside packages have another name,
//! so the other classes follow in the order of [`Preference`]. Comments and literals are removed first, so that a class in a
//! comment is ignored.

mod elixir;
mod erlang;
mod haxe;
mod java;
mod kotlin;
mod modula2;
mod scala;
mod tokens;

pub(super) use elixir::elixir;
pub(super) use erlang::erlang;
pub(super) use haxe::haxe;
pub(super) use java::java;
pub(super) use kotlin::kotlin;
pub(super) use modula2::modula2;
pub(super) use scala::scala;

/// The names that a source declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassNames {
    /// The required file name, without its extension; `None` if any name is allowed.
    pub file_stem: Option<String>,
    /// The class to start, with its package; `None` if no class has a `main`.
    pub main_class: Option<String>,
}

/// Which of several classes with a `main` starts: the first in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Preference {
    /// A public class that is not nested: in Java, the file must have its name.
    Public,
    NamedAfterFile,
    NamedMain,
    TopLevel,
    Nested,
}

impl Preference {
    /// That of the class `name` in the file `stem`.
    fn of(name: &str, stem: &str, is_nested: bool) -> Self {
        match name {
            _ if is_nested => Self::Nested,
            _ if name == stem => Self::NamedAfterFile,
            "Main" => Self::NamedMain,
            _ => Self::TopLevel,
        }
    }
}

/// The class `Main`, otherwise the first one.
fn main_or_first(found: &[&str]) -> Option<String> {
    let main = found.iter().find(|name| **name == "Main").or(found.first());
    main.map(|name| (*name).to_owned())
}

fn with_package(package: Option<&str>, class: &str) -> String {
    package.map_or_else(|| class.to_owned(), |package| format!("{package}.{class}"))
}

fn dotted_after(tokens: &[&str], word: &str) -> Option<String> {
    let at = tokens.iter().position(|token| *token == word)?;
    let part = |token: &&&str| is_name(token) || **token == ".";
    let mut name = String::new();
    for token in tokens[at + 1..].iter().take_while(part) {
        // The `;` after the name is optional: a second name without a dot before it is the start of
        // the next statement.
        if is_name(token) && !name.is_empty() && !name.ends_with('.') {
            break;
        }
        name.push_str(token);
    }
    Some(name).filter(|name| !name.is_empty())
}

/// The modifiers right before a declaration, the last one first.
fn modifiers<'a>(before: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    before.iter().rev().copied().take_while(|token| is_name(token) || token.starts_with('@'))
}

/// The tokens in the parentheses that open at the first of `tokens`.
fn in_parentheses<'a, 'b>(tokens: &'b [&'a str]) -> &'b [&'a str] {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" => depth += 1,
            ")" if depth <= 1 => return tokens.get(1..at).unwrap_or_default(),
            ")" => depth -= 1,
            _ => {}
        }
    }
    tokens.get(1..).unwrap_or_default()
}

fn is_name(token: &str) -> bool {
    token.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_' || first == '$')
}
