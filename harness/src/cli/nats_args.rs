//! The options for a NATS server. Every build has them; one without the feature `nats` says what it is missing.

use std::path::PathBuf;
use std::time::Duration;

#[cfg(not(feature = "nats"))]
use anyhow::Result;
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
    nats_creds: Option<PathBuf>,
    /// File with the seed of your `NKey`
    #[arg(long, value_name = "FILE", hide_short_help = true, conflicts_with = "nats_creds")]
    nats_nkey: Option<PathBuf>,
    /// File with the certificates that the server's certificate comes from [default: those of the system]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    nats_ca: Option<PathBuf>,
    /// File with your certificate, if the server demands one
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "nats_key")]
    nats_cert: Option<PathBuf>,
    /// File with the key of your certificate
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "nats_cert")]
    nats_key: Option<PathBuf>,
}

/// A run that workers judge
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "NATS")]
pub(crate) struct RunOnWorkersArgs {
    /// Let the workers of this NATS server judge: `nats://HOST:4222`, `tls://HOST:4222`
    #[arg(long, value_name = "URL", hide_short_help = true,
        group = "divided",
        conflicts_with_all = ["watch", "failed", "keep", "drawings"])]
    nats: Option<String>,
    #[command(flatten)]
    access: NatsAccessArgs,
    /// Name of the run; with the name of an earlier run of the same plan, its results count
    #[arg(
        id = "run_name",
        long = "run",
        value_name = "NAME",
        hide_short_help = true,
        requires = "nats"
    )]
    run: Option<String>,
    /// Number of cases that a worker judges at a time [default: about a second's worth]
    #[arg(long, value_name = "N", hide_short_help = true, requires = "nats",
        value_parser = quantity::whole(1_u16, 10_000))]
    batch: Option<u16>,
    /// Class of machines whose times count, as in `rejudge cluster` [default: that of most workers]
    #[arg(long, value_name = "CLASS", hide_short_help = true, requires = "nats")]
    reference: Option<String>,
    /// File with the key that signs the units: workers judge only what a key signed that they trust
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "nats")]
    sign_key: Option<PathBuf>,
    /// End the run if there is no worker for this time; the same command goes on with it [default: 5min]
    #[arg(long, value_name = "TIME", hide_short_help = true, requires = "nats",
        value_parser = quantity::time)]
    wait_for_workers: Option<Duration>,
}

/// The server of a command that is nothing without one
#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    /// Address of the server: `nats://HOST:4222`, `tls://HOST:4222`
    #[arg(long, value_name = "URL", required = true)]
    nats: Option<String>,
    #[command(flatten)]
    access: NatsAccessArgs,
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

#[cfg(not(feature = "nats"))]
impl RunOnWorkersArgs {
    /// Fails if this build cannot do it.
    pub(super) fn check(&self) -> Result<()> {
        match self.nats {
            Some(_) => Err(missing("--nats")),
            None => Ok(()),
        }
    }
}

/// The error of a build without the feature.
#[cfg(not(feature = "nats"))]
pub(super) fn missing(what: &str) -> anyhow::Error {
    use crate::notice::Code;
    Code::InvalidOption
        .says(format!("`{what}` needs a rejudge with NATS, and this one was built without it"))
        .help("build rejudge with `cargo build --release --features nats`")
        .into()
}

#[cfg(feature = "nats")]
mod connecting {
    use std::sync::Mutex;
    use std::time::Duration;

    use anyhow::{Error, Result};
    use rejudge_cluster::{Access, Cluster, ClusterError, SigningKey, Trouble};

    use super::{NatsAccessArgs, RunOnWorkersArgs, ServerArgs};
    use crate::cli::stream;
    use crate::farm::FarmError;
    use crate::notice::{Code, Notice};
    use crate::sandbox::Interrupt;

    /// The role of who submits and lists. That of a worker is `worker.` and its name.
    pub(in crate::cli) const SUBMITTER: &str = "submitter";

    impl NatsAccessArgs {
        /// Connects. While the server does not answer, rejudge waits until `interrupt`. `role` is the start of the subjects
        /// of replies, which accounts may restrict.
        pub(in crate::cli) fn connect(
            &self,
            url: &str,
            (name, role): (&str, &str),
            interrupt: &Interrupt,
        ) -> Result<Cluster> {
            let access = Access {
                url: url.to_owned(),
                name: name.to_owned(),
                inbox: role.to_owned(),
                credentials: self.nats_creds.clone(),
                nkey: self.nats_nkey.clone(),
                authority: self.nats_ca.clone(),
                certificate: self.nats_cert.clone().zip(self.nats_key.clone()),
            };
            let interrupt = interrupt.clone();
            let last: Mutex<Option<String>> = Mutex::default();
            let connected = Cluster::connect(&access, move |trouble| {
                let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                match trouble {
                    Trouble::Waiting(error) => {
                        let words = error.to_string();
                        if last.is_none() {
                            stream::warn(format_args!("{words}; waiting for it"));
                            if let Some(help) = error.help() {
                                stream::help(help);
                            }
                            *last = Some(words);
                        }
                    }
                    Trouble::Over => {
                        if last.take().is_some() {
                            stream::note("the NATS server answers again");
                        }
                    }
                }
                !interrupt.is_set()
            });
            connected.map_err(|error| of_cluster(&error))
        }
    }

    impl ServerArgs {
        /// Connects under this name, and in this role.
        pub(in crate::cli) fn connect(
            &self,
            (name, role): (&str, &str),
            interrupt: &Interrupt,
        ) -> Result<Cluster> {
            // Only a subcommand makes it optional, and those have servers of their own.
            let url = self.nats.as_deref().unwrap_or_default();
            self.access.connect(url, (name, role), interrupt)
        }
    }

    impl RunOnWorkersArgs {
        /// The server.
        pub(in crate::cli) fn url(&self) -> Option<&str> {
            self.nats.as_deref()
        }

        pub(in crate::cli) fn access(&self) -> &NatsAccessArgs {
            &self.access
        }

        /// The name of the run.
        pub(in crate::cli) fn run(&self) -> Option<&str> {
            self.run.as_deref()
        }

        /// The key that signs the units.
        pub(in crate::cli) fn sign_key(&self) -> Result<SigningKey> {
            let path = self.sign_key.as_deref().ok_or_else(|| {
                Code::InvalidOption
                    .says("workers judge only what is signed, and no key is named")
                    .help(
                        "make one with `rejudge cluster key FILE`, name it with `--sign-key FILE`, and start the workers \
                         with `--trust KEY`, the public part that the command prints",
                    )
            })?;
            SigningKey::read(path).map_err(|error| of_cluster(&error))
        }

        /// Number of cases of a unit.
        pub(in crate::cli) fn batch(&self) -> Option<usize> {
            self.batch.map(usize::from)
        }

        /// How long a run waits for a worker.
        pub(in crate::cli) fn patience(&self) -> Duration {
            const USUAL: Duration = Duration::from_secs(300);
            self.wait_for_workers.unwrap_or(USUAL)
        }

        /// The class of machines whose times count.
        pub(in crate::cli) fn reference(&self) -> Option<&str> {
            self.reference.as_deref()
        }
    }

    /// The error of the server, with its help.
    pub(in crate::cli) fn of_cluster(error: &ClusterError) -> Error {
        notice(error.to_string(), error.help())
    }

    /// An error of a run on workers, with its help.
    pub(in crate::cli) fn of_farm(error: &FarmError) -> Error {
        notice(error.to_string(), error.help())
    }

    fn notice(words: String, help: Option<String>) -> Error {
        let notice = Code::UnavailableServer.says(words);
        Notice { help, ..notice }.into()
    }
}

#[cfg(feature = "nats")]
pub(super) use connecting::{SUBMITTER, of_cluster, of_farm};
