//! The cost of a decision: the summary of a sample, and a gate with many cases.

use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rejudge::statistics::{CaseGate, Gate, GateOptions, Pairs, Pass, Quantity, SampleSummary};

/// Pairs with ratios around `ratio` and a spread of a few per cent, unordered.
fn pairs(ratio: f64, count: u32) -> Pairs {
    let mut pairs = Pairs::default();
    for i in 0..count {
        let noise = |step: u32| 1.0 + f64::from(i * step % 101) / 2000.0;
        pairs.push(0.05 * noise(37), 0.05 * ratio * noise(61));
    }
    pairs
}

fn case(index: u32, count: u32) -> CaseGate {
    let pass = || Pass {
        pairs: pairs(1.0 + f64::from(index % 4) / 100.0, count),
        null: Some(pairs(1.0, count)),
    };
    CaseGate {
        name: index.to_string(),
        threshold: None,
        floor: None,
        first: pass(),
        again: Some(pass()),
    }
}

fn summary(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("statistics/summary");
    for count in [60, 1000, 10_000] {
        let sample = pairs(1.0, count).base;
        group.throughput(Throughput::Elements(u64::from(count)));
        group.bench_with_input(BenchmarkId::from_parameter(count), &sample, |bencher, sample| {
            bencher.iter_batched_ref(
                || sample.clone(),
                |sample| SampleSummary::of(sample, 0.95),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

/// Both passes with their null controls: four sets of pairs for each case.
fn judge(criterion: &mut Criterion) {
    let gate = Gate::new(GateOptions::of(Quantity::CpuTime)).expect("the defaults are valid");
    let mut group = criterion.benchmark_group("statistics/judge");
    for (name, cases, count) in [("1 case, 1000 pairs", 1, 1000), ("100 cases, 60 pairs", 100, 60)]
    {
        let cases: Vec<CaseGate> = (0..cases).map(|index| case(index, count)).collect();
        group.bench_function(name, |bencher| bencher.iter(|| gate.judge(&cases)));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = summary, judge
}
criterion_main!(benches);
