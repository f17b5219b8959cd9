//! Data in the page: deflated, then base64.

use std::io::{self, Write};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Writes what `data` writes, packed.
pub(crate) fn write(
    out: &mut dyn Write,
    data: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let encoder = EncoderWriter::new(out, &BASE64_STANDARD);
    let mut deflater = DeflateEncoder::new(encoder, Compression::new(6));
    data(&mut deflater)?;
    let mut encoder = deflater.finish()?;
    encoder.finish().map(drop)
}

/// The value as packed JSON.
pub(crate) fn json(value: &serde_json::Value) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    write(&mut packed, |out| Ok(serde_json::to_writer(out, value)?))?;
    packed.shrink_to_fit();
    Ok(packed)
}

/// The hash of a script or style, as a Content-Security-Policy names it.
pub(crate) fn hash(text: &str) -> String {
    use sha2::Digest as _;
    let sum = sha2::Sha256::digest(text.as_bytes());
    format!("'sha256-{}'", BASE64_STANDARD.encode(sum))
}
