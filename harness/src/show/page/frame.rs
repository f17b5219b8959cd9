//! The frame that all our pages share: policy, style, script. The script and the style are ours, in readable source.

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{clean, packed};

/// The style of every page.
const STYLE: &str = include_str!("page.css");

/// A script of a page: files that share one scope.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Assets(pub(crate) &'static [&'static str]);

/// A page.
pub(crate) struct Frame<'a> {
    /// The title, which may be foreign text.
    pub(crate) title: &'a str,
    /// The script.
    pub(crate) script: Assets,
    /// Where images may come from, as a source list of a Content-Security-Policy.
    pub(crate) images: &'static str,
}

impl Frame<'_> {
    /// Writes the page: `body` writes what is between the start and the script.
    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let script = self.script.text();
        out.write_all(self.head(&script).into_string().as_bytes())?;
        out.write_all(b"<body>\n")?;
        body(out)?;
        let end = html! { script { (PreEscaped(&script)) } };
        out.write_all(end.into_string().as_bytes())?;
        out.write_all(b"\n</body></html>\n")
    }

    /// The title without characters that control or reorder text.
    pub(crate) fn shown_title(&self) -> String {
        clean::name(self.title)
    }

    fn head(&self, script: &str) -> Markup {
        let policy = format!(
            "default-src 'none'; script-src {}; style-src {}; img-src {}; base-uri 'none'; form-action 'none'",
            packed::hash(script),
            packed::hash(STYLE),
            self.images
        );
        html! {
            (DOCTYPE)
            (PreEscaped("<html lang=\"en\">"))
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="referrer" content="no-referrer";
                title { (self.shown_title()) }
                style { (PreEscaped(STYLE)) }
            }
            "\n"
        }
    }
}

impl Assets {
    /// The files in one scope.
    pub(crate) fn text(self) -> String {
        format!("\"use strict\";\n(() => {{\n{}}})();\n", self.0.concat())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_style_contains_no_markup_that_ends_it() {
        let lower = super::STYLE.to_lowercase();
        for end in ["</style", "<!--"] {
            assert!(!lower.contains(end), "{end}");
        }
    }
}
