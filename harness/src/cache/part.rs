//! What the cache keeps: the one list, from which everything is found and cleaned.

/// One folder of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Compiled programs, a folder for each.
    Artefacts,
    /// Test cases that were made on demand or unpacked.
    Cases,
    /// What compilers answered, and how long runtimes take to start.
    Toolchains,
    /// Time limits that were inferred.
    TimeLimits,
}

impl Part {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [
        Self::Artefacts,
        Self::Cases,
        Self::Toolchains,
        Self::TimeLimits,
    ];

    /// Its name below the cache folder.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Artefacts => "artefacts",
            Self::Cases => "cases",
            Self::Toolchains => "toolchains",
            Self::TimeLimits => "time-limits",
        }
    }

    /// Whether it holds small answers, which are no entries that people count.
    pub(crate) fn holds_answers(self) -> bool {
        matches!(self, Self::Toolchains | Self::TimeLimits)
    }
}
