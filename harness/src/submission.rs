//! A source file, its language, and the verdict expected of it.

use std::path::PathBuf;

use crate::verdict::Verdict;

/// A solution to be judged.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The source file.
    pub path: PathBuf,
    /// The path as people see it: relative to the repository, with `/`.
    pub name: String,
    /// The id of the problem it solves.
    pub problem: String,
    /// The id of its language in the table of languages.
    pub language: String,
    /// What its place or its own text promises.
    pub expected: Expectation,
}

/// The verdicts that a submission may and must get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// In people's words: `wrong_answer`, `accepted`, `@EXPECTED_RESULTS@: AC, WA`.
    pub label: String,
    /// Every case's verdict must be one of these.
    pub permitted: Vec<Verdict>,
    /// At least one case's verdict must be one of these; empty: nothing is required.
    pub required: Vec<Verdict>,
    /// The submission's own verdict must be one of these; empty: any.
    pub outcome: Vec<Verdict>,
}

/// The ICPC folders of submissions, with what each permits and requires.
const FOLDERS: [(&str, &[Verdict], &[Verdict]); 10] = {
    use Verdict::{
        Accepted as AC, CompileError as CE, MemoryLimit as MLE, OutputLimit as OLE,
        RunTimeError as RTE, TimeLimit as TLE, WrongAnswer as WA,
    };
    [
        ("accepted", &[AC], &[AC]),
        ("wrong_answer", &[AC, WA], &[WA]),
        ("time_limit_exceeded", &[AC, TLE], &[TLE]),
        ("run_time_error", &[AC, RTE, MLE, OLE], &[RTE, MLE, OLE]),
        ("memory_limit_exceeded", &[AC, MLE], &[MLE]),
        ("output_limit_exceeded", &[AC, OLE], &[OLE]),
        ("compile_error", &[CE], &[CE]),
        (
            "brute_force",
            &[AC, RTE, MLE, OLE, TLE],
            &[RTE, MLE, OLE, TLE],
        ),
        (
            "rejected",
            &[AC, WA, RTE, MLE, OLE, TLE, CE],
            &[WA, RTE, MLE, OLE, TLE, CE],
        ),
        (
            "partially_accepted",
            &[AC, WA, RTE, MLE, OLE, TLE],
            &[WA, RTE, MLE, OLE, TLE],
        ),
    ]
};

impl Expectation {
    /// What is expected of a solution that lies in no verdict's folder.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the table is constant")]
    pub fn accepted() -> Self {
        Self::of_folder("accepted").expect("`accepted` is in the table")
    }

    /// What the folder called `name` promises; `None` if that is no verdict's folder.
    #[must_use]
    pub fn of_folder(name: &str) -> Option<Self> {
        let (label, permitted, required) = FOLDERS.iter().find(|(folder, ..)| *folder == name)?;
        Some(Self {
            label: (*label).to_owned(),
            permitted: permitted.to_vec(),
            required: required.to_vec(),
            outcome: Vec::new(),
        })
    }

    /// What `@EXPECTED_RESULTS@` in a source promises: the submission's verdict is one of those
    /// listed, and every case is accepted or one of those listed.
    #[must_use]
    pub fn of_results(results: &[Verdict]) -> Self {
        let mut outcome: Vec<Verdict> = Vec::new();
        for verdict in results {
            // Of a crash the format knows no more than that it is one.
            let also: &[Verdict] = match verdict {
                Verdict::RunTimeError => &[Verdict::MemoryLimit, Verdict::OutputLimit],
                _ => &[],
            };
            for verdict in std::iter::once(verdict).chain(also) {
                if !outcome.contains(verdict) {
                    outcome.push(*verdict);
                }
            }
        }
        let mut permitted = outcome.clone();
        if !permitted.contains(&Verdict::Accepted) {
            permitted.insert(0, Verdict::Accepted);
        }
        let codes: Vec<&str> = results.iter().map(|verdict| verdict.code()).collect();
        Self {
            label: format!("@EXPECTED_RESULTS@: {}", codes.join(", ")),
            permitted,
            required: Vec::new(),
            outcome,
        }
    }

    /// Forgets what must happen, not what may: for a run over a part of the cases.
    pub(crate) fn waive(&mut self) {
        self.required.clear();
        self.outcome.clear();
    }

    /// The names of the folders that promise a verdict.
    pub fn folders() -> impl Iterator<Item = &'static str> {
        FOLDERS.iter().map(|(name, ..)| *name)
    }
}
