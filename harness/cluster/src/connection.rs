//! The connection to the server, and what happens while the server does not answer.

use std::collections::HashMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerError};
use tokio::runtime::Runtime;

use crate::error::{ClusterError, Doing};
use crate::held::Held;
use crate::queue::Queue;
use crate::replies::chain;

/// How long a request may take before it counts as lost.
const ANSWER: Duration = Duration::from_secs(5);

/// The pause before a request is repeated.
const PAUSE: Duration = Duration::from_millis(500);

/// Where the server is, and who connects.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The address: `nats://HOST:PORT`, `tls://HOST:PORT`; several with commas between them.
    pub url: String,
    /// How the server's lists show the connection.
    pub name: String,
    /// The subjects of replies start with `_INBOX.` and this: the tokens of a role, so that accounts may read only their own.
    /// Empty: no role.
    pub inbox: String,
    /// A file with a token and a seed, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an `NKey`.
    pub nkey: Option<PathBuf>,
    /// The certificates that the server's certificate must come from.
    pub authority: Option<PathBuf>,
    /// The certificate of this client, and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// What a caller hears while the server does not answer.
#[derive(Debug)]
pub enum Trouble<'a> {
    /// An attempt failed, and will be repeated.
    Waiting(&'a ClusterError),
    /// The server answers again.
    Over,
}

type OnTrouble = Box<dyn Fn(Trouble<'_>) -> bool + Send + Sync>;

/// A connection to the server. Threads may share it.
pub struct Cluster {
    url: String,
    client: Client,
    context: Context,
    /// The last refusal that the server sent apart from any reply.
    refusal: Arc<Mutex<Option<String>>>,
    /// Whether to try again.
    on_trouble: OnTrouble,
    pub(crate) held: Arc<Held>,
    consumers: Mutex<HashMap<Queue, PullConsumer>>,
    /// Last: its end ends the tasks of the others.
    runtime: Runtime,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cluster").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Cluster {
    /// Connects. `on_trouble` is called when the server does not answer, and returns whether to go on trying.
    pub fn connect(
        access: &Access,
        on_trouble: impl Fn(Trouble<'_>) -> bool + Send + Sync + 'static,
    ) -> Result<Self, ClusterError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(ClusterError::Runtime)?;
        let refusal: Arc<Mutex<Option<String>>> = Arc::default();
        let options = options(access, &refusal)?;
        let addresses = addresses(&access.url)?;
        if access.url.contains("tls://") && !can_encrypt() {
            return Err(ClusterError::Processor { url: access.url.clone() });
        }
        let client = runtime.block_on(options.connect(addresses));
        let client = client.map_err(|error| match (&access.nkey, error.kind()) {
            (Some(path), ConnectErrorKind::Authentication) => {
                ClusterError::File { path: path.clone(), why: "its seed is not valid".to_owned() }
            }
            _ => ClusterError::of_connect(&access.url, &error),
        })?;
        let version = client.server_info().version;
        if is_old(&version) {
            let url = access.url.clone();
            return Err(ClusterError::Old { url, version });
        }
        // It starts a task.
        let entered = runtime.enter();
        let mut context = jetstream::new(client.clone());
        drop(entered);
        context.set_timeout(ANSWER);
        let held = Arc::new(Held::default());
        runtime.spawn(Held::extend_all(Arc::clone(&held)));
        Ok(Self {
            url: access.url.clone(),
            client,
            context,
            refusal,
            on_trouble: Box::new(on_trouble),
            held,
            consumers: Mutex::default(),
            runtime,
        })
    }

    /// The address and the version of the server.
    #[must_use]
    pub fn server(&self) -> (String, String) {
        (self.url.clone(), self.client.server_info().version)
    }

    /// The most bytes that a message has room for, beside its headers, its signature and its head.
    pub(crate) fn room(&self) -> usize {
        /// What those need at most.
        const HEAD: usize = 4096;
        self.client.max_payload().saturating_sub(HEAD).max(1)
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// The consumers that are known to exist.
    pub(crate) fn consumers(&self) -> MutexGuard<'_, HashMap<Queue, PullConsumer>> {
        self.consumers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until everything that was published is written to the socket.
    pub(crate) async fn flush(&self) -> Result<(), String> {
        match tokio::time::timeout(ANSWER, self.client.flush()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(chain(&error)),
            Err(_) => Err("the connection is lost".to_owned()),
        }
    }

    pub(crate) fn jetstream(&self) -> &Context {
        &self.context
    }

    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    pub(crate) fn no_jetstream(&self) -> ClusterError {
        let url = self.url.clone();
        ClusterError::NoJetStream { url }
    }

    /// The error of a request without an answer. A refusal explains it: the server sends those apart from replies.
    pub(crate) fn lost(
        &self,
        doing: Doing,
        error: &(dyn std::error::Error + 'static),
    ) -> ClusterError {
        match self.take_refusal() {
            Some(why) => ClusterError::Denied { doing, why },
            None => ClusterError::of_client(doing, error),
        }
    }

    fn take_refusal(&self) -> Option<String> {
        let mut refusal = self.refusal.lock().unwrap_or_else(PoisonError::into_inner);
        refusal.take()
    }

    /// Repeats `attempt` while it fails for a reason that may pass, and while the caller wants that.
    pub(crate) fn stubborn<T>(
        &self,
        mut attempt: impl FnMut() -> Result<T, ClusterError>,
    ) -> Result<T, ClusterError> {
        let mut was_lost = false;
        loop {
            match attempt() {
                Err(error) if error.is_temporary() => {
                    was_lost = true;
                    if !(self.on_trouble)(Trouble::Waiting(&error)) {
                        return Err(ClusterError::Stopped);
                    }
                    std::thread::sleep(PAUSE);
                }
                done => {
                    if was_lost {
                        (self.on_trouble)(Trouble::Over);
                    }
                    return done;
                }
            }
        }
    }
}

fn addresses(url: &str) -> Result<Vec<async_nats::ServerAddr>, ClusterError> {
    let parsed: Result<Vec<async_nats::ServerAddr>, _> =
        url.split(',').map(|one| one.trim().parse()).collect();
    match parsed {
        // `nats://` alone is a URL too.
        Ok(servers) if servers.iter().all(|server| !server.host().is_empty()) => Ok(servers),
        _ => Err(ClusterError::Address { url: url.to_owned() }),
    }
}

fn options(
    access: &Access,
    refusal: &Arc<Mutex<Option<String>>>,
) -> Result<ConnectOptions, ClusterError> {
    // An error means that it is installed already.
    let _ = rustls_graviola::default_provider().install_default();
    let refusal = Arc::clone(refusal);
    let mut options = ConnectOptions::new()
        .name(&access.name)
        .request_timeout(Some(ANSWER))
        .event_callback(move |event| {
            let refusal = Arc::clone(&refusal);
            async move {
                if let Event::ServerError(ServerError::Other(words)) = event {
                    let mut last = refusal.lock().unwrap_or_else(PoisonError::into_inner);
                    *last = Some(words);
                }
            }
        });
    if !access.inbox.is_empty() {
        options = options.custom_inbox_prefix(format!("_INBOX.{}", access.inbox));
    }
    if let Some(path) = &access.credentials {
        let text = read(path)?;
        let with = options.credentials(&text);
        options = with.map_err(|error| unusable(path, &error))?;
    }
    if let Some(path) = &access.nkey {
        let text = read(path)?;
        let seed = text.lines().map(str::trim).find(|line| line.starts_with('S'));
        let seed = seed.ok_or_else(|| ClusterError::File {
            path: path.clone(),
            why: "it has no line with a seed, which starts with `S`".to_owned(),
        })?;
        options = options.nkey(seed.to_owned());
    }
    if let Some(path) = &access.authority {
        read(path)?;
        options = options.add_root_certificates(path.clone());
    }
    if let Some((certificate, key)) = &access.certificate {
        read(certificate)?;
        read(key)?;
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    Ok(options)
}

fn read(path: &Path) -> Result<String, ClusterError> {
    std::fs::read_to_string(path).map_err(|error| unusable(path, &error))
}

fn unusable(path: &Path, error: &dyn std::error::Error) -> ClusterError {
    ClusterError::File { path: path.to_path_buf(), why: chain(error) }
}

/// Whether this processor has what the encryption needs: see "Architecture" in the README of graviola.
#[cfg(target_arch = "x86_64")]
fn can_encrypt() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("aes")
        && has!("ssse3")
        && has!("avx")
        && has!("avx2")
        && has!("adx")
        && has!("bmi2")
        && has!("pclmulqdq")
}

#[cfg(not(target_arch = "x86_64"))]
fn can_encrypt() -> bool {
    true
}

/// Whether the server is older than 2.9, which has direct gets.
fn is_old(version: &str) -> bool {
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().ok());
    let (major, minor) = (numbers.next().flatten(), numbers.next().flatten());
    matches!((major, minor), (Some(0 | 1), _) | (Some(2), Some(0..9)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_before_2_9_are_too_old() {
        for old in ["2.8.4", "1.4.1", "0.9.6"] {
            assert!(is_old(old), "{old}");
        }
        for new in ["2.9.10", "2.10.0", "2.12.1-beta", "3.0.0", "unknown"] {
            assert!(!is_old(new), "{new}");
        }
    }

    #[test]
    fn several_addresses_have_commas_between_them() {
        assert_eq!(addresses("nats://a:1, tls://b:2").unwrap().len(), 2);
        assert!(addresses("nats://").is_err());
    }
}
