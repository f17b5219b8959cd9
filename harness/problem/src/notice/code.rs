//! The kinds of notices, each with a code that never changes its meaning.

/// Declares the codes: the meaning, the variant and the name of each.
macro_rules! codes {
    ($(#[doc = $meaning:literal] $code:ident = $name:literal,)+) => {
        /// The kind of a notice. The guide lists the codes with their meanings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $meaning] $code,)+
        }

        impl Code {
            /// All codes, in alphabetical order.
            pub const ALL: &'static [Self] = &[$(Self::$code),+];

            /// The name in reports and JSON, such as `unknown-key`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)+
                }
            }

            /// The code with this name.
            pub fn of_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.name() == name)
            }

            /// The meaning, as the guide has it.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$code => $meaning.trim_ascii(),)+
                }
            }
        }
    };
}

codes! {
    /// A file or folder that rejudge would create exists already.
    AlreadyExists = "already-exists",
    /// A program of the problem cannot be built.
    BrokenProgram = "broken-program",
    /// Two files or settings contradict each other.
    Conflict = "conflict",
    /// Two cases have the same input.
    DuplicateInput = "duplicate-input",
    /// A program of the problem fails: it exceeds a limit, or its result is not valid.
    FailingProgram = "failing-program",
    /// Solutions name the files for their input and output.
    FilesByName = "files-by-name",
    /// A file has a name that its format does not allow.
    InvalidName = "invalid-name",
    /// An option does not fit the command, or what it is used on.
    InvalidOption = "invalid-option",
    /// A path in a package is invalid or leads out of it.
    InvalidPath = "invalid-path",
    /// A file is not a report of rejudge, or does not fit the other reports.
    InvalidReport = "invalid-report",
    /// A source is too large, or not a text.
    InvalidSource = "invalid-source",
    /// A file is not valid YAML, TOML, JSON, XML or UTF-8.
    InvalidSyntax = "invalid-syntax",
    /// A setting has a value that is not allowed.
    InvalidValue = "invalid-value",
    /// A validator accepts a file that is wrong.
    LenientValidator = "lenient-validator",
    /// A symbolic link or a path in the settings leads out of the package, folder or repository, or back to a parent folder.
    LinkOutside = "link-outside",
    /// A case has an input but no answer.
    MissingAnswer = "missing-answer",
    /// The data is not complete.
    MissingCases = "missing-cases",
    /// A file that a package names does not exist.
    MissingFile = "missing-file",
    /// A search for inputs has no generator.
    MissingGenerator = "missing-generator",
    /// An answer has no input.
    MissingInput = "missing-input",
    /// There is no accepted solution to compare with.
    MissingReference = "missing-reference",
    /// A package has no settings; defaults apply.
    MissingSettings = "missing-settings",
    /// A program that the settings need has no source.
    MissingSource = "missing-source",
    /// A package has no statement.
    MissingStatement = "missing-statement",
    /// A part of the system that the sandbox needs is missing.
    MissingSystem = "missing-system",
    /// A program that rejudge needs is not installed.
    MissingTool = "missing-tool",
    /// A package has no input validator.
    MissingValidator = "missing-validator",
    /// A problem has no test cases.
    NoCases = "no-cases",
    /// A problem has no generators/generators.yaml.
    NoGenerators = "no-generators",
    /// A problem has no solutions.
    NoSolutions = "no-solutions",
    /// A pipe, a device or a folder is where a file should be.
    NotAFile = "not-a-file",
    /// An export does not carry a part of a problem.
    NotCarried = "not-carried",
    /// rejudge writes no answers in CI.
    NotInCi = "not-in-ci",
    /// A source is not judged.
    NotJudged = "not-judged",
    /// There is neither a problem nor a solution.
    NothingToJudge = "nothing-to-judge",
    /// Another program uses the port.
    PortInUse = "port-in-use",
    /// The output validator rejects an answer.
    RejectedAnswer = "rejected-answer",
    /// An input validator rejects the input of a case.
    RejectedInput = "rejected-input",
    /// The output validator rejects an output that is declared correct.
    RejectedOutput = "rejected-output",
    /// The time limit is less than twice the time of a submission that must be in time, or more than half the time of one that must be too slow.
    TightTimeLimit = "tight-time-limit",
    /// The NATS server cannot be reached or used.
    UnavailableServer = "unavailable-server",
    /// It is not clear which solution uses the test cases.
    UnclearCases = "unclear-cases",
    /// A folder does not have the requested layout, or has several.
    UnclearLayout = "unclear-layout",
    /// A submission does not get the verdict that its folder promises.
    UnexpectedVerdict = "unexpected-verdict",
    /// A file or folder does not belong to a problem.
    UnknownFolder = "unknown-folder",
    /// A file of settings has a key that its format does not know.
    UnknownKey = "unknown-key",
    /// A file is not in a known language, or a name is not that of a language.
    UnknownLanguage = "unknown-language",
    /// A path or name on the command line does not exist, or does not have the right kind.
    UnknownPath = "unknown-path",
    /// A setting names a problem that does not exist.
    UnknownProblem = "unknown-problem",
    /// A solution has no expected verdict, or its folder is not named after a verdict.
    UnknownVerdict = "unknown-verdict",
    /// A file or folder cannot be read.
    UnreadableFile = "unreadable-file",
    /// rejudge does not support this feature of a layout.
    Unsupported = "unsupported",
    /// An answer has blanks or line breaks that a solution would not print.
    UntidyAnswer = "untidy-answer",
    /// The cache folder cannot be used.
    UnusableCache = "unusable-cache",
    /// rejudge can write to no folder for temporary files.
    UnusableFolder = "unusable-folder",
    /// No solution uses some of the test cases.
    UnusedCases = "unused-cases",
    /// A file or folder of a package is never read.
    UnusedFile = "unused-file",
    /// A setting or file has no effect here.
    UnusedSetting = "unused-setting",
    /// A statement shows samples that are not those of the package.
    WrongSample = "wrong-sample",
}

impl Code {
    /// Whether the notice is about something that rejudge ignores: a warning when judging, an error for authors of
    /// problems (`rejudge verify`).
    pub const fn is_of_ignored(self) -> bool {
        matches!(
            self,
            Self::InvalidName
                | Self::MissingInput
                | Self::UnknownFolder
                | Self::UnknownKey
                | Self::UnknownLanguage
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_sorted_and_in_kebab_case() {
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        for name in names {
            let is_plain = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(name.chars().all(is_plain), "{name}");
        }
    }
}
