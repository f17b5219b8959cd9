//! The programs inside a `problem.json` of QDUOJ, as files in the cache: the answers, and the checker.

use std::path::PathBuf;

use super::qduoj_json::{QduojProblem, QduojSource, QduojTemplate};
use super::scene::{ForeignSubmission, Scene, names_in};
use super::store::{self, StoreError};
use crate::checker_spec::{CheckerSpec, Convention};
use crate::expectation::Expectation;
use crate::name_text;
use crate::notice::{self, Code, Notices, visible};

/// The languages of QDUOJ and HUSTOJ, with the extensions of their sources.
const LANGUAGES: [(&str, &str); 24] = [
    ("bash", "sh"),
    ("c", "c"),
    ("c#", "cs"),
    ("c++", "cpp"),
    ("clang", "c"),
    ("clang++", "cpp"),
    ("fortran", "f90"),
    ("freebasic", "bas"),
    ("go", "go"),
    ("golang", "go"),
    ("java", "java"),
    ("javascript", "js"),
    ("lua", "lua"),
    ("matlab", "m"),
    ("obj-c", "m"),
    ("pascal", "pas"),
    ("perl", "pl"),
    ("php", "php"),
    ("python", "py"),
    ("python2", "py2"),
    ("python3", "py"),
    ("ruby", "rb"),
    ("scheme", "scm"),
    ("rust", "rs"),
];

/// The extension of the sources in a language.
pub(super) fn extension(language: &str) -> Option<&'static str> {
    let word = language.trim().to_ascii_lowercase();
    LANGUAGES.iter().find(|(name, _)| *name == word).map(|(_, end)| *end)
}

/// A file in the cache with this text. Messages show it as if it were next to `problem.json`; other problems have their own.
fn stored(scene: &Scene<'_>, name: &str, text: &str) -> Result<PathBuf, StoreError> {
    let root = scene.root.canonicalize()?;
    let mut hasher = blake3::Hasher::new();
    for part in
        [&b"a source"[..], root.as_os_str().as_encoded_bytes(), name.as_bytes(), text.as_bytes()]
    {
        hasher.update(&part.len().to_le_bytes()).update(part);
    }
    let folder = store::materialise(&hasher.finalize(), |root| {
        store::write_new(root, name, text.as_bytes())
    })?;
    notice::call(&folder, scene.root);
    Ok(folder.join(name))
}

/// The checker in the convention of the judge. `None`: its language is not that of a checker.
pub(super) fn checker(
    scene: &Scene<'_>,
    spj: &QduojSource,
    is_hustoj: bool,
) -> Result<Option<CheckerSpec>, StoreError> {
    if spj.testlib {
        let source = stored(scene, "tpj.cpp", &spj.code)?;
        return Ok(Some(CheckerSpec::Testlib { source }));
    }
    let Some(end @ ("c" | "cpp")) = extension(&spj.language) else {
        return Ok(None);
    };
    let source = stored(scene, &format!("spj.{end}"), &spj.code)?;
    // QDUOJ gives the input and the output only.
    let convention = if is_hustoj { Convention::Hustoj } else { Convention::Dmoj };
    Ok(Some(CheckerSpec::Foreign { source, convention, call: Vec::new() }))
}

/// The answers as submissions that must be accepted, and the sources in the folder.
pub(super) fn submissions(
    scene: &Scene<'_>,
    read: &QduojProblem,
    shown: &str,
    notices: &mut Notices,
) -> Vec<ForeignSubmission> {
    let mut found: Vec<ForeignSubmission> = Vec::new();
    for (answer, number) in read.answers.iter().zip(1..) {
        let Some(end) = extension(&answer.language) else {
            let what = format!(
                "has an answer in the language `{}`, which is not known; it is not judged",
                visible(&answer.language)
            );
            notices.warn(Code::UnknownLanguage.of_file(shown, what));
            continue;
        };
        let around = read.template.as_ref().and_then(|all| all.get(&answer.language));
        // The public class of a source in Java bears the name of its file.
        let name =
            if end == "java" { "Main.java".to_owned() } else { format!("answer{number}.{end}") };
        match stored(scene, &name, &completed(&answer.code, around)) {
            Ok(path) => found.push(ForeignSubmission::new(path, Expectation::accepted())),
            Err(error) => notices.error(error.notice(&format!("the answers of {shown}"))),
        }
    }
    for name in names_in(scene.root) {
        let path = scene.root.join(name_text::path(&name));
        if path.is_file() && scene.is_source(&path) {
            found.push(ForeignSubmission::new(path, Expectation::accepted()));
        }
    }
    found
}

/// A program with the code that the judge adds.
fn completed(code: &str, around: Option<&QduojTemplate>) -> String {
    match around {
        Some(QduojTemplate { prepend, append, .. })
            if !(prepend.is_empty() && append.is_empty()) =>
        {
            format!("{prepend}\n{code}\n{append}")
        }
        _ => code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_known_in_any_case() {
        for (name, expected) in [
            ("C++", Some("cpp")),
            ("Python3", Some("py")),
            (" Golang ", Some("go")),
            ("SQL(sqlite3)", None),
        ] {
            assert_eq!(extension(name), expected, "{name}");
        }
    }

    #[test]
    fn templates_are_put_around_answers() {
        let around = QduojTemplate {
            prepend: "a".to_owned(),
            append: "c".to_owned(),
            ..QduojTemplate::default()
        };
        assert_eq!(completed("b", Some(&around)), "a\nb\nc");
        assert_eq!(completed("b", Some(&QduojTemplate::default())), "b");
        assert_eq!(completed("b", None), "b");
    }
}
