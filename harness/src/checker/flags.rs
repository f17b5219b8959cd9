//! Reads the words that choose a checker: the default validator's flags, and `--checker`.

use std::path::PathBuf;

use super::{CheckerSpec, LineRule, TokenOptions};

/// Words that do not choose a checker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}\nhelp: {help}")]
pub struct FlagError {
    what: String,
    help: String,
}

impl FlagError {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            help: help.into(),
        }
    }
}

const KNOWN: &str = "the default output validator knows `case_sensitive`, \
     `space_change_sensitive`, `float_tolerance E`, `float_absolute_tolerance E` and \
     `float_relative_tolerance E`";

impl TokenOptions {
    /// From the default output validator's flags, one word each.
    pub fn from_words<W: AsRef<str>>(words: &[W]) -> Result<Self, FlagError> {
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
                    return Err(FlagError::new(what, KNOWN));
                }
            }
        }
        if both.is_some() {
            if options.float_absolute.is_some() || options.float_relative.is_some() {
                return Err(FlagError::new(
                    "`float_tolerance` stands beside another tolerance",
                    "`float_tolerance E` already sets both: drop it, or drop the others",
                ));
            }
            options.float_absolute = both;
            options.float_relative = both;
        }
        Ok(options)
    }

    /// Those of a part of a problem, over those of the whole: of a tolerance that both give, the part's holds.
    pub(crate) fn laid_over(self, whole: Self) -> Self {
        Self {
            case_sensitive: self.case_sensitive || whole.case_sensitive,
            space_change_sensitive: self.space_change_sensitive || whole.space_change_sensitive,
            float_absolute: self.float_absolute.or(whole.float_absolute),
            float_relative: self.float_relative.or(whole.float_relative),
        }
    }
}

fn set(slot: &mut Option<f64>, flag: &str, value: Option<&str>) -> Result<(), FlagError> {
    let Some(value) = value else {
        return Err(FlagError::new(
            format!("`{flag}` has no number after it"),
            format!("write it with its tolerance: `{flag} 1e-6`"),
        ));
    };
    if slot.is_some() {
        return Err(FlagError::new(
            format!("`{flag}` is given twice"),
            "keep one of them",
        ));
    }
    *slot = Some(tolerance(flag, value)?);
    Ok(())
}

fn tolerance(flag: &str, value: &str) -> Result<f64, FlagError> {
    let number: Option<f64> = value.parse().ok();
    match number {
        Some(number) if number.is_finite() && number.is_sign_positive() => Ok(number),
        _ => Err(FlagError::new(
            format!("`{}` is no tolerance for `{flag}`", value.escape_debug()),
            "a tolerance is a number from 0 on, such as `1e-6`",
        )),
    }
}

impl CheckerSpec {
    /// From the value of `--checker`: `exact`, `tokens`, `lines`, `float:EPS`, `testlib:PATH` or the path
    /// of an output validator. A file named like one of the words is meant with `./` before it.
    pub fn parse(value: &str) -> Result<Self, FlagError> {
        const FORMS: &str = "it is `exact`, `tokens`, `lines`, `float:EPS`, `testlib:PATH`, or the path of an output validator";
        if let Some((_, rule)) = LineRule::ALL.iter().find(|(word, _)| *word == value) {
            return Ok(Self::Lines(*rule));
        }
        match value.split_once(':') {
            _ if value == "exact" => Ok(Self::Exact),
            _ if value == "tokens" => Ok(Self::Tokens(TokenOptions::default())),
            Some(("float", number)) => {
                let number = tolerance("--checker float:", number)?;
                Ok(Self::Tokens(TokenOptions {
                    float_absolute: Some(number),
                    float_relative: Some(number),
                    ..TokenOptions::default()
                }))
            }
            Some(("testlib", "")) | None if value.is_empty() || value == "testlib:" => {
                Err(FlagError::new("the checker names no file", FORMS))
            }
            Some(("testlib", path)) => Ok(Self::Testlib {
                source: PathBuf::from(path),
            }),
            None if value == "float" => Err(FlagError::new(
                "`float` has no tolerance",
                "write it behind a colon: `float:1e-6`",
            )),
            _ => Ok(Self::Validator {
                source: PathBuf::from(value),
                args: Vec::new(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str) -> Result<TokenOptions, String> {
        let words: Vec<_> = line.split_whitespace().collect();
        TokenOptions::from_words(&words).map_err(|error| error.to_string())
    }

    #[test]
    fn flags_set_what_they_name() {
        assert_eq!(flags(""), Ok(TokenOptions::default()));
        let all = TokenOptions {
            case_sensitive: true,
            space_change_sensitive: true,
            float_absolute: Some(1e-6),
            float_relative: Some(0.5),
        };
        let line = "float_relative_tolerance 0.5 case_sensitive \
             float_absolute_tolerance 1e-6 space_change_sensitive";
        assert_eq!(flags(line), Ok(all));
        let both = flags("float_tolerance 0").unwrap();
        assert_eq!(both.float_absolute, Some(0.0));
        assert_eq!(both.float_relative, Some(0.0));
    }

    #[test]
    fn bad_flags_say_how_to_mend() {
        for (line, what) in [
            ("Case_sensitive", "unknown flag `Case_sensitive`"),
            ("1e-6", "unknown flag `1e-6`"),
            ("float_tolerance", "`float_tolerance` has no number"),
            (
                "float_tolerance case_sensitive",
                "`case_sensitive` is no tolerance",
            ),
            ("float_tolerance -1", "`-1` is no tolerance"),
            ("float_tolerance -0", "`-0` is no tolerance"),
            ("float_tolerance nan", "`nan` is no tolerance"),
            ("float_tolerance inf", "`inf` is no tolerance"),
            ("float_tolerance 1e999", "`1e999` is no tolerance"),
            ("float_tolerance 1 float_tolerance 1", "given twice"),
            (
                "float_absolute_tolerance 1 float_absolute_tolerance 1",
                "given twice",
            ),
            (
                "float_tolerance 1 float_relative_tolerance 1",
                "stands beside another",
            ),
            (
                "float_absolute_tolerance 1 float_tolerance 1",
                "stands beside another",
            ),
        ] {
            let error = flags(line).unwrap_err();
            assert!(error.contains(what), "{line}: {error}");
            assert!(error.contains("\nhelp: "), "{line}: {error}");
        }
    }

    #[test]
    fn a_checker_is_a_word_or_a_path() {
        let parse = |value| CheckerSpec::parse(value).map_err(|error| error.to_string());
        assert_eq!(parse("exact"), Ok(CheckerSpec::Exact));
        assert_eq!(parse("tokens"), Ok(CheckerSpec::default()));
        for (word, rule) in LineRule::ALL {
            assert_eq!(parse(word), Ok(CheckerSpec::Lines(rule)));
            assert_eq!(rule.word(), word);
        }
        let float = flags("float_tolerance 1e-9").unwrap();
        assert_eq!(parse("float:1e-9"), Ok(CheckerSpec::Tokens(float)));
        let source = PathBuf::from("a/check.cpp");
        assert_eq!(
            parse("testlib:a/check.cpp"),
            Ok(CheckerSpec::Testlib {
                source: source.clone()
            })
        );
        for path in ["a/check.cpp", "./exact", "c:x", "float.rs"] {
            let validator = CheckerSpec::Validator {
                source: PathBuf::from(path),
                args: Vec::new(),
            };
            assert_eq!(parse(path), Ok(validator));
        }
        for bad in ["", "float", "float:", "float:-1", "float:x", "testlib:"] {
            assert!(parse(bad).unwrap_err().contains("help: "), "{bad}");
        }
    }
}
