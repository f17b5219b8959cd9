//! The environment variables of compilers and programs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::CompileRequest;
use crate::language::{Template, Values};

/// The complete environment: the same on every machine, except for the paths of programs.
pub(super) fn of(request: &CompileRequest<'_>, values: &Values) -> Vec<(OsString, OsString)> {
    let mut env = common(request);
    env.extend(own(&request.language.env, values));
    env
}

/// The variables that the table of languages sets for one.
pub(super) fn own<'a>(
    templates: &'a BTreeMap<String, Template>,
    values: &'a Values,
) -> impl Iterator<Item = (OsString, OsString)> + 'a {
    templates.iter().map(|(name, template)| (name.into(), template.value(values)))
}

/// The variables that every language has.
pub(super) fn common(request: &CompileRequest<'_>) -> Vec<(OsString, OsString)> {
    let mut folders: Vec<PathBuf> = Vec::new();
    let own = request.toolchain.programs.values();
    let own = own.filter_map(|program| program.parent().map(Path::to_owned));
    let usual = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    for folder in own.chain(usual) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let path = std::env::join_paths(folders).unwrap_or_default();
    let mut env = vec![
        ("PATH".into(), path),
        ("LANG".into(), "C.UTF-8".into()),
        ("LC_ALL".into(), "C.UTF-8".into()),
    ];
    if request.is_unbuffered {
        env.push(("PYTHONUNBUFFERED".into(), "1".into()));
    }
    env
}
