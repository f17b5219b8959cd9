//! Finds the class that a program starts in, as judges do: from the source's text.
//!
//! Comments and literals are left out first, so that a class in a comment misleads nobody.

mod java;
mod kotlin;
mod scala;
mod tokens;

pub(super) use java::java;
pub(super) use kotlin::kotlin;
pub(super) use scala::scala;

/// What a source says of its own names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// What the file must be called, without its extension; `None`: nothing is demanded.
    pub(crate) file_stem: Option<String>,
    /// The class to start, with its package; `None`: no class has a `main`.
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
        // Without `;` the next statement follows on: two names in a row end the package's.
        if is_name(token) && !name.is_empty() && !name.ends_with('.') {
            break;
        }
        name.push_str(token);
    }
    Some(name).filter(|name| !name.is_empty())
}

/// The words right before a declaration.
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
