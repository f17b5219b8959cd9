//! The cost of showing a wrong answer. It must not depend on the size of the text or on the position of the difference,
//! except for the time to read the text before it.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use rejudge::checker::{CheckOutcome, Checker, CheckerFiles, Mismatch, TokenOptions, check};
use rejudge::diff::{Look, render};
use rejudge::sandbox::Captured;

struct DiffCase {
    name: &'static str,
    output: Captured,
    answer: tempfile::NamedTempFile,
    mismatch: Mismatch,
}

impl DiffCase {
    fn new(name: &'static str, output: &str, answer: &str) -> std::io::Result<Self> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(answer.as_bytes())?;
        let mut captured = Captured::default();
        captured.append(output.as_bytes())?;
        let case = CheckerFiles { input: Path::new("1.in"), answer: Some(file.path()) };
        let checked = check(&checker(), case, &captured, None, &mut |_, _| unreachable!());
        let Ok(CheckOutcome::Wrong(mismatch)) = checked.map(|checked| checked.outcome) else {
            panic!("`{name}` is wrong by construction");
        };
        Ok(Self { name, output: captured, answer: file, mismatch })
    }
}

fn checker() -> Checker {
    Checker::Tokens(TokenOptions::default())
}

fn cases() -> std::io::Result<Vec<DiffCase>> {
    let joined = |words: &mut dyn Iterator<Item = String>| words.collect::<String>();
    let lines = joined(&mut (1..=200_000).map(|n| format!("{n} {n} {n}\n")));
    let one_wrong = lines.replace("\n100000 ", "\n100001 ");
    let long_line = "1234567 ".repeat(100 << 17);
    let digits = joined(&mut (0..20_000_u64).map(|n| format!("{} ", n * n % 7)));
    let others = joined(&mut (0..20_000_u64).map(|n| format!("{} ", n * n % 5)));
    Ok(vec![
        DiffCase::new("a word", "1\n", "2\n")?,
        DiffCase::new("one of 200000 lines", &one_wrong, &lines)?,
        DiffCase::new("end of a 100 MiB line", &format!("{long_line}x"), &format!("{long_line}y"))?,
        DiffCase::new("digits all different", &others, &digits)?,
    ])
}

fn diff(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("diff");
    group.sample_size(10);
    let look = Look { width: 100, colour: true };
    for case in cases().expect("the temporary folder takes 250 MiB") {
        let DiffCase { name, output, answer, mismatch } = &case;
        group.bench_function(*name, |bencher| {
            bencher.iter(|| render(output, answer.path(), mismatch, &checker(), look));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = diff
}
criterion_main!(benches);
