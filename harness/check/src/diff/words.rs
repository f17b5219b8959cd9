//! Decides what is equal within a line: it uses the checker's rule, so a difference that the
//! checker ignores is not marked.

use std::time::Instant;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices_deadline};

use crate::checker::{Checker, tokens};
use rejudge_problem::checker_spec::{LineRule, TokenOptions};

use super::excerpt::TextLine;

/// The rule of comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordRule {
    tokens: TokenOptions,
    blanks_matter: bool,
}

impl WordRule {
    pub(super) fn of(checker: &Checker) -> Self {
        match checker {
            Checker::Tokens(tokens) => {
                Self { tokens: *tokens, blanks_matter: tokens.space_change_sensitive }
            }
            Checker::FloatLines(rule) => Self { tokens: rule.as_tokens(), blanks_matter: false },
            Checker::Exact
            | Checker::Lines(_)
            | Checker::Json(_)
            | Checker::Program(_)
            | Checker::Programs(_)
            | Checker::Grammar(_) => Self {
                tokens: TokenOptions { case_sensitive: true, ..TokenOptions::default() },
                blanks_matter: !matches!(
                    checker,
                    Checker::Lines(LineRule::Blanks | LineRule::Words)
                ),
            },
        }
    }

    /// The parts of a line: its tokens and, if they matter, each blank and the newline. Joined,
    /// they are the text that is shown.
    pub(super) fn words<'a>(&self, line: &'a TextLine) -> Vec<&'a [u8]> {
        let mut words = Vec::new();
        let mut rest = &line.text[..];
        while let Some(&first) = rest.first() {
            let length = if is_blank(first) {
                1
            } else {
                let end = rest.iter().position(|&byte| is_blank(byte));
                end.unwrap_or(rest.len())
            };
            let (word, tail) = rest.split_at(length);
            if self.blanks_matter {
                words.push(word);
            } else if !is_blank(first) {
                if !words.is_empty() {
                    words.push(b" ");
                }
                words.push(word);
            }
            rest = tail;
        }
        if self.blanks_matter && line.newline {
            words.push(b"\n");
        }
        words
    }

    pub(super) fn blanks_matter(&self) -> bool {
        self.blanks_matter
    }

    fn key(&self, word: &[u8]) -> Vec<u8> {
        if self.tokens.case_sensitive { word.to_vec() } else { word.to_ascii_lowercase() }
    }

    /// The differences between the output's words and the answer's.
    pub(super) fn diff_words(
        &self,
        answer: &[&[u8]],
        output: &[&[u8]],
        until: Instant,
    ) -> Vec<DiffOp> {
        let old: Vec<_> = answer.iter().map(|word| self.key(word)).collect();
        let mut new: Vec<_> = output.iter().map(|word| self.key(word)).collect();
        if old.len() == new.len() {
            // Numbers within the tolerance are equal; this can only be checked for words at the
            // same index.
            for (index, key) in new.iter_mut().enumerate() {
                if tokens::same_token(output[index], answer[index], &self.tokens) {
                    key.clone_from(&old[index]);
                }
            }
        }
        capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(until))
    }

    /// The differences between the output's lines and the answer's; `first` holds the indices of
    /// the lines with the first difference.
    pub(super) fn diff_lines(
        &self,
        answer: &[TextLine],
        output: &[TextLine],
        first: (usize, usize),
        until: Instant,
    ) -> Vec<DiffOp> {
        let old: Vec<_> = answer.iter().map(|line| self.words(line)).collect();
        let new: Vec<_> = output.iter().map(|line| self.words(line)).collect();
        let key = |words: &Vec<&[u8]>| self.key(&words.concat());
        let old_keys: Vec<_> = old.iter().map(key).collect();
        let mut new_keys: Vec<_> = new.iter().map(key).collect();
        for (index, key) in new_keys.iter_mut().enumerate() {
            let opposite = (index + first.0).checked_sub(first.1);
            let Some(opposite) = opposite.filter(|&opposite| opposite < old.len()) else {
                continue;
            };
            if self.same_line(&new[index], &old[opposite]) {
                key.clone_from(&old_keys[opposite]);
            }
        }
        capture_diff_slices_deadline(Algorithm::Myers, &old_keys, &new_keys, Some(until))
    }

    fn same_line(&self, output: &[&[u8]], answer: &[&[u8]]) -> bool {
        output.len() == answer.len()
            && output
                .iter()
                .zip(answer)
                .all(|(got, expected)| tokens::same_token(got, expected, &self.tokens))
    }
}

/// Which words a diff changes in the answer and in the output.
pub(super) fn touched(ops: &[DiffOp], old: usize, new: usize) -> (Vec<bool>, Vec<bool>) {
    let (mut in_old, mut in_new) = (vec![false; old], vec![false; new]);
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        in_old[op.old_range()].fill(true);
        in_new[op.new_range()].fill(true);
    }
    (in_old, in_new)
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0d)
}
