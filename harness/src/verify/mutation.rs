//! Files made wrong on purpose: what a validator must refuse.
//!
//! Pure: a valid text and the kind of mutation give a text that differs from it. Kinds that make
//! every valid text invalid are told from those that only usually do.

/// A way to spoil a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Mutation {
    /// Nothing at all.
    Empty,
    /// The last token left out.
    Truncated,
    /// One more token, on a line of its own.
    ExtraToken,
    /// One more empty line at the end.
    ExtraLine,
    /// No newline at the end.
    NoFinalNewline,
    /// Two blanks where there is one.
    DoubleBlank,
    /// A blank before a newline.
    TrailingBlank,
    /// A blank before the first token.
    LeadingBlank,
    /// A tab for a blank.
    Tab,
    /// Every newline as CR LF.
    CarriageReturns,
    /// A zero before a number.
    LeadingZero,
    /// A plus sign before a number.
    PlusSign,
    /// A number of forty digits.
    HugeNumber,
    /// A negative number of forty digits.
    TinyNumber,
    /// A number that became a word.
    NotANumber,
    /// A byte that is no text, at the end of a token.
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

    /// What was done to the file, for people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Empty => "an empty file",
            Self::Truncated => "a file whose last token is missing",
            Self::ExtraToken => "a file with one token too many",
            Self::ExtraLine => "a file with an empty line at its end",
            Self::NoFinalNewline => "a file without its final newline",
            Self::DoubleBlank => "two blanks in place of one",
            Self::TrailingBlank => "a blank at the end of a line",
            Self::LeadingBlank => "a blank at the beginning",
            Self::Tab => "a tab in place of a blank",
            Self::CarriageReturns => "lines that end in CR LF",
            Self::LeadingZero => "a number with a zero before it",
            Self::PlusSign => "a number with a plus sign",
            Self::HugeNumber => "a number of forty digits",
            Self::TinyNumber => "a negative number of forty digits",
            Self::NotANumber => "a word in place of a number",
            Self::NulByte => "a NUL byte",
            Self::SwappedLines => "the first two lines swapped",
            Self::SwappedTokens => "two tokens swapped",
            Self::OtherCase => "a letter in the other case",
        }
    }

    /// Whether `text` is laid out in this way as it is; of what is no matter of layout, never.
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

    /// How sure it is that an input made so is wrong.
    pub(crate) fn input_is_wrong(self) -> Certainty {
        match self {
            Self::SwappedLines | Self::SwappedTokens | Self::OtherCase => Certainty::Unknown,
            // Where a word may stand in a number's place, or digits are text, they may be right.
            Self::LeadingZero
            | Self::PlusSign
            | Self::HugeNumber
            | Self::TinyNumber
            | Self::NotANumber => Certainty::Likely,
            _ => Certainty::Sure,
        }
    }

    /// How sure it is that an output made so is wrong. Judges forgive blanks.
    pub(crate) fn output_is_wrong(self) -> Certainty {
        match self {
            Self::Empty | Self::Truncated | Self::ExtraToken => Certainty::Sure,
            Self::HugeNumber | Self::TinyNumber | Self::NotANumber | Self::NulByte => {
                Certainty::Likely
            }
            _ => Certainty::Unknown,
        }
    }

    /// The spoilt text; `None` where this text cannot be spoilt so.
    pub(crate) fn apply(self, text: &[u8]) -> Option<Vec<u8>> {
        let spoilt = match self {
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
            Self::PlusSign => at(
                text,
                number(text).filter(Number::has_no_sign)?.start,
                0,
                b"+",
            ),
            Self::HugeNumber => replaced(text, &[b'9'; 40])?,
            Self::TinyNumber => replaced(text, &[b"-".as_slice(), &[b'9'; 40]].concat())?,
            Self::NotANumber => replaced(text, b"NaN")?,
            Self::NulByte => at(text, tokens(text).next()?.1, 0, b"\0"),
            Self::SwappedLines => swapped_lines(text)?,
            Self::SwappedTokens => swapped_tokens(text)?,
            Self::OtherCase => other_case(text)?,
        };
        (spoilt != text).then_some(spoilt)
    }
}

/// How sure it is that a spoilt text is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// Always: accepting it is a fault of the validator.
    Sure,
    /// Unless the problem is special: accepting every one of them is worth a look.
    Likely,
    /// It depends on the problem: only a crash is a finding.
    Unknown,
}

/// `text` with `removed` bytes at `place` replaced by `new`.
fn at(text: &[u8], place: usize, removed: usize, new: &[u8]) -> Vec<u8> {
    [&text[..place], new, &text[place + removed..]].concat()
}

/// Begin and end of every token, in order.
fn tokens(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut place = 0;
    std::iter::from_fn(move || {
        let start = place
            + text[place..]
                .iter()
                .position(|b| !b.is_ascii_whitespace())?;
        let rest = &text[start..];
        let length = rest.iter().position(u8::is_ascii_whitespace);
        place = start + length.unwrap_or(rest.len());
        Some((start, place))
    })
}

/// A decimal integer among the tokens.
struct Number {
    start: usize,
    /// Where its digits begin.
    digits: usize,
    end: usize,
}

impl Number {
    fn has_no_sign(&self) -> bool {
        self.start == self.digits
    }
}

/// The last integer: early ones are often counts, whose change is found for another reason.
fn number(text: &[u8]) -> Option<Number> {
    let numbers = tokens(text).filter_map(|(start, end)| {
        let token = &text[start..end];
        let sign = usize::from(token.first() == Some(&b'-'));
        let digits = &token[sign..];
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        is_number.then_some(Number {
            start,
            digits: start + sign,
            end,
        })
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
    // A last line without its newline would be joined to the other.
    second
        .ends_with(b"\n")
        .then(|| [second, first, rest].concat())
}

fn swapped_tokens(text: &[u8]) -> Option<Vec<u8>> {
    let all: Vec<(usize, usize)> = tokens(text).take(64).collect();
    let pair = all.windows(2).find(|pair| {
        let ((a, b), (c, d)) = (pair[0], pair[1]);
        text[b..c].iter().all(|&byte| byte == b' ') && text[a..b] != text[c..d]
    })?;
    let ((a, b), (c, d)) = (pair[0], pair[1]);
    Some(
        [
            &text[..a],
            &text[c..d],
            &text[b..c],
            &text[a..b],
            &text[d..],
        ]
        .concat(),
    )
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
    fn each_mutation_does_what_its_words_say() {
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
            (
                Mutation::HugeNumber,
                Some(b"2 x\n5 9999999999999999999999999999999999999999\n"),
            ),
            (
                Mutation::TinyNumber,
                Some(b"2 x\n5 -9999999999999999999999999999999999999999\n"),
            ),
            (Mutation::NotANumber, Some(b"2 x\n5 NaN\n")),
            (Mutation::NulByte, Some(b"2\0 x\n5 -7\n")),
            (Mutation::SwappedLines, Some(b"5 -7\n2 x\n")),
            (Mutation::SwappedTokens, Some(b"x 2\n5 -7\n")),
            (Mutation::OtherCase, Some(b"2 X\n5 -7\n")),
        ];
        assert_eq!(table.map(|(mutation, _)| mutation), Mutation::ALL);
        for (mutation, expected) in table {
            let spoilt = mutation.apply(text);
            assert_eq!(spoilt.as_deref(), expected, "{mutation:?}");
        }
        assert_eq!(
            Mutation::PlusSign.apply(b"4\n").as_deref(),
            Some(&b"+4\n"[..])
        );
    }

    #[test]
    fn no_text_is_too_poor_to_try() {
        for text in [&b""[..], b"\n", b" ", b"x", b"7", b"\0\xff", b"a a\n"] {
            for mutation in Mutation::ALL {
                assert_ne!(mutation.apply(text).as_deref(), Some(text), "{mutation:?}");
            }
        }
    }
}
