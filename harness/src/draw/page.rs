//! The page that steps through the images of a drawing: one file that needs only the images.

use std::io::{self, Write as _};

use maud::html;

use crate::show::page::{Assets, Frame};

/// The script of the page.
const SCRIPT: Assets = Assets(&[include_str!("page.js")]);

/// Renders the page for the images `names`, which must be plain file names.
pub(super) fn render(title: &str, names: &[String]) -> io::Result<Vec<u8>> {
    let frame = Frame { title, script: SCRIPT, images: "'self' file:" };
    let body = html! {
        div #drawing data-names=(names.join(" ")) {
            header { h1 { (frame.shown_title()) } span #name.soft {} }
            main #stage tabindex="-1" {
                noscript { p { "The script of this page shows the images that are next to it." } }
            }
            footer {
                button #play type="button" aria-label="Play" {
                    svg viewBox="0 0 16 16" aria-hidden="true" { path #icon {} }
                }
                input #slider type="range" min="1" value="1" aria-label="Image";
                output #count {}
                select #speed aria-label="Speed" {
                    option value="1500" { "slow" }
                    option value="600" selected { "normal" }
                    option value="200" { "fast" }
                    option value="60" { "very fast" }
                }
                p.soft {
                    kbd { "Space" } " play or pause · " kbd { "←" } " " kbd { "→" } " step · "
                    kbd { "Home" } " " kbd { "End" } " first and last"
                }
            }
        }
    };
    let mut page = Vec::new();
    frame.write(&mut page, |out| out.write_all(body.into_string().as_bytes()))?;
    page.flush()?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_contains_every_image_and_an_escaped_title() {
        let names = ["judgeimage-1.svg".to_owned(), "judgeimage-2.svg".to_owned()];
        let page = String::from_utf8(render("a<b> & \u{202e}", &names).unwrap()).unwrap();
        assert!(page.contains("<title>a&lt;b&gt; &amp; \\u{202e}</title>"), "{page}");
        assert!(page.contains("data-names=\"judgeimage-1.svg judgeimage-2.svg\""), "{page}");
    }
}
