//! The verdicts that are expected of a submission: rules about its cases, and the verdict of the whole.

use crate::verdict::Verdict;

pub mod glob;
mod rule;
pub mod tags;
mod verdict_folder;
mod words;

pub use rule::{Bound, Rule, with_kin};
pub use verdict_folder::VerdictFolder;
pub use words::{Meaning, Vocabulary};

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
    /// By verdict folders, of which one must hold.
    Folders(Vec<VerdictFolder>),
    /// By `@EXPECTED_RESULTS@` in the source.
    Source,
    /// By `submissions.yaml`.
    Metadata,
}

impl Expectation {
    /// The expectation of a solution that is not in a verdict folder.
    #[must_use]
    pub fn accepted() -> Self {
        Self::of(VerdictFolder::Accepted)
    }

    /// The expectation that the folder states.
    #[must_use]
    pub fn of(folder: VerdictFolder) -> Self {
        Self::of_any(&[folder], &[])
    }

    /// The expectation of the folder called `name`; `None` if it is not a verdict folder.
    #[must_use]
    pub fn of_folder(name: &str) -> Option<Self> {
        VerdictFolder::of_any_name(name).map(Self::of)
    }

    /// The expectation that a word states.
    #[must_use]
    pub fn of_meaning(meaning: Meaning) -> Self {
        Self::of_any(meaning.any_of, meaning.also)
    }

    /// An expectation that holds if the expectation of any of these folders holds. The verdicts of the folders in `also`
    /// are permitted too. Without folders, any verdict is expected.
    #[must_use]
    pub fn of_any(folders: &[VerdictFolder], also: &[VerdictFolder]) -> Self {
        if folders.is_empty() {
            return Self::bare("any verdict");
        }
        let ordered = |some: &'_ [VerdictFolder]| -> Vec<VerdictFolder> {
            VerdictFolder::ALL.into_iter().filter(|folder| some.contains(folder)).collect()
        };
        let (main, also) = (ordered(folders), ordered(also));
        let permitted = main.iter().chain(&also).flat_map(|folder| folder.permitted());
        let required = main.iter().flat_map(|folder| folder.required());
        let names: Vec<&str> = main.iter().map(|folder| folder.name()).collect();
        Self {
            rules: vec![Rule {
                permitted: Some(permitted.copied().collect()),
                required: required.copied().collect(),
                ..Rule::default()
            }],
            origin: ExpectationOrigin::Folders(main.clone()),
            ..Self::bare(&names.join(" or "))
        }
    }

    /// The same expectation under the legacy format, where the verdict of the submission decides, and not that of each
    /// case. The format's text permits more than its tools: a submission that is too slow on some case may be wrong on
    /// an earlier one, and one that crashes on some case may be anything on others. Output without end is too slow.
    #[must_use]
    pub fn under_legacy(mut self) -> Self {
        use Verdict::{Accepted as AC, OutputLimit as OLE, TimeLimit as TLE, WrongAnswer as WA};
        let (outcome, required): (&[Verdict], &[Verdict]) = match self.folder() {
            Some(VerdictFolder::SlowAccepted) => (&[AC, TLE], &[]),
            Some(VerdictFolder::WrongAnswer) => (&[WA], &[]),
            Some(VerdictFolder::TimeLimit) => (&[TLE, OLE, WA], &[TLE, OLE]),
            Some(VerdictFolder::MemoryLimit) => (&[Verdict::MemoryLimit], &[]),
            Some(VerdictFolder::OutputLimit) => (&[OLE], &[]),
            Some(VerdictFolder::RunTimeError) => {
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
    pub fn folder(&self) -> Option<VerdictFolder> {
        match &self.origin {
            ExpectationOrigin::Folders(folders) => match folders.as_slice() {
                [folder] => Some(*folder),
                _ => None,
            },
            ExpectationOrigin::Source | ExpectationOrigin::Metadata => None,
        }
    }

    /// The verdict folder that states the same: it stands for all folders that state it, or has the only rule that
    /// `submissions.yaml` states. `None`: there is none.
    #[must_use]
    pub fn one_folder(&self) -> Option<VerdictFolder> {
        use VerdictFolder::{
            Accepted, BruteForce, MemoryLimit, Rejected, RunTimeError, SlowAccepted, TimeLimit,
            WrongAnswer,
        };
        let folders = match &self.origin {
            ExpectationOrigin::Folders(folders) => folders,
            ExpectationOrigin::Metadata => return self.folder_with_rule(),
            ExpectationOrigin::Source => return None,
        };
        let within = |all: &[VerdictFolder]| folders.iter().all(|folder| all.contains(folder));
        match folders.as_slice() {
            [folder] => Some(*folder),
            [_, _] if within(&[Accepted, TimeLimit]) => Some(SlowAccepted),
            // MLE satisfies an expected RTE.
            _ if folders.contains(&TimeLimit)
                && within(&[TimeLimit, RunTimeError, MemoryLimit]) =>
            {
                Some(BruteForce)
            }
            _ if within(&[WrongAnswer, TimeLimit, RunTimeError]) => Some(Rejected),
            _ => None,
        }
    }

    /// The verdict folder whose rule is the only one of this expectation.
    fn folder_with_rule(&self) -> Option<VerdictFolder> {
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
        VerdictFolder::ALL.into_iter().find(|folder| {
            let (own, required) = (folder.permitted(), folder.required());
            // Where nothing but AC is permitted, it need not be required.
            let is_implied = rule.required.is_empty() && own == required;
            are(permitted, own) && (is_implied || are(&rule.required, required))
        })
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
        if self.folder() == Some(VerdictFolder::PartiallyAccepted) {
            self.outcome = vec![Verdict::Accepted];
        }
        self
    }

    /// The same expectation for scoring problems, in which `partially_accepted` means a score below
    /// the maximum.
    #[must_use]
    pub fn of_scores(mut self) -> Self {
        if self.folder() == Some(VerdictFolder::PartiallyAccepted) {
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
}
