//! Hostile programs in languages with an interpreter or a virtual machine.

use std::process::Command;

use super::problem;
use crate::support::{Repo, skip};

/// The verdict of the only submission.
fn verdict(repo: &Repo, args: &[&str]) -> String {
    let all = [&["run", "--json", "-"], args].concat();
    let ran = repo.run(&all);
    let mut lines = ran.stdout.lines();
    let line = lines.find(|line| line.starts_with(r#"{"type":"submission""#));
    let json: serde_json::Value = serde_json::from_str(line.unwrap_or("null")).unwrap();
    let verdict = json["verdict"].as_str();
    verdict.unwrap_or_else(|| panic!("{}", ran.all())).to_owned()
}

#[test]
fn misbehaving_scripts_get_the_same_verdicts_as_programs() {
    let table = [
        // Whichever limit comes first: of processes, or of their CPU time together.
        ("import os\nwhile True: os.fork()\n", &["RTE", "MLE", "TLE"][..]),
        (
            "import os, time\nfor _ in range(999):\n    if os.fork() == 0: time.sleep(99)\n",
            &["RTE", "MLE"],
        ),
        (
            "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(99,)).start()\n",
            &["RTE", "MLE"],
        ),
        ("x = []\nwhile True: x.append(bytearray(1 << 20))\n", &["MLE"]),
        ("while True: pass\n", &["TLE"]),
        (
            "import signal\nfor s in (2, 15, 24): signal.signal(s, lambda *_: exit(0))\nwhile True: pass\n",
            &["TLE"],
        ),
        ("while True: print('and so on')\n", &["OLE"]),
        (
            "import sys\nsys.setrecursionlimit(10**9)\nf = lambda: f()\nf()\n",
            &["RTE", "MLE", "TLE"],
        ),
        ("import os\nprint(3, flush=True)\nos.abort()\n", &["RTE"]),
        ("print('\\0\\x1b[2J')\n", &["WA"]),
    ];
    if Command::new("python3").arg("--version").output().is_err() {
        skip("python3 is missing, so hostile scripts are not judged; install python3");
        return;
    }
    for (source, verdicts) in table {
        let repo = problem();
        repo.file("solutions/sum/a.py", source);
        let limit = if verdicts == ["TLE"] { "0.5" } else { "2" };
        let verdict = verdict(&repo, &["-m", "128", "-t", limit]);
        assert!(verdicts.contains(&&*verdict), "{verdict}: {source}");
    }
}

#[test]
#[ignore = "twenty seconds of CPU time: `.ci/run` runs it"]
fn misbehaving_programs_on_a_virtual_machine_get_the_usual_verdicts() {
    let table: [(&str, &[&str]); 6] = [
        (
            "for (;;) new Thread(() -> { while (true) { java.util.concurrent.locks.LockSupport.park(); } }).start();",
            &["RTE", "MLE"],
        ),
        (
            "var kept = new java.util.ArrayList<byte[]>(); for (;;) kept.add(new byte[1 << 20]);",
            &["RTE", "MLE"],
        ),
        ("for (;;) { }", &["TLE"]),
        ("for (;;) System.out.println(\"and so on\");", &["OLE", "TLE"]),
        (
            "Runtime.getRuntime().addShutdownHook(new Thread(() -> { for (;;) { } })); System.out.println(3);",
            &["TLE"],
        ),
        ("System.out.println(3); Runtime.getRuntime().halt(1);", &["RTE"]),
    ];
    if Command::new("javac").arg("-version").output().is_err() {
        skip(
            "javac is missing, so hostile programs in Java are not judged; install default-jdk-headless",
        );
        return;
    }
    // One program for all cases: the compiler takes longer than most of them.
    let repo = Repo::new();
    repo.problem("sum", "name: Sum\n", &[]);
    let mut source = vec![
        "class Main { public static void main(String[] a) {\n\
         int choice = new java.util.Scanner(System.in).nextInt();\n"
            .to_owned(),
    ];
    for (number, (body, _)) in table.iter().enumerate() {
        let case = format!("cases/sum/data/secret/{number}");
        repo.file(&format!("{case}.in"), format!("{number}\n")).file(&format!("{case}.ans"), "3\n");
        source.push(format!("if (choice == {number}) {{ {body} }}\n"));
    }
    repo.file("solutions/sum/Main.java", source.concat() + "} }\n");
    let found = repo.verdicts(&["-m", "256", "-t", "3"]);
    assert_eq!(found.len(), table.len(), "{found:?}");
    for (found, (body, verdicts)) in found.iter().zip(table) {
        let verdict = found.split(' ').nth(2).unwrap_or_default();
        assert!(verdicts.contains(&verdict), "{found}: {body}");
    }
}
