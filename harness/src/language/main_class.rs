//! Finds the class in which a program starts from the text of its source, as judges do.
//!
//! Comments and literals are removed first, so that a class in a comment is ignored.

mod java;
mod kotlin;
mod scala;
mod tokens;

pub(super) use java::java;
pub(super) use kotlin::kotlin;
pub(super) use scala::scala;

/// The names that a source declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ClassNames {
    /// The required file name, without its extension; `None` if any name is allowed.
    pub(crate) file_stem: Option<String>,
    /// The class to start, with its package; `None` if no class has a `main`.
    pub(crate) main_class: Option<String>,
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
    before
        .iter()
        .rev()
        .copied()
        .take_while(|token| is_name(token) || token.starts_with('@'))
}

fn is_name(token: &str) -> bool {
    token
        .chars()
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_' || first == '$')
}
