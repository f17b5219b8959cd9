//! What a package adds to sources: files to compile with every submission, and the values of
//! constants.
//!
//! Formats: `include/` of legacy and 2025-09, `constants` of 2025-09. This module compiles nothing.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::LanguageOf;
use super::language_codes::language_id;
use super::yaml::{self, Node, Value};
use crate::notice::{Code, Notice, Notices};

/// What a package adds to the sources that are compiled for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Additions {
    /// Folders of files that are compiled with submissions, by language id. The folder with `None`
    /// is for every language without its own folder.
    pub include: Vec<(Option<String>, PathBuf)>,
    /// Names and values: `{{name}}` is replaced by the value.
    pub constants: Vec<(String, String)>,
    /// Where C and C++ sources find the files that they include by their paths. `None`: every source is compiled alone.
    pub local: Option<LocalIncludes>,
    /// Files that lie next to submissions, and in their working folder, each with the extension of those sources.
    pub with_solutions: Vec<(String, PathBuf)>,
    /// Symbolic links in the working folder of submissions, to standard streams.
    pub links: Vec<(String, &'static str)>,
    /// Sources that lie elsewhere than the place where they are compiled, each with that place.
    pub moved: BTreeMap<PathBuf, PathBuf>,
}

/// Where the sources of a layout find the files that they include by their paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalIncludes {
    /// Nothing outside this folder is included.
    pub root: PathBuf,
    /// Folders for files that are not found relative to the source.
    pub folders: Vec<PathBuf>,
    /// Files that the layout's tool writes, with their text, in case they do not exist.
    pub made: Vec<(PathBuf, String)>,
    /// Files that the layout's tool always writes anew, with their text. Those that exist do not count.
    pub rewritten: Vec<(PathBuf, String)>,
    /// Sources that are compiled with every submission, with their languages.
    pub linked: Vec<(String, PathBuf)>,
    /// Programs of the package that other programs contain.
    pub programs: Vec<PathBuf>,
    /// Arguments of the compiler for programs of the package, by their sources.
    pub flags: BTreeMap<PathBuf, Vec<String>>,
    /// Lines before the text of a submission, and lines before that of each source that is compiled with it.
    pub first_lines: [String; 2],
    /// Programs of the package whose standard output is not buffered.
    pub unbuffered: Vec<PathBuf>,
    /// Whether the standard output of submissions is not buffered.
    pub unbuffered_submissions: bool,
    /// Whether only submissions that are compiled with one of `linked` can be judged.
    pub linked_only: bool,
}

impl LocalIncludes {
    /// For the sources of the package in `root`.
    pub fn within(root: &Path) -> Self {
        Self {
            root: std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf()),
            folders: Vec::new(),
            made: Vec::new(),
            rewritten: Vec::new(),
            linked: Vec::new(),
            programs: Vec::new(),
            flags: BTreeMap::new(),
            first_lines: Default::default(),
            unbuffered: Vec::new(),
            unbuffered_submissions: false,
            linked_only: false,
        }
    }

    /// Whether a file is one of these sources, and so not a solution.
    pub fn has_program(&self, path: &Path) -> bool {
        let linked = self.linked.iter().map(|(_, path)| path);
        linked.chain(&self.programs).any(|one| one == path)
    }

    /// Whether a source may include the file at this path, which has no symbolic links: code of the collection that the
    /// package belongs to. Its own name counts: a link may call an answer a header.
    pub fn permits(&self, real: &Path) -> bool {
        let name = real.file_name().and_then(OsStr::to_str);
        name.is_some_and(is_code) && real.starts_with(collection_of(&self.real_root()))
    }

    /// The root without symbolic links.
    pub fn real_root(&self) -> PathBuf {
        self.root.canonicalize().unwrap_or_else(|_| self.root.clone())
    }
}

/// The git repository that contains the folder, otherwise the folder.
pub fn repository_of(folder: &Path) -> &Path {
    let mut above = folder.ancestors();
    above.find(|dir| dir.join(".git").exists()).unwrap_or(folder)
}

/// The folder whose code a package in `folder` may share: the git repository, otherwise the folder that contains the package
/// and its siblings.
pub fn collection_of(folder: &Path) -> &Path {
    let repository = repository_of(folder);
    let above = folder.parent().filter(|above| above.parent().is_some());
    match above {
        Some(above) if repository == folder && !folder.join(".git").exists() => above,
        _ => repository,
    }
}

/// The extensions of sources and headers in C and C++.
const CODE: [&str; 15] = [
    "h", "hh", "hpp", "hxx", "h++", "c", "cc", "cpp", "cxx", "c++", "inc", "inl", "ipp", "tpp",
    "tcc",
];

/// Whether the name is that of a source or header. Nothing else is included: the answer of a test case must not become
/// part of a submission.
pub fn is_code(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(OsStr::to_str);
    extension.is_some_and(|end| CODE.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

impl Additions {
    /// The constants of the package in `dir`. Empty if they cannot be read: reading the problem
    /// reports that.
    pub fn constants_in(dir: &Path) -> Self {
        let text = crate::plain_file::read_text(&dir.join("problem.yaml"));
        Self {
            constants: constants(&text.unwrap_or_default()).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Lets the source in `file` find the files that it includes as if it were `place`.
    pub fn compile_as(&mut self, file: &Path, place: &Path) {
        self.moved.insert(file.to_owned(), place.to_owned());
    }

    /// Where the source in `file` finds the files that it names.
    pub fn place_of<'a>(&'a self, file: &'a Path) -> &'a Path {
        self.moved.get(file).map_or(file, PathBuf::as_path)
    }

    /// The folder whose files are compiled with submissions in this language.
    pub fn include_for(&self, language: &str) -> Option<&Path> {
        let of = |wanted: Option<&str>| {
            let mut folders = self.include.iter();
            let found = folders.find(|(id, _)| id.as_deref() == wanted)?;
            Some(found.1.as_path())
        };
        of(Some(language)).or_else(|| of(None))
    }

    /// `text` with every constant replaced by its value. Any other text in braces stays as it is.
    pub fn filled_in(&self, text: Vec<u8>) -> Vec<u8> {
        if self.constants.is_empty() || memchr::memmem::find(&text, b"{{").is_none() {
            return text;
        }
        let mut filled = Vec::with_capacity(text.len());
        let mut rest = text.as_slice();
        while let Some(start) = memchr::memmem::find(rest, b"{{") {
            let (before, tag) = rest.split_at(start);
            filled.extend_from_slice(before);
            let known = self.constants.iter().find_map(|(name, value)| {
                let inside = tag[2..].strip_prefix(name.as_bytes())?;
                Some((value, inside.strip_prefix(b"}}")?))
            });
            rest = if let Some((value, behind)) = known {
                filled.extend_from_slice(value.as_bytes());
                behind
            } else {
                filled.push(b'{');
                &tag[1..]
            };
        }
        filled.extend_from_slice(rest);
        filled
    }
}

/// The folders below `include/` of the package in `dir`.
pub(super) fn include(
    dir: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Vec<(Option<String>, PathBuf)> {
    let folder = dir.join("include");
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                notices.error(Notice::unreadable(&notices.show(&folder), &error));
            }
            return Vec::new();
        }
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths.into_iter().filter(|path| path.is_dir()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match language_id(&name, language_of) {
            _ if super::is_ignored(&name) => {}
            _ if name == "default" => found.push((None, path)),
            Some(id) => found.push((Some(id), path)),
            None => {
                let shown = notices.show(&path);
                notices.warn_help(
                    Code::UnusedSetting.of_file(&shown, "is not named after a known language; it is not used"),
                    "rename it to a language's code, for example `include/cpp`, or to `include/default`",
                );
            }
        }
    }
    found
}

/// Why `constants` is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ConstantsError {
    #[error("`constants` must be a table of names with numbers or texts, or with tables of them")]
    NotATable,
    #[error(
        "`constants.{0}`: a name consists of letters, digits and `_`, and does not start with a digit"
    )]
    Name(String),
}

/// The `constants` of a `problem.yaml`, each value exactly as written. A constant with variants is a table: each key `k` is that
/// of `name.k`, and `value` also that of its name. A constant without variants also has the name `name.value`, as in `BAPCtools`.
pub(super) fn constants(text: &str) -> Result<Vec<(String, String)>, ConstantsError> {
    let Ok(Node { value: Value::Map(top), .. }) = yaml::parse(text) else {
        return Ok(Vec::new());
    };
    let named = top.iter().find(|(key, _)| key.name == "constants");
    let entries = match named.map(|(_, node)| &node.value) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Map(entries)) => entries,
        Some(_) => return Err(ConstantsError::NotATable),
    };
    let written = |node| as_written(node, text).ok_or(ConstantsError::NotATable);
    let mut pairs = Vec::new();
    for (key, node) in entries {
        check_name(&key.name)?;
        if let Value::Map(variants) = &node.value {
            for (variant, node) in variants {
                check_name(&variant.name)?;
                let value = written(node)?;
                if variant.name == "value" {
                    pairs.push((key.name.clone(), value.clone()));
                }
                pairs.push((format!("{}.{}", key.name, variant.name), value));
            }
        } else {
            let value = written(node)?;
            pairs.push((key.name.clone(), value.clone()));
            pairs.push((format!("{}.value", key.name), value));
        }
    }
    Ok(pairs)
}

fn check_name(name: &str) -> Result<(), ConstantsError> {
    let right = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.is_empty() || name.as_bytes()[0].is_ascii_digit() || !name.bytes().all(right) {
        return Err(ConstantsError::Name(crate::notice::visible(name)));
    }
    Ok(())
}

/// A text, or a number with every digit that the file has.
pub(super) fn as_written(node: &Node, text: &str) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => {
            let line = usize::try_from(node.place.line).ok()?.checked_sub(1)?;
            let column = usize::try_from(node.place.column).ok()?.checked_sub(1)?;
            let rest = text.lines().nth(line)?.chars().skip(column);
            let word = rest.take_while(|c| !c.is_whitespace() && !",}#".contains(*c));
            Some(word.collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(constants: &[(&str, &str)]) -> Additions {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Additions { constants: constants.iter().map(pair).collect(), ..Additions::default() }
    }

    #[test]
    fn every_complete_constant_is_replaced_by_its_value() {
        let additions = with(&[("n", "100"), ("n_max", "1e9")]);
        for (text, expected) in [
            ("{{n}} {{n_max}}{{n}}", "100 1e9100"),
            ("{{ n }} {{m}} {n} {{n", "{{ n }} {{m}} {n} {{n"),
            ("{{{n}}}", "{100}"),
            ("{{{{n}}", "{{100"),
            ("", ""),
        ] {
            let filled = additions.filled_in(text.as_bytes().to_vec());
            assert_eq!(String::from_utf8(filled).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn constants_keep_their_values_as_written() {
        let text =
            "name: x\nconstants:\n  a: 1000000000000000001\n  b: 1e-9\n  c: two words\n  d: '7'\n";
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let values = [("a", "1000000000000000001"), ("b", "1e-9"), ("c", "two words"), ("d", "7")];
        let both = |(name, value)| [pair(name, value), pair(&format!("{name}.value"), value)];
        let expected = values.into_iter().flat_map(both).collect();
        assert_eq!(constants(text), Ok(expected));
        let text = "constants:\n  five:\n    value: 5.00 # exactly\n    tex: \"5^1\"\n  six: {value: 6, word: six}\n";
        let expected = vec![
            pair("five", "5.00"),
            pair("five.value", "5.00"),
            pair("five.tex", "5^1"),
            pair("six", "6"),
            pair("six.value", "6"),
            pair("six.word", "six"),
        ];
        assert_eq!(constants(text), Ok(expected));
        assert_eq!(constants("name: x\n"), Ok(Vec::new()));
        assert_eq!(constants("constants:\n"), Ok(Vec::new()));
        for (text, error) in [
            ("constants: 5\n", ConstantsError::NotATable),
            ("constants: {a: [1]}\n", ConstantsError::NotATable),
            ("constants: {1a: 1}\n", ConstantsError::Name("1a".to_owned())),
        ] {
            assert_eq!(constants(text), Err(error), "{text}");
        }
    }

    #[test]
    fn the_folder_of_a_language_wins_over_the_default() {
        let additions = Additions {
            include: vec![(Some("cpp".to_owned()), "c".into()), (None, "d".into())],
            ..Additions::default()
        };
        assert_eq!(additions.include_for("cpp"), Some(Path::new("c")));
        assert_eq!(additions.include_for("rust"), Some(Path::new("d")));
    }
}
