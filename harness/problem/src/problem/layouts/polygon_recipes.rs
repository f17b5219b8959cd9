//! How the tests of a Polygon package are made: the commands in `problem.xml` or in its script, and the main solution.

use std::path::{Path, PathBuf};

use roxmltree::Node;

use super::polygon::{Package, numbered, pattern, testset, validator_args_of, with_document};
use super::polygon_script::{self, ScriptCommands};
use super::scene::{Scene, inside};
use super::test_recipe::{TestAnswer, TestCommand, TestRecipe, TestRecipes, TestSource};
use super::xml::child;
use crate::notice::Notices;
use crate::problem::{Additions, LocalIncludes, StatedFiles, Streams};

/// Reads the recipes.
pub(super) fn read(scene: &Scene<'_>, notices: &mut Notices) -> Option<TestRecipes> {
    with_document(scene.root, notices, |document, notices| {
        let package = Package { scene: *scene, document };
        package.recipes(notices)
    })
}

impl<'d> Package<'_, 'd> {
    fn recipes(&self, notices: &mut Notices) -> Option<TestRecipes> {
        let problem = self.document.root_element();
        let Some(set) = testset(problem) else {
            self.fault(problem, "there is no `testset`", notices);
            return None;
        };
        let judging = child(problem, "judging");
        let file = |key| judging.and_then(|node| Some(node.attribute(key)?.to_owned()));
        let files = StatedFiles::new(file("input-file"), file("output-file"));
        let input = pattern(set, "input-path-pattern", "tests/%02d");
        let answer = pattern(set, "answer-path-pattern", "tests/%02d.a");
        let validators = self.validators(notices);
        let name = set.attribute("name").unwrap_or("tests");
        let tests = child(set, "tests").into_iter();
        let tests =
            tests.flat_map(|tests| tests.children()).filter(|node| node.has_tag_name("test"));
        let states_none = |test: &Node<'_, '_>| {
            test.attribute("method") != Some("manual") && test.attribute("cmd").is_none()
        };
        let script = if tests.clone().any(|test| states_none(&test)) {
            polygon_script::read(self.scene.root, notices)
        } else {
            ScriptCommands::new()
        };
        let mut all = Vec::new();
        for (test, number) in tests.zip(1..) {
            let (Some(input), Some(answer)) = (numbered(input, number), numbered(answer, number))
            else {
                self.fault(set, "a path of tests has no `%d` for their numbers", notices);
                return None;
            };
            let args = validator_args_of(name, test.attribute("group"));
            let validators = validators.iter();
            all.push(TestRecipe {
                name: input.clone(),
                source: self.source(test, &input, &script, notices),
                answered: TestAnswer::Solved,
                validators: validators.map(|path| (path.clone(), args.clone())).collect(),
                input,
                answer,
            });
        }
        Some(TestRecipes {
            tests: all,
            plan_programs: Vec::new(),
            writer: None,
            solution: self.main_solution(),
            current: None,
            streams: files.map(Streams::Stated).unwrap_or_default(),
            additions: Additions {
                local: Some(LocalIncludes::within(self.scene.root)),
                ..Additions::default()
            },
            interactor: self.interactor(notices),
        })
    }

    /// Where the input of a test comes from.
    fn source(
        &self,
        test: Node<'_, 'd>,
        input: &str,
        script: &ScriptCommands,
        notices: &mut Notices,
    ) -> TestSource {
        let scripted = script.get(input);
        let (name, line, file) = match (test.attribute("cmd"), scripted) {
            (Some(line), _) => {
                let name = line.split_whitespace().next().unwrap_or_default();
                (name, line, test.attribute("from-file"))
            }
            (None, Some(command)) => {
                (command.program.as_str(), command.line.as_str(), command.file.as_deref())
            }
            (None, None) => return TestSource::Stored,
        };
        let Some(program) = self.generator(name) else {
            let message = format!("the source of the generator `{name}` is not in the package");
            self.fault(test, &message, notices);
            return TestSource::Stored;
        };
        TestSource::Made(TestCommand {
            program,
            line: line.to_owned(),
            file: file.map(str::to_owned),
        })
    }

    /// The source of the program with this name: of those that the package lists, otherwise in `files/`.
    fn generator(&self, name: &str) -> Option<PathBuf> {
        let root = self.scene.root;
        let listed = self.document.descendants().filter(|node| node.has_tag_name("executable"));
        let sources = listed.filter_map(|node| child(node, "source")?.attribute("path"));
        let mut known = sources.filter(|path| {
            let stem = Path::new(path).file_stem();
            stem.is_some_and(|stem| stem == name)
        });
        let listed = known.find_map(|path| inside(root, path).ok().filter(|path| path.is_file()));
        listed.or_else(|| {
            let entries = std::fs::read_dir(root.join("files")).ok()?.flatten();
            let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            paths.sort();
            paths.into_iter().find(|path| {
                let known = self.scene.language(path);
                known.is_some() && path.file_stem().is_some_and(|stem| stem == name)
            })
        })
    }

    /// The solution with the tag `main`.
    fn main_solution(&self) -> Option<PathBuf> {
        let mut solutions = self.document.descendants();
        let main = solutions
            .find(|node| node.has_tag_name("solution") && node.attribute("tag") == Some("main"))?;
        let path = child(main, "source")?.attribute("path")?;
        inside(self.scene.root, path).ok().filter(|path| path.is_file())
    }
}
