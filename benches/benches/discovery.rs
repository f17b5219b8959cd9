//! The time to discover a package with many cases, compared with a bare walk over the same files.

use std::fs::{self, File};
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rejudge::notice::Notices;
use rejudge::problem::Problem;
use walkdir::WalkDir;

const CASES: u32 = 100_000;

/// Writes a package with [`CASES`] empty cases in ten groups.
fn package(dir: &Path) -> std::io::Result<()> {
    fs::write(
        dir.join("problem.yaml"),
        "problem_format_version: 2025-09\nname: many\n",
    )?;
    for group in 0..10 {
        let group = dir.join(format!("data/secret/group-{group}"));
        fs::create_dir_all(&group)?;
        for case in 0..CASES / 10 {
            File::create(group.join(format!("{case:05}-random.in")))?;
            File::create(group.join(format!("{case:05}-random.ans")))?;
        }
    }
    Ok(())
}

fn discovery(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    package(dir.path()).expect("room for the cases");
    let mut group = criterion.benchmark_group("discovery");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(u64::from(CASES)));
    group.bench_function("bare walk", |bencher| {
        bencher.iter(|| black_box(WalkDir::new(dir.path()).into_iter().count()));
    });
    group.bench_function("load", |bencher| {
        bencher.iter(|| {
            let mut notices = Notices::default();
            let problem = Problem::load(dir.path(), &|_| None, &mut notices);
            assert_eq!(
                problem.map(|problem| problem.cases.len()),
                Some(CASES as usize)
            );
        });
    });
    group.finish();
}

criterion_group!(benches, discovery);
criterion_main!(benches);
