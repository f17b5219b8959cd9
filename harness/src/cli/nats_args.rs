//! The options for a NATS server. Every build has them; one without the feature `nats` says what it is missing.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use rejudge_quantity as quantity;

use super::json_output::JsonArgs;
use super::sandbox::WorkerSandboxArgs;

/// The server, and who connects
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "NATS")]
#[expect(clippy::struct_field_names, reason = "the names of the options")]
pub(crate) struct NatsAccessArgs {
    /// File with the credentials of your account, as `nsc` writes it
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(super) nats_creds: Option<PathBuf>,
    /// File with the seed of your `NKey`
    #[arg(long, value_name = "FILE", hide_short_help = true, conflicts_with = "nats_creds")]
    pub(super) nats_nkey: Option<PathBuf>,
    /// File with the certificates that the server's certificate comes from [default: those of the system]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(super) nats_ca: Option<PathBuf>,
    /// File with your certificate, if the server demands one
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "nats_key")]
    pub(super) nats_cert: Option<PathBuf>,
    /// File with the key of your certificate
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "nats_cert")]
    pub(super) nats_key: Option<PathBuf>,
}

/// A run that workers judge
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "NATS")]
pub(crate) struct RunOnWorkersArgs {
    /// Let the workers of this NATS server judge: `nats://HOST:4222`, `tls://HOST:4222`
    #[arg(long, value_name = "URL", hide_short_help = true,
        group = "divided",
        conflicts_with_all = ["watch", "failed", "keep", "drawings"])]
    pub(super) nats: Option<String>,
    #[command(flatten)]
    pub(super) access: NatsAccessArgs,
    /// Name of the run; with the name of an earlier run of the same plan, its results count
    #[arg(
        id = "run_name",
        long = "run",
        value_name = "NAME",
        hide_short_help = true,
        requires = "nats"
    )]
    pub(super) run: Option<String>,
    /// Number of cases that a worker judges at a time [default: about a second's worth]
    #[arg(long, value_name = "N", hide_short_help = true, requires = "nats",
        value_parser = quantity::whole(1_u16, 10_000))]
    pub(super) batch: Option<u16>,
    /// Class of machines whose times count, as in `rejudge cluster` [default: that of most workers]
    #[arg(long, value_name = "CLASS", hide_short_help = true, requires = "nats")]
    pub(super) reference: Option<String>,
    /// File with the key that signs the units: workers judge only what a key signed that they trust
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "nats")]
    pub(super) sign_key: Option<PathBuf>,
    /// End the run if there is no worker for this time; the same command goes on with it [default: 5min]
    #[arg(long, value_name = "TIME", hide_short_help = true, requires = "nats",
        value_parser = quantity::time)]
    pub(super) wait_for_workers: Option<Duration>,
}

/// Requests that workers judge
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "NATS")]
pub(crate) struct BatchOnWorkersArgs {
    /// Let the workers of this NATS server judge: `nats://HOST:4222`, `tls://HOST:4222`
    #[arg(long, value_name = "URL", hide_short_help = true, conflicts_with = "preload")]
    pub(super) nats: Option<String>,
    #[command(flatten)]
    pub(super) access: NatsAccessArgs,
    /// File with the key that signs the requests: workers judge only what a key signed that they trust
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "nats")]
    pub(super) sign_key: Option<PathBuf>,
    /// Answer the requests as not judged if there is no worker for this time [default: 5min]
    #[arg(long, value_name = "TIME", hide_short_help = true, requires = "nats",
        value_parser = quantity::time)]
    pub(super) wait_for_workers: Option<Duration>,
}

/// The server of a command that is nothing without one
#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    /// Address of the server: `nats://HOST:4222`, `tls://HOST:4222`
    #[arg(long, value_name = "URL", required = true)]
    pub(super) nats: Option<String>,
    #[command(flatten)]
    pub(super) access: NatsAccessArgs,
}

/// Judge what others submit to a NATS server
#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,
    /// Number of cases to run in parallel [default: physical cores minus one, at least one]
    #[arg(short, long, value_name = "N", value_parser = quantity::whole(1_u16, 1024))]
    pub(crate) jobs: Option<u16>,
    /// Judge what this key signed, as `rejudge cluster key FILE` prints it; several times for several keys
    #[arg(long, value_name = "KEY")]
    pub(crate) trust: Vec<String>,
    /// Name of this worker: letters, digits, `-` and `_` [default: from the name of the machine and the process]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Class of this machine: machines of a class have equal times [default: the model of the processor]
    #[arg(long, value_name = "CLASS")]
    pub(crate) class: Option<String>,
    #[command(flatten)]
    pub(crate) sandbox: WorkerSandboxArgs,
}

/// List the workers, the queue and the runs of a NATS server, or remove files from it
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ClusterCommand>,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
    /// First create the streams that workers and runs need; a run does so too
    #[arg(long)]
    pub(crate) prepare: bool,
    /// Days for which the server keeps files after a run sent them [default: 30, or what was set before]
    #[arg(long, value_name = "DAYS", requires = "prepare", value_parser = quantity::whole(1_u16, 3650))]
    pub(crate) keep_files: Option<u16>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}

/// What else concerns the machines that judge together
#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Make the key with which you sign what workers judge
    Key(ClusterKeyArgs),
    /// Remove the files that no unfinished run needs
    Clean(ClusterCleanArgs),
}

/// What is removed
#[derive(Debug, Args)]
pub(crate) struct ClusterCleanArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,
    /// Print what would be removed, and remove nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
}

/// The new key
#[derive(Debug, Args)]
pub(crate) struct ClusterKeyArgs {
    /// File for the key, which must not exist
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
