//! Reports a run whose cases are judged elsewhere: the same order, the same events and the same sums.

use std::time::Instant;

use super::{Options, Tools, WorkerPool, outline};
use crate::event::{CaseResult, Event, Summary, Work};
use crate::limits;
use crate::sandbox::{Facts, Limits};
use crate::schedule::Queue;
use crate::sequence::{BuildOutcome, Sequencer, SubmissionEntry};

/// A result that arrives from elsewhere. Submissions and cases are given by their index.
pub(crate) enum Arrival {
    /// A submission was built, or could not be built.
    Built(usize, Box<BuildOutcome>),
    /// A submission was run on a case.
    Case(usize, usize, Box<CaseResult>),
}

/// What the end of a run adds to its summary.
#[derive(Debug, Default)]
pub(crate) struct GatheredEnd {
    /// What readers must know.
    pub(crate) remarks: Vec<String>,
    /// Whether the user interrupted it.
    pub(crate) interrupted: bool,
}

/// Where the results come from.
pub(crate) trait ResultSource {
    /// The next results, in any order. `None`: there will be no more.
    fn next(&mut self) -> Option<Vec<Arrival>>;

    /// The last question.
    fn end(&mut self) -> GatheredEnd;
}

/// Like [`judge_entries`](super::judge_entries), but takes every result from `source`. `facts` are those of this
/// machine's sandbox.
pub(crate) fn gather_entries(
    entries: &[SubmissionEntry<'_>],
    tools: Tools<'_>,
    options: &Options,
    facts: &Facts,
    source: &mut dyn ResultSource,
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Summary {
    let started = Instant::now();
    on_event(&Event::Started(&outline(entries, options, facts.clone())));
    let queue = Queue::new(entries.len());
    let pool = WorkerPool::new(entries, &queue, tools, options, false);
    let mut sequencer = pool.sequencer();
    while !sequencer.is_finished() {
        let Some(arrivals) = source.next() else { break };
        for arrival in arrivals {
            add(arrival, entries, &mut sequencer, on_event);
        }
    }
    let mut summary = sequencer.finish(on_event);
    let end = source.end();
    summary.wall = started.elapsed();
    summary.interrupted = end.interrupted;
    summary.remarks = end.remarks;
    on_event(&Event::Finished(&summary));
    summary
}

fn add(
    arrival: Arrival,
    entries: &[SubmissionEntry<'_>],
    sequencer: &mut Sequencer<'_>,
    emit: &mut dyn FnMut(&Event<'_>),
) {
    match arrival {
        Arrival::Built(submission, built) => sequencer.built(submission, *built, emit),
        Arrival::Case(submission, case, result) => {
            let ran = Work::Ran {
                submission: &entries[submission].0.name,
                case: &result.case,
                failed: !result.permitted,
            };
            emit(&Event::Working(ran));
            sequencer.case(submission, case, *result, emit);
        }
    }
}

/// The limits of a submission.
pub(crate) fn limits_of(entry: SubmissionEntry<'_>, tools: Tools<'_>, options: &Options) -> Limits {
    let language = tools.languages.get(&entry.0.language);
    limits::of_solution(Some(entry.1), language, &options.limits)
}
