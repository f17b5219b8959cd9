//! The arguments of a command, which are described only when that command is used: to describe those of all commands takes
//! longer than most of what a command does at its start.

use std::ops::Deref;

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// The arguments `T`. A command with subcommands of its own cannot have these: its help is completed before it is used.
#[derive(Debug)]
pub(super) struct Deferred<T>(T);

impl<T> Deferred<T> {
    pub(super) fn new(arguments: T) -> Self {
        Self(arguments)
    }
}

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| as_before(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| as_before(command, T::augment_args_for_update))
    }
}

/// Describes the arguments of the command, and keeps what was said about the command itself.
fn as_before(command: Command, describe: fn(Command) -> Command) -> Command {
    let [about, long_about] = [command.get_about(), command.get_long_about()].map(|text| {
        let text = text.cloned();
        text.map_or(Resettable::Reset, Resettable::Value)
    });
    describe(command).about(about).long_about(long_about)
}
