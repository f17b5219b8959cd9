//! The bytes of messages: little-endian numbers and length-prefixed strings.

use std::ffi::CString;
use std::time::Duration;

use rejudge_quantity::Bytes;

use crate::contention::Contention;
use crate::execution::{Clock, Exit, LimitKind, Usage};
use crate::limits::Limits;

/// A malformed message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// Writes a message.
pub(super) struct Encoder(Vec<u8>);

impl Encoder {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }

    pub(super) fn u8(&mut self, n: u8) {
        self.0.push(n);
    }

    pub(super) fn u64(&mut self, n: u64) {
        self.0.extend_from_slice(&n.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn strings(&mut self, strings: &[CString]) {
        self.u64(strings.len() as u64);
        for string in strings {
            self.bytes(string.as_bytes());
        }
    }

    /// Whole seconds and nanoseconds separately, so that every duration round-trips.
    fn duration(&mut self, duration: Duration) {
        self.u64(duration.as_secs());
        self.u64(duration.subsec_nanos().into());
    }

    pub(super) fn limits(&mut self, limits: &Limits) {
        self.duration(limits.cpu_time);
        self.duration(limits.cpu_kill);
        self.duration(limits.wall_time);
        self.u64(limits.memory.get());
        self.u64(limits.output.get());
        self.u64(limits.stack.get());
        self.u64(limits.processes.into());
        self.u64(limits.file_size.get());
        self.u8(limits.one_core.into());
    }

    pub(super) fn exit(&mut self, exit: Exit) {
        let (kind, n) = match exit {
            Exit::Code(code) => (0, code),
            Exit::Signal(signal) => (1, signal),
            Exit::Killed(limit) => (2, limit as i32),
            Exit::Stopped => (3, 0),
        };
        self.u8(kind);
        self.u64(u64::from(n.cast_unsigned()));
    }

    pub(super) fn usage(&mut self, usage: &Usage) {
        self.duration(usage.cpu_user);
        self.duration(usage.cpu_system);
        self.u8(usage.cpu_clock as u8);
        self.duration(usage.wall);
        self.u64(usage.peak_memory.get());
        self.u8(usage.memory_clock as u8);
        self.u8(usage.memory_enforced.into());
        self.u64(usage.output.get());
        self.u8(usage.preloaded.into());
        self.contention(&usage.contention);
    }

    fn contention(&mut self, contention: &Contention) {
        self.duration(contention.observed);
        self.duration(contention.starved);
        self.duration(contention.run_delay);
        self.duration(contention.others);
        self.duration(contention.steal);
        self.duration(contention.throttled);
        self.u64(contention.processors.into());
    }
}

/// Reads a message.
pub(super) struct Decoder<'a>(&'a [u8]);

impl<'a> Decoder<'a> {
    pub(super) fn new(message: &'a [u8]) -> Self {
        Self(message)
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    /// `value`, if the message ends here.
    pub(super) fn end<T>(&self, value: T) -> Result<T, Malformed> {
        if self.0.is_empty() { Ok(value) } else { Err(Malformed) }
    }

    pub(super) fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn u64(&mut self) -> Result<u64, Malformed> {
        let bytes = self.take(8)?.try_into().map_err(|_| Malformed)?;
        Ok(u64::from_le_bytes(bytes))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Malformed> {
        u32::try_from(self.u64()?).map_err(|_| Malformed)
    }

    pub(super) fn i32(&mut self) -> Result<i32, Malformed> {
        Ok(self.u32()?.cast_signed())
    }

    fn len(&mut self) -> Result<usize, Malformed> {
        let len = usize::try_from(self.u64()?).map_err(|_| Malformed)?;
        // A string is no longer than the rest of the message, so a hostile length allocates nothing.
        if len <= self.0.len() { Ok(len) } else { Err(Malformed) }
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let len = self.len()?;
        self.take(len)
    }

    pub(super) fn strings(&mut self) -> Result<Vec<CString>, Malformed> {
        (0..self.len()?).map(|_| CString::new(self.bytes()?).map_err(|_| Malformed)).collect()
    }

    fn duration(&mut self) -> Result<Duration, Malformed> {
        let (secs, nanos) = (self.u64()?, self.u32()?);
        if nanos < 1_000_000_000 { Ok(Duration::new(secs, nanos)) } else { Err(Malformed) }
    }

    pub(super) fn limits(&mut self) -> Result<Limits, Malformed> {
        Ok(Limits {
            cpu_time: self.duration()?,
            cpu_kill: self.duration()?,
            wall_time: self.duration()?,
            memory: Bytes(self.u64()?),
            output: Bytes(self.u64()?),
            stack: Bytes(self.u64()?),
            processes: self.u32()?,
            file_size: Bytes(self.u64()?),
            one_core: self.u8()? != 0,
        })
    }

    pub(super) fn exit(&mut self) -> Result<Exit, Malformed> {
        const KINDS: [LimitKind; 7] = [
            LimitKind::Cpu,
            LimitKind::Wall,
            LimitKind::Memory,
            LimitKind::Output,
            LimitKind::Processes,
            LimitKind::Files,
            LimitKind::Idle,
        ];
        let (kind, n) = (self.u8()?, self.i32()?);
        match kind {
            0 => Ok(Exit::Code(n)),
            1 => Ok(Exit::Signal(n)),
            2 => {
                let limit = KINDS.into_iter().find(|&limit| limit as i32 == n);
                limit.map(Exit::Killed).ok_or(Malformed)
            }
            3 => Ok(Exit::Stopped),
            _ => Err(Malformed),
        }
    }

    pub(super) fn clock(&mut self) -> Result<Clock, Malformed> {
        let n = self.u8()?;
        let mut all = [Clock::Rusage, Clock::Cgroup, Clock::Polled].into_iter();
        all.find(|&clock| clock as u8 == n).ok_or(Malformed)
    }

    pub(super) fn usage(&mut self) -> Result<Usage, Malformed> {
        Ok(Usage {
            cpu_user: self.duration()?,
            cpu_system: self.duration()?,
            cpu_clock: self.clock()?,
            wall: self.duration()?,
            peak_memory: Bytes(self.u64()?),
            memory_clock: self.clock()?,
            memory_enforced: self.u8()? != 0,
            output: Bytes(self.u64()?),
            preloaded: self.u8()? != 0,
            contention: self.contention()?,
        })
    }

    fn contention(&mut self) -> Result<Contention, Malformed> {
        Ok(Contention {
            observed: self.duration()?,
            starved: self.duration()?,
            run_delay: self.duration()?,
            others: self.duration()?,
            steal: self.duration()?,
            throttled: self.duration()?,
            processors: self.u32()?,
        })
    }
}
