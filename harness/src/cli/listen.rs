//! `rejudge listen`: receives problems from the browser, until Ctrl-C.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use rejudge_quantity as quantity;

use super::exit::CommandExit;
use super::signals::SignalWatch;
use super::{build_args, settings, stream};
use crate::listen::batch::{Batches, Ended, Identity};
use crate::listen::flat::FlatFolder;
use crate::listen::save::{Saved, Saver};
use crate::listen::{self, Heard};
use crate::notice::{Code, shown, visible};
use crate::problem::layouts::companion::CompanionProblem;
use crate::show::words::Count;

/// Receive problems from the Competitive Companion browser extension
#[derive(Debug, Args)]
pub(crate) struct ListenArgs {
    /// Port to listen on, one of those that the extension sends to; 0 selects any free port
    #[arg(long, value_name = "N", default_value_t = 10043, value_parser = quantity::whole(0_u16, u16::MAX))]
    port: u16,
    /// Folder for the problems [default: `cases` of the repository around the current folder]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Write the samples of each problem next to its source, in the current folder or `--into DIR`: named like the cases
    /// that the folder has, otherwise `a-1.in` and `a-1.out` next to `a.cpp`
    #[arg(long)]
    flat: bool,
    /// Exit after one problem, or after all problems of one contest
    #[arg(long)]
    once: bool,
}

/// The folders to save to.
struct SaveFolders {
    root: PathBuf,
    saver: Saver,
    /// The only folder to write to, with `--flat`.
    flat: Option<FlatFolder>,
    /// The ids of the problems since the last that were reported complete.
    received: Vec<String>,
}

/// Listens until Ctrl-C.
pub(crate) fn listen(args: &ListenArgs) -> Result<CommandExit> {
    let signals = SignalWatch::start()?;
    let mut destination = destination(args)?;
    let (heard, addresses) = listen::start(args.port).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => Code::PortInUse
            .says(format!(
                "port {} is in use, perhaps by another tool that receives problems",
                args.port
            ))
            .help(
                "close that tool, or use another port of the extension: `--port 27121`, or one that is listed in its \
                 settings",
            )
            .into(),
        _ => anyhow!("cannot listen on port {}: {error}", args.port),
    })?;
    let addresses: Vec<String> = addresses.iter().map(ToString::to_string).collect();
    stream::print_line(format_args!(
        "listening on {}; press Ctrl-C to stop",
        addresses.join(" and ")
    ))?;
    let mut batches = Batches::default();
    loop {
        if let Some(exit) = signals.exit() {
            return Ok(exit);
        }
        let ended = match heard.recv_timeout(Duration::from_millis(100)) {
            Ok(Heard::Problem(problem)) => {
                let saved = destination.save(&problem).with_context(|| {
                    let folder = shown(&destination.saver.cases, Some(&destination.root));
                    format!("cannot save `{}` in {folder}", visible(&problem.name))
                })?;
                destination.report(&problem.name, &saved)?;
                let batch = problem.batch.as_ref();
                let batch = batch.map(|batch| (batch.id.as_str(), batch.size));
                destination.received.push(saved.id);
                batches.add(batch, Identity::of(&problem), Instant::now()).into_iter().collect()
            }
            Ok(Heard::Noise(why)) => {
                stream::warn(format_args!("a request was refused: {}", visible(&why)));
                Vec::new()
            }
            Err(RecvTimeoutError::Timeout) => batches.give_up(Instant::now()),
            Err(RecvTimeoutError::Disconnected) => return Err(anyhow!("the listener has stopped")),
        };
        for batch in &ended {
            report_end(*batch)?;
            destination.report_next()?;
        }
        if args.once
            && let Some(batch) = ended.first()
        {
            return Ok(CommandExit::Expected.or_fault(batch.came < batch.size));
        }
    }
}

fn destination(args: &ListenArgs) -> Result<SaveFolders> {
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let repository = settings::locate(&current)?;
    let root =
        repository.as_ref().map_or_else(|| current.clone(), |repository| repository.root.clone());
    let cases = match &args.into {
        Some(folder) => current.join(folder),
        None => root.join("cases"),
    };
    let languages = build_args::languages(repository.as_ref())?;
    let template = match repository.and_then(|repository| repository.config.template) {
        Some(template) => {
            let path = root.join(&template);
            anyhow::ensure!(
                path.is_file(),
                "rejudge.toml: `template` names {}, which is not a file",
                shown(&path, Some(&root))
            );
            Some((root.join("solutions"), path))
        }
        None => None,
    };
    let mut saver = Saver::new(cases, template);
    if saver.cases == root.join("cases") {
        saver.repository = Some(root.clone());
    }
    Ok(SaveFolders {
        saver,
        flat: args.flat.then(|| FlatFolder {
            path: match &args.into {
                Some(folder) => current.join(folder),
                None => current.clone(),
            },
            languages,
        }),
        root,
        received: Vec::new(),
    })
}

impl SaveFolders {
    fn save(&mut self, problem: &CompanionProblem) -> std::io::Result<Saved> {
        match &self.flat {
            Some(folder) => self.saver.save_flat(folder, problem),
            None => self.saver.save(problem),
        }
    }

    fn report(&self, name: &str, saved: &Saved) -> Result<()> {
        let package = || self.saver.cases.join(&saved.id);
        let place = saved.inputs.clone().unwrap_or_else(package);
        let folder = shown(&place, Some(&self.root));
        let samples = Count(saved.samples, "sample");
        let again = if saved.again { ", again" } else { "" };
        stream::print_line(format_args!(
            "{}: {} ({samples}{again}) -> {folder}",
            saved.id,
            visible(name)
        ))?;
        for note in &saved.notes {
            stream::warn(format_args!("{}: {note}", saved.id));
        }
        if let Some(solution) = &saved.solution {
            let solution = shown(solution, Some(&self.root));
            stream::print_line(format_args!("  solution: {solution}"))?;
        }
        Ok(())
    }

    /// What to type next, after one problem or all problems of a contest.
    fn report_next(&mut self) -> Result<()> {
        let mut ids = std::mem::take(&mut self.received);
        ids.sort();
        ids.dedup();
        if let Some(folder) = &self.flat {
            let current = std::env::current_dir().unwrap_or_default();
            let source =
                |id: &String| shown(&folder.path.join(format!("{id}.EXT")), Some(&current));
            let sources: Vec<String> = ids.iter().map(source).collect();
            let sources = sources.join(" ");
            return stream::print_line(format_args!(
                "next: write {sources}, then: rejudge run {sources}"
            ));
        }
        if self.saver.cases != self.root.join("cases") {
            let cases = self.saver.cases.join(ids.first().map_or("", String::as_str));
            let cases = shown(&cases, Some(&self.root));
            return stream::print_line(format_args!("next: rejudge run --cases {cases} SOLUTION"));
        }
        let place = match ids.as_slice() {
            [id] => id,
            _ => "PROBLEM",
        };
        stream::print_line(format_args!(
            "next: write solutions/{place}/, then: rejudge run {}",
            ids.join(" ")
        ))
    }
}

fn report_end(batch: Ended) -> Result<()> {
    if batch.came < batch.size {
        let (came, size) = (batch.came, batch.size);
        stream::warn(
            Code::MissingCases
                .says(format!("received only {came} of the contest's {size} problems"))
                .help("press the extension's button again"),
        );
    } else if batch.size > 1 {
        stream::print_line(format_args!("received all {} problems", batch.size))?;
    }
    Ok(())
}
