//! The text of a request's program, and what is put around it.

use super::extract::extract;
use super::request::{ArgumentsRule, BatchRequest, OwnTests};

/// Calls the function of a program, or lets it test itself. It runs in the sandbox with the program, and never sees an answer.
const DRIVER: &str = include_str!("driver.py");

/// A program as it is compiled.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProgramText {
    pub(super) text: String,
    /// Whether it prints the first line of its input when its own tests have passed.
    pub(super) has_own_tests: bool,
}

/// Why a request has no program that can be judged.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ProgramFault {
    /// It is a request like others, whose program does not compile.
    NoProgram(&'static str),
    /// The request is wrong.
    Invalid(String),
}

impl BatchRequest {
    /// The text of the program, as the request has it.
    pub(super) fn program(&self) -> Result<String, ProgramFault> {
        let invalid = |why: &str| Err(ProgramFault::Invalid(why.to_owned()));
        let text = match (&self.source, &self.path, &self.completion) {
            (Some(source), None, None) => source.clone(),
            (None, Some(path), None) => {
                let bytes = std::fs::read(path).map_err(|error| {
                    ProgramFault::Invalid(format!("cannot read `{}`: {error}", path.display()))
                })?;
                String::from_utf8(bytes).map_err(|_| {
                    ProgramFault::Invalid(format!("`{}` is not UTF-8", path.display()))
                })?
            }
            (None, None, Some(completion)) => extract(completion, self.extract)
                .ok_or(ProgramFault::NoProgram("the completion has no block of code"))?,
            (None, None, None) => {
                return invalid("it has no program: add `source`, `path` or `completion`");
            }
            _ => return invalid("it has several of `source`, `path` and `completion`; keep one"),
        };
        if text.trim().is_empty() {
            return Err(ProgramFault::NoProgram("the program is empty"));
        }
        Ok(text)
    }

    /// Whether a driver is put around the program.
    pub(super) fn needs_driver(&self) -> bool {
        self.function.is_some() || self.check.is_some()
    }

    /// The program as it is compiled.
    pub(super) fn with_driver(&self, program: String) -> ProgramText {
        if !self.needs_driver() {
            return ProgramText { text: program, has_own_tests: false };
        }
        let name = self.function.as_ref().map(|function| function.name.as_str());
        let arguments = self.function.as_ref().map(|function| match function.arguments {
            ArgumentsRule::JsonLines => "lines",
            ArgumentsRule::Values => "values",
        });
        let tests = self.check.map(|check| match check {
            OwnTests::Exit => "exit",
            OwnTests::Unittest => "unittest",
        });
        let words = [Some(program.as_str()), name, arguments, tests].map(python);
        let text = format!("{DRIVER}_main({})\n", words.join(", "));
        ProgramText { text, has_own_tests: tests.is_some() }
    }
}

/// A text as Python writes it, in ASCII.
fn python(text: Option<&str>) -> String {
    use std::fmt::Write as _;
    let Some(text) = text else {
        return "None".to_owned();
    };
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            ' '..='~' => out.push(character),
            other => {
                let _ = write!(out, "\\U{:08x}", u32::from(other));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(json: &str) -> BatchRequest {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_request_has_one_program() {
        let program = |json: &str| request(json).program();
        assert_eq!(program(r#"{"source": "x"}"#), Ok("x".to_owned()));
        assert_eq!(program(r#"{"completion": "```\nx\n```"}"#), Ok("x\n".to_owned()));
        for none in
            [r#"{"source": " \n"}"#, r#"{"completion": "x"}"#, r#"{"completion": "```\n```"}"#]
        {
            assert!(matches!(program(none), Err(ProgramFault::NoProgram(_))), "{none}");
        }
        for wrong in ["{}", r#"{"source": "x", "completion": "y"}"#, r#"{"path": "/nowhere/x.py"}"#]
        {
            assert!(matches!(program(wrong), Err(ProgramFault::Invalid(_))), "{wrong}");
        }
    }

    #[test]
    fn a_source_is_a_literal_of_python() {
        assert_eq!(python(Some("a\"\\\n\té")), "\"a\\\"\\\\\\n\\U00000009\\U000000e9\"");
        assert_eq!(python(None), "None");
    }
}
