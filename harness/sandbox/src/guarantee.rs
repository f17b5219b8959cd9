//! What is guaranteed about a judged program, and the protections that each guarantee needs. `SECURITY.md` and `rejudge
//! doctor` show this table.

use crate::back_end::BackEnd;
use crate::facts::Facts;
use crate::protection::Protection;

/// Something that is guaranteed about a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guarantee {
    /// It reads only its own files and those of the system.
    Reading,
    /// It changes nothing outside its folder.
    Writing,
    /// It reaches no network.
    Network,
    /// It neither sees nor touches other processes.
    Processes,
    /// It leaves nothing for others in shared memory or queues.
    Shared,
    /// It gains no rights.
    Rights,
    /// It does not outlive its run.
    End,
    /// All its memory is limited.
    Memory,
    /// The number of its processes is limited.
    Count,
    /// All its CPU time is counted.
    CpuTime,
    /// Its wall time and its output are limited.
    Limits,
}

/// The extent to which a [`Guarantee`] holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Completely.
    Yes,
    /// With gaps, or by weaker means.
    InPart,
    /// Not at all.
    No,
}

impl Extent {
    /// The extent as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::InPart => "in part",
            Self::No => "no",
        }
    }
}

impl Guarantee {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Reading,
        Self::Writing,
        Self::Network,
        Self::Processes,
        Self::Shared,
        Self::Rights,
        Self::End,
        Self::Memory,
        Self::Count,
        Self::CpuTime,
        Self::Limits,
    ];

    /// The guarantee in words, with a program as the subject.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Reading => "reads no file but its own, its runtime's and the system's",
            Self::Writing => "changes no file outside its bounded folder",
            Self::Network => "reaches no network and no local service",
            Self::Processes => "sees, traces and signals no process but its own",
            Self::Shared => "leaves no shared memory or queue",
            Self::Rights => "gains no rights",
            Self::End => "ends with its run, with all it started",
            Self::Memory => "exceeds no memory limit, with all it started",
            Self::Count => "exceeds no limit of processes",
            Self::CpuTime => "hides no CPU time",
            Self::Limits => "exceeds no limit of wall time or output",
        }
    }

    /// The protections that it takes, and those of which one gives a part of it. `None`: what limits and clocks of
    /// every system give is a part.
    fn takes(self) -> (&'static [Protection], Option<&'static [Protection]>) {
        use Protection as P;
        match self {
            Self::Reading => (&[P::MountNamespace], Some(&[P::Landlock])),
            Self::Writing => (&[P::MountNamespace, P::BoundedFolder], Some(&[P::Landlock])),
            Self::Network => (&[P::NetworkNamespace], Some(&[P::Seccomp])),
            Self::Processes => {
                (&[P::PidNamespace, P::JudgeNotDumpable], Some(&[P::Landlock, P::Seccomp]))
            }
            Self::Shared => (&[P::IpcNamespace], Some(&[P::Seccomp])),
            Self::Rights => (&[P::NoNewPrivileges, P::NoCapabilities], Some(&[])),
            Self::End => (&[P::PidNamespace], None),
            Self::Memory => (&[P::MemoryGroup], None),
            Self::Count => (&[P::ProcessGroup], None),
            Self::CpuTime => (&[P::CpuAccount], None),
            Self::Limits => (&[], None),
        }
    }

    /// The extent on a machine with these protections.
    fn held(self, has: impl Fn(Protection) -> bool) -> Extent {
        let (wholly, partly) = self.takes();
        if wholly.iter().all(|one| has(*one)) {
            Extent::Yes
        } else if partly.is_none_or(|partly| partly.iter().any(|one| has(*one))) {
            Extent::InPart
        } else {
            Extent::No
        }
    }

    /// The extent with the protections of this machine.
    pub fn here(self, facts: &Facts) -> Extent {
        self.held(|protection| facts.has(protection))
    }

    /// The extent with a back end; `None`: with `--sandbox off`, which uses only limits and clocks.
    pub fn with(self, back_end: Option<BackEnd>) -> Extent {
        self.held(|protection| back_end.is_some_and(|kind| kind.gives(protection)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns of the table, by their heads.
    const COLUMNS: [(&str, Option<BackEnd>); 7] = [
        ("`root_cgroup2`", Some(BackEnd::RootCgroup2)),
        ("`root_cgroup1`", Some(BackEnd::RootCgroup1)),
        ("`user_cgroup2`", Some(BackEnd::UserCgroup2)),
        ("`root`", Some(BackEnd::Root)),
        ("`user`", Some(BackEnd::User)),
        ("`plain`", Some(BackEnd::Plain)),
        ("`--sandbox off`", None),
    ];

    #[test]
    fn the_page_about_security_has_this_table() {
        let row = |first: &str, cells: Vec<&str>| format!("| {first} | {} |\n", cells.join(" | "));
        let mut table = row("a program", COLUMNS.map(|(head, _)| head).into());
        table.push_str("|---|");
        table.push_str(&"---|".repeat(COLUMNS.len()));
        table.push('\n');
        for guarantee in Guarantee::ALL {
            let cells = COLUMNS.map(|(_, kind)| guarantee.with(kind).word());
            table += &row(guarantee.describe(), cells.into());
        }
        let page = include_str!("../../../SECURITY.md");
        assert!(page.contains(&table), "SECURITY.md does not contain\n{table}");
        assert_eq!(COLUMNS.len(), BackEnd::ALL.len() + 1);
    }

    #[test]
    fn a_guarantee_needs_each_of_its_protections() {
        let (with, without) = (BackEnd::RootCgroup2, |gone| {
            move |one: Protection| one != gone && BackEnd::RootCgroup2.gives(one)
        });
        for guarantee in Guarantee::ALL {
            assert_eq!(guarantee.with(Some(with)), Extent::Yes);
            for needed in guarantee.takes().0 {
                assert_ne!(guarantee.held(without(*needed)), Extent::Yes, "{guarantee:?}");
            }
        }
        let nothing = Guarantee::ALL.map(|guarantee| guarantee.with(None));
        assert_eq!(nothing.iter().filter(|held| **held == Extent::Yes).count(), 1);
    }
}
