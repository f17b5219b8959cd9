//! Control groups of the launcher: exact accounts, and limits for the whole tree.
//!
//! The launcher itself moves into a group of its own in every hierarchy that lets it, so each program is born inside and
//! no run pays for a migration; what the launcher uses itself is subtracted. What cannot be had by trying is done
//! without: see [`Accounts`].

mod hierarchy;

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use self::hierarchy::Group;
pub(super) use self::hierarchy::step_aside;
use super::super::Protection;
use super::found::Found;
use super::oom_score;

/// Room for the launcher, for kernel memory that is charged too, and for charges made in batches: the kernel kills a
/// little later than the limit, never earlier.
const MEMORY_SLACK: u64 = 4 << 20;

/// As many processes of ours are in the group at most: the launcher, its decoy, the first processes of three runs'
/// namespaces, and the one that waits to become the next program.
const OURS: u64 = 6;

/// Every account that could be had.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    /// CPU time of helpers of ours that are in the groups too and have ended.
    helped: Duration,
    cpu: Option<Cpu>,
    memory: Option<Memory>,
    pids: Option<Pids>,
    /// Removed by [`Accounts::leave`].
    groups: Vec<Group>,
}

impl Accounts {
    /// Enters groups of our own wherever the system lets us; they are named after `launcher`, our process number.
    pub(super) fn enter(launcher: u32, found: &mut Found<'_>) -> Self {
        let mut accounts = Self::default();
        let may = |protection| found.permits(protection);
        for group in hierarchy::enter_all(launcher) {
            let dir = group.path();
            if may(Protection::CpuAccount) {
                accounts.cpu = accounts.cpu.or_else(|| Cpu::open(dir).ok());
            }
            if may(Protection::MemoryGroup) {
                accounts.memory = accounts.memory.or_else(|| Memory::open(dir).ok());
            }
            if may(Protection::ProcessGroup) {
                accounts.pids = accounts.pids.or_else(|| Pids::open(dir).ok());
            }
            accounts.groups.push(group);
        }
        for (protection, there) in [
            (Protection::CpuAccount, accounts.cpu.is_some()),
            (Protection::MemoryGroup, accounts.memory.is_some()),
            (Protection::ProcessGroup, accounts.pids.is_some()),
        ] {
            // What was found is found already: this only writes it down.
            found.attempt(protection, || {
                let error = || io::Error::other("no control group of it lets us make one");
                there.then_some(()).ok_or_else(error)
            });
        }
        accounts
    }

    /// Lifts the memory limit, for a program that has ended may have left the group full, with nobody in it but us.
    pub(super) fn lift_memory_limit(&mut self) -> io::Result<()> {
        match &mut self.memory {
            Some(memory) => memory.lift(),
            None => Ok(()),
        }
    }

    /// Leaves and removes our groups; everything below us must be dead.
    pub(super) fn leave(&mut self) {
        for group in self.groups.drain(..) {
            group.remove();
        }
    }

    /// To be called before a program starts; `living` as for [`Accounts::cpu`].
    pub(super) fn begin(
        &mut self,
        memory: u64,
        processes: u32,
        living: Duration,
    ) -> io::Result<()> {
        if let Some(cpu) = &mut self.cpu {
            cpu.begin(living + self.helped)?;
        }
        if let Some(account) = &mut self.memory {
            account.begin(memory)?;
        }
        if let Some(pids) = &mut self.pids {
            pids.begin(u64::from(processes) + OURS)?;
        }
        Ok(())
    }

    /// To be called once no process of ours is made any more while the program runs: there are `helpers` beside us, and so
    /// it may have exactly `processes`.
    pub(super) fn narrow(&mut self, processes: u32, helpers: usize) -> io::Result<()> {
        let ours = 1 + helpers as u64;
        match &mut self.pids {
            Some(pids) => pids.narrow(u64::from(processes) + ours),
            None => Ok(()),
        }
    }

    /// CPU time since `begin` of everything below us, whether it lives or not, without that of our helpers: `living`
    /// is what those that have not ended have ever used.
    pub(super) fn cpu(&self, living: Duration) -> io::Result<Option<Duration>> {
        let since = |cpu: &Cpu| cpu.since_begin(living + self.helped);
        self.cpu.as_ref().map(since).transpose()
    }

    /// A helper has ended, and had used this.
    pub(super) fn helper_ended(&mut self, cpu: Duration) {
        self.helped += cpu;
    }

    /// Whether the memory limit made the kernel kill something since `begin`; `None` if there is no such limit.
    pub(super) fn out_of_memory(&self) -> io::Result<Option<bool>> {
        let killed = |memory: &Memory| Ok(memory.kills()? > memory.kills_before);
        self.memory.as_ref().map(killed).transpose()
    }

    /// Whether there were too many processes since `begin`, or one was refused; `None` if there is no such limit.
    pub(super) fn out_of_processes(&self) -> io::Result<Option<bool>> {
        let refused = |pids: &Pids| Ok(pids.over || pids.refusals()? > pids.refusals_before);
        self.pids.as_ref().map(refused).transpose()
    }

    /// Peak of the whole tree since `begin`, without page cache, if it is clearly above `largest_process`.
    pub(super) fn peak_above(&self, largest_process: u64) -> io::Result<Option<u64>> {
        match &self.memory {
            Some(memory) => memory.peak_above(largest_process),
            None => Ok(None),
        }
    }

    /// Has the kernel's killer take `program` before us, if its memory is limited; whether that is settled, one way or
    /// the other.
    pub(super) fn offer(&self, program: libc::pid_t) -> bool {
        // One that has ended, or whose score is not for us to change: then the larger one goes first, which is it.
        self.memory.is_none() || oom_score::raise(program).unwrap_or(true)
    }

    pub(super) fn limits_memory(&self) -> bool {
        self.memory.is_some()
    }

    pub(super) fn limits_processes(&self) -> bool {
        self.pids.is_some()
    }

    pub(super) fn counts_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    /// Whether the memory limit is one of cgroup v2.
    pub(super) fn is_version_2(&self) -> bool {
        let memory = self.memory.as_ref();
        memory.is_some_and(|memory| memory.cache_key == "file")
    }

    /// Lets nothing below us multiply any more.
    pub(super) fn forbid_forks(&mut self) -> io::Result<()> {
        match &mut self.pids {
            Some(pids) => pids.set_limit(0),
            None => Ok(()),
        }
    }
}

/// The CPU account of a group: `cpu.stat` (cgroup v2, needs no controller) or `cpuacct.usage` (v1).
#[derive(Debug)]
struct Cpu {
    file: File,
    begun: Duration,
}

impl Cpu {
    fn open(dir: &Path) -> io::Result<Self> {
        let v2 = File::open(dir.join("cpu.stat"));
        let file = match v2 {
            Ok(file) if numbers(&file, "usage_usec").is_ok() => file,
            _ => File::open(dir.join("cpuacct.usage"))?,
        };
        let begun = Duration::ZERO;
        Ok(Self { file, begun })
    }

    fn begin(&mut self, helpers: Duration) -> io::Result<()> {
        self.begun = self.others(helpers)?;
        Ok(())
    }

    fn since_begin(&self, helpers: Duration) -> io::Result<Duration> {
        Ok(self.others(helpers)?.saturating_sub(self.begun))
    }

    /// What the group used, without us and our helpers.
    fn others(&self, helpers: Duration) -> io::Result<Duration> {
        let text = read(&self.file)?;
        let all = match text.parse() {
            Ok(nanos) => Duration::from_nanos(nanos),
            Err(_) => Duration::from_micros(number_in(&text, "usage_usec")?),
        };
        let ours = clock_gettime(ClockId::ProcessCPUTime);
        let ours = Duration::try_from(ours).map_err(io::Error::other)?;
        Ok(all.saturating_sub(ours + helpers))
    }
}

/// The memory limit of a group, cgroup v2 or v1.
#[derive(Debug)]
struct Memory {
    limit: File,
    limit_now: Option<u64>,
    usage: File,
    peak: Option<File>,
    /// Where the kernel counts its kills.
    events: File,
    kills_before: u64,
    usage_before: u64,
    stat: File,
    /// The name of page cache in `stat`.
    cache_key: &'static str,
}

impl Memory {
    fn open(dir: &Path) -> io::Result<Self> {
        let v2 = dir.join("memory.max").exists();
        let names = if v2 {
            ["max", "current", "peak", "events"]
        } else {
            [
                "limit_in_bytes",
                "usage_in_bytes",
                "max_usage_in_bytes",
                "oom_control",
            ]
        };
        let [limit, usage, peak, events] = names.map(|name| dir.join(format!("memory.{name}")));
        let memory = Self {
            limit: writable(&limit)?,
            limit_now: None,
            usage: File::open(usage)?,
            // Before Linux 6.12 the peak of a v2 group cannot be reset, so it says nothing about one run.
            peak: writable(&peak)
                .ok()
                .filter(|peak| peak.write_at(b"0", 0).is_ok()),
            events: File::open(events)?,
            kills_before: 0,
            usage_before: 0,
            stat: File::open(dir.join("memory.stat"))?,
            cache_key: if v2 { "file" } else { "total_cache" },
        };
        memory.kills()?;
        // Swapped memory is memory. Without swap there may be no such file.
        let swap = if v2 {
            "memory.swap.max"
        } else {
            "memory.swappiness"
        };
        if let Ok(swap) = writable(&dir.join(swap)) {
            swap.write_at(b"0", 0)?;
        }
        Ok(memory)
    }

    fn begin(&mut self, limit: u64) -> io::Result<()> {
        if self.limit_now != Some(limit) {
            let with_slack = limit.saturating_add(MEMORY_SLACK).min(i64::MAX as u64);
            self.limit.write_at(with_slack.to_string().as_bytes(), 0)?;
            self.limit_now = Some(limit);
        }
        if let Some(peak) = &self.peak {
            peak.write_at(b"0", 0)?;
        }
        self.usage_before = read_number(&self.usage)?;
        self.kills_before = self.kills()?;
        Ok(())
    }

    fn lift(&mut self) -> io::Result<()> {
        // As both versions understand it: version 1 rounds down what is too much.
        let most = (i64::MAX as u64).to_string();
        self.limit.write_at(most.as_bytes(), 0)?;
        self.limit_now = None;
        Ok(())
    }

    fn kills(&self) -> io::Result<u64> {
        numbers(&self.events, "oom_kill")
    }

    fn peak_above(&self, largest_process: u64) -> io::Result<Option<u64>> {
        let Some(peak) = &self.peak else {
            return Ok(None);
        };
        let used = |peak: u64| peak.saturating_sub(self.usage_before);
        let peak = used(read_number(peak)?);
        if peak <= largest_process + MEMORY_SLACK {
            return Ok(None);
        }
        // Files that were read or written count as memory of whoever touched them first; that is not the program's need.
        let without_cache = peak.saturating_sub(numbers(&self.stat, self.cache_key)?);
        Ok(Some(without_cache).filter(|&peak| peak > largest_process))
    }
}

/// The process limit of a group.
#[derive(Debug)]
struct Pids {
    limit: File,
    limit_now: Option<u64>,
    count: File,
    events: File,
    refusals_before: u64,
    /// Whether there were more than there may be before the limit was narrow.
    over: bool,
}

impl Pids {
    fn open(dir: &Path) -> io::Result<Self> {
        let pids = Self {
            limit: writable(&dir.join("pids.max"))?,
            limit_now: None,
            count: File::open(dir.join("pids.current"))?,
            events: File::open(dir.join("pids.events"))?,
            refusals_before: 0,
            over: false,
        };
        pids.refusals()?;
        Ok(pids)
    }

    fn begin(&mut self, limit: u64) -> io::Result<()> {
        self.refusals_before = self.refusals()?;
        self.over = false;
        self.set_limit(limit)
    }

    fn narrow(&mut self, limit: u64) -> io::Result<()> {
        if self.limit_now != Some(limit) {
            self.set_limit(limit)?;
            self.over = read_number(&self.count)? > limit;
        }
        Ok(())
    }

    fn set_limit(&mut self, limit: u64) -> io::Result<()> {
        if self.limit_now != Some(limit) {
            self.limit.write_at(limit.to_string().as_bytes(), 0)?;
            self.limit_now = Some(limit);
        }
        Ok(())
    }

    fn refusals(&self) -> io::Result<u64> {
        numbers(&self.events, "max")
    }
}

fn writable(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

/// The whole of a small file that the kernel makes up, without the last line end.
fn read(file: &File) -> io::Result<String> {
    let mut buffer = vec![0; 4096];
    let n = file.read_at(&mut buffer, 0)?;
    buffer.truncate(n);
    let mut text = String::from_utf8(buffer).map_err(io::Error::other)?;
    text.truncate(text.trim_end().len());
    Ok(text)
}

fn read_number(file: &File) -> io::Result<u64> {
    read(file)?.parse().map_err(io::Error::other)
}

/// The number after `key` in a file of lines `key number`.
fn numbers(file: &File, key: &str) -> io::Result<u64> {
    number_in(&read(file)?, key)
}

fn number_in(text: &str, key: &str) -> io::Result<u64> {
    text.lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.parse().ok())
        .ok_or_else(|| io::Error::other(format!("no number named `{key}`")))
}
