//! Templates of command lines: text with fields in braces.
//!
//! They are parsed when the table is loaded, so that a misspelt field is an error at that point and
//! not during a run.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::braces::{Doubled, TemplatePart, parts};

/// One argument, or the value of one variable.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Template {
    text: String,
    segments: Vec<Segment>,
}

/// A part of a template whose fields are known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Text(String),
    Field(TemplateField),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TemplateField {
    Source,
    Binary,
    Dir,
    MainClass,
    MemoryMib,
    StackMib,
    Include,
}

const FIELDS: [(&str, TemplateField); 7] = [
    ("source", TemplateField::Source),
    ("binary", TemplateField::Binary),
    ("dir", TemplateField::Dir),
    ("main_class", TemplateField::MainClass),
    ("memory_mib", TemplateField::MemoryMib),
    ("stack_mib", TemplateField::StackMib),
    ("include", TemplateField::Include),
];

/// The values of the fields.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// The source file.
    pub source: PathBuf,
    /// The file that the compiler writes.
    pub binary: PathBuf,
    /// The folder of what the compiler writes.
    pub dir: PathBuf,
    /// The class that starts.
    pub main_class: String,
    /// The memory limit, in MiB.
    pub memory_mib: u64,
    /// The stack, in MiB.
    pub stack_mib: u64,
    /// Folders of files that sources include.
    pub include: Vec<PathBuf>,
}

impl Template {
    /// The original text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// A text without fields.
    pub fn literal(text: &str) -> Self {
        Self { text: text.to_owned(), segments: vec![Segment::Text(text.to_owned())] }
    }

    /// The text, if it contains no fields.
    pub fn plain(&self) -> Option<&str> {
        match self.segments.as_slice() {
            [] => Some(""),
            [Segment::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The path of the file that the compiler creates, if the template is `{binary}`, possibly with
    /// an ending.
    pub fn made(&self, values: &Values) -> Option<PathBuf> {
        let is_made = self.segments.first() == Some(&Segment::Field(TemplateField::Binary));
        is_made.then(|| self.fill(values, OsStr::new("")).into())
    }

    /// The resulting arguments: one, or one for each include folder.
    pub fn arguments(&self, values: &Values) -> Vec<OsString> {
        if self.segments.contains(&Segment::Field(TemplateField::Include)) {
            let folders = values.include.iter();
            folders.map(|one| self.fill(values, one.as_os_str())).collect()
        } else {
            vec![self.fill(values, OsStr::new(""))]
        }
    }

    /// The resulting value of a variable: include folders joined with `:`.
    pub fn value(&self, values: &Values) -> OsString {
        let mut joined = OsString::new();
        for (index, folder) in values.include.iter().enumerate() {
            if index > 0 {
                joined.push(":");
            }
            joined.push(folder);
        }
        self.fill(values, &joined)
    }

    fn fill(&self, values: &Values, include: &OsStr) -> OsString {
        let mut out = OsString::new();
        for segment in &self.segments {
            match segment {
                Segment::Text(text) => out.push(text),
                Segment::Field(TemplateField::Source) => out.push(&values.source),
                Segment::Field(TemplateField::Binary) => out.push(&values.binary),
                Segment::Field(TemplateField::Dir) => out.push(&values.dir),
                Segment::Field(TemplateField::MainClass) => out.push(&values.main_class),
                Segment::Field(TemplateField::MemoryMib) => out.push(values.memory_mib.to_string()),
                Segment::Field(TemplateField::StackMib) => out.push(values.stack_mib.to_string()),
                Segment::Field(TemplateField::Include) => out.push(include),
            }
        }
        out
    }
}

/// The whole command line.
pub fn expand(argv: &[Template], values: &Values) -> Vec<OsString> {
    argv.iter().flat_map(|one| one.arguments(values)).collect()
}

impl TryFrom<String> for Template {
    type Error = TemplateError;

    fn try_from(text: String) -> Result<Self, TemplateError> {
        let segments = parse(&text)?;
        Ok(Self { text, segments })
    }
}

impl From<Template> for String {
    fn from(template: Template) -> Self {
        template.text
    }
}

/// Why a text is not a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A `}` without a `{`.
    #[error("`}}` without `{{` in `{0}`; write `}}}}` for a brace")]
    Unopened(String),
    /// A `{` without a `}`.
    #[error("`{{` without `}}` in `{0}`; write `{{{{` for a brace")]
    Unclosed(String),
    /// A field that does not exist.
    #[error("unknown field `{{{field}}}` in `{text}`; use one of {}", known_fields())]
    UnknownField {
        /// The name of the field.
        field: String,
        /// The template.
        text: String,
    },
}

fn parse(text: &str) -> Result<Vec<Segment>, TemplateError> {
    let mut segments = Vec::new();
    for part in parts(text, Doubled::Escapes) {
        match part {
            TemplatePart::Text(plain) => match segments.last_mut() {
                Some(Segment::Text(before)) => before.push_str(plain),
                _ => segments.push(Segment::Text(plain.to_owned())),
            },
            TemplatePart::Field(name) => segments.push(Segment::Field(field(name, text)?)),
            TemplatePart::Unclosed(_) => return Err(TemplateError::Unclosed(text.to_owned())),
            TemplatePart::Unopened => return Err(TemplateError::Unopened(text.to_owned())),
        }
    }
    Ok(segments)
}

fn field(name: &str, text: &str) -> Result<TemplateField, TemplateError> {
    let known = FIELDS.iter().find(|(known, _)| *known == name);
    known.map(|(_, field)| *field).ok_or_else(|| TemplateError::UnknownField {
        field: name.to_owned(),
        text: text.to_owned(),
    })
}

fn known_fields() -> String {
    let names = FIELDS.iter().map(|(name, _)| format!("{{{name}}}"));
    names.collect::<Vec<_>>().join(" ")
}

/// The path of the file that a compilation creates, without any suffix.
pub fn binary_in(dir: &Path) -> PathBuf {
    dir.join("program")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::try_from(text.to_owned()).unwrap()
    }

    fn values(include: &[&str]) -> Values {
        Values {
            source: "/d/a.rs".into(),
            binary: "/d/program".into(),
            dir: "/d".into(),
            main_class: "p.Main".to_owned(),
            memory_mib: 256,
            stack_mib: 64,
            include: include.iter().map(PathBuf::from).collect(),
        }
    }

    #[test]
    fn every_field_is_filled_in() {
        let table: [(&str, &[&str], &[&str]); 11] = [
            ("plain", &[], &["plain"]),
            ("", &[], &[""]),
            ("{source}", &[], &["/d/a.rs"]),
            ("{binary}.jar", &[], &["/d/program.jar"]),
            ("-cp={dir}:.", &[], &["-cp=/d:."]),
            ("{main_class}", &[], &["p.Main"]),
            ("-Xmx{memory_mib}m{stack_mib}", &[], &["-Xmx256m64"]),
            ("-I{include}", &[], &[]),
            ("-I{include}", &["/x", "/y z"], &["-I/x", "-I/y z"]),
            ("{{dir}} {{{dir}}}", &[], &["{dir} {/d}"]),
            ("BEGIN {{ }}", &[], &["BEGIN { }"]),
        ];
        for (text, include, expected) in table {
            assert_eq!(template(text).arguments(&values(include)), expected, "{text}");
        }
    }

    #[test]
    fn include_folders_are_joined_in_a_variable() {
        let value = template("/a:{include}").value(&values(&["/x", "/y"]));
        assert_eq!(value, "/a:/x:/y");
        assert_eq!(template("{include}").value(&values(&[])), "");
    }

    #[test]
    fn unknown_fields_are_rejected() {
        let table = [
            ("{sources}", "unknown field `{sources}` in `{sources}`"),
            ("{}", "unknown field `{}`"),
            ("a{source", "`{` without `}`"),
            ("a}b", "`}` without `{`"),
        ];
        for (text, expected) in table {
            let error = Template::try_from(text.to_owned()).unwrap_err();
            let message = error.to_string();
            assert!(message.starts_with(expected), "{text}: {message}");
        }
    }
}
