//! Interactive problems: every way in which an interaction can end, and its verdict.

use serde_json::Value;

use crate::support::{Repo, lacks};

/// An interactor that keeps the number of the input secret, answers guesses, and accepts the correct one.
const GUESS: &str = "read secret < \"$1\"
while read guess; do
  if [ \"$guess\" = \"$secret\" ]; then echo right; exit 42; fi
  if [ \"$guess\" -lt \"$secret\" ]; then echo higher; else echo lower; fi
done
echo 'the solution gave up' > \"$3judgemessage.txt\"
exit 43
";

/// A solution that guesses correctly.
const BISECT: &str = "low=1 high=100
while :; do
  middle=$(( (low + high) / 2 ))
  echo $middle
  read answer
  case $answer in
    right) exit 0;;
    higher) low=$((middle + 1));;
    lower) high=$((middle - 1));;
  esac
done
";

/// An interactor that rejects with a message.
const REJECT: &str = "echo 'no, never' > \"$3judgemessage.txt\"; exit 43";

const SPIN: &str = "while :; do :; done";

/// An interactor, a solution, and the expected result.
struct Specimen {
    name: &'static str,
    interactor: &'static str,
    solution: &'static str,
    verdict: &'static str,
}

const fn specimen(
    name: &'static str,
    interactor: &'static str,
    solution: &'static str,
    verdict: &'static str,
) -> Specimen {
    Specimen { name, interactor, solution, verdict }
}

/// A repository with a problem and a solution for each specimen.
fn repo(specimens: &[Specimen], extension: &str) -> Repo {
    let repo = Repo::new();
    for one in specimens {
        let name = one.name;
        repo.problem(
            name,
            "name: x\ntype: interactive\nlimits:\n  time_limit: 1\n  validation_time: 1\n",
            &[("secret/1", "37\n", "37\n")],
        );
        repo.file(&format!("cases/{name}/output_validator/talk.sh"), one.interactor);
        repo.file(&format!("solutions/{name}/x.{extension}"), one.solution);
    }
    repo
}

/// Judges all specimens in one run.
fn check(specimens: &[Specimen], extension: &str, args: &[&str]) {
    let found = repo(specimens, extension).verdicts(args);
    let mut expected: Vec<String> = specimens
        .iter()
        .map(|one| {
            let text = format!("{}/x.{extension} secret/1 {}", one.name, one.verdict);
            text.trim_end().to_owned()
        })
        .collect();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn every_end_of_an_interaction_has_its_verdict() {
    let message = "WA the solution gave up";
    check(
        &[
            specimen("good", GUESS, BISECT, "AC"),
            specimen("givesup", GUESS, "echo 1; read answer", message),
            specimen("silent", GUESS, "exit 0", message),
            specimen("crashes", GUESS, "echo 1; exit 3", "RTE exit code 3"),
            specimen("killed", GUESS, "kill -SEGV $$", "RTE signal 11 (SIGSEGV)"),
            // The interactor rejects first: everything that the solution does later does not count.
            specimen("refused", REJECT, "read x; exit 0", "WA no, never"),
            specimen("refusedcrash", REJECT, "read x || exit 9", "WA no, never"),
            specimen("refusedspin", REJECT, SPIN, "WA no, never"),
            specimen("refusedflood", REJECT, "exec cat /dev/zero", "WA no, never"),
            // The interactor accepts first: the end of the solution still counts.
            specimen("acceptedcrash", "exit 42", "read x; exit 4", "RTE exit code 4"),
            specimen("acceptedtalk", "exit 42", "read x; head -c 3000000 /dev/zero", "AC"),
            // Output that is not read breaks no pipe.
            specimen("deaf", "head -c 3000000 /dev/zero; exit 42", "exit 0", "AC"),
            specimen(
                "deafclosed",
                "exec < /dev/null; sleep 0.1; exit 42",
                "head -c 3000000 /dev/zero",
                "AC",
            ),
            // The solution sees the end of its input as soon as the interactor has ended.
            specimen(
                "closesandlistens",
                "echo 1; exec >&-; read answer; [ $answer = seen ] && exit 42; exit 43",
                "cat > /dev/null; echo seen",
                "AC",
            ),
            // The solution ends because the interactor closes its output, but before the interactor ends.
            specimen(
                "closesandwaits",
                "echo 1; exec >&-; read answer; exit 43",
                "cat > /dev/null; exit 6",
                "RTE exit code 6",
            ),
            specimen("endofinput", "echo 1; exit 42", "cat > /dev/null; exit 0", "AC"),
        ],
        "sh",
        // Long enough for a busy machine: only a deadlock may reach this limit.
        &["--wall-limit", "60"],
    );
}

#[test]
fn a_solution_is_ended_as_soon_as_the_interactor_has_rejected_or_failed() {
    const ASKS_FOREVER: &str = "trap '' PIPE; while :; do echo 1; read answer; done 2> /dev/null";
    let specimens = [
        specimen("crashes", "read x; exit 5", ASKS_FOREVER, "JE"),
        specimen("rejects", "read x; echo 1; read y; exit 43", ASKS_FOREVER, "WA"),
        specimen("spins", REJECT, SPIN, "WA"),
        specimen("waits", REJECT, "sleep 1000", "WA"),
    ];
    let repo = repo(&specimens, "sh");
    let long = ["--time-limit", "60", "--wall-limit", "600"];
    let ran = repo.run(&[&["run", "-j", "1", "--json", "-"], &long[..]].concat());
    let lines = ran.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let cases: Vec<Value> = lines.filter(|line| line["type"] == "case").collect();
    for (case, specimen) in cases.iter().zip(&specimens) {
        assert_eq!(case["verdict"], specimen.verdict, "{}: {case}", specimen.name);
        assert!(case["cpu_ms"].as_f64().unwrap() < 30_000.0, "{case}");
        assert!(case["wall_ms"].as_f64().unwrap() < 300_000.0, "{case}");
        assert!(case["signal"].is_null() && case["disturbed"].is_null(), "{case}");
    }
    assert_eq!(cases.len(), specimens.len());
}

#[test]
fn an_endless_dialogue_and_its_record_end_at_a_time_limit() {
    const TALKS_FOREVER: &str = "while read x; do echo 1; done; exit 43";
    const ASKS_FOREVER: &str = "while :; do echo 1; read answer; done";
    let specimens = [
        specimen("talks", TALKS_FOREVER, ASKS_FOREVER, ""),
        specimen("waits", TALKS_FOREVER, "read answer", ""),
    ];
    let repo = repo(&specimens, "sh");
    let ran = repo.run(&["run", "-j", "1", "--time-limit", "0.5", "--wall-limit", "1"]);
    let text = words(&ran.stdout);
    assert_eq!(text.matches("solution (killed: ").count(), 2, "{text}");
    // On a busy machine the wall time limit grows above that of idle time.
    let limits = ["wall time limit", "limit of idle time"];
    let ended = |limit: &str| text.contains(&format!("solution (killed: {limit} exceeded)"));
    assert!(limits.into_iter().any(ended), "{text}");
    assert!(!text.contains("from another run"), "{text}");
}

#[test]
fn messages_that_are_left_when_a_limit_ends_the_solution_do_not_matter() {
    // They would take the interactor hours.
    const THINKS: &str = "while read x; do sleep 0.01; done; exit 43";
    let specimens = [specimen("floods", THINKS, "exec yes 1", "")];
    let ran = repo(&specimens, "sh").run(&["run", "-j", "1", "--time-limit", "1"]);
    let text = words(&ran.stdout);
    assert!(text.contains(" TLE wall time above 3 s"), "{text}");
    assert!(text.contains("interactor (killed: the other program had ended)"), "{text}");
}

#[test]
fn a_solution_above_its_time_limit_gets_tle_for_any_later_result_of_the_interactor() {
    let repo = repo(&[specimen("spins", GUESS, SPIN, "")], "sh");
    let found = repo.verdicts(&["--time-limit", "0.2", "--wall-limit", "60"]);
    assert!(found[0].starts_with("spins/x.sh secret/1 TLE CPU time "), "{found:?}");
}

#[test]
fn a_deadlock_ends_at_the_wall_limit() {
    let table = [
        // Both programs wait for each other.
        specimen("bothwait", GUESS, "read x; exit 0", ""),
        // The interactor sees the end of its input only when the solution ends.
        specimen("closes", GUESS, "exec >&-; read x; exit 0", ""),
        specimen("sleeps", GUESS, "sleep 1000", ""),
    ];
    let found = repo(&table, "sh").verdicts(&["--wall-limit", "1"]);
    assert_eq!(found.len(), table.len());
    for case in found {
        assert!(case.contains("TLE wall time above 1 s"), "{case}");
    }
}

#[test]
fn a_deadlock_ends_long_before_a_long_wall_limit() {
    let specimens = [specimen("bothwait", GUESS, "read x; exit 0", "")];
    let repo = repo(&specimens, "sh");
    let ran = repo.run(&["run", "-j", "2", "--time-limit", "3", "--json", "-"]);
    let mut lines = ran.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let case = lines.find(|line| line["type"] == "case").unwrap();
    assert_eq!(case["verdict"], "TLE", "{case}");
    let reason = case["feedback"].as_str().unwrap();
    let expected =
        "for 3 s, neither the submission nor the interactor read, wrote or computed anything";
    assert!(reason.starts_with(expected), "{reason}");
    assert!(case["reruns"].is_null(), "it is certain: {case}");
}

#[test]
fn a_solution_that_does_not_flush_reaches_the_wall_limit() {
    if lacks("python3") {
        return;
    }
    let table = [
        specimen("noflush", GUESS, "import sys\nprint(37)\nsys.stdin.readline()\n", ""),
        specimen("flush", GUESS, "import sys\nprint(37, flush=True)\nsys.stdin.readline()\n", ""),
    ];
    let found = repo(&table[..1], "py").verdicts(&["--wall-limit", "1"]);
    assert!(found[0].contains("TLE wall time above 1 s"), "{found:?}");
    let found = repo(&table[1..], "py").verdicts(&["--wall-limit", "60"]);
    assert_eq!(found, ["flush/x.py secret/1 AC"]);
}

#[test]
fn a_broken_interactor_is_a_fault_of_ours() {
    let table = [
        specimen("exits", "echo why >&2; exit 0", "exit 0", "exited with 0"),
        specimen("crashes", "kill -SEGV $$", "exit 1", "was killed by signal 11"),
        specimen("spins", SPIN, "exit 0", "exceeded its CPU time limit"),
        specimen("deaf", "sleep 1000", "exit 0", "exceeded its wall time limit"),
    ];
    for one in table {
        // A busy loop reaches the CPU time limit first, on a busy machine too.
        let wall_limit = if one.name == "deaf" { "1" } else { "60" };
        let start = format!("{}/x.sh secret/1 JE the output validator {}", one.name, one.verdict);
        let settings = format!("cases/{}/problem.yaml", one.name);
        let repo = repo(&[one], "sh");
        let short = repo.read(&settings).replace("validation_time: 1", "validation_time: 0.2");
        let found = repo.file(&settings, short).verdicts(&["--wall-limit", wall_limit]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with(&start), "{found:?}");
    }
}

#[test]
fn an_interactive_problem_needs_an_interactor() {
    let repo = Repo::new();
    repo.problem("talk", "name: x\ntype: interactive\n", &[("secret/1", "1\n", "1\n")]);
    repo.file("solutions/talk/x.sh", "exit 0");
    let ran = repo.run(&["run"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stdout.contains("the problem is interactive but has no output validator"),
        "{}",
        ran.all()
    );
}

/// The text without the times.
fn words(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_transcript_shows_the_whole_interaction() {
    let repo = repo(&[specimen("good", GUESS, BISECT, "AC")], "sh");
    let ran = repo.run(&["run", "--transcript"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let text = words(&ran.stdout);
    let said = "# s solution 50\n# s interactor lower\n# s solution 25\n# s interactor higher\n\
                # s solution 37\n# s interactor right\n";
    assert!(text.contains(said), "{text}");
    assert!(text.contains("interactor (exited with code 42)"), "{text}");
    assert!(text.contains("solution (exited with code 0)"), "{text}");
    let json = repo.command(&["run", "--json", "-", "--transcript"]).output();
    let json = String::from_utf8(json.unwrap().stdout).unwrap();
    assert!(json.contains("solution    50\\n"), "{json}");
    let json = repo.command(&["run", "--json", "-"]).output().unwrap();
    let json = String::from_utf8(json.stdout).unwrap();
    assert!(json.contains("\"AC\"") && !json.contains("transcript"), "{json}");
}

#[test]
fn the_end_of_the_transcript_is_shown_for_a_failed_case() {
    let chatty =
        "i=1\nwhile [ $i -le 30 ]; do echo $i; read x; i=$((i+1)); done\nprintf 'st\\033[2Jop'";
    let repo = repo(&[specimen("fails", GUESS, chatty, "")], "sh");
    let ran = repo.run(&["run", "--wall-limit", "60"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let text = words(&ran.stdout);
    assert!(text.contains("secret/1 WA"), "{text}");
    assert!(text.contains("end of the transcript:\n… 4"), "{text}");
    assert!(!text.contains("solution 20\n"), "{text}");
    assert!(text.contains("# s solution 30\n# s interactor higher\n"), "{text}");
    assert!(text.contains("solution st\\x1b[2Jop (no newline)"), "{text}");
}
