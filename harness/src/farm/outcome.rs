//! The result of a unit on its way to the submitter.

use std::borrow::Cow;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use super::{FarmError, JudgedUnit};
use crate::batch::BatchAnswer;
use crate::event::{Build, CaseResult};
use crate::report::carried::{BuildKind, CarriedBuild, CarriedCase};

/// The most bytes of a result after it is inflated.
const MOST: u64 = 256 << 20;

/// The result of a unit.
#[derive(Debug)]
pub(crate) struct UnitOutcome {
    /// The worker that judged it.
    pub(crate) worker: String,
    pub(crate) build: CarriedBuild,
    /// The results of the cases in order. With fail-fast, the last ones may be missing.
    pub(crate) cases: Vec<CaseResult>,
    /// Why the cases were not judged: a fault of ours.
    pub(crate) fault: Option<String>,
    /// Whether the worker believes that another one could judge it.
    pub(crate) is_fault_of_worker: bool,
    /// The answer, if the unit is a request of a batch.
    pub(crate) answer: Option<BatchAnswer>,
}

/// The result of a unit as it travels.
#[derive(Serialize, Deserialize)]
struct OutcomeLine<'a> {
    worker: Cow<'a, str>,
    build: Cow<'a, CarriedBuild>,
    cases: Vec<CarriedCase<'a>>,
    fault: Option<Cow<'a, str>>,
    is_fault_of_worker: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Cow<'a, BatchAnswer>>,
}

impl UnitOutcome {
    /// The result of a unit that nobody could judge.
    pub(crate) fn of_fault(worker: &str, why: String) -> Self {
        Self {
            worker: worker.to_owned(),
            build: CarriedBuild::new(BuildKind::Ready, &Build::default(), None),
            cases: Vec::new(),
            fault: Some(why),
            is_fault_of_worker: true,
            answer: None,
        }
    }

    /// The answer to a request.
    pub(crate) fn of_answer(worker: &str, answer: BatchAnswer) -> Self {
        Self {
            is_fault_of_worker: answer.is_fault_of_judge(),
            fault: None,
            answer: Some(answer),
            ..Self::of_fault(worker, String::new())
        }
    }

    /// The result of a unit that was judged.
    pub(crate) fn of_unit(worker: &str, unit: JudgedUnit) -> Self {
        Self {
            is_fault_of_worker: unit.is_fault_of_worker(),
            worker: worker.to_owned(),
            build: unit.build,
            cases: unit.cases,
            fault: None,
            answer: None,
        }
    }

    /// As it travels.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut deflate = ZlibEncoder::new(Vec::new(), Compression::fast());
        let line = OutcomeLine {
            worker: self.worker.as_str().into(),
            build: Cow::Borrowed(&self.build),
            cases: self.cases.iter().map(CarriedCase::from).collect(),
            fault: self.fault.as_deref().map(Cow::Borrowed),
            is_fault_of_worker: self.is_fault_of_worker,
            answer: self.answer.as_ref().map(Cow::Borrowed),
        };
        let text = serde_json::to_vec(&line).expect("an outcome is always JSON");
        let written = deflate.write_all(&text).and_then(|()| deflate.finish());
        written.expect("writing to memory does not fail")
    }

    /// Reads what was received.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FarmError> {
        let invalid = |why: String| FarmError::Invalid { what: "a result", why };
        let mut text = Vec::new();
        let inflated = ZlibDecoder::new(bytes).take(MOST + 1).read_to_end(&mut text);
        inflated.map_err(|error| invalid(error.to_string()))?;
        if text.len() as u64 > MOST {
            return Err(invalid(format!("it has more than {MOST} bytes")));
        }
        let line: OutcomeLine<'_> =
            serde_json::from_slice(&text).map_err(|error| invalid(error.to_string()))?;
        Ok(Self {
            worker: line.worker.into_owned(),
            build: line.build.into_owned(),
            cases: line.cases.into_iter().map(CaseResult::from).collect(),
            fault: line.fault.map(Cow::into_owned),
            is_fault_of_worker: line.is_fault_of_worker,
            answer: line.answer.map(Cow::into_owned),
        })
    }

    /// Where another result of the same unit differs: not in what is measured, but in what is decided.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self.build.kind() != other.build.kind() {
            return Some("whether it can be judged".to_owned());
        }
        if self.fault.is_some() != other.fault.is_some() {
            return Some("whether the cases were judged".to_owned());
        }
        let verdicts = |of: &Self| of.answer.as_ref().map(BatchAnswer::verdicts);
        if verdicts(self) != verdicts(other) {
            return Some("the verdicts".to_owned());
        }
        if self.cases.len() != other.cases.len() {
            return Some("the number of cases".to_owned());
        }
        let mut pairs = self.cases.iter().zip(&other.cases);
        pairs.find_map(|(one, other)| {
            let (case, verdict) = (&one.case, one.verdict);
            let told = || format!("{verdict} or {} on `{case}`", other.verdict);
            let decided = |of: &CaseResult| (of.case.clone(), of.verdict, of.messages.clone());
            if decided(one) != decided(other) {
                return Some(told());
            }
            let same = one.score.zip(other.score).is_none_or(|(a, b)| (a - b).abs() < 1e-9);
            (!same).then(|| format!("the score on `{case}`"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::verdict::Verdict;

    fn outcome(verdict: Verdict, cpu_ms: u64) -> UnitOutcome {
        let mut result = specimen::result("1", verdict);
        result.usage.cpu_user = std::time::Duration::from_millis(cpu_ms);
        UnitOutcome {
            cases: vec![result],
            fault: None,
            ..UnitOutcome::of_fault("w", String::new())
        }
    }

    #[test]
    fn an_outcome_arrives_as_it_was_sent() {
        let bytes = outcome(Verdict::WrongAnswer, 3).bytes();
        let read = UnitOutcome::read(&bytes).unwrap();
        assert_eq!(read.worker, "w");
        let verdicts: Vec<Verdict> = read.cases.iter().map(|case| case.verdict).collect();
        assert_eq!(verdicts, [Verdict::WrongAnswer]);
        assert!(UnitOutcome::read(b"not deflated").is_err());
    }

    #[test]
    fn outcomes_differ_by_verdicts_and_not_by_times() {
        let accepted = || outcome(Verdict::Accepted, 3);
        assert_eq!(accepted().difference(&outcome(Verdict::Accepted, 5)), None);
        let told = accepted().difference(&outcome(Verdict::TimeLimit, 3)).unwrap();
        assert_eq!(told, "AC or TLE on `1`");
        let fault = UnitOutcome::of_fault("w", "x".to_owned());
        assert!(accepted().difference(&fault).is_some());
    }
}
