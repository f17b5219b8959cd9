//! What the names of folders and sources mean.

use super::words;
use crate::expectation::VerdictFolder;

/// Folders of cases.
const CASES: [&str; 30] = [
    "sample",
    "samples",
    "example",
    "examples",
    "test",
    "tests",
    "test_cases",
    "testcases",
    "test-cases",
    "testcase",
    "testdata",
    "test_data",
    "data",
    "in",
    "out",
    "input",
    "output",
    "inputs",
    "outputs",
    "io",
    "case",
    "cases",
    "secret",
    "subtask",
    "group",
    "public",
    "private",
    "hidden",
    "test_in",
    "test_out",
];

/// Folders of solutions.
const SOLUTIONS: [&str; 8] =
    ["soln", "solns", "solutions", "solution", "submissions", "submission", "sols", "sol"];

/// Other folders of sources whose cases may lie above them.
const SOURCES: [&str; 36] = [
    "src",
    "source",
    "sources",
    "code",
    "codes",
    "cpp",
    "c",
    "c++",
    "cc",
    "cxx",
    "python",
    "python3",
    "py",
    "py3",
    "pypy",
    "java",
    "rust",
    "rs",
    "go",
    "golang",
    "kotlin",
    "kt",
    "js",
    "javascript",
    "node",
    "ts",
    "typescript",
    "csharp",
    "c#",
    "haskell",
    "hs",
    "ruby",
    "rb",
    "pascal",
    "bin",
    "scala",
];

/// Words of helpers of a problem's author, alone or joined to the rest of a name.
const HELPERS: [&str; 42] = [
    "makedata",
    "datagen",
    "mkdata",
    "datamaker",
    "gen",
    "gens",
    "generator",
    "generators",
    "gendata",
    "testgen",
    "inputgen",
    "gentest",
    "gentests",
    "geninput",
    "gencase",
    "gencases",
    "casegen",
    "makecase",
    "makecases",
    "maketest",
    "maketests",
    "mktest",
    "mkcase",
    "gerador",
    "generador",
    "generateur",
    "generatore",
    "check",
    "checker",
    "chk",
    "verifier",
    "validator",
    "validate",
    "val",
    "interactor",
    "stress",
    "duipai",
    "template",
    "judge",
    "grader",
    "spj",
    "mk",
];

/// Words of slow solutions, which help to check others. In a folder of sources, they are attempts.
const SLOW: [&str; 7] = ["brute", "naive", "slow", "bruteforce", "brutal", "bf", "baoli"];

/// Words of helpers that are also names of problems: what such a source reads decides.
const UNSURE: [&str; 15] = [
    "generate", "data", "make", "create", "random", "rand", "tester", "test", "tool", "tools",
    "run", "runner", "util", "utils", "compare",
];

/// Names of tools that contests hand out, and of scripts that make cases.
const TOOLS: [&str; 12] = [
    "testing_tool",
    "local_testing_tool",
    "interactive_runner",
    "generate_tests",
    "generate_test",
    "generate_data",
    "make_tests",
    "make_input",
    "make_inputs",
    "make_data",
    "make_test",
    "make_cases",
];

/// Whether the name of a source is that of a helper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Helper {
    Sure,
    /// Unless it lies in a folder of sources.
    Slow,
    /// Unless it reads input.
    Unsure,
}

/// Sources of a language's tools that solve nothing.
const NEVER: [&str; 6] = ["__init__.py", "conftest.py", "setup.py", "build.rs", "mod.rs", "lib.rs"];

/// The name without its extension.
pub(super) fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | '_' | '-' | ' ')
}

/// Whether a folder's name is one for cases: a word, perhaps with a number or with another word.
pub(in crate::discover) fn is_for_cases(name: &str) -> bool {
    let lower = name.to_lowercase();
    let word = lower.trim_end_matches(|c: char| c.is_ascii_digit() || is_separator(c));
    if word.is_empty() || CASES.contains(&word) {
        return true;
    }
    let head = lower.split(is_separator).next().unwrap_or("");
    let tail = lower.rsplit(is_separator).next().unwrap_or("");
    let is_word =
        |part: &str| part != lower && !matches!(part, "in" | "out" | "io") && CASES.contains(&part);
    is_word(head) || is_word(tail)
}

/// Whether a folder's name is a word for cases that says nothing about the problem.
pub(super) fn says_nothing(name: &str) -> bool {
    let lower = name.to_lowercase();
    let word = lower.trim_end_matches(|c: char| c.is_ascii_digit() || is_separator(c));
    word.is_empty() || CASES.contains(&word)
}

/// Whether a folder holds the helpers of problems.
pub(super) fn is_folder_of_helpers(name: &str) -> bool {
    const WORDS: [&str; 12] = [
        "gen",
        "gens",
        "generator",
        "generators",
        "checker",
        "checkers",
        "validator",
        "validators",
        "interactor",
        "interactors",
        "input_validators",
        "output_validators",
    ];
    WORDS.contains(&name)
}

/// Whether a folder holds inputs that are none.
pub(super) fn is_for_invalid_inputs(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.split(is_separator).any(|part| part == "invalid")
}

/// Whether the cases of the sources in a folder with this name may lie above it.
pub(in crate::discover) fn is_for_solutions(name: &str) -> bool {
    is_for_solutions_only(name) || SOURCES.contains(&name.to_lowercase().as_str())
}

/// Whether a folder's name is a word for cases and nothing else.
pub(in crate::discover) fn is_word_for_cases(name: &str) -> bool {
    name.contains(char::is_alphabetic) && says_nothing(name)
}

/// Whether everything in a folder with this name is a solution.
pub(super) fn is_for_solutions_only(name: &str) -> bool {
    SOLUTIONS.contains(&name.to_lowercase().as_str()) || VerdictFolder::of_any_name(name).is_some()
}

/// What the name of a source says about it.
pub(super) fn helper(stem: &str) -> Option<Helper> {
    let lower = stem.to_lowercase();
    let mut parts = lower.split(|c: char| is_separator(c) || c.is_ascii_digit());
    // `SumTest.java`, `test_sum.py`, `sum.test.ts`
    let is_test = stem.strip_suffix("Test").is_some_and(|rest| !rest.is_empty())
        || lower.starts_with("test_")
        || lower.ends_with("_test")
        || lower.rsplit_once('.').is_some_and(|(_, end)| end == "test");
    if TOOLS.contains(&lower.as_str()) || parts.clone().any(|part| HELPERS.contains(&part)) {
        return Some(Helper::Sure);
    }
    if is_test {
        return Some(if lower.starts_with("test_") { Helper::Unsure } else { Helper::Sure });
    }
    if parts.clone().any(|part| SLOW.contains(&part)) {
        return Some(Helper::Slow);
    }
    // `DataGenerator`, but `BovGen` is the bovine genomics.
    let apart = words::apart(stem).unwrap_or_default();
    if apart.split(is_separator).any(|part| HELPERS.contains(&part)) {
        let is_long = |part: &str| part.len() > 3 && HELPERS.contains(&part);
        let is_sure = apart.split(is_separator).any(is_long);
        return Some(if is_sure { Helper::Sure } else { Helper::Unsure });
    }
    // Other words beside them say what it is: `random_walk`.
    let is_word = |part: &str| part.is_empty() || UNSURE.contains(&part) || CASES.contains(&part);
    (parts.clone().any(|part| UNSURE.contains(&part)) && parts.all(is_word))
        .then_some(Helper::Unsure)
}

/// Whether a source is surely a helper by its name.
pub(in crate::discover) fn is_helper(stem: &str) -> bool {
    matches!(helper(stem), Some(Helper::Sure | Helper::Slow))
}

/// Whether a file in a known language is not a solution, whatever lies next to it.
pub(super) fn is_never_a_solution(name: &str) -> bool {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    // A script of the shell usually builds or runs something.
    // `.bc` is also the code of LLVM.
    // `.plg` is also the build log of a compiler.
    NEVER.contains(&name) || matches!(end, "sh" | "bash" | "awk" | "sed" | "bc" | "dc" | "plg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_are_whole_words() {
        for stem in
            ["gen", "gen_a", "a-gen", "brute2", "Checker", "sum.slow", "naive-2", "testing_tool"]
        {
            assert!(is_helper(stem), "{stem}");
        }
        for stem in
            ["genome", "checkers", "a", "general", "slowest", "judges", "generate_parentheses"]
        {
            assert!(!is_helper(stem), "{stem}");
        }
    }

    #[test]
    fn folders_of_cases_have_known_names() {
        for name in ["tests", "Sample1", "test_1", "1", "a_tests", "samples-a", "TestData", "in"] {
            assert!(is_for_cases(name), "{name}");
        }
        for name in ["abc300", "p", "testing", "contest", "built-in"] {
            assert!(!is_for_cases(name), "{name}");
        }
    }
}
