//! The requests of `SandboxFusion`'s `/run_code`, so that its callers change one address.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{BatchAnswer, CaseAnswer, FaultOf};
use super::request::{EncodedFile, RequestedFile};
use crate::verdict::Verdict;

/// Languages without a result of their compilation.
const INTERPRETED: [&str; 9] =
    ["python", "pytest", "nodejs", "typescript", "bash", "php", "perl", "ruby", "lua"];

/// A program to run once.
#[derive(Debug, Deserialize)]
pub(crate) struct RunCodeRequest {
    code: String,
    language: String,
    #[serde(default)]
    stdin: Option<String>,
    /// Seconds.
    #[serde(default = "usual_timeout")]
    compile_timeout: f64,
    #[serde(default = "usual_timeout")]
    run_timeout: f64,
    /// Below 1: no limit of its own.
    #[serde(default, rename = "memory_limit_MB")]
    memory_limit_mb: Option<f64>,
    /// In base64.
    #[serde(default)]
    files: BTreeMap<String, Option<String>>,
}

fn usual_timeout() -> f64 {
    10.0
}

/// The result of a command.
#[derive(Debug, PartialEq, Serialize)]
struct CommandResult {
    status: &'static str,
    execution_time: Option<f64>,
    return_code: Option<i32>,
    stdout: String,
    stderr: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_time: Option<f64>,
}

impl RunCodeRequest {
    /// Reads a request.
    pub(crate) fn read(text: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(text)
    }

    /// The status and the text of the answer to a request that is wrong.
    pub(crate) fn refusal(why: &str) -> (u16, String) {
        let fault = json!({ "loc": ["body"], "msg": why, "type": "value_error" });
        (422, json!({ "detail": [fault] }).to_string())
    }

    /// The same as a line of a batch.
    pub(crate) fn line(&self) -> Vec<u8> {
        let files: BTreeMap<&String, RequestedFile> = self
            .files
            .iter()
            .map(|(name, content)| {
                let base64 = content.clone().unwrap_or_default();
                (name, RequestedFile::Base64(EncodedFile { base64 }))
            })
            .collect();
        let mut request = json!({
            "language": self.language,
            "source": self.code,
            "cases": [{ "input": self.stdin.as_deref().unwrap_or_default() }],
            "time_limit": self.run_timeout,
            "compile_limit": self.compile_timeout,
            "files": files,
            "return_output": true,
        });
        if let Some(limit) = self.memory_limit_mb.filter(|limit| *limit >= 1.0) {
            request["memory_limit"] = limit.into();
        }
        request.to_string().into_bytes()
    }

    /// The status and the text of the answer.
    pub(crate) fn answer(&self, answer: &BatchAnswer) -> (u16, String) {
        if answer.fault == Some(FaultOf::Request) {
            return Self::refusal(answer.reason.as_deref().unwrap_or_default());
        }
        let ran = answer.cases.first().filter(|case| case.verdict.0 != Verdict::Skipped);
        let compiled = answer
            .compile
            .as_ref()
            .filter(|compiled| !compiled.ok || !INTERPRETED.contains(&self.language.as_str()));
        let compile_result = compiled.map(|compiled| CommandResult {
            status: "Finished",
            execution_time: Some(compiled.wall_ms.unwrap_or_default() / 1000.0),
            return_code: Some(i32::from(!compiled.ok)),
            stdout: String::new(),
            stderr: compiled.message.clone().unwrap_or_default(),
            cpu_time: None,
        });
        let run_result = ran.map(CommandResult::of);
        let is_success = run_result.as_ref().is_some_and(|run| run.return_code == Some(0));
        let status = match (answer.judged, is_success) {
            (false, _) => "SandboxError",
            (true, true) => "Success",
            (true, false) => "Failed",
        };
        let answer = json!({
            "status": status,
            "message": answer.reason.as_deref().unwrap_or_default(),
            "compile_result": compile_result,
            "run_result": run_result,
            "executor_pod_name": null,
            "files": {},
        });
        (200, answer.to_string())
    }
}

impl CommandResult {
    /// The result of the program.
    fn of(case: &CaseAnswer) -> Self {
        let is_late = case.verdict.0 == Verdict::TimeLimit;
        let killed = || (!is_late).then(|| case.signal.map_or(-9, |signal| -signal));
        let seconds = |ms: Option<f64>| ms.map(|ms| ms / 1000.0);
        Self {
            status: if is_late { "TimeLimitExceeded" } else { "Finished" },
            execution_time: seconds(case.wall_ms),
            return_code: case.exit_code.filter(|_| !is_late).or_else(killed),
            stdout: case.stdout.clone().or_else(|| case.stdout_head.clone()).unwrap_or_default(),
            stderr: case.stderr_tail.clone().unwrap_or_default(),
            cpu_time: seconds(case.cpu_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::answer::CompileAnswer;
    use super::super::request::BatchRequest;
    use super::*;
    use crate::show::verdict_code::VerdictCode;

    fn answer(verdict: Verdict, exit_code: Option<i32>) -> BatchAnswer {
        let case = CaseAnswer {
            exit_code,
            wall_ms: Some(1500.0),
            stdout: Some("out".to_owned()),
            ..CaseAnswer::bare(verdict)
        };
        let compile = CompileAnswer { ok: true, cached: false, wall_ms: None, message: None };
        BatchAnswer {
            judged: true,
            verdict: Some(VerdictCode(verdict)),
            compile: Some(compile),
            cases: vec![case],
            ..BatchAnswer::default()
        }
    }

    fn answered(request: &str, answer: &BatchAnswer) -> (u16, Value) {
        let request = RunCodeRequest::read(request.as_bytes()).unwrap();
        let (status, text) = request.answer(answer);
        (status, serde_json::from_str(&text).unwrap())
    }

    const PYTHON: &str = r#"{"code": "print(1)", "language": "python"}"#;

    #[test]
    fn a_request_is_one_case_without_an_answer() {
        let request = RunCodeRequest::read(
            br#"{"code": "x", "language": "cpp", "stdin": "1", "run_timeout": 2.5,
                "memory_limit_MB": 64, "files": {"a.txt": "aGk="}, "fetch_files": []}"#,
        );
        let line = request.unwrap().line();
        let parsed: BatchRequest = serde_json::from_slice(&line).unwrap();
        assert_eq!(parsed.time_limit.unwrap().to_string(), "2.5");
        assert_eq!(parsed.memory_limit.unwrap().to_string(), "64");
        assert!(parsed.return_output && parsed.files.contains_key("a.txt"));
        let request = RunCodeRequest::read(PYTHON.as_bytes()).unwrap();
        let parsed: BatchRequest = serde_json::from_slice(&request.line()).unwrap();
        assert!(parsed.memory_limit.is_none());
        for wrong in [&b"{}"[..], b"", b"[]", br#"{"code": 1, "language": "python"}"#] {
            let error = RunCodeRequest::read(wrong).unwrap_err();
            let (status, told) = RunCodeRequest::refusal(&error.to_string());
            assert!(status == 422 && told.contains("\"detail\""), "{told}");
        }
    }

    #[test]
    fn answers_are_those_of_sandbox_fusion() {
        let (status, value) = answered(PYTHON, &answer(Verdict::Ran, Some(0)));
        assert_eq!((status, &value["status"]), (200, &json!("Success")));
        assert_eq!(value["compile_result"], Value::Null);
        assert_eq!(value["run_result"]["stdout"], "out");
        assert_eq!(value["run_result"]["execution_time"], 1.5);
        let (_, value) = answered(PYTHON, &answer(Verdict::RunTimeError, Some(3)));
        assert_eq!(
            (&value["status"], &value["run_result"]["return_code"]),
            (&json!("Failed"), &json!(3))
        );
        let (_, value) = answered(PYTHON, &answer(Verdict::TimeLimit, None));
        assert_eq!(value["run_result"]["status"], "TimeLimitExceeded");
        assert_eq!(
            (&value["status"], &value["run_result"]["return_code"]),
            (&json!("Failed"), &Value::Null)
        );
        let mut refused = answer(Verdict::Skipped, None);
        refused.compile.as_mut().unwrap().ok = false;
        let (_, value) = answered(PYTHON, &refused);
        assert_eq!((&value["status"], &value["run_result"]), (&json!("Failed"), &Value::Null));
        assert_eq!(value["compile_result"]["return_code"], 1);
        let fault = |fault| BatchAnswer::not_judged(None, fault, "why");
        let (status, value) = answered(PYTHON, &fault(FaultOf::Judge));
        assert_eq!(
            (status, &value["status"], &value["message"]),
            (200, &json!("SandboxError"), &json!("why"))
        );
        assert_eq!(answered(PYTHON, &fault(FaultOf::Request)).0, 422);
    }
}
