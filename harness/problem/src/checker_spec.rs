//! The checker that a problem or the command line asks for, as data: what a judge builds and runs.

use std::path::PathBuf;

use crate::notice::{Code, Notice, nearest};

mod convention;
mod rules;

pub use convention::Convention;
pub use rules::{AnswerWords, FloatJudge, FloatLines, JsonRule, LineRule, TokenOptions};

/// The checker that a problem asks for, before anything is compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckerSpec {
    /// Byte for byte.
    Exact,
    /// The ICPC default output validator.
    Tokens(TokenOptions),
    /// Line by line.
    Lines(LineRule),
    /// Line by line, with a tolerance for numbers, as another judge does.
    FloatLines(FloatLines),
    /// As JSON values.
    Json(JsonRule),
    /// A program of the problem: an ICPC output validator, as a source file or folder.
    Validator {
        /// Its source.
        source: PathBuf,
        /// Its arguments.
        args: Vec<String>,
    },
    /// Several output validators of a legacy package, in order; each must accept.
    Validators {
        /// Their sources.
        sources: Vec<PathBuf>,
        /// The arguments of each.
        args: Vec<String>,
    },
    /// A checker written with testlib, as a source file or folder.
    Testlib {
        /// Its source.
        source: PathBuf,
    },
    /// A checker in the convention of another judge, as a source file or folder.
    Foreign {
        /// Its source.
        source: PathBuf,
        /// How it is called and how it reports its decision.
        convention: Convention,
        /// Its arguments, in which `{input_file}`, `{output_file}` and `{answer_file}` stand for paths. Empty: those of
        /// the convention.
        call: Vec<String>,
    },
    /// A static validator, which reads the submission's files instead of an output; a source file
    /// or folder.
    Static {
        /// Its source.
        source: PathBuf,
        /// Its arguments.
        args: Vec<String>,
    },
}

impl CheckerSpec {
    /// The sources of the checker's programs; none for a built-in checker.
    pub fn sources(&self) -> &[PathBuf] {
        match self {
            Self::Exact
            | Self::Tokens(_)
            | Self::Lines(_)
            | Self::FloatLines(_)
            | Self::Json(_) => &[],
            Self::Validators { sources, .. } => sources,
            Self::Validator { source, .. }
            | Self::Testlib { source }
            | Self::Foreign { source, .. }
            | Self::Static { source, .. } => std::slice::from_ref(source),
        }
    }

    /// `numbers:EPS`: words; real numbers of the answer within this tolerance, and integers and all else as text.
    #[must_use]
    pub fn numbers(tolerance: f64) -> Self {
        Self::Tokens(TokenOptions {
            case_sensitive: true,
            exact_integers: true,
            ..TokenOptions::within(tolerance)
        })
    }

    /// The same with absolute paths of its programs.
    ///
    /// # Errors
    /// The path that cannot be read.
    pub fn with_absolute_sources(mut self) -> Result<Self, (PathBuf, std::io::Error)> {
        if let Self::Validator { source, .. }
        | Self::Testlib { source }
        | Self::Foreign { source, .. } = &mut self
        {
            *source = source.canonicalize().map_err(|error| (source.clone(), error))?;
        }
        Ok(self)
    }

    /// The built-in checker that is most similar to `word`, if one is similar enough.
    pub fn nearest_word(word: &str) -> Option<&'static str> {
        nearest(word, Self::words())
    }

    /// The built-in checkers.
    pub fn words() -> impl Iterator<Item = &'static str> {
        let rules = LineRule::ALL.map(|(word, _)| word);
        let others = ["exact", "tokens", "tokens:case", "float:1e-6", "numbers:1e-6", "json"];
        others.into_iter().chain(rules)
    }

    /// Whether the checker is a program of the problem.
    pub fn is_program(&self) -> bool {
        matches!(
            self,
            Self::Validator { .. }
                | Self::Validators { .. }
                | Self::Testlib { .. }
                | Self::Foreign { .. }
                | Self::Static { .. }
        )
    }
}

impl Default for CheckerSpec {
    fn default() -> Self {
        Self::Tokens(TokenOptions::default())
    }
}

/// A value that does not choose a checker.
fn invalid(what: impl Into<String>, help: impl Into<String>) -> Notice {
    Code::InvalidValue.says(what).help(help)
}

const KNOWN: &str = "the default output validator knows `case_sensitive`, \
     `space_change_sensitive`, `float_tolerance E`, `float_absolute_tolerance E` and \
     `float_relative_tolerance E`";

impl TokenOptions {
    /// `float_tolerance E`.
    #[must_use]
    pub fn within(tolerance: f64) -> Self {
        Self { float_absolute: Some(tolerance), float_relative: Some(tolerance), ..Self::default() }
    }

    /// Reads the flags of the default output validator, one word each.
    pub fn from_words<W: AsRef<str>>(words: &[W]) -> Result<Self, Notice> {
        let mut options = Self::default();
        let mut both = None;
        let mut words = words.iter().map(AsRef::as_ref);
        while let Some(word) = words.next() {
            match word {
                "case_sensitive" => options.case_sensitive = true,
                "space_change_sensitive" => options.space_change_sensitive = true,
                "float_absolute_tolerance" => {
                    set(&mut options.float_absolute, word, words.next())?;
                }
                "float_relative_tolerance" => {
                    set(&mut options.float_relative, word, words.next())?;
                }
                "float_tolerance" => set(&mut both, word, words.next())?,
                _ => {
                    let what = format!("unknown flag `{}`", word.escape_debug());
                    return Err(invalid(what, KNOWN));
                }
            }
        }
        if both.is_some() {
            if options.float_absolute.is_some() || options.float_relative.is_some() {
                return Err(invalid(
                    "`float_tolerance` cannot be combined with another tolerance",
                    "remove it, which sets both tolerances, or remove the others",
                ));
            }
            options.float_absolute = both;
            options.float_relative = both;
        }
        Ok(options)
    }

    /// Combines the flags of a group (`self`) with those of the whole problem: if both give a
    /// tolerance, that of the group counts.
    pub(crate) fn laid_over(self, whole: Self) -> Self {
        Self {
            case_sensitive: self.case_sensitive || whole.case_sensitive,
            space_change_sensitive: self.space_change_sensitive || whole.space_change_sensitive,
            float_absolute: self.float_absolute.or(whole.float_absolute),
            float_relative: self.float_relative.or(whole.float_relative),
            exact_integers: self.exact_integers || whole.exact_integers,
            answers: whole.answers,
        }
    }
}

fn set(slot: &mut Option<f64>, flag: &str, value: Option<&str>) -> Result<(), Notice> {
    let Some(value) = value else {
        return Err(invalid(
            format!("`{flag}` needs a number"),
            format!("add the tolerance: `{flag} 1e-6`"),
        ));
    };
    if slot.is_some() {
        return Err(invalid(format!("`{flag}` is set twice"), "keep one of them"));
    }
    *slot = Some(tolerance(flag, value)?);
    Ok(())
}

fn tolerance(flag: &str, value: &str) -> Result<f64, Notice> {
    let number: Option<f64> = value.parse().ok();
    match number {
        Some(number) if number.is_finite() && number.is_sign_positive() => Ok(number),
        _ => Err(invalid(
            format!("invalid tolerance `{}` for `{flag}`", value.escape_debug()),
            "use a number that is 0 or more, such as `1e-6`",
        )),
    }
}

impl CheckerSpec {
    /// Parts a word for a checker: what comes before the path of its program, such as `testlib:`, and that path. The path is empty if
    /// the checker is built in, and the word is a path as a whole if it is no checker.
    pub fn split(word: &str) -> (&str, &str) {
        let Ok(checker) = Self::parse(word) else {
            return ("", word);
        };
        let path = checker.sources().first().and_then(|path| path.to_str());
        match path.and_then(|path| word.strip_suffix(path)) {
            Some(prefix) => word.split_at(prefix.len()),
            None => (word, ""),
        }
    }

    /// Reads the value of `--checker`: `exact`, `tokens`, `lines`, `float:EPS`, `numbers:EPS`, `json`, `testlib:PATH` or
    /// the path of an output validator. A file with one of these names needs `./` before it.
    pub fn parse(value: &str) -> Result<Self, Notice> {
        const FORMS: &str = "use `exact`, `tokens`, `lines`, `float:EPS`, `numbers:EPS`, `json`, `testlib:PATH`, or the path to an output validator";
        if let Some((_, rule)) = LineRule::ALL.iter().find(|(word, _)| *word == value) {
            return Ok(Self::Lines(*rule));
        }
        let foreign = value.split_once(':').and_then(|(word, path)| {
            let convention = Convention::of_word(word).filter(|_| !path.is_empty())?;
            let source = PathBuf::from(path);
            Some(Self::Foreign { source, convention, call: Vec::new() })
        });
        if let Some(foreign) = foreign {
            return Ok(foreign);
        }
        match value.split_once(':') {
            _ if value == "exact" => Ok(Self::Exact),
            _ if value == "tokens" => Ok(Self::Tokens(TokenOptions::default())),
            _ if value == "json" => Ok(Self::Json(JsonRule::default())),
            Some(("tokens", "case")) => {
                Ok(Self::Tokens(TokenOptions { case_sensitive: true, ..TokenOptions::default() }))
            }
            Some(("float", number)) => {
                let number = tolerance("--checker float:", number)?;
                Ok(Self::Tokens(TokenOptions::within(number)))
            }
            Some(("numbers", number)) => {
                Ok(Self::numbers(tolerance("--checker numbers:", number)?))
            }
            Some(("json", number)) => {
                let tolerance = Some(tolerance("--checker json:", number)?);
                Ok(Self::Json(JsonRule { tolerance }))
            }
            Some(("testlib", "")) | None if value.is_empty() || value == "testlib:" => {
                Err(invalid("`testlib:` needs the path of a checker", FORMS))
            }
            Some(("testlib", path)) => Ok(Self::Testlib { source: PathBuf::from(path) }),
            None if matches!(value, "float" | "numbers") => Err(invalid(
                format!("`{value}` needs a tolerance"),
                format!("add the tolerance after a colon: `{value}:1e-6`"),
            )),
            _ => Ok(Self::Validator { source: PathBuf::from(value), args: Vec::new() }),
        }
    }
}

#[cfg(test)]
mod tests;
