//! The time to discover a package with many cases, and a tree of many plain folders, compared with a bare walk over the
//! same files.

use std::fs::{self, File};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rejudge::notice::Notices;
use rejudge::problem::{Problem, ReadOptions};
use rejudge::{Found, Request, discover};
use walkdir::WalkDir;

const CASES: u32 = 100_000;

/// Writes a package with [`CASES`] empty cases in ten groups.
fn package(dir: &Path) -> std::io::Result<()> {
    fs::write(dir.join("problem.yaml"), "problem_format_version: 2025-09\nname: many\n")?;
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
    group.sample_size(10).throughput(Throughput::Elements(u64::from(CASES)));
    group.bench_function("bare walk", |bencher| {
        bencher.iter(|| black_box(WalkDir::new(dir.path()).into_iter().count()));
    });
    group.bench_function("load", |bencher| {
        bencher.iter(|| {
            let mut notices = Notices::default();
            let problem = Problem::load(dir.path(), &|_| None, &mut notices);
            assert_eq!(problem.map(|problem| problem.cases.len()), Some(CASES as usize));
        });
    });
    group.finish();
}

/// Problems in the tree, and files in each of their folders.
const PROBLEMS: u32 = 1_000;
const FILES: u32 = 20;

/// Writes folders with two sources and their cases.
fn contests(dir: &Path) -> std::io::Result<()> {
    for problem in 0..PROBLEMS {
        let folder = dir.join(format!("contest-{:02}/{problem:03}", problem / 20));
        fs::create_dir_all(folder.join("tests"))?;
        fs::write(folder.join("solution.rs"), "fn main() {}\n")?;
        fs::write(folder.join("solution.py"), "print()\n")?;
        for case in 0..(FILES - 2) / 2 {
            File::create(folder.join(format!("tests/{case}.in")))?;
            File::create(folder.join(format!("tests/{case}.out")))?;
        }
    }
    Ok(())
}

fn found_in(dir: &Path) -> Found {
    let found = discover(&Request {
        current: dir,
        paths: &[],
        cases: None,
        repository: None,
        read_options: ReadOptions::default(),
        language_of: &|extension| {
            matches!(extension.to_str(), Some("rs" | "py")).then(|| "any".to_owned())
        },
        language_of_text: &|_, _| None,
    });
    assert_eq!(found.submissions.len(), 2 * PROBLEMS as usize);
    assert_eq!(found.problems.len(), PROBLEMS as usize);
    found
}

fn tree(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    contests(dir.path()).expect("room for the cases");
    let mut ratios: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            black_box(WalkDir::new(dir.path()).into_iter().count());
            let walk = start.elapsed();
            let start = Instant::now();
            // The time until the problems are known, without the time to free them.
            let found = black_box(found_in(dir.path()));
            let taken = start.elapsed();
            drop(found);
            taken.as_secs_f64() / walk.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!(
        "discovery of {} files: {:.2} times a bare walk (target: at most 3)",
        PROBLEMS * FILES,
        ratios[ratios.len() / 2]
    );
    let mut group = criterion.benchmark_group("discovery of a tree");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(PROBLEMS * FILES)));
    group.bench_function("bare walk", |bencher| {
        bencher.iter(|| black_box(WalkDir::new(dir.path()).into_iter().count()));
    });
    group.bench_function("discover", |bencher| {
        bencher.iter_with_large_drop(|| found_in(dir.path()));
    });
    group.finish();
}

criterion_group!(benches, discovery, tree);
criterion_main!(benches);
