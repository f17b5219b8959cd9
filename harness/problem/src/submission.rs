//! A source, its language, and the verdicts expected of it.

use std::path::PathBuf;

use crate::verdict::Verdict;

mod by_problem;
pub mod comments;
mod file_names;
pub mod glob;
mod rule;

pub use by_problem::SubmissionsByProblem;
pub use file_names::FileNames;
pub use rule::with_kin;
pub use rule::{Bound, Rule};

/// The language id of submissions that are answers instead of programs.
pub const ANSWERS: &str = "answers";

/// A solution to be judged.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The source file, or the folder of the source files.
    pub path: PathBuf,
    /// The path as shown: relative to the repository, with `/`.
    pub name: String,
    /// The id of the problem it solves.
    pub problem: String,
    /// The id of its language in the table of languages.
    pub language: String,
    /// The entry point, if it is given: a file of the folder, or a class.
    pub entrypoint: Option<String>,
    /// The expectation, from its folder or from its own text.
    pub expected: Expectation,
    /// The files that it uses instead of standard input and output.
    pub files: FileNames,
}

impl Submission {
    /// Whether it consists of answers and is not a program.
    #[must_use]
    pub fn is_answers(&self) -> bool {
        self.language == ANSWERS
    }
}

/// The verdicts that a submission may and must get.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// The human-readable name: `wrong_answer`, `accepted`, `@EXPECTED_RESULTS@: AC, WA`.
    pub label: String,
    /// Where it is stated.
    pub origin: ExpectationOrigin,
    /// The rules about its cases. All of them must hold.
    pub rules: Vec<Rule>,
    /// The verdict of the submission must be one of these; empty: any.
    pub outcome: Vec<Verdict>,
    /// Whether the score must be below the maximum, in a scoring problem.
    pub partial: bool,
    /// Whether a requirement of a rejection was dropped because only some of the cases are run.
    pub waived_rejection: bool,
}

/// Where the expectation of a submission is stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectationOrigin {
    /// By the names of verdict folders, of which one must hold.
    Folders(Vec<&'static str>),
    /// By `@EXPECTED_RESULTS@` in the source.
    Source,
    /// By `submissions.yaml`.
    Metadata,
}

/// The ICPC folders of submissions, with the verdicts that each permits and requires.
const FOLDERS: [(&str, &[Verdict], &[Verdict]); 11] = {
    use Verdict::{
        Accepted as AC, CompileError as CE, MemoryLimit as MLE, OutputLimit as OLE,
        RunTimeError as RTE, TimeLimit as TLE, WrongAnswer as WA,
    };
    [
        ("accepted", &[AC], &[AC]),
        ("slow_accepted", &[AC, TLE], &[AC, TLE]),
        ("wrong_answer", &[AC, WA], &[WA]),
        ("time_limit_exceeded", &[AC, TLE], &[TLE]),
        ("run_time_error", &[AC, RTE, MLE, OLE], &[RTE, MLE, OLE]),
        ("memory_limit_exceeded", &[AC, MLE], &[MLE]),
        ("output_limit_exceeded", &[AC, OLE], &[OLE]),
        ("compile_error", &[CE], &[CE]),
        ("brute_force", &[AC, RTE, MLE, OLE, TLE], &[RTE, MLE, OLE, TLE]),
        ("rejected", &[AC, WA, RTE, MLE, OLE, TLE, CE], &[WA, RTE, MLE, OLE, TLE, CE]),
        ("partially_accepted", &[AC, WA, RTE, MLE, OLE, TLE], &[WA, RTE, MLE, OLE, TLE]),
    ]
};

/// Other names of the folders, as judges print the verdicts.
const SHORT: [(&str, &str); 8] = [
    ("ac", "accepted"),
    ("wa", "wrong_answer"),
    ("tle", "time_limit_exceeded"),
    ("rte", "run_time_error"),
    ("re", "run_time_error"),
    ("mle", "memory_limit_exceeded"),
    ("ole", "output_limit_exceeded"),
    ("ce", "compile_error"),
];

/// The names that the packages of `DOMjudge` and Kattis use.
const OTHER: [(&str, &str); 9] = [
    ("no_output", "wrong_answer"),
    ("presentation_error", "wrong_answer"),
    ("timelimit", "time_limit_exceeded"),
    ("run_time_exception", "run_time_error"),
    ("runtime_error", "run_time_error"),
    ("run_error", "run_time_error"),
    ("output_limit", "output_limit_exceeded"),
    ("compiler_error", "compile_error"),
    ("partial", "partially_accepted"),
];

impl Expectation {
    /// The expectation of a solution that is not in a verdict folder.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the table is constant")]
    pub fn accepted() -> Self {
        Self::of_folder("accepted").expect("`accepted` is in the table")
    }

    /// The expectation of the folder called `name`; `None` if it is not a verdict folder.
    #[must_use]
    pub fn of_folder(name: &str) -> Option<Self> {
        let other = || OTHER.iter().find(|(known, _)| *known == name).map(|(_, folder)| *folder);
        let name = Self::whole_name(name).or_else(other).unwrap_or(name);
        let (label, permitted, required) = FOLDERS.iter().find(|(folder, ..)| *folder == name)?;
        Some(Self {
            rules: vec![Rule {
                permitted: Some(permitted.to_vec()),
                required: required.to_vec(),
                ..Rule::default()
            }],
            origin: ExpectationOrigin::Folders(vec![label]),
            ..Self::bare(label)
        })
    }

    /// The name of the verdict folder whose short name this is.
    pub fn whole_name(short: &str) -> Option<&'static str> {
        let found = SHORT.iter().find(|(known, _)| *known == short);
        found.map(|(_, folder)| *folder)
    }

    /// The same expectation under the legacy format, where the verdict of the submission decides, and not that of each
    /// case. The format's text permits more than its tools: a submission that is too slow on some case may be wrong on
    /// an earlier one, and one that crashes on some case may be anything on others. Output without end is too slow.
    #[must_use]
    pub fn under_legacy(mut self) -> Self {
        use Verdict::{Accepted as AC, OutputLimit as OLE, TimeLimit as TLE, WrongAnswer as WA};
        let (outcome, required): (&[Verdict], &[Verdict]) = match self.folder() {
            Some("slow_accepted") => (&[AC, TLE], &[]),
            Some("wrong_answer") => (&[WA], &[]),
            Some("time_limit_exceeded") => (&[TLE, OLE, WA], &[TLE, OLE]),
            Some("memory_limit_exceeded") => (&[Verdict::MemoryLimit], &[]),
            Some("output_limit_exceeded") => (&[OLE], &[]),
            Some("run_time_error") => {
                for rule in &mut self.rules {
                    rule.permitted = None;
                }
                return self;
            }
            _ => return self,
        };
        self.outcome = outcome.to_vec();
        self.rules.clear();
        if !required.is_empty() {
            self.rules.push(Rule { required: required.to_vec(), ..Rule::default() });
        }
        self
    }

    /// The same expectation for problems in which only the verdict of the submission counts.
    #[must_use]
    pub fn of_outcome_only(mut self) -> Self {
        self.rules.clear();
        self
    }

    /// The verdict folder that states it, if it is one folder.
    #[must_use]
    pub fn folder(&self) -> Option<&'static str> {
        match &self.origin {
            ExpectationOrigin::Folders(folders) => match folders.as_slice() {
                [folder] => Some(folder),
                _ => None,
            },
            ExpectationOrigin::Source | ExpectationOrigin::Metadata => None,
        }
    }

    /// The verdict folder that states the same: it stands for all folders that state it, or has the only rule that
    /// `submissions.yaml` states. `None`: there is none.
    #[must_use]
    pub fn one_folder(&self) -> Option<&'static str> {
        let folders = match &self.origin {
            ExpectationOrigin::Folders(folders) => folders,
            ExpectationOrigin::Metadata => return self.folder_with_rule(),
            ExpectationOrigin::Source => return None,
        };
        let within = |all: &[&str]| folders.iter().all(|folder| all.contains(folder));
        match folders.as_slice() {
            [folder] => Some(folder),
            [_, _] if within(&["accepted", "time_limit_exceeded"]) => Some("slow_accepted"),
            // MLE satisfies an expected RTE.
            _ if folders.contains(&"time_limit_exceeded")
                && within(&["time_limit_exceeded", "run_time_error", "memory_limit_exceeded"]) =>
            {
                Some("brute_force")
            }
            _ if within(&["wrong_answer", "time_limit_exceeded", "run_time_error"]) => {
                Some("rejected")
            }
            _ => None,
        }
    }

    /// The verdict folder whose rule is the only one of this expectation.
    fn folder_with_rule(&self) -> Option<&'static str> {
        let [rule] = self.rules.as_slice() else {
            return None;
        };
        let permitted = rule.permitted.as_ref()?;
        let only = Rule {
            origin: rule.origin.clone(),
            permitted: Some(permitted.clone()),
            required: rule.required.clone(),
            ..Rule::default()
        };
        if *rule != only || !self.outcome.is_empty() || self.partial {
            return None;
        }
        let are = |found: &[Verdict], stated: &[Verdict]| {
            found.len() == stated.len() && stated.iter().all(|verdict| found.contains(verdict))
        };
        let mut all = FOLDERS.iter();
        let found = all.find(|(_, own, required)| {
            // Where nothing but AC is permitted, it need not be required.
            let is_implied = rule.required.is_empty() && own == required;
            are(permitted, own) && (is_implied || are(&rule.required, required))
        });
        found.map(|(folder, ..)| *folder)
    }

    /// An expectation without any rules, for `submissions.yaml` to fill.
    #[must_use]
    pub fn bare(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            origin: ExpectationOrigin::Metadata,
            rules: Vec::new(),
            outcome: Vec::new(),
            partial: false,
            waived_rejection: false,
        }
    }

    /// An expectation that holds if the expectation of any of these folders holds. Names that are
    /// not verdict folders are ignored.
    #[must_use]
    pub fn any_of(folders: &[&str]) -> Self {
        Self::any_of_and(folders, &[])
    }

    /// The same, if the verdicts of the folders in `also` are permitted too. Without folders, any verdict is expected.
    #[must_use]
    pub fn any_of_and(folders: &[&str], also: &[&str]) -> Self {
        if folders.is_empty() {
            return Self::bare("any verdict");
        }
        let known = |names: &'_ [&str]| -> Vec<_> {
            let all = FOLDERS.iter().filter(|(name, ..)| names.contains(name));
            all.collect()
        };
        let (main, also) = (known(folders), known(also));
        let labels: Vec<&str> = main.iter().map(|(name, ..)| *name).collect();
        let permitted = main.iter().chain(&also).flat_map(|(_, permitted, _)| permitted.iter());
        let required = main.iter().flat_map(|(.., required)| required.iter());
        Self {
            rules: vec![Rule {
                permitted: Some(permitted.copied().collect()),
                required: required.copied().collect(),
                ..Rule::default()
            }],
            origin: ExpectationOrigin::Folders(labels.clone()),
            ..Self::bare(&labels.join(" or "))
        }
    }

    /// The expectation of `@EXPECTED_RESULTS@` in a source: the submission's verdict is one of
    /// `results`, and every case is accepted or gets one of `results`. Without results, any verdict is expected.
    #[must_use]
    pub fn of_results(results: &[Verdict]) -> Self {
        if results.is_empty() {
            return Self::bare("any verdict");
        }
        let mut outcome: Vec<Verdict> = Vec::new();
        for verdict in results {
            for verdict in rule::with_kin(*verdict) {
                if !outcome.contains(&verdict) {
                    outcome.push(verdict);
                }
            }
        }
        let mut permitted = outcome.clone();
        if !permitted.contains(&Verdict::Accepted) {
            permitted.insert(0, Verdict::Accepted);
        }
        let codes: Vec<&str> = results.iter().map(|verdict| verdict.code()).collect();
        Self {
            rules: vec![Rule { permitted: Some(permitted), ..Rule::default() }],
            outcome,
            origin: ExpectationOrigin::Source,
            ..Self::bare(&format!("@EXPECTED_RESULTS@: {}", codes.join(", ")))
        }
    }

    /// Whether `case` may get this verdict.
    #[must_use]
    pub fn permits(&self, case: &str, verdict: Verdict) -> bool {
        let mut rules = self.rules.iter().filter(|rule| rule.covers(case));
        match verdict {
            Verdict::Skipped => true,
            Verdict::JudgeError => false,
            _ => rules.all(|rule| rule.permits(verdict)),
        }
    }

    /// Whether every case must be accepted.
    #[must_use]
    pub fn is_all_accepted(&self) -> bool {
        const ONLY: &[Verdict] = &[Verdict::Accepted];
        let of_all = |rule: &Rule| rule.cases.is_none() && rule.permitted.as_deref() == Some(ONLY);
        !self.partial && (self.outcome == ONLY || self.rules.iter().any(of_all))
    }

    /// Whether the submission must be rejected: a verdict other than AC, or less than the full score, is required, at
    /// least on all cases.
    #[must_use]
    pub fn requires_rejection(&self) -> bool {
        let rejects =
            |required: &[Verdict]| !required.is_empty() && !required.contains(&Verdict::Accepted);
        let of_rule = |rule: &Rule| rejects(&rule.required);
        self.waived_rejection
            || self.partial
            || rejects(&self.outcome)
            || self.rules.iter().any(of_rule)
    }

    /// Whether a case's verdict contradicts the verdict that the whole submission must get, even if
    /// no rule forbids it.
    #[must_use]
    pub fn is_against(&self, verdict: Verdict) -> bool {
        let bad = !matches!(verdict, Verdict::Accepted | Verdict::Skipped);
        bad && self.outcome == [Verdict::Accepted] && !self.partial
    }

    /// The same expectation for problems in which graders decide: the verdict of the submission,
    /// not of a case, must be one of those required.
    #[must_use]
    pub fn by_outcome(mut self) -> Self {
        let rules = std::mem::take(&mut self.rules);
        let required: Vec<Verdict> = rules.into_iter().flat_map(|rule| rule.required).collect();
        if !required.is_empty() {
            self.outcome = required;
        }
        if self.folder() == Some("partially_accepted") {
            self.outcome = vec![Verdict::Accepted];
        }
        self
    }

    /// The same expectation for scoring problems, in which `partially_accepted` means a score below
    /// the maximum.
    #[must_use]
    pub fn of_scores(mut self) -> Self {
        if self.folder() == Some("partially_accepted") {
            self.partial = true;
            self.rules.clear();
        }
        self
    }

    /// Whether any case may get this verdict.
    #[must_use]
    pub fn permits_somewhere(&self, verdict: Verdict) -> bool {
        let mut of_all = self.rules.iter().filter(|rule| rule.cases.is_none());
        of_all.all(|rule| rule.permits(verdict))
    }

    /// Drops the requirements and keeps the permitted verdicts, for a run on only some of the
    /// cases.
    pub fn waive(&mut self) {
        self.waived_rejection = self.requires_rejection();
        for rule in &mut self.rules {
            rule.required.clear();
            rule.message = None;
            rule.score = None;
        }
        self.outcome.clear();
        self.partial = false;
    }

    /// The names of the verdict folders.
    pub fn folders() -> impl Iterator<Item = &'static str> {
        FOLDERS.iter().map(|(name, ..)| *name)
    }
}
