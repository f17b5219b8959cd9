//! Compares the schema in the guide with real reports: every key is documented, and every documented key is written.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::guide::markdown::{quoted, rows};
use crate::guide::pages::guide;
use crate::support::Repo;
use crate::support::schema::LineSchema;

/// The keys of each type of line.
type Keys = BTreeMap<String, BTreeSet<String>>;

/// Keys on every line.
const EVERYWHERE: [&str; 2] = ["type", "schema"];

/// Keys that some systems do not report.
const NOT_EVERYWHERE: [&str; 15] = [
    // Only in reports of shards, and in merged ones.
    "shard",
    "shard.",
    "near_limit",
    "missing",
    "remarks",
    "machine.cpu",
    "machine.kernel",
    "machine.noise.",
    "instructions",
    "instructions.median",
    "instructions.interval",
    "instructions.min",
    "instructions.max",
    "instructions.mad",
    "instructions.samples",
];

/// The keys that the tables with the head `key in TYPE` document.
fn documented() -> Keys {
    let mut keys = Keys::new();
    let mut kinds: Vec<&str> = Vec::new();
    let guide = guide();
    for row in rows(&guide) {
        if let Some(named) = row[0].strip_prefix("key in ") {
            kinds = quoted(named).collect();
        } else if row.len() != 3 || !row[0].starts_with(['`', '-']) {
            // The head of another kind of table.
            kinds.clear();
        } else {
            for kind in &kinds {
                let known = keys.entry((*kind).to_owned()).or_default();
                for key in quoted(row[0]) {
                    assert!(
                        known.insert(key.to_owned()),
                        "`{key}` of `{kind}` is documented twice"
                    );
                }
            }
        }
    }
    keys
}

fn add(keys: &mut BTreeSet<String>, prefix: &str, value: &Value) {
    for (key, value) in value.as_object().unwrap() {
        let name = format!("{prefix}{key}");
        if value.is_object() {
            add(keys, &format!("{name}."), value);
        }
        keys.insert(name);
    }
}

/// Adds the keys of a command's report, whose lines must be valid. `command` is the prefix for the types of its lines.
fn collect(keys: &mut Keys, repo: &Repo, command: &str, args: &[&str]) {
    let mut run = repo.command(args);
    if args.contains(&"--measure") {
        // A separate cache: the transcripts of the guide show the state before any measurement.
        run.env("REJUDGE_CACHE_DIR", repo.path("measured"));
    }
    let schema = LineSchema::of(args[0]);
    for line in repo.finish(&mut run).stdout.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(schema.fault(&line), None, "{args:?}: {line}");
        let kind = format!("{command}{}", line["type"].as_str().unwrap());
        assert_eq!(line["schema"], 1);
        add(keys.entry(kind).or_default(), "", &line);
    }
}

/// A generator that prints the requested size.
const NUMBER: &str = "fn main() { println!(\"{}\", std::env::args().nth(1).unwrap()); }";

/// A program that reads a number `n`, allocates `n` times 8 KiB and counts to `n` squared.
const SQUARE: &str = "fn main() { let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); \
    let n: u64 = line.trim().parse().unwrap(); \
    std::hint::black_box(vec![1_u8; (n as usize) << 13]); \
    for i in 0..n * n { std::hint::black_box(i); } }";

/// A program with a loop of this number of rounds.
fn work(rounds: u32) -> String {
    format!(
        "fn main() {{ let mut x = 1u64; for i in 0..{rounds}u64 {{ x = std::hint::black_box(x * 3 % 1000 + i); }} \
         println!(\"{{}}\", if x == 0 {{ \"no\" }} else {{ \"ok\" }}); }}\n"
    )
}

/// A repository whose reports have every possible key.
fn repo() -> Repo {
    let repo = Repo::with_sum();
    let program = |what: &str| format!("fn main() {{ {what} }}\n");
    let sleep = "std::thread::sleep(std::time::Duration::from_secs(60));";
    repo.file(
        "solutions/sum/wrong.rs",
        program("let warned = 4; eprintln!(\"4?\"); println!(\"4\");"),
    )
    .file("solutions/sum/run_time_error/abort.rs", program("std::process::abort();"))
    .file("cases/points/data/secret/a/test_group.yaml", "max_score: 100\nscore_aggregation: sum\n")
    .problem(
        "points",
        "name: Points\ntype: scoring\nlimits: {time_limit: 2}\n",
        &[("secret/a/1", "1\n", "1\n")],
    )
    .problem(
        "long",
        "name: Long\nlimits: {time_limit: 2}\n",
        &[("secret/1", &"1\n".repeat(12), &"1\n".repeat(12))],
    )
    .file("solutions/long/long.sh", "seq 12\n")
    .file("solutions/points/cat.sh", "cat\n")
    .file("solutions/sum/time_limit_exceeded/sleep.rs", program(sleep))
    .file("solutions/sum/run_time_error/killed.sh", "kill -9 $$\n")
    .file("solutions/sum/compile_error/words.rs", "no program\n")
    .file("solutions/sum/absent.nope", "x\n")
    .file(
        "rejudge.toml",
        "[languages.nope]\nextensions = [\"nope\"]\nrun = [\"no-such-program-at-all\"]\n",
    );
    repo.problem("talk", "type: interactive\n", &[("secret/1", "1\n", "1\n")])
        .file("cases/talk/output_validator/talk.sh", "exit 42\n")
        .file("solutions/talk/silent.sh", "exit 0\n");
    repo.problem("twice", "name: Twice\nlimits: {time_limit: 2}\n", &[("secret/1", "4\n", "8\n")])
        .file("solutions/twice/wrong_answer/zero.sh", "echo 0\n")
        .file("cases/twice/input_validators/any.sh", "exit 42\n")
        .file("solutions/twice/twice.py", "print(int(input()) * 2)\n");
    repo
}

#[test]
#[ignore = "runs every command, twelve seconds of CPU time: `.ci/run` runs it"]
fn every_key_of_a_report_is_documented_and_every_documented_key_is_written() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = repo();
    let mut written = Keys::new();
    let mut add = |command, line: &str| {
        let args: Vec<&str> = line.split(' ').collect();
        collect(&mut written, &repo, command, &args);
    };
    // With two workers, a run above its wall limit is run again alone.
    add("", "run --json - --wall-limit 3 -j 2 --no-compile-cache solutions");
    add("", "run --json - --repeat 2 solutions/sum/wrong.rs");
    add("", "run --json - --shard 1/1 -t 2 solutions/sum/wrong.rs");
    add("", "run --json - --transcript solutions/talk");
    repo.file("work/work.rs", work(30_000_000))
        .file("work/bad.rs", "fn main() {}\n")
        .file("work/1.in", "")
        .file("work/1.ans", "ok\n")
        .file("fast/work.rs", work(3_000_000));
    add("bench ", "bench work --json - --runs 2");
    add("bench ", "bench work/work.rs --json - --pairs 9 --against fast");
    add("languages ", "languages --json - --measure rust");
    add("languages ", "languages --json -");
    // A size above the limit, and an assertion that fails.
    repo.file("generator.rs", NUMBER).file("square.rs", SQUARE);
    add(
        "",
        "scale square.rs --generator generator.rs --sizes 500..64000 --points 18 --runs 2 -t 0.5 --at-most 1 --memory-at-most 1 --json -",
    );
    add("doctor ", "doctor --json -");
    add("self-test ", "self-test --sandbox off --json -");
    add("time ", "time sum --runs 2 --json -");
    add("strength ", "strength twice --json -");
    add("", "export sum --to icpc -o sum.zip --json -");
    repo.file("cases/twice/data/sample/1.in", "2\n").file("cases/twice/data/sample/1.ans", "4\n");
    add("", "export twice --to samples -o samples.zip --json -");
    let cat = "fn main() { print!(\"{}\", std::io::read_to_string(std::io::stdin()).unwrap()); }";
    repo.file("stress/gen.rs", NUMBER)
        .file("stress/brute.rs", cat)
        .file("stress/silent.rs", "fn main() {}\n");
    add("stress ", "stress stress/silent.rs --rounds 1 --json -");
    repo.file("same/gen.rs", "fn main() { println!(\"1\"); }\n")
        .file("same/brute.rs", cat)
        .file("same/copy.rs", cat);
    add("stress ", "stress same/copy.rs --rounds 4 --json -");
    add("stress ", "stress stress/silent.rs --slowest --rounds 1 --json -");
    repo.file("solutions/sum/notes.xyz", "");
    add("list ", "list --json - -v");
    add("list ", "list --json - --contest");
    repo.file("plain/a.rs", "fn main() { std::fs::read(\"input.txt\").ok(); }\n")
        .file("plain/gen.rs", "fn main() {}\n")
        .file("plain/1.in", "")
        .file("plain/1.ans", "");
    add("list ", "list plain --json -");
    repo.file("cases/sum/data/secret/stray.ans", "1\n");
    add("list ", "list --json -");
    repo.file("cases/sum/problem.yaml", "name: Sum\nlimit: {}\n")
        .file("cases/broken/problem.yaml", "name: [\n");
    add("", "run --case 01 --json -");
    repo.file("old/problem.yaml", "name: Old\nauthor: Ada Ash\n")
        .file("old/data/secret/1.in", "1\n")
        .file("old/data/secret/1.ans", "1\n");
    add("", "upgrade old --to new --json -");
    for keys in written.values_mut() {
        for key in EVERYWHERE {
            assert!(keys.remove(key), "`{key}` is not on every line");
        }
    }
    let mut documented = documented();
    // The guide documents these once for all types.
    let shared: Vec<String> = documented["start"]
        .iter()
        .filter(|key| key.starts_with("machine") || key.starts_with("sandbox"))
        .cloned()
        .collect();
    for kind in ["doctor machine", "bench start", "scale", "time problem"] {
        let keys = documented.entry(kind.to_owned()).or_default();
        keys.extend(shared.iter().cloned());
    }
    for (kind, keys) in &written {
        for key in keys {
            let known = documented.get(kind).is_some_and(|known| known.contains(key));
            assert!(known, "the guide does not have `{key}` of `{kind}`");
        }
    }
    for (kind, keys) in &documented {
        for key in
            keys.iter().filter(|key| !NOT_EVERYWHERE.iter().any(|known| key.starts_with(known)))
        {
            let real = written.get(kind).is_some_and(|real| real.contains(key));
            assert!(real, "no `{kind}` has the key `{key}`");
        }
    }
}
