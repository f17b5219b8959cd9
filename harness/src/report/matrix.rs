//! The matrix of a run: the submissions of each problem in rows, its cases in columns, and their totals.

use std::collections::HashMap;
use std::time::Duration;

use rejudge_quantity::Bytes;

use crate::event::{CaseResult, SubmissionReport};
use crate::verdict::Verdict;

/// A run, as far as it has happened. `C` is what is kept of the result of a case.
#[derive(Debug)]
pub(crate) struct RunMatrix<C> {
    pub(crate) problems: Vec<ProblemColumns>,
    /// The submissions of all problems, in the order in which they ended.
    pub(crate) rows: Vec<MatrixRow<C>>,
    /// The indices of the problems by their ids.
    by_id: HashMap<String, usize>,
    /// The cells of the submission that is judged now.
    open: Vec<Option<C>>,
    /// Its name. After an interruption, the submissions whose cases came first may never end.
    open_submission: String,
}

/// A problem: the columns of its submissions, and their totals.
#[derive(Debug)]
pub(crate) struct ProblemColumns {
    pub(crate) id: String,
    pub(crate) cases: Vec<MatrixCase>,
    /// The indices of its submissions.
    pub(crate) rows: Vec<usize>,
    pub(crate) totals: ProblemTotals,
    by_name: HashMap<String, usize>,
}

/// A case: a column.
#[derive(Debug)]
pub(crate) struct MatrixCase {
    pub(crate) name: String,
    pub(crate) input: Option<String>,
    pub(crate) answer: Option<String>,
}

/// A submission: a row.
#[derive(Debug)]
pub(crate) struct MatrixRow<C> {
    /// The index of its problem.
    pub(crate) problem: usize,
    /// Without the failures.
    pub(crate) report: SubmissionReport,
    /// A cell for each case so far; later cases were not run.
    cells: Vec<Option<C>>,
}

/// The sums over submissions of a problem.
#[derive(Debug, Default)]
pub(crate) struct ProblemTotals {
    /// Number of cases of a submission.
    pub(crate) cases: usize,
    pub(crate) submissions: usize,
    pub(crate) met: usize,
    /// Number of cases run, each counted for every submission.
    pub(crate) run: usize,
    /// Number of those whose verdict is not permitted.
    pub(crate) failed: usize,
    pub(crate) slowest: Option<SlowestAccepted>,
    /// That of the accepted submissions.
    pub(crate) peak_memory: Bytes,
}

/// The slowest case of the accepted submissions of a problem, and the limit of its submission.
#[derive(Debug)]
pub(crate) struct SlowestAccepted {
    pub(crate) case: String,
    pub(crate) cpu: Duration,
    pub(crate) limit: Duration,
    pub(crate) time_factor: Option<f64>,
}

impl<C> Default for RunMatrix<C> {
    fn default() -> Self {
        Self {
            problems: Vec::new(),
            rows: Vec::new(),
            by_id: HashMap::new(),
            open: Vec::new(),
            open_submission: String::new(),
        }
    }
}

impl<C: Copy> RunMatrix<C> {
    /// Adds the result of a case. `cell` returns what is kept of it, from the index of its column.
    pub(crate) fn case(&mut self, result: &CaseResult, cell: impl FnOnce(usize) -> Option<C>) {
        self.open(&result.submission);
        let column = self.problem(&result.problem).column(&result.case, || MatrixCase {
            name: result.case.clone(),
            input: result.input_path.clone(),
            answer: result.answer_path.clone(),
        });
        if let Some(cell) = cell(column) {
            if self.open.len() <= column {
                self.open.resize(column + 1, None);
            }
            self.open[column] = Some(cell);
        }
    }

    /// Forgets the cells of another submission, which has not ended.
    fn open(&mut self, submission: &str) {
        if self.open_submission != submission {
            self.open.clear();
            submission.clone_into(&mut self.open_submission);
        }
    }

    /// Ends the row of a submission.
    pub(crate) fn submission(&mut self, report: &SubmissionReport) {
        self.open(&report.submission);
        let mut cells = std::mem::take(&mut self.open);
        cells.shrink_to_fit();
        let row = self.rows.len();
        let problem = self.problem(&report.problem);
        problem.rows.push(row);
        problem.totals.add(report);
        self.rows.push(MatrixRow {
            problem: self.by_id[&report.problem],
            report: SubmissionReport { failures: Vec::new(), ..report.clone() },
            cells,
        });
    }

    /// Adds a problem whose cases are known, so that they keep their order even if some are not run.
    pub(crate) fn expect(&mut self, problem: &str, cases: impl Iterator<Item = String>) {
        let problem = self.problem(problem);
        for name in cases {
            let case = || MatrixCase { name: name.clone(), input: None, answer: None };
            problem.column(&name, case);
        }
    }

    /// The problems, each with its submissions.
    pub(crate) fn matrices(
        &self,
    ) -> impl Iterator<Item = (&ProblemColumns, impl Iterator<Item = &MatrixRow<C>>)> {
        let problems = self.problems.iter();
        problems.map(|problem| (problem, problem.rows.iter().map(|row| &self.rows[*row])))
    }

    /// The indices of a submission and of one of its cases.
    pub(crate) fn place(
        &self,
        problem: &str,
        submission: &str,
        case: &str,
    ) -> Option<(usize, usize)> {
        let problem = &self.problems[*self.by_id.get(problem)?];
        let mut rows = problem.rows.iter();
        let row = rows.find(|row| self.rows[**row].report.submission == submission)?;
        Some((*row, *problem.by_name.get(case)?))
    }

    fn problem(&mut self, id: &str) -> &mut ProblemColumns {
        let at = self.by_id.get(id).copied().unwrap_or_else(|| {
            self.by_id.insert(id.to_owned(), self.problems.len());
            self.problems.push(ProblemColumns {
                id: id.to_owned(),
                cases: Vec::new(),
                rows: Vec::new(),
                totals: ProblemTotals::default(),
                by_name: HashMap::new(),
            });
            self.problems.len() - 1
        });
        &mut self.problems[at]
    }
}

impl ProblemColumns {
    /// The index of the case with this name, which is new if there is none.
    fn column(&mut self, name: &str, case: impl FnOnce() -> MatrixCase) -> usize {
        self.by_name.get(name).copied().unwrap_or_else(|| {
            self.by_name.insert(name.to_owned(), self.cases.len());
            self.cases.push(case());
            self.cases.len() - 1
        })
    }
}

impl<C: Copy> MatrixRow<C> {
    /// The cell of the case with this index; `None` if the case was not run.
    pub(crate) fn cell(&self, case: usize) -> Option<C> {
        self.cells.get(case).copied().flatten()
    }
}

impl ProblemTotals {
    /// Adds a submission.
    pub(crate) fn add(&mut self, report: &SubmissionReport) {
        self.cases = self.cases.max(report.cases);
        self.submissions += 1;
        self.met += usize::from(report.met);
        self.run += report.run;
        self.failed += report.failed;
        if report.verdict != Verdict::Accepted {
            return;
        }
        self.peak_memory = self.peak_memory.max(report.peak_memory);
        // With graders or points, a submission may be accepted although it was too slow on some case.
        if let Some((case, cpu)) = &report.slowest
            && *cpu <= report.limits.cpu_time
            && self.slowest.as_ref().is_none_or(|slowest| slowest.cpu < *cpu)
        {
            self.slowest = Some(SlowestAccepted {
                case: case.clone(),
                cpu: *cpu,
                limit: report.limits.cpu_time,
                time_factor: report.build.time_factor,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;

    #[test]
    fn the_cases_of_a_submission_that_never_ended_are_in_no_row() {
        let mut matrix = RunMatrix::default();
        let result = |submission: &str| CaseResult {
            submission: submission.to_owned(),
            ..specimen::result("1", Verdict::Accepted)
        };
        matrix.case(&result("interrupted.rs"), |_| Some(Verdict::Accepted));
        matrix.submission(&specimen::report("broken.rs", Verdict::CompileError));
        assert_eq!(matrix.rows[0].cell(0), None);
        matrix.case(&result("c.rs"), |_| Some(Verdict::WrongAnswer));
        matrix.submission(&specimen::report("c.rs", Verdict::WrongAnswer));
        assert_eq!(matrix.rows[1].cell(0), Some(Verdict::WrongAnswer));
    }

    #[test]
    fn a_case_that_was_not_run_leaves_a_gap_in_its_column() {
        let mut matrix = RunMatrix::default();
        matrix.expect("p", ["1", "2"].map(str::to_owned).into_iter());
        let case = |matrix: &mut RunMatrix<Verdict>, submission: &str, name, verdict| {
            let submission = submission.to_owned();
            let result = CaseResult { submission, ..specimen::result(name, verdict) };
            matrix.case(&result, |_| Some(verdict));
        };
        case(&mut matrix, "a.rs", "2", Verdict::Accepted);
        case(&mut matrix, "a.rs", "3", Verdict::Accepted);
        matrix.submission(&specimen::report("a.rs", Verdict::Accepted));
        case(&mut matrix, "b.rs", "1", Verdict::WrongAnswer);
        matrix.submission(&specimen::report("b.rs", Verdict::WrongAnswer));
        let [problem] = &matrix.problems[..] else { panic!("{matrix:?}") };
        let names: Vec<&str> = problem.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!((names, &problem.rows), (vec!["1", "2", "3"], &vec![0, 1]));
        let cells = |row: usize| [0, 1, 2].map(|case| matrix.rows[row].cell(case));
        assert_eq!(cells(0), [None, Some(Verdict::Accepted), Some(Verdict::Accepted)]);
        assert_eq!(cells(1), [Some(Verdict::WrongAnswer), None, None]);
        assert_eq!(matrix.place("p", "b.rs", "2"), Some((1, 1)));
        assert_eq!(matrix.place("p", "c.rs", "2"), None);
    }

    #[test]
    fn only_accepted_submissions_have_a_slowest_case() {
        let mut totals = ProblemTotals::default();
        // The limit of the specimen is 10 s; above it, no case is accepted.
        for (verdict, seconds) in [
            (Verdict::Accepted, 2),
            (Verdict::Accepted, 1),
            (Verdict::TimeLimit, 9),
            (Verdict::Accepted, 11),
        ] {
            let cpu = Duration::from_secs(seconds);
            totals.add(&SubmissionReport {
                slowest: Some((seconds.to_string(), cpu)),
                ..specimen::report("a.rs", verdict)
            });
        }
        assert_eq!((totals.submissions, totals.met), (4, 3));
        assert_eq!(totals.slowest.unwrap().case, "2");
    }
}
