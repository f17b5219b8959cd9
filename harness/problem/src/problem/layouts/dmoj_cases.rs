//! The cases of DMOJ: those that `init.yml` lists, in batches or not, and those whose files a pattern matches.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::dmoj_checkers::DmojChecker;
use super::dmoj_generators::{self, AskedCase, DmojGenerator, sum_of_code};
use super::dmoj_names::MatchedFiles;
use super::fields::Fields;
use super::points::Share;
use super::scene::{CaseFileNames, EMPTY, Gatherer, Scene, inside};
use super::{archive, case_texts, dmoj_checkers, dmoj_keys, dmoj_names};
use crate::checker_spec::CheckerSpec;
use crate::notice::{self, Code, Notices};
use crate::problem::yaml::{Node, Value};
use crate::problem::{GeneratedCase, LineEnds, LocalIncludes, TestCase};

/// What `init.yml` says about cases.
pub(super) struct DmojCases {
    /// The checker of cases that have none of their own.
    pub(super) checker: CheckerSpec,
    pub(super) cases: Vec<TestCase>,
    /// The points of batches and of cases outside batches; empty if the file gives no points.
    pub(super) shares: Vec<Share>,
    /// The cases that a generator makes.
    pub(super) generated: Vec<GeneratedCase>,
    /// How the programs of the package are compiled.
    pub(super) local: LocalIncludes,
}

/// Reads the cases of the file `table`.
pub(super) fn read(
    scene: &Scene<'_>,
    table: &Fields<'_>,
    mut local: LocalIncludes,
    notices: &mut Notices,
) -> Option<DmojCases> {
    let path = table.path();
    let mut reader = DmojReader {
        scene: *scene,
        path,
        gatherer: Gatherer::new(*scene),
        archive: None,
        shares: Vec::new(),
        generator: dmoj_generators::read(scene.root, path, table, &mut local, notices),
        local,
        whole: None,
        points: table.number("points", notices).unwrap_or(1.0),
        is_binary: table.flag("binary_data"),
        binary: BTreeSet::new(),
        batches: Vec::new(),
        code: None,
        generated: Vec::new(),
    };
    reader.open_archive(table, notices)?;
    reader.whole = reader.checker_in(table, notices);
    let checker = reader.checker_for(None, reader.points, table, notices);
    Some(DmojCases {
        checker: checker.unwrap_or_default(),
        cases: reader.cases(table, notices)?,
        shares: reader.shares,
        generated: reader.generated,
        local: reader.local,
    })
}

struct DmojReader<'a> {
    scene: Scene<'a>,
    path: &'a Path,
    gatherer: Gatherer<'a>,
    archive: Option<PathBuf>,
    /// The points of batches and of cases outside batches; empty if the file gives no points.
    shares: Vec<Share>,
    generator: Option<DmojGenerator>,
    /// See [`sum_of_code`].
    code: Option<String>,
    /// The cases that a generator makes.
    generated: Vec<GeneratedCase>,
    /// How the programs of the package are compiled.
    local: LocalIncludes,
    /// The checker of the whole problem.
    whole: Option<DmojChecker>,
    /// The points of a case that states none.
    points: f64,
    /// Whether cases that do not say it are binary.
    is_binary: bool,
    /// The names of cases whose files are given to programs as they are.
    binary: BTreeSet<String>,
    /// The names of the batches so far.
    batches: Vec<String>,
}

/// Where a list of cases is from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CaseList {
    /// `pretest_test_cases`: DMOJ judges them first and gives no points for them.
    Pretests,
    Tests,
}

impl DmojReader<'_> {
    fn open_archive(&mut self, table: &Fields<'_>, notices: &mut Notices) -> Option<()> {
        let Some(name) = table.text("archive", notices) else {
            return Some(());
        };
        let path = match inside(self.scene.root, &name) {
            Ok(path) => path,
            Err(why) => {
                table.fault(&format!("`archive: {name}` {why}"), notices);
                return None;
            }
        };
        if !path.is_file() {
            let shown = notices.show(&path);
            table.fault(&format!("`archive` names {shown}, which does not exist"), notices);
            return None;
        }
        match archive::unpack_as_is(&path) {
            Ok(folder) => {
                notice::call(&folder, &path);
                self.gatherer.also_in(folder.clone());
                self.archive = Some(folder);
                Some(())
            }
            Err(error) => {
                let shown = notices.show(&path);
                notices.error(error.notice(&shown));
                None
            }
        }
    }

    /// Reads the cases. The reader keeps their points, and the cases that a generator makes.
    fn cases(&mut self, table: &Fields<'_>, notices: &mut Notices) -> Option<Vec<TestCase>> {
        let faults = notices.errors.len();
        let pretests = table.list("pretest_test_cases", notices);
        self.listed((CaseList::Pretests, pretests), table, notices);
        match table.get("test_cases").map(|node| (&node.value, node)) {
            Some((Value::List(items), _)) => {
                self.listed((CaseList::Tests, items), table, notices);
            }
            Some((Value::Map(_), node)) => {
                let formats = Fields::of(self.path, node, notices)?;
                dmoj_keys::PATTERNS.name_unused(&formats, notices);
                self.matched(Some(&formats), table, notices);
            }
            None => self.matched(None, table, notices),
            Some(_) => {
                // Reports that it is not a list.
                table.list("test_cases", notices);
            }
        }
        if notices.errors.len() > faults {
            return None;
        }
        let help = "correct `test_cases` in init.yml, or add the files to the archive";
        let gatherer = std::mem::replace(&mut self.gatherer, Gatherer::new(self.scene));
        let mut cases = gatherer.finish(help, notices);
        let archive = self.archive.as_deref();
        let text = cases.iter_mut().filter(|case| !self.binary.contains(case.name()));
        if let Err(error) = case_texts::normalise(LineEnds::Dmoj, text, archive) {
            let shown = notices.show(self.path);
            notices.error(error.notice(&shown));
            return None;
        }
        Some(cases)
    }

    /// Reads a list of cases and batches.
    fn listed(
        &mut self,
        (list, items): (CaseList, &[Node]),
        table: &Fields<'_>,
        notices: &mut Notices,
    ) {
        let mut given = table.has("points");
        let first = self.shares.len();
        for (item, place) in items.iter().zip(1..) {
            let item = dmoj_keys::inheriting(item, &dmoj_keys::OF_FILE, table);
            let Some(entry) = Fields::of(self.path, &item, notices) else {
                continue;
            };
            let name = match list {
                CaseList::Pretests => format!("pretest-{place}"),
                CaseList::Tests => format!("{place}"),
            };
            let points = entry.number("points", notices);
            given |= points.is_some() || entry.has("batched");
            if entry.has("batched") {
                let share = self.batch(name, &entry, notices);
                self.shares.push(share);
                continue;
            }
            dmoj_keys::CASE.name_unused(&entry, notices);
            let points = match list {
                CaseList::Pretests => 0.0,
                CaseList::Tests => points.unwrap_or(self.points),
            };
            self.case((&format!("secret/{name}"), points), &entry, notices);
            self.shares.push(Share::whole(name, points));
        }
        if list == CaseList::Tests && !given {
            self.shares.truncate(first);
        }
    }

    /// Reads the cases of a batch.
    fn batch(&mut self, name: String, entry: &Fields<'_>, notices: &mut Notices) -> Share {
        dmoj_keys::BATCH.name_unused(entry, notices);
        let requires = self.dependencies(entry, notices);
        self.batches.push(name.clone());
        let above = (self.whole.clone(), self.generator.clone());
        if entry.has("checker") {
            self.whole = self.checker_in(entry, notices);
        }
        let root = self.scene.root;
        let own = dmoj_generators::read(root, self.path, entry, &mut self.local, notices);
        self.generator = own.or_else(|| self.generator.take());
        let mut all = Vec::new();
        for (inner, number) in entry.list("batched", notices).iter().zip(1..) {
            let inner = dmoj_keys::inheriting(inner, &dmoj_keys::OF_BATCH, entry);
            let Some(case) = Fields::of(self.path, &inner, notices) else {
                continue;
            };
            dmoj_keys::CASE.name_unused(&case, notices);
            let points = case.number("points", notices).unwrap_or(self.points);
            all.push(points);
            self.case((&format!("secret/{name}/{number}"), points), &case, notices);
        }
        (self.whole, self.generator) = above;
        let least = all.iter().copied().reduce(f64::min).unwrap_or(self.points);
        if all.iter().any(|points| *points > least) {
            let at = notices.show_at(self.path, entry.place());
            let message = format!(
                "the cases of batch {} have different points, of which a batch gives the fewest: {least}",
                self.batches.len()
            );
            notices.warn_help(Code::InvalidValue.at(&at, message), "give the points to the batch");
        }
        Share { requires, ..Share::whole(name, least) }
    }

    /// The names of the batches that a batch depends on. They must come before it.
    fn dependencies(&self, entry: &Fields<'_>, notices: &mut Notices) -> Vec<String> {
        let mut required = Vec::new();
        for node in entry.list("dependencies", notices) {
            #[expect(clippy::cast_precision_loss, reason = "a count of batches")]
            let name = (1..).zip(&self.batches).find_map(|(number, name): (usize, _)| {
                (node.value == Value::Number(number as f64)).then_some(name)
            });
            if let Some(name) = name {
                required.push(name.clone());
            } else {
                let at = notices.show_at(self.path, node.place);
                let batch = self.batches.len() + 1;
                notices.error(
                    Code::InvalidValue
                        .at(&at, format!("batch {batch} can only depend on batches before it")),
                );
            }
        }
        required
    }

    fn case(&mut self, (name, points): (&str, f64), entry: &Fields<'_>, notices: &mut Notices) {
        let (input, answer) = (entry.text("in", notices), entry.text("out", notices));
        let is_binary =
            if entry.has("binary_data") { entry.flag("binary_data") } else { self.is_binary };
        if is_binary {
            self.binary.insert(name.to_owned());
        }
        if input.is_some() && entry.has("generator_args") {
            let fault = "a case has either `in` or `generator_args`, not both";
            return entry.fault(fault, notices);
        }
        let own = entry.has("checker").then(|| self.checker_in(entry, notices));
        let checker = self.checker_for(own.flatten().as_ref(), points, entry, notices);
        self.gatherer.checked_by(checker);
        let root = self.scene.root;
        let own = dmoj_generators::read(root, self.path, entry, &mut self.local, notices);
        let generator = own.or_else(|| self.generator.clone());
        let has = [input.is_some(), answer.is_some()];
        if let Some(generator) = generator.filter(|_| has != [true, true]) {
            let stated = entry.text("generator_in", notices);
            let reads = stated.as_deref().and_then(|name| self.gatherer.path_of(name));
            if let Some(stated) = stated.filter(|_| reads.is_none()) {
                let fault = format!("`generator_in: {stated}`: the package has no such file");
                return entry.fault(&fault, notices);
            }
            let root = self.scene.root;
            let asked = AskedCase {
                name,
                reads,
                has,
                is_binary,
                code: self.code.get_or_insert_with(|| sum_of_code(root)),
            };
            let case = generator.case(asked, entry);
            let names = (input.unwrap_or_default(), answer.unwrap_or_default());
            self.gatherer.add_generated(&case, (&names.0, &names.1));
            return self.generated.push(case);
        }
        // A case without a file has no input, or an empty answer.
        let named = CaseFileNames {
            name,
            input: input.as_deref().unwrap_or(EMPTY),
            answer: Some(answer.as_deref().unwrap_or(EMPTY)),
        };
        self.gatherer.add(&named, notices);
    }

    /// Reads `test_cases` as patterns for the names in the archive; without patterns the defaults
    /// apply.
    fn matched(&mut self, formats: Option<&Fields<'_>>, table: &Fields<'_>, notices: &mut Notices) {
        let Some(folder) = &self.archive else {
            table.fault("without `archive`, `test_cases` must be a list of cases", notices);
            return;
        };
        let mut pattern = |key| formats.and_then(|formats| formats.text(key, notices));
        let (input, output) = (pattern("input_format"), pattern("output_format"));
        match dmoj_names::pair(folder, input.as_deref(), output.as_deref()) {
            Err(why) => table.fault(&why.to_string(), notices),
            Ok(pairs) => {
                let shares = matched_shares(&pairs, formats, table, notices);
                self.shares.extend(shares);
                for pair in &pairs {
                    let group = pair.name.split('/').next();
                    let share = self.shares.iter().find(|share| Some(&*share.name) == group);
                    let points = share.map_or(self.points, |share| share.points);
                    let checker = self.checker_for(None, points, table, notices);
                    self.gatherer.checked_by(checker);
                    let named = CaseFileNames {
                        name: &format!("secret/{}", pair.name),
                        input: &pair.input,
                        answer: pair.output.as_deref(),
                    };
                    if self.is_binary {
                        self.binary.insert(named.name.to_owned());
                    }
                    self.gatherer.add(&named, notices);
                }
            }
        }
    }

    /// `checker`: a name, or a table with `name` and `args`. `None`: it is reported.
    fn checker_in(&mut self, table: &Fields<'_>, notices: &mut Notices) -> Option<DmojChecker> {
        let root = self.scene.root;
        match dmoj_checkers::read(root, self.path, table, &mut self.local, notices) {
            Ok(checker) => Some(checker),
            Err(why) => {
                self.scene.options.unless_checked(notices, |notices| {
                    dmoj_checkers::refuse(why, table, "checker", notices);
                });
                None
            }
        }
    }

    /// The checker of a case with these points: its own, or that of the whole problem.
    fn checker_for(
        &self,
        own: Option<&DmojChecker>,
        points: f64,
        table: &Fields<'_>,
        notices: &mut Notices,
    ) -> Option<CheckerSpec> {
        match own.or(self.whole.as_ref())?.for_points(points) {
            Ok(spec) => Some(spec),
            Err(why) => {
                dmoj_checkers::refuse(why, table, "checker", notices);
                None
            }
        }
    }
}

/// The points of the cases and batches that patterns matched: from `case_points` in order,
/// otherwise `points` each.
fn matched_shares(
    pairs: &[MatchedFiles],
    formats: Option<&Fields<'_>>,
    table: &Fields<'_>,
    notices: &mut Notices,
) -> Vec<Share> {
    let listed = formats.map_or(&[][..], |formats| formats.list("case_points", notices));
    let each = table.number("points", notices);
    if listed.is_empty() && each.is_none() && pairs.iter().all(|pair| !pair.name.contains('/')) {
        return Vec::new();
    }
    let mut shares: Vec<Share> = Vec::new();
    for pair in pairs {
        let name = pair.name.split('/').next().unwrap_or(&pair.name);
        if shares.last().is_none_or(|share| share.name != name) {
            let points = match listed.get(shares.len()).map(|node| &node.value) {
                Some(Value::Number(points)) => *points,
                _ => each.unwrap_or(1.0),
            };
            shares.push(Share::whole(name, points));
        }
    }
    shares
}
