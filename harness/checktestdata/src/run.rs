//! Runs a grammar on an input.

mod evaluation;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use super::arrays::Array;
use super::patterns::Pattern;
use super::scanner::Scanner;
use super::syntax::{
    Condition, Expression, FloatCommand, GrammarAction, GrammarCommand, Loop, Notation, Variable,
};
use super::value::{self, GrammarValue};
use super::{Grammar, Ruling};

/// The most memory for all variables, in MiB. The tests use less, to be fast.
const MOST_MEMORY: u64 = if cfg!(test) { 32 } else { 1024 };
/// The number of regular expressions that are kept. A grammar may make them from the input.
const MOST_PATTERNS: usize = 32;
/// The number of steps between two looks at the clock. A step with the largest numbers takes a tenth of a second.
const STRIDE: u64 = 16;

/// Why a grammar ends early.
enum Stop {
    Invalid(String),
    Failed(String),
    TimedOut,
}

type GrammarStep<T> = Result<T, Stop>;

fn failed(error: impl std::fmt::Display) -> Stop {
    Stop::Failed(error.to_string())
}

fn invalid(error: impl std::fmt::Display) -> Stop {
    Stop::Invalid(error.to_string())
}

pub(super) fn check(grammar: &Grammar, input: &[u8], time: Duration) -> Ruling {
    let mut run = GrammarRun {
        grammar,
        scanner: Scanner::new(input),
        arrays: grammar.variables.iter().map(|_| Array::default()).collect(),
        bytes: 0,
        patterns: HashMap::new(),
        steps: 0,
        end: Instant::now() + time,
        command: None,
        start: 0,
        equal: String::new(),
    };
    let result = run.block(&grammar.commands).and_then(|()| {
        run.command = None;
        run.start = run.scanner.at;
        run.end_of_file()
    });
    let (line, column) = run.scanner.place(run.start);
    let place = format!("line {line}, column {column}");
    let of = run.command.map_or("the end of the file".to_owned(), |command| {
        let first = command.text.lines().next().unwrap_or_default();
        format!("`{first}` in line {} of the grammar", command.line)
    });
    match result {
        Ok(()) => Ruling::Valid,
        Err(Stop::Invalid(why)) => Ruling::Invalid(format!("{place}: {why}: expected {of}")),
        Err(Stop::Failed(why)) => Ruling::Failed(format!("{why}: {of}, at {place} of the input")),
        Err(Stop::TimedOut) => Ruling::TimedOut,
    }
}

struct GrammarRun<'a> {
    grammar: &'a Grammar,
    scanner: Scanner<'a>,
    arrays: Vec<Array>,
    /// The memory that all arrays need.
    bytes: u64,
    patterns: HashMap<Vec<u8>, Pattern>,
    steps: u64,
    end: Instant,
    /// The command that runs, and where it started in the input.
    command: Option<&'a GrammarCommand>,
    start: usize,
    /// The equal tuples that the last `UNIQUE` found, for a message.
    equal: String,
}

impl<'a> GrammarRun<'a> {
    fn block(&mut self, commands: &'a [GrammarCommand]) -> GrammarStep<()> {
        commands.iter().try_for_each(|command| self.run(command))
    }

    /// Counts a step, and ends the run when its time is over.
    fn tick(&mut self) -> GrammarStep<()> {
        self.steps += 1;
        if self.steps.is_multiple_of(STRIDE) && Instant::now() >= self.end {
            return Err(Stop::TimedOut);
        }
        Ok(())
    }

    fn run(&mut self, command: &'a GrammarCommand) -> GrammarStep<()> {
        self.tick()?;
        self.command = Some(command);
        self.start = self.scanner.at;
        match &command.action {
            GrammarAction::Space => self.byte(b' ', "a space"),
            GrammarAction::Newline => self.byte(b'\n', "a line end"),
            GrammarAction::EndOfFile => self.end_of_file(),
            GrammarAction::Integer { min, max, name } => self.integer(min, max, name.as_ref()),
            GrammarAction::Float(float) => self.float(float),
            GrammarAction::Text(text) => self.text(text),
            GrammarAction::Pattern(pattern, name) => self.pattern(pattern, name.as_ref()),
            GrammarAction::Assert(test) => {
                self.equal.clear();
                if self.test(test)? {
                    return Ok(());
                }
                Err(invalid(format_args!("the assertion is false{}", self.equal)))
            }
            GrammarAction::Set(all) => all.iter().try_for_each(|(variable, expression)| {
                let value = self.value(expression)?;
                self.set(variable, value)
            }),
            GrammarAction::Unset(variables) => {
                for number in variables {
                    let old = std::mem::take(&mut self.arrays[*number]);
                    self.bytes -= old.bytes();
                }
                Ok(())
            }
            GrammarAction::Loop(repeated) => self.repeat(command, repeated),
            GrammarAction::If { test, then, otherwise } => {
                let chosen = if self.test(test)? { then } else { otherwise };
                self.block(chosen)
            }
        }
    }

    fn repeat(&mut self, command: &'a GrammarCommand, repeated: &'a Loop) -> GrammarStep<()> {
        let times = match &repeated.condition {
            Condition::Times(count) => Some(self.count(count)?),
            Condition::While(_) => None,
        };
        let mut done = 0;
        loop {
            self.tick()?;
            (self.command, self.start) = (Some(command), self.scanner.at);
            if let Some(counter) = &repeated.counter {
                self.set(counter, GrammarValue::Integer(BigInt::from(done)))?;
            }
            let goes_on = match (&repeated.condition, times) {
                (Condition::While(test), _) => self.test(test)?,
                (_, times) => times.is_some_and(|times| done < times),
            };
            if !goes_on {
                return Ok(());
            }
            if let Some(separator) = repeated.separator.as_ref().filter(|_| done > 0) {
                self.run(separator)?;
            }
            self.block(&repeated.body)?;
            done += 1;
        }
    }

    fn count(&mut self, expression: &'a Expression) -> GrammarStep<u64> {
        let value = self.value(expression)?;
        let count = if let GrammarValue::Integer(number) = &value { number.to_u64() } else { None };
        count
            .ok_or_else(|| failed(format_args!("{} is not a number of repetitions", value.shown())))
    }

    fn byte(&mut self, byte: u8, name: &str) -> GrammarStep<()> {
        if self.scanner.take(byte) {
            return Ok(());
        }
        Err(self.found(name))
    }

    /// What is in the input instead of what is wanted.
    fn found(&self, wanted: &str) -> Stop {
        match self.scanner.peek() {
            None => invalid(format_args!("{wanted} is missing, the input ends")),
            Some(byte) => {
                invalid(format_args!("{wanted} is missing, found `{}`", byte.escape_ascii()))
            }
        }
    }

    fn end_of_file(&mut self) -> GrammarStep<()> {
        if self.scanner.rest().is_empty() { Ok(()) } else { Err(invalid("the input continues")) }
    }

    fn integer(
        &mut self,
        min: &'a Expression,
        max: &'a Expression,
        name: Option<&'a Variable>,
    ) -> GrammarStep<()> {
        let digits = self.scanner.integer().map_err(invalid)?;
        let (min, max) = (self.value(min)?, self.value(max)?);
        for bound in [&min, &max] {
            if !matches!(bound, GrammarValue::Integer(_)) {
                return Err(failed(format_args!("{} is not an integer", bound.shown())));
            }
        }
        let number = GrammarValue::Integer(value::integer(&digits));
        in_range(&number, &min, &max)?;
        name.map_or(Ok(()), |name| self.set(name, number))
    }

    fn float(&mut self, float: &'a FloatCommand) -> GrammarStep<()> {
        let decimals = match &float.decimals {
            Some([least, most]) => Some((self.count(least)?, self.count(most)?)),
            None => None,
        };
        let wants_exponent = match float.notation {
            Notation::Any => None,
            Notation::Fixed => Some(false),
            Notation::Scientific => Some(true),
        };
        let found = self.scanner.float(wants_exponent, decimals.is_some()).map_err(invalid)?;
        if let Some((least, most)) = decimals
            && !(least..=most).contains(&(found.decimals as u64))
        {
            let count = found.decimals;
            return Err(invalid(format_args!("{count} decimals are not in [{least}, {most}]")));
        }
        let number = GrammarValue::Float(match found.text.strip_prefix('-') {
            Some(digits) => -value::fraction(digits),
            None => value::fraction(&found.text),
        });
        let (min, max) = (self.value(&float.min)?, self.value(&float.max)?);
        in_range(&number, &min, &max)?;
        float.name.as_ref().map_or(Ok(()), |name| self.set(name, number))
    }

    fn string(&mut self, expression: &'a Expression) -> GrammarStep<Vec<u8>> {
        match self.value(expression)? {
            GrammarValue::Text(text) => Ok(text),
            other => Err(failed(format_args!("{} is not a string", other.shown()))),
        }
    }

    fn text(&mut self, expression: &'a Expression) -> GrammarStep<()> {
        let text = self.string(expression)?;
        for byte in &text {
            if !self.scanner.take(*byte) {
                return Err(self.found(&format!("`{}`", byte.escape_ascii())));
            }
        }
        Ok(())
    }

    fn pattern(
        &mut self,
        expression: &'a Expression,
        name: Option<&'a Variable>,
    ) -> GrammarStep<()> {
        let source = self.string(expression)?;
        if !self.patterns.contains_key(&source) {
            if self.patterns.len() == MOST_PATTERNS {
                self.patterns.clear();
            }
            let pattern = Pattern::new(&source).map_err(failed)?;
            self.patterns.insert(source.clone(), pattern);
        }
        let rest = self.scanner.rest();
        let pattern = self.patterns.get_mut(&source).expect("it was just added");
        let Some(length) = pattern.longest(rest).map_err(failed)? else {
            return Err(invalid("the regular expression does not match"));
        };
        self.scanner.at += length;
        name.map_or(Ok(()), |name| self.set(name, GrammarValue::Text(rest[..length].to_vec())))
    }
}

fn in_range(number: &GrammarValue, min: &GrammarValue, max: &GrammarValue) -> GrammarStep<()> {
    let text = || failed("a bound is a string");
    let is_small = number.compare(min).ok_or_else(text)? == Ordering::Less;
    let is_large = number.compare(max).ok_or_else(text)? == Ordering::Greater;
    if is_small || is_large {
        let (min, max) = (min.shown(), max.shown());
        return Err(invalid(format_args!("{} is not in [{min}, {max}]", number.shown())));
    }
    Ok(())
}
