//! The names that callers give to languages.

use super::request::LanguageName;
use crate::language::{Language, Languages};
use crate::notice::{Code, Notice};

/// Names of other systems, and an extension of the language.
const NAMES: [(&str, &str); 20] = [
    ("c++", "cpp"),
    ("g++", "cpp"),
    ("gcc", "c"),
    ("clang", "c"),
    ("c#", "cs"),
    ("csharp", "cs"),
    ("f#", "fs"),
    ("golang", "go"),
    ("node", "js"),
    ("nodejs", "js"),
    ("javascript", "js"),
    ("typescript", "ts"),
    ("python", "py"),
    ("cpython", "py"),
    ("ruby", "rb"),
    ("rust", "rs"),
    ("bash", "sh"),
    ("shell", "sh"),
    ("kotlin", "kt"),
    ("haskell", "hs"),
];

/// The numbers of the data set `code_contests`.
const OF_CODE_CONTESTS: [(u8, &str); 4] = [(1, "python2"), (2, "cpp"), (3, "python3"), (4, "java")];

/// The language that callers call so. `Err`: why there is none, and what to do.
pub(crate) fn language_called<'a>(
    name: &str,
    languages: &'a Languages,
) -> Result<&'a Language, Notice> {
    named(&LanguageName::Text(name.to_owned()), languages)
}

/// The language of that name. `Err`: why there is none, and what to do.
pub(super) fn named<'a>(
    name: &LanguageName,
    languages: &'a Languages,
) -> Result<&'a Language, Notice> {
    let text = match name {
        LanguageName::Number(number) => {
            let known = OF_CODE_CONTESTS.iter().find(|(known, _)| known == number);
            known.map_or_else(|| number.to_string(), |(_, id)| (*id).to_owned())
        }
        LanguageName::Text(text) => text.clone(),
    };
    let word = text.to_lowercase();
    let word = word.strip_prefix("cf_").unwrap_or(&word);
    let main = word.split('.').next().unwrap_or(word);
    // `c++17` is C++, but `pypy2` is not PyPy 3.
    let is_python = ["python", "pypy"].iter().any(|name| main.starts_with(name));
    let bare = if is_python { main } else { main.trim_end_matches(|c: char| c.is_ascii_digit()) };
    [word, main, bare].into_iter().find_map(|word| known(word, languages)).ok_or_else(|| {
        let what = format!("there is no language `{}`", text.escape_debug());
        Code::InvalidValue.says(what).help(languages.help_for(&text))
    })
}

fn known<'a>(word: &str, languages: &'a Languages) -> Option<&'a Language> {
    let other = NAMES.iter().find(|(name, _)| *name == word);
    languages
        .get(word)
        .or_else(|| languages.by_extension(word))
        .or_else(|| languages.by_extension(other?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_the_names_of_many_systems() {
        let languages = Languages::load(&std::collections::BTreeMap::new()).unwrap();
        let id = |name: &str| {
            let name = LanguageName::Text(name.to_owned());
            named(&name, &languages).map(|language| language.id.clone()).ok()
        };
        for (name, expected) in [
            ("cpp", "cpp"),
            ("c++17", "cpp"),
            ("C++", "cpp"),
            ("c", "c"),
            ("python", "python3"),
            ("Python3", "python3"),
            ("python3.11", "python3"),
            ("cf_python3", "python3"),
            ("py", "python3"),
            ("python2.7", "python2"),
            ("pypy3", "pypy3"),
            ("nodejs", "javascript"),
            ("js", "javascript"),
            ("java", "java"),
            ("java8", "java"),
            ("R", "r"),
            ("rs", "rust"),
            ("go", "go"),
            ("csharp", "csharp"),
        ] {
            assert_eq!(id(name).as_deref(), Some(expected), "{name}");
        }
        for name in ["python4", "pypy2", "brainfuck", "", "2", "../x"] {
            assert_eq!(id(name), None, "{name}");
        }
        let number = |number| named(&LanguageName::Number(number), &languages).map(|it| &*it.id);
        assert_eq!([1, 2, 3, 4].map(number), [Ok("python2"), Ok("cpp"), Ok("python3"), Ok("java")]);
        assert!(number(9).unwrap_err().message.contains("no language `9`"));
    }
}
