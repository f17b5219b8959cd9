//! How the tests of a CMS task are made: a line of its file for each, the generator, and the model solution.

use std::path::{Path, PathBuf};

use super::cms;
use super::cms_gen::{self, DescribedTest};
use super::fields::TableFile;
use super::scene::{Scene, inside};
use super::test_recipe::{TestAnswer, TestCommand, TestRecipe, TestRecipes, TestSource};
use crate::notice::{Code, Notices};
use crate::problem::Streams;
use crate::shell::shell_word;

/// Reads the recipes.
pub(super) fn read(scene: &Scene<'_>, notices: &mut Notices) -> Option<TestRecipes> {
    let file = cms_gen::read(scene.root, notices)?;
    let generator = source(scene, "gen", &["generatore", "generator"]);
    let mut tests = Vec::new();
    for (number, test) in file.tests.iter().enumerate() {
        // A test that cannot be made counts, so that the others keep their names.
        let Some(source) = source_of(scene, test, generator.as_deref(), &file.path, notices) else {
            continue;
        };
        tests.push(TestRecipe {
            name: format!("input{number}"),
            input: format!("input/input{number}.txt"),
            answer: format!("output/output{number}.txt"),
            source,
            answered: TestAnswer::Solved,
            validators: Vec::new(),
        });
    }
    Some(TestRecipes {
        tests,
        solution: source(scene, "sol", &["soluzione", "solution"]),
        streams: streams(scene, notices),
        // cmsMake starts them in the folder of the task.
        current: Some(""),
        additions: cms::additions(scene),
        ..TestRecipes::default()
    })
}

/// Where the input of a test comes from. `None`: a file is not in the package, which `notices` reports.
fn source_of(
    scene: &Scene<'_>,
    test: &DescribedTest,
    generator: Option<&Path>,
    file: &Path,
    notices: &mut Notices,
) -> Option<TestSource> {
    let mut path_of = |name: &str| match inside(scene.root, name) {
        Ok(path) => Some(path),
        Err(why) => {
            let at = notices.show(file);
            let message = format!("`{}` {why}", crate::notice::visible(name));
            notices.error(Code::InvalidPath.at(&at, message));
            None
        }
    };
    let made = |program: PathBuf, line: String| {
        TestSource::Made(TestCommand { program, line, file: None })
    };
    Some(match (test, generator) {
        (DescribedTest::CopyOf(name), _) => TestSource::Copy(path_of(name)?),
        (DescribedTest::Program(name, words), _) => made(path_of(name)?, format!("{name} {words}")),
        (DescribedTest::Arguments(words), Some(program)) => {
            // cmsMake splits at blanks; quotes and backslashes are part of an argument.
            let words: Vec<String> = words.split_whitespace().map(shell_word).collect();
            made(program.to_owned(), format!("generator {}", words.join(" ")))
        }
        (DescribedTest::Arguments(_), None) => TestSource::Stored,
    })
}

/// Where solutions read the input and write the output.
fn streams(scene: &Scene<'_>, notices: &mut Notices) -> Streams {
    let path = scene.root.join("task.yaml");
    let file = TableFile::read_of_python(&path, notices);
    file.and_then(|file| cms::streams(&file.fields(), notices)).unwrap_or_default()
}

/// The source with one of these names in a folder.
fn source(scene: &Scene<'_>, folder: &str, stems: &[&str]) -> Option<PathBuf> {
    let entries = std::fs::read_dir(scene.root.join(folder)).ok()?.flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let is_source = |path: &&PathBuf| {
        let known = scene.language(path);
        known.is_some() && path.is_file()
    };
    let is_called = |path: &Path, stem: &str| path.file_stem().is_some_and(|own| own == stem);
    stems.iter().find_map(|stem| {
        let mut sources = paths.iter().filter(is_source);
        sources.find(|path| is_called(path, stem)).cloned()
    })
}
