//! Reads the report of a shard, and checks that it is as its run wrote it: each part is followed by a digest of all lines
//! before it, so no line can be changed, deleted, repeated or moved unnoticed. A digest is no signature: whoever forges a
//! report can compute it again.

use std::collections::HashSet;
use std::io::BufRead;

use super::MOST;
use crate::event::{Outline, Shard, SubmissionReport, Summary};
use crate::notice::{Code, Notice};
use crate::report::stored::{StoredBlock, StoredError, StoredReport};

/// The report of a shard, without its results.
#[derive(Debug)]
pub(crate) struct ShardReport {
    /// The file, as messages name it.
    pub(crate) name: String,
    pub(super) shard: Shard,
    pub(super) outline: Outline,
    /// Number of submissions in it.
    pub(super) submissions: usize,
    /// Whether every unit was judged.
    pub(super) is_complete: bool,
    pub(super) warnings: Vec<Notice>,
    pub(super) errors: Vec<Notice>,
}

impl ShardReport {
    /// Reads the report `from`, which messages call `name`.
    pub(crate) fn read(name: &str, from: impl BufRead) -> Result<Self, StoredError> {
        let mut report = StoredReport::new(name, from);
        let first = report.next()?;
        let Some(StoredBlock::Started(outline)) = first else {
            unreachable!("a report starts with its first line, or is none");
        };
        let mut parts = ShardParts::new(name, *outline)?;
        while let Some(block) = report.next()? {
            match block {
                StoredBlock::Started(_) => return Err(several(name).into()),
                StoredBlock::Warning(notice) => parts.read.warnings.push(notice),
                StoredBlock::Error(notice) => parts.read.errors.push(notice),
                StoredBlock::Submission(_, one) => parts.submission(&one)?,
                StoredBlock::Finished(sum) => parts.open(ShardPart::End(sum))?,
                StoredBlock::Digest { unit, holds } => {
                    parts.close(unit, holds, report.unfinished_submission())?;
                }
            }
        }
        Ok(parts.read)
    }
}

/// The lines that one digest follows.
#[derive(Debug)]
enum ShardPart {
    /// The first line and the notices.
    Head,
    /// The results of this submission.
    Unit(String),
    /// The last line.
    End(Summary),
}

impl std::fmt::Display for ShardPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Head => f.write_str("its first lines"),
            Self::Unit(submission) => write!(f, "the lines of `{submission}`"),
            Self::End(_) => f.write_str("its last line"),
        }
    }
}

/// The parts that were read.
struct ShardParts {
    /// What those with a digest say.
    read: ShardReport,
    /// The last part, if its digest was not read yet. One that a killed run left without a digest does not count.
    open: Option<ShardPart>,
    /// The problem and name of each submission.
    known: HashSet<(String, String)>,
}

impl ShardParts {
    fn new(name: &str, mut outline: Outline) -> Result<Self, Notice> {
        let shard = outline.shard.take().ok_or_else(|| not_a_shard(name))?;
        if let Some(fault) = fault(&shard) {
            return Err(invalid(name, &shard, &fault));
        }
        let read = ShardReport {
            name: name.to_owned(),
            shard,
            outline,
            submissions: 0,
            is_complete: false,
            warnings: Vec::new(),
            errors: Vec::new(),
        };
        Ok(Self { read, open: Some(ShardPart::Head), known: HashSet::new() })
    }

    fn submission(&mut self, one: &SubmissionReport) -> Result<(), Notice> {
        let name = one.submission.clone();
        if !self.known.insert((one.problem.clone(), name.clone())) {
            return Err(self.is_altered(format_args!("it has the results of `{name}` twice")));
        }
        self.open(ShardPart::Unit(name))
    }

    fn open(&mut self, part: ShardPart) -> Result<(), Notice> {
        match self.open.replace(part) {
            None => Ok(()),
            Some(before) => Err(self.is_altered(format_args!("{before} have no digest"))),
        }
    }

    /// Reads the digest of a part. `unfinished` is the submission of the cases that no line of a submission follows.
    fn close(
        &mut self,
        unit: Option<usize>,
        holds: bool,
        unfinished: Option<&str>,
    ) -> Result<(), Notice> {
        let part = self.open.take();
        let expected = match part {
            Some(ShardPart::Unit(_)) => self.read.shard.units.get(self.read.submissions).copied(),
            _ => None,
        };
        match part {
            Some(part) if holds && unit == expected => self.closed(part),
            part => {
                let part = part.or_else(|| Some(ShardPart::Unit(unfinished?.to_owned())));
                let part = part.map_or_else(|| "its digests".to_owned(), |part| part.to_string());
                return Err(self.is_altered(format_args!("{part} do not fit their digest")));
            }
        }
        Ok(())
    }

    fn closed(&mut self, part: ShardPart) {
        let read = &mut self.read;
        match part {
            ShardPart::Head => {}
            ShardPart::Unit(_) => read.submissions += 1,
            ShardPart::End(sum) => {
                read.is_complete = sum.is_complete() && read.submissions == read.shard.units.len();
            }
        }
    }

    fn is_altered(&self, how: std::fmt::Arguments<'_>) -> Notice {
        let (name, shard) = (&self.read.name, &self.read.shard);
        Code::InvalidReport
            .says(format!("`{name}`, {shard}, is not as rejudge wrote it: {how}"))
            .help(format!(
                "run it again with `--shard {}/{}` and this version of rejudge",
                shard.number, shard.of
            ))
    }
}

/// Why no run writes such a shard.
fn fault(shard: &Shard) -> Option<String> {
    let is_ordered = shard.units.is_sorted_by(|one, next| one < next);
    if !(1..=MOST).contains(&shard.of) {
        Some(format!("there are from 1 to {MOST} shards"))
    } else if !(1..=shard.of).contains(&shard.number) {
        Some(format!("the shards of {0} are 1/{0} to {0}/{0}", shard.of))
    } else if !is_ordered {
        Some("the numbers of its submissions do not increase".to_owned())
    } else if shard.units.last().is_some_and(|last| *last >= shard.of_units) {
        Some(format!("the run has {} submissions", shard.of_units))
    } else {
        None
    }
}

fn not_a_shard(name: &str) -> Notice {
    Code::InvalidReport
        .says(format!("`{name}` is the report of a whole run, and not of a shard"))
        .help("name files that `rejudge run --shard K/N --json FILE` wrote")
}

fn invalid(name: &str, shard: &Shard, fault: &str) -> Notice {
    Code::InvalidReport
        .says(format!("`{name}` is not a valid report of a shard: it is {shard}, but {fault}"))
        .help("run the shard again")
}

fn several(name: &str) -> Notice {
    Code::InvalidReport
        .says(format!("`{name}` has the reports of several runs"))
        .help("give every shard a file of its own")
}
