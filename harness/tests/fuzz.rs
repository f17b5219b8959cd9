//! Mutated files of problems: for any contents, rejudge reports which file is wrong and why. It
//! does not panic, uses limited memory, and ends.
//!
//! Each round is computed from a number, which a failure prints. `REJUDGE_FUZZ=ROUNDS` sets the
//! number of rounds; rounds that failed once are kept in [`KEPT`].

use std::os::unix::process::ExitStatusExt as _;

use crate::support::Repo;
use fastrand::Rng;

/// Rounds that found a fault.
const KEPT: [u64; 0] = [];

/// The limit of the address space in KiB: ten times the memory that reading needs.
const MEMORY: &str = "4194304";

/// The limit of CPU time in seconds, a thousand times what reading needs. A reader that loops is killed by SIGXCPU.
const CPU_TIME: &str = "60";

/// The files of a problem in one of the layouts; one of them is mutated.
type Seed = &'static [(&'static str, &'static str)];

const PACKAGE: Seed = &[
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: {en: A, de: B}\ntype: [scoring]\nuuid: 0\n\
        limits:\n  time_limit: 2\n  memory: 64\n  time_multipliers: {ac_to_time_limit: 2.0}\nconstants: {n: 3}\n",
    ),
    ("data/sample/1.in", "1\n"),
    ("data/sample/1.ans", "1\n"),
    (
        "data/secret/a/test_group.yaml",
        "max_score: 100\nscore_aggregation: sum\noutput_validator_args: [case_sensitive]\n",
    ),
    ("data/secret/a/1.in", "1\n"),
    ("data/secret/a/1.ans", "1\n"),
    ("data/secret/a/1.yaml", "args: [a, b]\ndescription: x\n"),
    (
        "submissions/submissions.yaml",
        "accepted/*.rs:\n  permitted: [AC]\n  required: [AC]\n  score: 100\n  language: rust\n",
    ),
    ("submissions/accepted/a.rs", "// @EXPECTED_RESULTS@: ACCEPTED\nfn main() {}\n"),
    (
        "generators/generators.yaml",
        "solution: /submissions/accepted/a.rs\ndata:\n  secret:\n    data:\n      a: {in: '1'}\n      b: g.py {seed}\n",
    ),
    (
        "generators/large.toml",
        "[\"secret/big\"]\nin_blake3 = \"00\"\nans_blake3 = \"00\"\nin_bytes = 1\nans_bytes = 1\n",
    ),
    ("domjudge-problem.ini", "timelimit = 2\nname = 'A'\n"),
];
const LEGACY: Seed = &[
    (
        "problem.yaml",
        "name: A\nvalidation: custom interactive\nlimits: {time_multiplier: 5}\ngrading: {objective: max}\n",
    ),
    (
        "data/testdata.yaml",
        "on_reject: break\ngrading: default\ngrader_flags: min\nrange: 0 100\naccept_score: 20\n",
    ),
    ("data/secret/1.in", "1\n"),
    ("data/secret/1.ans", "1\n"),
];
const POLYGON: Seed = &[
    (
        "problem.xml",
        "<?xml version=\"1.0\"?><problem><names><name language=\"english\" value=\"A\"/></names><judging>\
        <testset name=\"tests\"><time-limit>2000</time-limit><memory-limit>268435456</memory-limit><test-count>1</test-count>\
        <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
        <tests><test method=\"manual\" points=\"1.0\" group=\"1\"/></tests><groups><group name=\"1\" points-policy=\"complete-group\"/>\
        </groups></testset></judging><assets><checker name=\"std::wcmp.cpp\"/><solutions><solution tag=\"main\">\
        <source path=\"solutions/a.rs\" type=\"rust\"/></solution></solutions></assets></problem>",
    ),
    ("tests/01", "1\n"),
    ("tests/01.a", "1\n"),
];
const DMOJ: Seed = &[
    (
        "init.yml",
        "checker: {name: floats, args: {precision: 6}}\noutput_limit_length: 10\npretest_test_cases: []\n\
        test_cases:\n- {in: 1.in, out: 1.out, points: 5}\n- {batched: [{in: 1.in, out: 1.out}], points: 10, dependencies: [1]}\n",
    ),
    ("1.in", "1\n"),
    ("1.out", "1\n"),
];
const LIBRARY: Seed = &[
    (
        "info.toml",
        "title = 'A'\ntimelimit = 2.0\nforum = 'x'\n[[tests]]\nname = 'a.in'\nnumber = 1\n[params]\nN = 3\n",
    ),
    ("in/a_00.in", "1\n"),
    ("out/a_00.out", "1\n"),
];
const CMS: Seed = &[
    (
        "task.yaml",
        "name: a\ntitle: A\ntime_limit: 1.0\nmemory_limit: 64\nn_input: 1\ninfile: ''\noutfile: ''\nscore_type: Sum\n",
    ),
    ("gen/GEN", "# ST: 100\n1\n"),
    ("input/input0.txt", "1\n"),
    ("output/output0.txt", "1\n"),
];
const HYDRO: Seed = &[
    ("problem.yaml", "pid: P1\ntitle: A\ntag: [x]\n"),
    (
        "testdata/config.yaml",
        "type: default\ntime: 1s\nmemory: 64m\nsubtasks:\n- {score: 100, type: min, cases: [{input: 1.in, output: 1.out}]}\n",
    ),
    ("testdata/1.in", "1\n"),
    ("testdata/1.out", "1\n"),
];
const COMPANION: Seed = &[
    (
        ".cph/.a.rs_0.prob",
        "{\"name\":\"A\",\"group\":\"x\",\"url\":\"u\",\"interactive\":false,\"memoryLimit\":64,\"timeLimit\":1000,\
        \"srcPath\":\"/x/a.rs\",\"tests\":[{\"input\":\"1\\n\",\"output\":\"1\\n\",\"id\":1}],\"testType\":\"single\",\
        \"input\":{\"type\":\"stdin\"},\"output\":{\"type\":\"stdout\"}}",
    ),
    ("a.rs", "fn main() {}\n"),
];
const RBX: Seed = &[
    (
        "problem.rbx.yml",
        "name: a\ntimeLimit: 1000\nmemoryLimit: 64\noutputLimit: 1000\ntype: BATCH\nscoring: POINTS\nchecker: {path: wcmp.cpp}\n\
        modifiers: {rust: {time: 2000}}\nvars: {N: 3}\nsolutions:\n- {path: sols/*.rs, outcome: ACCEPTED, score: [0, 100]}\n\
        testcases:\n- {name: samples, testcaseGlob: tests/*.in}\n- {name: main, score: 100, deps: [samples]}\n",
    ),
    ("sols/a.rs", "fn main() {}\n"),
    ("tests/1.in", "1\n"),
    ("tests/1.ans", "1\n"),
    ("build/tests/main/000.in", "1\n"),
    ("build/tests/main/000.out", "1\n"),
];
const SINOL: Seed = &[
    (
        "config.yml",
        "title: A\nsinol_task_id: a\ntime_limit: 1000\nmemory_limit: 65536\nscores: {1: 100}\noverride_limits: {}\n\
        sinol_expected_scores:\n  a.rs:\n    expected: {1: {points: 100, status: OK}}\n    points: 100\n",
    ),
    ("prog/a.rs", "fn main() {}\n"),
    ("in/a0.in", "1\n"),
    ("out/a0.out", "1\n"),
    ("in/a1a.in", "1\n"),
    ("out/a1a.out", "1\n"),
];
const COMPETE: Seed = &[
    (
        "testcases/a.yml",
        "type: Batch\ntimelimit: 2s\nmatch: {Float: {relative_error: 1e-6}}\ncases:\n- {name: a, in: '1', out: '1'}\nextend: []\n",
    ),
    ("src/bin/a.rs", "fn main() {}\n"),
];
const SETTINGS: Seed = &[
    (
        "rejudge.toml",
        "include = ['lib']\n[defaults]\ntime_limit = 2\nchecker = 'tokens'\n[problems.p]\nchecker = 'float:1e-9'\n\
        [bench.overrides.'p/*']\nthreshold = 3\n[languages.x]\nextensions = ['x']\nrun = ['{source}']\nenv = {A = '{dir}'}\n",
    ),
    ("cases/p/1.in", "1\n"),
    ("solutions/p/a.rs", "fn main() {}\n"),
    ("cases/p/1.ans", "1\n"),
];
const SEEDS: [Seed; 12] =
    [PACKAGE, LEGACY, POLYGON, DMOJ, LIBRARY, CMS, HYDRO, COMPANION, COMPETE, RBX, SINOL, SETTINGS];

/// Text that is difficult for readers of these formats.
const WORDS: [&str; 30] = [
    "[",
    "]",
    "{",
    "}",
    "[[[[[[[[",
    "{{{{{{{{",
    "\"",
    "'",
    ":",
    ": ",
    "- ",
    "\n",
    "\t",
    "&a ",
    "*a",
    "<<: *a",
    "!!binary ",
    "---\n",
    "null",
    "-1",
    "99999999999999999999",
    "1e999",
    "nan",
    "../../../etc/passwd",
    "/dev/zero",
    "\0",
    "\u{feff}",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>",
    "&b;",
    "%9999999d",
];

fn mutated(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.usize(1..5) {
        let at = rng.usize(0..=bytes.len());
        let to = (at + rng.usize(0..24)).min(bytes.len());
        match rng.u8(0..8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 => bytes.insert(at, rng.u8(..)),
            3 if at < bytes.len() => bytes[at] ^= 1 << rng.u8(0..8),
            4 => {
                let part = bytes[at..to].repeat(rng.usize(1..2000));
                bytes.splice(at..at, part);
            }
            5 => {
                let word = rng.choice(WORDS).unwrap().repeat(rng.usize(1..1000));
                bytes.splice(at..at, word.into_bytes());
            }
            // An alias of an alias of an alias.
            6 => {
                let levels =
                    (1..30).map(|n| format!("a{n}: &a{n} [*a{0},*a{0},*a{0},*a{0}]\n", n - 1));
                let bomb = format!("a0: &a0 [x,x,x,x]\n{}", levels.collect::<String>());
                bytes.splice(at..at, bomb.into_bytes());
            }
            _ => {
                let word = rng.choice(WORDS).unwrap();
                bytes.splice(at..to, word.bytes());
            }
        }
    }
    bytes
}

fn round(number: u64) {
    let mut rng = Rng::with_seed(number);
    let seed = *rng.choice(&SEEDS).unwrap();
    let repo = Repo::new();
    let victim = rng.usize(0..seed.len());
    for (index, (file, text)) in seed.iter().enumerate() {
        let bytes =
            if index == victim { mutated(text, &mut rng) } else { text.as_bytes().to_vec() };
        repo.file(&format!("p/{file}"), bytes);
    }
    let settings = seed == SETTINGS;
    let (folder, commands): (_, &[&[&str]]) = if settings {
        ("p", &[&["list"]])
    } else {
        ("", &[&["list", "-v", "p"], &["generate", "--check", "--case", "none", "p"]])
    };
    for args in commands {
        // The shell sets the limits, which would otherwise apply to this process.
        let script =
            format!("ulimit -v {MEMORY}; ulimit -t {CPU_TIME}; exec rejudge {}", args.join(" "));
        let mut shell = repo.shell(&script);
        shell.current_dir(repo.path(folder)).env("REJUDGE_CACHE_DIR", repo.path("cache"));
        let output = shell.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let which = format!("round {number}, `{}` of {args:?}: {stderr}", seed[victim].0);
        assert!(
            matches!(output.status.code(), Some(0..=4)),
            "{:?}, {which}",
            output.status.signal()
        );
        assert!(!stderr.contains("panicked"), "{which}");
        let errors = stderr
            .lines()
            .filter(|line| line.starts_with("error: ") && !line.starts_with("error: …"));
        for error in errors {
            let names = error.contains("p/")
                || error.contains("`p`")
                || error.contains("rejudge.toml")
                || error.contains("no problem")
                || error.contains("error: p");
            assert!(names, "an error names no file: {which}");
        }
    }
}

#[test]
fn mutated_files_are_rejected_with_a_message() {
    let rounds = std::env::var("REJUDGE_FUZZ").ok().and_then(|rounds| rounds.parse().ok());
    let numbers = KEPT.into_iter().chain(0..rounds.unwrap_or(40));
    let failed: Vec<u64> =
        numbers.filter(|number| std::panic::catch_unwind(|| round(*number)).is_err()).collect();
    assert_eq!(failed, [0; 0], "rounds that failed; add them to `KEPT`");
}
