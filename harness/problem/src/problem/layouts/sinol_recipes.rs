//! How the tests of a sinol package are made: `prog/IDingen` writes the inputs, and the model solution the answers.

use super::fields::TableFile;
use super::scene::{Scene, names_in};
use super::sinol;
use super::test_recipe::{InputWriter, TestAnswer, TestRecipe, TestRecipes, TestSource};
use crate::notice::Notices;

/// The folders of inputs and answers.
const FOLDERS: [&str; 2] = ["in", "out"];

/// Reads the recipes.
pub(super) fn read(scene: &Scene<'_>, notices: &mut Notices) -> Option<TestRecipes> {
    let path = scene.root.join("config.yml");
    let file = TableFile::read_of_python(&path, notices)?;
    let table = file.fields();
    let id = sinol::task_id(scene.root, &table, notices);
    let validator = sinol::program(scene, &format!("{id}inwer"));
    let validators: Vec<_> = validator.map(|path| (path, Vec::new())).into_iter().collect();
    let names = names_in(&scene.root.join("in"));
    let stems = names.iter().filter_map(|name| name.strip_suffix(".in"));
    let tests = stems.filter(|stem| stem.starts_with(&id)).map(|stem| TestRecipe {
        name: stem.to_owned(),
        input: format!("in/{stem}.in"),
        answer: format!("out/{stem}.out"),
        source: TestSource::Stored,
        answered: TestAnswer::Solved,
        validators: validators.clone(),
    });
    Some(TestRecipes {
        tests: tests.collect(),
        writer: sinol::program(scene, &format!("{id}ingen")).map(|program| InputWriter {
            program,
            prefix: id.clone(),
            folders: FOLDERS,
            validators: validators.clone(),
        }),
        // sinol-make starts it in the folder of the inputs.
        current: Some("in"),
        solution: sinol::program(scene, &id),
        additions: sinol::additions(scene, &table, notices),
        ..TestRecipes::default()
    })
}
