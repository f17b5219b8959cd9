//! Cases that a generator makes before they are judged, as DMOJ has them.

use std::path::PathBuf;
use std::time::Duration;

use rejudge_quantity::Bytes;

/// A case whose files a generator makes in the cache: it prints the input, and the answer on standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedCase {
    /// The case's name.
    pub name: String,
    /// The generator's source.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The file that it reads from standard input.
    pub reads: Option<PathBuf>,
    /// Its CPU time limit, if the problem states one.
    pub cpu_time: Option<Duration>,
    /// Its memory limit, if the problem states one.
    pub memory: Option<Bytes>,
    /// Where its output belongs, unless the package has the input.
    pub input: Option<PathBuf>,
    /// Where its messages belong, unless the package has the answer.
    pub answer: Option<PathBuf>,
    /// Whether the answer is kept as it is printed. Otherwise it gets the usual line ends.
    pub is_binary: bool,
}
