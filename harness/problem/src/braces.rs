//! Templates: text with fields in braces, such as `--size={n}`.
//!
//! This module splits a template. Its users know the fields.

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplatePart<'a> {
    /// Text outside braces.
    Text(&'a str),
    /// The text between two braces.
    Field(&'a str),
    /// A `{` without a `}`, with everything after it.
    Unclosed(&'a str),
    /// A `}` without a `{`.
    Unopened,
}

/// Whether two equal braces stand for one brace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubled {
    /// `{{` is `{`, and `}}` is `}`.
    Escapes,
    /// Every brace belongs to a field.
    Counts,
}

/// Splits a template into its parts, in order.
pub fn parts(template: &str, doubled: Doubled) -> impl Iterator<Item = TemplatePart<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        let (part, length) = first(rest, doubled)?;
        rest = &rest[length..];
        Some(part)
    })
}

/// The first part of a text and its length; `None` at the end.
fn first(text: &str, doubled: Doubled) -> Option<(TemplatePart<'_>, usize)> {
    if text.is_empty() {
        return None;
    }
    Some(match text.find(['{', '}']) {
        None => (TemplatePart::Text(text), text.len()),
        Some(0) if doubled == Doubled::Escapes && text[1..].starts_with(&text[..1]) => {
            (TemplatePart::Text(&text[..1]), 2)
        }
        Some(0) if text.starts_with('}') => (TemplatePart::Unopened, 1),
        Some(0) => match text.find('}') {
            Some(end) => (TemplatePart::Field(&text[1..end]), end + 1),
            None => (TemplatePart::Unclosed(text), text.len()),
        },
        Some(start) => (TemplatePart::Text(&text[..start]), start),
    })
}

#[cfg(test)]
mod tests {
    use super::TemplatePart::{Field, Text, Unclosed, Unopened};
    use super::*;

    #[test]
    fn a_template_is_split_at_its_braces() {
        let table: [(&str, Doubled, &[TemplatePart<'_>]); 9] = [
            ("", Doubled::Escapes, &[]),
            ("é", Doubled::Escapes, &[Text("é")]),
            ("a{n}{m}b", Doubled::Escapes, &[Text("a"), Field("n"), Field("m"), Text("b")]),
            ("{}", Doubled::Escapes, &[Field("")]),
            ("{{n}}", Doubled::Escapes, &[Text("{"), Text("n"), Text("}")]),
            ("{{n}}", Doubled::Counts, &[Field("{n"), Unopened]),
            ("a}b", Doubled::Escapes, &[Text("a"), Unopened, Text("b")]),
            ("a{b", Doubled::Counts, &[Text("a"), Unclosed("{b")]),
            ("{a{b}", Doubled::Counts, &[Field("a{b")]),
        ];
        for (template, doubled, expected) in table {
            let found: Vec<_> = parts(template, doubled).collect();
            assert_eq!(found, expected, "{template}");
        }
    }
}
