//! Shows and stores the results of a run. Every reporter consumes the same events and nothing else: nothing here knows how
//! programs are compiled, run and judged.

use std::io;

use crate::event::Event;

pub(crate) mod annotations;
#[cfg(feature = "nats")]
pub(crate) mod carried;
#[cfg(test)]
mod hostile_tests;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod matrix;
pub(crate) mod points;
pub(crate) mod rerun;
pub(crate) mod stored;
pub(crate) mod table;
pub(crate) mod terminal;
pub(crate) mod words;
mod xml;

/// A consumer of events.
pub(crate) trait Reporter {
    /// Handles one event.
    fn event(&mut self, event: &Event<'_>) -> io::Result<()>;
}
