//! The graders of the legacy format: each combines the results in its group.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Add;

use super::{RunGrader, ScoringOutcome};
use crate::event::{GroupScore, Score};
use crate::notice::{Code, Notice};
use crate::problem::scoring::{
    DefaultGrader, GradedGroup, Grader, Grading, GradingRules, ScoreFileRule, ScoreMode,
    VerdictMode,
};
use crate::problem::{Problem, TestCase};
use crate::verdict::Verdict;

/// A verdict and a score.
type Graded = (Verdict, f64);

/// A fault of the package's grader or of its ranges.
fn fault(message: impl Into<String>) -> Notice {
    Code::FailingProgram.says(message)
}

/// Combines all results. The error describes a fault of the package.
pub(super) fn grade(
    grading: &Grading,
    problem: &Problem,
    results: &[(Verdict, Option<f64>)],
    run: &mut RunGrader<'_>,
) -> Result<ScoringOutcome, Notice> {
    let cases = by_folder(problem);
    let mut grading_run = GradingRun { grading, problem, results, cases, run, groups: Vec::new() };
    let (verdict, score) = grading_run.group(&grading.root)?;
    let groups = grading_run.groups;
    let full = full_score(grading, problem, results);
    Ok(ScoringOutcome {
        verdict: Some(verdict),
        score: grading.scoring.then_some(Score { score, max: full, groups }),
        fault: None,
    })
}

/// The indices of the cases, by folder.
pub(super) fn by_folder(problem: &Problem) -> BTreeMap<&str, Vec<usize>> {
    let mut cases: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, case) in problem.cases.iter().enumerate() {
        cases.entry(case.group()).or_default().push(index);
    }
    cases
}

/// The best possible score, if it is known: from the root's range, otherwise by grading a run in
/// which every case is accepted.
fn full_score(
    grading: &Grading,
    problem: &Problem,
    results: &[(Verdict, Option<f64>)],
) -> Option<f64> {
    if !grading.scoring {
        return None;
    }
    let best = |group: &GradedGroup| {
        let (least, greatest) = group.range;
        Some(if grading.minimise { least } else { greatest }).filter(|score| score.is_finite())
    };
    let root = &grading.root;
    let secret = root.groups.iter().find(|group| group.name == "secret");
    let ignores_sample = matches!(&root.grader, Grader::Default(grader) if grader.ignore_sample);
    let stated = best(root).or_else(|| secret.filter(|_| ignores_sample).and_then(best));
    if stated.is_some() || grading.score_files == ScoreFileRule::Always {
        return stated;
    }
    let is_better = |(case, (verdict, score)): (&TestCase, &(Verdict, Option<f64>))| {
        let best = grading.group_of(case.group()).accept_score;
        let better =
            score.map_or(0.0, |score| if grading.minimise { best - score } else { score - best });
        *verdict == Verdict::Accepted && better > best.abs() * 1e-9
    };
    // The validator gives scores of its own, whose best one is unknown.
    if problem.cases.iter().zip(results).any(is_better) {
        return None;
    }
    let perfect: Vec<_> = problem
        .cases
        .iter()
        .map(|case| {
            let score = grading.group_of(case.group()).accept_score;
            (Verdict::Accepted, Some(score))
        })
        .collect();
    let cases = by_folder(problem);
    let mut grading_run = GradingRun {
        grading,
        problem,
        results: &perfect,
        cases,
        run: &mut |_, _, _| Err(fault("its result for perfect results is unknown")),
        groups: Vec::new(),
    };
    grading_run.group(root).ok().map(|(_, score)| score)
}

struct GradingRun<'a, 'b> {
    grading: &'a Grading,
    problem: &'a Problem,
    results: &'a [(Verdict, Option<f64>)],
    /// The indices of the cases, by folder.
    cases: BTreeMap<&'a str, Vec<usize>>,
    run: &'a mut RunGrader<'b>,
    /// The scores of groups, each before its child groups.
    groups: Vec<GroupScore>,
}

impl GradingRun<'_, '_> {
    fn group(&mut self, group: &GradedGroup) -> Result<Graded, Notice> {
        let (place, (least, greatest)) = (self.groups.len(), group.range);
        if !group.name.is_empty() {
            self.groups.push(GroupScore {
                group: group.name.clone(),
                score: 0.0,
                max: greatest.is_finite().then_some(greatest),
            });
        }
        let parts = self.parts(group)?;
        let graded = if let Some((fault, _)) =
            parts.iter().find(|(verdict, _)| *verdict == Verdict::JudgeError)
        {
            (*fault, 0.0)
        } else {
            match &group.grader {
                Grader::Default(grader) => run_default_grader(*grader, &parts),
                Grader::Custom(flags) => self.run_custom_grader(group, flags, &parts)?,
            }
        };
        let (verdict, score) = graded;
        // Only accepted submissions have a score, whatever a grader returns.
        let score = if verdict == Verdict::Accepted { score } else { 0.0 };
        if self.grading.scoring
            && verdict == Verdict::Accepted
            && !(least..=greatest).contains(&score)
        {
            return Err(fault(format!(
                "`data/{}` has a score of {score}, outside its range of {least} to {greatest}",
                group.name
            )));
        }
        if !group.name.is_empty() {
            self.groups[place].score = score;
        }
        Ok((verdict, score))
    }

    /// The results that the group's grader reads, sorted by name.
    fn parts(&mut self, group: &GradedGroup) -> Result<Vec<Graded>, Notice> {
        enum GroupPart<'a> {
            Case(usize),
            Group(&'a GradedGroup),
        }
        let base = |name: &str| last_part(name).to_owned();
        let direct = self.cases.get(group.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let mut parts: Vec<(String, GroupPart<'_>)> = direct
            .iter()
            .map(|&index| (base(self.problem.cases[index].name()), GroupPart::Case(index)))
            .collect();
        parts.extend(group.groups.iter().map(|g| (base(&g.name), GroupPart::Group(g))));
        parts.sort_by(|(a, _), (b, _)| a.cmp(b));
        // If there is nothing else, the default grader of problemtools counts the sample.
        let ignores = parts.len() > 1
            && matches!(&group.grader, Grader::Default(grader) if grader.ignore_sample);
        let mut graded = Vec::with_capacity(parts.len());
        let mut broken = false;
        for (_, part) in parts {
            let is_sample = matches!(&part, GroupPart::Group(inner) if inner.name == "sample");
            let result = match part {
                GroupPart::Case(index) => {
                    let (verdict, score) = self.results[index];
                    (verdict, score.unwrap_or(0.0))
                }
                GroupPart::Group(inner) => self.group(inner)?,
            };
            if broken || (ignores && is_sample) {
                continue;
            }
            graded.push(result);
            broken = group.breaks && result.0 != Verdict::Accepted;
        }
        Ok(graded)
    }

    fn run_custom_grader(
        &mut self,
        group: &GradedGroup,
        flags: &[String],
        parts: &[Graded],
    ) -> Result<Graded, Notice> {
        let grader = self.grading.grader.as_ref();
        let grader = grader.ok_or_else(|| Code::MissingSource.says("the package has no grader"))?;
        let mut lines = String::new();
        for (verdict, score) in parts {
            let _ = writeln!(lines, "{} {score}", code(*verdict));
        }
        let output = (self.run)(grader, flags, &lines)?;
        answer(&output).ok_or_else(|| {
            let shown = crate::printable::one_line(output.trim().as_bytes(), 80);
            fault(format!(
                "the grader prints `{shown}` for `data/{}`, expected a verdict and a score",
                group.name
            ))
        })
    }
}

/// Whether no grader reads the result of `case`, because results are ignored after one of the `failures`.
pub(super) fn is_ignored(
    grading: &Grading,
    problem: &Problem,
    failures: &[usize],
    case: usize,
) -> bool {
    if grading.rules == GradingRules::Domjudge {
        return false;
    }
    let failures: Vec<&TestCase> = failures.iter().map(|case| &problem.cases[*case]).collect();
    let case = &problem.cases[case];
    let mut group = &grading.root;
    loop {
        let below = group.group_around(case.group());
        let part = below.map_or(case.name(), |inner| &inner.name);
        if group.breaks && rejected(group, &failures).any(|earlier| earlier < last_part(part)) {
            return true;
        }
        match below {
            Some(inner) => group = inner,
            None => return false,
        }
    }
}

/// The names of the parts of `group` that are certainly not accepted, whatever the cases that were not judged get.
fn rejected<'a>(
    group: &'a GradedGroup,
    failures: &'a [&TestCase],
) -> impl Iterator<Item = &'a str> {
    let is_direct = |case: &&&TestCase| case.group() == group.name;
    let cases = failures.iter().filter(is_direct);
    let ignores_sample = matches!(&group.grader, Grader::Default(grader) if grader.ignore_sample);
    let groups = group.groups.iter().filter(move |inner| {
        let is_strict = matches!(
            &inner.grader,
            Grader::Default(grader)
                if grader.verdict != VerdictMode::AlwaysAccept && !grader.accept_if_any_accepted
        );
        let is_read = !(ignores_sample && inner.name == "sample");
        is_strict && is_read && rejected(inner, failures).next().is_some()
    });
    let cases = cases.map(|case| last_part(case.name()));
    cases.chain(groups.map(|inner| last_part(&inner.name)))
}

/// The name of a part within its group, by which the parts are ordered.
fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or_default()
}

/// The format's code for a verdict. There are only four codes.
fn code(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::MemoryLimit | Verdict::OutputLimit => Verdict::RunTimeError.code(),
        other => other.code(),
    }
}

/// Parses the grader's single line of output.
fn answer(text: &str) -> Option<Graded> {
    let mut words = text.split_ascii_whitespace();
    let (verdict, score) = (words.next()?, words.next()?);
    let verdict = Verdict::ALL
        .into_iter()
        .find(|known| known.code() == verdict)
        .filter(|known| !matches!(known, Verdict::Ran | Verdict::Skipped))?;
    let score: f64 = score.parse().ok()?;
    (words.next().is_none() && score.is_finite()).then_some((verdict, score))
}

/// The default grader. Without results, it returns AC and 0.
fn run_default_grader(grader: DefaultGrader, parts: &[Graded]) -> Graded {
    const WORST: [Verdict; 6] = [
        Verdict::JudgeError,
        Verdict::RunTimeError,
        Verdict::MemoryLimit,
        Verdict::TimeLimit,
        Verdict::OutputLimit,
        Verdict::WrongAnswer,
    ];
    let accepted = |part: &Graded| part.0 == Verdict::Accepted;
    let first = parts.iter().find(|part| !accepted(part));
    let verdict = match (first, grader.verdict) {
        (None, _) | (_, VerdictMode::AlwaysAccept) => Verdict::Accepted,
        _ if grader.accept_if_any_accepted && parts.iter().any(accepted) => Verdict::Accepted,
        (Some((first, _)), VerdictMode::FirstError) => *first,
        (Some((first, _)), VerdictMode::WorstError) => WORST
            .into_iter()
            .find(|bad| parts.iter().any(|(verdict, _)| verdict == bad))
            .unwrap_or(*first),
    };
    let scores: Vec<f64> = parts.iter().map(|(_, score)| *score).collect();
    (verdict, combine(grader.score, &scores))
}

/// One score from several; 0 without any.
#[expect(clippy::cast_precision_loss, reason = "fewer cases than 2^53")]
pub(super) fn combine(mode: ScoreMode, scores: &[f64]) -> f64 {
    let each = scores.iter().copied();
    match mode {
        // `sum` of nothing is -0.
        ScoreMode::Sum => each.fold(0.0, Add::add),
        ScoreMode::Average if scores.is_empty() => 0.0,
        ScoreMode::Average => each.sum::<f64>() / scores.len() as f64,
        ScoreMode::Min => each.reduce(f64::min).unwrap_or(0.0),
        ScoreMode::Max => each.reduce(f64::max).unwrap_or(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{
        Accepted as AC, MemoryLimit as MLE, OutputLimit as OLE, RunTimeError as RTE,
        TimeLimit as TLE, WrongAnswer as WA,
    };

    #[test]
    fn the_default_grader_follows_its_flags() {
        let plain = DefaultGrader::default();
        let first = DefaultGrader { verdict: VerdictMode::FirstError, ..plain };
        let always = DefaultGrader { verdict: VerdictMode::AlwaysAccept, ..plain };
        let any = DefaultGrader { accept_if_any_accepted: true, ..plain };
        let by = |score| DefaultGrader { score, ..plain };
        let mixed = [(AC, 5.0), (WA, 1.0), (TLE, 0.0), (OLE, 0.0)];
        let table: [(DefaultGrader, &[Graded], Graded); 13] = [
            (plain, &[], (AC, 0.0)),
            (by(ScoreMode::Average), &[], (AC, 0.0)),
            (by(ScoreMode::Min), &[], (AC, 0.0)),
            (plain, &[(AC, 1.0), (AC, 2.5)], (AC, 3.5)),
            (plain, &mixed, (TLE, 6.0)),
            (plain, &[(WA, 0.0), (MLE, 0.0), (TLE, 0.0)], (MLE, 0.0)),
            (plain, &[(WA, 0.0), (MLE, 0.0), (RTE, 0.0)], (RTE, 0.0)),
            (first, &mixed, (WA, 6.0)),
            (always, &mixed, (AC, 6.0)),
            (any, &mixed, (AC, 6.0)),
            (any, &[(WA, 0.0), (OLE, 0.0)], (OLE, 0.0)),
            (by(ScoreMode::Average), &[(AC, 1.0), (AC, 2.0)], (AC, 1.5)),
            (by(ScoreMode::Max), &mixed, (TLE, 5.0)),
        ];
        for (grader, parts, expected) in table {
            assert_eq!(run_default_grader(grader, parts), expected, "{grader:?} {parts:?}");
        }
    }

    #[test]
    fn a_grader_prints_one_verdict_and_one_score() {
        let table = [
            ("AC 12.5\n", Some((AC, 12.5))),
            ("WA 0", Some((WA, 0.0))),
            ("", None),
            ("AC", None),
            ("AC 1 2", None),
            ("AC 1\nAC 2\n", None),
            ("ac 1", None),
            ("RAN 1", None),
            ("AC inf", None),
        ];
        for (text, expected) in table {
            assert_eq!(answer(text), expected, "{text}");
        }
    }
}
