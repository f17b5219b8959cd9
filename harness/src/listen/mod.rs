//! Receives problems from the browser extension Competitive Companion.
//!
//! It stands next to the flow: it listens on this machine only, passes on the problems, and writes
//! nothing.

use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) mod batch;
pub(crate) mod flat;
mod http;
pub(crate) mod save;

use http::HttpRequest;

use crate::problem::layouts::companion::CompanionProblem;

/// The maximum number of connections served at the same time.
const MOST: usize = 32;

/// The result of a connection.
#[derive(Debug)]
pub(crate) enum Heard {
    Problem(Box<CompanionProblem>),
    /// Something else; holds the reason why it is not a problem.
    Noise(String),
}

/// Listens on `127.0.0.1` and `[::1]`; returns the received problems and the addresses. Port 0
/// means any free port.
pub(crate) fn start(port: u16) -> io::Result<(Receiver<Heard>, Vec<SocketAddr>)> {
    let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let port = first.local_addr()?.port();
    let mut listeners = vec![first];
    match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
        Ok(second) => listeners.push(second),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Err(error),
        // This machine has no IPv6, so its browsers do not use it either.
        Err(_) => {}
    }
    let addresses: io::Result<Vec<SocketAddr>> =
        listeners.iter().map(TcpListener::local_addr).collect();
    let (sender, receiver) = channel();
    let served = Arc::new(Mutex::new(VecDeque::new()));
    for listener in listeners {
        let (sender, served) = (sender.clone(), Arc::clone(&served));
        std::thread::spawn(move || accept(&listener, &sender, &served));
    }
    Ok((receiver, addresses?))
}

/// The open connections, the oldest first.
type Connections = Mutex<VecDeque<Arc<TcpStream>>>;

fn accept(listener: &TcpListener, sender: &Sender<Heard>, served: &Arc<Connections>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // For example too many open files: wait, to avoid a busy loop.
            std::thread::sleep(std::time::Duration::from_millis(50));
            continue;
        };
        let stream = Arc::new(stream);
        let mut open = served.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST
            && let Some(oldest) = open.pop_front()
        {
            // A client that says nothing must not shut out others. An honest one is done long before.
            oldest.shutdown(Shutdown::Both).ok();
        }
        open.push_back(Arc::clone(&stream));
        drop(open);
        let (sender, served) = (sender.clone(), Arc::clone(served));
        std::thread::spawn(move || {
            // An error means that the client has left.
            serve(&stream, &sender).ok();
            let mut open = served.lock().unwrap_or_else(PoisonError::into_inner);
            open.retain(|one| !Arc::ptr_eq(one, &stream));
        });
    }
}

/// Serves one connection.
///
/// A reason for a rejection is sent to the receiver before the client gets its answer, so a client
/// that waits for the answer never gets ahead of the report. A problem is sent after the answer,
/// because the receiver may end this process as soon as it has the problem.
fn serve(mut stream: &TcpStream, sender: &Sender<Heard>) -> io::Result<()> {
    // An error of the channel means that the receiver has stopped, so nobody needs the message.
    let tell = |heard| sender.send(heard).unwrap_or_default();
    stream.set_read_timeout(Some(http::PATIENCE))?;
    stream.set_write_timeout(Some(http::PATIENCE))?;
    let request =
        http::receive(&mut stream).inspect_err(|error| tell(Heard::Noise(error.to_string())))?;
    let mut problem = None;
    match &request {
        HttpRequest::Text { body, .. } => match parse(body) {
            Ok(read) => problem = Some(Box::new(read)),
            Err(error) => tell(Heard::Noise(format!("not a problem: {error}"))),
        },
        HttpRequest::Rejected((_, why)) => tell(Heard::Noise((*why).to_owned())),
        HttpRequest::Preflight { .. } => {}
    }
    let answered = request.answer(&mut stream);
    stream.shutdown(Shutdown::Both).ok();
    if let Some(problem) = problem {
        tell(Heard::Problem(problem));
    }
    answered
}

/// Reads a problem; some clients send a line `json` first.
fn parse(body: &[u8]) -> serde_json::Result<CompanionProblem> {
    let body = body.strip_prefix(b"json\n").unwrap_or(body);
    serde_json::from_slice(body)
}
