//! Polygon packages: `problem.xml` names the tests, the checker and the groups.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rejudge_quantity::Bytes;
use roxmltree::{Document, Node};

use super::polygon_points::PolygonGroups;
use super::scene::{CaseFileNames, Gatherer, Scene, inside};
use super::xml::{self, child};
use super::{case_texts, points, std_checkers};
use crate::checker_spec::CheckerSpec;
use crate::notice::{Code, Location, Notice, Notices, Place};
use crate::plain_file;
use crate::problem::scoring::Scoring;
use crate::problem::{
    Interactor, LineEnds, Problem, ProblemLimits, StatedFiles, Streams, TestCase,
};

pub(super) const FILE: &str = "problem.xml";

const NO_TESTS: &str = "this package is missing its generated tests: make them with `rejudge generate FOLDER`, or \
    download the full package from Polygon";

/// Parses `problem.xml`. Faults are reported with their place.
pub(super) fn with_document<T>(
    root: &Path,
    notices: &mut Notices,
    read: impl FnOnce(&Document<'_>, &mut Notices) -> Option<T>,
) -> Option<T> {
    let path = root.join(FILE);
    let text = match plain_file::read_text(&path) {
        Ok(text) => text,
        Err(error) => {
            notices.error(Notice::unreadable(&notices.show(&path), &error));
            return None;
        }
    };
    match xml::parse(&text, &notices.show(&path)) {
        Ok(document) => read(&document, notices),
        Err(fault) => {
            notices.error(fault);
            None
        }
    }
}

/// Reads the package.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    with_document(scene.root, notices, |document, notices| {
        let package = Package { scene: *scene, document };
        package.parts(notices)
    })
}

pub(super) struct Package<'a, 'd> {
    pub(super) scene: Scene<'a>,
    pub(super) document: &'a Document<'d>,
}

impl<'d> Package<'_, 'd> {
    fn parts(&self, notices: &mut Notices) -> Option<Problem> {
        let problem = self.document.root_element();
        let Some(testset) = testset(problem) else {
            self.fault(problem, "there is no `testset`", notices);
            return None;
        };
        let judging = child(problem, "judging");
        let file = |key| judging.and_then(|node| Some(node.attribute(key)?.to_owned()));
        let streams = match StatedFiles::new(file("input-file"), file("output-file")) {
            Ok(files) => Streams::Stated(files),
            Err(invalid) => {
                self.fault(problem, &invalid.to_string(), notices);
                return None;
            }
        };
        let limits = self.limits(testset, notices);
        let checker = self.checker(notices);
        let interactor = self.interactor(notices);
        let (cases, scoring) = self.cases(testset, notices)?;
        Some(Problem {
            title: title(problem),
            limits,
            checker,
            interactor,
            streams,
            validators: self.validators(notices),
            is_package: true,
            cases,
            scoring,
            ..Problem::foreign(self.scene.root)
        })
    }

    pub(super) fn at(&self, node: Node<'_, 'd>, notices: &Notices) -> Location {
        let at = self.document.text_pos_at(node.range().start);
        let place = Place { line: u64::from(at.row), column: u64::from(at.col) };
        notices.show_at(&self.scene.root.join(FILE), place)
    }

    pub(super) fn fault(&self, node: Node<'_, 'd>, message: &str, notices: &mut Notices) {
        let at = self.at(node, notices);
        notices.error(Code::InvalidValue.at(&at, message));
    }

    /// The text of a child as a number.
    fn number(&self, node: Node<'_, 'd>, name: &str, notices: &mut Notices) -> Option<u64> {
        let child = child(node, name)?;
        let text = child.text().unwrap_or_default().trim();
        let number = text.parse().ok().filter(|number| *number > 0);
        if number.is_none() {
            let message = format!("`{name}` must be a whole number above 0, got `{text}`");
            self.fault(child, &message, notices);
        }
        number
    }

    fn limits(&self, testset: Node<'_, 'd>, notices: &mut Notices) -> ProblemLimits {
        let time = self.number(testset, "time-limit", notices);
        let memory = self.number(testset, "memory-limit", notices);
        ProblemLimits {
            cpu_time: time.map(Duration::from_millis),
            memory: memory.map(Bytes),
            ..ProblemLimits::default()
        }
    }

    fn checker(&self, notices: &mut Notices) -> CheckerSpec {
        let problem = self.document.root_element();
        let assets = child(problem, "assets");
        let Some(checker) = assets.and_then(|assets| child(assets, "checker")) else {
            return CheckerSpec::default();
        };
        let name = checker.attribute("name").unwrap_or_default();
        if let Some(known) = std_checkers::find(name).filter(|_| name.starts_with("std::")) {
            return known;
        }
        let usual = ["check.cpp", "files/check.cpp"];
        if let Some(source) = self.program(checker, usual, notices) {
            return CheckerSpec::Testlib { source };
        }
        let at = self.at(checker, notices);
        self.scene.options.unless_checked(notices, |notices| {
            notices.error_help(
                Code::MissingSource.at(&at, "the checker's source is not in the package"),
                "add it as `check.cpp`, or choose another comparison: `--checker tokens`",
            );
        });
        CheckerSpec::default()
    }

    /// The program that talks with solutions. The checker then decides on its output.
    pub(super) fn interactor(&self, notices: &mut Notices) -> Option<Interactor> {
        let assets = child(self.document.root_element(), "assets")?;
        let interactor = child(assets, "interactor")?;
        let usual = ["interactor.cpp", "files/interactor.cpp"];
        let Some(source) = self.program(interactor, usual, notices) else {
            let at = self.at(interactor, notices);
            notices.error_help(
                Code::MissingSource.at(&at, "the interactor's source is not in the package"),
                "add it as `interactor.cpp`",
            );
            return None;
        };
        Some(Interactor { source, then_check: true, call: Vec::new(), convention: None })
    }

    /// The validators of inputs.
    pub(super) fn validators(&self, notices: &mut Notices) -> Vec<PathBuf> {
        let assets = child(self.document.root_element(), "assets");
        let validators = assets.and_then(|assets| child(assets, "validators"));
        let all = validators.into_iter().flat_map(|node| node.children());
        let mut sources: Vec<PathBuf> = all
            .filter(|node| node.has_tag_name("validator"))
            .filter_map(|node| self.program(node, ["val.cpp", "files/val.cpp"], notices))
            .collect();
        sources.dedup();
        sources
    }

    /// The source of a program: the file that the package names, otherwise the usual file.
    fn program(
        &self,
        node: Node<'_, 'd>,
        usual: [&str; 2],
        notices: &mut Notices,
    ) -> Option<PathBuf> {
        let named =
            ["source", "copy"].into_iter().filter_map(|name| child(node, name)?.attribute("path"));
        for path in named.chain(usual) {
            match inside(self.scene.root, path) {
                Ok(path) if path.is_file() => return Some(path),
                Ok(_) => {}
                Err(why) => self.fault(node, &format!("`{path}` {why}"), notices),
            }
        }
        None
    }

    fn cases(
        &self,
        testset: Node<'_, 'd>,
        notices: &mut Notices,
    ) -> Option<(Vec<TestCase>, Option<Scoring>)> {
        let input = pattern(testset, "input-path-pattern", "tests/%02d");
        let answer = pattern(testset, "answer-path-pattern", "tests/%02d.a");
        for pattern in [input, answer] {
            if numbered(pattern, 1).is_none() {
                let message = format!("`{pattern}` has no `%d` for the number of the test");
                self.fault(testset, &message, notices);
                return None;
            }
        }
        let tests: Vec<Node<'_, 'd>> = child(testset, "tests").map_or_else(Vec::new, |tests| {
            tests.children().filter(|node| node.has_tag_name("test")).collect()
        });
        let count = if tests.is_empty() {
            self.number(testset, "test-count", notices).unwrap_or(0)
        } else {
            tests.len() as u64
        };
        if count > 1_000_000 {
            self.fault(testset, "there are more than a million tests", notices);
            return None;
        }
        let groups = PolygonGroups::of(testset);
        let mut known = Vec::new();
        let mut gatherer = Gatherer::new(self.scene);
        for number in 1..=count {
            let test = usize::try_from(number - 1).ok().and_then(|index| tests.get(index));
            let path = numbered(input, number)?;
            let last = path.rsplit(['/', '\\']).next().unwrap_or(&path);
            let name = match test {
                Some(test) => groups.case_name(*test, last),
                None => last.to_owned(),
            };
            let group = test.and_then(|test| test.attribute("group"));
            let set = testset.attribute("name").unwrap_or("tests");
            gatherer.validated_with(validator_args_of(set, group));
            let named = CaseFileNames {
                name: &name,
                input: &path,
                answer: Some(&numbered(answer, number)?),
            };
            gatherer.add(&named, notices);
            known.extend(test.map(|test| (*test, name)));
        }
        let mut cases = gatherer.finish(NO_TESTS, notices);
        let given = case_texts::normalise(LineEnds::Polygon, cases.iter_mut(), None);
        if let Err(error) = given {
            let shown = notices.show(&self.scene.root.join(FILE));
            notices.error(error.notice(&shown));
            return None;
        }
        let scoring = points::scoring(groups.shares(&known), &cases);
        Some((cases, scoring))
    }
}

/// The text of an element with the pattern of paths, or the usual pattern.
pub(super) fn pattern<'a>(testset: Node<'a, '_>, name: &str, usual: &'a str) -> &'a str {
    let text = child(testset, name).and_then(|node| node.text());
    text.map_or(usual, str::trim)
}

/// The arguments with which Polygon describes a test to validators.
pub(super) fn validator_args_of(testset: &str, group: Option<&str>) -> Vec<String> {
    let mut words = vec!["--testset", testset];
    if let Some(group) = group.filter(|group| !group.is_empty()) {
        words.extend(["--group", group]);
    }
    words.into_iter().map(str::to_owned).collect()
}

/// The test set to judge: `tests`, otherwise the first.
pub(super) fn testset<'a, 'd>(problem: Node<'a, 'd>) -> Option<Node<'a, 'd>> {
    let sets = || {
        let judging = child(problem, "judging").into_iter();
        judging.flat_map(|judging| judging.children()).filter(|node| node.has_tag_name("testset"))
    };
    sets().find(|set| set.attribute("name") == Some("tests")).or_else(|| sets().next())
}

fn title(problem: Node<'_, '_>) -> Option<String> {
    let names = child(problem, "names")?;
    let all = || names.children().filter(|node| node.has_tag_name("name"));
    let english = all().find(|name| name.attribute("language") == Some("english"));
    let name = english.or_else(|| all().next())?;
    name.attribute("value").map(str::to_owned)
}

/// The pattern with `number` in place of its `%d` or `%02d`.
pub(super) fn numbered(pattern: &str, number: u64) -> Option<String> {
    let (head, rest) = pattern.split_once('%')?;
    let (width, tail) = rest.split_once('d')?;
    let zeros = width.starts_with('0');
    let width: usize =
        if width.is_empty() { 0 } else { width.parse().ok().filter(|width| *width <= 20)? };
    Some(if zeros {
        format!("{head}{number:0width$}{tail}")
    } else {
        format!("{head}{number:width$}{tail}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_filled_with_numbers() {
        let table = [
            ("tests/%02d", Some("tests/07")),
            ("tests/%d.in", Some("tests/7.in")),
            ("t/%03d.a", Some("t/007.a")),
            ("tests/07", None),
            ("%s", None),
            ("%999999999999d", None),
        ];
        for (pattern, expected) in table {
            assert_eq!(numbered(pattern, 7).as_deref(), expected, "{pattern}");
        }
    }
}
