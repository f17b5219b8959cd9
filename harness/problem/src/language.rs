//! The table of languages: how each is compiled and run, as data.
//!
//! This is the second stage of the flow. The table comes from `languages.toml`, which is part of
//! the program, and from `rejudge.toml`, which overrides single keys. It never runs a solution; it
//! only starts compilers and interpreters to get their versions (`toolchain`).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::notice::Code;

mod built_in;
mod elsewhere;
mod entry;
mod error;
mod languages;
mod main_class;
mod template;
mod toolchain;

pub use elsewhere::{Elsewhere, OtherJudge, elsewhere};
pub use entry::{LanguageEntry, SourceName};
pub use error::LanguageError;
pub use languages::{Languages, UnclearLanguage};
pub use template::Template;
pub use toolchain::{NotInstalled, Toolchain};

pub use toolchain::fingerprint;

pub use main_class::ClassNames;
pub use template::{Values, binary_in, expand};

/// The largest time factor that is accepted.
pub const LARGEST_FACTOR: f64 = 1000.0;

/// The name of a source during compilation if its own name could confuse a compiler.
pub const FIXED_STEM: &str = "submission";

/// How a solution is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// As contests do.
    #[default]
    Judge,
    /// With debug symbols, assertions and checks.
    Debug,
    /// With sanitizers.
    Sanitize,
}

/// One language, with all defaults filled in.
#[derive(Debug)]
pub struct Language {
    /// Its key in the table: `cpp`.
    pub id: String,
    /// The human-readable name: `C++`.
    pub name: String,
    /// The extensions of source files, without the dot.
    pub extensions: Vec<String>,
    /// Extensions of other languages: a source with one of the `marks` is in this one.
    pub shares: Vec<String>,
    /// The starts of lines by which a source with an extension in `shares` is in this language.
    pub marks: Vec<String>,
    /// The package or program to install.
    pub install: String,
    /// The number of processes and threads that the runtime needs; at least 1.
    pub processes: u32,
    /// The factor for the time limits of its programs; `None` means 1.
    pub time_factor: Option<f64>,
    /// The names in the first line (`#!`) of a program of a package that choose this language.
    pub interpreters: Vec<String>,
    /// The command that compiles a source; empty for a language without a compiler.
    pub compile: Vec<Template>,
    /// Arguments that are left out with `debug` and `sanitize`.
    pub judge_flags: Vec<Template>,
    /// Arguments for a program of a problem that is one whole source.
    pub whole_program_flags: Vec<Template>,
    /// Arguments with which the compiler colours its messages.
    pub color_flags: Vec<Template>,
    /// The lines that the compiler prints for a source without faults.
    pub success: Vec<Template>,
    /// Further arguments for solutions of CMS tasks.
    pub cms_flags: Vec<Template>,
    /// The arguments of `exec --debug` in place of `judge_flags`, if the language has any.
    pub debug: Option<Vec<Template>>,
    /// The arguments of `exec --sanitize` in place of `judge_flags`, if the language has any.
    pub sanitize: Option<Vec<Template>>,
    /// The command that starts the program.
    pub run: Vec<Template>,
    /// The command that prints the version of the compiler or interpreter.
    pub version: Vec<String>,
    /// The command that prints the path of the program behind a proxy; empty if there is no proxy.
    pub resolve: Vec<String>,
    /// Further files whose change means another toolchain.
    pub watch: Vec<String>,
    /// A program that prints `hello`, for `self-test`.
    pub hello: Option<String>,
    /// The name that a source has while it is compiled.
    pub source_name: SourceName,
    /// The extension that a source has while it is compiled; `None`: its own.
    pub stored_as: Option<String>,
    /// Whether all sources of a folder are compiled together.
    pub all_sources: bool,
    /// The family of syntax by whose rules `rejudge strength` changes solutions.
    pub mutations: Option<String>,
    /// The environment of the compiler and of the program.
    pub env: BTreeMap<String, Template>,
    toolchain: OnceLock<Result<Toolchain, NotInstalled>>,
    /// Set if the settings name a program that runs outside the sandbox to find the toolchain.
    consent: Option<Consent>,
}

/// Whether the programs that the settings name may run outside the sandbox.
#[derive(Debug)]
struct Consent {
    /// One for all languages.
    given: Arc<AtomicBool>,
    without: NotInstalled,
}

/// Whether a file is not a source of any language: it has a zero byte, and is no module of WebAssembly, which starts with one.
pub fn is_binary(text: &[u8]) -> bool {
    !text.starts_with(b"\0asm") && text.contains(&0)
}

impl Language {
    fn from_entry(id: &str, entry: LanguageEntry) -> Result<Self, LanguageError> {
        let missing = |key| {
            Code::InvalidValue
                .says(format!("language `{id}` has no `{key}`"))
                .help(format!("add `{key} = [...]` to `[languages.{id}]`"))
        };
        let run = entry.run.filter(|run| !run.is_empty());
        let extensions = entry.extensions.ok_or_else(|| missing("extensions"))?;
        let wrong = |one: &&String| one.is_empty() || one.contains(['.', '/']);
        if let Some(extension) = extensions.iter().find(wrong) {
            return Err(Code::InvalidValue
                .says(format!("invalid extension `{extension}` in language `{id}`"))
                .help("write it without the dot, such as `cpp`")
                .into());
        }
        let unfit = |factor: &f64| !(*factor > 0.0 && *factor <= LARGEST_FACTOR);
        if let Some(factor) = entry.time_factor.filter(unfit) {
            return Err(LanguageError::TimeFactor { id: id.to_owned(), factor });
        }
        let name = entry.name.unwrap_or_else(|| id.to_owned());
        Ok(Self {
            id: id.to_owned(),
            install: entry.install.unwrap_or_else(|| name.clone()),
            name,
            extensions,
            shares: entry.shares.unwrap_or_default(),
            marks: entry.marks.unwrap_or_default(),
            processes: entry.processes.unwrap_or(1).max(1),
            time_factor: entry.time_factor,
            interpreters: entry.interpreters.unwrap_or_default(),
            compile: entry.compile.unwrap_or_default(),
            judge_flags: entry.judge_flags.unwrap_or_default(),
            whole_program_flags: entry.whole_program_flags.unwrap_or_default(),
            color_flags: entry.color_flags.unwrap_or_default(),
            success: entry.success.unwrap_or_default(),
            cms_flags: entry.cms_flags.unwrap_or_default(),
            debug: entry.debug,
            sanitize: entry.sanitize,
            run: run.ok_or_else(|| missing("run"))?,
            version: entry.version.unwrap_or_default(),
            resolve: entry.resolve.unwrap_or_default(),
            watch: entry.watch.unwrap_or_default(),
            hello: entry.hello,
            source_name: entry.source_name.unwrap_or_default(),
            stored_as: entry.stored_as,
            all_sources: entry.all_sources.unwrap_or_default(),
            mutations: entry.mutations,
            env: entry.env.unwrap_or_default(),
            toolchain: OnceLock::new(),
            consent: None,
        })
    }

    /// The compiler's command line under `profile`; without one for the profile, the usual one.
    pub fn compile_argv(&self, profile: Profile) -> &[Template] {
        let special = match profile {
            Profile::Judge => None,
            Profile::Debug => self.debug.as_deref(),
            Profile::Sanitize => self.sanitize.as_deref(),
        };
        special.unwrap_or(&self.compile)
    }

    /// Its compiler and interpreter on this machine. They are searched once; `cache` stores them
    /// between runs. Without [consent](Languages::permit_outside), a language that needs it counts as not installed.
    pub fn toolchain(&self, cache: &crate::cache::Cache) -> Result<&Toolchain, &NotInstalled> {
        if let Some(consent) = &self.consent
            && !consent.given.load(Ordering::Relaxed)
        {
            return Err(&consent.without);
        }
        let found = self.toolchain.get_or_init(|| toolchain::find(self, cache));
        found.as_ref()
    }

    /// The names that the text of `source`, in the file `name`, declares for the installed `toolchain`.
    pub fn names(&self, name: &str, source: &[u8], toolchain: &Toolchain) -> ClassNames {
        let source = || String::from_utf8_lossy(source);
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        match self.source_name {
            SourceName::Own => ClassNames::default(),
            SourceName::Fixed => {
                ClassNames { file_stem: Some(FIXED_STEM.to_owned()), main_class: None }
            }
            SourceName::Java => main_class::java(&source(), &stem, toolchain.release()),
            SourceName::Kotlin => main_class::kotlin(&source(), &stem),
            SourceName::Scala => main_class::scala(&source(), &stem),
            SourceName::Erlang => main_class::erlang(&source()),
            SourceName::Elixir => main_class::elixir(&source()),
            SourceName::Haxe => main_class::haxe(&source()),
            SourceName::Modula2 => main_class::modula2(&source()),
        }
    }
}
