//! The memory account of a group, cgroup v2 or v1: its limit, whether it was reached, and the peak.
//!
//! The group also contains the memory of our own processes, [`Memory::ours`], and file pages, which the kernel reclaims
//! when the group is full. The kernel's limit is the program's limit plus our memory, so the program gets exactly its
//! limit. The deciding peak is the same account minus the same figure.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rejudge_quantity::Bytes;
use rustix::thread::sched_getaffinity;

use super::super::oom_score::is_small;
use super::super::output_memory::OutputMemory;
use super::controllers::{number_in, numbers, read, read_number, writable};

/// The most that a processor charges to a group in advance: `MEMCG_CHARGE_BATCH` pages. The usage includes it, and the
/// kernel reclaims it before it refuses memory.
const IN_ADVANCE: u64 = 64 * 4096;

/// The output of a run that takes more, in bytes, is known to the next run.
const LARGE_OUTPUT: u64 = 256 << 10;

/// What ended processes may still hold, in bytes: the kernel frees some of its own structures a little later. Unless its
/// limit is small, a program does not come close to the limit before that.
const IN_TRANSIT: u64 = 256 << 10;

/// The highest assumed charge in advance.
const MOST_IN_ADVANCE: u64 = 4 << 20;

/// The precision of a peak of the group; the peak of a process is more precise.
const COARSE: u64 = 4 << 20;

/// The memory limit of a group.
#[derive(Debug)]
pub(super) struct Memory {
    limit: File,
    limit_now: Option<u64>,
    usage: File,
    peak: Peak,
    /// The file in which the kernel counts its kills.
    events: File,
    kills_before: u64,
    /// The file in which the kernel counts how often the group reached its limit.
    hits: File,
    hits_before: u64,
    stat: Stat,
    /// The memory of our own processes that the kernel cannot reclaim; `None` until it is first read.
    ours: Option<u64>,
    /// See [`in_advance`].
    in_advance: u64,
    before: Before,
    output: Option<OutputMemory>,
    earlier: Option<EarlierOutput>,
}

/// The output of the run before, which the judge still holds.
#[derive(Debug)]
struct EarlierOutput {
    memory: OutputMemory,
    /// The part that is in the limit.
    counted: u64,
}

/// The account at the start of a run.
#[derive(Debug, Default)]
struct Before {
    usage: u64,
    /// The last reading, because a reading takes longer than all other steps here.
    files: u64,
    /// Our memory in this run.
    ours: u64,
    /// The program's limit.
    limit: u64,
    /// The peak above `usage`, until the output of the run before was freed.
    peak: u64,
}

/// The file with the peak of the group.
#[derive(Debug)]
enum Peak {
    /// The peak since the last write to it.
    OfRun(File),
    /// None: before Linux 6.12, the peak of a v2 group says nothing about a single run.
    Unknown,
}

/// The kinds of memory of the group.
#[derive(Debug)]
struct Stat {
    whole: File,
    /// Pages of files, of those in memory too; these, and shared memory; and what belongs to processes.
    keys: [&'static str; 3],
    /// The kernel's own memory, in version 1; in version 2 that is in `stat`.
    kernel: Option<File>,
}

/// The bytes of each kind at one time.
#[derive(Debug)]
struct Kinds {
    /// Pages of files that the kernel can take back. They count as memory of whoever touches them first, and are no need
    /// of the program's.
    files: u64,
    /// Files in memory, and shared memory.
    in_memory: u64,
    processes: u64,
    /// The kernel's own memory, in version 2.
    kernel: Option<u64>,
}

/// The most that the processors of the caller can have charged in advance.
fn in_advance() -> u64 {
    let processors = sched_getaffinity(None).map_or(1, |all| u64::from(all.count()));
    (processors * IN_ADVANCE).min(MOST_IN_ADVANCE)
}

impl Memory {
    pub(super) fn open(dir: &Path) -> io::Result<Self> {
        let v2 = dir.join("memory.max").exists();
        let names = if v2 {
            ["max", "current", "peak", "events", "swap.max"]
        } else {
            ["limit_in_bytes", "usage_in_bytes", "max_usage_in_bytes", "oom_control", "swappiness"]
        };
        let [limit, usage, peak, events, swap] =
            names.map(|name| dir.join(format!("memory.{name}")));
        let peak = writable(&peak).and_then(|peak| {
            peak.write_at(b"0", 0)?;
            Ok(Peak::OfRun(peak))
        });
        let memory = Self {
            limit: writable(&limit)?,
            limit_now: None,
            usage: File::open(usage)?,
            peak: peak.unwrap_or(Peak::Unknown),
            events: File::open(events)?,
            kills_before: 0,
            hits: File::open(dir.join(if v2 { "memory.events" } else { "memory.failcnt" }))?,
            hits_before: 0,
            stat: Stat::open(dir, v2)?,
            ours: None,
            in_advance: in_advance(),
            before: Before::default(),
            output: None,
            earlier: None,
        };
        memory.kills()?;
        memory.hits()?;
        memory.stat.kinds()?;
        // Swapped memory counts too. Without swap, this file may be missing.
        if let Ok(swap) = writable(&swap) {
            swap.write_at(b"0", 0)?;
        }
        Ok(memory)
    }

    /// From now on, the program may have `limit`; `taken` bytes are in memory for it already. What it writes to `output`
    /// counts.
    pub(super) fn begin(
        &mut self,
        limit: u64,
        taken: u64,
        output: Option<OutputMemory>,
    ) -> io::Result<()> {
        let earlier = std::mem::replace(&mut self.output, output);
        self.earlier = earlier.and_then(|memory| {
            let counted = memory.bytes();
            (counted > LARGE_OUTPUT).then_some(EarlierOutput { memory, counted })
        });
        let held = self.earlier.as_ref().map_or(0, |earlier| earlier.counted);
        let taken = taken.saturating_add(held);
        let usage = read_number(&self.usage)?;
        let ours = match self.ours {
            // Memory above this may be charged in advance. Reading it takes long, so this alone is no reason.
            Some(ours) if self.is_expected(usage, ours.saturating_add(taken), limit) => ours,
            _ => {
                let kinds = self.stat.kinds()?;
                self.before.files = kinds.files;
                let most = usage.saturating_sub(kinds.files);
                let held = self.stat.held(&kinds).map_or(most, |held| held.min(most));
                held.saturating_sub(taken)
            }
        };
        self.ours = Some(ours);
        self.before.usage = usage;
        self.before.ours = ours.saturating_add(taken);
        self.before.limit = limit;
        self.before.peak = 0;
        self.set_limit()?;
        self.peak.reset()?;
        self.kills_before = self.kills()?;
        self.hits_before = self.hits()?;
        Ok(())
    }

    fn set_limit(&mut self) -> io::Result<()> {
        let Before { limit, ours, .. } = self.before;
        let whole = limit.saturating_add(ours).min(i64::MAX as u64);
        if self.limit_now != Some(whole) {
            self.limit.write_at(whole.to_string().as_bytes(), 0)?;
            self.limit_now = Some(whole);
        }
        Ok(())
    }

    /// Whether the limit is higher by the output of the run before.
    pub(super) fn is_wide(&self) -> bool {
        self.earlier.is_some()
    }

    /// Lowers the limit if the judge has freed that output. Returns whether the program has more than it may have.
    pub(super) fn narrow(&mut self) -> io::Result<bool> {
        let Some(earlier) = &mut self.earlier else {
            return Ok(false);
        };
        let left = earlier.memory.bytes();
        let freed = earlier.counted.saturating_sub(left);
        if freed == 0 {
            return Ok(false);
        }
        earlier.counted = left;
        if left == 0 {
            self.earlier = None;
        }
        if let Some(peak) = self.peak.read()? {
            let above = peak.saturating_sub(self.before.usage);
            self.before.peak = self.before.peak.max(above);
            self.peak.reset()?;
        }
        self.before.usage = self.before.usage.saturating_sub(freed);
        self.before.ours = self.before.ours.saturating_sub(freed);
        match self.set_limit() {
            // Version 1 refuses a limit below the usage.
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Ok(true),
            other => other.map(|()| false),
        }
    }

    pub(super) fn lift(&mut self) -> io::Result<()> {
        // Valid in both versions: version 1 rounds a value down that is too large.
        let most = (i64::MAX as u64).to_string();
        self.limit.write_at(most.as_bytes(), 0)?;
        self.limit_now = None;
        Ok(())
    }

    /// Whether the kernel killed something since `begin`, and for this limit: what it kills because the machine, or a
    /// group above, is out of memory is counted too.
    pub(super) fn has_killed(&self) -> io::Result<bool> {
        // The limit first: it is rarely reached.
        Ok(self.hits()? > self.hits_before && self.kills()? > self.kills_before)
    }

    fn kills(&self) -> io::Result<u64> {
        numbers(&self.events, "oom_kill")
    }

    fn hits(&self) -> io::Result<u64> {
        if self.is_version_2() { numbers(&self.hits, "oom") } else { read_number(&self.hits) }
    }

    /// The peak of the run, if it is not `resident`, the most that any one process had of memory and of pages of files:
    /// if that is more than the program may have, some of it must be pages of files, and what the group held at most
    /// counts; if the group, without such pages, held clearly more, there were several processes.
    pub(super) fn peak(&self, resident: u64) -> io::Result<Option<u64>> {
        let Some(peak) = self.peak.read()? else {
            // The kernel kills a program above the limit, so nothing more is known.
            return Ok(Some(self.before.limit).filter(|&limit| limit < resident));
        };
        if resident > self.before.limit {
            return Ok(Some(resident.min(peak.saturating_sub(self.before.ours))));
        }
        let more = peak.saturating_sub(self.before.usage).max(self.before.peak);
        let is_known = |more| more <= resident + COARSE;
        if is_known(more) {
            return Ok(None);
        }
        // The output is no memory of the program's.
        let output = self.output.as_ref().map_or(0, OutputMemory::bytes);
        let more = more.saturating_sub(output);
        if is_known(more) {
            return Ok(None);
        }
        let files = self.stat.kinds()?.files.saturating_sub(self.before.files);
        Ok(Some(more.saturating_sub(files)).filter(|&peak| peak > resident))
    }

    /// Whether `usage` of a group without a program needs no closer look before a program with this limit, if `held` of it
    /// cannot be taken back.
    fn is_expected(&self, usage: u64, held: u64, limit: u64) -> bool {
        let in_transit = if is_small(Bytes(limit)) { 0 } else { IN_TRANSIT };
        let rest = usage.checked_sub(held + self.before.files);
        rest.is_some_and(|rest| rest <= self.in_advance + in_transit)
    }

    /// Whether it belongs to cgroup v2.
    pub(super) fn is_version_2(&self) -> bool {
        self.stat.is_version_2()
    }
}

impl Peak {
    /// `None`: unknown.
    fn read(&self) -> io::Result<Option<u64>> {
        match self {
            Self::OfRun(peak) => read_number(peak).map(Some),
            Self::Unknown => Ok(None),
        }
    }

    fn reset(&self) -> io::Result<()> {
        match self {
            Self::OfRun(peak) => peak.write_at(b"0", 0).map(drop),
            Self::Unknown => Ok(()),
        }
    }
}

impl Stat {
    fn open(dir: &Path, v2: bool) -> io::Result<Self> {
        Ok(Self {
            whole: File::open(dir.join("memory.stat"))?,
            keys: if v2 {
                ["file", "shmem", "anon"]
            } else {
                ["total_cache", "total_shmem", "total_rss"]
            },
            kernel: (!v2)
                .then(|| File::open(dir.join("memory.kmem.usage_in_bytes")).ok())
                .flatten(),
        })
    }

    /// Reads the file once, because the kernel sums up all kinds for each reading.
    fn kinds(&self) -> io::Result<Kinds> {
        let text = read(&self.whole)?;
        let [files, in_memory, processes] = self.keys;
        // Before Linux 4.19, v1 groups do not report it.
        let in_memory = number_in(&text, in_memory).unwrap_or(0);
        Ok(Kinds {
            files: number_in(&text, files)?.saturating_sub(in_memory),
            in_memory,
            processes: number_in(&text, processes)?,
            kernel: number_in(&text, "kernel").ok(),
        })
    }

    /// What cannot be taken back, without what is charged in advance; `None` if the kernel does not tell its own part.
    fn held(&self, kinds: &Kinds) -> Option<u64> {
        let kernel = match &self.kernel {
            Some(kernel) => read_number(kernel).ok(),
            None => kinds.kernel,
        };
        Some(kernel? + kinds.in_memory + kinds.processes)
    }

    fn is_version_2(&self) -> bool {
        self.keys[0] == "file"
    }
}

#[cfg(test)]
mod tests;
