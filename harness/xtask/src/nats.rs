//! Judges units on workers while workers, the server and the submitter are killed, and compares the report with that of a
//! local run.
//!
//! The whole proof has 10,000 units of one case, four workers of which one is killed every 2.4 seconds, a worker that is
//! stopped for longer than its lease, a restart of the server, and a submitter that is killed and started again. `--quick`
//! has 300 units, two workers that SIGTERM ends, so that nobody waits for a lease, and the same submitter.
//!
//! Needs a C compiler, and nats-server: `NATS_SERVER` may name another one than Debian's.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::files::write;
use crate::ports::free_ports;
use crate::process::{Background, command, is_installed, run, wait_for};
use crate::scratch::with_scratch;
use crate::verdicts::{compare, decided, lines};

/// What is judged, and what ends meanwhile.
struct Plan {
    submissions: usize,
    cases: usize,
    /// The time between two ends of workers. A unit that is lost three times gets no verdict. The lease of a lost unit is 30
    /// seconds, twelve and a half pauses of the whole proof, so that the unit comes to another worker in the middle between
    /// two ends.
    pause: Duration,
    /// What a worker gets.
    signal: &'static str,
    /// The number of workers that end; without one, they end until the submitter has all results.
    ends: Option<usize>,
    /// The rounds after which worker 4 stops and continues, and the server restarts.
    others: Option<Others>,
}

struct Others {
    stop: usize,
    resume: usize,
    restart: usize,
}

/// The round after which the submitter is killed and started again.
const SUBMITTER: usize = 2;

const QUICK: Plan = Plan {
    submissions: 15,
    cases: 20,
    pause: Duration::from_secs(2),
    signal: "TERM",
    ends: Some(2),
    others: None,
};

const WHOLE: Plan = Plan {
    submissions: 100,
    cases: 100,
    pause: Duration::from_millis(2400),
    signal: "KILL",
    ends: None,
    others: Some(Others { stop: 3, resume: 22, restart: 5 }),
};

/// `nats [--quick] PROGRAM`: the program is a rejudge with the feature `nats`.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let (plan, program) = match words[..] {
        ["--quick", program] => (QUICK, program),
        [program] => (WHOLE, program),
        _ => bail!("wrong arguments\nhelp: cargo xtask nats [--quick] PROGRAM"),
    };
    let program = fs::canonicalize(program).with_context(|| format!("no such file: {program}"))?;
    let server = env::var("NATS_SERVER").unwrap_or_else(|_| "nats-server".to_owned());
    ensure!(is_installed(&server), "{server} is missing\nhelp: install nats-server");
    with_scratch("nats", |scratch| {
        let [port] = free_ports()?;
        let mut place =
            Place { program, server, port, scratch: scratch.to_owned(), public: String::new() };
        prove(&plan, &mut place)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The file of the key that signs, in the project.
const KEY: &str = ".sign.nk";

/// The programs, and where they run.
struct Place {
    program: PathBuf,
    server: String,
    port: u16,
    scratch: PathBuf,
    /// The public part of the key that signs.
    public: String,
}

impl Place {
    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn project(&self) -> PathBuf {
        self.scratch.join("project")
    }

    fn report(&self) -> PathBuf {
        self.scratch.join("far.jsonl")
    }

    fn log(&self, name: &str) -> PathBuf {
        self.scratch.join(format!("{name}.log"))
    }

    /// The program, with the first words of its command line.
    fn rejudge(&self, words: &[&str]) -> Command {
        let mut command = command(&self.program);
        command.args(words).current_dir(self.project());
        command
    }

    fn start_server(&self) -> Result<Background> {
        let mut server = command(&self.server);
        server.arg("-js").arg("-sd").arg(self.scratch.join("store"));
        server.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]);
        Background::start(&mut server, &self.log("server"))
    }

    /// Starts the worker of an index.
    fn start_worker(&self, index: usize) -> Result<Background> {
        let name = format!("w{}", index + 1);
        let url = self.url();
        let words = [
            "work",
            "--nats",
            &url,
            "-j",
            "1",
            "--name",
            &name,
            "--sandbox",
            "auto",
            "--trust",
            &self.public,
        ];
        Background::start(&mut self.rejudge(&words), &self.log(&name))
    }

    fn submit(&self) -> Result<Background> {
        let url = self.url();
        let words = [
            "run",
            "--nats",
            &url,
            "--sign-key",
            KEY,
            "--run",
            "proof",
            "--batch",
            "1",
            "--quiet",
            "--json",
        ];
        Background::start(self.rejudge(&words).arg(self.report()), &self.log("submitter"))
    }
}

fn prove(plan: &Plan, place: &mut Place) -> Result<()> {
    write_project(plan, &place.project())?;
    let made = place.rejudge(&["cluster", "key", KEY]).output()?;
    ensure!(made.status.success(), "the key: {}", made.status);
    String::from_utf8(made.stdout)?.trim().clone_into(&mut place.public);
    let place = &*place;
    // The local run also compiles the submissions, so that the workers take them from the cache.
    let local = place.scratch.join("local.jsonl");
    let judge = &mut place.rejudge(&["run", "--quiet", "--json"]);
    let ended = Background::start(judge.arg(&local), &place.log("local"))?.wait()?;
    let some_are_wrong = Some(1);
    ensure!(ended.code() == some_are_wrong, "the local run: {ended}, expected 1");

    let mut server = place.start_server()?;
    let url = place.url();
    wait_for("the start of the server", Duration::from_secs(20), || {
        ensure!(server.is_running()?, "the server does not start");
        let prepare = &mut place.rejudge(&["cluster", "--nats", &url, "--prepare"]);
        let prepared = Background::start(prepare, &place.log("prepare"))?.wait()?;
        Ok(prepared.success())
    })?;
    let mut cluster = Cluster {
        server,
        workers: (0..4).map(|index| place.start_worker(index)).collect::<Result<_>>()?,
        submitter: place.submit()?,
    };
    let (workers, submitters) = cluster.end_one_after_the_other(plan, place)?;
    let ended = cluster.submitter.wait()?;
    ensure!(ended.code() == some_are_wrong, "the submitter: {ended}, expected 1");

    let units = plan.submissions * plan.cases;
    let expected = decided(&local)?;
    let cases = expected.iter().filter(|line| line.starts_with(r#"type="case""#));
    ensure!(cases.count() == units, "the local run has no {units} cases");
    compare(&expected, &decided(&place.report())?)?;
    let report = lines(&place.report())?;
    let again = again(&report)?;
    run(&mut place.rejudge(&["cluster", "--nats", &url]))?;
    println!(
        "{units} results, none missing, none double ({again}), after the end of {workers} workers and {submitters} submitter: \
         equal to a local run"
    );
    Ok(())
}

/// The processes that work together.
struct Cluster {
    server: Background,
    workers: Vec<Background>,
    submitter: Background,
}

impl Cluster {
    /// Ends workers and the others until the submitter has all results. Returns the numbers of workers and of submitters that
    /// ended; a fast machine can be ready before.
    fn end_one_after_the_other(&mut self, plan: &Plan, place: &Place) -> Result<(usize, usize)> {
        let mut workers = 0;
        let mut submitters = 0;
        let mut round = 0;
        while self.submitter.is_running_after(plan.pause)? {
            round += 1;
            if plan.ends.is_some_and(|ends| round > ends) {
                continue;
            }
            let index = round % 3;
            let worker = &mut self.workers[index];
            workers += usize::from(worker.signal(plan.signal)?);
            worker.wait()?;
            *worker = place.start_worker(index)?;
            if round == SUBMITTER {
                submitters += usize::from(self.submitter.signal("KILL")?);
                self.submitter.wait()?;
                self.submitter = place.submit()?;
            }
            if let Some(others) = &plan.others {
                self.end_others(others, round, place)?;
            }
        }
        Ok((workers, submitters))
    }

    fn end_others(&mut self, others: &Others, round: usize, place: &Place) -> Result<()> {
        if round == others.stop {
            self.workers[3].signal("STOP")?;
        }
        if round == others.resume {
            self.workers[3].signal("CONT")?;
        }
        if round == others.restart {
            self.server.signal("TERM")?;
            self.server.wait()?;
            sleep(Duration::from_secs(1));
            self.server = place.start_server()?;
        }
        Ok(())
    }
}

/// Writes a problem that adds two numbers. Every seventh submission is wrong on the cases above 10.
fn write_project(plan: &Plan, project: &Path) -> Result<()> {
    let problem = project.join("cases/add");
    write(&project.join("rejudge.toml"), "")?;
    write(
        &problem.join("problem.yaml"),
        "problem_format_version: 2025-09\nname: Add\nlimits:\n  time_limit: 5.0\n",
    )?;
    for number in 1..=plan.cases {
        let secret = problem.join("data/secret");
        write(&secret.join(format!("{number}.in")), format!("{number} 1\n"))?;
        write(&secret.join(format!("{number}.ans")), format!("{}\n", number + 1))?;
    }
    for number in 1..=plan.submissions {
        let file = project.join(format!("solutions/add/s{number}.c"));
        write(&file, program(number))?;
    }
    Ok(())
}

fn program(number: usize) -> String {
    let fault = u8::from(number.is_multiple_of(7));
    format!(
        r#"/* {number} */
#include <stdio.h>
int main(void) {{ int a, b; scanf("%d %d", &a, &b); printf("%d\n", a + b + ({fault} && a > 10)); }}
"#
    )
}

/// What a report says about results that came twice. None may differ.
fn again(report: &[Value]) -> Result<&str> {
    let mut texts = Vec::new();
    for line in report {
        add_texts(line, &mut texts);
    }
    let found = texts
        .into_iter()
        .find(|text| text.contains(" came twice and count") && text.ends_with(" of them differ"));
    let Some(text) = found else {
        return Ok("no result came twice");
    };
    ensure!(text.ends_with("; 0 of them differ"), "{text}");
    Ok(text)
}

fn add_texts<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| add_texts(item, texts)),
        Value::Object(fields) => fields.values().for_each(|item| add_texts(item, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::files::files_below;

    use serde_json::json;

    #[test]
    fn equal_results_may_come_twice() {
        let none = json!({"type": "run", "seconds": 1.5});
        assert_eq!(again(std::slice::from_ref(&none)).expect("none"), "no result came twice");
        let text = "1,002 results came twice and count once; 0 of them differ";
        let report = [none, json!({"notices": [{"message": text}]})];
        assert_eq!(again(&report).expect("equal ones"), text);
    }

    #[test]
    fn different_results_may_not_come_twice() {
        for text in [
            "1 result came twice and counts once; 1 of them differ",
            "30 results came twice and count once; 10 of them differ",
        ] {
            assert!(again(&[json!({ "message": text })]).is_err(), "{text}");
        }
    }

    #[test]
    fn every_seventh_submission_is_wrong() {
        assert!(program(7).contains("(1 && a > 10)") && program(8).contains("(0 && a > 10)"));
        let dir = tempfile::tempdir().expect("a folder");
        write_project(&QUICK, dir.path()).expect("a project");
        let count = |end| files_below(dir.path(), &[end]).expect("a folder").len();
        assert_eq!((count("c"), count("in"), count("ans")), (15, 20, 20));
    }
}
