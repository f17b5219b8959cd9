//! A page whose content is complete without data and script: what a command other than `run` measured.

use std::io;
use std::path::Path;

use maud::{Markup, html};

use super::{SCRIPT, page};
use crate::event::Origin;
use crate::show::destination::Destination;
use crate::show::page::{Frame, clean};

/// A page that is written when its content is known.
pub(crate) struct PlainPage(Destination);

impl PlainPage {
    /// A page that is written to `path`. A path that cannot be written is an error now.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Destination::open(path).map(Self)
    }

    /// Writes the page: `headline` is its summary, which may be foreign text, and `body` its content.
    pub(crate) fn write(self, headline: &str, is_good: bool, body: &Markup) -> io::Result<()> {
        let headline = clean::name(headline);
        let frame =
            Frame { title: &format!("rejudge: {headline}"), script: SCRIPT, images: "data: blob:" };
        let origin = page::origin_words(&Origin::here(Vec::new()), None, None);
        self.0.write(|out| {
            frame.write(out, |out| {
                let page = html! {
                    header #top {
                        h1 { "rejudge" span.headline.bad[!is_good] { (headline) } }
                        p.origin { (origin) }
                    }
                    main #main tabindex="-1" { (body) }
                };
                out.write_all(page.into_string().as_bytes())
            })
        })
    }
}
