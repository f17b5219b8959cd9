//! What the machine offers to a measured program: neighbours that compute, one processor, or a share of the processors.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The neighbourhood in which something is measured.
#[derive(Debug, Clone, Copy)]
pub struct Neighbourhood {
    /// What it is, for the output.
    pub name: &'static str,
    /// The ratio to the bare loop that is promised.
    pub target: f64,
    /// The number of rounds that a stable median needs.
    pub rounds: usize,
    neighbours: u32,
    /// How nice the neighbours are; see `nice(1)`.
    niceness: u32,
    one_processor: bool,
    /// The processors that the group may use, in percent.
    quota: Option<u32>,
}

const IDLE: Neighbourhood = Neighbourhood {
    name: "idle",
    target: 1.10,
    rounds: 9,
    neighbours: 0,
    niceness: 0,
    one_processor: false,
    quota: None,
};

/// All that are measured.
pub const ALL: [Neighbourhood; 8] = [
    IDLE,
    Neighbourhood { name: "one busy neighbour", target: 1.35, neighbours: 1, ..IDLE },
    Neighbourhood {
        name: "one busy neighbour with nice 10",
        target: 1.35,
        neighbours: 1,
        niceness: 10,
        ..IDLE
    },
    Neighbourhood {
        name: "two busy neighbours",
        target: 1.0,
        // A bare loop that waits for its share takes five times as long as one that gets it at once, and both are common.
        rounds: 35,
        neighbours: 2,
        ..IDLE
    },
    Neighbourhood { name: "one processor", target: 1.35, one_processor: true, ..IDLE },
    Neighbourhood { name: "a quota of 0.5 processors", target: 1.35, quota: Some(50), ..IDLE },
    Neighbourhood { name: "a quota of 1 processor", target: 1.35, quota: Some(100), ..IDLE },
    Neighbourhood { name: "a quota of 1.5 processors", target: 1.35, quota: Some(150), ..IDLE },
];

/// The neighbourhood, as long as this lives.
#[derive(Debug)]
pub struct Entered {
    neighbours: Vec<Child>,
    prefix: Vec<String>,
    group: Option<PathBuf>,
}

impl Neighbourhood {
    /// Starts the neighbours and makes the group. `None` if this machine does not permit it.
    ///
    /// # Panics
    /// If `setsid`, `nice` or `sh` is missing.
    #[must_use]
    pub fn enter(self) -> Option<Entered> {
        let group = match self.quota {
            Some(percent) => Some(group_with_quota(percent)?),
            None => None,
        };
        let mut prefix: Vec<String> = Vec::new();
        if self.one_processor {
            prefix.extend(["taskset", "--cpu-list", "0"].map(str::to_owned));
        }
        if let Some(group) = &group {
            let enter = format!("echo $$ > {}/cgroup.procs && exec \"$@\"", group.display());
            prefix.extend(["sh", "-c", &enter, "sh"].map(str::to_owned));
        }
        // In a session of its own, as the programs of other users are: the kernel shares the processors among sessions.
        let neighbours = (0..self.neighbours).map(|_| {
            Command::new("setsid")
                .args(["nice", "-n", &self.niceness.to_string()])
                .args(["sh", "-c", "while :; do :; done"])
                .stdin(Stdio::null())
                .spawn()
                .expect("setsid starts")
        });
        Some(Entered { neighbours: neighbours.collect(), prefix, group })
    }
}

impl Entered {
    /// A command that runs `program` in this neighbourhood, in a session of its own.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("setsid");
        command.arg("--wait").args(&self.prefix).arg(program);
        command
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        for neighbour in &mut self.neighbours {
            // It has ended already if this fails.
            let _ = neighbour.kill();
            let _ = neighbour.wait();
        }
        if let Some(group) = &self.group {
            let _ = fs::remove_dir(group);
        }
    }
}

/// A new control group that may use this percentage of a processor.
fn group_with_quota(percent: u32) -> Option<PathBuf> {
    const PERIOD: u32 = 100_000;
    let quota = PERIOD / 100 * percent;
    let name = format!("rejudge-bench-{}", std::process::id());
    for root in ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"] {
        let group = Path::new(root).join(&name);
        if fs::create_dir(&group).is_err() {
            continue;
        }
        let written = fs::write(group.join("cpu.cfs_quota_us"), quota.to_string())
            .or_else(|_| fs::write(group.join("cpu.max"), format!("{quota} {PERIOD}")));
        if written.is_ok() {
            return Some(group);
        }
        let _ = fs::remove_dir(&group);
    }
    None
}
