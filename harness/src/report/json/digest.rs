//! The digests of the lines of a shard, which show that none was changed, deleted, repeated or moved.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::event::Shard;

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::report) struct DigestLine<'a> {
    /// The unit whose lines end here; `None` after the notices and after the last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) unit: Option<usize>,
    /// Of all lines before this one, with their line breaks.
    blake3: Cow<'a, str>,
}

impl DigestLine<'_> {
    /// Whether the lines before it are these.
    pub(in crate::report) fn fits(&self, lines: &blake3::Hasher) -> bool {
        *self.blake3 == *lines.finalize().to_hex()
    }
}

/// Makes the digests of the report of a shard.
pub(super) struct ShardDigests {
    lines: blake3::Hasher,
    /// The units that are not reported yet.
    units: std::vec::IntoIter<usize>,
}

impl ShardDigests {
    pub(super) fn new(shard: &Shard) -> Self {
        Self { lines: blake3::Hasher::new(), units: shard.units.clone().into_iter() }
    }

    /// Adds a line, with its line break.
    pub(super) fn add(&mut self, line: &[u8]) {
        self.lines.update(line);
    }

    /// The digest after the lines of the next unit.
    pub(super) fn of_unit(&mut self) -> DigestLine<'static> {
        let unit = self.units.next();
        self.line(unit)
    }

    /// The digest after lines that belong to no unit.
    pub(super) fn of_other(&self) -> DigestLine<'static> {
        self.line(None)
    }

    fn line(&self, unit: Option<usize>) -> DigestLine<'static> {
        DigestLine { unit, blake3: self.lines.finalize().to_string().into() }
    }
}
