//! The rules of the built-in checkers, as data.

/// The flags of the ICPC default output validator.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TokenOptions {
    /// `case_sensitive`.
    pub case_sensitive: bool,
    /// `space_change_sensitive`.
    pub space_change_sensitive: bool,
    /// `float_absolute_tolerance E`.
    pub float_absolute: Option<f64>,
    /// `float_relative_tolerance E`.
    pub float_relative: Option<f64>,
    /// Whether the tolerance is only for words of the answer with a point or an exponent: an integer must be equal as text.
    pub exact_integers: bool,
    /// What the words of an answer must be.
    pub answers: AnswerWords,
}

/// What the words of an answer must be. Otherwise the checker fails, as that of testlib does that it replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnswerWords {
    /// Any words.
    #[default]
    Any,
    /// Numbers that fit in 32 bits.
    Int32,
    /// Numbers that fit in 64 bits.
    Int64,
    /// Integers of any length.
    Integer,
    /// Numbers with or without a decimal point.
    Real,
    /// `YES` or `NO`, in any case.
    YesNo,
}

/// Which differences are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineRule {
    /// `\r\n` instead of `\n`, and a missing last `\n`. As cargo-compete's `Lines`.
    #[default]
    Whole,
    /// Also blanks at the ends of lines and empty lines at the end.
    Trimmed,
    /// Also the number of blanks between two words of a line and around them. As CMS.
    Blanks,
    /// Also empty lines anywhere; the number of blanks between two words does not matter as long as
    /// a line break stays a line break. As DMOJ's `standard`.
    Words,
    /// Only the blanks at the ends of lines. As DMOJ's `rstripped`, which counts every line end.
    Ends,
    /// Blanks, and the order and the case of all other characters. As DMOJ's `easy`.
    Letters,
    /// The order of the lines, empty lines, and the number of blanks. As DMOJ's `sorted`.
    Sorted,
    /// The order of the words, and all blanks. As DMOJ's `sorted` with `split_on: whitespace`.
    SortedWords,
    /// Empty lines, and blanks around lines. As DMOJ's `linecount` without its partial points.
    Filled,
    /// Empty lines, and blanks at the ends of lines. As DMOJ's `rstripped` with `filter_new_line`.
    FilledEnds,
    /// `\r` and blanks at the ends of lines, and empty lines at the end, but not lines of blanks. As Hydro's default.
    Hydro,
    /// Only `\r` at the ends of lines, and a missing last `\n`. As Hydro's `strict`.
    HydroStrict,
    /// The number of blanks between two words of a line and around them, and empty lines at the end. As sinol's oicompare.
    Sinol,
    /// Only blanks and empty lines at the end of the text. As QDUOJ.
    Stripped,
    /// Blanks around lines and around the text, and how numbers are written in lines of nothing else. As `LiveCodeBench`.
    Decimal,
}

impl LineRule {
    /// The rules with their names.
    pub const ALL: [(&'static str, Self); 15] = [
        ("lines", Self::Whole),
        ("lines:trimmed", Self::Trimmed),
        ("lines:blanks", Self::Blanks),
        ("lines:words", Self::Words),
        ("lines:ends", Self::Ends),
        ("lines:letters", Self::Letters),
        ("lines:sorted", Self::Sorted),
        ("lines:sorted-words", Self::SortedWords),
        ("lines:filled", Self::Filled),
        ("lines:filled-ends", Self::FilledEnds),
        ("lines:hydro", Self::Hydro),
        ("lines:hydro-strict", Self::HydroStrict),
        ("lines:sinol", Self::Sinol),
        ("lines:stripped", Self::Stripped),
        ("lines:decimal", Self::Decimal),
    ];

    /// The name of the rule.
    #[must_use]
    pub fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, rule)| *rule == self);
        found.map_or("lines", |(word, _)| word)
    }
}

/// How lines with numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatLines {
    /// The largest absolute error.
    pub absolute: Option<f64>,
    /// The largest relative error.
    pub relative: Option<f64>,
    /// The judge whose lines and numbers these are.
    pub judge: FloatJudge,
}

impl FloatLines {
    /// The most similar comparison of tokens, for formats without lines.
    pub fn as_tokens(&self) -> TokenOptions {
        TokenOptions {
            case_sensitive: true,
            float_absolute: self.absolute,
            float_relative: self.relative,
            ..TokenOptions::default()
        }
    }
}

/// How JSON values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JsonRule {
    /// The largest absolute or relative error of a number that the answer writes with a point or an exponent.
    pub tolerance: Option<f64>,
}

impl JsonRule {
    /// The value of `--checker`.
    #[must_use]
    pub fn word(&self) -> String {
        self.tolerance.map_or_else(|| "json".to_owned(), |tolerance| format!("json:{tolerance:e}"))
    }
}

/// A judge that compares numbers line by line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatJudge {
    /// Empty lines count.
    Compete,
    /// Empty lines do not count, and a carriage return ends a line.
    Dmoj,
}
