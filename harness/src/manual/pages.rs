//! The examples and exit codes of every command, as a table.

mod others;

/// The additional text for one command.
pub(super) struct Page {
    /// The name of the subcommand; empty for `rejudge` itself.
    pub(super) command: &'static str,
    /// Command lines, each with a sentence about what it does.
    pub(super) examples: &'static [(&'static str, &'static str)],
    /// Exit codes, each with its meaning. Every command also exits with 130 or 143 if it is interrupted.
    pub(super) exit: &'static [(&'static str, &'static str)],
}

const JUDGED: &[(&str, &str)] = &[
    ("0", "every verdict is as expected"),
    ("1", "a verdict is unexpected"),
    ("2", "wrong usage, a broken problem, a missing language, or an error of the judge"),
    ("4", "the filters select nothing"),
];

const DONE: &[(&str, &str)] = &[("0", "success"), ("2", "wrong usage, or an error")];

/// A page for each command.
pub(super) fn all() -> impl Iterator<Item = &'static Page> {
    JUDGING.iter().chain(&others::OTHERS)
}

/// The commands that judge, measure and try solutions.
const JUDGING: [Page; 11] = [
    Page {
        command: "",
        examples: &[
            ("rejudge", "Judge everything in the repository around the current folder."),
            ("rejudge a.cpp", "Judge one solution on the cases next to it."),
            ("rejudge list", "Show the problems, cases and solutions that rejudge finds."),
        ],
        exit: JUDGED,
    },
    Page {
        command: "run",
        examples: &[
            (
                "rejudge run sum -v",
                "Judge every solution of the problem `sum`, with a line for each.",
            ),
            (
                "rejudge run a.py --cases tests.zip",
                "Judge one solution on the cases of a ZIP archive.",
            ),
            (
                "rejudge run - --language python --cases tests < a.txt",
                "Judge a source from standard input.",
            ),
            (
                "rejudge run a.cpp --case '1*' -t 0.5",
                "Judge selected cases with a CPU time limit of 0.5 s.",
            ),
            (
                "rejudge run --json report.jsonl --junit report.xml",
                "Judge everything and write two reports.",
            ),
            (
                "rejudge run --shard 2/4 --durations old.jsonl --json 2.jsonl",
                "Judge the second of four parts, divided by the times of an earlier run; `rejudge merge` joins them.",
            ),
        ],
        exit: JUDGED,
    },
    Page {
        command: "report",
        examples: &[
            ("rejudge report run.jsonl --html run.html", "Draw a stored run as a page."),
            (
                "rejudge report new.jsonl --html new.html --against old.jsonl",
                "Show what changed since an earlier run.",
            ),
            (
                "rejudge report benches/*.jsonl --html history.html",
                "Draw the history of benchmarks, a report for each commit.",
            ),
        ],
        exit: DONE,
    },
    Page {
        command: "merge",
        examples: &[
            (
                "rejudge merge 1.jsonl 2.jsonl 3.jsonl --html run.html",
                "Join the reports of three shards, made by `rejudge run --shard 1/3 --json 1.jsonl` and so on.",
            ),
            (
                "rejudge merge shard-*.jsonl --json run.jsonl --junit run.xml",
                "Write the JSON and the JUnit report of the whole run.",
            ),
            (
                "rejudge merge shard-*.jsonl --partial",
                "Merge the shards that there are, although others are missing.",
            ),
        ],
        exit: &[
            ("0", "every verdict is as expected"),
            ("1", "a verdict is unexpected"),
            (
                "2",
                "wrong usage, a shard is missing, interrupted, named twice or of another run, or the run had such an exit status",
            ),
        ],
    },
    Page {
        command: "work",
        examples: &[(
            "rejudge work --nats nats://HOST:4222 --trust AKEY -j 4",
            "Judge what `rejudge run --nats nats://HOST:4222 --sign-key FILE` submits, four cases at a time.",
        )],
        exit: &[
            ("0", "SIGTERM or Ctrl-C ended it"),
            ("2", "wrong usage, no server, or units failed that other workers judged"),
        ],
    },
    Page {
        command: "cluster",
        examples: &[
            (
                "rejudge cluster --nats nats://HOST:4222",
                "List the workers, the queue and the runs.",
            ),
            (
                "rejudge cluster --nats nats://HOST:4222 --prepare",
                "Create the streams before the first worker starts.",
            ),
            (
                "rejudge cluster clean --nats nats://HOST:4222 --dry-run",
                "Print how many files no run needs.",
            ),
        ],
        exit: DONE,
    },
    Page {
        command: "bench",
        examples: &[
            ("rejudge bench sum", "Measure the solutions of the problem `sum`."),
            (
                "rejudge bench --against main",
                "Compare the solutions that changed with those of the branch `main`.",
            ),
            (
                "rejudge bench a.cpp --against b.cpp --memory",
                "Compare the peak memory of two solutions.",
            ),
        ],
        exit: &[
            ("0", "no regression"),
            ("1", "a regression, or a solution fails its cases"),
            ("2", "wrong usage, a broken problem, or an error of the judge"),
            ("3", "the measurements are inconclusive"),
            ("4", "the filters select nothing, or there is no base to compare with"),
        ],
    },
    Page {
        command: "scale",
        examples: &[
            ("rejudge scale a.cpp", "Fit a growth function to the cases of the problem."),
            (
                "rejudge scale a.cpp --generator gen.py --sizes 1e3..1e6 --at-most 'n log n'",
                "Measure generated inputs, and fail if CPU time grows faster than n log n.",
            ),
        ],
        exit: &[
            ("0", "success, and no limit of growth is exceeded"),
            ("1", "CPU time or memory grows faster than allowed"),
            ("2", "wrong usage, or an error"),
            ("3", "the measurements are inconclusive"),
        ],
    },
    Page {
        command: "stress",
        examples: &[
            (
                "rejudge stress",
                "Test the solution in the current folder against its `brute.*`, with inputs of its `gen.*`.",
            ),
            (
                "rejudge stress a.cpp --against brute.py --generator 'gen.py {n:1..50} {seed}'",
                "Name the programs, and let the size grow to 50.",
            ),
            (
                "rejudge stress a.cpp --seed 7 --rounds 1000 -j 4",
                "Run 1000 rounds, always the same ones, four at a time.",
            ),
        ],
        exit: &[
            ("0", "nothing was found"),
            ("1", "a solution fails, or references disagree"),
            ("2", "wrong usage, a broken program, or an error of the judge"),
        ],
    },
    Page {
        command: "time",
        examples: &[
            (
                "rejudge time PACKAGE",
                "Time the submissions of a package, and show the time limit that follows.",
            ),
            (
                "rejudge time sum --runs 20 --json times.jsonl",
                "Run each submission 20 times on its slowest case, and store the times.",
            ),
            (
                "rejudge time --save limits.jsonl",
                "Measure the limits of all packages that set none, for `rejudge run --limits limits.jsonl`.",
            ),
        ],
        exit: &[
            ("0", "a limit fits, with both margins"),
            (
                "1",
                "no limit fits all submissions, or the limit that is set leaves too small a margin",
            ),
            ("2", "wrong usage, an error, or a submission that cannot be run"),
        ],
    },
    Page {
        command: "strength",
        examples: &[
            (
                "rejudge strength sum",
                "Show which cases catch the submissions of `sum` that must be rejected.",
            ),
            (
                "rejudge strength sum --mutants 200 --keep survivors",
                "Also make 200 mutants, and store those that no case kills.",
            ),
            (
                "rejudge strength run.jsonl",
                "Show it without running anything, from a report that `rejudge run --json run.jsonl` wrote.",
            ),
        ],
        exit: &[
            ("0", "every submission that must be rejected is caught"),
            ("1", "no case catches a submission that must be rejected"),
            ("2", "wrong usage, an error, or a submission that cannot be judged"),
        ],
    },
];
