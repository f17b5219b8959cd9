//! One language in a table: its keys, and how one table overrides another.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Template;

/// The keys of one language; a missing key keeps its value.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageEntry {
    /// The human-readable name: `C++`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The extensions of source files, without the dot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Vec<String>>,
    /// Extensions that usually mean another language: a source with one of the `marks` is in this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shares: Option<Vec<String>>,
    /// The starts of lines by which a source with an extension in `shares` is in this language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<Vec<String>>,
    /// The names in the first line (`#!`) of a program of a package that choose this language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpreters: Option<Vec<String>>,
    /// The compiler's command line; if it is empty or missing, nothing is built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compile: Option<Vec<Template>>,
    /// Arguments after the compiler's name for solutions under [`Profile::Judge`](super::Profile::Judge), as on judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge_flags: Option<Vec<Template>>,
    /// Arguments after the compiler's name for a program of a problem that is one whole source. They belong to `compile`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_program_flags: Option<Vec<Template>>,
    /// Arguments after the compiler's name with which it colours its messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_flags: Option<Vec<Template>>,
    /// The lines that the compiler prints for a source without faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<Vec<Template>>,
    /// Further arguments for solutions of CMS tasks under [`Profile::Judge`](super::Profile::Judge).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cms_flags: Option<Vec<Template>>,
    /// Instead of `compile` under [`Profile::Debug`](super::Profile::Debug).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Vec<Template>>,
    /// Instead of `compile` under [`Profile::Sanitize`](super::Profile::Sanitize).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sanitize: Option<Vec<Template>>,
    /// The program's command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Vec<Template>>,
    /// The command line that prints the version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Vec<String>>,
    /// The command line that prints the real path of the first program: the file, or the folder
    /// that contains its `bin`; further lines list folders that it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolve: Option<Vec<String>>,
    /// The inputs of `resolve`: `$VARIABLE`, `~/file`, or a file in the current folder or one
    /// above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<Vec<String>>,
    /// A source that does nothing, to measure the start-up time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hello: Option<String>,
    /// The package or program to install.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
    /// The required name of the source file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_name: Option<SourceName>,
    /// The extension that a source has while it is compiled, if the compiler knows only that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_as: Option<String>,
    /// Whether the compiler needs every source of a program that is a folder; otherwise it gets the
    /// one that starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_sources: Option<bool>,
    /// The number of processes and threads that the runtime needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// The factor for the time limits of its programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_factor: Option<f64>,
    /// The family of syntax by whose rules `rejudge strength` changes solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutations: Option<String>,
    /// Environment variables for compiling and running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, Template>>,
}

/// How a language finds its main class and the name of its source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceName {
    /// The file keeps its name.
    #[default]
    Own,
    /// `submission`: the compiler gives the file's name a meaning, such as an identifier.
    Fixed,
    /// The file is named after the public class; the class with `main` starts.
    Java,
    /// The file keeps its name; the function `main` starts, or that of an object.
    Kotlin,
    /// The file keeps its name; the object with `main` starts.
    Scala,
    /// The file is named after its module, which starts.
    Erlang,
    /// The file keeps its name; the module with `main` starts.
    Elixir,
    /// The file is named after the class with `main`, which starts.
    Haxe,
    /// The file is named after its module.
    Modula2,
}

impl LanguageEntry {
    pub(super) fn overlaid(self, over: Self) -> Self {
        let (own_resolve, own_version) = (over.resolve.is_some(), over.version.is_some());
        // Another compiler may not know them.
        let own_flags = self.whole_program_flags.filter(|_| over.compile.is_none());
        let mut merged = Self {
            name: over.name.or(self.name),
            extensions: over.extensions.or(self.extensions),
            shares: over.shares.or(self.shares),
            marks: over.marks.or(self.marks),
            interpreters: over.interpreters.or(self.interpreters),
            resolve: over.resolve.or(self.resolve),
            whole_program_flags: over.whole_program_flags.or(own_flags),
            compile: over.compile.or(self.compile),
            judge_flags: over.judge_flags.or(self.judge_flags),
            color_flags: over.color_flags.or(self.color_flags),
            success: over.success.or(self.success),
            cms_flags: over.cms_flags.or(self.cms_flags),
            debug: over.debug.or(self.debug),
            sanitize: over.sanitize.or(self.sanitize),
            run: over.run.or(self.run),
            version: over.version.or(self.version),
            watch: over.watch.or(self.watch),
            hello: over.hello.or(self.hello),
            install: over.install.or(self.install),
            source_name: over.source_name.or(self.source_name),
            stored_as: over.stored_as.or(self.stored_as),
            all_sources: over.all_sources.or(self.all_sources),
            processes: over.processes.or(self.processes),
            time_factor: over.time_factor.or(self.time_factor),
            mutations: over.mutations.or(self.mutations),
            env: over.env.or(self.env),
        };
        // `resolve` and `version` belong to one compiler or interpreter: they stay if only its
        // options change, and are dropped if another program is set without them.
        let is_for_another = |argv: &Vec<String>| !merged.starts(argv.first());
        if !own_resolve && merged.resolve.as_ref().is_some_and(is_for_another) {
            merged.resolve = None;
        }
        let is_for_another = |argv: &Vec<String>| !merged.starts(argv.first());
        if !own_version && merged.version.as_ref().is_some_and(is_for_another) {
            merged.version = None;
        }
        merged
    }

    /// Whether `program` is the first word of a command line.
    fn starts(&self, program: Option<&String>) -> bool {
        let lines = [&self.compile, &self.run, &self.debug, &self.sanitize];
        let mut first = lines.into_iter().flatten().filter_map(|line| line.first());
        first.any(|word| word.plain() == program.map(String::as_str))
    }
}
