use super::*;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A look after `at` ms at threads with `(number, CPU ms, delay ms)`.
fn look(at: u64, threads: &[(i32, u64, u64)]) -> ContentionSample {
    let threads = threads.iter().map(|&(number, cpu, delay)| {
        let (cpu, delay) = (ms(cpu), ms(delay));
        (number, Thread { cpu, delay })
    });
    ContentionSample { at: ms(at), cpu: None, threads: threads.collect() }
}

fn machine(busy: u64, steal: u64) -> MachineLoad {
    MachineLoad { busy: ms(busy), steal: ms(steal), ..MachineLoad::default() }
}

/// One second on two processors that were busy for `busy` ms, and from which `steal` ms were stolen.
fn second(threads: &[(i32, u64, u64)], busy: u64, steal: u64) -> Contention {
    let mut seen = Observation::new(Some(machine(0, 0)), 2);
    seen.add(look(1000, threads));
    seen.contention(Some(machine(busy, steal)))
}

#[test]
fn starved_is_told_from_asleep_and_from_waiting_for_its_own_threads() {
    type Threads = [(i32, u64, u64); 4];
    const FOUR: Threads = [(1, 500, 500), (2, 500, 500), (3, 500, 500), (4, 500, 500)];
    const STARVED_FOUR: Threads = [(1, 200, 800), (2, 200, 800), (3, 200, 800), (4, 200, 800)];
    /// What it does, its threads, CPU time of everybody, stolen time, how long it was starved, whether it was disturbed.
    type Row = (&'static str, &'static [(i32, u64, u64)], u64, u64, u64, bool);
    let table: [Row; 9] = [
        ("computes", &[(1, 1000, 0)], 1000, 0, 0, false),
        ("sleeps", &[(1, 1, 0)], 1, 0, 0, false),
        ("sleeps beside others", &[(1, 1, 2)], 2000, 0, 2, true),
        ("starved", &[(1, 200, 800)], 2000, 0, 800, true),
        ("half asleep", &[(1, 100, 400)], 2000, 0, 400, true),
        ("own threads", &FOUR, 2000, 0, 0, false),
        // All the time two of them are ready, but nobody else was there to keep them.
        ("own bursts", &[(1, 5, 990), (2, 5, 990)], 10, 0, 10, false),
        ("own threads beside others", &STARVED_FOUR, 2000, 0, 600, true),
        ("stolen from", &[(1, 500, 0)], 500, 500, 500, true),
    ];
    for (name, threads, busy, steal, starved, disturbed) in table {
        let contention = second(threads, busy, steal);
        assert!(contention.starved.abs_diff(ms(starved)) <= ms(2), "{name}: {contention:?}");
        assert_eq!(contention.disturbs(0), disturbed, "{name}: {contention:?}");
    }
}

#[test]
fn our_own_workers_are_no_disturbance_and_a_busy_neighbour_is_one() {
    let beside = second(&[(1, 1000, 0)], 1990, 0);
    assert!(beside.disturbs(0));
    assert!(!beside.disturbs(1), "that was the other worker");
    let large = Contention { processors: 64, ..beside };
    assert!(!large.disturbs(0), "one of 64 processors");
    assert!(!Contention::default().disturbs(0), "nothing is known");
}

#[test]
fn threads_that_ended_between_two_looks_waited_like_the_others() {
    let account = |at, cpu, threads: &[(i32, u64, u64)]| ContentionSample {
        cpu: Some(ms(cpu)),
        ..look(at, threads)
    };
    let mut seen = Observation::new(None, 4);
    seen.add(account(1000, 0, &[]));
    // The account knows of twice as much CPU time as the living thread.
    seen.add(account(2000, 200, &[(7, 100, 300)]));
    let contention = seen.contention(None);
    assert_eq!(contention.run_delay, ms(600));
    // Number 7 is somebody else now.
    seen.add(account(3000, 210, &[(7, 10, 0)]));
    assert_eq!(seen.contention(None).run_delay, ms(600));
}

#[test]
fn run_delay_that_is_counted_late_belongs_to_the_time_before() {
    let mut seen = Observation::new(Some(machine(0, 0)), 2);
    // It waits all the time, and gets a processor for a moment after 900 ms.
    for at in 1..9 {
        seen.add(look(at * 100, &[(1, 0, 0)]));
    }
    seen.add(look(1000, &[(1, 50, 900)]));
    let starved = seen.contention(Some(machine(2000, 0))).starved;
    assert!(starved.abs_diff(ms(900)) <= ms(1), "{starved:?}");
    // What was counted before the run began is none of its time.
    let mut seen = Observation::new(None, 2);
    seen.add(look(100, &[(1, 40, 5000)]));
    assert_eq!(seen.contention(None).starved, ms(60));
}

#[test]
fn the_wall_limit_grows_by_the_time_without_a_processor_up_to_ten_times() {
    let limit = ms(3000);
    assert_eq!(extended(limit, ms(0)), ms(3000));
    assert_eq!(extended(limit, ms(500)), ms(3500));
    assert_eq!(extended(limit, ms(60_000)), ms(30_000));
    assert_eq!(extended(Duration::MAX, ms(1)), Duration::MAX);
}

/// Numbers that look random, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// A machine whose scheduler gives each processor to a random ready thread, for a millisecond at a time.
struct Simulation {
    processors: u32,
    /// Of the run, and of others; each thread sleeps in so many per cent of its phases.
    own: Vec<u64>,
    others: Vec<u64>,
}

impl Simulation {
    /// The figures of a run of eight seconds, and what the run truly missed, in ms of processors.
    fn run(&self, dice: &mut Dice) -> (Contention, u64) {
        /// How long a thread stays ready or asleep.
        const PHASE: u64 = 250;
        let sleeps: Vec<u64> = self.own.iter().chain(&self.others).copied().collect();
        let mut ready = vec![true; sleeps.len()];
        let mut figures = vec![(0, 0); self.own.len()];
        let (mut busy, mut missed) = (0, 0);
        let mut seen = None;
        let mut observation = Observation::new(Some(machine(0, 0)), self.processors);
        for now in 0..8000 {
            if now % PHASE == 0 {
                for (ready, &sleeps) in ready.iter_mut().zip(&sleeps) {
                    *ready = dice.below(100) >= sleeps;
                }
            }
            let mut queue: Vec<usize> = (0..ready.len()).filter(|&thread| ready[thread]).collect();
            let wanted = queue.iter().filter(|&&thread| thread < self.own.len()).count();
            let mut got = 0;
            for _ in 0..self.processors {
                let Some(last) = queue.len().checked_sub(1) else {
                    break;
                };
                let chosen = usize::try_from(dice.below(last as u64 + 1)).unwrap();
                let thread = queue.swap_remove(chosen);
                busy += 1;
                if let Some(figures) = figures.get_mut(thread) {
                    figures.0 += 1;
                    got += 1;
                }
            }
            for thread in queue {
                if let Some(figures) = figures.get_mut(thread) {
                    figures.1 += 1;
                }
            }
            missed += (wanted as u64).min(self.processors.into()) - got;
            if now % 100 == 99 {
                let threads: Vec<_> =
                    (0..).zip(&figures).map(|(n, &(cpu, delay))| (n, cpu, delay)).collect();
                observation.add(look(now + 1, &threads));
                seen = Some(observation.contention(Some(machine(busy, 0))));
            }
        }
        (seen.unwrap(), missed)
    }
}

#[test]
fn a_simulated_scheduler_starves_a_run_by_as_much_as_is_found() {
    let mut dice = Dice(0x5eed);
    for round in 0..200 {
        let mut threads = |most: u64| -> Vec<u64> {
            let count = dice.below(most + 1);
            (0..count).map(|_| [0, 0, 30, 90][usize::try_from(dice.below(4)).unwrap()]).collect()
        };
        let mut simulation =
            Simulation { processors: 1 + round % 4, own: threads(11), others: threads(8) };
        simulation.own.push(0);
        let alone = Simulation { others: Vec::new(), own: simulation.own.clone(), ..simulation };
        let (contention, missed) = alone.run(&mut dice);
        assert_eq!(missed, 0, "nobody else had a processor");
        assert!(contention.starved <= TICKS, "{round}: {contention:?}");
        assert!(!contention.disturbs(0), "{round}: {contention:?}");
        // With one thread that is always ready the time is the run's own.
        simulation.own.truncate(0);
        simulation.own.push(0);
        let (contention, missed) = simulation.run(&mut dice);
        let off = contention.starved.abs_diff(ms(missed));
        assert!(off <= ms(100), "{round}: {missed} ms, {contention:?}");
    }
}

#[test]
fn a_quota_starves_whom_nobody_else_does() {
    let mut seen = Observation::new(Some(machine(0, 0)), 2);
    seen.add(look(1000, &[(1, 300, 700)]));
    // The run had 300 ms of a second; a quota held it back for the rest.
    let throttled = ms(700);
    let now = MachineLoad { throttled, ..machine(300, 0) };
    let felt = seen.contention(Some(now));
    assert_eq!((felt.starved, felt.throttled), (ms(700), throttled));
    assert!(felt.disturbs(0));
    assert!(seen.contention(Some(machine(300, 0))).starved < ms(50));
}
