//! The figures and limits of a group for CPU time and processes, each of cgroup v2 or v1. For memory, see
//! [`super::memory`].
//!
//! Opening a controller fails if it is missing, so nothing fails in the middle of a run.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

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

    /// The usage of the group, without our own.
    fn others(&self, helpers: Duration) -> io::Result<Duration> {
        let mut buffer = [0; 1024];
        let text = text(&self.file, &mut buffer)?;
        let all = match text.parse() {
            Ok(nanos) => Duration::from_nanos(nanos),
            Err(_) => Duration::from_micros(number_in(text, "usage_usec")?),
        };
        let ours = clock_gettime(ClockId::ProcessCPUTime);
        let ours = Duration::try_from(ours).map_err(io::Error::other)?;
        Ok(all.saturating_sub(ours + helpers))
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
    /// Whether there were too many processes before the limit was exact.
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

pub(super) fn writable(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

/// The contents of a small file that the kernel generates, without the last line end.
pub(super) fn read(file: &File) -> io::Result<String> {
    let mut buffer = [0; 8192];
    text(file, &mut buffer).map(str::to_owned)
}

pub(super) fn read_number(file: &File) -> io::Result<u64> {
    text(file, &mut [0; 64])?.parse().map_err(io::Error::other)
}

fn text<'a>(file: &File, buffer: &'a mut [u8]) -> io::Result<&'a str> {
    let length = file.read_at(buffer, 0)?;
    let text = str::from_utf8(&buffer[..length]).map_err(io::Error::other)?;
    Ok(text.trim_end())
}

/// The number after `key` in a file of lines `key number`.
pub(super) fn numbers(file: &File, key: &str) -> io::Result<u64> {
    number_in(text(file, &mut [0; 1024])?, key)
}

/// The number after `key` in lines `key number`.
pub(super) fn number_in(text: &str, key: &str) -> io::Result<u64> {
    text.lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.parse().ok())
        .ok_or_else(|| io::Error::other(format!("no number named `{key}`")))
}
