"""Runs the recipes of the guide with the files of a release, as the services would: `.ci/recipes --dry-run`.

Each step that is a script runs for real, in a copy of a small repository. Downloads come from the folder of the release,
`apt-get` and `sudo` install nothing, and artefacts are folders. What another service does is left out, with a line.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import ruamel.yaml

FILES, SCRATCH = map(pathlib.Path, sys.argv[1:])
ROOT = pathlib.Path(__file__).resolve().parent.parent
YAML = ruamel.yaml.YAML(typ="safe")
VERSION = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]

PROGRAM = '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", RESULT); }\n'

STUBS = {
    "sudo": 'exec "$@"',
    "apt-get": "exit 0",
    # The name of the last argument that looks like an address.
    "curl": 'for word; do case $word in https://*) cp "$RELEASE_FILES/${word##*/}" . ;; esac; done',
}


def shell(script: str, folder: pathlib.Path, environment: dict[str, str], name: str) -> None:
    """Runs a script as a service does. A failure ends the dry run."""
    print(f"--- {name}", flush=True)
    ran = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script], cwd=folder, env=environment)
    if ran.returncode:
        sys.exit(f"error: {name} ends with status {ran.returncode}:\n{script}")


def repository(place: pathlib.Path) -> pathlib.Path:
    """A repository with a problem, and an origin that has its first commit."""
    texts = {
        "cases/sum/problem.yaml": "problem_format_version: 2025-09\nname: Sum\nlimits: {time_limit: 5}\n",
        "cases/sum/data/secret/1.in": "1 2\n",
        "cases/sum/data/secret/1.ans": "3\n",
        "cases/sum/generators/generators.yaml": "data: {secret: {data: {'1': {in: \"1 2\\n\", ans: \"3\\n\"}}}}\n",
        "solutions/sum/sum.c": PROGRAM.replace("RESULT", "a + b"),
        "solutions/sum/wrong_answer/first.c": PROGRAM.replace("RESULT", "a"),
    }
    for name, text in texts.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    git = ["git", "-c", "user.name=ci", "-c", "user.email=ci@example.com", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "problems: add one"], ["remote", "add", "origin", "."]):
        subprocess.run([*git, *words], cwd=place, check=True)
    subprocess.run([*git, "fetch", "-q"], cwd=place, check=True)
    (place / "solutions/sum/sum.c").write_text(PROGRAM.replace("RESULT", "b + a"))
    subprocess.run([*git, "commit", "-q", "-am", "sum: add in another order"], cwd=place, check=True)
    return place


def environment(temporary: pathlib.Path) -> dict[str, str]:
    stubs = SCRATCH / "stubs"
    stubs.mkdir(exist_ok=True)
    for name, body in STUBS.items():
        (stubs / name).write_text(f"#!/bin/sh\n{body}\n")
        (stubs / name).chmod(0o755)
    temporary.mkdir(parents=True)
    kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
    return {
        **kept,
        "PATH": f"{stubs}:{os.environ['PATH']}",
        "RELEASE_FILES": str(FILES),
        "REJUDGE_CACHE_DIR": str(SCRATCH / "cache"),
        "TMPDIR": "/tmp",
    }


class GitHub:
    """Runs the jobs of a workflow, as for a pull request."""

    def __init__(self, name: str, workflow: dict):
        self.name, self.workflow = name, workflow
        self.folder = SCRATCH / "dry" / name
        self.artefacts = self.folder / "artefacts"

    def run(self) -> None:
        for id_, job in self.workflow["jobs"].items():
            matrix = job.get("strategy", {}).get("matrix", {})
            [(axis, values)] = matrix.items() or [("", [""])]
            for value in values:
                self.job(f"{id_}{value}", job["steps"], {f"matrix.{axis}": value})

    def job(self, id_: str, steps: list, values: dict) -> None:
        temporary = self.folder / id_ / "temporary"
        env = environment(temporary)
        for file in ("GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
            (temporary / file).touch()
            env[file] = str(temporary / file)
        env.update(RUNNER_TEMP=str(temporary), GITHUB_ACTIONS="true")
        values |= {
            "github.event_name": "pull_request",
            "github.base_ref": "main",
            "github.action_ref": f"v{VERSION}",
            "github.server_url": "https://example.com",
            "github.action_repository": "example/rejudge",
            "runner.temp": str(temporary),
        }
        work = self.folder / id_ / "work"
        work.mkdir()
        for step in steps:
            self.step(id_, step, work, env, values)

    def step(self, id_: str, step: dict, work: pathlib.Path, env: dict, values: dict) -> None:
        if not holds(step.get("if", "true"), values):
            return
        path = pathlib.Path(env["GITHUB_PATH"]).read_text().split()
        env = env | {"PATH": ":".join([*path, env["PATH"]])}
        env |= {key: filled(value, values) for key, value in step.get("env", {}).items()}
        given = {key: filled(value, values) for key, value in step.get("with", {}).items()}
        place = work / filled(step.get("working-directory", "."), values)
        name = f"{self.name}: {id_}: {step.get('name', step.get('uses', 'run'))}"
        used = step.get("uses", "").split("@")[0]
        if "run" in step:
            shell(filled(step["run"], values), place, env, name)
        elif used == "example/rejudge":
            action = YAML.load(ROOT / "action.yml")
            unknown = given.keys() - action["inputs"].keys()
            assert not unknown, f"the action has no input {unknown}"
            inputs = {key: given.get(key, one["default"]) for key, one in action["inputs"].items()}
            inner = values | {f"inputs.{key}": value for key, value in inputs.items()}
            for one in action["runs"]["steps"]:
                self.step(id_, one, work, env, inner)
        elif used == "actions/checkout":
            repository(work)
        elif used == "actions/upload-artifact":
            store = self.artefacts / given["name"]
            source = work / given["path"]
            shutil.copytree(source, store) if source.is_dir() else (store.mkdir(parents=True), shutil.copy(source, store))
        elif used == "actions/download-artifact":
            for one in self.artefacts.iterdir():
                shutil.copytree(one, work, dirs_exist_ok=True)
        else:
            print(f"--- {name}: left out", flush=True)


def filled(text: object, values: dict) -> str:
    """The text with the values of its expressions; a value that is not known here is empty."""
    return re.sub(r"\$\{\{ *([a-z_.-]+) *\}\}", lambda found: str(values.get(found[1], "")), str(text))


def holds(condition: str, values: dict) -> bool:
    """The value of a condition, of which the recipes use a part of the syntax."""
    text = re.sub(r"\b(?:github|inputs|runner)\.[a-z_-]+", lambda found: repr(values.get(found[0], "")), condition)
    text = text.replace("&&", " and ").replace("||", " or ")
    names = {"always": lambda: True, "startsWith": str.startswith, "true": True}
    return bool(eval(text, {"__builtins__": {}}, names))


def gitlab(name: str, pipeline: dict) -> None:
    """Runs the jobs of a pipeline, each as often as it says."""
    jobs = {}
    for one in pipeline.get("include", []):
        assert one["remote"].endswith("/templates/judge.yml"), one
        head, text = (ROOT / "templates/judge.yml").read_text().split("\n---\n")
        inputs = {key: value["default"] for key, value in YAML.load(head)["spec"]["inputs"].items()}
        unknown = one.get("inputs", {}).keys() - inputs.keys()
        assert not unknown, f"the template has no input {unknown}"
        inputs |= one.get("inputs", {})
        jobs |= YAML.load(re.sub(r"\$\[\[ *inputs\.(\w+) *\]\]", lambda found: inputs[found[1]], text))
    jobs |= {key: value for key, value in pipeline.items() if isinstance(value, dict) and "script" in value}
    work = repository(SCRATCH / "dry" / name / "work")
    for id_, job in jobs.items():
        whole = jobs.get(job.get("extends", ""), {}) | job
        # A name with a dot in front is a template.
        for index in range(1, whole.get("parallel", 1) + 1) if not id_.startswith(".") else []:
            env = environment(SCRATCH / "dry" / name / f"{id_}{index}")
            first = subprocess.run(["git", "rev-parse", "HEAD^"], cwd=work, check=True, capture_output=True, text=True)
            env |= {
                "CI_NODE_INDEX": str(index),
                "CI_NODE_TOTAL": str(whole.get("parallel", 1)),
                "CI_PROJECT_DIR": str(work),
                "CI_MERGE_REQUEST_DIFF_BASE_SHA": first.stdout.strip(),
                "GITLAB_CI": "true",
            }
            script = "\n".join([*whole.get("before_script", []), *whole["script"]])
            shell(script, work, env, f"{name}: {id_} {index}")


def pre_commit(name: str, config: dict) -> None:
    """Runs the hooks that a configuration names, from this checkout, with the wheel of the release."""
    work = repository(SCRATCH / "dry" / name)
    env = environment(SCRATCH / "dry" / f"{name}-temporary") | {
        "PRE_COMMIT_HOME": str(SCRATCH / "pre-commit-home"),
        "PIP_FIND_LINKS": str(FILES),
        "PATH": os.environ["PATH"],
    }
    known = {hook["id"] for hook in YAML.load(ROOT / ".pre-commit-hooks.yaml")}
    named = {hook["id"] for one in config["repos"] for hook in one["hooks"]}
    assert named <= known, named - known
    for hook in sorted(known):
        shell(f"pre-commit try-repo {ROOT} {hook} --all-files --verbose", work, env, f"{name}: {hook}")


for file in sorted((SCRATCH / "github").iterdir()):
    GitHub(file.stem, YAML.load(file)).run()
for file in sorted((SCRATCH / "gitlab").glob("[!t]*.yml")):
    gitlab(file.stem, YAML.load(file))
for file in sorted((SCRATCH / "pre-commit").iterdir()):
    pre_commit(file.stem, YAML.load(file))
print("every recipe runs")
