//! The files that a C or C++ source of a package includes by their paths: next to it, above it, or in a folder of the
//! package's collection. They are compiled with the source, in the same places relative to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::joined_sources::JoinedSources;
use super::source_file::{SourceFile, around};
use crate::beside::{IncludedName, normal};
use crate::problem::LocalIncludes;

/// The languages whose sources include others by paths.
const LANGUAGES: [&str; 2] = ["c", "cpp"];

/// Turns off the buffer of standard output before `main` starts.
const UNBUFFERED: &str = "#include <stdio.h>\n\
    __attribute__((constructor)) static void without_buffer(void) { setvbuf(stdout, 0, _IONBF, 0); }\n";

/// More files are not the program of one source.
const MOST_FILES: usize = 200;

/// Whether sources of the language with this id include others.
pub(super) fn are_in(language: &str) -> bool {
    LANGUAGES.contains(&language)
}

/// A file that the compiler needs.
pub(super) struct NeededFile {
    /// Where it lies.
    pub(super) real: PathBuf,
    pub(super) text: Vec<u8>,
    is_included: bool,
}

/// The source, which is called `name`, and the files that it includes; the source comes first. Their names are relative
/// to the lowest folder that contains all of them.
pub(super) fn gather(
    name: &str,
    text: Vec<u8>,
    joined: &JoinedSources<'_>,
) -> io::Result<Vec<SourceFile>> {
    let includes = joined.local;
    let source = normal(&std::path::absolute(joined.place)?);
    let start = source.with_file_name(name);
    let mut found: BTreeMap<PathBuf, NeededFile> = BTreeMap::new();
    let [before, before_linked] = &includes.first_lines;
    let text = if joined.linked.is_empty() { text } else { below(before, text) };
    let first = NeededFile { real: source, text, is_included: false };
    let mut open = vec![(start.clone(), first)];
    for path in &joined.linked {
        open.push(linked(path, &start, before_linked, includes)?);
    }
    if joined.is_unbuffered {
        let mut place = start.with_file_name("without_buffer");
        place.set_extension(start.extension().unwrap_or_default());
        let unit = NeededFile {
            real: place.clone(),
            text: UNBUFFERED.as_bytes().to_vec(),
            is_included: false,
        };
        open.push((place, unit));
    }
    let mut seen: BTreeSet<PathBuf> = open.iter().map(|(place, _)| place.clone()).collect();
    while let Some((place, file)) = open.pop() {
        for wanted in IncludedName::local_in(&file.text) {
            let target = normal(&place.with_file_name("").join(wanted));
            // A source from elsewhere finds the files of the collection's folders as if they were next to it.
            let is_inside =
                target.starts_with(&includes.root) || file.real.starts_with(&includes.root);
            let is_elsewhere = !start.starts_with(&includes.root) && place == start;
            if !(is_inside || is_elsewhere) || seen.len() > MOST_FILES || seen.contains(&target) {
                continue;
            }
            if let Some(included) = find(&file.real, wanted, includes)? {
                seen.insert(target.clone());
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
    let first = found.remove(&start).into_iter().map(|file| (start.clone(), file));
    let all: Vec<(PathBuf, NeededFile)> = first.collect();
    Ok(all
        .into_iter()
        .chain(found)
        .map(|(place, file)| SourceFile {
            name: named(&place),
            text: file.text,
            executable: false,
            is_included: file.is_included,
        })
        .collect())
}

/// A source that is linked with the one at `start`, and the place where it is compiled.
fn linked(
    path: &Path,
    start: &Path,
    before: &str,
    includes: &LocalIncludes,
) -> io::Result<(PathBuf, NeededFile)> {
    let real = normal(&std::path::absolute(path)?);
    if !real.canonicalize()?.starts_with(includes.real_root()) {
        let shown = crate::notice::shown(path, None);
        let why = format!("`{shown}` leads out of the package");
        return Err(io::Error::other(why));
    }
    let text = below(before, fs::read(&real)?);
    let file = NeededFile { text, real: real.clone(), is_included: false };
    // In another language, it is compiled as if it were in that of the source.
    let is_c = |path: &Path| path.extension().is_some_and(|end| end == "c");
    if is_c(&real) == is_c(start) {
        return Ok((real, file));
    }
    Ok((real.with_extension(start.extension().unwrap_or_default()), file))
}

/// A text below these lines, with its own numbers of lines in messages.
fn below(lines: &str, text: Vec<u8>) -> Vec<u8> {
    if lines.is_empty() {
        return text;
    }
    let mut whole = format!("{lines}#line 1\n").into_bytes();
    whole.extend(text);
    whole
}

/// The file that `by` includes as `wanted`: relative to itself, otherwise in one of the folders. Links are followed only to
/// code of the same collection.
pub(super) fn find(
    by: &Path,
    wanted: &str,
    includes: &LocalIncludes,
) -> io::Result<Option<NeededFile>> {
    let beside = by.with_file_name("").join(wanted);
    let others = includes.folders.iter().map(|folder| folder.join(wanted));
    for path in std::iter::once(beside).chain(others) {
        let path = normal(&path);
        let text_in = |files: &[(PathBuf, String)]| {
            let file = files.iter().find(|(known, _)| *known == path)?;
            Some(file.1.clone().into_bytes())
        };
        if let Some(text) = text_in(&includes.rewritten) {
            return Ok(Some(NeededFile { real: path, text, is_included: true }));
        }
        if path.is_file() && path.canonicalize().is_ok_and(|real| includes.permits(&real)) {
            let text = fs::read(&path)?;
            return Ok(Some(NeededFile { real: path, text, is_included: true }));
        }
        if let Some(text) = text_in(&includes.made) {
            return Ok(Some(NeededFile { real: path, text, is_included: true }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(
        local: &'a LocalIncludes,
        place: &'a Path,
        linked: Vec<PathBuf>,
    ) -> JoinedSources<'a> {
        JoinedSources { local, place, linked, is_unbuffered: false }
    }

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
        write("g/p/sol/lib/a.h", "#include \"b.h\"\n#include \"/etc/passwd\"\n");
        write("g/p/sol/lib/b.h", "#include \"../x.cpp\"\n#include \"../../../../../out.h\"\n");
        write("common/fast.h", "");
        write("g/p/old.h", "old");
        let includes = LocalIncludes {
            folders: vec![root.join("common")],
            made: vec![(root.join("g/p/params.h"), "#define N 5\n".to_owned())],
            rewritten: vec![(root.join("g/p/old.h"), "new".to_owned())],
            ..LocalIncludes::within(&root)
        };
        let source = root.join("g/p/sol/x.cpp");
        let of = |text: &str| {
            let with = with(&includes, &source, Vec::new());
            gather("x.cpp", text.as_bytes().to_vec(), &with)
        };
        let files = of(text).unwrap().into_iter();
        let names: Vec<String> = files.map(|file| file.name).collect();
        let expected = ["sol/x.cpp", "params.h", "sol/fast.h", "sol/lib/a.h", "sol/lib/b.h"];
        assert_eq!(names, expected);
        // Neither what leads out of the collection nor a test case is read.
        std::os::unix::fs::symlink("/etc/hostname", root.join("g/p/sol/link.h")).unwrap();
        write("g/p/out/1.out", "7");
        for name in ["link.h", "../out/1.out"] {
            let files = of(&format!("#include \"{name}\"\n")).unwrap();
            assert_eq!(files.len(), 1, "{name}");
        }
        let files = of("#include \"../old.h\"\n").unwrap();
        assert_eq!(files[1].text, b"new");
        // Only what nothing includes is a unit of its own.
        write("g/p/sol/part.cpp", "");
        let files = of("#include \"part.cpp\"\n").unwrap();
        let units = files.iter().filter(|file| !file.is_included);
        assert_eq!((files.len(), units.count()), (2, 1));
    }

    #[test]
    fn a_link_may_lead_to_code_of_the_same_collection() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let root = top.join("contest/package");
        for (name, text) in [
            ("contest/package/out/1.out", "7\n"),
            ("contest/util/graph.h", "int graph;\n"),
            ("contest/util/answer", "7\n"),
            ("other/far.h", "int far;\n"),
        ] {
            let path = top.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        for (name, target) in [
            ("graph.h", "../util/graph.h"),
            ("answer.h", "../util/answer"),
            ("own.h", "out/1.out"),
            ("far.h", "../../other/far.h"),
        ] {
            std::os::unix::fs::symlink(target, root.join(name)).unwrap();
        }
        let includes = LocalIncludes::within(&root);
        let found = || {
            let names = ["graph.h", "answer.h", "own.h", "far.h"];
            let text = names.map(|name| format!("#include \"{name}\"\n")).concat();
            let source = root.join("x.cpp");
            let with = with(&includes, &source, Vec::new());
            let files = gather("x.cpp", text.into_bytes(), &with).unwrap();
            files.into_iter().map(|file| file.name).collect::<Vec<_>>()
        };
        assert_eq!(found(), ["x.cpp", "graph.h"]);
        fs::create_dir(top.join(".git")).unwrap();
        assert_eq!(found(), ["x.cpp", "far.h", "graph.h"]);
    }

    #[test]
    fn a_linked_source_outside_of_the_package_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("package");
        fs::create_dir(&root).unwrap();
        fs::write(dir.path().join("other.cpp"), "").unwrap();
        std::os::unix::fs::symlink("../other.cpp", root.join("grader.cpp")).unwrap();
        let includes = LocalIncludes::within(&root);
        for linked in [root.join("../other.cpp"), root.join("grader.cpp")] {
            let source = root.join("x.cpp");
            let found = gather("x.cpp", Vec::new(), &with(&includes, &source, vec![linked]));
            let error = found.err().map(|error| error.to_string());
            assert!(error.is_some_and(|error| error.contains("leads out of the package")));
        }
    }
}
