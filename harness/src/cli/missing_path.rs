//! The error for a solution that a command needs and cannot read, with similar files.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Error;

use crate::discover::similar_paths;
use crate::language::Languages;
use crate::notice::{Code, shown};

/// The error for a solution that cannot be read.
pub(super) fn unreadable_solution(path: &Path, error: io::Error) -> Error {
    let name = path.display();
    let similar = if error.kind() == io::ErrorKind::NotFound { similar(path) } else { Vec::new() };
    if similar.is_empty() {
        return Error::new(error).context(format!("cannot read `{name}`"));
    }
    let message = Code::UnknownPath.says(format!("no such file: `{name}`"));
    let help = format!("did you mean `{}`?", similar.join("`, `"));
    message.help(help).into()
}

/// Paths like one that does not exist, for messages.
fn similar(path: &Path) -> Vec<String> {
    let current = std::env::current_dir().unwrap_or_default();
    let languages = Languages::load(&BTreeMap::default());
    let paths: Vec<PathBuf> = similar_paths(&current, path, &|extension| {
        let language = languages.as_ref().ok()?.by_extension(extension.to_str()?)?;
        Some(language.id.clone())
    });
    paths.iter().map(|path| shown(path, None)).collect()
}
