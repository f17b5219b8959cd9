//! A NATS server for a test, and commands that use it in parallel with the test.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rejudge_cluster::{Access, Cluster, ClusterError, SigningKey};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::{Repo, lacks, skip};

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

/// The file of the key that signs the runs of a repository, without the path of the repository.
pub(crate) const SIGN_KEY: &str = ".sign.nk";

/// That key, which is made when it is first needed.
pub(crate) fn sign_key(repo: &Repo) -> SigningKey {
    let path = repo.path(SIGN_KEY);
    match SigningKey::create(&path) {
        Err(ClusterError::KeyExists { .. }) => SigningKey::read(&path).unwrap(),
        made => made.unwrap(),
    }
}

/// A server with a store of its own. It ends with the test.
pub(crate) struct NatsServer {
    process: Child,
    folder: TempDir,
    settings: String,
    disk: Option<SmallDisk>,
    pub(crate) port: u16,
}

/// A file system in memory that only the processes of a namespace see, which needs no root.
pub(crate) struct SmallDisk {
    /// Keeps the namespace.
    holder: Child,
    folder: PathBuf,
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

impl SmallDisk {
    /// One of 6 MiB at `folder`, of which 5 are in use. `None`: this machine has no namespaces for users.
    pub(crate) fn mount(folder: &Path) -> Option<Self> {
        if lacks("unshare") || lacks("nsenter") {
            return None;
        }
        fs::create_dir(folder).unwrap();
        let script = "mount -t tmpfs -o size=6m none \"$1\" && head -c 5242880 /dev/zero >\"$1/ballast\" && echo mounted && exec sleep 3600";
        let mut holder = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let out = holder.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let disk = Self { holder, folder: folder.to_owned() };
        if line.is_empty() {
            skip(
                "a user may not mount anything here, so nothing fills a disk; run the tests as root, or allow user namespaces",
            );
            return None;
        }
        Some(disk)
    }

    /// A command for whose process the disk is there.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command
            .args(["--user", "--mount", "--preserve-credentials", "--target"])
            .arg(self.holder.id().to_string())
            .arg(program);
        command
    }

    /// Frees most of it.
    pub(crate) fn free(&self) {
        let removed = self.command("rm").arg(self.folder.join("ballast")).status();
        assert!(removed.unwrap().success());
    }
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
            &format!("jetstream {{ store_dir: \"{}\" }}\n{settings}", store.display()),
        )
    }

    /// Starts one with exactly these settings and files in `folder`.
    pub(crate) fn within(folder: TempDir, settings: &str) -> Option<Self> {
        Self::on(None, folder, settings)
    }

    /// The same for a server whose store is on a disk of its own.
    pub(crate) fn on(disk: Option<SmallDisk>, folder: TempDir, settings: &str) -> Option<Self> {
        let program = program();
        if program == "nats-server" && lacks(&program) {
            return None;
        }
        let process = spawn(&folder, disk.as_ref(), settings, None);
        let ports = folder.path().join(format!("nats-server_{}.ports", process.id()));
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
            disk,
        })
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The command of a run on its workers, and more arguments.
    pub(crate) fn submission(&self, repo: &Repo, more: &[&str]) -> Command {
        sign_key(repo);
        let fixed = ["run", "--nats", &self.url(), "--sign-key", SIGN_KEY];
        repo.command(&[&fixed, more].concat())
    }

    /// A client as the commands have it.
    pub(crate) fn client(&self) -> Cluster {
        let access = Access { url: self.url(), ..Access::default() };
        Cluster::connect(&access, |_| true).unwrap()
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
            "--trust",
            &sign_key(repo).public(),
            "--name",
            name,
        ];
        repo.command(&[&fixed, more].concat())
    }

    /// Waits until its list of workers has this name.
    pub(crate) fn lists(&self, repo: &Repo, name: &str) {
        let line = format!("  {name}: ");
        until(&format!("worker {name} is listed"), || {
            repo.run(&["cluster", "--nats", &self.url()]).stdout.contains(&line)
        });
    }

    /// Frees most of its disk.
    pub(crate) fn free(&self) {
        self.disk.as_ref().unwrap().free();
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

    /// Starts it again on the same port, with the same store. The kernel may have given the port to
    /// a connection in between: then it tries again.
    pub(crate) fn start_again(&mut self) {
        let spawn = || {
            let disk = self.disk.as_ref();
            spawn(&self.folder, disk, &self.settings, Some(self.port))
        };
        self.process = spawn();
        until("the server answers again", || {
            if self.process.try_wait().unwrap().is_some() {
                self.process = spawn();
            }
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }
}

/// The server: Debian's, or the one that the variable names.
fn program() -> String {
    std::env::var("NATS_SERVER").unwrap_or_else(|_| "nats-server".to_owned())
}

fn spawn(folder: &TempDir, disk: Option<&SmallDisk>, settings: &str, port: Option<u16>) -> Child {
    let place = folder.path();
    let port = port.map_or_else(|| "-1".to_owned(), |port| port.to_string());
    let text = format!(
        "listen: \"127.0.0.1:{port}\"\nports_file_dir: \"{}\"\n{settings}",
        place.display()
    );
    let file = place.join("server.conf");
    fs::write(&file, text).unwrap();
    let log = File::options().create(true).append(true).open(place.join("server.log"));
    let mut command = match disk {
        Some(disk) => disk.command(&program()),
        None => Command::new(program()),
    };
    command.arg("--config").arg(file).stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(log.unwrap()).spawn().unwrap()
}

/// The port in `{"nats":["nats://127.0.0.1:PORT"]}`.
fn port_of(text: &str) -> Option<u16> {
    let ports: serde_json::Value = serde_json::from_str(text).ok()?;
    let address = ports["nats"][0].as_str().or_else(|| ports["tls"][0].as_str())?;
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
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
        Self { process: command.spawn().unwrap(), log }
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
