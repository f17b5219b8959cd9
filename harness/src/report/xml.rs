//! A small tree of XML elements and its text. One function escapes all foreign text.

use crate::printable::{PrintablePiece, is_hazardous};

/// An element. Its name and the names of its attributes are our own words, never foreign text.
#[derive(Debug, Default)]
pub(crate) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    /// Adds an attribute.
    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: &(impl ToString + ?Sized)) -> Self {
        self.attributes.push((name, value.to_string()));
        self
    }

    /// Sets the text, which comes before the children.
    #[must_use]
    pub(crate) fn text(mut self, text: &str) -> Self {
        text.clone_into(&mut self.text);
        self
    }

    pub(crate) fn push(&mut self, child: Self) {
        self.children.push(child);
    }

    /// The document with this element as its root.
    pub(crate) fn document(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        self.write(0, &mut out);
        out
    }

    fn write(&self, depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        out.push_str(&indent);
        out.push('<');
        out.push_str(self.name);
        for (name, value) in &self.attributes {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            escape(value, Where::Attribute, out);
            out.push('"');
        }
        if self.text.is_empty() && self.children.is_empty() {
            out.push_str("/>\n");
            return;
        }
        out.push('>');
        escape(&self.text, Where::Text, out);
        if !self.children.is_empty() {
            out.push('\n');
            for child in &self.children {
                child.write(depth + 1, out);
            }
            out.push_str(&indent);
        }
        out.push_str("</");
        out.push_str(self.name);
        out.push_str(">\n");
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Where {
    Attribute,
    Text,
}

/// Appends foreign text. Colours and other control codes are removed, markup becomes entities, and characters that XML forbids, or that could
/// deceive a reader, become visible escapes: a single one would make the whole document unreadable.
fn escape(text: &str, place: Where, out: &mut String) {
    let text = anstream::adapter::strip_str(text).to_string();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            '\n' if place == Where::Attribute => out.push_str("&#10;"),
            '\t' if place == Where::Attribute => out.push_str("&#9;"),
            '\n' | '\t' => out.push(c),
            c if is_hazardous(c) => PrintablePiece::Escaped(c).push_to(out),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_written_with_its_attributes_text_and_children() {
        let mut root = Element::new("a").with("n", &1);
        root.push(Element::new("b").text("x"));
        root.push(Element::new("c"));
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a n=\"1\">\n    <b>x</b>\n    <c/>\n</a>\n";
        assert_eq!(root.document(), expected);
    }

    #[test]
    fn foreign_text_is_read_back_unchanged_except_for_what_xml_forbids() {
        let table = [
            ("<&>\"']]>", "<&>\"']]>"),
            ("a\nb\tc\r\nd", "a\nb\tc\r\nd"),
            ("\0\u{fffe}\u{202e}", "\\u{fffe}\\u{202e}"),
            ("\x1b[31mred\x1b[0m", "red"),
        ];
        for (text, expected) in table {
            let document = Element::new("a").with("n", text).text(text).document();
            let parsed = roxmltree::Document::parse(&document).unwrap();
            let root = parsed.root_element();
            assert_eq!(root.attribute("n"), Some(expected), "{document}");
            assert_eq!(root.text(), Some(expected), "{document}");
        }
    }
}
