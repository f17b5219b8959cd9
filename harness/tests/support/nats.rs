//! A NATS server for a test, and commands that use it in parallel with the test.

use std::fs::{self, File};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::{Repo, lacks};

/// Far longer than anything here can take.
const PATIENCE: Duration = Duration::from_secs(300);

/// Waits until `is_so`. `what` is for the message if that never happens.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "this never happens: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A server with a store of its own. It ends with the test.
pub(crate) struct NatsServer {
    process: Child,
    folder: TempDir,
    settings: String,
    pub(crate) port: u16,
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl NatsServer {
    /// Starts one on a free port. `None`: it is not installed.
    pub(crate) fn start() -> Option<Self> {
        Self::with("")
    }

    /// The same with these lines of settings.
    pub(crate) fn with(settings: &str) -> Option<Self> {
        let folder = tempfile::Builder::new().prefix("nats-").tempdir().unwrap();
        let store = folder.path().join("store");
        Self::within(
            folder,
            &format!(
                "jetstream {{ store_dir: \"{}\" }}\n{settings}",
                store.display()
            ),
        )
    }

    /// Starts one with exactly these settings and files in `folder`.
    pub(crate) fn within(folder: TempDir, settings: &str) -> Option<Self> {
        let program = program();
        if program == "nats-server" && lacks(&program) {
            return None;
        }
        let process = spawn(&folder, settings, None);
        let ports = folder
            .path()
            .join(format!("nats-server_{}.ports", process.id()));
        let port = std::cell::Cell::new(None);
        until("the server names its port", || {
            let text = fs::read_to_string(&ports).unwrap_or_default();
            port.set(port_of(&text));
            port.get().is_some()
        });
        Some(Self {
            process,
            port: port.get().expect("it was waited for"),
            folder,
            settings: settings.to_owned(),
        })
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Creates the streams that workers need.
    pub(crate) fn prepare(&self, repo: &Repo) {
        let ran = repo.run(&["cluster", "--prepare", "--nats", &self.url()]);
        assert_eq!(ran.status, 0, "{}", ran.all());
    }

    /// The command of a worker with this name, and more arguments.
    pub(crate) fn work(&self, repo: &Repo, name: &str, more: &[&str]) -> Command {
        let url = self.url();
        let fixed = [
            "work",
            "--nats",
            &url,
            "-j",
            "1",
            "--sandbox",
            "auto",
            "--name",
            name,
        ];
        repo.command(&[&fixed, more].concat())
    }

    /// Waits until its list of workers has this name.
    pub(crate) fn lists(&self, repo: &Repo, name: &str) {
        let line = format!("  {name}: ");
        until(&format!("worker {name} is listed"), || {
            repo.run(&["cluster", "--nats", &self.url()])
                .stdout
                .contains(&line)
        });
    }

    /// Kills it.
    pub(crate) fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Starts it again with other settings.
    pub(crate) fn start_again_with(&mut self, settings: &str) {
        settings.clone_into(&mut self.settings);
        self.start_again();
    }

    /// Starts it again on the same port, with the same store.
    pub(crate) fn start_again(&mut self) {
        self.process = spawn(&self.folder, &self.settings, Some(self.port));
        until("the server answers again", || {
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }
}

/// The server: Debian's, or the one that the variable names.
fn program() -> String {
    std::env::var("NATS_SERVER").unwrap_or_else(|_| "nats-server".to_owned())
}

fn spawn(folder: &TempDir, settings: &str, port: Option<u16>) -> Child {
    let place = folder.path();
    let port = port.map_or_else(|| "-1".to_owned(), |port| port.to_string());
    let text = format!(
        "listen: \"127.0.0.1:{port}\"\nports_file_dir: \"{}\"\n{settings}",
        place.display()
    );
    let file = place.join("server.conf");
    fs::write(&file, text).unwrap();
    let log = File::options()
        .create(true)
        .append(true)
        .open(place.join("server.log"));
    let mut command = Command::new(program());
    command
        .arg("--config")
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command.stderr(log.unwrap()).spawn().unwrap()
}

/// The port in `{"nats":["nats://127.0.0.1:PORT"]}`.
fn port_of(text: &str) -> Option<u16> {
    let ports: serde_json::Value = serde_json::from_str(text).ok()?;
    let address = ports["nats"][0]
        .as_str()
        .or_else(|| ports["tls"][0].as_str())?;
    address.rsplit(':').next()?.parse().ok()
}

/// A `rejudge` that runs in parallel with the test. It ends with the test.
pub(crate) struct Background {
    process: Child,
    log: PathBuf,
}

impl Drop for Background {
    fn drop(&mut self) {
        self.signal(Signal::CONT);
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Background {
    /// Starts a prepared command, whose standard error goes to `NAME.log` in the repository.
    pub(crate) fn spawn(repo: &Repo, name: &str, mut command: Command) -> Self {
        let log = repo.path(&format!(".{name}.log"));
        let file = File::create(&log).unwrap();
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(file);
        Self {
            process: command.spawn().unwrap(),
            log,
        }
    }

    /// A worker with this name, and more arguments. It has told the server that it is there.
    pub(crate) fn worker(repo: &Repo, server: &NatsServer, name: &str, more: &[&str]) -> Self {
        let worker = Self::spawn(repo, name, server.work(repo, name, more));
        server.lists(repo, name);
        worker
    }

    /// What it wrote to standard error so far.
    pub(crate) fn stderr(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.process.id()).unwrap()).unwrap();
        // It may have ended.
        let _ = kill_process(pid, signal);
    }

    /// Kills it as an administrator or the kernel would.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.process.try_wait().unwrap().is_some()
    }

    /// Waits until it ends with this exit status.
    pub(crate) fn ends_with(&mut self, status: i32) {
        assert_eq!(self.wait().code(), Some(status), "{}", self.stderr());
    }

    /// Asserts that it wrote these words to standard error.
    pub(crate) fn said(&self, words: &str) {
        let stderr = self.stderr();
        assert!(stderr.contains(words), "{words}\n{stderr}");
    }

    /// Waits until it ends.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let mut status = None;
        until("the command ends", || {
            status = self.process.try_wait().unwrap();
            status.is_some()
        });
        status.expect("it has ended")
    }
}
