//! `--want`: what a finding must be, such as `wa.py WA and slow.py AC`.
//!
//! ```text
//! want  = every { "or" every }
//! every = one { "and" one }
//! one   = "not" one | "(" want ")" | NAME VERDICT | NAME "!=" NAME | NAME "==" NAME
//! ```
//!
//! A verdict is AC, WA, RTE, OLE, TLE or MLE. `a != b` holds if both programs print an output, and the checker rejects
//! that of `a` with that of `b` as the answer.

use std::fmt;

use crate::verdict::Verdict;

/// The verdicts that a want can name.
const VERDICTS: [Verdict; 6] = [
    Verdict::Accepted,
    Verdict::WrongAnswer,
    Verdict::RunTimeError,
    Verdict::OutputLimit,
    Verdict::TimeLimit,
    Verdict::MemoryLimit,
];

/// More combinations of verdicts are not tried to see whether a want can hold.
const COMBINATIONS: usize = 50_000;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    /// The program with this index in `names` gets this verdict.
    Verdict(usize, Verdict),
    /// The outputs of two programs differ; the index in `pairs`.
    Differ(usize),
    Not(Box<Wanted>),
    Every(Vec<Wanted>),
    Any(Vec<Wanted>),
}

/// A condition on the results of programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Want {
    root: Wanted,
    /// The names of the programs, in the order of their first occurrence, with their places in the text.
    names: Vec<(String, usize)>,
    /// Indices of programs whose outputs are compared.
    pairs: Vec<(usize, usize)>,
}

/// Why a text is not a want.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WantError {
    pub(crate) kind: WantErrorKind,
    text: String,
    /// The place and the length of the mistake, in characters.
    place: usize,
    length: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WantErrorKind {
    #[error("expected the name of a program")]
    Name,
    #[error("expected a verdict, `!=` or `==`")]
    Relation,
    #[error("expected `and`, `or` or the end")]
    Join,
    #[error("expected `)`")]
    Unclosed,
    #[error("no such program")]
    NoProgram,
    #[error("no result of the programs can be this")]
    NeverHolds,
}

/// The text with a caret below the mistake.
impl fmt::Display for WantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (blanks, rest) = (" ".repeat(self.place), "~".repeat(self.length.saturating_sub(1)));
        write!(f, "`--want`: {}\n  {}\n  {blanks}^{rest}", self.kind, self.text)
    }
}

impl std::error::Error for WantError {}

/// A word of the text, and its place.
#[derive(Debug, Clone, Copy)]
struct WantWord<'a> {
    text: &'a str,
    place: usize,
}

fn split(text: &str) -> Vec<WantWord<'_>> {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return words;
        };
        let length = match first {
            '(' | ')' => 1,
            _ if rest.starts_with("!=") || rest.starts_with("==") => 2,
            _ => {
                let ends = |at: usize| {
                    rest[at..].starts_with(|c: char| c.is_whitespace() || "()".contains(c))
                        || rest[at..].starts_with("!=")
                        || rest[at..].starts_with("==")
                };
                let mut places = rest.char_indices().map(|(at, _)| at);
                places.find(|at| ends(*at)).unwrap_or(rest.len())
            }
        };
        let place = text[..text.len() - rest.len()].chars().count();
        words.push(WantWord { text: &rest[..length], place });
        rest = &rest[length..];
    }
}

struct WantParser<'a> {
    text: &'a str,
    words: Vec<WantWord<'a>>,
    next: usize,
    names: Vec<(String, usize)>,
    pairs: Vec<(usize, usize)>,
}

impl<'a> WantParser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).map(|word| word.text)
    }

    fn skip(&mut self, text: &str) -> bool {
        let is_next = self.peek() == Some(text);
        self.next += usize::from(is_next);
        is_next
    }

    /// The mistake at the next word, or at the end.
    fn error(&self, kind: WantErrorKind) -> WantError {
        let word = self.words.get(self.next);
        WantError {
            kind,
            text: self.text.to_owned(),
            place: word.map_or_else(|| self.text.trim_end().chars().count(), |word| word.place),
            length: word.map_or(1, |word| word.text.chars().count()),
        }
    }

    fn any(&mut self) -> Result<Wanted, WantError> {
        let mut all = vec![self.every()?];
        while self.skip("or") {
            all.push(self.every()?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Wanted::Any(all),
        })
    }

    fn every(&mut self) -> Result<Wanted, WantError> {
        let mut all = vec![self.one()?];
        while self.skip("and") {
            all.push(self.one()?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Wanted::Every(all),
        })
    }

    fn one(&mut self) -> Result<Wanted, WantError> {
        if self.skip("not") {
            return Ok(Wanted::Not(Box::new(self.one()?)));
        }
        if self.skip("(") {
            let inner = self.any()?;
            if !self.skip(")") {
                return Err(self.error(WantErrorKind::Unclosed));
            }
            return Ok(inner);
        }
        let name = self.name()?;
        let verdict = self.peek().and_then(verdict);
        if let Some(verdict) = verdict {
            self.next += 1;
            return Ok(Wanted::Verdict(name, verdict));
        }
        let differ = self.peek() == Some("!=");
        if !differ && self.peek() != Some("==") {
            return Err(self.error(WantErrorKind::Relation));
        }
        self.next += 1;
        let other = self.name()?;
        self.pairs.push((name, other));
        let relation = Wanted::Differ(self.pairs.len() - 1);
        Ok(if differ { relation } else { Wanted::Not(Box::new(relation)) })
    }

    fn name(&mut self) -> Result<usize, WantError> {
        let reserved = ["and", "or", "not", "(", ")", "!=", "=="];
        let word = self.words.get(self.next).copied();
        let word =
            word.filter(|word| !reserved.contains(&word.text) && verdict(word.text).is_none());
        let Some(word) = word else {
            return Err(self.error(WantErrorKind::Name));
        };
        self.next += 1;
        if let Some(known) = self.names.iter().position(|(name, _)| name == word.text) {
            return Ok(known);
        }
        self.names.push((word.text.to_owned(), word.place));
        Ok(self.names.len() - 1)
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    VERDICTS.into_iter().find(|verdict| verdict.code() == word)
}

impl Want {
    /// Reads a want.
    pub(crate) fn parse(text: &str) -> Result<Self, WantError> {
        let mut parser =
            WantParser { text, words: split(text), next: 0, names: Vec::new(), pairs: Vec::new() };
        let root = parser.any()?;
        if parser.next < parser.words.len() {
            return Err(parser.error(WantErrorKind::Join));
        }
        let WantParser { names, pairs, .. } = parser;
        Ok(Self { root, names, pairs })
    }

    /// The names of the programs.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// The error for a name that is not that of a program.
    pub(crate) fn unknown(&self, text: &str, index: usize) -> WantError {
        let (name, place) = &self.names[index];
        WantError {
            kind: WantErrorKind::NoProgram,
            text: text.to_owned(),
            place: *place,
            length: name.chars().count(),
        }
    }

    /// The programs whose outputs are compared, as indices of names.
    pub(crate) fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// Whether it holds with these verdicts, by name, and these differences, by pair.
    pub(crate) fn holds(&self, verdicts: &[Verdict], differences: &[bool]) -> bool {
        self.root.holds(verdicts, differences)
    }

    /// An error if it holds with no verdicts. A reference that alone gives the answer is never wrong.
    pub(crate) fn check(
        &self,
        text: &str,
        is_answer: &dyn Fn(usize) -> bool,
    ) -> Result<(), WantError> {
        let names = self.names.len();
        let combinations = VERDICTS.len().checked_pow(u32::try_from(names).unwrap_or(u32::MAX));
        let choices = 1_usize.checked_shl(u32::try_from(self.pairs.len()).unwrap_or(u32::MAX));
        let Some((verdicts, choices)) = combinations.zip(choices) else {
            return Ok(());
        };
        if verdicts.saturating_mul(choices) > COMBINATIONS {
            return Ok(());
        }
        let mut possible =
            (0..verdicts).flat_map(|number| (0..choices).map(move |choice| (number, choice)));
        let can_hold = possible.any(|(number, choice)| {
            let mut number = number;
            let mut chosen = Vec::with_capacity(names);
            for _ in 0..names {
                chosen.push(VERDICTS[number % VERDICTS.len()]);
                number /= VERDICTS.len();
            }
            let prints =
                |name: usize| matches!(chosen[name], Verdict::Accepted | Verdict::WrongAnswer);
            let pairs = self.pairs.iter().enumerate();
            let differences: Vec<bool> = pairs
                .map(|(at, (one, two))| {
                    choice >> at & 1 == 1 && one != two && prints(*one) && prints(*two)
                })
                .collect();
            let is_possible =
                (0..names).all(|name| !is_answer(name) || chosen[name] != Verdict::WrongAnswer);
            is_possible && self.holds(&chosen, &differences)
        });
        if can_hold {
            return Ok(());
        }
        Err(WantError {
            kind: WantErrorKind::NeverHolds,
            text: text.to_owned(),
            place: 0,
            length: text.trim_end().chars().count(),
        })
    }
}

impl Wanted {
    fn holds(&self, verdicts: &[Verdict], differences: &[bool]) -> bool {
        match self {
            Self::Verdict(name, verdict) => verdicts[*name] == *verdict,
            Self::Differ(pair) => differences[*pair],
            Self::Not(inner) => !inner.holds(verdicts, differences),
            Self::Every(all) => all.iter().all(|one| one.holds(verdicts, differences)),
            Self::Any(all) => all.iter().any(|one| one.holds(verdicts, differences)),
        }
    }
}

#[cfg(test)]
mod tests;
