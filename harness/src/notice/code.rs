//! The kinds of notices, each with a code that never changes its meaning.

/// The kind of a notice. The guide lists the codes with their meanings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// Two files or settings contradict each other.
    Conflict,
    /// A path, folder or solution does not fit into the repository.
    Discovery,
    /// Solutions name the files for their input and output.
    FilesByName,
    /// A file has a name that its format does not allow.
    InvalidName,
    /// A path in a package is invalid or leads out of it.
    InvalidPath,
    /// A file is not valid YAML, TOML, JSON, XML or UTF-8.
    InvalidSyntax,
    /// A setting has a value that is not allowed.
    InvalidValue,
    /// A symbolic link leads out of the package or back to a parent folder.
    LinkOutside,
    /// A case has an input but no answer.
    MissingAnswer,
    /// The data is not complete.
    MissingCases,
    /// A file that a package names does not exist.
    MissingFile,
    /// An answer has no input.
    MissingInput,
    /// A package has no settings; defaults apply.
    MissingSettings,
    /// A program that the settings need has no source.
    MissingSource,
    /// A problem has no test cases.
    NoCases,
    /// A problem has no solutions.
    NoSolutions,
    /// A pipe, a device or a folder is where a file should be.
    NotAFile,
    /// A folder does not have the requested layout, or has several.
    UnclearLayout,
    /// A folder does not belong to a problem.
    UnknownFolder,
    /// A file of settings has a key that its format does not know.
    UnknownKey,
    /// A file is not in a known language.
    UnknownLanguage,
    /// A setting names a problem that does not exist.
    UnknownProblem,
    /// A file or folder cannot be read.
    UnreadableFile,
    /// rejudge does not support this feature of a layout.
    Unsupported,
    /// A setting or file has no effect here.
    UnusedSetting,
}

impl Code {
    /// All codes, in alphabetical order.
    pub const ALL: [Self; 25] = [
        Self::Conflict,
        Self::Discovery,
        Self::FilesByName,
        Self::InvalidName,
        Self::InvalidPath,
        Self::InvalidSyntax,
        Self::InvalidValue,
        Self::LinkOutside,
        Self::MissingAnswer,
        Self::MissingCases,
        Self::MissingFile,
        Self::MissingInput,
        Self::MissingSettings,
        Self::MissingSource,
        Self::NoCases,
        Self::NoSolutions,
        Self::NotAFile,
        Self::UnclearLayout,
        Self::UnknownFolder,
        Self::UnknownKey,
        Self::UnknownLanguage,
        Self::UnknownProblem,
        Self::UnreadableFile,
        Self::Unsupported,
        Self::UnusedSetting,
    ];

    /// The name in reports and JSON, such as `unknown-key`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Discovery => "discovery",
            Self::FilesByName => "files-by-name",
            Self::InvalidName => "invalid-name",
            Self::InvalidPath => "invalid-path",
            Self::InvalidSyntax => "invalid-syntax",
            Self::InvalidValue => "invalid-value",
            Self::LinkOutside => "link-outside",
            Self::MissingAnswer => "missing-answer",
            Self::MissingCases => "missing-cases",
            Self::MissingFile => "missing-file",
            Self::MissingInput => "missing-input",
            Self::MissingSettings => "missing-settings",
            Self::MissingSource => "missing-source",
            Self::NoCases => "no-cases",
            Self::NoSolutions => "no-solutions",
            Self::NotAFile => "not-a-file",
            Self::UnclearLayout => "unclear-layout",
            Self::UnknownFolder => "unknown-folder",
            Self::UnknownKey => "unknown-key",
            Self::UnknownLanguage => "unknown-language",
            Self::UnknownProblem => "unknown-problem",
            Self::UnreadableFile => "unreadable-file",
            Self::Unsupported => "unsupported",
            Self::UnusedSetting => "unused-setting",
        }
    }

    /// Whether the notice is about something that rejudge ignores: a warning when judging, an error for authors of
    /// problems (`rejudge verify`).
    pub(crate) const fn is_of_ignored(self) -> bool {
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
        let names = Code::ALL.map(Code::name);
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        for name in names {
            let is_plain = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(name.chars().all(is_plain), "{name}");
        }
    }
}
