//! Runs the jobs of a pipeline of GitLab, each as often as it says.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Map, Value};

use super::guide::template;
use super::machine::{Machine, first_commit, make_repository, pairs, shell};
use super::yaml::{entries, items, mapping, parse, text};

/// GitLab's stages, if a pipeline names no others.
const STAGES: [&str; 5] = [".pre", "build", "test", "deploy", ".post"];

pub(super) fn dry_run(machine: &Machine, name: &str, pipeline: &Value) -> Result<()> {
    let mut jobs = Map::new();
    for include in items(pipeline, "include") {
        jobs.extend(included(include, template(&machine.root)?)?);
    }
    for (id, job) in mapping(pipeline, "a pipeline")? {
        if job.get("script").is_some() {
            jobs.insert(id.clone(), job.clone());
        }
    }
    let work = machine.folder(name).join("work");
    make_repository(&work)?;
    for (id, job) in in_order(&jobs)? {
        let script = [items(&job, "before_script"), items(&job, "script")].concat();
        let script: Vec<_> = script.into_iter().map(text).collect();
        let total = job.get("parallel").map_or(Some(1), Value::as_u64);
        let total = total.with_context(|| format!("`parallel` of {id} is not a number"))?;
        for index in 1..=total {
            let mut environment = machine.environment()?;
            environment.extend(pairs([
                ("CI_NODE_INDEX", index.to_string()),
                ("CI_NODE_TOTAL", total.to_string()),
                ("CI_PROJECT_DIR", work.display().to_string()),
                ("CI_MERGE_REQUEST_DIFF_BASE_SHA", first_commit(&work)?),
                ("GITLAB_CI", "true".to_owned()),
            ]));
            let title = format!("{name}: {id} {index}");
            shell(&script.join("\n"), &work, &environment, &title)?;
        }
    }
    Ok(())
}

/// The jobs of a template that a pipeline includes, with the inputs of the pipeline.
fn included(include: &Value, (head, body): (String, String)) -> Result<Map<String, Value>> {
    let remote = include.get("remote").map(text).unwrap_or_default();
    ensure!(remote.ends_with("/templates/judge.yml"), "another template is included: {include}");
    let head = parse(&head)?;
    let mut inputs = mapping(&head["spec"]["inputs"], "the inputs of the template")?.clone();
    for value in inputs.values_mut() {
        *value = value["default"].take();
    }
    for (name, value) in entries(include, "inputs")? {
        let old = inputs.insert(name.clone(), value.clone());
        ensure!(old.is_some(), "the template has no input `{name}`");
    }
    let jobs = parse(&filled(&body, &inputs)?)?;
    Ok(mapping(&jobs, "the template")?.clone())
}

/// The text with the values of the inputs, such as `$[[ inputs.job ]]`.
fn filled(text: &str, inputs: &Map<String, Value>) -> Result<String> {
    let mut parts = text.split("$[[");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("]]").context("`]]` is missing")?;
        let known = name.trim().strip_prefix("inputs.");
        let value = known.and_then(|name| inputs.get(name));
        let value = value.with_context(|| format!("no input is called `{}`", name.trim()))?;
        all += &super::yaml::text(value);
        all += rest;
    }
    Ok(all)
}

/// The jobs that run, with what they take from others, by stage. A job with a dot in front of its name is there for others.
fn in_order(jobs: &Map<String, Value>) -> Result<Vec<(&str, Value)>> {
    let mut order = Vec::new();
    for (id, job) in jobs.iter().filter(|(id, _)| !id.starts_with('.')) {
        let mut whole = Map::new();
        if let Some(base) = job.get("extends").map(text) {
            let base = jobs.get(&base);
            let base = base.with_context(|| format!("{id} extends a job that does not exist"))?;
            whole.extend(mapping(base, "a job")?.clone());
        }
        whole.extend(mapping(job, "a job")?.clone());
        let stage = whole.get("stage").map_or_else(|| "test".to_owned(), text);
        let stage = STAGES.iter().position(|known| *known == stage);
        let stage = stage.with_context(|| format!("{id} has an unknown stage"))?;
        order.push((stage, id.as_str(), Value::Object(whole)));
    }
    order.sort_by_key(|(stage, ..)| *stage);
    Ok(order.into_iter().map(|(_, id, job)| (id, job)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::path::Path;

    use crate::files::{read, write};

    const TEMPLATE: &str = r#"
spec:
  inputs:
    job: {default: rejudge}
    word: {default: a}
---
"$[[ inputs.job ]]":
  before_script: ["name=$[[ inputs.word ]]"]
  script: [echo template >>all]
"#;

    fn machine(dir: &Path) -> Machine {
        write(&dir.join("templates/judge.yml"), TEMPLATE).expect("a file");
        Machine { root: dir.to_owned(), files: dir.join("files"), scratch: dir.join("scratch") }
    }

    #[test]
    fn jobs_run_by_stage_and_extend_others() {
        let dir = tempfile::tempdir().expect("a folder");
        let machine = machine(dir.path());
        let pipeline = parse(
            "
include:
  - remote: https://example.com/templates/judge.yml
    inputs: {job: .rejudge, word: b}
collect:
  extends: .rejudge
  stage: deploy
  script: [cat 1 2 >>all]
judge:
  extends: .rejudge
  parallel: 2
  script:
    - echo $name $CI_NODE_TOTAL >$CI_NODE_INDEX
",
        );
        dry_run(&machine, "recipe", &pipeline.expect("YAML")).expect("a success");
        let all = read(&machine.folder("recipe").join("work/all")).expect("a file");
        assert_eq!(all, "b 2\nb 2\n");
        let plain = "include: [{remote: https://example.com/templates/judge.yml}]";
        dry_run(&machine, "plain", &parse(plain).expect("YAML")).expect("a success");
        let all = read(&machine.folder("plain").join("work/all")).expect("a file");
        assert_eq!(all, "template\n");
    }

    #[test]
    fn mistakes_in_a_pipeline_are_errors() {
        let dir = tempfile::tempdir().expect("a folder");
        let machine = machine(dir.path());
        let include = "include: [{remote: https://example.com/templates/judge.yml";
        for (number, (pipeline, message)) in [
            (format!("{include}, inputs: {{wrod: b}}}}]"), "the template has no input `wrod`"),
            ("include: [{remote: other.yml}]".to_owned(), "another template"),
            ("a: {extends: b, script: [c]}".to_owned(), "a job that does not exist"),
            ("a: {stage: b, script: [c]}".to_owned(), "an unknown stage"),
            ("a: {script: [exit 3]}".to_owned(), "exit status: 3"),
        ]
        .into_iter()
        .enumerate()
        {
            let parsed = parse(&pipeline).expect("YAML");
            let error = dry_run(&machine, &number.to_string(), &parsed).expect_err(&pipeline);
            assert!(format!("{error:#}").contains(message), "{error:#}");
        }
        let inputs = Map::new();
        assert!(filled("$[[ inputs.unknown ]]", &inputs).is_err());
        assert!(filled("$[[ inputs.unknown", &inputs).is_err());
    }
}
