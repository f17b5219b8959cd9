//! Judges this repository as four tasks of a Slurm job array, on a controller and a node that this command starts. One task is
//! killed and requeued while it runs. The merged report must agree with that of an undivided run.
//!
//! Needs root, and Debian's packages slurm-wlm and munge.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread::{available_parallelism, sleep};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use crate::files::write;
use crate::ports::free_ports;
use crate::process::{Background, command, is_installed, output, quoted, run, wait_for};
use crate::scratch::with_scratch;
use crate::verdicts::{compare, verdicts};

const PROGRAMS: [&str; 6] = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue"];

/// The longest time for anything that the tasks do.
const LIMIT: Duration = Duration::from_secs(600);

/// An undivided run has more cases.
const CASES: usize = 100;

/// `slurm PROGRAM [WHOLE.jsonl]`: the second is the report of an undivided run, which is made otherwise.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    let (program, whole) = match arguments {
        [program] => (program, None),
        [program, whole] => (program, Some(PathBuf::from(whole))),
        _ => bail!("wrong number of arguments\nhelp: cargo xtask slurm PROGRAM [WHOLE.jsonl]"),
    };
    let program = fs::canonicalize(program).with_context(|| format!("no such file: {program}"))?;
    for name in PROGRAMS {
        ensure!(is_installed(name), "{name} is missing\nhelp: apt-get install slurm-wlm munge");
    }
    // A wrong file is an error now, and not after minutes.
    if let Some(whole) = &whole {
        known_verdicts(whole)?;
    }
    with_scratch("slurm", |scratch| {
        let merged = judge_in_tasks(&program, scratch)?;
        let whole = match whole {
            Some(whole) => whole,
            None => undivided(&program, scratch)?,
        };
        let expected = known_verdicts(&whole)?;
        compare(&expected, &verdicts(&merged)?)?;
        println!(
            "the merged report of four tasks, one of them requeued, has the {} verdicts of the undivided run",
            expected.len()
        );
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The verdicts of an undivided run, which are many.
fn known_verdicts(whole: &Path) -> Result<Vec<String>> {
    let all = verdicts(whole)?;
    ensure!(all.len() > CASES, "{} has only {} cases", whole.display(), all.len());
    Ok(all)
}

fn undivided(program: &Path, scratch: &Path) -> Result<PathBuf> {
    let report = scratch.join("whole.jsonl");
    run(command(program).args(["run", "--quiet", "--json"]).arg(&report))?;
    Ok(report)
}

/// Judges this repository, and returns the merged report.
fn judge_in_tasks(program: &Path, scratch: &Path) -> Result<PathBuf> {
    let controller = Controller::start(scratch)?;
    let script = scratch.join("judge.sh");
    let root = std::env::current_dir()?;
    write(&script, task(program, &root, scratch, std::process::id()))?;
    let mut batch = controller.client("sbatch");
    batch.args(["--parsable", "--requeue", "--array=1-4", "--output"]);
    let job = output(batch.arg(scratch.join("%a.log")).arg(&script))?;
    let job = job.trim();
    let second = format!("{job}_2");

    let ready = scratch.join("ready");
    wait_for("the start of task 2", LIMIT, || Ok(ready.exists()))?;
    sleep(Duration::from_secs(1));
    run(controller.client("scontrol").args(["requeue", &second]))?;
    wait_for("the requeueing of task 2", LIMIT, || {
        Ok(controller.states(&second)?.contains("PENDING"))
    })?;
    // Slurm holds a requeued task back for two minutes.
    let now = [&format!("JobId={second}"), "StartTime=now"];
    run(controller.client("scontrol").arg("update").args(now))?;
    wait_for("the end of the tasks", LIMIT, || Ok(controller.states(job)?.is_empty()))?;

    let merged = scratch.join("merged.jsonl");
    let mut merge = command(program);
    merge.arg("merge");
    merge.args((1..=4).map(|shard| shard_report(scratch, &shard.to_string())));
    run(merge.arg("--json").arg(&merged))?;
    Ok(merged)
}

fn shard_report(scratch: &Path, shard: &str) -> PathBuf {
    scratch.join(format!("shards/{shard}.jsonl"))
}

/// The script of a task. Slurm's processes are in a session of their own, so the script ends them after the process
/// `starter`.
fn task(program: &Path, root: &Path, scratch: &Path, starter: u32) -> String {
    let program = quoted(program);
    let root = quoted(root);
    let shards = quoted(&scratch.join("shards"));
    let ready = quoted(&scratch.join("ready"));
    format!(
        r#"#!/bin/sh
cd {root} || exit
(while kill -0 {starter}; do sleep 1; done; kill -KILL $PPID 0) >/dev/null 2>&1 &
trap "kill $!" EXIT
# The first start of one task waits until it is killed.
if [ "$SLURM_ARRAY_TASK_ID" = 2 ] && [ "${{SLURM_RESTART_COUNT:-0}}" = 0 ]; then
  {program} run --shard 2/4 --json {shards}/2.jsonl
  echo >{ready}
  sleep 600
fi
{program} run --shard "$SLURM_ARRAY_TASK_ID/4" --json {shards}/"$SLURM_ARRAY_TASK_ID".jsonl
"#
    )
}

/// A controller with one node, this machine.
struct Controller {
    settings: PathBuf,
    _daemons: Vec<Background>,
}

impl Controller {
    fn start(scratch: &Path) -> Result<Self> {
        let mut daemons = vec![start_munge(scratch)?];
        let settings = scratch.join("slurm.conf");
        let node = output(command("hostname").arg("-s"))?;
        let processors = available_parallelism()?.get();
        let conf = settings_of(node.trim(), free_ports()?, processors, scratch);
        write(&settings, conf)?;
        for folder in ["state", "spool", "shards"] {
            fs::create_dir(scratch.join(folder))?;
        }
        for daemon in ["slurmctld", "slurmd"] {
            let mut start = command(daemon);
            start.arg("-D").arg("-f").arg(&settings).env("SLURM_CONF", &settings);
            daemons.push(Background::start(
                &mut start,
                &scratch.join(format!("{daemon}-output.log")),
            )?);
        }
        let controller = Self { settings, _daemons: daemons };
        wait_for("the start of Slurm", Duration::from_secs(30), || {
            Ok(controller.node_state()? == "idle")
        })?;
        Ok(controller)
    }

    /// A command that uses this controller.
    fn client(&self, program: &str) -> Command {
        let mut client = command(program);
        client.env("SLURM_CONF", &self.settings);
        client
    }

    fn node_state(&self) -> Result<String> {
        // It fails until the controller answers.
        let found = self.client("sinfo").args(["--noheader", "--format=%T"]).output()?;
        Ok(String::from_utf8_lossy(&found.stdout).trim().to_owned())
    }

    /// The states of the tasks of a job that have not ended.
    fn states(&self, job: &str) -> Result<String> {
        let mut queue = self.client("squeue");
        queue.args(["--noheader", "--array", "--format=%T", "--job", job]);
        // It fails for a job that ended some time ago.
        Ok(String::from_utf8_lossy(&queue.output()?.stdout).into_owned())
    }
}

/// Starts the service by which the parts of Slurm trust each other.
fn start_munge(scratch: &Path) -> Result<Background> {
    // It refuses a folder that others can write to.
    run(command("chmod").arg("755").arg(scratch))?;
    let mut key = [0; 1024];
    fs::File::open("/dev/urandom")?.read_exact(&mut key)?;
    let path = scratch.join("munge.key");
    write(&path, key)?;
    run(command("chmod").arg("400").arg(&path))?;
    let mut munged = command("munged");
    munged.args(["--force", "--foreground"]);
    for (option, name) in [
        ("--key-file", "munge.key"),
        ("--socket", "munge.socket"),
        ("--pid-file", "munged.pid"),
        ("--log-file", "munged-own.log"),
        ("--seed-file", "munged.seed"),
    ] {
        munged.arg(option).arg(scratch.join(name));
    }
    let mut munged = Background::start(&mut munged, &scratch.join("munged.log"))?;
    let socket = scratch.join("munge.socket");
    wait_for("the start of munged", Duration::from_secs(30), || {
        ensure!(munged.is_running()?, "munged does not start");
        Ok(socket.exists())
    })?;
    Ok(munged)
}

fn settings_of(node: &str, ports: [u16; 2], processors: usize, scratch: &Path) -> String {
    let [controller, daemon] = ports;
    let scratch = scratch.display();
    format!(
        "\
ClusterName=rejudge
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={scratch}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
StateSaveLocation={scratch}/state
SlurmdSpoolDir={scratch}/spool
SlurmctldPidFile={scratch}/slurmctld.pid
SlurmdPidFile={scratch}/slurmd.pid
SlurmctldLogFile={scratch}/slurmctld.log
SlurmdLogFile={scratch}/slurmd.log
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName={node} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::process::Stdio;

    #[test]
    fn the_script_of_a_task_is_valid() {
        let path = Path::new("/it's");
        let script = task(path, path, path, 1);
        assert!(script.contains(r"cd '/it'\''s' || exit"));
        assert!(script.contains(r#"'/it'\''s' run --shard "$SLURM_ARRAY_TASK_ID/4""#));
        let mut shell = command("sh");
        shell.args(["-n", "-c", &script]).stdin(Stdio::null());
        run(&mut shell).expect("no error of syntax");
    }

    #[test]
    fn a_report_with_few_cases_is_no_undivided_run() {
        let dir = tempfile::tempdir().expect("a folder");
        let report = dir.path().join("whole.jsonl");
        let line = r#"{"type":"case","submission":"s","problem":"p","case":"1","verdict":"AC"}"#;
        write(&report, format!("{line}\n").repeat(CASES)).expect("a file");
        assert!(known_verdicts(&report).is_err());
        write(&report, format!("{line}\n").repeat(CASES + 1)).expect("a file");
        assert_eq!(known_verdicts(&report).expect("a report").len(), CASES + 1);
    }

    #[test]
    fn each_port_has_its_place() {
        let text = settings_of("n", [1, 2], 3, Path::new("/s"));
        assert!(text.contains("SlurmctldPort=1\nSlurmdPort=2\n"));
        assert!(text.contains("NodeName=n NodeAddr=127.0.0.1 CPUs=3 "));
    }
}
