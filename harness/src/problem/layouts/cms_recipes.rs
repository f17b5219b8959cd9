//! How the tests of a CMS task are made: a line of `gen/GEN` for each, the generator, and the model solution.

use std::path::{Path, PathBuf};

use super::foreign_problem::{Scene, inside};
use super::test_recipe::{TestAnswer, TestCommand, TestRecipe, TestRecipes, TestSource};
use super::{cms, fields};
use crate::notice::{Code, Notice, Notices};
use crate::plain_file;
use crate::problem::Streams;

/// Reads the recipes.
pub(super) fn read(scene: &Scene<'_>, notices: &mut Notices) -> Option<TestRecipes> {
    let path = scene.root.join("gen/GEN");
    let text = match plain_file::read_text(&path) {
        Ok(text) => text,
        Err(error) => {
            notices.error(Notice::unreadable(&notices.show(&path), &error));
            return None;
        }
    };
    let generator = source(scene, "gen", &["generatore", "generator"]);
    let mut tests = Vec::new();
    // A test that cannot be made counts, so that the others keep their names.
    let mut faulty = 0;
    for line in text.lines() {
        let (command, comment) = line.split_once('#').unwrap_or((line, ""));
        let number = tests.len() + faulty;
        let source = if let Some(file) = comment.trim().strip_prefix("COPY:") {
            match inside(scene.root, file.trim()) {
                Ok(path) => TestSource::Copy(path),
                Err(why) => {
                    let at = notices.show(&path);
                    let message = format!("`{}` {why}", file.trim());
                    notices.error(Code::InvalidPath.at(&at, message));
                    faulty += 1;
                    continue;
                }
            }
        } else if command.trim().is_empty() {
            continue;
        } else if let Some(program) = &generator {
            TestSource::Made(TestCommand {
                program: program.clone(),
                line: format!("generator {}", command.trim()),
                file: None,
            })
        } else {
            TestSource::Stored
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
        additions: cms::additions(scene),
        ..TestRecipes::default()
    })
}

/// Where solutions read the input and write the output.
fn streams(scene: &Scene<'_>, notices: &mut Notices) -> Streams {
    let path = scene.root.join("task.yaml");
    let node = fields::read(&path, notices);
    let table = node
        .as_ref()
        .and_then(|node| fields::Fields::of(&path, node, notices));
    table
        .and_then(|table| cms::streams(&table, notices))
        .unwrap_or_default()
}

/// The source with one of these names in a folder.
fn source(scene: &Scene<'_>, folder: &str, stems: &[&str]) -> Option<PathBuf> {
    let entries = std::fs::read_dir(scene.root.join(folder)).ok()?.flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let is_source = |path: &&PathBuf| {
        let known = path.extension().and_then(|end| (scene.language_of)(end));
        known.is_some() && path.is_file()
    };
    let is_called = |path: &Path, stem: &str| path.file_stem().is_some_and(|own| own == stem);
    stems.iter().find_map(|stem| {
        let mut sources = paths.iter().filter(is_source);
        sources.find(|path| is_called(path, stem)).cloned()
    })
}
