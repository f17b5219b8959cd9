//! Whether a request can be judged on another machine: it must not name files of this one.

use super::request::{BatchRequest, RequestedCases, RequestedChecker};
use crate::checker_spec::CheckerSpec;
use crate::notice::{Code, Notice};

impl BatchRequest {
    /// What the request names on this machine, and what to do about it; `None`: nothing.
    pub(crate) fn needs_files(&self) -> Option<Notice> {
        let is_program = |word: &String| CheckerSpec::parse(word).is_ok_and(|it| it.is_program());
        let (what, help) = match self {
            Self { path: Some(_), .. } => ("`path`", "give the program as `source`"),
            Self { problem: Some(_), .. } => ("`problem`", "give its cases as a list"),
            Self { cases: Some(RequestedCases::Path(_)), .. } => {
                ("a path in `cases`", "give the cases as a list")
            }
            Self { checker: Some(RequestedChecker::Word(word)), .. } if is_program(word) => {
                ("a path in `checker`", "give the program of the checker as `source`")
            }
            _ => return None,
        };
        let what = format!("workers on a NATS server have no files for {what}");
        Some(Code::InvalidValue.says(what).help(help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_name_files_are_not_for_other_machines() {
        let needs = |json: &str| {
            let request: BatchRequest = serde_json::from_str(json).unwrap();
            request.needs_files().is_some()
        };
        for json in [
            r#"{"path": "a.py"}"#,
            r#"{"problem": "sum"}"#,
            r#"{"cases": "/etc"}"#,
            r#"{"checker": "testlib:/etc/passwd"}"#,
            r#"{"checker": "/etc/passwd"}"#,
            r#"{"checker": "cms:../x"}"#,
        ] {
            assert!(needs(json), "{json}");
        }
        for json in [
            r#"{"source": "x", "cases": [{"input": "1"}]}"#,
            r#"{"checker": "numbers:1e-6"}"#,
            r#"{"checker": {"language": "cpp", "source": "x"}}"#,
        ] {
            assert!(!needs(json), "{json}");
        }
    }
}
