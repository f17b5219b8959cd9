//! What attackers go for: an answer, an artefact, services that listen; and whether they came to harm.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicI32, Ordering};

use tempfile::TempDir;

use crate::attack::Told;
use crate::fixture::programs;

/// One attack's surroundings.
pub(crate) struct Ground {
    dir: TempDir,
    key: i32,
    tcp: TcpListener,
    udp: UdpSocket,
    service: UnixListener,
    abstract_service: UnixListener,
}

const ANSWER: &[u8] = b"the answer\n";

impl Ground {
    pub(crate) fn new() -> Self {
        static KEY: AtomicI32 = AtomicI32::new(0);
        let dir = tempfile::tempdir().unwrap();
        let set_mode = |path: &str, mode| {
            fs::set_permissions(dir.path().join(path), Permissions::from_mode(mode)).unwrap();
        };
        // As such things lie about: everybody may read them.
        set_mode("", 0o755);
        for folder in ["cases", "artefacts"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
            set_mode(folder, 0o755);
        }
        fs::write(dir.path().join("cases/1.ans"), ANSWER).unwrap();
        set_mode("cases/1.ans", 0o644);
        let programs = programs().unwrap();
        fs::copy(programs.join("innocent"), dir.path().join("artefacts/innocent")).unwrap();
        set_mode("artefacts/innocent", 0o755);
        fs::copy(programs.join("gain_rights"), dir.path().join("artefacts/set_uid")).unwrap();
        set_mode("artefacts/set_uid", 0o6755);
        let service = UnixListener::bind(dir.path().join("service")).unwrap();
        set_mode("service", 0o777);
        let key = std::process::id().cast_signed() * 256 + KEY.fetch_add(1, Ordering::Relaxed);
        let name = SocketAddr::from_abstract_name(abstract_name(key)).unwrap();
        let ground = Self {
            key,
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            service,
            abstract_service: UnixListener::bind_addr(&name).unwrap(),
            dir,
        };
        ground.tcp.set_nonblocking(true).unwrap();
        ground.udp.set_nonblocking(true).unwrap();
        ground.service.set_nonblocking(true).unwrap();
        ground.abstract_service.set_nonblocking(true).unwrap();
        ground
    }

    /// Where the program under attack's neighbours are built.
    pub(crate) fn artefacts(&self) -> PathBuf {
        self.dir.path().join("artefacts")
    }

    pub(crate) fn tell(&self, what: Told) -> Vec<OsString> {
        let path = |name: &str| vec![self.dir.path().join(name).into_os_string()];
        match what {
            Told::Answer => path("cases/1.ans"),
            Told::Cases => path("cases"),
            Told::Home => vec![std::env::home_dir().unwrap_or_default().into_os_string()],
            Told::Judge => vec![std::process::id().to_string().into()],
            Told::TcpPort => vec![self.tcp.local_addr().unwrap().port().to_string().into()],
            Told::UdpPort => vec![self.udp.local_addr().unwrap().port().to_string().into()],
            Told::Service => path("service"),
            Told::AbstractService => vec![format!("@{}", abstract_name(self.key)).into()],
            Told::Artefact => path("artefacts/innocent"),
            Told::SetUid => path("artefacts/set_uid"),
            Told::FileName => vec![file_name(self.key).into()],
            Told::Keys => vec![self.key.to_string().into(), queue_name(self.key).into()],
        }
    }

    /// What was done to any of it; mends what outlives us.
    pub(crate) fn damage(&self) -> Vec<String> {
        let mut damage = Vec::new();
        let mut note = |harmed: bool, what: &str| {
            if harmed {
                damage.push(what.to_owned());
            }
        };
        let original = fs::read(programs().unwrap().join("innocent")).unwrap();
        let artefact = self.artefacts().join("innocent");
        note(
            fs::read(self.dir.path().join("cases/1.ans")).ok().as_deref() != Some(ANSWER),
            "the answer was changed",
        );
        note(fs::read(&artefact).ok() != Some(original), "the artefact was changed");
        let mode = fs::metadata(&artefact).map(|meta| meta.permissions().mode() & 0o7777);
        note(mode.ok() != Some(0o755), "the artefact's mode was changed");
        for (folder, count) in [("", 3), ("cases", 1), ("artefacts", 2)] {
            let entries = fs::read_dir(self.dir.path().join(folder)).unwrap().count();
            note(entries != count, &format!("a file was left in `{folder}`"));
        }
        note(self.tcp.accept().is_ok(), "somebody connected");
        note(self.udp.recv(&mut [0; 512]).is_ok(), "a datagram came");
        note(self.service.accept().is_ok(), "somebody connected to the service");
        note(self.abstract_service.accept().is_ok(), "somebody connected to the abstract service");
        damage.extend(self.left_files());
        damage.extend(self.left_objects());
        damage
    }

    /// Files of our name where anybody may write, or where root may; they are removed.
    fn left_files(&self) -> Vec<String> {
        let usual = ["/tmp", "/var/tmp", "/dev/shm", "/etc", "/usr/lib", "/run"].map(PathBuf::from);
        let told = [Told::Cases, Told::Home].map(|what| PathBuf::from(&self.tell(what)[0]));
        let files = usual.iter().chain(&told).map(|folder| folder.join(file_name(self.key)));
        let left = files.filter(|file| fs::remove_file(file).is_ok());
        left.map(|file| format!("{} was left", file.display())).collect()
    }

    /// Objects of System V's and POSIX's under our key; they are removed.
    fn left_objects(&self) -> Vec<String> {
        let mut ask = Command::new(programs().unwrap().join("leave_ipc"));
        ask.args(self.tell(Told::Keys)).arg("remove");
        let answer = String::from_utf8(ask.output().unwrap().stdout).unwrap();
        answer.lines().map(str::to_owned).collect()
    }
}

fn abstract_name(key: i32) -> String {
    format!("rejudge-test-{key}")
}

fn file_name(key: i32) -> String {
    format!("rejudge-test-{key}")
}

fn queue_name(key: i32) -> String {
    format!("/rejudge-test-{key}")
}
