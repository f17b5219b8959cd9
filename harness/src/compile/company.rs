//! A source that is a single file, with what is compiled together with it.

use std::io;

use super::beside_source::{self, FilesBeside, ProgramBeside};
use super::joined_sources::SourceCompany;
use super::local_includes;
use super::source_file::SourceFile;

/// The files of the program of a source with this name and text, which comes first.
pub(super) fn gather(
    name: String,
    text: Vec<u8>,
    company: &SourceCompany<'_>,
) -> io::Result<ProgramBeside> {
    let files = match company {
        SourceCompany::Beside(rule) => return beside_source::gather(&name, text, rule),
        SourceCompany::Joined(joined) => local_includes::gather(&name, text, joined)?,
        SourceCompany::Alone => {
            vec![SourceFile { name, text, executable: false, is_included: false }]
        }
    };
    Ok(ProgramBeside { files, beside: FilesBeside::default() })
}
