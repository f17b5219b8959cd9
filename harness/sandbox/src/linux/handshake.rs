//! The contents of the first messages between judge and launcher: the wanted protections and those that work.

use super::encoding::{Decoder, Encoder, Malformed};
use crate::back_end::BackEnd;
use crate::facts::{Facts, Isolation, ProtectionState};
use crate::protection::Protection;

/// The protections that the judge wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WantedProtections {
    /// Whether to isolate programs; otherwise there are only limits and clocks.
    pub(super) isolated: bool,
    /// Protections that must not be used.
    pub(super) without: Vec<Protection>,
}

impl WantedProtections {
    pub(super) fn new(isolation: Isolation, without: &[Protection]) -> Self {
        Self { isolated: isolation != Isolation::Off, without: without.to_vec() }
    }

    /// Every protection.
    pub(super) const EVERYTHING: Self = Self { isolated: true, without: Vec::new() };

    pub(super) fn encode(&self, out: &mut Encoder) {
        out.u8(self.isolated.into());
        out.u8(u8::try_from(self.without.len()).unwrap_or(u8::MAX));
        for &protection in &self.without {
            out.u8(protection as u8);
        }
    }

    pub(super) fn decode(input: &mut Decoder<'_>) -> Result<Self, Malformed> {
        let isolated = input.u8()? != 0;
        let count = input.u8()?;
        let without = (0..count).map(|_| protection(input)).collect::<Result<_, _>>()?;
        Ok(Self { isolated, without })
    }
}

pub(super) fn encode_facts(facts: &Facts, out: &mut Encoder) {
    out.u8(facts.back_end as u8);
    out.u8(facts.cpu_clock as u8);
    out.u8(facts.memory_clock as u8);
    out.u8(u8::try_from(facts.protections.len()).unwrap_or(u8::MAX));
    for (protection, state) in &facts.protections {
        out.u8(*protection as u8);
        match state {
            ProtectionState::Active => out.u8(1),
            ProtectionState::Missing { why } => {
                out.u8(0);
                out.bytes(why.as_bytes());
            }
        }
    }
}

pub(super) fn decode_facts(input: &mut Decoder<'_>) -> Result<Facts, Malformed> {
    let back_end = input.u8()?;
    let back_end =
        BackEnd::ALL.into_iter().find(|&known| known as u8 == back_end).ok_or(Malformed)?;
    let (cpu_clock, memory_clock) = (input.clock()?, input.clock()?);
    let count = input.u8()?;
    let protections =
        (0..count).map(|_| Ok((protection(input)?, state(input)?))).collect::<Result<_, _>>()?;
    Ok(Facts { back_end, protections, cpu_clock, memory_clock })
}

fn protection(input: &mut Decoder<'_>) -> Result<Protection, Malformed> {
    let n = input.u8()?;
    let mut all = Protection::ALL.into_iter();
    all.find(|&known| known as u8 == n).ok_or(Malformed)
}

fn state(input: &mut Decoder<'_>) -> Result<ProtectionState, Malformed> {
    if input.u8()? != 0 {
        return Ok(ProtectionState::Active);
    }
    let why = String::from_utf8_lossy(input.bytes()?).into_owned();
    Ok(ProtectionState::Missing { why })
}
