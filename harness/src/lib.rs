//! Re-judges every solution over its test cases, under judge-style limits.
//!
//! This is the library under the command `rejudge`: it finds problems and solutions, compiles each
//! solution from its single file, runs it over the cases of its problem under limits, checks what it
//! prints, and tells whether it got the verdict that its place promises. The `GUIDE.md` of the
//! repository explains what people see of it: layouts, limits, verdicts, reports.
//!
//! # The flow, one way
//!
//! ```text
//! cli ─ arguments → settings
//!    discover ─→ compile ─→ run ─→ check ─→ judge ─→ report
//!    problem     language   sandbox  checker  verdict   consumers of events
//! ```
//!
//! | stage | module | what it hands on |
//! |---|---|---|
//! | read | [`problem`], [`config`] | a [`Problem`]: limits, checker, cases; [`Problem::load`] reads one of any layout |
//! | discover | [`mod@discover`], [`submission`] | every [`Problem`] and [`Submission`] that paths name, and what is wrong with them |
//! | compile | [`compile`], [`language`], [`cache`] | an [`Artifact`](compile::Artifact), by [`Compiler::compile`]; a source that does not compile is a value, not an error |
//! | run | [`sandbox`], [`limits`] | an [`Execution`](sandbox::Execution): how the program ended and what it used |
//! | check | [`checker`], [`diff`] | whether the output answers the case, and the first difference for people |
//! | judge | [`mod@judge`], [`verdict`] | a [`Verdict`] for each case and submission, told as an [`Event`] when it is known |
//!
//! A stage knows only those above it. [`judge()`] drives compile, run and check over several workers
//! and emits events in one stable order; the reports (for people, JSON, `JUnit`) only consume them.
//! There are no globals: the exit status is computed from the returned [`Summary`](event::Summary).
//!
//! Below all stages lies `left_behind`: whatever programs leave in a folder is listed, read, copied and removed there.
//!
//! Two rules hold everywhere. A bad submission is a value, never an `Err`: an `Err` means that *we*
//! could not judge. And units live in types ([`Duration`](std::time::Duration),
//! [`Bytes`](bytes::Bytes)).
//!
//! # Judging one solution
//!
//! Every program is started by a small process that is this very binary, executed again before its
//! `main`; a program that uses the library needs to do nothing for that.
//!
//! ```
//! use rejudge::sandbox::{self, Interrupt, RunnerOptions};
//! use rejudge::{
//!     Cache, CompileOptions, Compiler, Event, Languages, Options, Request, Tools, Verdict, discover,
//!     judge,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A solution with its cases beside it.
//! let folder = tempfile::tempdir()?;
//! let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
//! write("hello.rs", "fn main() { println!(\"hello\"); }")?;
//! write("polite.in", "")?;
//! write("polite.ans", "hello\n")?;
//! write("rude.in", "")?;
//! write("rude.ans", "bye\n")?;
//!
//! let languages = Languages::load(&Default::default())?;
//! let found = discover(&Request {
//!     current: folder.path(),
//!     paths: &[],
//!     cases: None,
//!     repository: None,
//!     wish: Default::default(),
//!     language_of: &|extension| Some(languages.by_extension(extension.to_str()?)?.id.clone()),
//! });
//! assert!(found.errors.is_empty());
//!
//! let compiler = Compiler::new(Cache::temporary(None)?, CompileOptions::default())?;
//! let tools = Tools { compiler: &compiler, languages: &languages };
//! let work = sandbox::work_base()?;
//! let options = Options::new(RunnerOptions::new(work.path(), Interrupt::new()?));
//! let mut verdicts = Vec::new();
//! let summary = judge(&found.problems, &found.submissions, tools, &options, &mut |event| {
//!     if let Event::Case(result) = event {
//!         verdicts.push((result.case.clone(), result.verdict));
//!     }
//! })?;
//!
//! let expected = [("polite", Verdict::Accepted), ("rude", Verdict::WrongAnswer)];
//! assert_eq!(verdicts, expected.map(|(case, verdict)| (case.to_owned(), verdict)));
//! assert_eq!((summary.met, summary.unexpected), (0, 1));
//! # Ok(())
//! # }
//! ```
//!
//! # What is stable
//!
//! The names at the root of the crate, and the types that they lead to, are its public face. The
//! modules [`checker`], [`diff`], [`limits`], [`notice`], [`sandbox`] and [`statistics`] are public
//! because the benchmarks measure them and the face is made of their types; their functions may
//! change in any version.

mod attempts;
pub mod bench;
pub mod bytes;
pub mod cache;
pub mod checker;
mod cli;
pub mod compile;
pub mod config;
pub mod diff;
pub mod discover;
mod doctor;
mod draw;
pub mod event;
mod generate;
mod import;
pub mod judge;
pub mod language;
mod left_behind;
pub mod limits;
mod listen;
pub mod machine;
pub mod notice;
mod outside;
mod plain_file;
pub mod problem;
mod report;
pub mod sandbox;
mod scale;
mod schedule;
mod scoring;
mod sequence;
#[cfg(test)]
mod specimen;
mod start_up;
pub mod statistics;
pub mod submission;
mod tally;
mod time_limit;
pub mod verdict;
mod verify;
mod whole_file;

pub use cache::Cache;
pub use cli::main as command_line;
pub use compile::{CompileOptions, Compiler};
pub use discover::{Found, Request, discover};
pub use event::Event;
pub use judge::{Options, Tools, judge};
pub use language::Languages;
pub use problem::{Problem, TestCase};
pub use submission::{Expectation, Submission};
pub use verdict::Verdict;
