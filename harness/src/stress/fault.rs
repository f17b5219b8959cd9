//! The faults of a problem's own programs, each with what to do.

use std::fmt::Display;

use crate::notice::{Code, Notice};

/// The generator made no input in this round.
pub(super) fn of_generator(round: u64, fault: &dyn Display) -> Notice {
    Code::FailingProgram
        .says(format!("round {round}: {fault}"))
        .help("run this command to see the fault; correct the generator, or choose other arguments with `--generator`")
}

/// A validator rejects the input of a round.
pub(super) fn of_invalid_input(round: u64, command: &str, validator: &str, why: &str) -> Notice {
    Code::RejectedInput
        .says(format!(
            "round {round}: the generator `{command}` made an invalid input: the input validator `{validator}` rejects \
             it: {why}"
        ))
        .help("correct the generator, or the validator if the input is valid")
}

/// A validator does not decide about the input of a round.
pub(super) fn of_validator(round: u64, command: &str, validator: &str, why: &str) -> Notice {
    Code::FailingProgram
        .says(format!(
            "round {round}: the input validator `{validator}` failed on the output of `{command}`: {why}"
        ))
        .help("correct the validator: it must exit with 42 for a valid input, and with 43 for any other text")
}

/// The checker or the interactor does not decide about a program.
pub(super) fn of_checker(round: u64, command: &str, program: &str, why: &str) -> Notice {
    Code::FailingProgram
        .says(format!(
            "round {round}: `{program}` cannot be judged on the output of `{command}`: {why}"
        ))
        .help("correct the output validator of the problem")
}

/// No round had a valid input, so nothing was tested. `why` is the reason of the first one.
pub(super) fn of_all_inputs(rounds: u64, why: &Notice) -> Notice {
    let rounds = if rounds == 1 {
        "the only round".to_owned()
    } else {
        format!("any of {rounds} rounds")
    };
    Notice {
        message: format!("no valid input in {rounds}; {}", why.message),
        ..why.clone()
    }
}

/// A source that no language compiles.
pub(super) fn of_language(program: &str) -> Notice {
    Code::UnknownLanguage
        .says(format!("`{program}` is in no known language"))
        .help("`rejudge languages` lists the languages and their file extensions")
}
