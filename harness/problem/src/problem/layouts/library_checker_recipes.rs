//! How the tests of Library Checker are made: `gen/NAME` with the number of the test, and `sol/correct.cpp`.

use super::library_checker;
use super::scene::{Scene, inside};
use super::test_recipe::{TestAnswer, TestCommand, TestRecipe, TestRecipes, TestSource};
use crate::notice::{Code, Notices};

/// Reads the recipes.
pub(super) fn read(scene: &Scene<'_>, notices: &mut Notices) -> Option<TestRecipes> {
    let info = library_checker::info(scene.root, notices)?;
    let verifiers = library_checker::verifier(scene.root, &info);
    let mut tests = Vec::new();
    for (name, count) in info.tests() {
        let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
        for number in 0..count.min(10_000) {
            let test = format!("{stem}_{number:02}");
            let file = match end {
                "in" => format!("gen/{test}.in"),
                _ => format!("gen/{name}"),
            };
            let path = match inside(scene.root, &file) {
                Ok(path) if path.is_file() => path,
                _ => {
                    let at = notices.show(&scene.root.join("info.toml"));
                    notices.error(Code::MissingFile.at(&at, format!("`{file}` does not exist")));
                    break;
                }
            };
            let source = match end {
                "in" => TestSource::Copy(path),
                _ => TestSource::Made(TestCommand {
                    program: path,
                    line: format!("{name} {number}"),
                    file: None,
                }),
            };
            tests.push(TestRecipe {
                input: format!("in/{test}.in"),
                answer: format!("out/{test}.out"),
                name: test,
                source,
                answered: TestAnswer::Solved,
                validators: verifiers.iter().map(|path| (path.clone(), Vec::new())).collect(),
            });
        }
    }
    let solution = scene.root.join("sol/correct.cpp");
    Some(TestRecipes {
        tests,
        solution: Some(solution).filter(|path| path.is_file()),
        additions: library_checker::additions(scene.root, &info),
        ..TestRecipes::default()
    })
}
