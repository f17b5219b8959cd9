//! The line of a case.

use std::borrow::Cow;

use rejudge_quantity::Bytes;
use serde::{Deserialize, Serialize};

use super::repeats::RepeatFigures;
use super::{VerdictCode, duration, milliseconds};
use crate::event::{
    CaseResult, DifferenceOffsets, Disturbance, Nearness, Repeats, ShownLine, ShownText,
    ShownTranscript, Speaker,
};
use crate::sandbox::{Contention, Exit, Usage};
use crate::show::words::{clock, clock_named};

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::report) struct CaseLine<'a> {
    submission: Cow<'a, str>,
    problem: Cow<'a, str>,
    case: Cow<'a, str>,
    verdict: VerdictCode,
    permitted: bool,
    cpu_ms: f64,
    cpu_clock: Cow<'a, str>,
    wall_ms: f64,
    memory_bytes: u64,
    memory_clock: Cow<'a, str>,
    output_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_path: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer_path: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_cut: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_cut: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer_cut: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_diff_byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer_diff_byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript_lines: Option<Vec<LineOfTranscript<'a>>>,
    /// How a verdict close to the time limit was confirmed: `pinned`, `alone` or `believed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<Cow<'a, str>>,
    /// CPU time of the first run, which this run, alone on the machine, confirms or corrects.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_cpu_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_wall_ms: Option<f64>,
    // How other processes of the machine influenced the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    disturbed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reruns: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    killed_by_others: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    observed_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    starved_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_delay_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    others_cpu_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steal_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    throttled_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<RepeatFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    near_limit: Option<bool>,
}

/// A line of a transcript: a message has a time and a program, a note has neither.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LineOfTranscript<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Cow<'a, str>>,
    text: Cow<'a, str>,
}

/// The words for how a verdict was confirmed.
const PINNED: &str = "pinned";
const ALONE: &str = "alone";
const BELIEVED: &str = "believed";

impl<'a> From<&'a CaseResult> for CaseLine<'a> {
    fn from(result: &'a CaseResult) -> Self {
        let usage = &result.usage;
        let first = result.nearness.and_then(|nearness| match nearness {
            Nearness::Confirmed { first, .. } => Some(first),
            Nearness::Believed => None,
        });
        let (exit_code, signal) = match result.exit {
            Some(Exit::Code(code)) => (Some(code), None),
            Some(Exit::Signal(signal)) => (None, Some(signal)),
            Some(Exit::Killed(_) | Exit::Stopped) | None => (None, None),
        };
        let disturbance = result.disturbance.as_ref();
        let figure = |figure: fn(&Contention) -> std::time::Duration| {
            disturbance.map(|found| milliseconds(figure(&found.contention)))
        };
        Self {
            submission: result.submission.as_str().into(),
            problem: result.problem.as_str().into(),
            case: result.case.as_str().into(),
            verdict: VerdictCode(result.verdict),
            permitted: result.permitted,
            cpu_ms: milliseconds(usage.cpu()),
            cpu_clock: clock(usage.cpu_clock).into(),
            wall_ms: milliseconds(usage.wall),
            memory_bytes: usage.peak_memory.get(),
            memory_clock: clock(usage.memory_clock).into(),
            output_bytes: usage.output.get(),
            score: result.score,
            exit_code,
            signal,
            feedback: borrowed(result.reason.as_ref()),
            input_path: borrowed(result.input_path.as_ref()),
            answer_path: borrowed(result.answer_path.as_ref()),
            input: text(result.input.as_ref()),
            input_bytes: result.input.as_ref().map(|input| input.size.get()),
            input_cut: cut(result.input.as_ref()),
            output: text(result.output.as_ref()),
            output_cut: cut(result.output.as_ref()),
            answer: text(result.answer.as_ref()),
            answer_bytes: result.answer.as_ref().map(|answer| answer.size.get()),
            answer_cut: cut(result.answer.as_ref()),
            diff: result.diff.as_deref().map(plain),
            output_diff_byte: result.difference.map(|offsets| offsets.output),
            answer_diff_byte: result.difference.map(|offsets| offsets.answer),
            stderr: borrowed(result.stderr.as_ref()),
            transcript: result.transcript.as_ref().map(ToString::to_string),
            transcript_lines: result.transcript.as_ref().map(lines_of),
            confirmed: result.nearness.map(confirmation).map(Cow::Borrowed),
            first_cpu_ms: first.map(|usage| milliseconds(usage.cpu())),
            first_wall_ms: first.map(|usage| milliseconds(usage.wall)),
            disturbed: disturbance.map(|found| found.stands),
            reruns: disturbance.map(|found| found.reruns),
            killed_by_others: disturbance.map(|found| found.killed),
            observed_ms: figure(|figures| figures.observed),
            starved_ms: figure(|figures| figures.starved),
            run_delay_ms: figure(|figures| figures.run_delay),
            others_cpu_ms: figure(|figures| figures.others),
            steal_ms: figure(|figures| figures.steal),
            throttled_ms: figure(|figures| figures.throttled),
            repeats: result.repeats.as_ref().map(RepeatFigures::from),
            near_limit: result.near_limit.then_some(true),
        }
    }
}

fn borrowed(text: Option<&String>) -> Option<Cow<'_, str>> {
    text.map(|text| text.as_str().into())
}

fn text(shown: Option<&ShownText>) -> Option<Cow<'_, str>> {
    shown.map(|shown| shown.text.as_str().into())
}

fn lines_of(transcript: &ShownTranscript) -> Vec<LineOfTranscript<'_>> {
    let lines = transcript.lines.iter();
    lines
        .map(|line| match line {
            ShownLine::Message { at, from, text } => LineOfTranscript {
                ms: Some(milliseconds(*at)),
                from: Some(from.word().into()),
                text: text.into(),
            },
            ShownLine::Note(text) => LineOfTranscript { ms: None, from: None, text: text.into() },
        })
        .collect()
}

impl From<LineOfTranscript<'_>> for ShownLine {
    fn from(line: LineOfTranscript<'_>) -> Self {
        let text = line.text.into_owned();
        let mut speakers = [Speaker::Solution, Speaker::Interactor].into_iter();
        let from = speakers.find(|speaker| line.from.as_deref() == Some(speaker.word()));
        match (line.ms, from) {
            (Some(ms), Some(from)) => Self::Message { at: duration(ms), from, text },
            _ => Self::Note(text),
        }
    }
}

/// Whether only the start is shown; `None` if the text is whole, or not shown.
fn cut(shown: Option<&ShownText>) -> Option<bool> {
    shown.map(|shown| shown.cut).filter(|cut| *cut)
}

fn confirmation(nearness: Nearness) -> &'static str {
    match nearness {
        Nearness::Confirmed { one_core: true, .. } => PINNED,
        Nearness::Confirmed { .. } => ALONE,
        Nearness::Believed => BELIEVED,
    }
}

/// The text without the styles of the terminal.
fn plain(styled: &str) -> Cow<'_, str> {
    anstream::adapter::strip_str(styled).to_string().into()
}

impl From<CaseLine<'_>> for CaseResult {
    fn from(mut case: CaseLine<'_>) -> Self {
        let shown = |text: Option<Cow<'_, str>>, size: Option<u64>, cut: Option<bool>| {
            let text = text?.into_owned();
            let size = Bytes(size.unwrap_or(text.len() as u64));
            // Reports of earlier versions do not tell whether the text is whole.
            let cut = cut.unwrap_or(text.len() as u64 + 1 < size.get());
            Some(ShownText { text, size, cut })
        };
        let exit = case.exit_code.map(Exit::Code);
        let usage = Usage {
            cpu_user: duration(case.cpu_ms),
            cpu_clock: clock_named(&case.cpu_clock),
            wall: duration(case.wall_ms),
            peak_memory: Bytes(case.memory_bytes),
            memory_clock: clock_named(&case.memory_clock),
            output: Bytes(case.output_bytes),
            ..Usage::default()
        };
        Self {
            verdict: case.verdict.0,
            permitted: case.permitted,
            exit: exit.or(case.signal.map(Exit::Signal)),
            usage,
            score: case.score,
            messages: Vec::new(),
            reason: owned(case.feedback.take()),
            input_path: owned(case.input_path.take()),
            answer_path: owned(case.answer_path.take()),
            input: shown(case.input.take(), case.input_bytes, case.input_cut),
            output: shown(
                case.output.take(),
                Some(case.output_bytes),
                case.output_cut.or(Some(false)),
            ),
            answer: shown(case.answer.take(), case.answer_bytes, case.answer_cut),
            diff: owned(case.diff.take()),
            difference: case.difference(),
            stderr: owned(case.stderr.take()),
            nearness: case.nearness(),
            disturbance: case.disturbance(),
            transcript: case.transcript(),
            repeats: case.repeats.take().map(Repeats::from),
            near_limit: case.near_limit == Some(true),
            is_of_machine: false,
            submission: case.submission.into_owned(),
            problem: case.problem.into_owned(),
            case: case.case.into_owned(),
        }
    }
}

impl CaseLine<'_> {
    fn nearness(&self) -> Option<Nearness> {
        let first = || Usage {
            cpu_user: duration(self.first_cpu_ms.unwrap_or_default()),
            wall: duration(self.first_wall_ms.unwrap_or_default()),
            ..Usage::default()
        };
        match self.confirmed.as_deref()? {
            BELIEVED => Some(Nearness::Believed),
            word => Some(Nearness::Confirmed { first: first(), one_core: word == PINNED }),
        }
    }

    fn difference(&self) -> Option<DifferenceOffsets> {
        let (output, answer) = self.output_diff_byte.zip(self.answer_diff_byte)?;
        Some(DifferenceOffsets { output, answer })
    }

    /// The transcript. Reports of earlier versions have only its text.
    fn transcript(&mut self) -> Option<ShownTranscript> {
        match (self.transcript_lines.take(), self.transcript.take()) {
            (Some(lines), _) => {
                Some(ShownTranscript { lines: lines.into_iter().map(ShownLine::from).collect() })
            }
            (None, text) => text.map(|text| ShownTranscript::of_text(&text)),
        }
    }

    fn disturbance(&self) -> Option<Disturbance> {
        let figure = |figure: Option<f64>| duration(figure.unwrap_or_default());
        Some(Disturbance {
            stands: self.disturbed?,
            reruns: self.reruns.unwrap_or_default(),
            killed: self.killed_by_others.unwrap_or_default(),
            contention: Contention {
                observed: figure(self.observed_ms),
                starved: figure(self.starved_ms),
                run_delay: figure(self.run_delay_ms),
                others: figure(self.others_cpu_ms),
                steal: figure(self.steal_ms),
                throttled: figure(self.throttled_ms),
                ..Contention::default()
            },
        })
    }
}

fn owned(text: Option<Cow<'_, str>>) -> Option<String> {
    text.map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::specimen;
    use crate::verdict::Verdict;

    fn transcript() -> ShownTranscript {
        let message = |from, text: &str| ShownLine::Message {
            at: Duration::from_millis(12),
            from,
            text: text.to_owned(),
        };
        ShownTranscript {
            lines: vec![
                ShownLine::Note("… 3 lines omitted …".to_owned()),
                message(Speaker::Solution, "? 500"),
                message(Speaker::Interactor, "higher"),
            ],
        }
    }

    /// The transcript that is read from the line of a case, after a change of its keys.
    fn again(change: impl FnOnce(&mut serde_json::Value)) -> ShownTranscript {
        let mut result = specimen::result("1", Verdict::WrongAnswer);
        result.transcript = Some(transcript());
        let mut line = serde_json::to_value(CaseLine::from(&result)).unwrap();
        change(&mut line);
        let line: CaseLine<'_> = serde_json::from_value(line).unwrap();
        CaseResult::from(line).transcript.unwrap()
    }

    #[test]
    fn a_transcript_is_read_back_with_its_times() {
        assert_eq!(again(|_| {}), transcript());
        assert_eq!(
            transcript().to_string(),
            "… 3 lines omitted …\n   0.012 s  solution    ? 500\n   0.012 s  interactor  higher\n"
        );
    }

    #[test]
    fn of_a_report_of_an_earlier_version_the_text_is_shown() {
        let read = again(|line| {
            line.as_object_mut().unwrap().remove("transcript_lines");
        });
        let notes = |line: &ShownLine| matches!(line, ShownLine::Note(_));
        assert!(read.lines.iter().all(notes), "{read:?}");
        assert_eq!(read.to_string(), transcript().to_string());
    }
}
