//! The language codes of the package formats, mapped to rejudge's table of languages.

use std::ffi::OsStr;

use super::LanguageOf;

/// A code of the formats and the file extension that finds its language in rejudge's table. If
/// several codes share an extension, the most common code comes first.
const CODES: [(&str, &str); 45] = [
    ("ada", "adb"),
    ("algol68", "a68"),
    ("bash", "sh"),
    ("c", "c"),
    ("cgmp", "c"),
    ("cobol", "cob"),
    ("cpp", "cpp"),
    ("cppgmp", "cpp"),
    ("c++", "cpp"),
    ("crystal", "cr"),
    ("csharp", "cs"),
    ("d", "d"),
    ("dart", "dart"),
    ("elixir", "ex"),
    ("erlang", "erl"),
    ("forth", "fth"),
    ("fortran", "f90"),
    ("fsharp", "fs"),
    ("go", "go"),
    ("haskell", "hs"),
    ("java", "java"),
    ("javaalgs4", "java"),
    ("javascript", "js"),
    ("julia", "jl"),
    ("kotlin", "kt"),
    ("lisp", "lisp"),
    ("lua", "lua"),
    ("nim", "nim"),
    ("objectivec", "objc"),
    ("ocaml", "ml"),
    ("octave", "m"),
    ("pascal", "pas"),
    ("perl", "pl"),
    ("php", "php"),
    ("prolog", "prolog"),
    ("python3", "py"),
    ("python", "py"),
    ("python3numpy", "py"),
    ("racket", "rkt"),
    ("ruby", "rb"),
    ("rust", "rs"),
    ("scala", "scala"),
    ("swift", "swift"),
    ("typescript", "ts"),
    ("zig", "zig"),
];

/// The id of the language with this code of the formats, or with this file extension.
pub fn language_id(code: &str, language_of: LanguageOf<'_>) -> Option<String> {
    let known = CODES.iter().find(|(known, _)| *known == code);
    let extension = known.map_or(code, |(_, extension)| extension);
    language_of(OsStr::new(extension))
}

/// The code of the formats for the language with the id `id`. If the formats do not know the
/// language, the id itself.
pub fn code_of(id: &str, language_of: LanguageOf<'_>) -> String {
    let is_of = |extension: &str| language_of(OsStr::new(extension)).as_deref() == Some(id);
    let known = CODES.iter().find(|(_, extension)| is_of(extension));
    known.map_or(id, |(code, _)| code).to_owned()
}
