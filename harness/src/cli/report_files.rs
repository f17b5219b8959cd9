//! The files of a command's reports: each report has a file of its own, which the command does not read.

use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use crate::notice::{Code, Notice, shown};
use crate::shell::shell_word;

/// The only option that accepts `-`.
pub(super) const JSON: &str = "--json";

/// Rejects reports that would corrupt each other or a file in `read`, and reports to `-`, which would be a file of that
/// name. `written` are the options of the reports, each with its file if it is used.
pub(super) fn check(written: &[(&str, Option<&Path>)], read: &[&Path]) -> Result<(), Notice> {
    // A command may read a hundred thousand files, and most reports are new files.
    let read = LazyCell::new(|| -> Vec<PathBuf> {
        read.iter().filter_map(|path| path.canonicalize().ok()).collect()
    });
    let mut earlier: Vec<(&str, PathBuf)> = Vec::new();
    let used = written.iter().filter_map(|(option, path)| Some((*option, (*path)?)));
    for (option, path) in used {
        if path == Path::new("-") {
            if option == JSON {
                continue;
            }
            return Err(Code::InvalidOption
                .says(format!("`{option} -`: this report cannot go to standard output"))
                .help("name a file"));
        }
        let resolved = resolved(path);
        let file = shown(path, None);
        if let Some((other, _)) = earlier.iter().find(|(_, other)| *other == resolved) {
            return Err(Code::InvalidOption
                .says(format!("`{other}` and `{option}` name the same file `{file}`"))
                .help("name a file for each report"));
        }
        if resolved.exists() && read.contains(&resolved) {
            return Err(Code::InvalidOption
                .says(format!("`{option}` would overwrite `{file}`, which the command reads"))
                .help("name another file"));
        }
        earlier.push((option, resolved));
    }
    Ok(())
}

/// Rejects reports whose folder does not exist, and folders: better now than after minutes of work.
pub(super) fn check_folders(written: &[(&str, Option<&Path>)]) -> Result<(), Notice> {
    for (option, path) in written.iter().filter_map(|(option, path)| Some((*option, (*path)?))) {
        let file = shown(path, None);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let folder = shown(folder, None);
            return Err(Code::InvalidOption
                .says(format!("`{option} {file}`: there is no folder `{folder}`"))
                .help(format!("create it: `mkdir -p {}`", shell_word(&folder))));
        }
        if path.is_dir() {
            return Err(Code::InvalidOption
                .says(format!("`{option} {file}`: this is a folder"))
                .help("name a file"));
        }
    }
    Ok(())
}

/// The path without links and `..`, also if there is no such file yet.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("run"), "").unwrap();
        std::fs::create_dir(at("sub")).unwrap();
        std::os::unix::fs::symlink(at("run"), at("link")).unwrap();
        let table = [
            ("run", Some("run"), None, Some("would overwrite")),
            ("run", Some("link"), None, Some("would overwrite")),
            ("run", Some("sub/../run"), None, Some("would overwrite")),
            ("run", Some("x"), Some("sub/../x"), Some("name the same file")),
            ("run", Some("x"), Some("y"), None),
            ("missing", Some("missing"), None, None),
            ("run", None, None, None),
        ];
        for (read, html, junit, expected) in &table {
            let (html, junit) = (html.map(at), junit.map(at));
            let written = [("--html", html.as_deref()), ("--junit", junit.as_deref())];
            let error = check(&written, &[&at(read)]).err();
            match (expected, &error) {
                (None, None) => {}
                (Some(text), Some(error)) => assert!(error.message.contains(text), "{error}"),
                _ => panic!("{html:?} {junit:?}: {error:?}"),
            }
        }
        for (html, expected) in [("none/x", "there is no folder"), ("sub", "this is a folder")] {
            let error = check_folders(&[("--html", Some(&at(html)))]).unwrap_err();
            assert!(error.message.contains(expected), "{error}");
        }
        let minus = Some(Path::new("-"));
        assert!(check_folders(&[(JSON, minus), ("--html", Some(Path::new("new")))]).is_ok());
        assert!(check(&[(JSON, minus)], &[]).is_ok());
        let error = check(&[(JSON, minus), ("--html", minus)], &[]).unwrap_err();
        assert!(error.message.contains("`--html -`"), "{error}");
    }
}
