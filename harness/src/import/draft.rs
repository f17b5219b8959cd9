//! A package before it is written: the known facts about a problem, in the terms of the format.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use super::checker::Checking;
use super::names;
use super::quote::quoted;
use super::resolution::time_limit_lines;
use super::stage::StagingFolder;
use crate::problem::ProblemLimits;

/// The contents of a file to write.
#[derive(Debug, Clone)]
pub(crate) enum DraftText {
    Here(Vec<u8>),
    /// A copy of this file.
    In(PathBuf),
}

/// A case in judging order.
#[derive(Debug, Clone)]
pub(crate) struct DraftCase {
    pub(crate) name: String,
    pub(crate) input: DraftText,
    pub(crate) answer: Option<DraftText>,
}

/// A package to write.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub(crate) title: String,
    /// The source of the problem: a name and a URL; empty if unknown.
    pub(crate) source: (String, String),
    pub(crate) limits: ProblemLimits,
    /// Whether the problem is interactive: its samples show a conversation and are not cases.
    pub(crate) interactive: bool,
    pub(crate) checking: Checking,
    pub(crate) cases: Vec<DraftCase>,
    /// Folders in `data/` with their `test_group.yaml`; empty if the problem has no scores.
    pub(crate) groups: Vec<(String, String)>,
}

impl Draft {
    /// Writes the package to the folder `place`, which must not exist.
    pub(crate) fn write(&self, place: &Path) -> io::Result<()> {
        let stage = StagingFolder::begin(place)?;
        let id = place.file_name().unwrap_or_default().to_string_lossy();
        stage.write("problem.yaml", self.problem_yaml(&id).as_bytes())?;
        self.write_cases(&stage)?;
        self.checking.write(&stage)?;
        for (folder, text) in &self.groups {
            stage.write(&format!("data/{folder}/test_group.yaml"), text.as_bytes())?;
        }
        stage.finish()
    }

    /// The endings of inputs and answers. For a conversation, the format has files for the
    /// statement only.
    pub(crate) fn ends(&self) -> [&'static str; 2] {
        if self.interactive { ["in.statement", "ans.statement"] } else { ["in", "ans"] }
    }

    fn write_cases(&self, stage: &StagingFolder) -> io::Result<()> {
        let given: Vec<&str> = self.cases.iter().map(|case| case.name.as_str()).collect();
        let [input, answer] = self.ends();
        for (case, name) in self.cases.iter().zip(names::cases(&given)) {
            put(stage, &format!("data/{name}.{input}"), &case.input)?;
            if let Some(text) = &case.answer {
                put(stage, &format!("data/{name}.{answer}"), text)?;
            }
        }
        Ok(())
    }

    fn problem_yaml(&self, id: &str) -> String {
        let title = if self.title.is_empty() { id } else { &self.title };
        let mut yaml = "problem_format_version: 2025-09\n".to_owned();
        let kind = match (self.interactive, self.groups.is_empty()) {
            (true, _) => "interactive",
            (false, true) => "pass-fail",
            (false, false) => "scoring",
        };
        let _ = writeln!(yaml, "type: {kind}\nname: {}", quoted(title));
        let _ = writeln!(yaml, "uuid: {}", uuid(&[&self.source.1, title, id]));
        let (name, url) = &self.source;
        if !name.is_empty() || !url.is_empty() {
            let name = if name.is_empty() { url } else { name };
            let _ = writeln!(yaml, "source:\n  name: {}", quoted(name));
            if !url.is_empty() {
                let _ = writeln!(yaml, "  url: {}", quoted(url));
            }
        }
        let mut limits = String::new();
        if let Some(time) = self.limits.cpu_time {
            limits.push_str(&time_limit_lines(time));
        }
        let mib = |bytes: rejudge_quantity::Bytes| bytes.0.div_ceil(1 << 20).max(1);
        if let Some(memory) = self.limits.memory {
            let _ = writeln!(limits, "  memory: {}", mib(memory));
        }
        if let Some(output) = self.limits.output {
            let _ = writeln!(limits, "  output: {}", mib(output));
        }
        if !limits.is_empty() {
            yaml.push_str("limits:\n");
            yaml.push_str(&limits);
        }
        yaml
    }
}

fn put(stage: &StagingFolder, name: &str, text: &DraftText) -> io::Result<()> {
    match text {
        DraftText::Here(bytes) => stage.write(name, bytes),
        DraftText::In(path) => stage.copy(name, path),
    }
}

/// An identifier computed from the problem's origin: the same for the same problem (RFC 9562,
/// version 8).
pub(crate) fn uuid(words: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for word in words {
        hasher.update(word.as_bytes()).update(b"\n");
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn problem_yaml_contains_the_known_facts() {
        let draft = Draft {
            title: "A: \"x\"\n#".to_owned(),
            source: ("Judge".to_owned(), "https://example.org/a".to_owned()),
            limits: ProblemLimits {
                cpu_time: Some(Duration::from_millis(1500)),
                memory: Some(rejudge_quantity::Bytes::mib(256)),
                ..ProblemLimits::default()
            },
            ..Draft::default()
        };
        let yaml = draft.problem_yaml("a");
        assert!(crate::problem::yaml::parse(&yaml).is_ok(), "{yaml}");
        assert!(yaml.contains("name: \"A: \\\"x\\\" #\"\n"), "{yaml}");
        assert!(
            yaml.contains("limits:\n  time_limit: 1.5\n  time_resolution: 0.5\n  memory: 256\n"),
            "{yaml}"
        );
        assert_eq!(yaml, draft.problem_yaml("a"));
    }
}
