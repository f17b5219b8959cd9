//! Reads XML documents: the place and the words of a fault, and the elements by name.

use roxmltree::{Document, Error, Node, ParsingOptions};

use crate::notice::{Code, Notice, Place, visible};

/// Parses the file that messages call `shown`.
pub(super) fn parse<'t>(text: &'t str, shown: &str) -> Result<Document<'t>, Notice> {
    Document::parse(text).map_err(|error| fault(&error, shown))
}

/// As [`parse`], of a document that may have a document type definition.
pub(super) fn parse_with_dtd<'t>(text: &'t str, shown: &str) -> Result<Document<'t>, Notice> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| fault(&error, shown))
}

fn fault(error: &Error, shown: &str) -> Notice {
    let at = error.pos();
    let place = Place { line: u64::from(at.row), column: u64::from(at.col) };
    let why = visible(&describe(error));
    Code::InvalidSyntax.at(place.of(shown), format!("not valid XML: {why}"))
}

/// The fault without its place.
fn describe(error: &Error) -> String {
    match error {
        Error::UnexpectedCloseTag(expected, actual, _) => {
            format!("`</{actual}>` closes the element `<{expected}>`")
        }
        Error::UnexpectedEntityCloseTag(_) => "an entity begins with a closing tag".to_owned(),
        Error::UnknownEntityReference(name, _) => format!("unknown entity `&{name};`"),
        Error::MalformedEntityReference(_) => "a `&` must be written as `&amp;`".to_owned(),
        Error::InvalidAttributeValue(_) => "a `<` in a value must be written as `&lt;`".to_owned(),
        Error::DuplicatedAttribute(name, _) => format!("the attribute `{name}` is set twice"),
        Error::UnknownNamespace(prefix, _) => format!("unknown prefix `{prefix}:`"),
        Error::NoRootNode => "there is no element".to_owned(),
        Error::UnclosedRootNode => "the outermost element is not closed".to_owned(),
        Error::UnexpectedEndOfStream => "the file ends too early".to_owned(),
        Error::DtdDetected => "a document type definition is not supported".to_owned(),
        Error::NodesLimitReached
        | Error::AttributesLimitReached
        | Error::EntityReferenceLoop(_) => "the document is too large".to_owned(),
        Error::InvalidName(_) => "expected a name".to_owned(),
        Error::NonXmlChar(c, _) => format!("the character `{c}` is not allowed"),
        Error::InvalidChar(expected, actual, _) => {
            format!("expected `{}`, got `{}`", char::from(*expected), char::from(*actual))
        }
        Error::InvalidChar2(expected, actual, _) => {
            format!("expected {expected}, got `{}`", char::from(*actual))
        }
        Error::InvalidString(expected, _) => format!("expected `{expected}`"),
        Error::InvalidComment(_) => "a comment must not contain `--`".to_owned(),
        Error::InvalidCharacterData(_) => "a text must not contain `]]>`".to_owned(),
        _ => "expected an element, a text or a comment".to_owned(),
    }
}

/// The first child element with this name.
pub(super) fn child<'a, 'd>(node: Node<'a, 'd>, name: &str) -> Option<Node<'a, 'd>> {
    node.children().find(|child| child.has_tag_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_reported_with_its_place() {
        let table = [
            ("<a>\n</b>", "f:2:1: not valid XML: `</b>` closes the element `<a>`"),
            ("<a>", "f:1:1: not valid XML: the outermost element is not closed"),
            ("", "f:1:1: not valid XML: there is no element"),
            ("<a b='1' b='2'/>", "f:1:10: not valid XML: the attribute `b` is set twice"),
            ("<a>&b;</a>", "f:1:4: not valid XML: unknown entity `&b;`"),
            ("<a b=1/>", "f:1:6: not valid XML: expected a quote, got `1`"),
            ("<a><!-- -- --></a>", "f:1:4: not valid XML: a comment must not contain `--`"),
        ];
        let found = table.map(|(text, _)| (text, parse(text, "f").unwrap_err().message));
        assert_eq!(found, table.map(|(text, message)| (text, message.to_owned())));
    }
}
