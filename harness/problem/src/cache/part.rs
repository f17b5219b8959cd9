//! The parts of the cache: the only list, used to find and to clean everything.

/// One folder of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Compiled programs, a folder for each.
    Artefacts,
    /// Precompiled headers and class data archives of compilers, a folder for each.
    Precompiled,
    /// Test cases that were created on demand or unpacked.
    Cases,
    /// Properties of compilers, and start-up times of runtimes.
    Toolchains,
    /// Inferred time limits.
    TimeLimits,
    /// The cases that failed last time, for each repository.
    Failures,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 6] = [
        Self::Artefacts,
        Self::Precompiled,
        Self::Cases,
        Self::Toolchains,
        Self::TimeLimits,
        Self::Failures,
    ];

    /// Its folder in the cache folder.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Artefacts => "artefacts",
            Self::Precompiled => "precompiled",
            Self::Cases => "cases",
            Self::Toolchains => "toolchains",
            Self::TimeLimits => "time-limits",
            Self::Failures => "failures",
        }
    }

    /// Whether it contains small results, which are not counted as entries.
    pub fn holds_answers(self) -> bool {
        matches!(self, Self::Toolchains | Self::TimeLimits | Self::Failures)
    }
}
