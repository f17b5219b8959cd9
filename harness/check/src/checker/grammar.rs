//! An output validator in Checktestdata: a grammar that the output must follow.

use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use rejudge_checktestdata::{Grammar, Ruling};

use super::{CheckOutcome, Checked, Mismatch};
use rejudge_sandbox::Captured;

/// A grammar of outputs.
#[derive(Debug, Clone)]
pub struct OutputGrammar {
    grammar: Arc<Grammar>,
    /// How long a comparison may take.
    time: Duration,
}

impl OutputGrammar {
    /// The grammar as a checker that takes at most `time` for an output.
    pub fn new(grammar: Grammar, time: Duration) -> Self {
        Self { grammar: Arc::new(grammar), time }
    }

    /// Compares an output with the grammar.
    pub(super) fn check(&self, output: &Captured) -> Checked {
        let mut bytes = Vec::new();
        let read = output.reader().and_then(|mut reader| reader.read_to_end(&mut bytes));
        if let Err(error) = read {
            return CheckOutcome::Fault(format!("cannot read the output: {error}")).into();
        }
        let ruling = self.grammar.check(&bytes, self.time);
        let timed_out = ruling == Ruling::TimedOut;
        let outcome = match ruling {
            Ruling::Valid => CheckOutcome::Accepted,
            Ruling::Invalid(headline) => {
                CheckOutcome::Wrong(Mismatch { headline, ..Mismatch::default() })
            }
            Ruling::Failed(why) => CheckOutcome::Fault(format!("the grammar is at fault: {why}")),
            Ruling::TimedOut => {
                CheckOutcome::Fault("the grammar exceeded its time limit".to_owned())
            }
        };
        Checked { timed_out, ..outcome.into() }
    }
}
