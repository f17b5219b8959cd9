//! Runs solutions on their test cases under the limits of a judge, and checks the verdicts.
//!
//! This is the library behind the command `rejudge`. It finds problems and solutions, compiles each solution, runs it
//! on the cases of its problem under limits, checks its output, and reports whether it gets the verdict its folder
//! promises. The `GUIDE.md` of the repository explains everything that users see: layouts, limits, verdicts, reports.
//!
//! # The stages
//!
//! ```text
//! cli ─ arguments → settings
//!    discover ─→ compile ─→ run ─→ check ─→ judge ─→ report
//!    problem     language   sandbox  checker  verdict   consumers of events
//! ```
//!
//! | stage | module | result |
//! |---|---|---|
//! | read | [`problem`], [`config`] | a [`Problem`]: limits, checker, cases; [`Problem::load`] reads one of any layout |
//! | discover | [`mod@discover`], [`submission`] | every [`Problem`] and [`Submission`] that the paths name, with warnings and errors |
//! | compile | [`compile`], [`language`], [`cache`] | an [`Artifact`](compile::Artifact), by [`Compiler::compile`]; a source that does not compile is a value, not an error |
//! | run | [`sandbox`], [`limits`] | an [`Execution`](sandbox::Execution): how the program ended and the resources it used |
//! | check | [`checker`], [`diff`] | whether the output is correct, and a human-readable first difference |
//! | judge | [`mod@judge`], [`verdict`] | a [`Verdict`] for each case and submission, emitted as an [`Event`] |
//!
//! [`judge()`] drives compile, run and check on several workers and emits
//! events in one stable order. The reports (terminal, JSON, `JUnit`, Markdown, HTML) only consume events. There are no
//! globals: the exit status is computed from the returned [`Summary`](event::Summary).
//!
//! Two rules apply everywhere. First, a faulty submission is a value, never an `Err`: an `Err` means that *we* could
//! not judge. Second, types carry the units ([`Duration`](std::time::Duration), [`Bytes`]).
//!
//! # Layers
//!
//! A module imports only modules that are further right in its row, or in a row below. The reports and their toolkit
//! know even less: what events carry, and nothing of how it came about. A test holds both.
//!
//! ```text
//! commands  cli manual
//! tools     farm batch shard strength stress scale bench verify draw upgrade export generate listen import listing doctor self_test start_up time_limit
//! judge     judge sequence tally scoring schedule attempts decide disagreement
//! reports   report
//! toolkit   show
//! facts     specimen event
//! compile   compile limits
//! run       machine
//! discover  discover config beside fail_fast contest shown_samples
//! base      killing whole_file file_error
//! ```
//!
//! # Judging one solution
//!
//! Every program is started by a small launcher process. The launcher is the current executable, started again; the
//! library takes over before `main`, so a program that uses the library needs no code for that.
//!
//! ```
//! use rejudge::sandbox::{self, Interrupt, RunnerOptions};
//! use rejudge::{
//!     Cache, CompileOptions, Compiler, Event, Languages, Options, Request, Tools, Verdict, discover,
//!     judge,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A solution with its cases in the same folder.
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
//!     read_options: Default::default(),
//!     language_of: &|extension| Some(languages.by_extension(extension.to_str()?)?.id.clone()),
//!     language_of_text: &|extension, text| languages.id_of_text(extension, text),
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
//! The public API consists of the names at the root of the crate and the types that they refer to. The modules
//! [`checker`], [`diff`], [`limits`], [`notice`], [`sandbox`] and [`statistics`] are public because the benchmarks
//! measure them and the API uses their types. Their functions may change in any version.

#![forbid(unsafe_code)]

mod attempts;
mod batch;
pub mod bench;
mod beside;
mod cli;
pub mod compile;
pub mod config;
mod contest;
mod decide;
mod disagreement;
pub mod discover;
mod doctor;
mod draw;
pub mod event;
mod export;
pub mod fail_fast;
#[cfg(feature = "nats")]
mod farm;
mod file_error;
mod generate;
mod import;
pub mod judge;
mod killing;
pub mod limits;
mod listen;
mod listing;
pub mod machine;
mod manual;
mod report;
mod scale;
mod schedule;
mod scoring;
mod self_test;
mod sequence;
mod shard;
mod show;
mod shown_samples;
#[cfg(test)]
mod specimen;
mod start_up;
mod strength;
mod stress;
mod tally;
mod time_limit;
mod upgrade;
mod verify;
mod whole_file;

pub use rejudge_sandbox as sandbox;
pub use rejudge_statistics as statistics;

pub use rejudge_check::{checker, diff};
use rejudge_problem::{braces, checker_spec, name_text, outside, plain_file, printable, shell};
pub use rejudge_problem::{cache, expectation, language, notice, problem, submission, verdict};
use rejudge_sandbox::left_behind;

pub use cache::Cache;
pub use cli::main as command_line;
pub use compile::{CompileOptions, Compiler};
pub use discover::{Found, Request, discover};
pub use event::Event;
pub use fail_fast::FailFast;
pub use judge::{Options, OutputFolder, OutputKeeper, RunOutput, Tools, judge};
pub use language::Languages;
pub use problem::{Problem, TestCase};
pub use rejudge_quantity::Bytes;
pub use submission::{Expectation, Submission};
pub use verdict::Verdict;
