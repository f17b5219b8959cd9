//! What a table says of one language: the keys, and how one table is laid over another.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Template;

/// What the table says of one language; what is left out stays as it was.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageEntry {
    /// For people: `C++`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Of source files, without the dot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Vec<String>>,
    /// The compiler's command line; empty or left out: nothing is built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compile: Option<Vec<Template>>,
    /// Instead of `compile` under [`Profile::Debug`](super::Profile::Debug).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Vec<Template>>,
    /// Instead of `compile` under [`Profile::Sanitize`](super::Profile::Sanitize).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sanitize: Option<Vec<Template>>,
    /// The program's command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Vec<Template>>,
    /// A command line that prints the version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Vec<String>>,
    /// A command line that prints where the real first program is: the file, or the folder above its
    /// `bin`; further lines name folders that it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolve: Option<Vec<String>>,
    /// What `resolve` depends on: `$VARIABLE`, `~/file`, or a file here or in a folder above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<Vec<String>>,
    /// A source that does nothing, to measure the start-up by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hello: Option<String>,
    /// What to install.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
    /// What the source file must be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_name: Option<SourceName>,
    /// Whether the compiler wants every source of a program that is a folder; else the one that starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_sources: Option<bool>,
    /// Processes and threads that the runtime needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// How many times as long its programs may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_factor: Option<f64>,
    /// Variables, for compiling and running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, Template>>,
}

/// How a language finds its main class and the name of its source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceName {
    /// Its own name.
    #[default]
    Own,
    /// `submission`: the compiler takes a file's name for an identifier, or for more.
    Fixed,
    /// The public class names the file; the class with `main` starts.
    Java,
    /// Its own name; the function `main` starts, or an object's.
    Kotlin,
    /// Its own name; the object with `main` starts.
    Scala,
}

impl LanguageEntry {
    pub(super) fn overlaid(self, over: Self) -> Self {
        let (own_resolve, own_version) = (over.resolve.is_some(), over.version.is_some());
        let mut laid = Self {
            name: over.name.or(self.name),
            extensions: over.extensions.or(self.extensions),
            resolve: over.resolve.or(self.resolve),
            compile: over.compile.or(self.compile),
            debug: over.debug.or(self.debug),
            sanitize: over.sanitize.or(self.sanitize),
            run: over.run.or(self.run),
            version: over.version.or(self.version),
            watch: over.watch.or(self.watch),
            hello: over.hello.or(self.hello),
            install: over.install.or(self.install),
            source_name: over.source_name.or(self.source_name),
            all_sources: over.all_sources.or(self.all_sources),
            processes: over.processes.or(self.processes),
            time_factor: over.time_factor.or(self.time_factor),
            env: over.env.or(self.env),
        };
        // Another compiler or interpreter is found and asked in its own way; the same one as ever, whatever its
        // options are now.
        let asks_another = |argv: &Vec<String>| !laid.starts(argv.first());
        if !own_resolve && laid.resolve.as_ref().is_some_and(asks_another) {
            laid.resolve = None;
        }
        let asks_another = |argv: &Vec<String>| !laid.starts(argv.first());
        if !own_version && laid.version.as_ref().is_some_and(asks_another) {
            laid.version = None;
        }
        laid
    }

    /// Whether `program` is the first word of a command line.
    fn starts(&self, program: Option<&String>) -> bool {
        let lines = [&self.compile, &self.run, &self.debug, &self.sanitize];
        let mut first = lines.into_iter().flatten().filter_map(|line| line.first());
        first.any(|word| word.plain() == program.map(String::as_str))
    }
}
