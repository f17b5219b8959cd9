//! How the options of a server become a connection.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Error, Result};
use rejudge_cluster::{Access, Cluster, ClusterError, SigningKey, Trouble};

use super::super::nats_args::{BatchOnWorkersArgs, NatsAccessArgs, RunOnWorkersArgs, ServerArgs};
use crate::cli::stream;
use crate::farm::FarmError;
use crate::notice::{Code, Notice};
use crate::sandbox::Interrupt;

/// How long a submitter waits for a worker, unless it is told.
const USUAL_PATIENCE: Duration = Duration::from_secs(300);

/// The role of who submits and lists. That of a worker is `worker.` and its name.
pub(super) const SUBMITTER: &str = "submitter";

impl NatsAccessArgs {
    /// Connects. While the server does not answer, rejudge waits until `interrupt`. `role` is the start of the subjects
    /// of replies, which accounts may restrict.
    pub(super) fn connect(
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
    pub(super) fn connect(
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
    pub(super) fn url(&self) -> Option<&str> {
        self.nats.as_deref()
    }

    pub(super) fn access(&self) -> &NatsAccessArgs {
        &self.access
    }

    /// The name of the run.
    pub(super) fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    /// The key that signs the units.
    pub(super) fn sign_key(&self) -> Result<SigningKey> {
        key_in(self.sign_key.as_deref())
    }

    /// Number of cases of a unit.
    pub(super) fn batch(&self) -> Option<usize> {
        self.batch.map(usize::from)
    }

    /// How long a run waits for a worker.
    pub(super) fn patience(&self) -> Duration {
        self.wait_for_workers.unwrap_or(USUAL_PATIENCE)
    }

    /// The class of machines whose times count.
    pub(super) fn reference(&self) -> Option<&str> {
        self.reference.as_deref()
    }
}

impl BatchOnWorkersArgs {
    /// The key that signs the requests.
    pub(super) fn sign_key(&self) -> Result<SigningKey> {
        key_in(self.sign_key.as_deref())
    }

    /// How long requests wait for a worker.
    pub(super) fn patience(&self) -> Duration {
        self.wait_for_workers.unwrap_or(USUAL_PATIENCE)
    }
}

/// The key in this file.
fn key_in(path: Option<&Path>) -> Result<SigningKey> {
    let path = path.ok_or_else(|| {
        Code::InvalidOption
            .says("workers judge only what is signed, and no key is named")
            .help(
                "make one with `rejudge cluster key FILE`, name it with `--sign-key FILE`, and start the workers \
                 with `--trust KEY`, the public part that the command prints",
            )
    })?;
    SigningKey::read(path).map_err(|error| of_cluster(&error))
}

/// The error of the server, with its help.
pub(super) fn of_cluster(error: &ClusterError) -> Error {
    notice(error.to_string(), error.help())
}

/// An error of a run on workers, with its help.
pub(super) fn of_farm(error: &FarmError) -> Error {
    notice(error.to_string(), error.help())
}

fn notice(words: String, help: Option<String>) -> Error {
    let notice = Code::UnavailableServer.says(words);
    Notice { help, ..notice }.into()
}
