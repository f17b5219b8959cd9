use std::convert::Infallible;
use std::time::Duration;

use super::*;
use crate::limits::LimitOverrides;
use crate::problem::ProblemLimits;
use crate::sandbox::Contention;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Of a CPU time of one second, and three of wall time.
fn limits() -> Limits {
    let one_second = ProblemLimits { cpu_time: Some(ms(1000)), ..ProblemLimits::default() };
    crate::limits::effective_limits(
        &one_second,
        crate::limits::DEFAULT_OUTPUT,
        &LimitOverrides::default(),
    )
}

fn busy(observed: Duration, starved: Duration) -> Contention {
    Contention { observed, starved, others: observed * 2, processors: 2, ..Contention::default() }
}

fn used(cpu_ms: u64, wall_ms: u64, contention: Contention) -> Usage {
    Usage { cpu_user: ms(cpu_ms), wall: ms(wall_ms), contention, ..Usage::default() }
}

#[test]
fn a_run_says_whether_it_was_over_time_in_doubt_disturbed_or_killed() {
    const CPU: Exit = Exit::Killed(LimitKind::Cpu);
    const WALL: Exit = Exit::Killed(LimitKind::Wall);
    let quiet = Contention::default();
    let (others, starved) = (busy(ms(1000), ms(0)), busy(ms(9000), ms(5000)));
    let table = [
        // Beside another worker.
        (Exit::Code(0), 949, quiet, Some(1), ""),
        (Exit::Code(0), 950, quiet, Some(1), "open"),
        (Exit::Code(1), 1200, quiet, Some(1), "over open"),
        (CPU, 1500, quiet, Some(1), "over"),
        (WALL, 10, quiet, Some(1), "over open"),
        (Exit::Killed(LimitKind::Memory), 10, quiet, Some(1), ""),
        (CPU, 1500, others, Some(1), "over disturbed"),
        (CPU, 1500, others, Some(2), "over"),
        // Alone.
        (Exit::Code(0), 990, quiet, None, ""),
        (CPU, 1001, quiet, None, "over"),
        (CPU, 1001, others, None, "over disturbed"),
        (Exit::Code(0), 500, others, None, "disturbed"),
        // Whoever sleeps sleeps as long on a quiet machine.
        (WALL, 10, others, None, "over"),
        (WALL, 300, starved, None, "over disturbed"),
        (Exit::Killed(LimitKind::Memory), 1500, quiet, None, ""),
        (Exit::Signal(9), 10, quiet, None, "killed"),
        (Exit::Signal(11), 10, quiet, None, ""),
    ];
    for (exit, cpu, contention, workers, expected) in table {
        let usage = used(cpu, 3000, contention);
        let attempt = Attempt::new(exit, &usage, &limits(), workers);
        let words = [
            (attempt.over_time, "over"),
            (attempt.open, "open"),
            (attempt.disturbed, "disturbed"),
            (attempt.killed, "killed"),
        ];
        let words = words.into_iter().filter(|(is, _)| *is);
        let words: Vec<&str> = words.map(|(_, word)| word).collect();
        assert_eq!(words.join(" "), expected, "{exit:?} {cpu} {workers:?}");
    }
    let at_last = used(10, 30_000, quiet);
    assert!(Attempt::new(WALL, &at_last, &limits(), None).disturbed);
}

/// A run of so much CPU time, by letters: over, open, disturbed, killed.
fn attempt(cpu: u64, letters: &str) -> Attempt {
    let has = |letter| letters.contains(letter);
    Attempt {
        usage: used(cpu, cpu, Contention::default()),
        over_time: has('v'),
        open: has('o'),
        disturbed: has('d'),
        timed: has('t'),
        killed: has('k'),
    }
}

#[test]
fn where_nobody_states_a_limit_a_run_without_end_counts_at_once() {
    let limits = crate::limits::of_solution(None, None, &LimitOverrides::default());
    let run = |exit, cpu_ms| {
        let usage = used(cpu_ms, 40_000, busy(ms(40_000), ms(20_000)));
        let attempt = Attempt::new(exit, &usage, &limits, Some(1));
        (attempt.over_time, decide(&[attempt], false, false))
    };
    assert_eq!(run(Exit::Killed(LimitKind::Cpu), 12_000), (true, RunDecision::Accept));
    // It ended: on a quiet machine, it may have been in time.
    assert_eq!(run(Exit::Code(0), 11_000), (true, RunDecision::Repeat));
}

#[test]
fn only_a_run_over_its_limit_that_was_disturbed_is_repeated_and_at_most_twice() {
    use RunDecision::{Accept, Believe, Repeat, Stand};
    type Row<'a> = (&'a [(u64, &'a str)], bool, RunDecision, usize);
    let table: [Row<'_>; 17] = [
        (&[(500, "")], false, Accept, 0),
        (&[(500, "d")], false, Accept, 0),
        (&[(1001, "v")], false, Accept, 0),
        (&[(1001, "vd")], false, Repeat, 0),
        (&[(1001, "vd")], true, Believe, 0),
        (&[(1001, "vd"), (600, "d")], false, Accept, 1),
        (&[(1001, "vd"), (1001, "v")], false, Accept, 1),
        (&[(1001, "vd"), (1001, "vd")], false, Repeat, 0),
        (&[(1002, "vd"), (1001, "vd"), (1003, "vd")], false, Stand, 1),
        (&[(1002, "vd"), (1001, "vd"), (1003, "v")], false, Accept, 2),
        // Beside our other workers, and then alone.
        (&[(970, "o")], false, Repeat, 0),
        (&[(970, "o")], true, Believe, 0),
        (&[(970, "o"), (1001, "v")], false, Accept, 1),
        (&[(970, "o"), (1001, "vd"), (1002, "vd")], false, Stand, 0),
        // Ended by SIGKILL.
        (&[(10, "k")], true, Repeat, 0),
        (&[(10, "k"), (10, "k")], false, Accept, 1),
        (&[(1001, "vd"), (10, "k")], false, Repeat, 0),
    ];
    for (runs, enough, expected, index) in table {
        let attempts: Vec<Attempt> = runs.iter().map(|&(cpu, how)| attempt(cpu, how)).collect();
        let decision = decide(&attempts, enough, false);
        assert_eq!(decision, expected, "{runs:?}");
        if decision != Repeat {
            assert_eq!(deciding(&attempts, decision), index, "{runs:?}");
        }
    }
    // Where times are wanted, a good one that was disturbed is measured again.
    assert_eq!(decide(&[attempt(500, "d")], false, true), Repeat);
    assert_eq!(decide(&[attempt(500, "")], false, true), Accept);
}

#[test]
fn a_part_that_was_in_time_does_not_disturb_one_that_was_not() {
    let mut sum = Attempt::default();
    sum.join(&attempt(500, "d"));
    sum.join(&attempt(1001, "v"));
    assert!(sum.over_time && !sum.disturbed);
    sum.join(&attempt(1001, "vd"));
    assert!(sum.over_time && sum.disturbed);
    assert_eq!(sum.usage.cpu(), ms(1001));
}

#[test]
fn confirmations_end_when_they_teach_nothing() {
    let confirmed = Confirmations::default();
    for _ in 0..ENOUGH {
        assert!(!confirmed.enough());
        confirmed.add(true, true);
    }
    assert!(confirmed.enough());
    confirmed.add(true, false);
    assert!(!confirmed.enough(), "one was overturned");
}

/// A machine that stretches the CPU time of a run by a random factor, if it is busy then.
struct Simulated {
    seed: u64,
    runs: usize,
    busy: u64,
}

impl Simulated {
    fn dice(&mut self) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed
    }

    /// Runs a program that needs so much CPU time on a quiet machine, killed at its limit.
    fn run(&mut self, need: u64) -> (Attempt, bool) {
        self.runs += 1;
        let busy = self.dice() % 100 < self.busy;
        let factor = if busy { 100 + self.dice() % 200 } else { 100 };
        let cpu = (need * factor / 100).min(1001);
        let contention = if busy { self::busy(ms(cpu), ms(0)) } else { Contention::default() };
        let exit = if cpu > 1000 { Exit::Killed(LimitKind::Cpu) } else { Exit::Code(0) };
        let usage = used(cpu, cpu, contention);
        let attempt = Attempt::new(exit, &usage, &limits(), None);
        (attempt, cpu > 1000)
    }
}

#[test]
fn on_a_simulated_machine_no_verdict_depends_on_its_load_unless_it_is_marked() {
    for busy in [0, 30, 70, 100] {
        let (mut marked, mut machine) = (0, Simulated { seed: 0x5eed + busy, runs: 0, busy });
        for round in 0..500 {
            let need = 200 + 1600 * round / 500;
            let confirmations = Confirmations::default();
            let before = machine.runs;
            let repeated = repeat_until_decided(&confirmations, false, |_| {
                Ok::<_, Infallible>(machine.run(need))
            })
            .unwrap();
            let runs = machine.runs - before;
            assert!(runs <= 3, "{runs} runs");
            let (too_slow, late) = (need > 1000, repeated.result);
            if repeated.stands_disturbed() {
                marked += 1;
            } else {
                assert_eq!(late, too_slow, "{need} ms of CPU time, {busy} % busy");
            }
            // Nobody is accepted by luck, and a third of the limit is enough for anybody.
            assert!(late || !too_slow);
            assert!(!late || need * 3 > 1000);
        }
        assert_eq!(marked == 0, busy == 0, "{busy} % busy: {marked} marked");
    }
}

#[test]
fn a_submission_that_is_always_too_slow_is_repeated_sixteen_times_on_a_machine_that_is_never_quiet()
{
    let mut machine = Simulated { seed: 1, runs: 0, busy: 100 };
    let confirmations = Confirmations::default();
    for _ in 0..1000 {
        let repeated =
            repeat_until_decided(&confirmations, false, |_| Ok::<_, Infallible>(machine.run(2000)));
        assert!(repeated.unwrap().stands_disturbed());
    }
    assert_eq!(machine.runs, 1000 + ENOUGH);
}

#[test]
fn what_ends_by_sigkill_is_run_once_more_before_it_is_blamed() {
    for (deaths, runs, blamed) in [(0, 1, false), (1, 2, false), (2, 2, true), (9, 2, true)] {
        let mut made = 0;
        let repeated = repeat_until_decided(&Confirmations::default(), false, |before| {
            made += 1;
            let killed = before.len() < deaths;
            let exit = if killed { Exit::Signal(9) } else { Exit::Code(0) };
            let usage = Usage::default();
            let attempt = Attempt::new(exit, &usage, &limits(), None);
            Ok::<_, Infallible>((attempt, killed))
        });
        assert_eq!((made, repeated.unwrap().result), (runs, blamed), "{deaths}");
    }
}

fn ended(exit: Exit, usage: Usage) -> Execution {
    Execution { exit, usage, stdout: crate::sandbox::Captured::default(), stderr_tail: Vec::new() }
}

#[test]
fn a_dialogue_that_mostly_slept_or_whose_partner_was_busy_is_not_in_doubt() {
    const WALL: Exit = Exit::Killed(LimitKind::Wall);
    let (quiet, starved) = (Contention::default(), |by| busy(ms(3000), ms(by)));
    let of = |submission: Execution, interactor_cpu, workers| {
        let interactor = ended(Exit::Stopped, used(interactor_cpu, 3000, quiet));
        let both = ((&submission, &limits()), (&interactor, &limits()));
        let found = Attempt::of_dialogue(both.0, both.1, workers);
        (found.over_time, found.open, found.disturbed)
    };
    let waited = |cpu, contention| ended(WALL, used(cpu, 3000, contention));
    assert_eq!(of(waited(299, quiet), 100, Some(1)), (true, false, false));
    assert_eq!(of(waited(300, quiet), 100, Some(1)), (true, true, false));
    assert_eq!(of(waited(299, starved(700)), 100, None), (true, false, false));
    assert_eq!(of(waited(299, starved(750)), 100, None), (true, false, true));
    let last = ended(WALL, used(10, 30_000, quiet));
    assert_eq!(of(last, 100, None), (true, false, true));
    // Six seconds of other programs in three seconds: the interactor's are not others'.
    let computed = || ended(Exit::Killed(LimitKind::Cpu), used(1001, 3000, starved(0)));
    assert_eq!(of(computed(), 5500, None), (true, false, false));
    assert_eq!(of(computed(), 100, None), (true, false, true));
    let idle = ended(Exit::Killed(LimitKind::Idle), used(10, 3000, starved(2000)));
    assert_eq!(of(idle, 100, Some(1)), (true, false, false));
}
