//! What other tools call the things that rejudge does. The page "Coming from other tools" has the same tables.

/// Commands of other tools.
pub(super) struct ForeignWord {
    pub(super) words: &'static [&'static str],
    /// The purpose of our command, in a sentence that ends with it.
    pub(super) purpose: &'static str,
    /// Our command.
    pub(super) command: &'static str,
}

/// Options of other tools that mean the same in all of them.
pub(super) struct ForeignOption {
    pub(super) options: &'static [&'static str],
    pub(super) purpose: &'static str,
    /// Our command with the option that does it.
    pub(super) command: &'static str,
}

const fn word(
    words: &'static [&'static str],
    purpose: &'static str,
    command: &'static str,
) -> ForeignWord {
    ForeignWord { words, purpose, command }
}

const fn option(
    options: &'static [&'static str],
    purpose: &'static str,
    command: &'static str,
) -> ForeignOption {
    ForeignOption { options, purpose, command }
}

pub(super) const WORDS: &[ForeignWord] = &[
    word(
        &["test", "tests", "t", "judge", "invoke", "nextest", "eval", "evaluate"],
        "to judge solutions",
        "rejudge run",
    ),
    word(&["watch"], "to judge again whenever a file changes", "rejudge run --watch"),
    word(&["grade", "score"], "to judge solutions and see their points", "rejudge run PROBLEM"),
    word(&["irun"], "to compile a solution and run it once", "rejudge exec SOLUTION"),
    word(
        &["build", "compile"],
        "rejudge compiles when it judges; to compile a solution and run it once",
        "rejudge exec SOLUTION",
    ),
    word(&["gen", "gencases", "ingen", "outgen"], "to generate cases", "rejudge generate"),
    word(&["submit", "s"], "rejudge submits nothing; to judge as the site would", "rejudge run"),
    word(&["init", "create"], "to create a problem", "rejudge new PROBLEM"),
    word(
        &["skel", "new_problem", "template"],
        "to create a problem with a validator and a generator",
        "rejudge new PROBLEM --full",
    ),
    word(&["download", "d"], "to receive problems from the browser", "rejudge listen"),
    word(&["fuzz"], "to look for inputs on which solutions fail", "rejudge stress PROBLEM"),
    word(&["hack"], "to look for an input on which this solution fails", "rejudge stress SOLUTION"),
    word(
        &["constraints", "verifyproblem", "validate", "check", "lint"],
        "to check a package, its validators and its cases",
        "rejudge verify",
    ),
    word(
        &["unit"],
        "to check validators on the inputs and outputs in `data/` that they must accept or reject",
        "rejudge verify",
    ),
    word(
        &["stats"],
        "to see the problems of a contest, and what is missing in each",
        "rejudge list --contest",
    ),
    word(&["info"], "to list problems, their limits, cases and solutions", "rejudge list"),
    word(
        &["time_limit", "timelimit"],
        "to time the submissions and see the time limit that follows",
        "rejudge time PROBLEM",
    ),
    word(
        &["compare", "hyperfine"],
        "to compare the speed of solutions",
        "rejudge bench SOLUTION SOLUTION",
    ),
    word(
        &["profile"],
        "rejudge has no profiler; to see how CPU time and memory grow with the input",
        "rejudge scale SOLUTION",
    ),
    word(
        &["zip", "package", "pack"],
        "to write an archive for a judging system",
        "rejudge export PROBLEM --to icpc -o PROBLEM.zip",
    ),
    word(
        &["samplezip"],
        "to write the samples and attachments for participants",
        "rejudge export PROBLEM --to samples -o samples.zip",
    ),
    word(
        &["pdf", "problem2pdf", "problem2html", "solutions", "statements"],
        "rejudge makes no PDFs; to check the statement and the package",
        "rejudge verify",
    ),
    word(&["clean"], "to delete compiled programs", "rejudge cache clean"),
    word(
        &["schema"],
        "to write reports that have a JSON Schema",
        "rejudge run --json report.jsonl",
    ),
    word(&["version"], "to print the version", "rejudge --version"),
    word(
        &["bt", "rbx", "sinol-make", "st", "oj", "acc", "pahcer"],
        "to list the commands of rejudge",
        "rejudge help",
    ),
];

pub(super) const OPTIONS: &[ForeignOption] = &[
    option(
        &["-c", "--command"],
        "rejudge compiles and runs the source itself; to judge a solution",
        "rejudge run solution.cpp",
    ),
    option(
        &["-d", "--directory", "--dir"],
        "to name the folder of the cases",
        "rejudge run solution.cpp --cases DIR",
    ),
    option(
        &["-e", "--eps", "--epsilon", "--error", "--tolerance"],
        "to accept real numbers with an error of at most 1e-6",
        "rejudge run --checker float:1e-6",
    ),
    option(
        &["-T", "--tle", "--timeout", "--timelimit", "--tl"],
        "to set the time limit to 2 s",
        "rejudge run -t 2",
    ),
    option(
        &["--mle", "--memory", "--ml"],
        "to set the memory limit to 256 MiB",
        "rejudge run -m 256",
    ),
    option(
        &["-i", "--ignore-failure", "--no-fail-fast"],
        "rejudge goes on after a failure; to stop at the first one",
        "rejudge run --fail-fast=run",
    ),
    option(
        &["-l", "--lang"],
        "rejudge knows languages by the extension, and settings change that; to see them",
        "rejudge languages",
    ),
    option(
        &["-p", "--parallel", "--threads", "--workers"],
        "to judge with 4 workers",
        "rejudge run -j 4",
    ),
    option(
        &["--warmup", "--min-runs", "--max-runs"],
        "a run that does not count comes first, and runs are repeated until the result is certain; to set their number",
        "rejudge bench --runs 20",
    ),
    option(
        &["--export-csv", "--xml"],
        "to write every verdict, one line of JSON each",
        "rejudge run --json report.jsonl",
    ),
    option(
        &["--export-markdown"],
        "to write a table for a comment or a page",
        "rejudge run --markdown table.md",
    ),
    option(&["--export-json"], "to write every measurement", "rejudge bench --json bench.json"),
    option(
        &["--sanitizer", "--sanitize"],
        "to run with the sanitizers of the compiler",
        "rejudge run --profile sanitize",
    ),
    option(
        &["--problem", "--task"],
        "a problem is named without an option; to judge one",
        "rejudge run PROBLEM",
    ),
    option(
        &["--format", "--output", "--reporter"],
        "to write a report, as JSON lines or with `--html`, `--junit` or `--markdown`",
        "rejudge run --json report.jsonl",
    ),
    option(&["--debug"], "to print every case, with its output", "rejudge run -vv"),
    option(&["--samples"], "to judge on the samples only", "rejudge run --case 'sample/*'"),
];
