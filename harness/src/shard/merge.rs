//! Joins the reports of shards into the report of the whole run.
//!
//! A first reading checks every file: nothing is written before it is known what is missing. A second one passes the
//! events on, in the order of the whole run, and keeps only one submission of each shard in memory.

use std::collections::HashSet;
use std::io::BufRead;

use super::machines::{ShardSurroundings, is_near_limit};
use super::shard_report::ShardReport;
use crate::event::{CaseResult, Outline, SubmissionReport, Summary};
use crate::notice::{Code, Notice};
use crate::report::stored::{ReportReader, Sink, StoredBlock, StoredError, StoredReport};
use crate::report::words::NEAR_LIMIT;

/// The reports that make up the run, in the order of their numbers, and what is wrong with them.
#[derive(Debug)]
pub(crate) struct Merge {
    pub(crate) reports: Vec<ShardReport>,
    /// Missing, doubled, foreign and interrupted shards. An error unless the user wants a part of the run.
    pub(crate) gaps: Vec<Notice>,
    /// What every report says.
    pub(crate) remarks: Vec<String>,
    /// Whether the machines differ.
    unlike: bool,
}

/// Chooses the report of each shard: of several runs of it, the last complete one. The first report decides which plan
/// the others must have. There is at least one.
pub(crate) fn choose(reports: Vec<ShardReport>) -> Merge {
    let first = &reports[0];
    let (plan, of) = (first.shard.plan.clone(), first.shard.of);
    let name = first.name.clone();
    let (mut gaps, mut remarks) = (Vec::new(), Vec::new());
    let mut chosen: Vec<Option<ShardReport>> = (0..of).map(|_| None).collect();
    for report in reports {
        let is_own = report.shard.plan == plan && report.shard.of == of;
        let place = chosen.get_mut(report.shard.number.wrapping_sub(1)).filter(|_| is_own);
        let Some(place) = place else {
            gaps.push(foreign(&report.name, &name));
            continue;
        };
        *place = Some(match place.take() {
            None => report,
            Some(before) if before.shard.started_ms == report.shard.started_ms => {
                gaps.push(doubled(&before, &report));
                before
            }
            Some(before) => {
                let (old, new) = ordered(before, report);
                remarks.push(format!(
                    "{} was run again: `{}` replaces `{}`",
                    new.shard, new.name, old.name
                ));
                new
            }
        });
    }
    for (index, report) in chosen.iter().enumerate() {
        let number = index + 1;
        match report {
            None => gaps.push(missing(number, of)),
            Some(report) if !report.is_complete => gaps.push(interrupted(report)),
            Some(_) => {}
        }
    }
    let reports: Vec<ShardReport> = chosen.into_iter().flatten().collect();
    if gaps.is_empty() {
        gaps.extend(not_a_plan(&reports));
    }
    let outlines: Vec<(usize, &Outline)> =
        reports.iter().map(|report| (report.shard.number, &report.outline)).collect();
    let machines = ShardSurroundings::Machine.unlike(&outlines);
    let unlike = machines.is_some();
    remarks.extend(machines);
    remarks.extend(ShardSurroundings::Sandbox.unlike(&outlines));
    Merge { reports, gaps, remarks, unlike }
}

/// The report that is replaced, and the one that replaces it.
fn ordered(one: ShardReport, other: ShardReport) -> (ShardReport, ShardReport) {
    let rank = |report: &ShardReport| (report.is_complete, report.shard.started_ms);
    if rank(&one) < rank(&other) { (one, other) } else { (other, one) }
}

fn foreign(name: &str, first: &str) -> Notice {
    Code::InvalidReport
        .says(format!("`{name}` does not belong to the run of `{first}`: it has another plan"))
        .help(
            "run both again with the same sources, cases, limits, options, durations and number of shards, and the same \
             version of rejudge",
        )
}

fn doubled(one: &ShardReport, other: &ShardReport) -> Notice {
    let (one, other, shard) = (&one.name, &other.name, &one.shard);
    Code::InvalidReport
        .says(format!("`{one}` and `{other}` are the same run of {shard}"))
        .help("name it once")
}

fn missing(number: usize, of: usize) -> Notice {
    Code::InvalidReport
        .says(format!("shard {number} of {of} is missing"))
        .help(format!("name its report, or run it with `--shard {number}/{of}`"))
}

/// Shards of the same plan have every unit once, unless a report was changed.
fn not_a_plan(reports: &[ShardReport]) -> Option<Notice> {
    let mut units: Vec<usize> =
        reports.iter().flat_map(|report| report.shard.units.iter().copied()).collect();
    units.sort_unstable();
    let expected = reports.first()?.shard.of_units;
    (!units.iter().copied().eq(0..expected)).then(|| {
        Code::InvalidReport
            .says("the shards do not have every submission of the run once".to_owned())
            .help("a report was changed after it was written: run the shards again")
    })
}

fn interrupted(report: &ShardReport) -> Notice {
    let (number, of) = (report.shard.number, report.shard.of);
    Code::InvalidReport
        .says(format!(
            "`{}`, {}, was interrupted: it has {} of {} submissions",
            report.name,
            report.shard,
            report.submissions,
            report.shard.units.len()
        ))
        .help(format!("run it again with `--shard {number}/{of}`"))
}

impl Merge {
    /// The warnings and errors about what the run selects. Every shard has them, unless a file is broken on its machine only:
    /// each is named once.
    pub(crate) fn notices(&self) -> (Vec<Notice>, Vec<Notice>) {
        let once = |of: fn(&ShardReport) -> &[Notice]| {
            let all = self.reports.iter().flat_map(of);
            let mut known = HashSet::new();
            all.filter(|notice| known.insert(&notice.message)).cloned().collect()
        };
        (once(|report| &report.warnings), once(|report| &report.errors))
    }

    /// Whether a problem of the run is broken.
    pub(crate) fn is_faulty(&self) -> bool {
        self.reports.iter().any(|report| report.shard.faulty)
    }

    /// Passes the events of the whole run to `sink`. `open` opens the file with this name again.
    pub(crate) fn replay<R: BufRead>(
        &self,
        open: &dyn Fn(&str) -> Result<R, StoredError>,
        sink: Sink<'_>,
    ) -> Result<Summary, StoredError> {
        let mut reader = ReportReader::default();
        reader.start(&self.outline(), sink)?;
        let opened = self.reports.iter().map(|report| {
            let file = open(&report.name)?;
            Ok(StoredReport::new(&report.name, file))
        });
        let mut files = opened.collect::<Result<Vec<_>, StoredError>>()?;
        let mut near = 0;
        for (_, index) in self.order() {
            let Some((mut cases, mut report)) = submission(&mut files[index])? else {
                continue;
            };
            if self.unlike {
                near += mark(&mut cases, &mut report);
            }
            reader.submission(&self.reports[index].name, &cases, &report, sink)?;
        }
        for file in &mut files {
            while let Some(block) = file.next()? {
                if let StoredBlock::Finished(sum) = block {
                    reader.add(sum);
                }
            }
        }
        reader.add(Summary {
            missing: self.gaps.iter().map(|gap| gap.message.clone()).collect(),
            remarks: self.remarks.iter().cloned().chain(near_limits(near)).collect(),
            ..Summary::default()
        });
        reader.finish(sink)
    }

    /// The first line of the whole run.
    fn outline(&self) -> Outline {
        let outlines = || self.reports.iter().map(|report| &report.outline);
        let mut outline = self.reports[0].outline.clone();
        outline.submissions = outlines().map(|one| one.submissions).sum();
        outline.cases = outlines().map(|one| one.cases).sum();
        outline.origin.time = outlines().filter_map(|one| one.origin.time).min();
        outline
    }

    /// The units in the order of the whole run, each with the index of its report.
    fn order(&self) -> Vec<(usize, usize)> {
        let units = self.reports.iter().enumerate().flat_map(|(index, report)| {
            let judged = report.shard.units.iter().take(report.submissions);
            judged.map(move |&unit| (unit, index))
        });
        let mut units: Vec<(usize, usize)> = units.collect();
        units.sort_unstable();
        units
    }
}

/// A submission of a report: its cases, and the rest.
type StoredSubmission = (Vec<CaseResult>, Box<SubmissionReport>);

/// The next submission in the file.
fn submission(
    file: &mut StoredReport<impl BufRead>,
) -> Result<Option<StoredSubmission>, StoredError> {
    while let Some(block) = file.next()? {
        if let StoredBlock::Submission(cases, report) = block {
            return Ok(Some((cases, report)));
        }
    }
    Ok(None)
}

/// Marks the runs whose times are close to a limit. Returns their number.
fn mark(cases: &mut [CaseResult], report: &mut SubmissionReport) -> usize {
    let limits = report.limits;
    for case in cases.iter_mut().chain(&mut report.failures) {
        case.near_limit = is_near_limit(case, &limits);
    }
    cases.iter().filter(|case| case.near_limit).count()
}

fn near_limits(near: usize) -> Option<String> {
    let runs = if near == 1 { "run is" } else { "runs are" };
    (near > 0).then(|| format!("{near} {runs} {NEAR_LIMIT}"))
}

#[cfg(test)]
mod tests;
