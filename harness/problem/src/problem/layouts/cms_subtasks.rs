//! The cases of the subtasks of a CMS task: their number, a pattern of their names, or a list of names. A name is the number
//! of the case, in three digits.

use std::collections::BTreeSet;

use fancy_regex::Regex;

use crate::notice::visible;
use crate::problem::yaml::{Node, Value};

/// Why a subtask has no cases.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SubtaskFault {
    #[error("test cases must be a number, a pattern or a list of names")]
    Kind,
    #[error("its test cases are named differently from those of subtask 1")]
    OtherKind,
    #[error("the number of test cases must be whole and positive")]
    Count,
    #[error("no test cases are left")]
    NoneLeft,
    #[error("`{0}` is not a valid pattern")]
    Pattern(String),
    #[error("no test case matches `{0}`")]
    NoMatch(String),
    #[error("the list of test cases is empty")]
    Empty,
    #[error("there is no test case `{0}`")]
    Unknown(String),
}

impl SubtaskFault {
    /// How to correct it.
    pub(super) fn help(&self) -> &'static str {
        match self {
            Self::Kind | Self::Count | Self::Empty => {
                "write a number such as `3`, a pattern such as `'00[0-2]'`, or names such as `['000', '001']`"
            }
            Self::OtherKind => "use numbers, patterns or lists in all subtasks",
            Self::NoneLeft => "the numbers of test cases must add up to at most `n_input`",
            Self::Pattern(_) => "write a regular expression in the syntax of Python",
            Self::NoMatch(_) | Self::Unknown(_) => {
                "names of test cases have three digits, from `000`, and are less than `n_input`"
            }
        }
    }
}

/// How a subtask names its cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    Count,
    Pattern,
    List,
}

/// The cases of one subtask after the other.
pub(super) struct SubtaskCases {
    /// The number of all cases.
    count: usize,
    /// The first case that no number of cases has taken.
    next: usize,
    /// How the subtasks before named their cases.
    naming: Option<Naming>,
}

impl SubtaskCases {
    pub(super) fn new(count: usize) -> Self {
        Self { count, next: 0, naming: None }
    }

    /// The cases that `node` names.
    pub(super) fn of(&mut self, node: &Node) -> Result<Vec<usize>, SubtaskFault> {
        let naming = match &node.value {
            Value::Number(_) => Naming::Count,
            Value::Text(_) => Naming::Pattern,
            Value::List(_) => Naming::List,
            _ => return Err(SubtaskFault::Kind),
        };
        if *self.naming.get_or_insert(naming) != naming {
            return Err(SubtaskFault::OtherKind);
        }
        match &node.value {
            Value::Number(number) => self.next(*number),
            Value::Text(pattern) => self.matching(pattern),
            Value::List(names) => self.listed(names),
            _ => Err(SubtaskFault::Kind),
        }
    }

    fn next(&mut self, number: f64) -> Result<Vec<usize>, SubtaskFault> {
        if number.fract() != 0.0 || number < 1.0 {
            return Err(SubtaskFault::Count);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and positive; too large is the largest"
        )]
        let end = self.next.saturating_add(number as usize).min(self.count);
        let cases: Vec<usize> = (self.next..end).collect();
        self.next = end;
        if cases.is_empty() {
            return Err(SubtaskFault::NoneLeft);
        }
        Ok(cases)
    }

    fn matching(&self, pattern: &str) -> Result<Vec<usize>, SubtaskFault> {
        let fault = || SubtaskFault::Pattern(visible(pattern));
        // As Python's `match`, which starts at the start of a name.
        let regex = Regex::new(&format!(r"\A(?:{pattern})")).map_err(|_| fault())?;
        let mut cases = Vec::new();
        for case in 0..self.count {
            if regex.is_match(&name_of(case)).map_err(|_| fault())? {
                cases.push(case);
            }
        }
        if cases.is_empty() {
            return Err(SubtaskFault::NoMatch(visible(pattern)));
        }
        Ok(cases)
    }

    fn listed(&self, names: &[Node]) -> Result<Vec<usize>, SubtaskFault> {
        if names.is_empty() {
            return Err(SubtaskFault::Empty);
        }
        let case = |node: &Node| {
            let Value::Text(name) = &node.value else {
                return Err(SubtaskFault::Kind);
            };
            let number = name.parse().ok();
            let case = number.filter(|&case| case < self.count && name_of(case) == *name);
            case.ok_or_else(|| SubtaskFault::Unknown(visible(name)))
        };
        let cases: BTreeSet<usize> = names.iter().map(case).collect::<Result<_, _>>()?;
        Ok(cases.into_iter().collect())
    }
}

/// CMS's name of a case.
fn name_of(case: usize) -> String {
    format!("{case:03}")
}
