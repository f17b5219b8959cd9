//! A file of a program.

/// One file of a program.
#[derive(Debug)]
pub(super) struct SourceFile {
    /// Its path in the program's folder, separated by `/`.
    pub(super) name: String,
    pub(super) text: Vec<u8>,
    pub(super) executable: bool,
    /// Whether another file includes it, so that it is not compiled on its own.
    pub(super) is_included: bool,
}
