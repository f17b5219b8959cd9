//! What `rejudge languages LANGUAGE` prints of one language: what is run, what surprises, and how other judges differ.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::language::{Language, OtherJudge, Template, elsewhere};
use crate::shell::shell_word;

/// The settings of a language, as the table states them, and what is known of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LanguageDetails {
    /// The compiler's command line; empty: nothing is compiled.
    compile: Vec<String>,
    /// The program's command line.
    run: Vec<String>,
    /// The environment of both.
    env: BTreeMap<String, String>,
    /// Extensions of other languages: a source with one of the marks is in this one.
    shares: Vec<String>,
    /// The starts of lines that are such marks.
    marks: Vec<String>,
    /// The number of processes and threads that the runtime may have.
    processes: u32,
    /// What surprises in it.
    traps: Vec<String>,
    /// How other judges compile and run it.
    judges: Vec<JudgeRow>,
}

/// How a judge compiles and runs a language.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct JudgeRow {
    judge: String,
    version: Option<String>,
    extensions: Vec<String>,
    compile: Option<String>,
    run: Option<String>,
    /// Where this is stated.
    source: String,
    /// When it was stated.
    date: String,
}

impl From<OtherJudge> for JudgeRow {
    fn from(other: OtherJudge) -> Self {
        let OtherJudge { judge, version, extensions, compile, run, source, date } = other;
        Self { judge, version, extensions, compile, run, source, date }
    }
}

impl LanguageDetails {
    pub(super) fn of(language: &Language) -> Self {
        let words = |argv: &[Template]| argv.iter().map(|one| one.as_str().to_owned()).collect();
        let known = elsewhere(&language.id);
        let env = language.env.iter();
        Self {
            compile: words(&language.compile),
            run: words(&language.run),
            env: env.map(|(name, value)| (name.clone(), value.as_str().to_owned())).collect(),
            shares: language.shares.clone(),
            marks: language.marks.clone(),
            processes: language.processes,
            traps: known.traps,
            judges: known.judges.into_iter().map(JudgeRow::from).collect(),
        }
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.compile.is_empty() {
            writeln!(out, "  compile    {}", command_line(&self.compile))?;
        }
        writeln!(out, "  run        {}", command_line(&self.run))?;
        for (name, value) in &self.env {
            writeln!(out, "  env        {name}={value}")?;
        }
        if !self.shares.is_empty() {
            let quoted: Vec<String> = self.marks.iter().map(|mark| format!("`{mark}`")).collect();
            let marks = quoted.join(", ");
            writeln!(
                out,
                "  also       .{} if a line starts with {marks}",
                self.shares.join(" .")
            )?;
        }
        writeln!(out, "  processes  at most {}", self.processes)?;
        for trap in &self.traps {
            writeln!(out, "  note       {trap}")?;
        }
        for judge in &self.judges {
            judge.print(out)?;
        }
        Ok(())
    }
}

impl JudgeRow {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "  {}", self.judge)?;
        if let Some(version) = &self.version {
            write!(out, ", {version}")?;
        }
        if !self.extensions.is_empty() {
            write!(out, ", .{}", self.extensions.join(" ."))?;
        }
        writeln!(out, " ({}, {})", self.date, self.source)?;
        for (what, line) in [("compile", &self.compile), ("run", &self.run)] {
            if let Some(line) = line {
                writeln!(out, "    {what:7}  {line}")?;
            }
        }
        Ok(())
    }
}

/// Arguments as they are written for a shell, with their fields.
fn command_line(argv: &[String]) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%,{}".contains(c);
    let words = argv.iter().map(|word| {
        let word = word.replace("{{", "{").replace("}}", "}");
        if word.chars().all(is_plain) { word } else { shell_word(&word) }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        for (argv, expected) in [
            (&["g++", "-I{include}", "-o", "{binary}"][..], "g++ -I{include} -o {binary}"),
            (&["sh", "-c", "cp $1 $2"], "sh -c 'cp $1 $2'"),
            (&["node", "-e", "const {{ a }} = b;"], "node -e 'const { a } = b;'"),
            (&["erl", "-eval", "f('{main_class}')"], r"erl -eval 'f('\''{main_class}'\'')'"),
        ] {
            let argv: Vec<String> = argv.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(command_line(&argv), expected);
        }
    }
}
