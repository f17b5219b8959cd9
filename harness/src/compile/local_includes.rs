//! The files that a C or C++ source of a package includes by their paths: next to it, above it, or in a folder of the
//! package's collection. They are compiled with the source, in the same places relative to it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::problem::LocalIncludes;

/// The languages whose sources include others by paths.
const LANGUAGES: [&str; 2] = ["c", "cpp"];

/// More files are not the program of one source.
const MOST_FILES: usize = 200;

/// Whether sources of the language with this id include others.
pub(super) fn are_in(language: &str) -> bool {
    LANGUAGES.contains(&language)
}

/// A file to compile: where it lies, and where the compiler finds it.
struct Included {
    real: PathBuf,
    text: Vec<u8>,
}

/// The names and texts of the source and of the files that it includes, with names relative to the folder around all of them. The first one is
/// the source, which is called `name`. The `linked` sources are treated as if it included them.
pub(super) fn gather(
    source: &Path,
    name: &str,
    text: Vec<u8>,
    includes: &LocalIncludes,
    linked: &[PathBuf],
) -> io::Result<Vec<(String, Vec<u8>)>> {
    let source = normal(&std::path::absolute(source)?);
    let start = source.with_file_name(name);
    let mut found: BTreeMap<PathBuf, Included> = BTreeMap::new();
    let first = Included { real: source, text };
    let mut open = vec![(start.clone(), first)];
    for path in linked {
        let real = normal(&std::path::absolute(path)?);
        let text = fs::read(&real)?;
        open.push((real.clone(), Included { real, text }));
    }
    while let Some((place, file)) = open.pop() {
        for wanted in included_by(&file.text) {
            let target = normal(&place.with_file_name("").join(&wanted));
            if found.contains_key(&target) || target == place || found.len() > MOST_FILES {
                continue;
            }
            if let Some(included) = find(&file.real, &wanted, includes)?
                && target.starts_with(&includes.root)
            {
                open.push((target, included));
            }
        }
        found.insert(place, file);
    }
    let above = around(found.keys().map(PathBuf::as_path));
    let named = |place: &Path| {
        let below = place.strip_prefix(&above).unwrap_or(place);
        below.to_string_lossy().into_owned()
    };
    let first = found
        .remove(&start)
        .into_iter()
        .map(|file| (start.clone(), file));
    let all: Vec<(PathBuf, Included)> = first.collect();
    Ok(all
        .into_iter()
        .chain(found)
        .map(|(place, file)| (named(&place), file.text))
        .collect())
}

/// The file that `by` includes as `wanted`: relative to itself, otherwise in one of the folders. Links that lead out of
/// the collection are not followed.
fn find(by: &Path, wanted: &str, includes: &LocalIncludes) -> io::Result<Option<Included>> {
    let beside = by.with_file_name("").join(wanted);
    let others = includes.folders.iter().map(|folder| folder.join(wanted));
    for path in std::iter::once(beside).chain(others) {
        let path = normal(&path);
        let is_inside = |real: PathBuf| real.starts_with(includes.real_root());
        if path.is_file() && path.canonicalize().is_ok_and(is_inside) {
            let text = fs::read(&path)?;
            return Ok(Some(Included { real: path, text }));
        }
        let made = includes.made.iter().find(|(made, _)| *made == path);
        if let Some((_, text)) = made {
            let text = text.clone().into_bytes();
            return Ok(Some(Included { real: path, text }));
        }
    }
    Ok(None)
}

/// The names in quotes that a source includes.
fn included_by(text: &[u8]) -> Vec<String> {
    let lines = text.split(|&byte| byte == b'\n');
    let names = lines.filter_map(|line| {
        let rest = line.trim_ascii_start().strip_prefix(b"#")?;
        let rest = rest.trim_ascii_start().strip_prefix(b"include")?;
        let rest = rest.trim_ascii_start().strip_prefix(b"\"")?;
        let end = rest.iter().position(|&byte| byte == b'"')?;
        Some(std::str::from_utf8(&rest[..end]).ok()?.to_owned())
    });
    names.filter(|name| !name.starts_with('/')).collect()
}

/// The path without `.` and `..`, resolved as text.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// The lowest folder that contains all of these files.
fn around<'a>(mut files: impl Iterator<Item = &'a Path>) -> PathBuf {
    let parent = |path: &Path| path.parent().unwrap_or(path).to_path_buf();
    let mut above = files.next().map(parent).unwrap_or_default();
    for file in files {
        while !file.starts_with(&above) && above.pop() {}
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_files_keep_their_places_relative_to_the_source() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let text = "#include <set>\n # include \"../params.h\"\n#include \"lib/a.h\"\n#include \"fast.h\"\n";
        write("g/p/sol/x.cpp", text);
        write(
            "g/p/sol/lib/a.h",
            "#include \"b.h\"\n#include \"/etc/passwd\"\n",
        );
        write(
            "g/p/sol/lib/b.h",
            "#include \"../x.cpp\"\n#include \"../../../../../out.h\"\n",
        );
        write("common/fast.h", "");
        let includes = LocalIncludes {
            root: root.clone(),
            folders: vec![root.join("common")],
            made: vec![(root.join("g/p/params.h"), "#define N 5\n".to_owned())],
            linked: Vec::new(),
        };
        let files = gather(
            &root.join("g/p/sol/x.cpp"),
            "x.cpp",
            text.as_bytes().to_vec(),
            &includes,
            &[],
        );
        let names: Vec<String> = files.unwrap().into_iter().map(|(name, _)| name).collect();
        let expected = [
            "sol/x.cpp",
            "params.h",
            "sol/fast.h",
            "sol/lib/a.h",
            "sol/lib/b.h",
        ];
        assert_eq!(names, expected);
        // What leads out of the collection is not read.
        std::os::unix::fs::symlink("/etc/hostname", root.join("g/p/sol/link.h")).unwrap();
        let text = b"#include \"link.h\"\n".to_vec();
        let files = gather(&root.join("g/p/sol/x.cpp"), "x.cpp", text, &includes, &[]).unwrap();
        assert_eq!(files.len(), 1);
    }
}
