//! A part of a run that is divided between machines.

/// One of the parts of a run that was divided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, from 1.
    pub number: usize,
    /// Number of shards.
    pub of: usize,
    /// The digest of the plan, in hexadecimal. Only shards of the same plan fit together.
    pub plan: String,
    /// The moment at which the run of the shard was started: milliseconds since 1970.
    pub started_ms: u64,
    /// The indices of the units that the shard judges, in the order of the whole run. A unit is a submission.
    pub units: Vec<usize>,
    /// Number of units of the whole run.
    pub of_units: usize,
    /// Whether a problem of the whole run is broken.
    pub faulty: bool,
}

/// `shard 2 of 4`
impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "shard {} of {}", self.number, self.of)
    }
}
