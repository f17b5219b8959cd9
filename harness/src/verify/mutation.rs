//! Mutations: texts made wrong on purpose, which a validator should reject.
//!
//! Pure functions: a valid text and a kind of mutation give a different text. Some kinds make every
//! valid text invalid, others only most texts.

/// A way to change a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Mutation {
    /// Nothing at all.
    Empty,
    /// The last token removed.
    Truncated,
    /// One more token, on a line of its own.
    ExtraToken,
    /// One more empty line at the end.
    ExtraLine,
    /// No newline at the end.
    NoFinalNewline,
    /// Two blanks instead of one.
    DoubleBlank,
    /// A blank before a newline.
    TrailingBlank,
    /// A blank before the first token.
    LeadingBlank,
    /// A tab instead of a blank.
    Tab,
    /// Every newline replaced by CR LF.
    CarriageReturns,
    /// A zero before a number.
    LeadingZero,
    /// A plus sign before a number.
    PlusSign,
    /// A number of forty digits.
    HugeNumber,
    /// A negative number of forty digits.
    TinyNumber,
    /// A word instead of a number.
    NotANumber,
    /// A NUL byte at the end of a token.
    NulByte,
    /// The first two lines swapped.
    SwappedLines,
    /// Two neighbouring tokens of a line swapped.
    SwappedTokens,
    /// The first letter in the other case.
    OtherCase,
}

impl Mutation {
    pub(crate) const ALL: [Self; 19] = [
        Self::Empty,
        Self::Truncated,
        Self::ExtraToken,
        Self::ExtraLine,
        Self::NoFinalNewline,
        Self::DoubleBlank,
        Self::TrailingBlank,
        Self::LeadingBlank,
        Self::Tab,
        Self::CarriageReturns,
        Self::LeadingZero,
        Self::PlusSign,
        Self::HugeNumber,
        Self::TinyNumber,
        Self::NotANumber,
        Self::NulByte,
        Self::SwappedLines,
        Self::SwappedTokens,
        Self::OtherCase,
    ];

    /// The mutation in words for the report.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Empty => "an empty file",
            Self::Truncated => "a file whose last token is missing",
            Self::ExtraToken => "a file with one token too many",
            Self::ExtraLine => "a file with an empty line at its end",
            Self::NoFinalNewline => "a file without its final newline",
            Self::DoubleBlank => "two blanks instead of one",
            Self::TrailingBlank => "a blank at the end of a line",
            Self::LeadingBlank => "a blank at the start",
            Self::Tab => "a tab instead of a blank",
            Self::CarriageReturns => "lines that end in CR LF",
            Self::LeadingZero => "a number with a leading zero",
            Self::PlusSign => "a number with a plus sign",
            Self::HugeNumber => "a number of forty digits",
            Self::TinyNumber => "a negative number of forty digits",
            Self::NotANumber => "a word instead of a number",
            Self::NulByte => "a NUL byte",
            Self::SwappedLines => "the first two lines swapped",
            Self::SwappedTokens => "two tokens swapped",
            Self::OtherCase => "a letter in the other case",
        }
    }

    /// Whether `text` itself has this feature of layout; false for mutations that do not change the
    /// layout.
    pub(crate) fn is_in(self, text: &[u8]) -> bool {
        let has = |part: &[u8]| memchr::memmem::find(text, part).is_some();
        match self {
            Self::ExtraLine => text.ends_with(b"\n\n"),
            Self::NoFinalNewline => text.last().is_some_and(|&byte| byte != b'\n'),
            Self::DoubleBlank => has(b"  "),
            Self::TrailingBlank => has(b" \n"),
            Self::LeadingBlank => text.first() == Some(&b' '),
            Self::Tab => has(b"\t"),
            Self::CarriageReturns => has(b"\r\n"),
            _ => false,
        }
    }

    /// How certainly an input with this mutation is invalid.
    pub(crate) fn input_is_wrong(self) -> Certainty {
        match self {
            Self::SwappedLines | Self::SwappedTokens | Self::OtherCase => Certainty::Unknown,
            // These may be valid where words may stand instead of numbers, or where digits are
            // text.
            Self::LeadingZero
            | Self::PlusSign
            | Self::HugeNumber
            | Self::TinyNumber
            | Self::NotANumber => Certainty::Likely,
            _ => Certainty::Sure,
        }
    }

    /// How certainly an output with this mutation is wrong. Most checkers ignore differences in
    /// blanks.
    pub(crate) fn output_is_wrong(self) -> Certainty {
        match self {
            Self::Empty | Self::Truncated | Self::ExtraToken => Certainty::Sure,
            Self::HugeNumber | Self::TinyNumber | Self::NotANumber | Self::NulByte => {
                Certainty::Likely
            }
            _ => Certainty::Unknown,
        }
    }

    /// The mutated text; `None` if this mutation does not apply to the text.
    pub(crate) fn apply(self, text: &[u8]) -> Option<Vec<u8>> {
        let mutated = match self {
            Self::Empty => Vec::new(),
            Self::Truncated => truncated(text)?,
            Self::ExtraToken => [text, b"1\n"].concat(),
            Self::ExtraLine => [text, b"\n"].concat(),
            Self::NoFinalNewline => text.strip_suffix(b"\n")?.to_vec(),
            Self::DoubleBlank => at(text, text.iter().position(|&byte| byte == b' ')?, 0, b" "),
            Self::TrailingBlank => at(text, text.iter().position(|&byte| byte == b'\n')?, 0, b" "),
            Self::LeadingBlank => [b" ", text].concat(),
            Self::Tab => at(text, text.iter().position(|&byte| byte == b' ')?, 1, b"\t"),
            Self::CarriageReturns => carriage_returns(text),
            Self::LeadingZero => {
                let number = number(text)?;
                at(text, number.digits, 0, b"0")
            }
            Self::PlusSign => at(text, number(text).filter(Number::has_no_sign)?.start, 0, b"+"),
            Self::HugeNumber => replaced(text, &[b'9'; 40])?,
            Self::TinyNumber => replaced(text, &[b"-".as_slice(), &[b'9'; 40]].concat())?,
            Self::NotANumber => replaced(text, b"NaN")?,
            Self::NulByte => at(text, tokens(text).next()?.1, 0, b"\0"),
            Self::SwappedLines => swapped_lines(text)?,
            Self::SwappedTokens => swapped_tokens(text)?,
            Self::OtherCase => other_case(text)?,
        };
        (mutated != text).then_some(mutated)
    }
}

/// How certainly a mutated text is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// Always wrong: a validator that accepts one is faulty.
    Sure,
    /// Wrong in most problems: it is suspicious if a validator accepts all of them.
    Likely,
    /// It depends on the problem: only a crash is a finding.
    Unknown,
}

/// `text` with `removed` bytes at `place` replaced by `new`.
fn at(text: &[u8], place: usize, removed: usize, new: &[u8]) -> Vec<u8> {
    [&text[..place], new, &text[place + removed..]].concat()
}

/// Start and end of every token, in order.
fn tokens(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut place = 0;
    std::iter::from_fn(move || {
        let start = place + text[place..].iter().position(|b| !b.is_ascii_whitespace())?;
        let rest = &text[start..];
        let length = rest.iter().position(u8::is_ascii_whitespace);
        place = start + length.unwrap_or(rest.len());
        Some((start, place))
    })
}

/// A decimal integer among the tokens.
struct Number {
    start: usize,
    /// The offset of the first digit.
    digits: usize,
    end: usize,
}

impl Number {
    fn has_no_sign(&self) -> bool {
        self.start == self.digits
    }
}

/// The last integer: early integers are often counts, and a changed count is rejected for another
/// reason.
fn number(text: &[u8]) -> Option<Number> {
    let numbers = tokens(text).filter_map(|(start, end)| {
        let token = &text[start..end];
        let sign = usize::from(token.first() == Some(&b'-'));
        let digits = &token[sign..];
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        is_number.then_some(Number { start, digits: start + sign, end })
    });
    numbers.last()
}

fn replaced(text: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let number = number(text)?;
    Some(at(text, number.start, number.end - number.start, new))
}

fn truncated(text: &[u8]) -> Option<Vec<u8>> {
    let (start, _) = tokens(text).last()?;
    let mut kept = text[..start].trim_ascii_end().to_vec();
    if !kept.is_empty() {
        kept.push(b'\n');
    }
    Some(kept)
}

fn carriage_returns(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 8);
    for &byte in text {
        if byte == b'\n' {
            out.push(b'\r');
        }
        out.push(byte);
    }
    out
}

fn swapped_lines(text: &[u8]) -> Option<Vec<u8>> {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let (first, second) = (lines.next()?, lines.next()?);
    let rest = &text[first.len() + second.len()..];
    // Without its newline, the last line would be joined to the other line.
    second.ends_with(b"\n").then(|| [second, first, rest].concat())
}

fn swapped_tokens(text: &[u8]) -> Option<Vec<u8>> {
    let all: Vec<(usize, usize)> = tokens(text).take(64).collect();
    let pair = all.windows(2).find(|pair| {
        let ((a, b), (c, d)) = (pair[0], pair[1]);
        text[b..c].iter().all(|&byte| byte == b' ') && text[a..b] != text[c..d]
    })?;
    let ((a, b), (c, d)) = (pair[0], pair[1]);
    Some([&text[..a], &text[c..d], &text[b..c], &text[a..b], &text[d..]].concat())
}

fn other_case(text: &[u8]) -> Option<Vec<u8>> {
    let place = text.iter().position(u8::is_ascii_alphabetic)?;
    let mut out = text.to_vec();
    out[place] ^= 0x20;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mutation_changes_the_text_as_described() {
        let text = b"2 x\n5 -7\n";
        let table: [(Mutation, Option<&[u8]>); 19] = [
            (Mutation::Empty, Some(b"")),
            (Mutation::Truncated, Some(b"2 x\n5\n")),
            (Mutation::ExtraToken, Some(b"2 x\n5 -7\n1\n")),
            (Mutation::ExtraLine, Some(b"2 x\n5 -7\n\n")),
            (Mutation::NoFinalNewline, Some(b"2 x\n5 -7")),
            (Mutation::DoubleBlank, Some(b"2  x\n5 -7\n")),
            (Mutation::TrailingBlank, Some(b"2 x \n5 -7\n")),
            (Mutation::LeadingBlank, Some(b" 2 x\n5 -7\n")),
            (Mutation::Tab, Some(b"2\tx\n5 -7\n")),
            (Mutation::CarriageReturns, Some(b"2 x\r\n5 -7\r\n")),
            (Mutation::LeadingZero, Some(b"2 x\n5 -07\n")),
            (Mutation::PlusSign, None),
            (Mutation::HugeNumber, Some(b"2 x\n5 9999999999999999999999999999999999999999\n")),
            (Mutation::TinyNumber, Some(b"2 x\n5 -9999999999999999999999999999999999999999\n")),
            (Mutation::NotANumber, Some(b"2 x\n5 NaN\n")),
            (Mutation::NulByte, Some(b"2\0 x\n5 -7\n")),
            (Mutation::SwappedLines, Some(b"5 -7\n2 x\n")),
            (Mutation::SwappedTokens, Some(b"x 2\n5 -7\n")),
            (Mutation::OtherCase, Some(b"2 X\n5 -7\n")),
        ];
        assert_eq!(table.map(|(mutation, _)| mutation), Mutation::ALL);
        for (mutation, expected) in table {
            let mutated = mutation.apply(text);
            assert_eq!(mutated.as_deref(), expected, "{mutation:?}");
        }
        assert_eq!(Mutation::PlusSign.apply(b"4\n").as_deref(), Some(&b"+4\n"[..]));
    }

    #[test]
    fn every_text_has_an_applicable_mutation() {
        for text in [&b""[..], b"\n", b" ", b"x", b"7", b"\0\xff", b"a a\n"] {
            for mutation in Mutation::ALL {
                assert_ne!(mutation.apply(text).as_deref(), Some(text), "{mutation:?}");
            }
        }
    }
}
