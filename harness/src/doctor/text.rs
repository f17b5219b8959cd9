//! The findings as human-readable text.

use std::io::{self, Write};

use super::{Diagnosis, MissingProtection, noise};
use crate::compile::BROUGHT;
use crate::sandbox::{Extent, Guarantee, ProtectionState};
use crate::show::style::{BAD, BOLD, DIM, GOOD, WARN};
use crate::show::words::{Count, clock};

/// Writes all sections, with styles that the stream keeps or strips.
pub(crate) fn write(found: &Diagnosis, out: &mut dyn Write) -> io::Result<()> {
    sandbox(found, out)?;
    machine(found, out)?;
    languages(found, out)?;
    headers(out)?;
    closing(found, out)
}

fn sandbox(found: &Diagnosis, out: &mut dyn Write) -> io::Result<()> {
    let facts = &found.facts;
    writeln!(out, "{BOLD}sandbox{BOLD:#}  {}", facts.back_end.describe())?;
    let (cpu, memory) = (clock(facts.cpu_clock), clock(facts.memory_clock));
    writeln!(out, "  clocks: CPU time by {cpu}, memory by {memory}")?;
    for (protection, state) in &facts.protections {
        if *state == ProtectionState::Active {
            writeln!(out, "  {GOOD}ok{GOOD:#}    {}", protection.describe())?;
        }
    }
    let missing: Vec<MissingProtection> = found.missing().collect();
    // Protections with the same reason and the same remedy are grouped.
    for group in missing.chunk_by(|a, b| (&a.why, &a.advice) == (&b.why, &b.advice)) {
        for one in group {
            writeln!(out, "  {BAD}no{BAD:#}    {}", one.what)?;
        }
        let MissingProtection { why, advice, .. } = &group[0];
        if !why.is_empty() {
            writeln!(out, "          {DIM}{why}{DIM:#}")?;
        }
        writeln!(out, "          help: {advice}")?;
    }
    writeln!(out, "  guarantees: a judged program")?;
    for guarantee in Guarantee::ALL {
        let held = guarantee.here(facts);
        let style = match held {
            Extent::Yes => GOOD,
            Extent::InPart => WARN,
            Extent::No => BAD,
        };
        let word = held.word();
        writeln!(out, "    {style}{word:<7}{style:#}  {}", guarantee.describe())?;
    }
    writeln!(out)
}

fn machine(found: &Diagnosis, out: &mut dyn Write) -> io::Result<()> {
    let machine = &found.machine;
    write!(out, "{BOLD}machine{BOLD:#}  ")?;
    if let Some(cpu) = &machine.cpu {
        write!(out, "{cpu}, ")?;
    }
    write!(
        out,
        "{}, {} usable, {}",
        Count(machine.cores, "core"),
        Count(found.noise.processors, "processor"),
        machine.os
    )?;
    match &machine.kernel {
        Some(kernel) => writeln!(out, " {kernel}")?,
        None => writeln!(out)?,
    }
    for (what, remedy) in noise::sources(&found.noise) {
        writeln!(out, "  {WARN}noise{WARN:#} {what}")?;
        writeln!(out, "          {DIM}help: {remedy}{DIM:#}")?;
    }
    writeln!(out)
}

fn languages(found: &Diagnosis, out: &mut dyn Write) -> io::Result<()> {
    let installed = found.languages.iter().filter(|(_, installed)| *installed);
    let ids: Vec<&str> = installed.map(|(id, _)| id.as_str()).collect();
    write!(out, "{BOLD}languages{BOLD:#}  {} of {} installed", ids.len(), found.languages.len())?;
    if !ids.is_empty() {
        write!(out, ": {}", ids.join(", "))?;
    }
    if ids.len() < found.languages.len() {
        write!(out, "\n  `rejudge languages` lists what to install")?;
    }
    writeln!(out, "\n")
}

/// The headers of others that rejudge brings along.
fn headers(out: &mut dyn Write) -> io::Result<()> {
    let headers = BROUGHT.iter();
    let headers: Vec<String> =
        headers.map(|one| format!("{} {} ({})", one.name, one.version, one.licence)).collect();
    writeln!(out, "{BOLD}headers{BOLD:#}  brought along: {}\n", headers.join(", "))
}

fn closing(found: &Diagnosis, out: &mut dyn Write) -> io::Result<()> {
    let missing = found.missing().count();
    let noise = Count(noise::sources(&found.noise).len(), "source");
    if missing == 0 {
        writeln!(out, "{GOOD}no important protection is missing{GOOD:#}, {noise} of noise")
    } else {
        let protections = if missing == 1 {
            "1 important protection is".to_owned()
        } else {
            format!("{missing} important protections are")
        };
        writeln!(out, "{BAD}{protections} missing{BAD:#}, {noise} of noise")
    }?;
    writeln!(out, "`rejudge self-test` tries what this lists, with honest and hostile programs")
}
