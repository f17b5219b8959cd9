//! The faults of a problem's own programs, each with what to do.

use std::fmt::Display;

use crate::notice::{Code, Notice};

/// If no generator makes a valid input in this number of rounds, the search ends.
pub(super) const MOST_INVALID: u64 = 200;

/// Why no program is run on an input.
#[derive(Debug)]
pub(crate) enum InputFault {
    /// A validator rejects it, for this reason.
    Invalid { validator: String, why: String },
    /// A validator failed.
    BrokenValidator { validator: String, why: String },
}

/// The generator made no input in this round.
pub(super) fn of_generator(round: u64, fault: &dyn Display) -> Notice {
    Code::FailingProgram
        .says(format!("round {round}: {fault}"))
        .help("run this command to see the fault; correct the generator, or choose other arguments with `--generator`")
}

/// A validator rejects the input of a round, or does not decide about it.
pub(super) fn of_input(round: u64, command: &str, fault: &InputFault) -> Notice {
    match fault {
        InputFault::Invalid { validator, why } => Code::RejectedInput
            .says(format!(
                "round {round}: the generator `{command}` made an invalid input: the input validator `{validator}` \
                 rejects it: {why}"
            ))
            .help("correct the generator, or the validator if the input is valid"),
        InputFault::BrokenValidator { validator, why } => Code::FailingProgram
            .says(format!(
                "round {round}: the input validator `{validator}` failed on the output of `{command}`: {why}"
            ))
            .help("correct the validator: it must exit with 42 for a valid input, and with 43 for any other text"),
    }
}

/// The checker or the interactor does not decide about a program.
pub(super) fn of_checker(round: u64, command: &str, program: &str, why: &str) -> Notice {
    Code::FailingProgram
        .says(format!(
            "round {round}: `{program}` cannot be judged on the output of `{command}`: {why}"
        ))
        .help("correct the output validator of the problem")
}

/// None of these rounds had a valid input, so nothing was tested. `why` is the reason of the first one.
pub(super) fn of_all_inputs(rounds: u64, why: &Notice) -> Notice {
    let s = if rounds == 1 { "" } else { "s" };
    Notice {
        message: format!("no valid input in {rounds} round{s}; {}", why.message),
        ..why.clone()
    }
}

/// A source that no language compiles.
pub(super) fn of_language(program: &str) -> Notice {
    Code::UnknownLanguage
        .says(format!("`{program}` is in no known language"))
        .help("`rejudge languages` lists the languages and their file extensions")
}
