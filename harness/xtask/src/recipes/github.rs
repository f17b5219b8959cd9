//! Runs the jobs of a workflow of GitHub, as for a pull request.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::files::{read, write};

use super::expression::{Values, filled, holds};
use super::machine::{Environment, Machine, copy_into, make_repository, pairs, shell};
use super::yaml::{entries, items, mapping, parse, text};

/// The version of this checkout.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs each job after those that it needs, once for each value of its matrix.
pub(super) fn dry_run(machine: &Machine, name: &str, workflow: &Value) -> Result<()> {
    let jobs = mapping(&workflow["jobs"], "jobs")?;
    for id in in_order(workflow)? {
        let job = &jobs[id];
        for (axis, value) in matrix(job)? {
            Job::new(machine, name, &format!("{id}{value}"), (&axis, &value))?.run(job)?;
        }
    }
    Ok(())
}

/// The names of the jobs, each after those that it needs.
fn in_order(workflow: &Value) -> Result<Vec<&str>> {
    let mut left = entries(workflow, "jobs")?;
    let mut order: Vec<&str> = Vec::new();
    while !left.is_empty() {
        let can_start = |job: &Value| {
            let needs = items(job, "needs").into_iter().map(text);
            needs.into_iter().all(|need| order.contains(&need.as_str()))
        };
        let (ready, waiting): (Vec<_>, Vec<_>) =
            left.iter().copied().partition(|(_, job)| can_start(job));
        ensure!(!ready.is_empty(), "a job needs one that does not exist, or itself");
        order.extend(ready.iter().map(|(id, _)| id.as_str()));
        left = waiting;
    }
    Ok(order)
}

/// The axis of a job's matrix with each of its values. Without a matrix, both are empty once.
fn matrix(job: &Value) -> Result<Vec<(String, String)>> {
    let strategy = job.get("strategy").unwrap_or(&Value::Null);
    match entries(strategy, "matrix")?[..] {
        [] => Ok(vec![(String::new(), String::new())]),
        [(axis, values)] => {
            let values = values.as_array().context("the matrix has no list")?;
            Ok(values.iter().map(|value| (axis.clone(), text(value))).collect())
        }
        _ => bail!("the matrix has more than one axis"),
    }
}

/// A job on its machine.
struct Job<'a> {
    machine: &'a Machine,
    /// The recipe and the job.
    name: String,
    artefacts: PathBuf,
    work: PathBuf,
    /// The file that adds folders to `PATH`.
    path: PathBuf,
    environment: Environment,
    values: Values,
}

impl<'a> Job<'a> {
    fn new(machine: &'a Machine, recipe: &str, id: &str, axis: (&str, &str)) -> Result<Self> {
        let folder = machine.folder(recipe);
        let temporary = folder.join(id).join("temporary");
        let work = folder.join(id).join("work");
        std::fs::create_dir_all(&work)?;
        let [path, summary] =
            ["GITHUB_PATH", "GITHUB_STEP_SUMMARY"].map(|name| temporary.join(name));
        write(&path, "")?;
        write(&summary, "")?;
        let shown = |path: &Path| path.display().to_string();
        let mut environment = machine.environment()?;
        environment.extend(pairs([
            ("GITHUB_ACTIONS", "true".to_owned()),
            ("GITHUB_PATH", shown(&path)),
            ("GITHUB_STEP_SUMMARY", shown(&summary)),
            ("RUNNER_TEMP", shown(&temporary)),
        ]));
        let matrix = format!("matrix.{}", axis.0);
        let values = pairs([
            ("github.event_name", "pull_request".to_owned()),
            ("github.base_ref", "main".to_owned()),
            ("github.action_ref", format!("v{VERSION}")),
            ("github.server_url", "https://example.com".to_owned()),
            ("github.action_repository", "example/rejudge".to_owned()),
            ("runner.temp", shown(&temporary)),
            (&matrix, axis.1.to_owned()),
        ]);
        Ok(Self {
            machine,
            name: format!("{recipe}: {id}"),
            artefacts: folder.join("artefacts"),
            work,
            path,
            environment,
            values: values.collect(),
        })
    }

    fn run(&self, job: &Value) -> Result<()> {
        for step in items(job, "steps") {
            self.step(step, &self.values)?;
        }
        Ok(())
    }

    fn step(&self, step: &Value, values: &Values) -> Result<()> {
        if let Some(condition) = step.get("if")
            && !holds(&text(condition), values)?
        {
            return Ok(());
        }
        let field = |name: &str| step.get(name).map(text);
        let uses = field("uses");
        let title = field("name").or_else(|| uses.clone());
        let name = format!("{}: {}", self.name, title.as_deref().unwrap_or("run"));
        if let Some(script) = field("run") {
            let folder = field("working-directory").unwrap_or_else(|| ".".to_owned());
            let folder = self.work.join(filled(&folder, values)?);
            let environment = self.environment_of(step, values)?;
            return shell(&filled(&script, values)?, &folder, &environment, &name);
        }
        let uses = uses.with_context(|| format!("{name}: the step does nothing"))?;
        let given = all_filled(step, "with", values)?;
        match uses.split('@').next().unwrap_or_default() {
            "example/rejudge" => self.action(&given, values),
            "actions/checkout" => make_repository(&self.work),
            "actions/upload-artifact" => self.upload(&given),
            "actions/download-artifact" => self.download(),
            _ => {
                println!("--- {name}: left out");
                Ok(())
            }
        }
    }

    fn environment_of(&self, step: &Value, values: &Values) -> Result<Environment> {
        let mut environment = self.environment.clone();
        let mut folders: Vec<_> = read(&self.path)?.lines().map(str::to_owned).collect();
        folders.extend(environment.get("PATH").cloned());
        environment.extend(pairs([("PATH", folders.join(":"))]));
        environment.extend(all_filled(step, "env", values)?);
        Ok(environment)
    }

    /// Runs the steps of this checkout's action.
    fn action(&self, given: &Values, values: &Values) -> Result<()> {
        let action = parse(&read(&self.machine.root.join("action.yml"))?)?;
        let inputs = mapping(&action["inputs"], "the inputs of the action")?;
        for name in given.keys() {
            ensure!(inputs.contains_key(name), "the action has no input `{name}`");
        }
        let mut inner = values.clone();
        for (name, input) in inputs {
            let value = given.get(name).cloned().unwrap_or_else(|| text(&input["default"]));
            inner.insert(format!("inputs.{name}"), value);
        }
        for step in items(&action["runs"], "steps") {
            self.step(step, &inner)?;
        }
        Ok(())
    }

    fn upload(&self, given: &Values) -> Result<()> {
        let field = |name: &str| {
            let value = given.get(name);
            value.with_context(|| format!("actions/upload-artifact has no `{name}`"))
        };
        let store = self.artefacts.join(field("name")?);
        ensure!(!store.exists(), "two artefacts are called `{}`", field("name")?);
        copy_into(&self.work.join(field("path")?), &store)
    }

    /// Merges all artefacts.
    fn download(&self) -> Result<()> {
        for artefact in self.artefacts.read_dir().context("no artefact")? {
            copy_into(&artefact?.path(), &self.work)?;
        }
        Ok(())
    }
}

/// The entries of a field with the values of their expressions.
fn all_filled(step: &Value, field: &str, values: &Values) -> Result<Values> {
    let entries = entries(step, field)?.into_iter();
    entries.map(|(name, value)| Ok((name.clone(), filled(&text(value), values)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    #[test]
    fn jobs_run_after_those_that_they_need() {
        let jobs = json!({"jobs": {
            "a": {"needs": ["c", "b"]},
            "b": {"needs": "c"},
            "c": {},
        }});
        assert_eq!(in_order(&jobs).expect("an order"), ["c", "b", "a"]);
        assert!(in_order(&json!({"jobs": {"a": {"needs": "b"}}})).is_err());
        assert!(in_order(&json!({"jobs": {"a": {"needs": "a"}}})).is_err());
    }

    #[test]
    fn a_matrix_has_one_axis() {
        let pair = |axis: &str, value: &str| (axis.to_owned(), value.to_owned());
        assert_eq!(matrix(&json!({})).expect("no matrix"), [pair("", "")]);
        let job = json!({"strategy": {"matrix": {"shard": [1, 2]}}});
        let values = matrix(&job).expect("a matrix");
        assert_eq!(values, [pair("shard", "1"), pair("shard", "2")]);
        let job = json!({"strategy": {"matrix": {"a": [1], "b": [2]}}});
        assert!(matrix(&job).is_err());
    }

    /// A machine whose checkout has an action with one input.
    fn machine(dir: &Path) -> Machine {
        let action = "inputs: {word: {default: a}}\nruns: {steps: [{run: 'echo ${{ inputs.word }} >>words'}]}\n";
        write(&dir.join("action.yml"), action).expect("a file");
        Machine { root: dir.to_owned(), files: dir.join("files"), scratch: dir.join("scratch") }
    }

    #[test]
    fn the_steps_of_a_workflow_run() {
        let dir = tempfile::tempdir().expect("a folder");
        let machine = machine(dir.path());
        let workflow = parse(
            "
jobs:
  merge:
    needs: judge
    steps:
      - uses: actions/download-artifact@v4
      - run: cat 1 2 >all
  judge:
    strategy: {matrix: {shard: [1, 2]}}
    steps:
      - uses: actions/checkout@v4
      - uses: other/action@v1
      - uses: example/rejudge@v1
      - uses: example/rejudge@v1
        with: {word: b}
      - if: github.event_name == 'push'
        run: exit 1
      - run: mkdir -p bin; echo \"$PWD/bin\" >>$GITHUB_PATH; ln -s /bin/true bin/from-path
      - run: from-path; cat words >$SHARD
        env: {SHARD: '${{ matrix.shard }}'}
      - uses: actions/upload-artifact@v4
        with: {name: 'shard-${{ matrix.shard }}', path: '${{ matrix.shard }}'}
",
        );
        dry_run(&machine, "recipe", &workflow.expect("YAML")).expect("a success");
        let all = read(&machine.folder("recipe").join("merge/work/all")).expect("a file");
        assert_eq!(all, "a\nb\na\nb\n");
    }

    #[test]
    fn mistakes_in_a_workflow_are_errors() {
        let dir = tempfile::tempdir().expect("a folder");
        let machine = machine(dir.path());
        for (number, (steps, message)) in [
            ("[{uses: example/rejudge@v1, with: {wrod: b}}]", "the action has no input `wrod`"),
            ("[{run: exit 3}]", "exit status: 3"),
            ("[{name: nothing}]", "the step does nothing"),
            ("[{if: hashFiles('a'), run: 'true'}]", "no function `hashFiles`"),
            ("[{uses: actions/upload-artifact@v4, with: {path: .}}]", "has no `name`"),
            ("[{uses: actions/download-artifact@v4}]", "no artefact"),
        ]
        .into_iter()
        .enumerate()
        {
            let workflow = parse(&format!("jobs: {{a: {{steps: {steps}}}}}")).expect("YAML");
            let error = dry_run(&machine, &number.to_string(), &workflow).expect_err(steps);
            assert!(format!("{error:#}").contains(message), "{error:#}");
        }
    }
}
