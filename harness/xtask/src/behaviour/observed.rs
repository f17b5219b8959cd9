//! What rejudge saw of a program.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::behaviour::cells::{Cell, Figure, Wrapper, cell};

/// The longest text of an output that is stored.
const SHORT: usize = 80;

/// What [`Observed::exit`] is if a limit ended the program.
const KILLED: &str = "killed";

const MIB: u64 = 1 << 20;

/// What a cell holds. Figures are rounded, and never compared.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Observed {
    /// `code 1`, `signal 11`, or `killed` if a limit ended the program.
    pub(crate) exit: String,
    /// Where the message about the error is.
    pub(crate) message: Stream,
    /// None where rejudge itself never makes what the cell asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verdict: Option<String>,
    /// What the report gives as the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The start of standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cpu_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory_mib: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) threads: Option<u64>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stream {
    #[default]
    None,
    Stderr,
    Stdout,
    Both,
}

impl Observed {
    /// The cell without its figures, and without the stream of a message if a limit ended the program: it is chance how far
    /// the program came with it.
    pub(crate) fn compared(&self) -> Self {
        let message = if self.exit == KILLED { Stream::None } else { self.message };
        Self { message, cpu_seconds: None, memory_mib: None, threads: None, ..self.clone() }
    }
}

/// The cells in the lines of a report, by language and then by cell.
pub(crate) fn of_report(report: &str) -> Result<BTreeMap<String, BTreeMap<String, Observed>>> {
    let mut found: BTreeMap<String, BTreeMap<String, Observed>> = BTreeMap::new();
    for line in report.lines() {
        let event: Value = serde_json::from_str(line)?;
        match event["type"].as_str() {
            Some("error") => bail!("{}", event["message"]),
            Some("submission") if event["verdict"] == "CE" => bail!("{event:#}"),
            Some("case") => {
                let text = |key: &str| event[key].as_str().context("a name");
                let (_, file) = text("submission")?.rsplit_once('/').context("a folder")?;
                let file = file.strip_prefix("in_").context("our name of a submission")?;
                let (language, _) = file.split_once('.').context("an extension")?;
                let cell = cell(text("problem")?).context("a cell")?;
                let cells = found.entry(language.to_owned()).or_default();
                let seen =
                    of_case(cell, &event).with_context(|| format!("{language}.{}", cell.id))?;
                cells.insert(cell.id.to_owned(), seen);
            }
            _ => {}
        }
    }
    Ok(found)
}

fn of_case(cell: &Cell, event: &Value) -> Result<Observed> {
    let text = |key: &str| event[key].as_str().unwrap_or_default();
    let output = text("output");
    let stderr = text("stderr");
    let status = match (event["exit_code"].as_i64(), event["signal"].as_i64()) {
        (Some(code), _) => format!("code {code}"),
        (_, Some(signal)) => format!("signal {signal}"),
        _ => KILLED.to_owned(),
    };
    let mut seen = Observed {
        message: stream(cell, &status, output, stderr),
        exit: status.clone(),
        verdict: Some(text("verdict").to_owned()),
        reason: Some(without_figures(text("feedback"))).filter(|reason| !reason.is_empty()),
        ..Observed::default()
    };
    if cell.answer.is_none() {
        if status == "code 0" {
            // It compares with an answer that no output can equal.
            seen.reason = None;
        }
        seen.output = Some(start(output)).filter(|output| !output.is_empty());
    }
    let number = |key: &str| event[key].as_f64().with_context(|| format!("no {key}: {event}"));
    match cell.figure {
        Figure::None => {}
        Figure::CpuTime => seen.cpu_seconds = Some(rounded(number("cpu_ms")? / 1000.0)),
        Figure::Memory => {
            let bytes = event["memory_bytes"].as_u64().context("no memory_bytes")?;
            seen.memory_mib = Some((bytes + MIB / 2) / MIB);
        }
    }
    if cell.wrapper.is_some() {
        // The answer is that of the wrapper.
        (seen.output, seen.reason, seen.verdict) = (None, None, None);
    }
    match cell.wrapper {
        // The limit may end the wrapper too.
        Some(_) if status == KILLED => {}
        Some(Wrapper::ClosedOutput) => seen.exit = status_of_shell(output.trim().parse()?),
        Some(Wrapper::CountedThreads) => seen.threads = Some(output.trim().parse()?),
        None => {}
    }
    Ok(seen)
}

/// The end of a program as a shell reports it: a signal as 128 and its number.
fn status_of_shell(status: i32) -> String {
    if status > 128 && status < 128 + 65 {
        format!("signal {}", status - 128)
    } else {
        format!("code {status}")
    }
}

/// The stream with more than what the program itself printed.
fn stream(cell: &Cell, exit: &str, output: &str, stderr: &str) -> Stream {
    // The reports cut the end of a line off.
    let own = cell.printed_before.trim_end();
    let rest = output.strip_prefix(own).unwrap_or(output).trim();
    let on_stdout = exit != "code 0" && exit != KILLED && !rest.is_empty();
    match (on_stdout, !stderr.is_empty()) {
        (true, true) => Stream::Both,
        (true, false) => Stream::Stdout,
        (false, true) => Stream::Stderr,
        (false, false) => Stream::None,
    }
}

/// The start of an output.
fn start(output: &str) -> String {
    let output = output.trim_end();
    match output.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", &output[..end]),
        None => output.to_owned(),
    }
}

/// A reason in which `#` stands for each number with decimals, and for each address.
fn without_figures(reason: &str) -> String {
    let digits = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    let words = reason.split(' ').map(|word| {
        if (word.contains('.') && word.trim_end_matches('s').parse::<f64>().is_ok())
            || (word.starts_with("0x") && digits(word))
        {
            "#"
        } else {
            word
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Two digits.
fn rounded(seconds: f64) -> f64 {
    if seconds < 1.0 { (seconds * 100.0).round() / 100.0 } else { (seconds * 10.0).round() / 10.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    /// What is seen of one case: its problem is a cell.
    fn seen(cell: &str, event: Value) -> Observed {
        let mut line = json!({
            "type": "case", "submission": format!("{cell}/submissions/accepted/in_pascal.pas"), "problem": cell,
            "verdict": "RTE", "cpu_ms": 1234.5, "memory_bytes": 6_000_000,
        });
        let Value::Object(event) = event else { panic!("no object") };
        line.as_object_mut().expect("an object").extend(event);
        let mut found = of_report(&line.to_string()).expect("a report");
        found.remove("pascal").and_then(|mut cells| cells.remove(cell)).expect("a cell")
    }

    #[test]
    fn the_stream_of_a_message_is_that_with_more_than_the_program_printed() {
        for (cell, output, stderr, expected) in [
            ("raise", "before", "sorry", Stream::Stderr),
            ("raise", "before\nsorry", "", Stream::Stdout),
            ("raise", "sorry", "sorry", Stream::Both),
            ("raise", "before", "", Stream::None),
            ("zero", "sorry", "", Stream::Stdout),
        ] {
            let found = seen(cell, json!({"exit_code": 1, "output": output, "stderr": stderr}));
            assert_eq!(found.message, expected, "{cell} {output:?} {stderr:?}");
        }
        // It went on, so this is its output.
        let found = seen("zero", json!({"exit_code": 0, "output": "0", "verdict": "WA"}));
        assert_eq!((found.message, found.output.as_deref()), (Stream::None, Some("0")));
    }

    #[test]
    fn the_end_is_a_code_a_signal_or_a_limit() {
        for (event, expected) in [
            (json!({"exit_code": 217}), "code 217"),
            (json!({"exit_code": null, "signal": 6}), "signal 6"),
            (json!({"exit_code": null, "signal": null}), "killed"),
        ] {
            assert_eq!(seen("zero", event).exit, expected);
        }
        for (status, expected) in [("141", "signal 13"), ("1", "code 1"), ("255", "code 255")] {
            let found = seen("closed", json!({"exit_code": 0, "output": status}));
            assert_eq!((found.exit.as_str(), found.verdict), (expected, None));
        }
    }

    #[test]
    fn figures_are_rounded_and_stand_in_no_reason() {
        let reason = "CPU time 10.016 s, limit 10 s";
        let found = seen("lines", json!({"exit_code": 0, "feedback": reason}));
        assert_eq!(found.cpu_seconds, Some(1.2));
        assert_eq!(found.reason.as_deref(), Some("CPU time # s, limit 10 s"));
        let found = seen("empty", json!({"exit_code": 0}));
        assert_eq!((found.memory_mib, found.cpu_seconds), (Some(6), None));
        assert_eq!(seen("threads", json!({"exit_code": 0, "output": "14"})).threads, Some(14));
    }

    #[test]
    fn a_program_of_ours_that_does_not_compile_is_an_error() {
        let line = json!({"type": "submission", "submission": "a", "verdict": "CE"});
        assert!(of_report(&line.to_string()).is_err());
        let line = json!({"type": "error", "message": "no such file"});
        assert!(of_report(&line.to_string()).is_err());
    }
}
