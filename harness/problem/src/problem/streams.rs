//! Where the solutions of a problem read the input and write the output.

/// The maximum length of a file name in bytes.
const LONGEST: usize = 64;

/// Where the solutions of a problem read the input and write the output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Streams {
    /// Nothing states it. In packages: standard input and output; elsewhere also the files that the source of the solution
    /// names.
    #[default]
    Unstated,
    /// These files or the standard streams, as each solution chooses. A file that it writes is its output.
    Either(StatedFiles),
    /// The problem states it.
    Stated(StatedFiles),
}

/// The files that a problem prescribes; `None`: the standard stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatedFiles {
    /// The file with the input, in the working folder.
    pub input: Option<String>,
    /// The file that the solution writes, in the working folder.
    pub output: Option<String>,
    /// Whether a solution that does not write the file has failed (RTE); otherwise its output is wrong.
    pub missing_is_failure: bool,
}

/// A name that no file in a working folder may have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a valid file name", crate::notice::visible(.0))]
pub struct InvalidFileName(String);

impl StatedFiles {
    /// The files with these names, of which an empty one stands for the standard stream.
    pub fn new(input: Option<String>, output: Option<String>) -> Result<Self, InvalidFileName> {
        let checked = |name: Option<String>| match name {
            Some(name) if name.is_empty() => Ok(None),
            Some(name) if !is_file_name(&name) => Err(InvalidFileName(name)),
            name => Ok(name),
        };
        Ok(Self { input: checked(input)?, output: checked(output)?, missing_is_failure: false })
    }
}

/// Whether this is a name for a file in the working folder.
pub fn is_file_name(name: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && c != '/' && c != '\\';
    (1..=LONGEST).contains(&name.len()) && !name.starts_with('.') && name.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_name_is_the_standard_stream_and_a_path_is_invalid() {
        let files = |input: &str, output: &str| {
            StatedFiles::new(Some(input.to_owned()), Some(output.to_owned()))
        };
        let sum = StatedFiles {
            input: Some(String::from("sum.in")),
            output: None,
            missing_is_failure: false,
        };
        assert_eq!(files("sum.in", ""), Ok(sum));
        for name in ["../sum.in", "/etc/passwd", "a/b", ".", "a\\b", "a\0b", ".hidden"] {
            let invalid = InvalidFileName(name.to_owned());
            assert_eq!(files(name, ""), Err(invalid.clone()));
            assert_eq!(files("", name), Err(invalid));
        }
    }
}
