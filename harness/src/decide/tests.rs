//! Tables of facts, and the verdicts that follow from them.

use super::*;
use crate::checker::Mismatch;
use crate::limits::{DEFAULT_OUTPUT, LimitOverrides, effective_limits};
use crate::notice::Code;
use crate::problem::ProblemLimits;
use crate::sandbox::{Captured, Contention};

#[test]
fn time_without_a_processor_is_not_reported_as_waiting() {
    let problem =
        ProblemLimits { cpu_time: Some(Duration::from_secs(4)), ..ProblemLimits::default() };
    let limits = effective_limits(&problem, DEFAULT_OUTPUT, &LimitOverrides::default());
    let table = [
        (12, 0, "wall time above 12 s with 1.700 s of CPU time: the program waited"),
        (
            17,
            5,
            "wall time above 12 s with 1.700 s of CPU time: the program waited, not counting the 5.000 s in which \
             it was ready, but other processes had the processors",
        ),
        (
            120,
            118,
            "wall time above 120 s, ten times the limit, with 1.700 s of CPU time: for 118.000 s the program was \
             ready, but other processes had the processors",
        ),
    ];
    for (wall, starved, expected) in table {
        let wall = Duration::from_secs(wall);
        let contention = Contention {
            observed: wall,
            starved: Duration::from_secs(starved),
            ..Contention::default()
        };
        let usage =
            Usage { cpu_user: Duration::from_millis(1700), wall, contention, ..Usage::default() };
        assert_eq!(over_wall(&usage, &limits), expected);
    }
}

#[test]
fn the_first_exceeded_limit_in_the_order_decides_and_shows_its_figure() {
    let problem =
        ProblemLimits { cpu_time: Some(Duration::from_secs(1)), ..ProblemLimits::default() };
    let limits = effective_limits(&problem, DEFAULT_OUTPUT, &LimitOverrides::default());
    let table = [
        (Exit::Code(0), 900, None),
        (Exit::Code(0), 1000, None),
        (Exit::Code(0), 1001, Some("TLE CPU time 1.001 s, limit 1 s")),
        (Exit::Code(3), 900, Some("RTE exit code 3")),
        (Exit::Code(3), 1100, Some("TLE CPU time 1.100 s, limit 1 s")),
        (Exit::Signal(11), 0, Some("RTE signal 11 (SIGSEGV)")),
        (Exit::Signal(40), 0, Some("RTE signal 40")),
        (Exit::Killed(LimitKind::Memory), 1100, Some("MLE memory above 2 GiB")),
        (
            Exit::Killed(LimitKind::Memory),
            10,
            Some(
                "MLE memory above 2 GiB: inferred from a peak of 3 GiB, because nothing on this machine enforces \
                 the limit",
            ),
        ),
        (Exit::Killed(LimitKind::Cpu), 1002, Some("TLE CPU time 1.002 s, limit 1 s")),
        (Exit::Killed(LimitKind::Output), 1100, Some("TLE CPU time 1.100 s, limit 1 s")),
        (Exit::Killed(LimitKind::Output), 10, Some("OLE output above 64 MiB")),
        (
            Exit::Killed(LimitKind::Wall),
            10,
            Some("TLE wall time above 3 s with 0.010 s of CPU time: the program waited"),
        ),
        (Exit::Killed(LimitKind::Processes), 0, Some("RTE more than 256 processes")),
    ];
    for (exit, cpu_ms, expected) in table {
        let usage = Usage {
            cpu_user: Duration::from_millis(cpu_ms),
            peak_memory: Bytes::mib(3 << 10),
            memory_enforced: !expected.is_some_and(|words| words.contains("inferred")),
            ..Usage::default()
        };
        let stdout = Captured::default();
        let execution = Execution { exit, usage, stdout, stderr_tail: Vec::new() };
        let found = of_execution(&execution, &limits)
            .map(|(verdict, evidence)| format!("{verdict} {evidence}"));
        assert_eq!(found.as_deref(), expected, "{exit:?} {cpu_ms}");
    }
}

#[test]
fn the_result_of_the_checker_gives_the_verdict_and_the_reason() {
    let wrong = Mismatch { rest: None, headline: "token 3 differs".to_owned(), at: None };
    let table = [
        (CheckOutcome::Accepted, Verdict::Accepted, None),
        (CheckOutcome::Wrong(wrong), Verdict::WrongAnswer, Some("token 3 differs")),
        (CheckOutcome::Unchecked, Verdict::Ran, Some("no answer to compare with")),
        (
            CheckOutcome::Fault("it exited with 3".to_owned()),
            Verdict::JudgeError,
            Some("it exited with 3"),
        ),
    ];
    for (outcome, verdict, reason) in table {
        let found = of_check(&outcome);
        assert_eq!((found.verdict, found.reason.as_deref()), (verdict, reason));
    }
}

#[test]
fn the_interactor_decides_by_a_fault_by_a_first_rejection_and_after_a_successful_run() {
    let limits =
        effective_limits(&ProblemLimits::default(), DEFAULT_OUTPUT, &LimitOverrides::default());
    let rejected = || CheckOutcome::Wrong(Mismatch::default());
    let fault = || CheckOutcome::Fault(String::new());
    let (success, crash) = (Exit::Code(0), Exit::Signal(11));
    // The submission's end, the interactor's result, whether the interactor ended first, and whether the execution
    // decides.
    let table = [
        (success, CheckOutcome::Accepted, false, false),
        (success, rejected(), false, false),
        (crash, CheckOutcome::Accepted, false, true),
        (crash, CheckOutcome::Accepted, true, true),
        (crash, rejected(), false, true),
        (crash, rejected(), true, false),
        (crash, fault(), false, false),
        (crash, fault(), true, false),
    ];
    for (exit, interactor, first, execution_decides) in table {
        let submission = Execution {
            exit,
            usage: Usage::default(),
            stdout: Captured::default(),
            stderr_tail: Vec::new(),
        };
        let found =
            of_interaction(&submission, &limits, &interactor, first).map(|(verdict, _)| verdict);
        let expected = execution_decides.then_some(Verdict::RunTimeError);
        assert_eq!(found, expected, "{exit:?} {interactor:?} {first}");
    }
}

#[test]
fn another_pass_follows_only_an_accepted_one_within_the_maximum() {
    let fault = |words: &str| AfterPass::Fault(Judgement::fault(words));
    let rejected = || Some(CheckOutcome::Wrong(Mismatch::default()));
    let table = [
        (None, true, 1, AfterPass::End),
        (Some(CheckOutcome::Fault(String::new())), true, 1, AfterPass::End),
        (Some(CheckOutcome::Accepted), false, 1, AfterPass::End),
        (rejected(), false, 1, AfterPass::End),
        (Some(CheckOutcome::Accepted), true, 1, AfterPass::Another),
        (
            Some(CheckOutcome::Accepted),
            true,
            2,
            fault("the output validator requests more than 2 passes"),
        ),
        (
            rejected(),
            true,
            1,
            fault("the output validator requests another pass but rejects this one"),
        ),
    ];
    for (outcome, requested, number, expected) in table {
        let found = after_pass(outcome.as_ref(), requested, number, 2);
        assert_eq!(found, expected, "{outcome:?} {requested} {number}");
    }
}

#[test]
fn answers_are_judged_by_their_size_and_their_presence() {
    assert_eq!(of_answer_size(Bytes(5), Bytes(5)), None);
    let above = of_answer_size(Bytes::mib(2), Bytes::mib(1));
    let expected = (Verdict::OutputLimit, "output above 1 MiB".to_owned());
    assert_eq!(above, Some(expected));
    assert_eq!(of_missing_answer(true).verdict, Verdict::WrongAnswer);
    assert_eq!(of_missing_answer(false).verdict, Verdict::Skipped);
}

#[test]
fn a_score_counts_unless_the_validator_has_a_fault() {
    let accepted = || of_check(&CheckOutcome::Accepted);
    let error = || Judgement::fault("ours");
    let invalid = "the output validator has a fault: no number";
    let table = [
        (accepted(), None, Ok(Some(2.0)), "AC", None, Some(2.0)),
        (accepted(), None, Ok(None), "AC", None, None),
        (accepted(), Some("half"), Ok(None), "WA", Some("half"), None),
        (accepted(), None, Err(Code::FailingProgram.says("no number")), "JE", Some(invalid), None),
        (error(), None, Ok(Some(2.0)), "JE", Some("ours"), None),
        (error(), None, Err(Code::FailingProgram.says("no number")), "JE", Some("ours"), None),
        (
            Judgement::new(Verdict::TimeLimit, "late"),
            Some("half"),
            Ok(Some(0.0)),
            "TLE",
            Some("late"),
            Some(0.0),
        ),
    ];
    for (judgement, partly, score, verdict, reason, expected) in table {
        let (found, score) = with_score(judgement, "output validator", partly, score);
        let found = (found.verdict.code(), found.reason.as_deref(), score);
        assert_eq!(found, (verdict, reason, expected));
    }
}

#[test]
fn the_worst_of_several_runs_counts() {
    type Row = (&'static [(Verdict, u64)], Option<usize>);
    use Verdict::{Accepted, JudgeError, TimeLimit};
    let ms = Duration::from_millis;
    let table: [Row; 4] = [
        (&[], None),
        (&[(Accepted, 9), (TimeLimit, 5), (Accepted, 7)], Some(1)),
        (&[(Accepted, 9), (Accepted, 12), (Accepted, 7)], Some(1)),
        (&[(JudgeError, 0), (TimeLimit, 5)], Some(0)),
    ];
    for (runs, expected) in table {
        let runs = runs.iter().map(|&(verdict, cpu)| (verdict, ms(cpu)));
        assert_eq!(worst(runs), expected);
    }
}

#[test]
fn the_grader_decides_a_submission_unless_the_judge_fails() {
    use Verdict::{Accepted, JudgeError, WrongAnswer};
    assert_eq!(with_grader(WrongAnswer, None), WrongAnswer);
    assert_eq!(with_grader(WrongAnswer, Some(Accepted)), Accepted);
    assert_eq!(with_grader(JudgeError, Some(Accepted)), JudgeError);
}
