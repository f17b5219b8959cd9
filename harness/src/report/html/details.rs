//! The details of a submission's cases: everything that a failure page shows.

use std::io;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use crate::event::{
    CaseResult, Drawing, Picture, ShownLine, ShownText, ShownTranscript, SubmissionReport,
};
use crate::report::html::difference::ShownDifference;
use crate::report::words::{Disturbed, Sureness};
use crate::sandbox::Exit;
use crate::show::page::{clean, packed};

/// The details of one submission, as far as its cases have any.
#[derive(Default)]
pub(super) struct SubmissionDetails {
    cases: Map<String, Value>,
}

impl SubmissionDetails {
    /// Adds those of the case in `column`. Returns whether there are any.
    pub(super) fn add(&mut self, column: usize, result: &CaseResult) -> bool {
        let details = of_case(result);
        let has_details = !details.is_empty();
        if has_details {
            self.cases.insert(column.to_string(), details.into());
        }
        has_details
    }

    /// The details, packed; `None` if there are none.
    pub(super) fn packed(self, report: &SubmissionReport) -> io::Result<Option<Vec<u8>>> {
        let build = report.build.error.as_deref().map(clean::text);
        if self.cases.is_empty() && build.is_none() {
            return Ok(None);
        }
        packed::json(&json!({ "cases": self.cases, "build": build })).map(Some)
    }
}

fn of_case(result: &CaseResult) -> Map<String, Value> {
    let mut details = Map::new();
    let mut add = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            details.insert(key.to_owned(), value);
        }
    };
    let text = |text: &Option<String>| text.as_deref().map(clean::text).map(Value::from);
    add("reason", text(&result.reason));
    add("input", result.input.as_ref().map(head));
    add("output", result.output.as_ref().map(head));
    add("answer", result.answer.as_ref().map(head));
    add("diff", result.diff.as_deref().map(|drawn| ShownDifference::of(drawn).json()));
    add("stderr", text(&result.stderr));
    add("transcript", result.transcript.as_ref().map(transcript));
    let nearness = result.nearness.map(|nearness| Sureness(nearness).to_string());
    add("confirmation", nearness.map(Value::from));
    let disturbance = result.disturbance.as_ref().map(|found| Disturbed(found).to_string());
    add("disturbance", disturbance.map(Value::from));
    let repeats = result.repeats.as_ref().map(|repeats| {
        let codes: Vec<&str> = repeats.verdicts.iter().map(|verdict| verdict.code()).collect();
        let cpu = [repeats.cpu_min, repeats.cpu_median, repeats.cpu_max];
        json!({ "verdicts": codes, "cpu_s": cpu.map(|cpu| cpu.as_secs_f64()) })
    });
    add("repeats", repeats);
    if !result.permitted || !details.is_empty() {
        details.insert("output_bytes".to_owned(), result.usage.output.get().into());
        let exit = result.exit.and_then(exit).map(Value::from);
        details.insert("exit".to_owned(), exit.into());
    }
    details
}

fn exit(exit: Exit) -> Option<String> {
    match exit {
        Exit::Code(code) => Some(format!("exit code {code}")),
        Exit::Signal(signal) => Some(format!("signal {signal}")),
        Exit::Killed(_) | Exit::Stopped => None,
    }
}

/// The lines: a note is a text, a message its time in seconds, its program and its text.
fn transcript(transcript: &ShownTranscript) -> Value {
    let lines = transcript.lines.iter().map(|line| match line {
        ShownLine::Note(text) => clean::name(text).into(),
        ShownLine::Message { at, from, text } => {
            json!([at.as_secs_f64(), from.word(), clean::name(text)])
        }
    });
    lines.collect()
}

fn head(shown: &ShownText) -> Value {
    json!({ "text": clean::text(&shown.text), "bytes": shown.size.get(), "cut": shown.cut })
}

/// The pictures of a drawing, packed: an address with the data for each.
pub(super) fn drawing(drawing: &Drawing) -> io::Result<Vec<u8>> {
    let address = |picture: &Picture| {
        format!("data:{};base64,{}", picture.media, BASE64_STANDARD.encode(&picture.bytes))
    };
    let all = |pictures: &[Picture]| pictures.iter().map(address).collect::<Vec<_>>();
    packed::json(&json!({ "output": all(&drawing.output), "answer": all(&drawing.answer) }))
}

/// The details that are shown without the script.
#[derive(Clone, Default)]
pub(super) struct ShownDetails {
    /// The difference between output and answer.
    pub(super) difference: Option<ShownDifference>,
    /// Titles and texts.
    pub(super) texts: Vec<(&'static str, String)>,
}

/// The most characters of such a text.
const SHORT: usize = 2000;

impl ShownDetails {
    /// Those of a case.
    pub(super) fn of(result: &CaseResult) -> Self {
        let text = |shown: &Option<ShownText>| shown.as_ref().map(|shown| clean::text(&shown.text));
        let cleaned = |text: &Option<String>| text.as_deref().map(clean::text);
        // The difference shows the parts of them that matter.
        let without_diff = |shown| text(shown).filter(|_| result.diff.is_none());
        let texts = texts([
            ("input", text(&result.input)),
            ("output", without_diff(&result.output)),
            ("answer", without_diff(&result.answer)),
            ("standard error", cleaned(&result.stderr)),
            (
                "transcript",
                result.transcript.as_ref().map(|transcript| clean::text(&transcript.to_string())),
            ),
        ]);
        Self { difference: result.diff.as_deref().map(ShownDifference::of), texts }
    }

    /// That of a source that does not compile.
    pub(super) fn of_build(report: &SubmissionReport) -> Self {
        let texts = texts([("compiler", report.build.error.as_deref().map(clean::text))]);
        Self { difference: None, texts }
    }
}

/// The texts that there are, cut.
fn texts<const N: usize>(
    parts: [(&'static str, Option<String>); N],
) -> Vec<(&'static str, String)> {
    let parts = parts.into_iter().filter_map(|(title, text)| {
        let mut text = text.filter(|text| !text.is_empty())?;
        if let Some((end, _)) = text.char_indices().nth(SHORT) {
            text.truncate(end);
            text.push('…');
        }
        Some((title, text))
    });
    parts.collect()
}
