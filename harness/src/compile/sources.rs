//! The files of a program that is a folder, and which of them starts.
//!
//! A program with a single file is treated as a folder with one file.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::beside_source::FilesBeside;
use super::company;
use super::joined_sources::SourceCompany;
use super::source_file::SourceFile;
use super::{CompileFailure, SCRATCH};
use crate::language::{ClassNames, FIXED_STEM, Language, Toolchain};
use crate::left_behind::Folder;
use crate::problem::{is_case_name, is_code, is_ignored, repository_of};

/// Files in the root of a package.
const PACKAGE: [&str; 2] = ["problem.yaml", "problem.xml"];

/// How many folders above a source are searched for the root of its package.
const DEPTH: usize = 6;

/// All files of a program.
#[derive(Debug)]
pub(super) struct Sources {
    pub(super) files: Vec<SourceFile>,
    /// The index of the file that starts.
    pub(super) main: usize,
    pub(super) names: ClassNames,
    /// The size of the program without the included files.
    pub(super) own_bytes: usize,
    pub(super) beside: FilesBeside,
}

/// A program to read.
#[derive(Clone, Copy)]
pub(super) struct ProgramSource<'a> {
    /// A file or a folder.
    pub(super) path: &'a Path,
    /// The file or the class that starts, if the problem names it.
    pub(super) entrypoint: Option<&'a str>,
    pub(super) language: &'a Language,
    pub(super) toolchain: &'a Toolchain,
}

impl ProgramSource<'_> {
    /// The names that the text of the file `name` declares.
    fn names(&self, name: &str, text: &[u8]) -> ClassNames {
        self.language.names(name, text, self.toolchain)
    }
}

/// Reads the program `source` and adds the `included` files, which replace files with the same name. The inner error is
/// about an invalid program.
pub(super) fn read(
    program: &ProgramSource<'_>,
    included: Vec<SourceFile>,
    company: &SourceCompany<'_>,
) -> io::Result<Result<Sources, CompileFailure>> {
    let &ProgramSource { path: source, entrypoint, language, .. } = program;
    // A single file may get another name, but its own one determines which class starts.
    let mut own_names = None;
    let mut beside = FilesBeside::default();
    let (files, main) = if source.is_dir() {
        let files = read_folder(source)?;
        let main = main_of(&files, program);
        (files, main)
    } else {
        let text = std::fs::read(source)?;
        let own_name = source.file_name().unwrap_or_default().to_string_lossy();
        let names = program.names(&own_name, &text);
        let name = file_name(source, language, &names);
        // An included file of the same name replaces it.
        if included.iter().all(|file| file.name != name) {
            own_names = Some((name.clone(), names));
        }
        let found = company::gather(name, text, company)?;
        beside = found.beside;
        let files = found.files;
        (files, Ok(0))
    };
    let reserved =
        |file: &&SourceFile| file.name.split('/').next() == Some(SCRATCH) || file.name == "program";
    if let Some(file) = files.iter().find(reserved) {
        let name = crate::notice::visible(&file.name);
        let reason = format!("the file name `{name}` is reserved");
        return Ok(Err(CompileFailure::because(reason)));
    }
    let own_bytes = files.iter().map(|file| file.text.len()).sum();
    let (files, main) =
        if included.is_empty() { (files, main) } else { joined(files, main, included, program) };
    let main = match main {
        Ok(main) => main,
        Err(why) => return Ok(Err(why)),
    };
    let file = &files[main];
    // An included file may start instead.
    let own_names = own_names.filter(|(name, _)| *name == file.name).map(|(_, names)| names);
    let mut names = own_names.unwrap_or_else(|| program.names(&file.name, &file.text));
    if let Some(class) = entrypoint.filter(|word| is_class(word, &files[main].name, &names)) {
        names.main_class = Some(class.to_owned());
    }
    Ok(Ok(Sources { files, main, names, own_bytes, beside }))
}

/// Whether the entry point `word` is another class than the one found in `file`. It may also be the
/// file's name, with or without its extension, or the class without its package.
fn is_class(word: &str, file: &str, names: &ClassNames) -> bool {
    let found = names.main_class.as_deref().unwrap_or_default();
    let stem = Path::new(file).file_stem().unwrap_or_default();
    let is_file = word == file || (stem == word && found.ends_with("Kt"));
    !is_file && found.rsplit('.').next() != Some(word)
}

/// Joins the program's files and the included ones, and finds the file that starts: an included
/// file with one of the names in [`MAIN`], otherwise the program's own.
fn joined(
    mut files: Vec<SourceFile>,
    main: Result<usize, CompileFailure>,
    included: Vec<SourceFile>,
    program: &ProgramSource<'_>,
) -> (Vec<SourceFile>, Result<usize, CompileFailure>) {
    let own_main = main.map(|main| files[main].name.clone());
    let starts = |file: &&SourceFile| {
        let stem = file.name.rsplit_once('.').map(|(stem, _)| stem);
        is_source(file, program.language) && stem.is_some_and(|stem| MAIN.contains(&stem))
    };
    let driver = included.iter().find(starts).map(|file| file.name.clone());
    for file in included {
        match files.iter_mut().find(|old| old.name == file.name) {
            Some(old) => *old = file,
            None => files.push(file),
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    let at = |name: &str| files.iter().position(|file| file.name == name);
    let main = match (driver, own_main) {
        (Some(name), _) | (None, Ok(name)) => Ok(at(&name).unwrap_or_default()),
        (None, Err(_)) => {
            let without_entry = ProgramSource { entrypoint: None, ..*program };
            main_of(&files, &without_entry)
        }
    };
    (files, main)
}

/// The names, without extension, of the file that starts a program.
const MAIN: [&str; 3] = ["__main__", "main", "Main"];

/// Languages in which every program has a function `main`.
const WITH_MAIN: [&str; 6] = ["c", "cpp", "java", "kotlin", "go", "d"];

/// Whether the word `main` occurs in a file. If it does in none, the compiler cannot know what starts either, and its error
/// would not be one of the submission.
fn has_word_main(file: &SourceFile) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut words = file.text.split(|byte| !is_part(byte));
    words.any(|word| word == b"main")
}

/// Whether two programs have the same compiled files.
pub(crate) fn same_sources(one: &Path, other: &Path) -> bool {
    let read = |path: &Path| -> io::Result<_> {
        if !path.is_dir() {
            return Ok(vec![(String::new(), std::fs::read(path)?, false)]);
        }
        let files = read_folder(path)?.into_iter();
        Ok(files.map(|file| (file.name, file.text, file.executable)).collect())
    };
    matches!((read(one), read(other)), (Ok(one), Ok(other)) if one == other)
}

/// The file name of the source during compilation: the name that the language requires, otherwise
/// its own name unless a compiler could read it as an option or fail on it.
fn file_name(source: &Path, language: &Language, names: &ClassNames) -> String {
    let own = source.extension().unwrap_or_default().to_string_lossy();
    let known = |extension: &&String| extension.eq_ignore_ascii_case(&own);
    // Compilers recognise a source by its extension, and few of them know upper-case ones.
    let extension = match language.extensions.iter().find(known) {
        Some(known) if !language.extensions.iter().any(|one| *one == own) => known.as_str(),
        _ => &own,
    };
    let extension = language.stored_as.as_deref().unwrap_or(extension);
    if let Some(stem) = &names.file_stem {
        return format!("{stem}.{extension}");
    }
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let taken = stem == "program" || stem == SCRATCH;
    if stem.starts_with(|c: char| c.is_ascii_alphabetic()) && stem.chars().all(plain) && !taken {
        return format!("{stem}.{extension}");
    }
    format!("{FIXED_STEM}.{extension}")
}

/// A larger folder is not a program.
const MOST_FILES: usize = 1000;
const MOST_BYTES: usize = 64 << 20;

/// The files of the folder `dir`, sorted. Names that the package format does not allow are skipped.
/// A symbolic link out of the git repository of the package is an error; without one, a link out of the package is; and
/// if the folder is in no package, a link out of the folder is.
pub(super) fn read_folder(dir: &Path) -> io::Result<Vec<SourceFile>> {
    let root = dir.canonicalize()?;
    let bounds = bounds_of(&root);
    let mut files = Vec::new();
    let mut bytes = 0;
    let keep = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_str().unwrap_or_default();
        entry.depth() == 0 || (is_case_name(name) && !is_ignored(name))
    };
    let walk = WalkDir::new(&root).sort_by_file_name().follow_links(true);
    for entry in walk.into_iter().filter_entry(keep) {
        let entry = entry?;
        if !entry.file_type().is_file() {
            continue;
        }
        // The file may lie behind a linked folder, so its real path is checked.
        let real = entry.path().canonicalize()?;
        let fault = if !real.starts_with(&bounds) {
            Some("leads out of the package")
        } else if !real.starts_with(&root) && !is_program_text(&real) {
            Some("leads to a file that is not a source: replace it with a copy")
        } else {
            None
        };
        if let Some(fault) = fault {
            let name = entry.path().strip_prefix(&root).unwrap_or(entry.path());
            let name = crate::notice::visible(&name.to_string_lossy());
            return Err(io::Error::other(format!("`{name}` is a symbolic link that {fault}")));
        }
        let below = entry.path().strip_prefix(&root).unwrap_or(entry.path());
        let text = std::fs::read(entry.path())?;
        bytes += text.len();
        if files.len() == MOST_FILES || bytes > MOST_BYTES {
            return Err(io::Error::other("the folder is too large for a program"));
        }
        files.push(SourceFile {
            name: below.to_string_lossy().replace('\\', "/"),
            executable: is_executable(entry.path()),
            is_included: false,
            text,
        });
    }
    Ok(files)
}

/// Extensions of sources and headers that programs share by links, beside those of C and C++.
const SHARED: [&str; 20] = [
    "py", "java", "kt", "rs", "go", "js", "ts", "rb", "pl", "php", "lua", "pas", "hs", "ml", "cs",
    "scala", "d", "nim", "swift", "sh",
];

/// Whether a file outside the folder of a program may become part of it by a link. The answer of a case must not become
/// part of a submission, nor the settings of git.
pub(crate) fn is_program_text(file: &Path) -> bool {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let extension = file.extension().and_then(OsStr::to_str);
    matches!(name, "build" | "run")
        || is_code(name)
        || extension.is_some_and(|end| SHARED.contains(&end))
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

/// Writes the files to the empty folder `to`.
pub(super) fn write(files: &[SourceFile], to: &Folder) -> io::Result<()> {
    for file in files {
        let mode = if file.executable { 0o755 } else { 0o644 };
        to.write(Path::new(&file.name), mode, &file.text)?;
    }
    Ok(())
}

/// Whether the file is a source of `language`.
pub(super) fn is_source(file: &SourceFile, language: &Language) -> bool {
    let extension = file.name.rsplit_once('.').map(|(_, end)| end);
    extension.is_some_and(|end| language.extensions.iter().any(|known| known == end))
}

/// The index of the file that starts.
fn main_of(files: &[SourceFile], program: &ProgramSource<'_>) -> Result<usize, CompileFailure> {
    let language = program.language;
    let sources: Vec<usize> =
        (0..files.len()).filter(|&index| is_source(&files[index], language)).collect();
    let stem = |index: usize| {
        let name = files[index].name.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    };
    let wanted = |word: &str| {
        let named = |&&index: &&usize| files[index].name == word || stem(index) == word;
        sources.iter().find(named).copied()
    };
    if sources.is_empty() {
        let reason = format!("it has no source in {}", language.name);
        return Err(CompileFailure::because(reason));
    }
    if let Some(word) = program.entrypoint {
        return match wanted(word) {
            Some(found) => Ok(found),
            // The entry point is a class, which may be in any file.
            None if language.all_sources => Ok(sources[0]),
            None => {
                Err(CompileFailure::because(format!("`entrypoint: {word}` is none of its files")))
            }
        };
    }
    if let [only] = sources.as_slice() {
        return Ok(*only);
    }
    if let Some(found) = MAIN.into_iter().find_map(wanted) {
        return Ok(found);
    }
    let has_main = |&&index: &&usize| {
        let file = &files[index];
        program.names(&file.name, &file.text).main_class.is_some()
    };
    match sources.iter().find(has_main) {
        Some(found) => Ok(*found),
        None if WITH_MAIN.contains(&&*language.id) && !files.iter().any(has_word_main) => {
            let reason = "none of its files has a function `main`";
            Err(CompileFailure::because(reason))
        }
        None if language.all_sources => Ok(sources[0]),
        None => Err(CompileFailure::because(
            "cannot tell which of its files starts: name one of them `main`, or set `entrypoint`",
        )),
    }
}

/// The folder that the links in a folder of sources must not leave.
fn bounds_of(root: &Path) -> PathBuf {
    let Some(package) = package_of(root) else {
        return root.to_owned();
    };
    repository_of(&package).to_owned()
}

/// The root of the package that contains a source.
pub(super) fn package_of(source: &Path) -> Option<PathBuf> {
    let is_root = |folder: &&Path| PACKAGE.iter().any(|name| folder.join(name).is_file());
    let above = source.ancestors().skip(1).take(DEPTH);
    above.into_iter().find(is_root).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_point_may_be_the_file_or_the_class_found() {
        let names = |class: &str| ClassNames {
            main_class: Some(class.to_owned()),
            ..ClassNames::default()
        };
        for (word, file, found, other) in [
            ("Main.java", "Main.java", "p.Main", false),
            ("Main", "p/Main.java", "p.Main", false),
            ("p.Main", "p/Main.java", "p.Main", true),
            ("Other", "Main.java", "Main", true),
            ("Main", "Main.java", "Other", true),
            ("main", "main.kt", "MainKt", false),
            ("MainKt", "main.kt", "MainKt", false),
            ("OtherKt", "main.kt", "MainKt", true),
        ] {
            let is_other = is_class(word, file, &names(found));
            assert_eq!(is_other, other, "{word} {file} {found}");
        }
    }
}
