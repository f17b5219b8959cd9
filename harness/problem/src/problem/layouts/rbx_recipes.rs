//! How the tests of an rbx problem are made: the generators, scripts and files of its groups, and the first solution.

use std::path::{Path, PathBuf};

use globset::GlobMatcher;
use walkdir::WalkDir;

use super::fields::{Fields, TableFile};
use super::rbx_testplan::{self, PlanStep, PlanTest};
use super::rbx_vars::RbxVars;
use super::scene::{Scene, inside};
use super::store;
use super::test_recipe::{
    PrintedPlans, TestAnswer, TestCommand, TestRecipe, TestRecipes, TestSource,
};
use super::{rbx, rbx_solutions};
use crate::expectation::VerdictFolder;
use crate::notice::{Code, Notices};
use crate::plain_file;

/// The keys with the tests of a group.
const TESTS: [&str; 5] =
    ["testcases", "testcaseGlob", "generators", "generatorScript", "subgroups"];

/// Reads the recipes.
pub(super) fn read(
    scene: &Scene<'_>,
    plans: &PrintedPlans,
    notices: &mut Notices,
) -> Option<TestRecipes> {
    let path = scene.root.join(rbx::FILE);
    let file = TableFile::read(&path, notices)?;
    let table = file.fields();
    let vars = RbxVars::read(&path, &table, notices);
    let validator = rbx::program(&table, "validator", notices);
    let extra = rbx::programs(scene, &table, "extraValidators", notices);
    let mut reader = RbxTests {
        scene: *scene,
        path: &path,
        plans,
        generators: named_generators(&path, &table, notices),
        part: TestPart::default(),
        tests: Vec::new(),
        plan_programs: Vec::new(),
        faulty: 0,
    };
    for node in table.list("testcases", notices) {
        let Some(group) = Fields::of(&path, node, notices) else {
            continue;
        };
        let name = group.text("name", notices).unwrap_or_default();
        let own = rbx::program(&group, "validator", notices).or_else(|| validator.clone());
        let mut names: Vec<String> = own.into_iter().chain(extra.iter().cloned()).collect();
        names.extend(rbx::programs(scene, &group, "extraValidators", notices));
        let model = rbx::program(&group, "model_solution", notices)
            .and_then(|name| inside(scene.root, &name).ok());
        let subgroups = group.list("subgroups", notices);
        let part = |subgroup: Option<(usize, &str)>, validators: &[String]| TestPart {
            group: name.clone(),
            key: match subgroup {
                Some((_, inner)) => format!("{name}/{inner}"),
                None => name.clone(),
            },
            prefix: match subgroup {
                Some((index, inner)) => format!("{}-{inner}-", index + 1),
                None if subgroups.is_empty() => String::new(),
                None => "0-".to_owned(),
            },
            first: 0,
            solution: model.clone(),
            validators: validators
                .iter()
                .filter_map(|name| inside(scene.root, name).ok())
                .map(|path| (path, vars.validator_args(&name)))
                .collect(),
        };
        reader.part(part(None, &names), &group, &table, notices);
        for (index, node) in subgroups.iter().enumerate() {
            let Some(inner) = Fields::of(&path, node, notices) else {
                continue;
            };
            let called = inner.text("name", notices).unwrap_or_default();
            let more = rbx::programs(scene, &inner, "extraValidators", notices);
            let names = [&names[..], &more].concat();
            reader.part(part(Some((index, &called)), &names), &inner, &table, notices);
        }
    }
    let main = rbx_solutions::submissions(scene, notices).into_iter().next();
    Some(TestRecipes {
        tests: reader.tests,
        plan_programs: reader.plan_programs,
        solution: main
            .filter(|main| main.expected.folder() == Some(VerdictFolder::Accepted))
            .map(|main| main.path),
        interactor: rbx::interactor(scene, &table, notices),
        additions: rbx::additions(scene, &vars, notices),
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

/// A group without its subgroups, or a subgroup.
#[derive(Default)]
struct TestPart {
    /// The name of the group.
    group: String,
    /// What test plans call it: the same name, or `GROUP/NAME`.
    key: String,
    /// What the names of its tests begin with.
    prefix: String,
    /// The index of its first test.
    first: usize,
    /// The solution that computes its answers, if that is not the main one.
    solution: Option<PathBuf>,
    validators: Vec<(PathBuf, Vec<String>)>,
}

struct RbxTests<'a> {
    scene: Scene<'a>,
    path: &'a Path,
    plans: &'a PrintedPlans,
    generators: Vec<(String, String)>,
    part: TestPart,
    tests: Vec<TestRecipe>,
    plan_programs: Vec<PathBuf>,
    /// The number of tests that cannot be made. They count, so that the others keep their names.
    faulty: usize,
}

impl RbxTests<'_> {
    /// Adds the tests of a group or subgroup, which `fields` describe. If they state none, it has those of the problem's plan.
    fn part(
        &mut self,
        part: TestPart,
        fields: &Fields<'_>,
        problem: &Fields<'_>,
        notices: &mut Notices,
    ) {
        self.part = TestPart { first: self.count(), ..part };
        for node in fields.list("testcases", notices) {
            let Some(entry) = Fields::of(self.path, node, notices) else {
                continue;
            };
            let answer = entry.text("outputPath", notices);
            if let Some(input) = entry.text("inputPath", notices) {
                self.copied(&input, answer.as_deref(), notices);
            }
        }
        if let Some(glob) = fields.text("testcaseGlob", notices) {
            match rbx::matcher(&glob) {
                None => self.fault(&format!("`{glob}` is not a glob"), notices),
                Some(matcher) => {
                    for input in self.matching(&matcher) {
                        self.copied(&input, None, notices);
                    }
                }
            }
        }
        for node in fields.list("generators", notices) {
            let Some(entry) = Fields::of(self.path, node, notices) else {
                continue;
            };
            let call = entry.text("name", notices).unwrap_or_default();
            let args = entry.text("args", notices).unwrap_or_default();
            self.made(&format!("{call} {args}"), "", notices);
        }
        let is_bare = !TESTS.iter().any(|key| fields.has(key));
        self.plan_of(if is_bare { problem } else { fields }, notices);
    }

    /// Adds the tests of the plan in `generatorScript` of a table.
    fn plan_of(&mut self, table: &Fields<'_>, notices: &mut Notices) {
        let Some(script) = table.table("generatorScript", notices) else {
            return;
        };
        let Some(file) = script.text("path", notices) else {
            return;
        };
        let path = inside(self.scene.root, &file).ok();
        let Some(path) = path.filter(|path| path.is_file()) else {
            return self.fault(&format!("`{file}` cannot be read"), notices);
        };
        let text = if path.extension().is_some_and(|end| end == "txt") {
            plain_file::read_text(&path).ok()
        } else if let Some(printed) = self.plans.get(&path) {
            Some(printed.clone())
        } else {
            if !self.plan_programs.contains(&path) {
                self.plan_programs.push(path);
            }
            return;
        };
        let Some(text) = text else {
            return self.fault(&format!("`{file}` cannot be read"), notices);
        };
        let is_box = script.text("format", notices).as_deref() == Some("box");
        let plan = if is_box { rbx_testplan::read_box(&text) } else { rbx_testplan::read(&text) };
        match plan {
            Ok(plan) => {
                let root = script.text("root", notices).unwrap_or_default();
                self.planned(plan, &root, notices);
            }
            Err(why) => self.fault(&format!("in the generator script `{file}`: {why}"), notices),
        }
    }

    /// The tests of a plan that are for this part. `root` is the folder of generators.
    fn planned(&mut self, plan: Vec<PlanTest>, root: &str, notices: &mut Notices) {
        for test in plan {
            if !test.is_for(&self.part.key) {
                continue;
            }
            match test.step {
                PlanStep::Call(line) => self.made(&line, root, notices),
                PlanStep::Copy(file) => self.copied(&file, None, notices),
                PlanStep::Text(text) => self.written(&text, notices),
            }
        }
    }

    /// Adds a test with this text, which is kept in the cache.
    fn written(&mut self, text: &str, notices: &mut Notices) {
        let key = blake3::hash(text.as_bytes());
        let folder =
            store::materialise(&key, |root| store::write_new(root, "input", text.as_bytes()));
        match folder {
            Ok(folder) => self.add(TestSource::Copy(folder.join("input")), None),
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

    /// Adds a test with a copy of a file. Its answer is a copy too, if it is stated or lies next to the input.
    fn copied(&mut self, file: &str, answer: Option<&str>, notices: &mut Notices) {
        let existing = |file: &str| {
            let path = inside(self.scene.root, file).ok();
            path.filter(|path| path.is_file())
        };
        let beside = Path::new(file).with_extension("ans").to_str().and_then(existing);
        match (existing(file), answer.map(existing)) {
            (Some(input), Some(Some(stated))) => self.add(TestSource::Copy(input), Some(stated)),
            (Some(input), None) => self.add(TestSource::Copy(input), beside),
            (input, _) => {
                self.faulty += 1;
                let missing = answer.filter(|_| input.is_some()).unwrap_or(file);
                let message = format!("`{missing}` does not exist in the package");
                self.fault(&message, notices);
            }
        }
    }

    fn made(&mut self, line: &str, root: &str, notices: &mut Notices) {
        let name = line.split_whitespace().next().unwrap_or_default();
        let Some(program) = self.generator(name, root) else {
            self.faulty += 1;
            return self.fault(&format!("there is no generator `{name}`"), notices);
        };
        let command = TestCommand { program, line: line.trim().to_owned(), file: None };
        self.add(TestSource::Made(command), None);
    }

    /// The number of tests so far.
    fn count(&self) -> usize {
        self.tests.len() + self.faulty
    }

    fn add(&mut self, source: TestSource, answer: Option<PathBuf>) {
        let part = &self.part;
        let name = format!("{}/{}{:03}", part.group, part.prefix, self.count() - part.first);
        let solved = part.solution.clone();
        let answered = match answer {
            Some(file) => TestAnswer::Copy(file),
            None => solved.map_or(TestAnswer::Solved, TestAnswer::SolvedBy),
        };
        let test = TestRecipe {
            input: format!("build/tests/{name}.in"),
            answer: format!("build/tests/{name}.out"),
            name,
            source,
            answered,
            validators: part.validators.clone(),
        };
        self.tests.push(test);
    }

    /// The source of a generator: as listed, otherwise the file with this path below `root`, whose ending may be missing.
    fn generator(&self, name: &str, root: &str) -> Option<PathBuf> {
        let listed = self.generators.iter().find(|(known, _)| known == name);
        let below = Path::new(root).join(name);
        let path = listed.map_or(below.to_str()?, |(_, path)| path);
        let path = inside(self.scene.root, path).ok()?;
        if path.is_file() {
            return Some(path);
        }
        let folder = path.parent()?;
        let entries = std::fs::read_dir(folder).ok()?.flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        files.into_iter().find(|file| {
            let known = self.scene.language(file);
            known.is_some() && file.file_stem() == path.file_name()
        })
    }

    /// The inputs that a glob matches, in order.
    fn matching(&self, matcher: &GlobMatcher) -> Vec<String> {
        let walk = WalkDir::new(self.scene.root).max_depth(5).sort_by_file_name();
        let files = walk.into_iter().filter_map(Result::ok);
        let below = files.filter_map(|entry| {
            let below = entry.path().strip_prefix(self.scene.root).ok()?;
            (entry.file_type().is_file() && matcher.is_match(below)).then(|| below.to_owned())
        });
        let inputs = below.filter_map(|path| path.to_str().map(str::to_owned));
        inputs.filter(|path| path.strip_suffix(".in").is_some()).collect()
    }
}
