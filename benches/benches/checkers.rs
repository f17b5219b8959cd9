//! The cost of checking per byte of output, compared with a yardstick: a loop that reads both texts and compares them
//! with `memcmp`, which is the minimum that any checker must do.
//!
//! After criterion's groups, the benchmark prints the ratios of CPU times to the yardstick's, measured alternately. The
//! checkers of testlib are built-in ones: `wcmp` and `ncmp` compare tokens, `rcmp` is an absolute tolerance.

use std::hint::black_box;
use std::io::Read;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group};
use rejudge::checker::{TokenOptions, exact, tokens};
use rejudge_benches::is_test;
use rustix::time::{ClockId, clock_gettime};

const SIZE: usize = 32 << 20;

/// A text of numbers with one to nine digits, ten on each line.
fn numbers(gap: &str, newline: &str) -> Vec<u8> {
    let mut text = Vec::with_capacity(SIZE + 32);
    let mut state = 1_u64;
    let mut column = 0;
    while text.len() < SIZE {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let value = (state >> 33) % 10_u64.pow(u32::try_from(state >> 60).unwrap_or(0) % 9 + 1);
        text.extend_from_slice(value.to_string().as_bytes());
        column += 1;
        text.extend_from_slice(if column % 10 == 0 { newline } else { gap }.as_bytes());
    }
    text
}

fn lowered(text: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let upper: Vec<u8> = text
        .iter()
        .map(|byte| if byte.is_ascii_digit() { byte - b'0' + b'A' } else { *byte })
        .collect();
    let lower = upper.to_ascii_lowercase();
    (upper, lower)
}

/// Reads two texts through buffers as large as those of the checkers, and compares the buffers.
fn yardstick(mut output: &[u8], mut answer: &[u8]) -> bool {
    let (mut x, mut y) = (vec![0; 128 << 10], vec![0; 128 << 10]);
    loop {
        let in_x = output.read(&mut x).unwrap_or(0);
        let in_y = answer.read(&mut y).unwrap_or(0);
        if x[..in_x] != y[..in_y] {
            return false;
        }
        if in_x == 0 {
            return true;
        }
    }
}

struct CheckerCase {
    name: &'static str,
    output: Vec<u8>,
    answer: Vec<u8>,
    options: TokenOptions,
}

impl CheckerCase {
    fn run(&self) {
        let found = tokens::compare(&self.output[..], &self.answer[..], &self.options);
        assert!(black_box(found).is_ok_and(|found| found.is_none()));
    }
}

fn cases() -> Vec<CheckerCase> {
    let plain = TokenOptions::default();
    let float = TokenOptions { float_absolute: Some(1e-6), float_relative: Some(1e-6), ..plain };
    let words = TokenOptions { case_sensitive: true, ..plain };
    let reals = TokenOptions { float_absolute: Some(1.5e-6), ..words };
    let answer = numbers(" ", "\n");
    let (upper, lower) = lowered(&answer);
    let case = |name, output, answer: &[u8], options| CheckerCase {
        name,
        output,
        answer: answer.to_vec(),
        options,
    };
    let mut decimals = numbers(".25 ", ".5\n");
    decimals.extend_from_slice(b"0");
    let spelt_otherwise = numbers(".2500 ", ".500\n");
    let count = |text: &[u8]| text.iter().filter(|byte| byte.is_ascii_whitespace()).count();
    // Both texts contain the same numbers, but the longer notation reaches `SIZE` with fewer of them.
    let shared = count(&spelt_otherwise).min(count(&decimals));
    let cut = |text: &[u8]| {
        let mut seen = 0;
        let end = text.iter().position(|byte| {
            seen += usize::from(byte.is_ascii_whitespace());
            seen == shared
        });
        text[..end.unwrap_or(text.len())].to_vec()
    };
    let (decimals, spelt_otherwise) = (cut(&decimals), cut(&spelt_otherwise));
    vec![
        case("equal", answer.clone(), &answer, plain),
        case("equal, tolerance", answer.clone(), &answer, float),
        case("other newlines", with_crlf(&answer), &answer, plain),
        case("other spacing", doubled(&answer), &answer, plain),
        case("other spacing, wcmp", doubled(&answer), &answer, words),
        case("other case", lower, &upper, plain),
        case("other decimals", spelt_otherwise.clone(), &decimals, float),
        case("other decimals, rcmp", spelt_otherwise, &decimals, reals),
        case("twelve decimals", fractions("1"), &fractions("2"), float),
        case("exponents", exponents("e+05"), &exponents("0e4"), float),
    ]
}

/// Numbers with one digit before the point and twelve after it, the last of which are `tail`.
fn fractions(tail: &str) -> Vec<u8> {
    let digits = numbers(" ", " ");
    let long = digits.split(|&byte| byte == b' ').filter(|word| word.len() > 8);
    let text = long.flat_map(|word| {
        let (first, rest) = word.split_at(1);
        [first, b".", rest, b"000", tail.as_bytes(), b"\n"]
    });
    text.flatten().copied().collect()
}

/// Numbers with up to nine digits before `end`.
fn exponents(end: &str) -> Vec<u8> {
    let end = [end.as_bytes(), b" "].concat();
    let digits = numbers(" ", " ");
    let words = digits.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    words.flat_map(|word| [word, &end]).flatten().copied().collect()
}

fn with_crlf(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    lines
        .flat_map(|line| [line.strip_suffix(b"\n").unwrap_or(line), b"\r\n"])
        .flatten()
        .copied()
        .collect()
}

fn doubled(text: &[u8]) -> Vec<u8> {
    let mut wide = Vec::with_capacity(text.len() * 2);
    for &byte in text {
        wide.extend_from_slice(if byte == b' ' { b"  " } else { std::slice::from_ref(&byte) });
    }
    wide
}

fn checkers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("checkers");
    group.sample_size(10);
    for case in cases() {
        group.throughput(Throughput::Bytes(case.output.len() as u64));
        group.bench_function(case.name, |bencher| bencher.iter(|| case.run()));
    }
    let text = numbers(" ", "\n");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("exact", |bencher| {
        bencher.iter(|| black_box(exact::compare(&text[..], &text[..])));
    });
    group.bench_function("yardstick", |bencher| {
        bencher.iter(|| assert!(black_box(yardstick(&text, &text))));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = checkers
}

#[expect(clippy::cast_precision_loss, reason = "sizes far below 2^52")]
fn nanoseconds_per_byte(time: Duration, text: &[u8]) -> f64 {
    time.as_secs_f64() * 1e9 / text.len() as f64
}

/// Prints medians of alternating runs, so that noise of the machine affects both.
fn print_ratios() {
    println!("case                   MB/s of output   times the yardstick's cost per byte");
    let rounds = if is_test() { 1 } else { 7 };
    for case in cases() {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            ours.push(timed(|| case.run()));
            theirs.push(timed(|| {
                black_box(yardstick(&case.answer, &case.answer));
            }));
        }
        ours.sort_unstable();
        theirs.sort_unstable();
        let cost = nanoseconds_per_byte(ours[rounds / 2], &case.output);
        let least = nanoseconds_per_byte(theirs[rounds / 2], &case.answer);
        println!("{:<22} {:>14.0}   {:.2}", case.name, 1e3 / cost, cost / least);
    }
}

/// The CPU time of `work`, which other programs hardly change.
fn timed(work: impl FnOnce()) -> Duration {
    let start = cpu_time();
    work();
    cpu_time().saturating_sub(start)
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("CPU time is not negative")
}

fn main() {
    benches();
    print_ratios();
    Criterion::default().configure_from_args().final_summary();
}
