//! The same program many times: the sandbox foresees the next run while one goes on, and nobody may notice.

use std::collections::HashSet;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rejudge_sandbox::Bytes;
use rejudge_sandbox::{Execution, Exit, Input, LimitKind, Protection, SandboxError};
use rustix::process::geteuid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::early_runs::launcher;
use crate::fixture::{Fixture, programs, scaled, sh};
use crate::{shape, support};

fn said(execution: &Execution) -> String {
    String::from_utf8_lossy(execution.stdout.as_slice().unwrap()).into_owned()
}

fn write_script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn every_run_is_like_the_first() {
    let mut fixture = Fixture::new();
    let job = sh(
        &fixture,
        "ls -A . /tmp; set -- /proc/[0-9]*; echo $#; cat /dev/stdin; touch left ../left; sleep 100 & exit 3",
    );
    let folder = tempfile::tempdir().unwrap();
    let inputs: Vec<_> = (0..6)
        .map(|number| {
            let input = folder.path().join(number.to_string());
            fs::write(&input, format!("input {number}\n")).unwrap();
            input
        })
        .collect();
    let mut first = None;
    for (number, input) in inputs.iter().enumerate() {
        let input = Input::File(File::open(input).unwrap());
        let execution = fixture.run(&job, input).unwrap();
        assert_eq!(execution.exit, Exit::Code(3), "run {number}");
        let said = said(&execution);
        let (seen, input) = said.split_once("input ").unwrap();
        assert_eq!(input, format!("{number}\n"));
        let first = first.get_or_insert_with(|| seen.to_owned());
        assert_eq!(seen, first, "run {number}");
    }
}

#[test]
fn limits_hold_in_every_run() {
    let mut fixture = Fixture::new();
    let mut asleep = sh(&fixture, "sleep 100");
    asleep.limits.wall_time = Duration::from_millis(100);
    let mut busy = sh(&fixture, "while :; do :; done");
    busy.limits.cpu_time = Duration::from_millis(100);
    busy.limits.cpu_kill = busy.limits.cpu_time;
    for (job, limit) in [(asleep, LimitKind::Wall), (busy, LimitKind::Cpu)] {
        for number in 0..4 {
            let execution = fixture.run(&job, Input::Empty).unwrap();
            assert_eq!(execution.exit, Exit::Killed(limit), "run {number}");
        }
    }
}

#[test]
fn a_program_that_was_replaced_is_not_run_again() {
    let mut fixture = Fixture::new();
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    write_script(&program, "echo old");
    let mut job = sh(&fixture, "");
    job.argv = vec![program.clone().into()];
    for _ in 0..3 {
        assert_eq!(said(&fixture.run(&job, Input::Empty).unwrap()), "old\n");
    }
    let other = folder.path().join("other");
    write_script(&other, "echo new");
    fs::rename(&other, &program).unwrap();
    for _ in 0..3 {
        assert_eq!(said(&fixture.run(&job, Input::Empty).unwrap()), "new\n");
    }
    // The process for the next run is there already, and the file is still the same.
    fs::set_permissions(&program, Permissions::from_mode(0o644)).unwrap();
    for _ in 0..3 {
        let error = fixture.run(&job, Input::Empty).unwrap_err();
        assert!(matches!(error, SandboxError::Setup { .. }), "{error}");
    }
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    assert_eq!(said(&fixture.run(&job, Input::Empty).unwrap()), "new\n");
}

#[test]
fn a_program_that_somebody_still_has_open_for_writing_is_waited_for() {
    let mut fixture = Fixture::new();
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    write_script(&program, "echo written");
    let job = fixture.job(program.to_str().unwrap());
    // Two runs: the process of the first is new, that of the second was waiting.
    for _ in 0..2 {
        let writer = fs::File::options().append(true).open(&program).unwrap();
        let closing = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(200));
            drop(writer);
        });
        assert_eq!(said(&fixture.run(&job, Input::Empty).unwrap()), "written\n");
        closing.join().unwrap();
    }
}

#[test]
fn a_run_that_was_not_prepared_has_the_same_result() {
    let mut fixture = Fixture::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let one = sh(&fixture, "echo one; touch left");
    let mut other = sh(&fixture, &format!("cat {}; ls -A", file.display()));
    other.readable = vec![file.clone()];
    for number in 0..3 {
        for _ in 0..3 {
            assert_eq!(said(&fixture.run(&one, Input::Empty).unwrap()), "one\n");
        }
        // Missing at first, then made while a process waits that would not see it.
        let _ = fs::remove_file(&file);
        for _ in 0..3 {
            assert_eq!(said(&fixture.run(&other, Input::Empty).unwrap()), "");
        }
        fs::write(&file, number.to_string()).unwrap();
        for _ in 0..3 {
            let execution = fixture.run(&other, Input::Empty).unwrap();
            assert_eq!(said(&execution), number.to_string());
        }
    }
}

/// What a program can see of earlier runs: process numbers, files, its own settings, and the attributes of its folders.
const LOOK: &str = "echo $$ * /tmp/* /tmp/.[!.]*; pwd; umask; ulimit -n; sh -c 'echo $$'; exec stat -c '%n %a %u %g %h %s %X %Y' /tmp .";

/// Leaves no trace: it creates no process and no file. Shows when the folders were made.
const AGE: &str = "exec stat -c %z /tmp";

#[test]
fn no_trace_of_a_run_reaches_another() {
    look_for_traces();
}

#[test]
fn no_trace_of_a_run_reaches_another_of_the_same_fork_server() {
    on_one_processor(look_for_traces);
}

/// On a single processor, the launcher always uses fork servers. On several, it does not while other programs keep them
/// busy.
fn on_one_processor(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let all = sched_getaffinity(None).unwrap();
            let mut one = CpuSet::new();
            one.set((0..CpuSet::MAX_CPU).find(|&one| all.is_set(one)).unwrap());
            sched_setaffinity(None, &one).unwrap();
            test();
        });
    });
}

fn look_for_traces() {
    let mut fixture = Fixture::new();
    let mut run = |script: &str| said(&fixture.run(&sh(&fixture, script), Input::Empty).unwrap());
    let first = run(LOOK);
    assert!(first.starts_with("2 "), "{first}");
    let traces = [
        "echo more > file",
        "echo more > /tmp/file",
        "exec mkdir folder",
        "exec chmod 711 .",
        "exec touch -d @1000 .",
        "exec ln -s run /tmp/link",
        "echo one > file; exec rm file",
        ": & wait",
        "sleep 100 &",
        "sh -c 'sleep 100 & exit 0'",
        "kill -9 $$",
        "umask 077; ulimit -n 100; cd /",
    ];
    for trace in traces {
        // Until the folders of earlier runs are used.
        let ages: HashSet<String> = (0..8).map(|_| run(AGE)).collect();
        assert!(ages.len() < 8, "before `{trace}`: {ages:?}");
        for _ in 0..2 {
            run(trace);
        }
        for number in 0..3 {
            assert_eq!(run(LOOK), first, "run {number} after `{trace}`");
        }
    }
}

#[test]
fn no_mark_of_a_run_is_found_in_what_the_runs_of_a_cell_share() {
    let Some(programs) = programs() else { return };
    // Below `/tmp`, each cell has folders of its own above what it shows.
    let base = tempfile::tempdir_in("/tmp").unwrap();
    let folder = base.path().join("deep");
    fs::create_dir(&folder).unwrap();
    for folder in [base.path(), &folder] {
        fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    }
    let program = folder.join("carry");
    fs::copy(programs.join("carry"), &program).unwrap();
    look_for_marks(&program);
    on_one_processor(|| look_for_marks(&program));
}

/// The kinds of marks that the program leaves.
const MARKS: [&str; 8] =
    ["numbers", "modes", "times", "touch", "files", "modes above", "times above", "files above"];

fn look_for_marks(program: &Path) {
    const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
    let times = || {
        DEVICES.map(|name| {
            let data = fs::metadata(Path::new("/dev").join(name)).unwrap();
            (data.mode(), data.atime_nsec(), data.mtime_nsec())
        })
    };
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        let keeps = fixture.facts().has(Protection::BoundedFolder);
        let before = times();
        let mut run = |how: &str| {
            let mut job = fixture.job("/");
            job.argv = vec![program.into(), how.into()];
            let execution = fixture.run(&job, Input::Empty).unwrap();
            let what = format!("{how} under {}", shape.name);
            assert_eq!(execution.exit, Exit::Code(0), "{what}");
            said(&execution)
        };
        for how in MARKS {
            // Until cells are used again; there may be two of them.
            for _ in 0..8 {
                run("nothing");
            }
            for _ in 0..4 {
                run(how);
            }
            for number in 0..3 {
                // Without a mount namespace, these are the files of the machine.
                let found = run("look");
                assert!(!keeps || found.is_empty(), "{how}, run {number}: {found}");
            }
        }
        assert_eq!(times(), before, "times of devices under {}", shape.name);
    }
}

/// The process that starts programs. Without the rights of root, it is the only child of the process that the judge started.
fn forking_launcher(fixture: &mut Fixture) -> i32 {
    let launcher = launcher(fixture);
    if geteuid().is_root() {
        return launcher;
    }
    let children = fs::read_to_string(format!("/proc/{launcher}/task/{launcher}/children"));
    children.unwrap().trim().parse().unwrap()
}

/// The fork servers, which are the further threads of the launcher.
fn fork_servers(fixture: &mut Fixture) -> HashSet<String> {
    let launcher = forking_launcher(fixture);
    let threads = fs::read_dir(format!("/proc/{launcher}/task")).unwrap();
    let names = threads.map(|thread| thread.unwrap().file_name().into_string().unwrap());
    names.filter(|name| *name != launcher.to_string()).collect()
}

/// The lines about capabilities of the processes that wait to become a program: each is the second one of its namespace.
fn capabilities_of_waiting_processes(fixture: &mut Fixture) -> Vec<Vec<String>> {
    let launcher = forking_launcher(fixture);
    let threads = fs::read_dir(format!("/proc/{launcher}/task")).unwrap();
    let children = threads.filter_map(|thread| {
        let list = thread.unwrap().path().join("children");
        fs::read_to_string(list).ok()
    });
    let children: String = children.collect();
    let status = |child: &str| fs::read_to_string(format!("/proc/{child}/status")).ok();
    let all = children.split_whitespace().filter_map(status);
    let waiting = all.filter(|status| {
        let mut numbers = status.lines().filter(|line| line.starts_with("NSpid:"));
        numbers.any(|line| line.ends_with("\t2"))
    });
    let capabilities = |status: String| {
        let lines = status.lines().filter(|line| line.starts_with("Cap"));
        lines.map(str::to_owned).collect()
    };
    waiting.map(capabilities).collect()
}

/// Tries this where the launcher uses fork servers, unless the machine lacks what they need.
fn with_fork_servers(test: impl FnOnce(&mut Fixture) + Send) {
    on_one_processor(|| {
        let mut fixture = Fixture::new();
        let facts = fixture.facts();
        let needed = [Protection::PidNamespace, Protection::BoundedFolder, Protection::Seccomp];
        if needed.into_iter().all(|wall| facts.has(wall)) {
            test(&mut fixture);
        }
    });
}

fn run_often(fixture: &mut Fixture, script: &str) {
    for _ in 0..8 {
        fixture.run(&sh(fixture, script), Input::Empty).unwrap();
    }
}

#[test]
fn a_fork_server_lives_as_long_as_its_programs_leave_nothing() {
    with_fork_servers(|fixture| {
        for (script, lives) in [
            ("exec true", true),
            ("echo more > file", false),
            ("exec true", true),
            (": & wait", false),
        ] {
            run_often(fixture, script);
            let before = fork_servers(fixture);
            assert_eq!(before.is_empty(), !lives, "{before:?} after `{script}`");
            run_often(fixture, script);
            let after = fork_servers(fixture);
            assert_eq!(before, after, "after more of `{script}`");
        }
    });
}

/// Otherwise, the CPU time of a program would depend on which program ran before it.
#[test]
fn nothing_is_prepared_for_programs_that_start_alike() {
    with_fork_servers(|fixture| {
        run_often(fixture, "exec true");
        assert_eq!(fork_servers(fixture).len(), 1);
        fixture.runner().start_all_alike();
        run_often(fixture, "exec true");
        assert_eq!(fork_servers(fixture), HashSet::new());
        assert!(capabilities_of_waiting_processes(fixture).is_empty());
    });
}

#[test]
fn a_process_of_a_fork_server_waits_without_rights() {
    with_fork_servers(|fixture| {
        run_often(fixture, "exec true");
        let none = |line: &String| line.ends_with("\t0000000000000000");
        // It gives up the last one soon after it was created.
        let deadline = Instant::now() + scaled(Duration::from_secs(10));
        loop {
            let waiting = capabilities_of_waiting_processes(fixture);
            if waiting.len() == 1 && waiting[0].len() == 5 && waiting[0].iter().all(none) {
                return;
            }
            assert!(Instant::now() < deadline, "{waiting:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

#[test]
fn a_launcher_outlives_the_thread_that_started_it() {
    on_one_processor(|| {
        let begin = || {
            let mut fixture = Fixture::new();
            let job = sh(&fixture, "exec true");
            for _ in 0..8 {
                fixture.run(&job, Input::Empty).unwrap();
            }
            fixture
        };
        let mut fixture = std::thread::scope(|scope| scope.spawn(begin).join().unwrap());
        let before = launcher(&mut fixture);
        for _ in 0..8 {
            let job = sh(&fixture, "exec true");
            let execution = fixture.run(&job, Input::Empty).unwrap();
            assert_eq!(execution.exit, Exit::Code(0));
        }
        // One that was killed is replaced.
        assert_eq!(launcher(&mut fixture), before);
    });
}

#[test]
fn programs_of_a_fork_server_have_their_limits_inputs_and_rights() {
    on_one_processor(|| {
        let mut fixture = Fixture::new();
        // The calls behind the filter, the rights, the limits, and the signals that are blocked or ignored.
        let mut job = sh(
            &fixture,
            "ulimit -a; exec grep -E '^(Cap|Sig[PBIC]|NoNewPrivs|Seccomp|[UG]id|Groups|Cpus_allowed:|N.pid|N.sid)' /proc/self/status",
        );
        let first = said(&fixture.run(&job, Input::Empty).unwrap());
        assert!(first.contains("Seccomp:\t2"), "{first}");
        for number in 0..8 {
            let again = said(&fixture.run(&job, Input::Empty).unwrap());
            assert_eq!(again, first, "run {number}");
        }
        job.argv.pop();
        job.argv.push("exec cat /dev/stdin".into());
        let inputs = tempfile::tempdir().unwrap();
        let long = "x".repeat(65 << 20);
        // The copy of a long one is a file with a name, for which Landlock needs a rule.
        job.limits.output = Bytes::mib(256);
        job.limits.cpu_time = scaled(Duration::from_secs(10));
        job.limits.cpu_kill = job.limits.cpu_time;
        for (number, text) in
            ["a", "b", "c", "d", "e", &long, "f", &long, &long, "g"].iter().enumerate()
        {
            let path = inputs.path().join("input");
            fs::write(&path, text).unwrap();
            let input = Input::File(File::open(&path).unwrap());
            let execution = fixture.run(&job, input).unwrap();
            assert_eq!(execution.exit, Exit::Code(0), "run {number}");
            assert_eq!(execution.usage.output.get(), text.len() as u64, "run {number}");
        }
    });
}

/// As in most containers.
#[test]
fn where_process_numbers_cannot_be_set_back_there_is_no_fork_server_and_no_trace() {
    const WITHIN: &str = "REJUDGE_TEST_PROC_SYS_IS_READ_ONLY";
    if std::env::var_os(WITHIN).is_some() {
        on_one_processor(|| {
            let mut fixture = Fixture::new();
            for _ in 0..8 {
                fixture.run(&sh(&fixture, "exec true"), Input::Empty).unwrap();
            }
            assert_eq!(fork_servers(&mut fixture), HashSet::new());
            look_for_traces();
        });
        return;
    }
    if !geteuid().is_root() {
        // Everybody else mounts a `/proc` of their own.
        return;
    }
    let within = |program: &Path, arguments: &[&str]| {
        let script = "mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys && exec \"$0\" \"$@\"";
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", script]).arg(program);
        command.args(arguments).env(WITHIN, "1").output()
    };
    if !within(Path::new("true"), &[]).is_ok_and(|tried| tried.status.success()) {
        support::skip(
            "`unshare` and `mount` do not work here, so the sandbox is not tried with a read-only `/proc/sys`; \
             install util-linux, and run the tests as root of the machine",
        );
        return;
    }
    let test = std::thread::current().name().unwrap().to_owned();
    let tested = within(&std::env::current_exe().unwrap(), &["--exact", &test]).unwrap();
    let said = String::from_utf8_lossy(&tested.stdout);
    assert!(said.contains("1 passed"), "{tested:?}");
}

#[test]
fn each_run_has_its_own_arguments() {
    let mut fixture = Fixture::new();
    for number in 0..6 {
        let script = format!("echo {number}");
        let execution = fixture.run(&sh(&fixture, &script), Input::Empty).unwrap();
        assert_eq!(said(&execution), format!("{number}\n"));
    }
    let long = "x".repeat(100_000);
    for number in 0..3 {
        let script = format!("echo {number}; # {long}");
        let execution = fixture.run(&sh(&fixture, &script), Input::Empty).unwrap();
        assert_eq!(said(&execution), format!("{number}\n"));
    }
}

#[test]
fn a_killed_run_takes_no_file_from_the_next_ones() {
    /// A de Bruijn sequence: its bits have every order of five killed runs and others.
    const EVERY_ORDER: u32 = 0x077C_B531;
    let mut fixture = Fixture::new();
    // Not in `/tmp`: there each cell has mount points of its own, and here all share them.
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let program = folder.path().join("program");
    write_script(&program, "[ \"$1\" = killed ] && while :; do :; done; echo \"$1\"");
    let mut job = sh(&fixture, "");
    job.limits.cpu_time = Duration::from_millis(20);
    job.limits.cpu_kill = job.limits.cpu_time;
    let launcher = format!("{:?}", fixture.runner());
    let ended = AtomicBool::new(false);
    std::thread::scope(|neighbours| {
        // Where a program starts, and so when the launcher prepares the next run, depends on what is busy.
        for _ in 0..2 {
            neighbours.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let _end = EndOnDrop(&ended);
        for place in 0..u32::BITS {
            let killed = EVERY_ORDER >> place & 1 == 1;
            let argument = if killed { "killed" } else { "ends" };
            job.argv = vec![program.clone().into(), argument.into()];
            let execution = fixture.run(&job, Input::Empty).unwrap();
            if killed {
                assert_eq!(execution.exit, Exit::Killed(LimitKind::Cpu));
            } else {
                assert_eq!(said(&execution), "ends\n", "{execution:?}");
            }
        }
    });
    // A launcher that fails to start a program is replaced.
    assert_eq!(format!("{:?}", fixture.runner()), launcher);
}

/// Ends the neighbours of a test, also when it fails.
struct EndOnDrop<'a>(&'a AtomicBool);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn the_next_program_does_not_see_the_paths_of_the_last_one() {
    let mut fixture = Fixture::new();
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let program = folder.path().join("program");
    write_script(&program, "echo ran");
    let mut first = sh(&fixture, "");
    first.argv = vec![program.into()];
    let place = folder.path().display();
    let next = sh(&fixture, &format!("[ -e '{place}' ] && echo seen; echo end"));
    // Once, with a second process prepared, and in a cell that was used before.
    for times in [1, 2, 4] {
        for _ in 0..times {
            let execution = fixture.run(&first, Input::Empty).unwrap();
            assert_eq!(said(&execution), "ran\n", "{execution:?}");
        }
        let execution = fixture.run(&next, Input::Empty).unwrap();
        assert_eq!(said(&execution), "end\n", "after {times} runs");
    }
}
