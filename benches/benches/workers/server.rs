//! A NATS server for the benchmark.

use std::net::{TcpListener, TcpStream};
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
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        let process = Command::new(&program)
            .args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
            .arg(store.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = process.unwrap_or_else(|error| panic!("this needs `{program}`: {error}"));
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(60), "it answers");
            thread::sleep(Duration::from_millis(20));
        }
        Self {
            url: format!("nats://127.0.0.1:{port}"),
            _process: EndedWithUs(process),
            _store: store,
        }
    }
}
