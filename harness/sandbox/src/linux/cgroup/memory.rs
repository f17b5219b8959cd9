//! The memory account of a group, cgroup v2 or v1: its limit, whether it was reached, and the peak.
//!
//! The group also contains the memory of our own processes, [`Memory::ours`], and file pages, which the kernel reclaims
//! when the group is full. The kernel's limit is the program's limit plus our memory, so the program gets exactly its
//! limit. The deciding peak is the same account minus the same figure.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::thread::sched_getaffinity;

use super::super::oom_score::is_small;
use super::controllers::{number_in, numbers, read, read_number, writable};
use crate::bytes::Bytes;

/// The most that a processor charges to a group in advance: `MEMCG_CHARGE_BATCH` pages. The usage includes it, and the
/// kernel reclaims it before it refuses memory.
const IN_ADVANCE: u64 = 64 * 4096;

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
            [
                "limit_in_bytes",
                "usage_in_bytes",
                "max_usage_in_bytes",
                "oom_control",
                "swappiness",
            ]
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
            hits: File::open(dir.join(if v2 {
                "memory.events"
            } else {
                "memory.failcnt"
            }))?,
            hits_before: 0,
            stat: Stat::open(dir, v2)?,
            ours: None,
            in_advance: in_advance(),
            before: Before::default(),
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

    /// From now on, the program may have `limit`; `taken` bytes are in memory for it already.
    pub(super) fn begin(&mut self, limit: u64, taken: u64) -> io::Result<()> {
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
        let whole = limit.saturating_add(self.before.ours).min(i64::MAX as u64);
        if self.limit_now != Some(whole) {
            self.limit.write_at(whole.to_string().as_bytes(), 0)?;
            self.limit_now = Some(whole);
        }
        if let Peak::OfRun(peak) = &self.peak {
            peak.write_at(b"0", 0)?;
        }
        self.kills_before = self.kills()?;
        self.hits_before = self.hits()?;
        Ok(())
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
        if self.is_version_2() {
            numbers(&self.hits, "oom")
        } else {
            read_number(&self.hits)
        }
    }

    /// The peak of the run, if it is not `resident`, the most that any one process had of memory and of pages of files:
    /// if that is more than the program may have, some of it must be pages of files, and what the group held at most
    /// counts; if the group, without such pages, held clearly more, there were several processes.
    pub(super) fn peak(&self, resident: u64) -> io::Result<Option<u64>> {
        let Peak::OfRun(peak) = &self.peak else {
            // The kernel kills a program above the limit, so nothing more is known.
            return Ok(Some(self.before.limit).filter(|&limit| limit < resident));
        };
        let peak = read_number(peak)?;
        if resident > self.before.limit {
            return Ok(Some(resident.min(peak.saturating_sub(self.before.ours))));
        }
        let more = peak.saturating_sub(self.before.usage);
        if more <= resident + COARSE {
            return Ok(None);
        }
        let files = self.stat.kinds()?.files;
        let files = files.saturating_sub(self.before.files);
        Ok(Some(more.saturating_sub(files)).filter(|&peak| peak > resident))
    }

    /// Whether `usage` of a group without a program needs no closer look before a program with this limit, if `held` of it
    /// cannot be taken back.
    fn is_expected(&self, usage: u64, held: u64, limit: u64) -> bool {
        let in_transit = if is_small(Bytes(limit)) {
            0
        } else {
            IN_TRANSIT
        };
        let rest = usage.checked_sub(held + self.before.files);
        rest.is_some_and(|rest| rest <= self.in_advance + in_transit)
    }

    /// Whether it belongs to cgroup v2.
    pub(super) fn is_version_2(&self) -> bool {
        self.stat.is_version_2()
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
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    const MIB: u64 = 1 << 20;

    /// The files of a group, as the kernel would show them.
    struct TestGroup(TempDir, bool);

    impl TestGroup {
        fn new(v2: bool) -> Self {
            let group = Self(TempDir::new().unwrap(), v2);
            group.write(["max", "limit_in_bytes"], "0");
            group.write(["events", "oom_control"], "low 0\noom 0\noom_kill 3");
            group.write(["events.local", "failcnt"], "0");
            group.holds(MIB, 0, 0, 1024);
            group
        }

        fn path(&self, [second, first]: [&str; 2]) -> std::path::PathBuf {
            let name = if self.1 { second } else { first };
            self.0.path().join(format!("memory.{name}"))
        }

        fn write(&self, names: [&str; 2], text: &str) {
            fs::write(self.path(names), text).unwrap();
        }

        fn peak(&self, bytes: u64) {
            self.write(["peak", "max_usage_in_bytes"], &bytes.to_string());
        }

        fn limit(&self) -> u64 {
            let text = fs::read_to_string(self.path(["max", "limit_in_bytes"])).unwrap();
            text.parse().unwrap()
        }

        /// `own` bytes of processes and the kernel, of files, of files in memory, and charged in advance.
        fn holds(&self, own: u64, files: u64, in_memory: u64, advance: u64) {
            let usage = own + files + in_memory + advance;
            self.write(["current", "usage_in_bytes"], &usage.to_string());
            let (both, kernel) = (files + in_memory, own / 4);
            let processes = own - kernel;
            let text = if self.1 {
                format!("anon {processes}\nfile {both}\nkernel {kernel}\nshmem {in_memory}")
            } else {
                format!("total_cache {both}\ntotal_rss {processes}\ntotal_shmem {in_memory}")
            };
            self.write(["stat", "stat"], &text);
            if !self.1 {
                self.write(["", "kmem.usage_in_bytes"], &kernel.to_string());
            }
        }
    }

    #[test]
    fn a_program_may_have_its_limit_above_what_is_ours_and_cannot_be_taken_back() {
        for v2 in [false, true] {
            let group = TestGroup::new(v2);
            let mut memory = Memory::open(group.0.path()).unwrap();
            assert_eq!(memory.is_version_2(), v2);
            memory.begin(64 * MIB, 0).unwrap();
            assert_eq!(group.limit(), 65 * MIB);
            // Pages of files and charges in advance give nobody more.
            group.holds(MIB, 40 * MIB, 0, 100 << 10);
            memory.begin(64 * MIB, 0).unwrap();
            assert_eq!(group.limit(), 65 * MIB);
            // What was taken into memory for the program is not its own, and ours may grow.
            group.holds(2 * MIB, 0, 7 * MIB, 0);
            memory.begin(64 * MIB, 7 * MIB).unwrap();
            assert_eq!(group.limit(), 73 * MIB);
            group.holds(MIB, 0, 0, 0);
            memory.begin(64 * MIB, 0).unwrap();
            assert_eq!(group.limit(), 65 * MIB);
        }
    }

    #[test]
    fn what_is_freed_soon_takes_nothing_from_a_program_with_a_small_limit() {
        for v2 in [false, true] {
            let group = TestGroup::new(v2);
            let mut memory = Memory::open(group.0.path()).unwrap();
            memory.begin(64 * MIB, 0).unwrap();
            let later = MIB + IN_TRANSIT;
            group.holds(later, 0, 0, in_advance());
            memory.begin(64 * MIB, 0).unwrap();
            assert_eq!(group.limit(), 65 * MIB);
            memory.begin(12 * MIB, 0).unwrap();
            assert_eq!(group.limit(), 12 * MIB + later);
        }
    }

    #[test]
    fn the_peak_is_of_the_account_that_decides() {
        for v2 in [false, true] {
            let group = TestGroup::new(v2);
            group.peak(0);
            let mut memory = Memory::open(group.0.path()).unwrap();
            memory.begin(64 * MIB, 0).unwrap();
            let peak = |group_peak: u64, resident: u64| {
                group.peak(group_peak);
                memory.peak(resident).unwrap()
            };
            // One process, whose own figure is more precise.
            assert_eq!(peak(11 * MIB, 10 * MIB), None);
            // Several.
            assert_eq!(peak(31 * MIB + 1024, 10 * MIB), Some(30 * MIB));
            // Part of it was pages of files, which are no memory of the program's.
            assert_eq!(peak(65 * MIB, 66 * MIB), Some(64 * MIB));
            assert_eq!(peak(5 * MIB, 66 * MIB), Some(4 * MIB));
            // Those that are there still are known.
            group.holds(MIB, 15 * MIB, 5 * MIB, 0);
            assert_eq!(peak(31 * MIB + 1024, 10 * MIB), Some(15 * MIB));
        }
    }

    #[test]
    fn where_the_kernel_tells_no_peak_the_limit_bounds_the_figure() {
        let group = TestGroup::new(true);
        let mut memory = Memory::open(group.0.path()).unwrap();
        memory.begin(64 * MIB, 0).unwrap();
        assert_eq!(memory.peak(10 * MIB).unwrap(), None);
        assert_eq!(memory.peak(66 * MIB).unwrap(), Some(64 * MIB));
    }
}
