//! Ports for the servers of a test.

use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::net::{Ipv4Addr, SocketAddrV4};

use anyhow::{Result, ensure};
use rustix::net::{self, AddressFamily, SocketFlags, SocketType, sockopt};

/// The first port that is chosen.
const FIRST: u16 = 10_000;

/// The first port that the kernel gives to connections, unless the machine has another setting.
const USUAL: u16 = 32_768;

/// `N` ports on which no server of this machine listens. The kernel gives none of them to a connection, so a server can also
/// be restarted on its port: nothing takes it in between, not even the client that connects to it again and again.
pub(crate) fn free_ports<const N: usize>() -> Result<[u16; N]> {
    // A container may hide the range.
    let range = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    let end = first_of(&range).unwrap_or(USUAL);
    ensure!(end > FIRST + 100, "the kernel gives ports from {end} on to connections");
    let mut ports = [0; N];
    for index in 0..N {
        while ports[index] == 0 {
            let port = FIRST + random_below(end - FIRST);
            if !ports.contains(&port) && is_free(port) {
                ports[index] = port;
            }
        }
    }
    Ok(ports)
}

/// The first of two numbers.
fn first_of(range: &str) -> Option<u16> {
    range.split_whitespace().next()?.parse().ok()
}

/// Binds a socket, but does not listen on it. A child that another thread is creating may have a copy of the socket until it
/// executes its program, and a copy that listened would keep the port from its server.
fn is_free(port: u16) -> bool {
    let bind = || {
        let socket =
            net::socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        sockopt::set_socket_reuseaddr(&socket, true)?;
        net::bind(&socket, &SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, port))
    };
    bind().is_ok()
}

/// The standard library seeds its hashes at random.
fn random_below(end: u16) -> u16 {
    let number = RandomState::new().build_hasher().finish() % u64::from(end);
    u16::try_from(number).expect("it is below a number of 16 bits")
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn the_range_of_connections_starts_with_its_first_port() {
        assert_eq!(first_of("32768\t60999\n"), Some(32_768));
        assert_eq!(first_of(""), None);
    }

    #[test]
    fn ports_are_free_and_distinct() {
        let [one, other] = free_ports::<2>().expect("ports");
        assert!(one != other && one >= FIRST && other >= FIRST);
        assert!(is_free(one));
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, one)).expect("a free port");
        assert!(!is_free(one));
        drop(server);
    }

    #[test]
    fn a_port_is_free_while_another_thread_creates_processes() {
        let creates = thread::spawn(|| {
            for _ in 0..200 {
                Command::new("true").status().expect("a process");
            }
        });
        while !creates.is_finished() {
            let [port] = free_ports().expect("a port");
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).expect("a free port");
        }
        creates.join().expect("processes");
    }
}
