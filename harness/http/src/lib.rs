//! A front door of HTTP for lines of JSON.
//!
//! This crate knows nothing about judging: a request is a line, and so is its answer. Its interface is synchronous; a runtime
//! of its own drives the connections.
//!
//! | path | meaning |
//! |---|---|
//! | `POST /v1/judge` | lines of JSON, or one JSON text of type `application/json`; the answers are lines, as they come |
//! | `POST /run_code` | one JSON text, answered by one |
//! | `GET /health` | 200 while lines are taken |
//! | `GET /metrics` | figures for Prometheus |
//!
//! Who may ask: everybody on this machine, if the name in `Host` is that of this machine and no web page is the origin; with a
//! token, whoever sends it. What a client does not read is not judged further: each connection has a limited number of requests
//! without an answer that was read.
//!
//! # Layers
//!
//! A module imports only modules that are further right in its row, or in a row below. A test in the harness holds this.
//!
//! ```text
//! door      server
//! parts     streaming access
//! base      lines
//! ```

#![forbid(unsafe_code)]

mod access;
mod lines;
mod server;
mod streaming;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Semaphore;

pub use lines::HttpLine;
pub use server::{HttpError, serve};

/// Where the door is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpAddress {
    /// An address and a port; port 0 is any free one.
    Tcp(SocketAddr),
    /// A socket in the file system, which only this user can open.
    Unix(PathBuf),
}

/// How the door is opened.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Where it is.
    pub address: HttpAddress,
    /// What clients must send as `Authorization: Bearer TOKEN`. `None`: only clients of this machine are answered.
    pub token: Option<String>,
    /// The largest line and the largest text, in bytes.
    pub longest: usize,
    /// The number of lines of a connection without an answer that was read.
    pub waiting: usize,
    /// The number of requests of HTTP that are answered at the same time; further ones get the status 503.
    pub connections: usize,
}

/// Takes the answer to a line. Must be called once, from any thread.
pub type LineReply = Box<dyn FnOnce(String) + Send>;

/// What answers.
pub trait LineService: Send + Sync + 'static {
    /// Takes a line, whose answer goes to `reply`. May wait.
    fn take(&self, line: HttpLine, reply: LineReply);

    /// The status and the JSON text for a text sent to `/run_code`. May wait.
    fn run_code(&self, text: Vec<u8>) -> (u16, String);

    /// A JSON text about the state.
    fn health(&self) -> String;

    /// Figures in the format of Prometheus.
    fn metrics(&self) -> String;
}

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) settings: HttpSettings,
    /// One place for each request that may be answered now.
    pub(crate) places: Arc<Semaphore>,
    pub(crate) service: Arc<dyn LineService>,
}
