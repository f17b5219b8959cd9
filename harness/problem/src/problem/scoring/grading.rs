//! Legacy: builds a tree of groups and graders from `testdata.yaml` files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::ScoringSource;
use crate::notice::{Code, Notices, nearest};
use crate::problem::groups::Entries;
use crate::problem::yaml::{Node, Value, words};

/// How a legacy problem is graded.
#[derive(Debug, Clone, PartialEq)]
pub struct Grading {
    /// `data/`.
    pub root: GradedGroup,
    /// The source of the package's own grader, a file or a folder.
    pub grader: Option<PathBuf>,
    /// Whether a lower score is better.
    pub minimise: bool,
    /// Whether the problem gives scores.
    pub scoring: bool,
    /// Whether the output validator gives the scores of cases.
    pub score_files: ScoreFileRule,
    /// The judge whose rules combine the results.
    pub rules: GradingRules,
    /// The number of cases.
    pub cases: usize,
}

/// The judge whose rules combine the results of a legacy package.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GradingRules {
    /// The format's, as problemtools has them.
    #[default]
    Format,
    /// `DOMjudge`'s: only folders with settings are groups, they inherit nothing, `accept_score` is the score of a group
    /// in which every case is accepted, and a rejected group keeps its score.
    Domjudge,
}

impl Grading {
    /// The group of the cases directly in `folder`.
    pub fn group_of(&self, folder: &str) -> &GradedGroup {
        let mut group = &self.root;
        while let Some(inner) = group.group_around(folder) {
            group = inner;
        }
        group
    }
}

impl GradedGroup {
    /// The child group that is `folder`, or contains it.
    pub fn group_around(&self, folder: &str) -> Option<&GradedGroup> {
        self.groups.iter().find(|inner| {
            let rest = folder.strip_prefix(inner.name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

/// One folder of cases.
#[derive(Debug, Clone, PartialEq)]
pub struct GradedGroup {
    /// The path below `data/`; empty for `data/` itself.
    pub name: String,
    /// Whether results after the first that is not accepted are ignored (`on_reject: break`).
    pub breaks: bool,
    /// How the results of its cases and groups become one.
    pub grader: Grader,
    /// The score of an accepted case for which the validator gives no score.
    pub accept_score: f64,
    /// The score of a case that is not accepted.
    pub reject_score: f64,
    /// The lowest and the highest score.
    pub range: (f64, f64),
    /// The child groups, by name.
    pub groups: Vec<GradedGroup>,
}

/// How the results of a group become one result.
#[derive(Debug, Clone, PartialEq)]
pub enum Grader {
    /// The default grader.
    Default(DefaultGrader),
    /// The package's own grader, with these arguments.
    Custom(Vec<String>),
}

/// The default grader's flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DefaultGrader {
    /// How the verdict is found.
    pub verdict: VerdictMode,
    /// How the scores are combined.
    pub score: ScoreMode,
    /// Whether the first group, that of the samples, does not count.
    pub ignore_sample: bool,
    /// Whether one accepted result is enough.
    pub accept_if_any_accepted: bool,
}

/// How the default grader finds the verdict of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VerdictMode {
    /// The most severe verdict that is not accepted.
    #[default]
    WorstError,
    /// The first verdict that is not accepted.
    FirstError,
    /// Accepted, whatever the results are.
    AlwaysAccept,
}

/// How the default grader combines scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScoreMode {
    /// Their sum.
    #[default]
    Sum,
    /// Their mean.
    Average,
    /// The lowest.
    Min,
    /// The highest.
    Max,
}

/// Whether the output validator writes `score.txt` about outputs that it accepts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ScoreFileRule {
    /// It must not.
    #[default]
    Never,
    /// It may.
    Maybe,
    /// It must: `validation: custom score`.
    Always,
}

/// What `problem.yaml` and the package's folders set about scores.
#[derive(Debug, Clone, Default)]
pub(in crate::problem) struct GradingSettings {
    pub(in crate::problem) scoring: bool,
    pub(in crate::problem) minimise: bool,
    pub(in crate::problem) score_files: ScoreFileRule,
    pub(in crate::problem) rules: GradingRules,
    pub(in crate::problem) grader: Option<PathBuf>,
}

/// A folder's settings as read, inherited key by key.
#[derive(Clone)]
struct GradingKeys {
    breaks: bool,
    custom: bool,
    flags: Vec<String>,
    accept_score: f64,
    reject_score: f64,
    range: (f64, f64),
}

/// Reads the tree of groups.
pub(super) fn read(
    source: &ScoringSource<'_>,
    wanted: GradingSettings,
    notices: &mut Notices,
) -> Grading {
    let mut folders: BTreeSet<&str> = BTreeSet::new();
    for case in source.cases {
        let mut folder = case.group();
        while !folder.is_empty() && folders.insert(folder) {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        }
    }
    if wanted.rules == GradingRules::Domjudge {
        folders.retain(|folder| source.entries.contains_key(*folder));
    }
    let config = GradingKeys {
        breaks: true,
        custom: false,
        flags: Vec::new(),
        accept_score: match wanted.rules {
            GradingRules::Format => 1.0,
            GradingRules::Domjudge => 0.0,
        },
        reject_score: 0.0,
        range: (f64::NEG_INFINITY, f64::INFINITY),
    };
    let has_grader = wanted.grader.is_some();
    let inherits = wanted.rules == GradingRules::Format;
    let unset = (!inherits).then(|| config.clone());
    let mut reader = GradingReader { source, folders, has_grader, unset, notices };
    Grading {
        root: reader.group("", &config),
        grader: wanted.grader,
        minimise: wanted.minimise,
        scoring: wanted.scoring,
        score_files: wanted.score_files,
        rules: wanted.rules,
        cases: source.cases.len(),
    }
}

struct GradingReader<'a, 'b> {
    source: &'a ScoringSource<'b>,
    folders: BTreeSet<&'a str>,
    has_grader: bool,
    /// The settings of every group before its own, where groups inherit nothing.
    unset: Option<GradingKeys>,
    notices: &'a mut Notices,
}

impl GradingReader<'_, '_> {
    fn fault(&mut self, entries: &Entries, node: &Node, message: &str) {
        let at = self.notices.show_at(&entries.path, node.place);
        self.notices.error(Code::InvalidValue.at(&at, message));
    }

    fn group(&mut self, name: &str, above: &GradingKeys) -> GradedGroup {
        let mut config = self.unset.as_ref().unwrap_or(above).clone();
        let source = self.source;
        let entries = source.entries.get(name);
        if let Some(entries) = entries {
            self.overlay(entries, &mut config);
        }
        let grader = self.grader(name, entries, &config);
        if name.is_empty() {
            self.warn_of_inheritance(entries, &config);
        }
        // `ignore_sample` is about `sample` and `secret`, so only the root's grader may have it.
        let mut inherited = config.clone();
        inherited.flags.retain(|flag| flag != "ignore_sample");
        let below: Vec<String> = self
            .folders
            .iter()
            .filter(|folder| folder.rsplit_once('/').map_or("", |(above, _)| above) == name)
            .map(|folder| (*folder).to_owned())
            .collect();
        GradedGroup {
            name: name.to_owned(),
            breaks: config.breaks,
            grader,
            accept_score: config.accept_score,
            reject_score: config.reject_score,
            range: config.range,
            groups: below.iter().map(|folder| self.group(folder, &inherited)).collect(),
        }
    }

    /// Warns if the secret groups inherit `ignore_sample`. problemtools then counts the second of two results only, and
    /// rejects more than two.
    fn warn_of_inheritance(&mut self, entries: Option<&Entries>, config: &GradingKeys) {
        let secret = self.source.entries.get("secret");
        let sets = |key| secret.is_some_and(|entries| entries.get(key).is_some());
        let is_inherited = config.flags.iter().any(|flag| flag == "ignore_sample")
            && !sets("grader_flags")
            && !sets("grading")
            && self.folders.contains("secret")
            && self.unset.is_none();
        if is_inherited && let Some((_, node)) = entries.and_then(|one| one.get("grader_flags")) {
            let path = self.source.root.join("secret/testdata.yaml");
            let (at, shown) = (
                self.notices.show_at(&self.source.root.join("testdata.yaml"), node.place),
                self.notices.show(&path),
            );
            let what = "`data/secret` inherits `ignore_sample`, with which problemtools ignores the first result in there, or rejects all";
            self.notices.warn_help(
                Code::InvalidValue.at(&at, what),
                format!(
                    "write `grader_flags` of its own to {shown}, for example `grader_flags: sum`"
                ),
            );
        }
    }

    fn overlay(&mut self, entries: &Entries, config: &mut GradingKeys) {
        for (key, node) in &entries.keys {
            let text = match &node.value {
                Value::Text(text) => Some(text.as_str()),
                _ => None,
            };
            match (key.name.as_str(), text) {
                ("on_reject", Some("break")) => config.breaks = true,
                ("on_reject", Some("continue")) => config.breaks = false,
                ("on_reject", _) => self.must(entries, node, "on_reject", "`break` or `continue`"),
                ("grading", Some("default")) => config.custom = false,
                ("grading", Some("custom")) => config.custom = true,
                ("grading", _) => self.must(entries, node, "grading", "`default` or `custom`"),
                ("grader_flags", _) => match words(node) {
                    Ok(flags) => config.flags = flags,
                    Err(_) => self.must(entries, node, "grader_flags", "a text"),
                },
                (name @ ("accept_score" | "reject_score"), _) => match number(node) {
                    Some(score) if name == "accept_score" => config.accept_score = score,
                    Some(score) => config.reject_score = score,
                    None => self.must(entries, node, name, "a number"),
                },
                ("range", _) => match range(node) {
                    Some(range) => config.range = range,
                    None => self.must(entries, node, "range", "the lowest and the highest score"),
                },
                _ => {}
            }
        }
    }

    fn must(&mut self, entries: &Entries, node: &Node, key: &str, what: &str) {
        let got = node.value.kind();
        self.fault(entries, node, &format!("`{key}` must be {what}, got {got}"));
    }

    fn grader(&mut self, name: &str, entries: Option<&Entries>, config: &GradingKeys) -> Grader {
        if config.custom {
            if !self.has_grader
                && let Some((entries, node)) =
                    entries.and_then(|entries| Some((entries, entries.get("grading")?.1)))
            {
                let at = self.notices.show_at(&entries.path, node.place);
                self.notices.error_help(
                    Code::MissingSource.at(&at, "`grading: custom`, but the package has no grader"),
                    "add its source to `graders/`",
                );
            }
            return Grader::Custom(config.flags.clone());
        }
        let mut grader = DefaultGrader::default();
        for flag in &config.flags {
            match flag.as_str() {
                "worst_error" | "no_errors" => grader.verdict = VerdictMode::WorstError,
                "first_error" => grader.verdict = VerdictMode::FirstError,
                "always_accept" => grader.verdict = VerdictMode::AlwaysAccept,
                "sum" => grader.score = ScoreMode::Sum,
                "avg" => grader.score = ScoreMode::Average,
                "min" => grader.score = ScoreMode::Min,
                "max" => grader.score = ScoreMode::Max,
                "ignore_sample" if name.is_empty() => grader.ignore_sample = true,
                "accept_if_any_accepted" => grader.accept_if_any_accepted = true,
                _ => self.unknown_flag(entries, flag),
            }
        }
        Grader::Default(grader)
    }

    /// Reports an unknown flag where it is written, not where it is inherited.
    fn unknown_flag(&mut self, entries: Option<&Entries>, flag: &str) {
        const KNOWN: [&str; 10] = [
            "worst_error",
            "no_errors",
            "first_error",
            "always_accept",
            "sum",
            "avg",
            "min",
            "max",
            "ignore_sample",
            "accept_if_any_accepted",
        ];
        let Some((entries, (_, node))) =
            entries.and_then(|entries| Some((entries, entries.get("grader_flags")?)))
        else {
            return;
        };
        let at = self.notices.show_at(&entries.path, node.place);
        if flag == "ignore_sample" {
            self.notices.error_help(
                Code::InvalidValue.at(&at, "`ignore_sample` is valid only in `data/testdata.yaml`"),
                "move it there",
            );
            return;
        }
        let message = format!("unknown flag `{}`", crate::notice::visible(flag));
        match nearest(flag, KNOWN) {
            Some(near) => self
                .notices
                .error_help(Code::InvalidValue.at(&at, message), format!("did you mean `{near}`?")),
            None => self.notices.error_help(
                Code::InvalidValue.at(&at, message),
                format!("the default grader knows `{}`", KNOWN.join("`, `")),
            ),
        }
    }
}

fn number(node: &Node) -> Option<f64> {
    match &node.value {
        Value::Number(number) if number.is_finite() => Some(*number),
        Value::Text(text) => text.parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

/// A range as text: `0 100`, `-inf +inf`.
fn range(node: &Node) -> Option<(f64, f64)> {
    let words = words(node).ok()?;
    let [least, greatest] = words.as_slice() else {
        return None;
    };
    let range = (least.parse().ok()?, greatest.parse().ok()?);
    (range.0 <= range.1).then_some(range)
}
