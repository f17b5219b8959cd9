//! What the names of folders and sources mean.

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

/// Helpers of a problem's author.
const HELPERS: [&str; 18] = [
    "makedata",
    "datagen",
    "mkdata",
    "datamaker",
    "gen",
    "generator",
    "gendata",
    "brute",
    "naive",
    "slow",
    "check",
    "checker",
    "validator",
    "interactor",
    "stress",
    "template",
    "judge",
    "bruteforce",
];

/// Names of tools that contests hand out, and of scripts that make cases.
const TOOLS: [&str; 7] = [
    "testing_tool",
    "local_testing_tool",
    "interactive_runner",
    "generate_tests",
    "generate_test",
    "generate_data",
    "make_tests",
];

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

/// Whether Maven and Gradle ask for a folder with this name: `src/main/java`, `src/test/resources`.
pub(super) fn is_of_build_tool(name: &str) -> bool {
    ["main", "resources"].contains(&name)
}

/// Whether the cases of the sources in a folder with this name may lie above it.
pub(in crate::discover) fn is_for_solutions(name: &str) -> bool {
    is_for_solutions_only(name) || SOURCES.contains(&name.to_lowercase().as_str())
}

/// Whether everything in a folder with this name is a solution.
pub(super) fn is_for_solutions_only(name: &str) -> bool {
    SOLUTIONS.contains(&name.to_lowercase().as_str()) || VerdictFolder::of_any_name(name).is_some()
}

/// Whether a source is a helper by its name: a word of the table, alone or joined to the rest.
pub(in crate::discover) fn is_helper(stem: &str) -> bool {
    let lower = stem.to_lowercase();
    let mut parts = lower.split(|c: char| is_separator(c) || c.is_ascii_digit());
    // `SumTest.java`, `test_sum.py`
    let is_test = stem.strip_suffix("Test").is_some_and(|rest| !rest.is_empty())
        || lower.starts_with("test_")
        || lower.ends_with("_test");
    is_test || TOOLS.contains(&lower.as_str()) || parts.any(|part| HELPERS.contains(&part))
}

/// Whether a source in a folder of cases makes them.
pub(super) fn makes_cases(stem: &str) -> bool {
    let lower = stem.to_lowercase();
    is_helper(stem) || matches!(lower.as_str(), "make" | "data" | "create" | "random")
}

/// Whether a file in a known language is not a solution, whatever lies next to it.
pub(super) fn is_never_a_solution(name: &str) -> bool {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    // A script of the shell usually builds or runs something.
    // `.plg` is also the build log of a compiler.
    NEVER.contains(&name) || matches!(end, "sh" | "bash" | "awk" | "plg")
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
