use super::*;
use crate::problem::Format;
use crate::specimen;
use crate::submission::Expectation;

/// Programs with known times: nothing is run.
#[derive(Default)]
struct Simulated {
    /// The time of each submission in milliseconds; `None`: it prints without end, or cannot be timed.
    takes: Vec<u64>,
    /// The longest time that each submission was run for.
    longest: Vec<Duration>,
    broken: Option<usize>,
}

impl Stopwatch for Simulated {
    fn time(
        &mut self,
        index: usize,
        timed: &mut Timed,
        most: Duration,
    ) -> Result<(), SandboxError> {
        if self.broken == Some(index) {
            timed.unusable = Some("no compiler".to_owned());
            return Ok(());
        }
        let takes = Duration::from_millis(self.takes[index]);
        self.longest[index] = self.longest[index].max(takes.min(most));
        timed.stopped = None;
        if takes > most {
            timed.stopped = Some(CaseTime { case: "c".to_owned(), time: most });
        } else {
            timed.ended("c", takes);
        }
        Ok(())
    }
}

/// Searches the limit of submissions with these times; returns the result and the seconds that each one was run for.
fn searched(
    format: Format,
    lower: &[u64],
    upper: &[u64],
    broken: Option<usize>,
) -> (FoundLimit, Vec<f64>) {
    let name = |(number, side): (usize, Bound)| {
        let submission = specimen::submission(&number.to_string(), Expectation::accepted());
        Timed::new(&submission, side)
    };
    let sides = lower.iter().map(|_| Bound::Lower).chain(upper.iter().map(|_| Bound::Upper));
    let mut all: Vec<Timed> = sides.enumerate().map(name).collect();
    let mut watch = Simulated {
        takes: [lower, upper].concat(),
        longest: vec![Duration::ZERO; all.len()],
        broken,
    };
    let found = search(Margins::of(format), &mut all, &mut watch).unwrap();
    let seconds = watch.longest.iter().map(Duration::as_secs_f64).collect();
    (found, seconds)
}

const NEVER: u64 = 1_000_000_000;

#[test]
fn the_limit_fits_both_sides_and_nothing_runs_longer_than_needed() {
    type ReviewRow<'a> = (&'a [u64], &'a [u64], u64, &'a [f64]);
    let table: [ReviewRow<'_>; 4] = [
        (&[100], &[NEVER], 1, &[0.1, 2.0]),
        (&[100, 1900], &[NEVER], 10, &[0.1, 1.9, 20.0]),
        (&[7000], &[NEVER], 35, &[7.0, 70.0]),
        (&[100], &[], 1, &[0.1]),
    ];
    for (lower, upper, limit, ran) in table {
        let (found, longest) = searched(Format::Legacy, lower, upper, None);
        assert_eq!(found.limit, Some(Duration::from_secs(limit)), "{lower:?}");
        assert_eq!(found.conflict, None, "{lower:?}");
        assert_eq!(longest, ran, "{lower:?}");
    }
}

#[test]
fn a_contradiction_ends_the_search_early_with_the_limit_from_below() {
    // 0.5 s cannot be too slow where another submission needs more than 2 s.
    let (found, longest) = searched(Format::Legacy, &[NEVER], &[500, NEVER], None);
    assert_eq!(longest, [2.0, 0.5, 2.0]);
    assert_eq!(found.limit, Some(Duration::from_secs(10)));
    let text = found.conflict.unwrap().to_string();
    assert_eq!(
        text,
        "`0` takes longer than 2 s on `c`, and the limit is at least 5 times that, which gives at least 10 s; but `1` must \
         take at least 2 times the limit and takes only 0.500 s"
    );
    let (found, _) = searched(Format::V2025, &[900], &[2000, 2500], None);
    assert_eq!(found.limit, Some(Duration::from_secs(2)));
    assert_eq!(
        found.conflict.unwrap().to_string(),
        "`0` takes 0.900 s on `c`, and the limit is at least 2 times that, which gives 2 s; but `1` must take at least 1.5 \
         times the limit and takes only 2.000 s"
    );
}

#[test]
fn an_endless_submission_is_reported_and_the_others_give_the_limit() {
    let (found, longest) = searched(Format::Legacy, &[300, NEVER], &[], None);
    assert_eq!(longest, [0.3, 60.0]);
    assert_eq!(found.limit, Some(Duration::from_secs(2)));
    assert_eq!(found.conflict.unwrap().to_string(), "`1` takes longer than 60 s on `c`");
    let (found, _) = searched(Format::Legacy, &[NEVER], &[], None);
    assert_eq!(found.limit, Some(Duration::from_secs(60)));
}

#[test]
fn what_cannot_run_bounds_nothing() {
    let (found, _) = searched(Format::Legacy, &[9000, 100], &[NEVER], Some(0));
    assert_eq!(found.limit, Some(Duration::from_secs(1)));
    assert_eq!(found.conflict, None);
    let (found, _) = searched(Format::Legacy, &[100], &[10], Some(0));
    assert_eq!(found.limit, None);
    let (found, _) = searched(Format::Legacy, &[100], &[10], Some(1));
    assert_eq!((found.limit, found.conflict), (Some(Duration::from_secs(1)), None));
}
