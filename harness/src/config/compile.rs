//! `[compile]`: how sources are compiled.

use rejudge_quantity::Bytes;

use super::mebibytes;

/// `[compile]`.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CompileSettings {
    /// Whether headers are precompiled.
    pub precompile: bool,
    /// The disk space for precompiled headers, in MiB.
    #[serde(deserialize_with = "mebibytes")]
    pub precompiled_size: Option<Bytes>,
}

impl Default for CompileSettings {
    fn default() -> Self {
        Self { precompile: true, precompiled_size: None }
    }
}

impl CompileSettings {
    /// The disk space for precompiled headers unless the settings state another.
    const PRECOMPILED_SIZE: Bytes = Bytes::mib(2048);

    /// The disk space for precompiled headers; zero if nothing is precompiled.
    #[must_use]
    pub fn room(&self) -> Bytes {
        if self.precompile {
            self.precompiled_size.unwrap_or(Self::PRECOMPILED_SIZE)
        } else {
            Bytes::default()
        }
    }
}
