//! The JSON lines of `rejudge cluster`.

use std::io::{self, Write};

use serde::Serialize;

use super::cluster_state::{ClusterState, ListedRun};
use super::figures::WorkerFigures;
use crate::show::json_line;

/// A line of `--json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
enum ClusterLine<'a> {
    Server {
        url: &'a str,
        version: &'a str,
    },
    Worker {
        worker: &'a str,
        version: &'a str,
        class: &'a str,
        jobs: usize,
        machine: &'a str,
        figures: FigureValues,
        units: u64,
        units_per_second: f64,
        /// Why it judges no more.
        #[serde(skip_serializing_if = "Option::is_none")]
        out: Option<&'a str>,
        /// Whether it takes units of the version that prints this.
        takes_work: bool,
    },
    Queue {
        waiting: u64,
        held: usize,
        /// An estimate; missing if nobody knows.
        #[serde(skip_serializing_if = "Option::is_none")]
        left_s: Option<f64>,
    },
    Files {
        bytes: u64,
        /// Missing: for ever.
        #[serde(skip_serializing_if = "Option::is_none")]
        kept_s: Option<f64>,
    },
    Run {
        run: &'a str,
        units: usize,
        judged: usize,
        reported: bool,
        reference: &'a str,
        again: usize,
        differ: usize,
    },
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[expect(clippy::struct_field_names, reason = "the unit, as in every JSON of rejudge")]
struct FigureValues {
    arithmetic_ms: f64,
    memory_ms: f64,
    system_calls_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    python_ms: Option<f64>,
}

impl From<WorkerFigures> for FigureValues {
    fn from(figures: WorkerFigures) -> Self {
        Self {
            arithmetic_ms: figures.arithmetic_ms,
            memory_ms: figures.memory_ms,
            system_calls_ms: figures.system_calls_ms,
            python_ms: figures.python_ms,
        }
    }
}

/// Writes the lines.
pub(crate) fn write_cluster_json(out: &mut dyn Write, state: &ClusterState) -> io::Result<()> {
    lines(state).iter().try_for_each(|line| json_line::write(out, line))
}

fn lines(state: &ClusterState) -> Vec<ClusterLine<'_>> {
    let mut lines = vec![ClusterLine::Server { url: &state.server.0, version: &state.server.1 }];
    lines.extend(state.workers.iter().map(|(name, info)| ClusterLine::Worker {
        worker: name,
        version: &info.version,
        class: &info.class,
        jobs: info.jobs,
        machine: &info.machine,
        figures: info.figures.into(),
        units: info.units,
        units_per_second: info.rate,
        out: info.out.as_deref(),
        takes_work: info.takes_work(),
    }));
    lines.push(ClusterLine::Queue {
        waiting: state.waiting,
        held: state.held,
        left_s: state.time_left().map(|left| left.as_secs_f64()),
    });
    lines.push(ClusterLine::Files {
        bytes: state.files.bytes,
        kept_s: state.files.lifetime.map(|kept| kept.as_secs_f64()),
    });
    lines.extend(state.runs.iter().map(|listed| {
        let ListedRun { id, run, again, unlike } = listed;
        ClusterLine::Run {
            run: id,
            units: run.units,
            judged: run.judged,
            reported: run.is_over,
            reference: &run.reference,
            again: *again,
            differ: *unlike,
        }
    }));
    lines
}

#[cfg(test)]
mod tests {
    use super::ClusterLine;
    use crate::show::schema;

    #[test]
    fn the_schema_of_the_json_output_is_up_to_date() {
        let lines = schema::of_lines::<ClusterLine<'static>>();
        schema::is_up_to_date("cluster", lines);
    }
}
