//! What a group counts and limits: CPU time, memory and processes, each of cgroup v2 or v1.
//!
//! What is not there is found out when a controller is opened, not in the middle of a run.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Room for the launcher, for kernel memory that is charged too, and for charges made in batches: the kernel kills a
/// little later than the limit, never earlier.
const MEMORY_SLACK: u64 = 4 << 20;

/// The CPU account of a group: `cpu.stat` (cgroup v2, needs no controller) or `cpuacct.usage` (v1).
#[derive(Debug)]
pub(super) struct Cpu {
    file: File,
    begun: Duration,
}

impl Cpu {
    pub(super) fn open(dir: &Path) -> io::Result<Self> {
        let v2 = File::open(dir.join("cpu.stat"));
        let file = match v2 {
            Ok(file) if numbers(&file, "usage_usec").is_ok() => file,
            _ => File::open(dir.join("cpuacct.usage"))?,
        };
        let begun = Duration::ZERO;
        Ok(Self { file, begun })
    }

    pub(super) fn begin(&mut self, helpers: Duration) -> io::Result<()> {
        self.begun = self.others(helpers)?;
        Ok(())
    }

    pub(super) fn since_begin(&self, helpers: Duration) -> io::Result<Duration> {
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
pub(super) struct Memory {
    limit: File,
    limit_now: Option<u64>,
    usage: File,
    peak: Option<File>,
    /// Where the kernel counts its kills.
    events: File,
    kills_before: u64,
    /// Where the kernel counts how often the group was at its limit.
    hits: File,
    hits_before: u64,
    usage_before: u64,
    stat: File,
    /// The name of page cache in `stat`.
    pub(super) cache_key: &'static str,
}

impl Memory {
    pub(super) fn open(dir: &Path) -> io::Result<Self> {
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
            hits: File::open(dir.join(if v2 {
                "memory.events"
            } else {
                "memory.failcnt"
            }))?,
            hits_before: 0,
            usage_before: 0,
            stat: File::open(dir.join("memory.stat"))?,
            cache_key: if v2 { "file" } else { "total_cache" },
        };
        memory.kills()?;
        memory.hits()?;
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

    pub(super) fn begin(&mut self, limit: u64) -> io::Result<()> {
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
        self.hits_before = self.hits()?;
        Ok(())
    }

    pub(super) fn lift(&mut self) -> io::Result<()> {
        // As both versions understand it: version 1 rounds down what is too much.
        let most = (i64::MAX as u64).to_string();
        self.limit.write_at(most.as_bytes(), 0)?;
        self.limit_now = None;
        Ok(())
    }

    /// Whether the kernel killed something since `begin`, and for this limit: what it kills because the machine, or a
    /// group above, is out of memory is counted too.
    pub(super) fn has_killed(&self) -> io::Result<bool> {
        Ok(self.kills()? > self.kills_before && self.hits()? > self.hits_before)
    }

    fn kills(&self) -> io::Result<u64> {
        numbers(&self.events, "oom_kill")
    }

    fn hits(&self) -> io::Result<u64> {
        let text = read(&self.hits)?;
        // Version 1 has a file for nothing else.
        text.parse().or_else(|_| number_in(&text, "oom"))
    }

    pub(super) fn peak_above(&self, largest_process: u64) -> io::Result<Option<u64>> {
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
pub(super) struct Pids {
    limit: File,
    limit_now: Option<u64>,
    count: File,
    events: File,
    pub(super) refusals_before: u64,
    /// Whether there were more than there may be before the limit was narrow.
    pub(super) over: bool,
}

impl Pids {
    pub(super) fn open(dir: &Path) -> io::Result<Self> {
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

    pub(super) fn begin(&mut self, limit: u64) -> io::Result<()> {
        self.refusals_before = self.refusals()?;
        self.over = false;
        self.set_limit(limit)
    }

    pub(super) fn narrow(&mut self, limit: u64) -> io::Result<()> {
        if self.limit_now != Some(limit) {
            self.set_limit(limit)?;
            self.over = read_number(&self.count)? > limit;
        }
        Ok(())
    }

    pub(super) fn set_limit(&mut self, limit: u64) -> io::Result<()> {
        if self.limit_now != Some(limit) {
            self.limit.write_at(limit.to_string().as_bytes(), 0)?;
            self.limit_now = Some(limit);
        }
        Ok(())
    }

    pub(super) fn refusals(&self) -> io::Result<u64> {
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
