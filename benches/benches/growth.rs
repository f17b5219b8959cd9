//! Costs that grow with a repository: CPU time and memory per case, per solution and per problem must not depend on
//! their number.
//!
//! Each repository has two sizes, the second four times the first. The benchmark prints the CPU time per item at both
//! sizes, their ratio, the slope (the CPU time of each additional item), and the additional memory per item. CPU time
//! depends little on what else the machine does.
//!
//! Then it judges an output of 1 GB and one of a quarter, whose answers are not in the page cache. The memory must not
//! depend on the size, and the speed should be that of the slower of memory and disk.
//!
//! The judge is the whole command line in a separate process, which is this program, started again.

use std::env;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rejudge_benches::{cpu_time_of_ended_children, is_test, source, write_sums};
use rustix::fs::{Advice, fadvise};
use rustix::time::{ClockId, clock_gettime};

/// An environment variable that names a file. A process with this variable is the judge, and writes its CPU time and
/// peak memory to the file.
const JUDGE: &str = "REJUDGE_BENCH_USAGE";

/// The larger size is this multiple of the smaller one.
const FACTOR: u32 = 4;

/// Adds two numbers, and needs no compiler.
const SOLUTION: &str = "read a b\necho $((a + b))\n";

/// What grows.
struct GrowingItem {
    item: &'static str,
    /// The number of items in the larger repository.
    most: u32,
    /// The number of problems, of their solutions and of their cases, for this number of items.
    shape: fn(u32) -> [u32; 3],
}

const GROWTHS: [GrowingItem; 3] = [
    GrowingItem { item: "case", most: 100_000, shape: |count| [1, 1, count] },
    GrowingItem { item: "solution", most: 10_000, shape: |count| [1, count, 1] },
    GrowingItem { item: "problem", most: 1_000, shape: |count| [count, 1, 2] },
];

/// What a command used.
#[derive(Clone, Copy)]
struct CommandUsage {
    cpu_ms: f64,
    memory_kib: f64,
}

fn write_repository(root: &Path, [problems, solutions, cases]: [u32; 3]) -> std::io::Result<()> {
    for problem in 0..problems {
        let package = root.join(format!("cases/p{problem}"));
        let sources = root.join(format!("solutions/p{problem}"));
        let secret = package.join("data/secret");
        fs::create_dir_all(&secret)?;
        fs::create_dir_all(&sources)?;
        fs::write(
            package.join("problem.yaml"),
            "problem_format_version: 2025-09\nname: Sum\nlimits:\n  time_limit: 30\n",
        )?;
        write_sums(&secret, cases)?;
        for solution in 0..solutions {
            fs::write(sources.join(format!("s{solution}.sh")), SOLUTION)?;
        }
    }
    Ok(())
}

/// Runs the judge in `root`.
fn usage_of(root: &Path, arguments: &[&str]) -> CommandUsage {
    let file = root.join("usage");
    let status = Command::new(env::current_exe().expect("the path of this program"))
        .args(arguments)
        .current_dir(root)
        .env(JUDGE, &file)
        .env("REJUDGE_CACHE_DIR", root.join("cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("this program starts").success());
    let text = fs::read_to_string(file).expect("the judge writes its usage");
    let mut words = text.split(' ').map(|word| word.parse().expect("a number"));
    let mut next = || words.next().expect("two numbers");
    CommandUsage { cpu_ms: next(), memory_kib: next() }
}

/// Measures a command at both sizes.
fn measure(growth: &GrowingItem, command: &str, arguments: &[&str]) {
    let most = if is_test() { growth.most / 100 } else { growth.most };
    let [small, large] = [most / FACTOR, most].map(|count| {
        let dir = tempfile::tempdir().expect("a temporary folder");
        write_repository(dir.path(), (growth.shape)(count)).expect("room for the cases");
        (f64::from(count), usage_of(dir.path(), arguments))
    });
    let per_item = |(count, usage): (f64, CommandUsage)| usage.cpu_ms * 1000.0 / count;
    let more = large.1.memory_kib - small.1.memory_kib;
    println!(
        "{command}, CPU time per {}: {:.0} µs of {}, {:.0} µs of {}: {:.2} times (target: at most 1.1); \
         slope {:.0} µs; memory per {}: {:.2} KiB",
        growth.item,
        per_item(small),
        small.0,
        per_item(large),
        large.0,
        per_item(large) / per_item(small),
        (large.1.cpu_ms - small.1.cpu_ms) * 1000.0 / (large.0 - small.0),
        growth.item,
        more / (large.0 - small.0),
    );
}

/// A word of the large outputs. `flood.c` prints it, and a newline at the end.
const WORD: &str = "1234567\n";

/// Writes the case `name`, whose output has `bytes` bytes, and removes the answer from the page cache.
fn write_flood(secret: &Path, name: &str, bytes: u32) -> io::Result<()> {
    let words = bytes / 8;
    fs::write(secret.join(format!("{name}.in")), format!("{words} {WORD}|"))?;
    let path = secret.join(format!("{name}.ans"));
    let mut answer = BufWriter::with_capacity(1 << 20, File::create(&path)?);
    for _ in 0..words {
        answer.write_all(WORD.as_bytes())?;
    }
    answer.write_all(b"\n")?;
    answer.into_inner()?.sync_all()?;
    forget(&path)
}

/// Removes the pages of a file, which must be written to the disk, from the page cache.
fn forget(path: &Path) -> io::Result<()> {
    Ok(fadvise(File::open(path)?, 0, None, Advice::DontNeed)?)
}

/// The time to read a file in pieces.
fn time_to_read(path: &Path) -> io::Result<Duration> {
    let (mut file, mut buffer) = (File::open(path)?, vec![0; 128 << 10]);
    let start = Instant::now();
    while file.read(black_box(&mut buffer))? > 0 {}
    Ok(start.elapsed())
}

/// The time to copy `bytes` from one part of the memory to another, both larger than the caches.
fn time_to_copy(bytes: u32) -> Duration {
    let from = vec![1_u8; 256 << 20];
    let mut to = vec![0_u8; from.len()];
    let start = Instant::now();
    let mut left = bytes as usize;
    while left > 0 {
        let now = left.min(from.len());
        to[..now].copy_from_slice(&from[..now]);
        black_box(&mut to);
        left -= now;
    }
    start.elapsed()
}

/// Judges a large output and one of a quarter of its size.
fn measure_large_output() -> io::Result<()> {
    let bytes: u32 = if is_test() { 10_000_000 } else { 1_000_000_000 };
    let dir = tempfile::tempdir()?;
    write_repository(dir.path(), [1, 0, 0])?;
    let secret = dir.path().join("cases/p0/data/secret");
    fs::copy(source("flood.c"), dir.path().join("solutions/p0/flood.c"))?;
    write_flood(&secret, "quarter", bytes / FACTOR)?;
    write_flood(&secret, "whole", bytes)?;
    let judge = |case| {
        let start = Instant::now();
        let options = ["run", "-j1", "-q", "--output-limit=2048", "--case", case];
        (start, usage_of(dir.path(), &options).memory_kib)
    };
    let (_, quarter_memory) = judge("secret/quarter");
    let (start, memory) = judge("secret/whole");
    let judged = start.elapsed();
    let answer = secret.join("whole.ans");
    forget(&answer)?;
    let (disk, copied) = (time_to_read(&answer)?, time_to_copy(bytes));
    let speed = |time: Duration| f64::from(bytes) / 1e6 / time.as_secs_f64();
    println!(
        "an output of {} MB: {:.0} MB/s with all of the run; disk {:.0} MB/s, memory {:.0} MB/s; \
         peak memory {memory} KiB, {quarter_memory} KiB for a quarter of the output",
        bytes / 1_000_000,
        speed(judged),
        speed(disk),
        speed(copied),
    );
    Ok(())
}

/// Acts as the judge, and writes the CPU time in milliseconds and the peak memory in KiB to `file`.
fn judge_here(file: &Path) -> ExitCode {
    let code = rejudge::command_line();
    let own: Duration =
        clock_gettime(ClockId::ProcessCPUTime).try_into().expect("a CPU time is not negative");
    let cpu = (own + cpu_time_of_ended_children()).as_secs_f64() * 1e3;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"));
    let text = format!("{cpu} {}", peak.unwrap_or("0").trim());
    fs::write(file, text).expect("room for two numbers");
    code
}

fn main() -> ExitCode {
    if let Some(file) = env::var_os(JUDGE) {
        return judge_here(Path::new(&file));
    }
    for growth in &GROWTHS {
        measure(growth, "list", &["list"]);
        measure(growth, "run", &["run", "-j1", "-q"]);
    }
    measure_large_output().expect("room for the outputs");
    ExitCode::SUCCESS
}
