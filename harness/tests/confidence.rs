//! The reliability of time limits: factors that scale them, and runs close to them.

use crate::support::Repo;
use serde_json::Value;

/// The lines of one type in a JSON report.
fn lines(report: &str, kind: &str) -> Vec<Value> {
    let lines = report.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.filter(|line: &Value| line["type"] == kind).collect()
}

#[test]
fn factors_of_the_command_line_and_of_the_language_scale_the_time_limits() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong_answer/silent.rs", "fn main() {}\n")
        .file("rejudge.toml", "[languages.rust]\ntime_factor = 2\n");
    let limits = |args: &[&str]| {
        let args = [&["run", "--json", "-"], args].concat();
        let ran = repo.run(&args);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let limits = lines(&ran.stdout, "submission")[0]["limits"].clone();
        ["cpu_ms", "wall_ms", "time_factor"].map(|key| limits[key].to_string())
    };
    assert_eq!(limits(&[]), ["4000.0", "12000.0", "2.0"]);
    assert_eq!(limits(&["--time-factor", "1.5"]), ["6000.0", "18000.0", "3.0"]);
    let mut command = repo.command(&["run", "-v", "--time-factor", "1.5"]);
    let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(shown.contains(", time factor 3\n"), "{shown}");
    repo.file("rejudge.toml", "[languages.rust]\ntime_factor = 0\n");
    let ran = repo.run(&["run"]);
    let expected =
        "error: `time_factor` of language `rust` must be above 0 and at most 1000, got `0`\n";
    assert_eq!((ran.stderr.as_str(), ran.status), (expected, 2));
}

/// The time limit of most tests, in seconds.
const LIMIT: f64 = 0.15;

/// A program that computes until its CPU clock has reached a multiple of [`LIMIT`], for example `1.2` if it runs on
/// several cores and `0.5` if it is pinned to one.
fn spin(on_several: f64, on_one: f64) -> String {
    spin_of(LIMIT, on_several, on_one)
}

/// The same for another limit.
fn spin_of(limit: f64, on_several: f64, on_one: f64) -> String {
    format!(
        "extern \"C\" {{ fn clock() -> i64; }}
        fn main() {{
            let cores = std::thread::available_parallelism().unwrap().get();
            let share = if cores == 1 {{ {on_one:?} }} else {{ {on_several:?} }};
            // In POSIX, `CLOCKS_PER_SEC` is always a million.
            while (unsafe {{ clock() }} as f64) < share * {limit:?} * 1e6 {{}}
            println!(\"3\");
        }}\n"
    )
}

/// Problem `sum` with `count` equal cases, a time limit of [`LIMIT`], and this solution.
fn near_limit(count: usize, solution: &str) -> Repo {
    near(LIMIT, count, solution)
}

/// The same with another limit.
fn near(limit: f64, count: usize, solution: &str) -> Repo {
    let repo = Repo::new();
    let names: Vec<String> = (0..count).map(|index| format!("secret/{index:02}")).collect();
    let cases: Vec<(&str, &str, &str)> =
        names.iter().map(|name| (name.as_str(), "1 2\n", "3\n")).collect();
    let yaml = format!("name: Sum\nlimits:\n  time_limit: {limit}\n");
    repo.problem("sum", &yaml, &cases);
    repo.file("solutions/sum/a.rs", solution);
    repo
}

/// The verdict of each case, and how it was confirmed.
fn verdicts(repo: &Repo, args: &[&str]) -> Vec<(String, Option<String>)> {
    // On a busy machine the program may have to wait long for its CPU time.
    let ran = repo.run(&[&["run", "--json", "-", "--wall-limit", "60"], args].concat());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let cases = lines(&ran.stdout, "case").into_iter();
    cases.map(|case| (text(&case["verdict"]).unwrap(), text(&case["confirmed"]))).collect()
}

#[test]
fn a_run_close_to_its_limit_is_repeated_alone_on_one_core() {
    if std::thread::available_parallelism().unwrap().get() == 1 {
        crate::support::skip("there is only one core, so nothing can run in parallel");
        return;
    }
    let pinned = Some("pinned".to_owned());
    let table = [
        (spin(1.2, 1.2), ("TLE".to_owned(), pinned.clone())),
        // The run alone decides.
        (spin(1.2, 0.5), ("AC".to_owned(), pinned.clone())),
        // Far from the limit, on either side, there is no repeat.
        (spin(0.5, 1.2), ("AC".to_owned(), None)),
        (spin(2.0, 0.5), ("TLE".to_owned(), None)),
    ];
    for (solution, expected) in table {
        let repo = near_limit(1, &solution);
        let found = verdicts(&repo, &["-j", "2"]);
        if found[0].1.as_deref() == Some("alone") && expected.1 == pinned {
            crate::support::skip_even_in_ci("the machine is busy, so nothing is kept on one core");
            continue;
        }
        assert_eq!(found, [expected], "{solution}");
    }
    // A run slightly below the limit counts as close to it. Its distance is so small that either verdict is possible.
    let within = verdicts(&near_limit(1, &spin(0.97, 0.97)), &["-j", "2"]);
    assert!(within[0].1.is_some(), "{within:?}");
    let repo = near_limit(1, &spin(1.2, 1.2));
    assert_eq!(verdicts(&repo, &["-j", "1"]), [("TLE".to_owned(), None)]);
    let ran = repo.run(&["run", "-j", "2", "--wall-limit", "60", "--junit", "report.xml"]);
    // On a busy machine the run is not pinned.
    let text = ran.stdout.replace(", pinned to a core", "");
    let words = "confirmed by a run alone; in parallel with other cases CPU # s, wall # s\n";
    assert!(text.contains(words), "{text}");
    assert!(repo.read("report.xml").contains("confirmation: confirmed by a run alone"));
}

#[test]
fn after_enough_confirmations_there_are_no_more_repeats() {
    // With a short limit, because each of the cases is run twice.
    let repo = near(0.06, 18, &spin_of(0.06, 1.2, 1.2));
    let all = verdicts(&repo, &["-j", "2"]);
    assert!(all.iter().all(|(code, _)| code == "TLE"), "{all:?}");
    let believed = |how: &Option<String>| how.as_deref() == Some("believed");
    assert!(all.iter().any(|(_, how)| believed(how)), "{all:?}");
    assert!(!believed(&all[0].1), "{all:?}");
}

/// A program that computes for 0.8 times [`LIMIT`], or 1.5 times as long while other runs of it are active. This simulates a memory-bound program, which another busy core slows down, but not reliably. Each run adds a
/// byte to a file. The first `workers` runs wait for each other; every later run is alone.
fn slowed_down_by_others(runs: &str, workers: usize) -> String {
    format!(
        "extern \"C\" {{ fn clock() -> i64; }}
        fn main() {{
            let runs = std::path::Path::new({runs:?});
            let mut file = std::fs::File::options().append(true).open(runs).unwrap();
            std::io::Write::write_all(&mut file, b\"x\").unwrap();
            let count = || runs.metadata().unwrap().len();
            while count() < {workers} {{
                std::thread::sleep(std::time::Duration::from_millis(5));
            }}
            let share = if count() == {workers} {{ 1.2 }} else {{ 0.8 }};
            while (unsafe {{ clock() }} as f64) < share * {LIMIT:?} * 1e6 {{}}
            println!(\"3\");
        }}\n"
    )
}

#[test]
fn one_worker_per_core_gives_the_same_verdicts_as_one_worker() {
    let workers = std::thread::available_parallelism().unwrap().get().min(4);
    if workers == 1 {
        crate::support::skip("there is only one core, so nothing can run in parallel");
        return;
    }
    let repo = near_limit(workers, "");
    let runs = repo.path("runs");
    let solution = slowed_down_by_others(runs.to_str().unwrap(), workers);
    repo.file("solutions/sum/a.rs", solution);
    let judge = |jobs: usize, earlier: usize| {
        repo.file("runs", "x".repeat(earlier));
        // In the sandbox, a run would not see the other runs.
        verdicts(&repo, &["-j", &jobs.to_string(), "--sandbox", "off"])
    };
    let accepted = |runs: Vec<(String, Option<String>)>, confirmed: bool| {
        runs.len() == workers
            && runs.iter().all(|(code, how)| code == "AC" && how.is_some() == confirmed)
    };
    assert!(accepted(judge(1, workers), false));
    assert!(accepted(judge(workers, 0), true));
}

/// A program whose first `deaths` runs kill themselves. All runs are counted in a file.
fn killed_first(runs: &str, deaths: usize, end: &str) -> String {
    format!(
        "extern \"C\" {{ fn getpid() -> i32; fn kill(pid: i32, signal: i32) -> i32; }}
        fn main() {{
            let runs = std::path::Path::new({runs:?});
            let mut file = std::fs::File::options().append(true).create(true).open(runs).unwrap();
            std::io::Write::write_all(&mut file, b\"x\").unwrap();
            if runs.metadata().unwrap().len() <= {deaths} {{
                unsafe {{ kill(getpid(), 9) }};
            }}
            {end}
        }}\n"
    )
}

#[test]
fn a_run_killed_from_outside_is_repeated_once_and_a_run_that_kills_itself_fails() {
    let accepts = "std::process::exit(42);";
    for (of_solution, of_validator, expected) in [
        (0, 0, ("AC", None)),
        (1, 0, ("AC", Some(true))),
        (2, 0, ("RTE", Some(true))),
        (0, 1, ("AC", None)),
        (0, 2, ("JE", None)),
    ] {
        let repo = near_limit(1, "");
        let file = |name: &str| repo.path(name).to_str().unwrap().to_owned();
        let solution = killed_first(&file("runs"), of_solution, "println!(\"3\");");
        let validator = killed_first(&file("checks"), of_validator, accepts);
        repo.file("solutions/sum/a.rs", solution)
            .file("cases/sum/output_validator/check.rs", validator);
        // In the sandbox, a run would not see the other runs.
        let ran = repo.run(&["run", "--json", "-", "--sandbox", "off"]);
        let case = &lines(&ran.stdout, "case")[0];
        let found = (case["verdict"].as_str().unwrap(), case["killed_by_others"].as_bool());
        assert_eq!(found, expected, "{case}");
        let runs = |name: &str| repo.read(name).len();
        assert_eq!(runs("runs"), 1 + usize::from(of_solution > 0), "{case}");
        if expected.0 != "RTE" {
            assert_eq!(runs("checks"), 1 + usize::from(of_validator > 0), "{case}");
        }
    }
}
