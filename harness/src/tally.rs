//! Sums up the cases of one submission, in order, and compares them with its expectation.

use crate::decide;
use crate::event::{Build, CaseResult, FAILURES_KEPT, SubmissionReport, with_case};
use crate::expectation::{Expectation, Rule};
use crate::notice::Notice;
use crate::sandbox::Limits;
use crate::scoring::ScoringOutcome;
use crate::show::words::ShownPoints;
use crate::submission::Submission;
use crate::verdict::Verdict;

/// The sum of a submission's cases so far.
#[derive(Debug)]
pub(crate) struct Tally<'a> {
    expected: &'a Expectation,
    report: SubmissionReport,
    /// One entry for each rule of the expectation.
    seen: Vec<RuleResults>,
    /// The first cases whose verdict every rule permits but which contradict the expected outcome.
    against: Vec<CaseResult>,
    allow_unchecked: bool,
    /// Whether the cases after the first failure were not judged.
    is_cut_short: bool,
}

/// The results of the cases that a rule covers.
#[derive(Debug, Default)]
struct RuleResults {
    /// Each verdict with the first case that got it.
    verdicts: Vec<(Verdict, String)>,
    /// A checker printed the message of the rule.
    message: bool,
}

impl RuleResults {
    fn add(&mut self, verdict: Verdict, case: &str) {
        if self.verdicts.iter().all(|(seen, _)| *seen != verdict) {
            self.verdicts.push((verdict, case.to_owned()));
        }
    }
}

impl<'a> Tally<'a> {
    /// A tally without cases. With `allow_unchecked`, a case without an answer counts as passed.
    pub(crate) fn new(
        submission: &'a Submission,
        cases: usize,
        limits: Limits,
        build: Build,
        allow_unchecked: bool,
    ) -> Self {
        let report = SubmissionReport {
            submission: submission.name.clone(),
            problem: submission.problem.clone(),
            language: submission.language.clone(),
            expected: submission.expected.label.clone(),
            must_fail: submission.expected.requires_rejection(),
            verdict: Verdict::Accepted,
            met: false,
            complaint: None,
            not_judged: None,
            score: None,
            cases,
            run: 0,
            accepted: 0,
            slowest: None,
            peak_memory: rejudge_quantity::Bytes(0),
            limits,
            build,
            failures: Vec::new(),
            failed: 0,
        };
        let rules = submission.expected.rules.iter();
        Self {
            expected: &submission.expected,
            report,
            seen: rules.map(|_| RuleResults::default()).collect(),
            against: Vec::new(),
            allow_unchecked,
            is_cut_short: false,
        }
    }

    /// Not all cases after the present one are judged, so nothing is required of those that were not.
    pub(crate) fn cut_short(&mut self) {
        self.is_cut_short = true;
    }

    /// Adds the next case.
    pub(crate) fn add(&mut self, result: &CaseResult) {
        if result.verdict == Verdict::Skipped {
            return;
        }
        let report = &mut self.report;
        report.run += 1;
        report.accepted += usize::from(result.verdict == Verdict::Accepted);
        report.verdict = with_case(report.verdict, result.verdict);
        if report.slowest.as_ref().is_none_or(|(_, cpu)| *cpu < result.usage.cpu()) {
            report.slowest = Some((result.case.clone(), result.usage.cpu()));
        }
        report.peak_memory = report.peak_memory.max(result.usage.peak_memory);
        if !result.permitted {
            report.failed += 1;
            if report.failures.len() < FAILURES_KEPT {
                report.failures.push(result.clone());
            }
        } else if self.expected.is_against(result.verdict) && self.against.len() < FAILURES_KEPT {
            self.against.push(result.clone());
        }
        for (index, (rule, seen)) in self.expected.rules.iter().zip(&mut self.seen).enumerate() {
            if rule.covers(&result.case) {
                seen.add(result.verdict, &result.case);
                seen.message |= result.messages.contains(&index);
            }
        }
    }

    /// Whether a verdict that is not permitted was added.
    pub(crate) fn has_failed(&self) -> bool {
        self.report.failed > 0
    }

    /// The report so far, if `result`, which was added last, is the first one with a verdict that is not permitted.
    pub(crate) fn failing(&self, result: &CaseResult) -> Option<SubmissionReport> {
        (!result.permitted && self.report.failed == 1)
            .then(|| SubmissionReport { complaint: self.complaint(), ..self.report.clone() })
    }

    /// Finishes with a verdict that applies before any case is run (a compile error).
    pub(crate) fn end_with(mut self, verdict: Verdict) -> SubmissionReport {
        self.report.verdict = verdict;
        let named = |rule: &Rule| rule.permitted.as_ref().is_some_and(|p| p.contains(&verdict));
        let rules = &self.expected.rules;
        if !rules.iter().any(named) && !self.expected.outcome.contains(&verdict) {
            let wanted = rules.first().map_or(&[][..], |rule| self.wanted(rule));
            self.report.complaint = Some(match wanted {
                [] => format!("got {verdict}"),
                wanted => format!("got {verdict}, expected {}", codes(wanted)),
            });
            return self.report;
        }
        for seen in &mut self.seen {
            seen.add(verdict, "");
        }
        self.finish()
    }

    /// Finishes a submission that could not be judged.
    pub(crate) fn not_judged(mut self, why: Notice) -> SubmissionReport {
        self.report.verdict = Verdict::JudgeError;
        self.report.not_judged = Some(why);
        self.report
    }

    /// Finishes, and checks the expectation.
    pub(crate) fn finish(self) -> SubmissionReport {
        self.finish_scored(ScoringOutcome::default())
    }

    /// Finishes with the score and verdict of all cases together.
    pub(crate) fn finish_scored(mut self, outcome: ScoringOutcome) -> SubmissionReport {
        if let Some(fault) = outcome.fault {
            self.report.verdict = Verdict::JudgeError;
            self.report.complaint = Some(format!("cannot compute the score: {fault}"));
            return self.report;
        }
        self.report.verdict = decide::with_grader(self.report.verdict, outcome.verdict);
        self.report.score = outcome.score;
        self.report.complaint = self.complaint();
        self.report.met = self.report.complaint.is_none();
        if !self.report.met && self.report.failures.is_empty() {
            self.report.failed = self.against.len();
            self.report.failures = self.against;
        }
        self.report
    }

    fn complaint(&self) -> Option<String> {
        let rules = || self.expected.rules.iter().zip(&self.seen);
        rules()
            .find_map(|(rule, seen)| self.not_permitted(rule, seen))
            .or_else(|| rules().find_map(|(rule, seen)| self.missing(rule, seen)))
            .or_else(|| {
                let (verdict, outcome) = (self.report.verdict, &self.expected.outcome);
                (!outcome.is_empty() && !outcome.contains(&verdict))
                    .then(|| format!("got {verdict}, expected {}", codes(outcome)))
            })
            .or_else(|| self.scores())
    }

    /// A complaint about the score, if it is not as expected.
    fn scores(&self) -> Option<String> {
        let score = self.report.score.as_ref();
        if let Some(score) = score
            && self.expected.partial
            && score.max.is_some_and(|max| same(score.score, max))
        {
            return Some(format!("got all {} points, expected fewer", ShownPoints(score.score)));
        }
        self.expected.rules.iter().find_map(|rule| {
            let (least, greatest) = rule.score?;
            let Some(score) = score else {
                return Some(with_origin("got no score".to_owned(), rule));
            };
            let fits = |score: f64| {
                (least..=greatest).contains(&score) || same(score, least) || same(score, greatest)
            };
            let expected = if same(least, greatest) {
                ShownPoints(least).to_string()
            } else {
                format!("{} to {}", ShownPoints(least), ShownPoints(greatest))
            };
            let Some(glob) = &rule.cases else {
                let complaint =
                    format!("got {} points, expected {expected}", ShownPoints(score.score));
                return (!fits(score.score)).then(|| with_origin(complaint, rule));
            };
            let mut groups = score.groups.iter().filter(|g| glob.covers(&g.group)).peekable();
            if groups.peek().is_none() {
                let complaint = format!("no group matches `{}`, so it has no score", glob.text());
                return Some(with_origin(complaint, rule));
            }
            let bad = groups.find(|group| !fits(group.score))?;
            let complaint = format!(
                "got {} points in `{}`, expected {expected}",
                ShownPoints(bad.score),
                bad.group
            );
            Some(with_origin(complaint, rule))
        })
    }

    /// A complaint about a verdict that the rule does not permit.
    fn not_permitted(&self, rule: &Rule, seen: &RuleResults) -> Option<String> {
        let verdict = self.report.verdict;
        let good =
            |seen: Verdict| rule.permits(seen) || (self.allow_unchecked && seen == Verdict::Ran);
        let (bad, case) = seen.verdicts.iter().find(|(seen, _)| !good(*seen))?;
        let permitted = || codes(rule.permitted.as_deref().unwrap_or_default());
        Some(match &rule.cases {
            Some(_) => {
                with_origin(format!("got {bad} on `{case}`: only {} is allowed", permitted()), rule)
            }
            None if *bad == verdict => {
                with_origin(format!("got {bad}, expected {}", codes(self.wanted(rule))), rule)
            }
            None => {
                with_origin(format!("got {bad} on a case: only {} is allowed", permitted()), rule)
            }
        })
    }

    /// A complaint about a verdict or message that the rule requires and no case had.
    fn missing(&self, rule: &Rule, seen: &RuleResults) -> Option<String> {
        let verdicts: Vec<Verdict> = seen.verdicts.iter().map(|(verdict, _)| *verdict).collect();
        let unchecked = self.allow_unchecked && verdicts == [Verdict::Ran];
        let required = &rule.required;
        let is_unseen = rule.cases.is_some() && self.is_cut_short;
        let is_left_out = verdicts.is_empty() && (rule.if_judged || is_unseen);
        if !unchecked
            && !is_left_out
            && !required.is_empty()
            && !verdicts.iter().any(|verdict| required.contains(verdict))
        {
            let required = codes(required);
            let complaint = match &rule.cases {
                None => format!("got {}, expected {required}", self.report.verdict),
                Some(glob) if verdicts.is_empty() => {
                    format!("no case matching `{}` was judged, expected {required}", glob.text())
                }
                Some(glob) => format!(
                    "got only {} on the cases matching `{}`, expected {required} on at least one",
                    list(&verdicts),
                    glob.text()
                ),
            };
            return Some(with_origin(complaint, rule));
        }
        let message = rule.message.as_ref().filter(|_| !seen.message)?;
        let complaint =
            format!("the checker printed `{}` on no case", crate::notice::visible(message));
        Some(with_origin(complaint, rule))
    }

    fn wanted<'b>(&'b self, rule: &'b Rule) -> &'b [Verdict] {
        let outcome = self.expected.outcome.as_slice();
        match (outcome, rule.required.as_slice()) {
            ([], []) => rule.permitted.as_deref().unwrap_or_default(),
            ([], required) => required,
            (outcome, _) => outcome,
        }
    }
}

/// Whether two scores are the same. A tolerance is needed because sums of fractions are not exact.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// The complaint, followed by the place of its rule.
fn with_origin(complaint: String, rule: &Rule) -> String {
    match &rule.origin {
        None => complaint,
        Some(origin) => format!("{complaint} ({origin})"),
    }
}

/// `AC`, `AC and WA`.
fn list(verdicts: &[Verdict]) -> String {
    joined(verdicts, "and")
}

/// `AC`, `AC or WA`, `AC, WA or TLE`.
fn codes(verdicts: &[Verdict]) -> String {
    joined(verdicts, "or")
}

fn joined(verdicts: &[Verdict], word: &str) -> String {
    let Some((last, rest)) = verdicts.split_last() else {
        return String::from("nothing");
    };
    if rest.is_empty() {
        return last.code().to_owned();
    }
    let rest: Vec<_> = rest.iter().map(|verdict| verdict.code()).collect();
    format!("{} {word} {last}", rest.join(", "))
}

#[cfg(test)]
mod tests;
