//! The names in a ZIP archive, as its central directory lists them (APPNOTE.TXT, section 4.3.12).
//!
//! If several entries have the same name, the `zip` library keeps the last and other readers keep
//! the first, so the cases of such an archive would be ambiguous.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;

const SIGNATURE: [u8; 4] = *b"PK\x01\x02";
/// The length of the fixed part of an entry, and the offsets in it of the lengths of the name, the
/// extra field and the comment.
const FIXED: usize = 46;
const LENGTHS: [usize; 3] = [28, 30, 32];

/// The first name that is listed twice. Reads at most `most` entries, beginning at `start`.
pub(super) fn repeated(path: &Path, start: u64, most: usize) -> io::Result<Option<String>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut directory = BufReader::new(file);
    let mut seen = BTreeSet::new();
    for _ in 0..=most {
        let mut fixed = [0; FIXED];
        match directory.read_exact(&mut fixed) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            result => result?,
        }
        if !fixed.starts_with(&SIGNATURE) {
            break;
        }
        let [name, extra, comment] =
            LENGTHS.map(|at| u64::from(u16::from_le_bytes([fixed[at], fixed[at + 1]])));
        let mut text = Vec::new();
        (&mut directory).take(name).read_to_end(&mut text)?;
        io::copy(&mut (&mut directory).take(extra + comment), &mut io::sink())?;
        let is_folder = text.ends_with(b"/");
        let shown = String::from_utf8_lossy(&text).into_owned();
        if !is_folder && !seen.insert(text) {
            return Ok(Some(shown));
        }
    }
    Ok(None)
}
