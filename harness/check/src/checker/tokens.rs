//! The ICPC default output validator as a stream: its memory is constant for texts and tokens of
//! any length.
//!
//! Most outputs are right and spelt like the answer, so bytes are compared first. From the first
//! difference on, tokens are compared: stretches that match as text and numbers that a tolerance
//! allows are skipped in the buffers, and only a token that differs, or that crosses the end of a
//! buffer, is read piece by piece. If blanks matter, the comparison of bytes continues after such a
//! token.

use std::io::{self, Read};

use super::TokenOptions;
use super::close::skip_close;
use super::finding::{
    DifferenceKind, EXCERPT, FoundDifference, TokenReason, WHOLE, byte_in_words, excerpt,
};
use super::matching::{blanks, first_difference, skip_matching};
use super::number::{self, NumberReader, Tolerance};
use super::window::{Window, is_blank, skip_equal};

/// A token is read in pieces of at most this many bytes.
const PIECE: usize = 4096;

/// Compares an output with its answer; `None` if the output is right.
pub fn compare(
    output: impl Read,
    answer: impl Read,
    options: &TokenOptions,
) -> io::Result<Option<FoundDifference>> {
    TokenComparison {
        output: Window::new(output),
        answer: Window::new(answer),
        case_sensitive: options.case_sensitive,
        tolerance: Tolerance::of(options),
        prefix: Token::default(),
        got: Token::default(),
        expected: Token::default(),
    }
    .run(options.space_change_sensitive)
}

/// The parts of a token that the verdict and the headline need.
#[derive(Debug, Default)]
struct Token {
    length: u64,
    /// Its first bytes, [`WHOLE`] at most.
    head: Vec<u8>,
    /// Its bytes from the difference on, [`EXCERPT`] at most.
    from_difference: Vec<u8>,
    number: NumberReader,
}

impl Token {
    fn clear(&mut self) {
        self.length = 0;
        self.head.clear();
        self.from_difference.clear();
        self.number.clear();
    }

    fn copy_from(&mut self, other: &Self) {
        self.clear();
        self.length = other.length;
        self.head.extend_from_slice(&other.head);
        self.number.copy_from(&other.number);
    }

    fn feed(&mut self, piece: &[u8], difference: Option<u64>, as_number: bool) {
        let room = WHOLE - self.head.len();
        self.head.extend_from_slice(&piece[..piece.len().min(room)]);
        if let Some(difference) = difference {
            let skip = difference.saturating_sub(self.length);
            let skip = usize::try_from(skip).map_or(piece.len(), |skip| skip.min(piece.len()));
            let room = EXCERPT - self.from_difference.len();
            let shown = piece[skip..].iter().take(room);
            self.from_difference.extend(shown);
        }
        if as_number {
            self.number.feed(piece);
        }
        self.length += piece.len() as u64;
    }

    /// Reads text that may end one token and start the next; the last token is kept.
    fn keep_last(&mut self, text: &[u8], as_number: bool) {
        match text.iter().rposition(|&byte| is_blank(byte)) {
            None => self.feed(text, None, as_number),
            Some(last) => {
                self.clear();
                self.feed(&text[last + 1..], None, as_number);
            }
        }
    }

    fn as_number(&self) -> number::Read<'_> {
        number::Read { number: &self.number, head: &self.head, length: self.length }
    }
}

/// The result of one step of the comparison.
enum TokenStep {
    /// No difference so far.
    Matched,
    /// Both texts ended.
    Ended,
    Differs(FoundDifference),
}

struct TokenComparison<A, B> {
    output: Window<A>,
    answer: Window<B>,
    case_sensitive: bool,
    tolerance: Option<Tolerance>,
    /// The text read so far that both tokens start with.
    prefix: Token,
    got: Token,
    expected: Token,
}

impl<A: Read, B: Read> TokenComparison<A, B> {
    fn run(mut self, blanks_matter: bool) -> io::Result<Option<FoundDifference>> {
        loop {
            if self.skip_equal()? {
                return Ok(None);
            }
            let step = if blanks_matter { self.aligned_token()? } else { self.tokens()? };
            match step {
                TokenStep::Matched => {}
                TokenStep::Ended => return Ok(None),
                TokenStep::Differs(finding) => return Ok(Some(finding)),
            }
        }
    }

    fn skip_equal(&mut self) -> io::Result<bool> {
        let (prefix, as_number) = (&mut self.prefix, self.tolerance.is_some());
        prefix.clear();
        skip_equal(&mut self.output, &mut self.answer, |text| {
            prefix.keep_last(text, as_number);
        })
    }

    /// Compares tokens to the end or to the first one that does not match; ignores blanks.
    fn tokens(&mut self) -> io::Result<TokenStep> {
        if self.prefix.length == 0 {
            skip_blanks(&mut self.output)?;
            skip_blanks(&mut self.answer)?;
        }
        loop {
            match self.token()? {
                TokenStep::Matched => {}
                other => return Ok(other),
            }
            self.skip_in_buffers(false)?;
            skip_blanks(&mut self.output)?;
            skip_blanks(&mut self.answer)?;
        }
    }

    /// If blanks matter: compares the next blanks or the next token, and what follows in the buffers.
    fn aligned_token(&mut self) -> io::Result<TokenStep> {
        if let Some(finding) = self.equal_blanks()? {
            return Ok(TokenStep::Differs(finding));
        }
        let step = self.token()?;
        if let TokenStep::Matched = step {
            self.skip_in_buffers(true)?;
        }
        Ok(step)
    }

    /// Skips what matches in the buffers after a token. Stops at a blank or at the start of a token.
    fn skip_in_buffers(&mut self, blanks_matter: bool) -> io::Result<()> {
        self.prefix.clear();
        self.output.fill()?;
        self.answer.fill()?;
        loop {
            let (x, y) = (self.output.at_hand(), self.answer.at_hand());
            let (mut at, mut opposite) = skip_matching(x, y, self.case_sensitive, blanks_matter);
            let mut numbers = 0;
            if let Some(tolerance) = &self.tolerance {
                let (x, y) = (&x[at..], &y[opposite..]);
                let (in_output, in_answer) = skip_close(x, y, tolerance, blanks_matter);
                at += in_output;
                opposite += in_answer;
                numbers = in_output;
            }
            self.output.consume(at);
            self.answer.consume(opposite);
            if numbers == 0 {
                return Ok(());
            }
        }
    }

    /// If blanks matter: compares the next bytes if either is a blank. The texts are at their first
    /// difference, so the two blanks are never equal here.
    fn equal_blanks(&mut self) -> io::Result<Option<FoundDifference>> {
        let (got, expected) = (self.output.peek()?, self.answer.peek()?);
        let in_token = self.prefix.length > 0;
        let blank = |byte: Option<u8>| byte.is_some_and(is_blank);
        let ends_here = |byte: Option<u8>| byte.is_none_or(is_blank);
        // In the middle of a token, a blank on one side only means that the tokens differ; that is
        // the better headline.
        let differ = if in_token {
            ends_here(got) && ends_here(expected)
        } else {
            blank(got) || blank(expected)
        };
        Ok(differ.then(|| FoundDifference {
            kind: DifferenceKind::Blanks {
                expected: byte_in_words(expected, "a token"),
                got: byte_in_words(got, "a token"),
            },
            output_offset: self.output.offset(),
            answer_offset: self.answer.offset(),
        }))
    }

    /// Compares the tokens that start with `prefix` and continue here, on both sides.
    fn token(&mut self) -> io::Result<TokenStep> {
        let output_start = self.output.offset() - self.prefix.length;
        let answer_start = self.answer.offset() - self.prefix.length;
        let difference = self.take_token()?;
        let Some(difference) = difference else {
            let ended = self.expected.length == 0;
            return Ok(if ended { TokenStep::Ended } else { TokenStep::Matched });
        };
        let (got, expected) = (&self.got, &self.expected);
        let long = got.length.max(expected.length) > WHOLE as u64;
        let inside = (long && got.length.min(expected.length) > 0).then_some(difference);
        let show =
            |token: &Token| excerpt(&token.head, token.length, difference, &token.from_difference);
        let kind = if got.length == 0 {
            let expected = show(expected);
            DifferenceKind::OutputEnds { expected }
        } else if expected.length == 0 {
            DifferenceKind::Extra { got: show(got) }
        } else {
            let Some(why) = self.why_not() else {
                return Ok(TokenStep::Matched);
            };
            DifferenceKind::Token {
                expected: show(expected),
                got: show(got),
                inside: inside.filter(|&bytes| bytes > 0),
                why,
            }
        };
        Ok(TokenStep::Differs(FoundDifference {
            kind,
            output_offset: output_start + inside.unwrap_or(0),
            answer_offset: answer_start + inside.unwrap_or(0),
        }))
    }

    /// Reads one token on each side; returns the offset in bytes, from their starts, of their first
    /// textual difference.
    fn take_token(&mut self) -> io::Result<Option<u64>> {
        self.got.copy_from(&self.prefix);
        self.expected.copy_from(&self.prefix);
        let as_number = self.tolerance.is_some();
        let mut difference = None;
        loop {
            let (x, y) = (piece(&mut self.output)?, piece(&mut self.answer)?);
            let (x, y) = match (x.len(), y.len()) {
                (0, 0) => return Ok(difference),
                (0, _) | (_, 0) => (x, y),
                (of_x, of_y) => (&x[..of_x.min(of_y)], &y[..of_x.min(of_y)]),
            };
            if difference.is_none() {
                let first = first_difference(x, y, self.case_sensitive);
                difference = first.map(|index| self.got.length + index as u64);
            }
            self.got.feed(x, difference, as_number);
            self.expected.feed(y, difference, as_number);
            let (in_output, in_answer) = (x.len(), y.len());
            self.output.consume(in_output);
            self.answer.consume(in_answer);
        }
    }

    /// Why two tokens with different text do not match; `None` if a tolerance allows the
    /// difference.
    fn why_not(&self) -> Option<TokenReason> {
        let (got, expected) = (self.got.as_number(), self.expected.as_number());
        let Some(tolerance) = &self.tolerance else {
            return Some(TokenReason::Text);
        };
        if !expected.number.is_number()
            || (tolerance.exact_integers && expected.number.is_integer())
        {
            return Some(TokenReason::Text);
        }
        if !got.number.is_number() {
            return Some(TokenReason::NotANumber);
        }
        if tolerance.allows(got, expected) {
            return None;
        }
        let apart = got.short().zip(expected.short()).map(|(s, a)| {
            let gap = (s - a).abs();
            (gap, gap / a.abs())
        });
        Some(TokenReason::TooFar(apart.filter(|(gap, _)| gap.is_finite())))
    }
}

/// The next bytes of the token that continues here; empty if it has ended.
fn piece<R: Read>(window: &mut Window<R>) -> io::Result<&[u8]> {
    let text = window.fill()?;
    let text = &text[..text.len().min(PIECE)];
    let end = text.iter().position(|&byte| is_blank(byte));
    Ok(&text[..end.unwrap_or(text.len())])
}

fn skip_blanks<R: Read>(window: &mut Window<R>) -> io::Result<()> {
    loop {
        let text = window.fill()?;
        let count = blanks(text);
        let more = count == text.len() && count > 0;
        window.consume(count);
        if !more {
            return Ok(());
        }
    }
}

/// Whether two complete tokens match.
pub(crate) fn same_token(output: &[u8], answer: &[u8], options: &TokenOptions) -> bool {
    if first_difference(output, answer, options.case_sensitive).is_none() {
        return true;
    }
    let Some(tolerance) = Tolerance::of(options) else {
        return false;
    };
    let (mut got, mut expected) = (NumberReader::default(), NumberReader::default());
    got.feed(output);
    expected.feed(answer);
    got.is_number()
        && expected.is_number()
        && !(tolerance.exact_integers && expected.is_integer())
        && tolerance
            .allows(number::Read::whole(&got, output), number::Read::whole(&expected, answer))
}
