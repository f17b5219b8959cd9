//! A NATS server for the benchmark.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A process that ends with the benchmark.
pub(crate) struct EndedWithUs(pub(crate) Child);

impl Drop for EndedWithUs {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server with a store of its own.
pub(crate) struct BenchServer {
    /// Its address.
    pub(crate) url: String,
    _process: EndedWithUs,
    _store: TempDir,
}

impl BenchServer {
    /// Starts one.
    ///
    /// # Panics
    /// If it is not installed.
    pub(crate) fn start() -> Self {
        let program = std::env::var("NATS_SERVER").unwrap_or_else(|_| "nats-server".to_owned());
        let store = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new(&program);
        command.args(["-js", "-a", "127.0.0.1", "-p", "-1", "-sd"]);
        command.arg(store.path());
        command.arg("--ports_file_dir").arg(store.path());
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let process = process.unwrap_or_else(|error| panic!("this needs `{program}`: {error}"));
        let started = Instant::now();
        let url = loop {
            if let Some(url) = url_in(store.path()) {
                break url;
            }
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "the server listens within a minute"
            );
            thread::sleep(Duration::from_millis(20));
        };
        Self { url, _process: EndedWithUs(process), _store: store }
    }
}

/// The address in the file `*.ports` that a server writes into `folder` when it listens:
/// `{"nats":["nats://127.0.0.1:PORT"], …}`.
fn url_in(folder: &Path) -> Option<String> {
    let file = fs::read_dir(folder).ok()?.flatten().find(|entry| {
        let path = entry.path();
        path.extension().is_some_and(|end| end == "ports")
    })?;
    let text = fs::read_to_string(file.path()).ok()?;
    let start = text.find("nats://")?;
    let (url, _) = text[start..].split_once('"')?;
    Some(url.to_owned())
}
