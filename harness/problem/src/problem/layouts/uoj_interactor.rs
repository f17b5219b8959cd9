//! The interactors of UOJ: checkers that read the output while the solution prints it.
//!
//! UOJ calls them with `/dev/stdin` in place of the output, and its own testlib reads that name without a buffer. Other versions
//! of testlib wait for the end of such a file, but have a function for interactors, so the source is made to call that one.

use std::path::{Path, PathBuf};

use super::store::{self, StoreError};
use crate::plain_file;

/// The function of testlib that reads a file as the output.
const FOR_FILES: &str = "registerTestlibCmd";

/// The lines before the text of an interactor that calls this function.
const FIRST_LINES: &str = "#include \"testlib.h\"
static void registerWithStandardInput(int argc, char* argv[]) { registerInteraction(argc, argv); }
#define registerTestlibCmd registerWithStandardInput
#line 1 \"interactor.cpp\"
";

/// A source of the interactor that reads standard input: the file itself, or a changed copy in the cache.
pub(super) fn with_stdin(source: &Path) -> Result<PathBuf, StoreError> {
    let text = plain_file::read(source)?;
    if memchr::memmem::find(&text, FOR_FILES.as_bytes()).is_none() {
        return Ok(source.to_path_buf());
    }
    let text = [FIRST_LINES.as_bytes(), &text].concat();
    let folder = store::materialise(&blake3::hash(&text), |root| {
        store::write_new(root, "interactor.cpp", &text)
    })?;
    Ok(folder.join("interactor.cpp"))
}
