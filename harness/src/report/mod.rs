//! Shows and stores the results. Every reporter consumes the same events and nothing else.

use std::io;

use crate::event::Event;

pub(crate) mod annotations;
#[cfg(feature = "nats")]
pub(crate) mod carried;
pub(crate) mod columns;
mod destination;
pub(crate) mod facts;
pub(crate) mod fit;
#[cfg(test)]
pub(crate) mod hostile;
pub(crate) mod html;
pub(crate) mod inert;
pub(crate) mod json;
pub(crate) mod json_line;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod progress;
pub(crate) mod rerun;
#[cfg(test)]
pub(crate) mod schema;
#[cfg(test)]
mod sinks;
pub(crate) mod stored;
pub(crate) mod style;
pub(crate) mod table;
pub(crate) mod terminal;
pub(crate) mod words;
mod xml;

/// A consumer of events.
pub(crate) trait Reporter {
    /// Handles one event.
    fn event(&mut self, event: &Event<'_>) -> io::Result<()>;
}
