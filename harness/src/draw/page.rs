//! The page that steps through the images of a drawing: one file that needs only the images.

use crate::printable::{PrintablePiece, is_hazardous};

/// The page, with placeholders for the title and the names.
const TEMPLATE: &str = include_str!("page.html");

/// Renders the page for the images `names`, which must be plain file names.
pub(super) fn render(title: &str, names: &[String]) -> String {
    let list: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    TEMPLATE
        .replace("{{names}}", &list.join(","))
        .replace("{{title}}", &escape(title))
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if is_hazardous(c) => PrintablePiece::Escaped(c).push_to(&mut escaped),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_contains_every_image_and_an_escaped_title() {
        let names = ["judgeimage-1.svg".to_owned(), "judgeimage-2.svg".to_owned()];
        let page = render("a<b> & {{names}}", &names);
        assert!(page.contains("<title>a&lt;b&gt; &amp; {{names}}</title>"));
        assert!(page.contains("const names = [\"judgeimage-1.svg\",\"judgeimage-2.svg\"];"));
    }
}
