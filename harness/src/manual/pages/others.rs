//! The pages of the commands about problems, files and machines.

use super::{DONE, Page};

/// Those commands.
pub(super) const OTHERS: [Page; 20] = [
    Page {
        command: "answer",
        examples: &[
            (
                "rejudge answer sum --from solutions/sum/sum.rs",
                "Write the missing answers of the problem `sum`.",
            ),
            (
                "rejudge answer sum --from sum.rs --case 'big*' --overwrite",
                "Replace the answers of the selected cases.",
            ),
        ],
        exit: &[
            ("0", "every answer is written or unchanged"),
            ("1", "an answer was not written: the solution failed, or the answer differs"),
            ("2", "wrong usage, a broken problem, or an error"),
            ("4", "the filters select nothing"),
        ],
    },
    Page {
        command: "list",
        examples: &[
            (
                "rejudge list",
                "List the problems of the repository with their limits and solutions.",
            ),
            (
                "rejudge list downloads/contest.zip -v",
                "List every case of the problems in a ZIP archive.",
            ),
            (
                "rejudge list contest --contest --times report.jsonl",
                "Show a line for each problem of a contest, with the times of an earlier run.",
            ),
        ],
        exit: DONE,
    },
    Page {
        command: "languages",
        examples: &[
            ("rejudge languages", "List every language and its compiler."),
            (
                "rejudge languages cpp python3 --measure",
                "Measure how long two runtimes take to start.",
            ),
        ],
        exit: DONE,
    },
    Page {
        command: "new",
        examples: &[
            ("rejudge new sum --language cpp", "Create the problem `sum` with a solution in C++."),
            (
                "rejudge new sum --full --title 'A sum'",
                "Create it with a validator, a generator and a wrong solution.",
            ),
        ],
        exit: DONE,
    },
    Page {
        command: "export",
        examples: &[
            (
                "rejudge export sum --to domjudge -o sum.zip",
                "Write the problem `sum` and its submissions as an archive for DOMjudge.",
            ),
            (
                "rejudge export downloads/sum.zip --to icpc -o sum-icpc.zip",
                "Convert a problem in any layout into a package.",
            ),
            (
                "rejudge export sum --to kattis-legacy -o sum.zip",
                "Write a package that `verifyproblem` of problemtools reads.",
            ),
            (
                "rejudge export contest --to domjudge -o archives",
                "Write an archive for each problem in the folder `contest`.",
            ),
        ],
        exit: DONE,
    },
    Page {
        command: "upgrade",
        examples: &[
            (
                "rejudge upgrade old --to new",
                "Write the package in the folder `old` as a package of 2025-09 to the folder `new`.",
            ),
            (
                "rejudge upgrade contest",
                "Change every legacy package in the folder `contest`; list all changes.",
            ),
        ],
        exit: &[
            ("0", "every package is upgraded; what is not carried is a warning"),
            (
                "2",
                "wrong usage, a package that cannot be upgraded and is unchanged, or a copy in which submissions get \
                 other results",
            ),
        ],
    },
    Page {
        command: "import",
        examples: &[
            ("rejudge import downloads/sum-3.zip", "Import a Polygon package."),
            (
                "rejudge import task --layout cms --name sum",
                "Import a CMS task as the problem `sum`.",
            ),
        ],
        exit: DONE,
    },
    Page {
        command: "batch",
        examples: &[
            (
                "rejudge batch requests.jsonl > answers.jsonl",
                "Judge the requests of a file, one JSON object on each line.",
            ),
            (
                "rejudge batch -j 16 --time-limit 2 < requests.jsonl",
                "Judge requests from standard input on 16 workers; 2 s for requests without a limit.",
            ),
            (
                "rejudge batch --nats nats://HOST:4222 --sign-key ~/.rejudge.nk requests.jsonl",
                "Let the workers of a NATS server judge the requests of a file.",
            ),
        ],
        exit: &[
            ("0", "every request was judged, whatever the verdicts"),
            ("2", "wrong usage, or a request was not judged: its answer says why"),
        ],
    },
    Page {
        command: "serve",
        examples: &[
            (
                "rejudge serve",
                "Judge what is sent to http://127.0.0.1:8080/v1/judge by programs on this machine.",
            ),
            (
                "rejudge serve --unix /run/judge.sock",
                "Listen on a socket that only this user can open.",
            ),
            (
                "rejudge serve --address 0.0.0.0:8080 --token token.txt",
                "Answer other machines, if they send the token in this file.",
            ),
        ],
        exit: &[("0", "a signal ended it"), ("2", "wrong usage, or the address cannot be used")],
    },
    Page {
        command: "listen",
        examples: &[("rejudge listen --once", "Receive one problem or one contest, then exit.")],
        exit: DONE,
    },
    Page {
        command: "case",
        examples: &[
            ("rejudge case add", "Type or paste the input and the answer of a new case."),
            (
                "rejudge case add sum --input big.in --answer big.ans",
                "Add a case to the problem `sum` from files.",
            ),
        ],
        exit: DONE,
    },
    Page {
        command: "exec",
        examples: &[
            ("rejudge exec a.cpp", "Run a solution on input that you type."),
            ("rejudge exec a.cpp 1.in", "Run a solution on a file."),
            ("rejudge exec a.cpp --case 1", "Run a solution on the input of a case."),
            (
                "rejudge exec a.py -t 60 < big.in",
                "Run a solution on a file, with a CPU time limit of 60 s.",
            ),
        ],
        exit: &[
            ("0", "the solution exited with 0, within its limits"),
            ("1", "the solution does not compile, fails, or exceeds a limit"),
            ("2", "wrong usage, or an error of the judge"),
        ],
    },
    Page {
        command: "generate",
        examples: &[
            ("rejudge generate sum", "Generate the cases of the problem `sum`."),
            ("rejudge generate --check", "Check the cases of every problem; for CI."),
        ],
        exit: &[
            ("0", "every case is generated, or up to date"),
            ("1", "`--check` found a difference"),
            ("2", "wrong usage, or a case could not be generated"),
            ("4", "the filters select nothing"),
        ],
    },
    Page {
        command: "verify",
        examples: &[
            ("rejudge verify sum --strict", "Check the problem `sum`; warnings are errors."),
            (
                "rejudge verify --no-submissions",
                "Check only cases, validators and files of every problem.",
            ),
        ],
        exit: &[
            ("0", "no error"),
            ("1", "a problem has errors"),
            ("2", "wrong usage, or a problem could not be checked"),
        ],
    },
    Page {
        command: "doctor",
        examples: &[
            ("rejudge doctor", "Report what this machine offers."),
            ("rejudge doctor --strict", "Fail in CI if a protection is missing."),
        ],
        exit: &[
            ("0", "success"),
            ("1", "`--strict`: a protection is missing"),
            ("2", "wrong usage, or an error"),
        ],
    },
    Page {
        command: "self-test",
        examples: &[
            ("rejudge self-test", "Try the sandbox, a compiler and an interpreter."),
            ("rejudge self-test --all", "Try every installed language."),
        ],
        exit: &[
            ("0", "every check holds: this installation can be trusted"),
            ("1", "a check fails"),
            ("2", "wrong usage, or a check could not be made"),
        ],
    },
    Page {
        command: "draw",
        examples: &[(
            "rejudge draw klotski/pennant -o page --from a.cpp",
            "Draw the output of a solution for one case.",
        )],
        exit: DONE,
    },
    Page {
        command: "cache",
        examples: &[
            ("rejudge cache info", "Show the folder and the size of the cache."),
            (
                "rejudge cache warm a.cpp",
                "Compile solutions that begin like this one faster from now on.",
            ),
            (
                "rejudge cache clean --older-than 30",
                "Remove entries that were not used for 30 days.",
            ),
        ],
        exit: DONE,
    },
    Page {
        command: "completions",
        examples: &[(
            "rejudge completions bash > ~/.local/share/bash-completion/completions/rejudge",
            "Install the completions for bash.",
        )],
        exit: DONE,
    },
    Page {
        command: "man",
        examples: &[("rejudge man run | man -l -", "Read the manual page of `rejudge run`.")],
        exit: DONE,
    },
];
