//! How the tests of an rbx problem are made: the generators, scripts and files of its groups, and the first solution.

use std::path::{Path, PathBuf};

use globset::GlobMatcher;
use walkdir::WalkDir;

use super::fields::{self, Fields};
use super::foreign_problem::{Scene, inside};
use super::rbx;
use super::rbx_testplan::{self, PlanStep};
use super::store;
use super::test_recipe::{TestCommand, TestRecipe, TestRecipes, TestSource};
use crate::notice::{Code, Notices};
use crate::plain_file;
use crate::problem::{Additions, LocalIncludes};

/// The keys with the tests of a group.
const TESTS: [&str; 5] = [
    "testcases",
    "testcaseGlob",
    "generators",
    "generatorScript",
    "subgroups",
];

/// Reads the recipes.
pub(super) fn read(scene: &Scene<'_>, notices: &mut Notices) -> Option<TestRecipes> {
    let path = scene.root.join(rbx::FILE);
    let node = fields::read(&path, notices)?;
    let table = Fields::of(&path, &node, notices)?;
    let validator = rbx::program(&table, "validator", notices);
    let validator = validator.and_then(|name| inside(scene.root, &name).ok());
    let mut reader = RbxTests {
        scene: *scene,
        path: &path,
        generators: named_generators(&path, &table, notices),
        validators: validator
            .into_iter()
            .map(|path| (path, Vec::new()))
            .collect(),
        tests: Vec::new(),
        faulty: 0,
    };
    for node in table.list("testcases", notices) {
        let Some(group) = Fields::of(&path, node, notices) else {
            continue;
        };
        let name = group.text("name", notices).unwrap_or_default();
        let first = reader.count();
        reader.group(&name, first, &group, notices);
        // A group without tests of its own has those of the problem's plan.
        if !TESTS.iter().any(|key| group.has(key)) {
            reader.plan_of(&name, first, &table, notices);
        }
        for node in group.list("subgroups", notices) {
            if let Some(inner) = Fields::of(&path, node, notices) {
                reader.group(&name, first, &inner, notices);
            }
        }
    }
    let tests = reader.tests;
    Some(TestRecipes {
        tests,
        solution: rbx::promises(scene, notices)
            .into_iter()
            .next()
            .map(|promise| promise.path),
        interactive: table.has("interactor"),
        additions: Additions {
            local: Some(LocalIncludes::within(scene.root)),
            ..Additions::default()
        },
        ..TestRecipes::default()
    })
}

/// The generators that the problem lists, by their names.
fn named_generators(
    path: &Path,
    table: &Fields<'_>,
    notices: &mut Notices,
) -> Vec<(String, String)> {
    let mut named = Vec::new();
    for node in table.list("generators", notices) {
        let Some(entry) = Fields::of(path, node, notices) else {
            continue;
        };
        let texts = (entry.text("name", notices), entry.text("path", notices));
        if let (Some(name), Some(path)) = texts {
            named.push((name, path));
        }
    }
    named
}

struct RbxTests<'a> {
    scene: Scene<'a>,
    path: &'a Path,
    generators: Vec<(String, String)>,
    validators: Vec<(PathBuf, Vec<String>)>,
    tests: Vec<TestRecipe>,
    /// The number of tests that cannot be made. They count, so that the others keep their names.
    faulty: usize,
}

impl RbxTests<'_> {
    /// Adds the tests of a group or subgroup; `first` is the index of the first test of the group.
    fn group(&mut self, name: &str, first: usize, group: &Fields<'_>, notices: &mut Notices) {
        for node in group.list("testcases", notices) {
            let entry = Fields::of(self.path, node, notices);
            if let Some(input) = entry.and_then(|entry| entry.text("inputPath", notices)) {
                self.copied(name, first, &input, notices);
            }
        }
        if let Some(glob) = group.text("testcaseGlob", notices) {
            match rbx::matcher(&glob) {
                None => self.fault(&format!("`{glob}` is not a glob"), notices),
                Some(matcher) => {
                    for input in self.matching(&matcher) {
                        self.copied(name, first, &input, notices);
                    }
                }
            }
        }
        for node in group.list("generators", notices) {
            let Some(entry) = Fields::of(self.path, node, notices) else {
                continue;
            };
            let call = entry.text("name", notices).unwrap_or_default();
            let args = entry.text("args", notices).unwrap_or_default();
            self.made(name, first, &format!("{call} {args}"), notices);
        }
        self.plan_of(name, first, group, notices);
    }

    /// Adds the tests of the plan in `generatorScript` of a table.
    fn plan_of(&mut self, name: &str, first: usize, table: &Fields<'_>, notices: &mut Notices) {
        let script = table.table("generatorScript", notices);
        if let Some(file) = script.and_then(|script| script.text("path", notices)) {
            let text = inside(self.scene.root, &file).ok();
            match text.map(|path| plain_file::read_text(&path)) {
                Some(Ok(text)) => self.script(name, first, &text, notices),
                _ => self.fault(&format!("`{file}` cannot be read"), notices),
            }
        }
    }

    /// The tests of a plan that are for this group.
    fn script(&mut self, name: &str, first: usize, text: &str, notices: &mut Notices) {
        let plan = match rbx_testplan::read(text) {
            Ok(plan) => plan,
            Err(why) => return self.fault(&format!("in a generator script: {why}"), notices),
        };
        for test in plan.into_iter().filter(|test| test.is_for(name)) {
            match test.step {
                PlanStep::Call(line) => self.made(name, first, &line, notices),
                PlanStep::Copy(file) => self.copied(name, first, &file, notices),
                PlanStep::Text(text) => self.written(name, first, &text, notices),
            }
        }
    }

    /// Adds a test with this text, which is kept in the cache.
    fn written(&mut self, group: &str, first: usize, text: &str, notices: &mut Notices) {
        let key = blake3::hash(text.as_bytes());
        let folder = store::materialise(&key, |root| {
            store::write_new(root, "input", text.as_bytes())
        });
        match folder {
            Ok(folder) => self.add(group, first, TestSource::Copy(folder.join("input"))),
            Err(error) => {
                self.faulty += 1;
                notices.error(error.notice(&notices.show(self.path)));
            }
        }
    }

    fn fault(&self, message: &str, notices: &mut Notices) {
        let at = notices.show(self.path);
        notices.error(Code::InvalidValue.at(&at, message));
    }

    fn copied(&mut self, group: &str, first: usize, file: &str, notices: &mut Notices) {
        match inside(self.scene.root, file) {
            Ok(path) if path.is_file() => self.add(group, first, TestSource::Copy(path)),
            _ => {
                self.faulty += 1;
                self.fault(&format!("`{file}` does not exist in the package"), notices);
            }
        }
    }

    fn made(&mut self, group: &str, first: usize, line: &str, notices: &mut Notices) {
        let name = line.split_whitespace().next().unwrap_or_default();
        let Some(program) = self.generator(name) else {
            self.faulty += 1;
            return self.fault(&format!("there is no generator `{name}`"), notices);
        };
        let command = TestCommand {
            program,
            line: line.trim().to_owned(),
            file: None,
        };
        self.add(group, first, TestSource::Made(command));
    }

    /// The number of tests so far.
    fn count(&self) -> usize {
        self.tests.len() + self.faulty
    }

    fn add(&mut self, group: &str, first: usize, source: TestSource) {
        let number = self.count() - first;
        let stem = format!("build/tests/{group}/{number:03}");
        self.tests.push(TestRecipe {
            name: format!("{group}/{number:03}"),
            input: format!("{stem}.in"),
            answer: format!("{stem}.out"),
            source,
            validators: self.validators.clone(),
        });
    }

    /// The source of a generator: as listed, otherwise the file with this path, whose ending may be missing.
    fn generator(&self, name: &str) -> Option<PathBuf> {
        let listed = self.generators.iter().find(|(known, _)| known == name);
        let path = listed.map_or(name, |(_, path)| path);
        let path = inside(self.scene.root, path).ok()?;
        if path.is_file() {
            return Some(path);
        }
        let folder = path.parent()?;
        let entries = std::fs::read_dir(folder).ok()?.flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        files.into_iter().find(|file| {
            let known = file
                .extension()
                .and_then(|end| (self.scene.language_of)(end));
            known.is_some() && file.file_stem() == path.file_name()
        })
    }

    /// The inputs that a glob matches, in order.
    fn matching(&self, matcher: &GlobMatcher) -> Vec<String> {
        let walk = WalkDir::new(self.scene.root)
            .max_depth(5)
            .sort_by_file_name();
        let files = walk.into_iter().filter_map(Result::ok);
        let below = files.filter_map(|entry| {
            let below = entry.path().strip_prefix(self.scene.root).ok()?;
            (entry.file_type().is_file() && matcher.is_match(below)).then(|| below.to_owned())
        });
        let inputs = below.filter_map(|path| path.to_str().map(str::to_owned));
        inputs
            .filter(|path| path.strip_suffix(".in").is_some())
            .collect()
    }
}
