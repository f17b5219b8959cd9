//! What becomes of programs that go for a limit, by theme, under every back end; and of those that only come near.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use rejudge_sandbox::Bytes;
use rejudge_sandbox::Protection::{
    BoundedFolder, CpuAccount, MemoryGroup, PidNamespace, ProcessGroup,
};
use rejudge_sandbox::{Exit, Input, Job, LimitKind, Protection};

use crate::fixture::{Fixture, input, programs, scaled, sh};
use crate::shape::{self, MachineShape};

const CPU: Exit = Exit::Killed(LimitKind::Cpu);
const WALL: Exit = Exit::Killed(LimitKind::Wall);
pub(crate) const MEMORY: Exit = Exit::Killed(LimitKind::Memory);
const OUTPUT: Exit = Exit::Killed(LimitKind::Output);
const PROCESSES: Exit = Exit::Killed(LimitKind::Processes);

/// Runs each program under every back end that has what it takes, the innocent one after each. `look` sees the first
/// bytes of what it printed.
pub(crate) fn expect(
    needs: &[Protection],
    table: &[(&str, Exit)],
    change: impl Fn(&mut Job),
    look: impl Fn(&str, &[u8]),
) {
    expect_in(&shape::all(), needs, table, change, look);
}

fn expect_in(
    shapes: &[MachineShape],
    needs: &[Protection],
    table: &[(&str, Exit)],
    change: impl Fn(&mut Job),
    look: impl Fn(&str, &[u8]),
) {
    if programs().is_none() {
        return;
    }
    for shape in shapes {
        let mut fixture = Fixture::in_shape(shape);
        if !needs.iter().all(|&need| fixture.facts().has(need)) {
            shape.tell_weak(&format!("{table:?}"));
            continue;
        }
        for &(program, exit) in table {
            let what = format!("{program} under {}", shape.name);
            let mut job = fixture.job(program);
            change(&mut job);
            let large = [&b"1 2\n"[..], &vec![b'1'; 4 << 20]].concat();
            let execution = fixture.run(&job, input(&large)).unwrap();
            assert_eq!(execution.exit, exit, "{what}: {:?}", execution.usage);
            // What is said of memory and the figure beside it never differ.
            let above = execution.usage.peak_memory > job.limits.memory;
            assert!(!above || exit == MEMORY, "{what}: {:?}", execution.usage);
            look(&what, execution.stdout.as_slice().unwrap_or_default());
            fixture.is_clean(&what);
            fixture.innocent_is_unaffected(&what);
        }
    }
}

/// All of `programs` come to the same end.
pub(crate) fn all_end(
    needs: &[Protection],
    programs: &[&str],
    exit: Exit,
    change: impl Fn(&mut Job),
) {
    let table: Vec<_> = programs.iter().map(|&program| (program, exit)).collect();
    expect(needs, &table, change, |_, _| {});
}

/// Enough CPU time that another limit comes first.
pub(crate) fn patient(job: &mut Job) {
    job.limits.cpu_time = scaled(Duration::from_secs(10));
    job.limits.cpu_kill = job.limits.cpu_time;
}

#[test]
fn cpu() {
    let programs = [
        "spin",
        "spin_silent",
        "spin_deaf",
        "spin_in_child",
        "spin_daemon",
        "exit_on_signal",
        "spin_without_leader",
        "spin_executed",
        "spin_beside",
    ];
    all_end(&[], &programs, CPU, |_| {});
}

#[test]
fn the_cpu_time_of_children_that_no_process_waits_for_counts() {
    // Without an account nothing in the system knows of this time, and the wall limit ends it.
    all_end(&[CpuAccount], &["spin_by_turns"], CPU, |_| {});
}

#[test]
fn wall() {
    let programs = ["sleep", "stop_self", "poll_forever", "slow_writer", "answer_then_sleep"];
    all_end(&[], &programs, WALL, |job| {
        job.limits.wall_time = scaled(Duration::from_millis(100));
    });
}

#[test]
fn output() {
    all_end(&[], &["flood_stdout", "flood_stderr"], OUTPUT, patient);
}

#[test]
fn files_together_have_the_limit_of_one_file_and_a_full_folder_is_no_output() {
    let script = "for i in 1 2 3; do head -c 9000000 /dev/zero >f$i || echo full; done";
    let mut fixture = Fixture::new();
    if !fixture.facts().has(BoundedFolder) {
        return;
    }
    let mut job = sh(&fixture, script);
    patient(&mut job);
    let execution = fixture.run(&job, Input::Empty).unwrap();
    assert_eq!(execution.exit, Exit::Code(0));
    assert_eq!(execution.stdout.as_slice(), Some(&b"full\nfull\n"[..]));
}

#[test]
fn when_memory_is_short_the_kernel_kills_the_program_and_never_the_launcher() {
    let mut fixture = Fixture::new();
    if !fixture.facts().has(MemoryGroup) {
        return;
    }
    let usual = fs::read_to_string("/proc/self/oom_score_adj").unwrap();
    // It gets its score soon after its start.
    let script = r#"until read score < /proc/$$/oom_score_adj; [ "$score" = 1000 ]; do :; done"#;
    let job = sh(&fixture, script);
    let over = AtomicBool::new(false);
    let looks = AtomicUsize::new(0);
    thread::scope(|scope| {
        let look = scope.spawn(|| {
            let mut scores = HashSet::new();
            while !over.load(Ordering::Relaxed) {
                scores.extend(
                    launchers().flat_map(|path| fs::read_to_string(path.join("oom_score_adj"))),
                );
                looks.fetch_add(1, Ordering::Relaxed);
            }
            scores
        });
        // From the third one on, a process waits for each run. On a busy machine, the other thread starts to look late.
        let mut runs = Vec::new();
        while runs.len() < 20 || looks.load(Ordering::Relaxed) < 20 {
            runs.push(fixture.run(&job, Input::Empty));
        }
        over.store(true, Ordering::Relaxed);
        for run in runs {
            assert_eq!(run.unwrap().exit, Exit::Code(0));
        }
        let mut scores = look.join().unwrap();
        // While it starts a program.
        scores.remove("999\n");
        assert_eq!(scores, HashSet::from([usual]));
    });
}

/// The decoys of all launchers.
fn decoys() -> Vec<PathBuf> {
    launchers()
        .flat_map(|launcher| children(&launcher.join("task")))
        // Programs of other tests have the score too.
        .filter(|path| {
            let is = |name, what| fs::read_to_string(path.join(name)).is_ok_and(|it| it == what);
            is("oom_score_adj", "1000\n") && is("comm", "exe\n")
        })
        .collect()
}

#[test]
fn a_decoy_is_killed_before_the_launcher_and_is_replaced() {
    let mut fixture = Fixture::new();
    if !fixture.facts().has(MemoryGroup) {
        return;
    }
    let job = sh(&fixture, ":");
    let mut before = Vec::new();
    for _ in 0..2 {
        assert_eq!(fixture.run(&job, Input::Empty).unwrap().exit, Exit::Code(0));
        // Each launcher of these tests has one, soon after a run.
        let start = std::time::Instant::now();
        let decoys = loop {
            let decoys = decoys();
            if !decoys.is_empty() && decoys != before {
                break decoys;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{decoys:?}");
            std::thread::sleep(Duration::from_millis(5));
        };
        for decoy in &decoys {
            let pid = decoy.file_name().unwrap().to_str().unwrap().parse().unwrap();
            let pid = rustix::process::Pid::from_raw(pid).unwrap();
            // Another test's may have gone meanwhile.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            // A process that was killed needs the processor once more before it is dead, and the machine may be busy.
            while !is_dead(decoy) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        before = decoys;
    }
}

/// Whether the process with this folder in `/proc` has ended.
fn is_dead(process: &Path) -> bool {
    let stat = fs::read_to_string(process.join("stat"));
    // The state follows the name, which may hold anything but a closing bracket after this one.
    stat.map_or(true, |stat| {
        let state = stat.rsplit(") ").next();
        state.is_some_and(|state| state.starts_with('Z'))
    })
}

/// The processes of this one's launchers, in `/proc`.
fn launchers() -> impl Iterator<Item = PathBuf> {
    children(Path::new("/proc/self/task"))
}

/// The children, in `/proc`, of the process that has these tasks there.
fn children(tasks: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let tasks = fs::read_dir(tasks).into_iter().flatten().flatten();
    let text: String = tasks
        .map(|task| fs::read_to_string(task.path().join("children")).unwrap_or_default())
        .collect();
    let numbers: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let path = |number| Path::new("/proc").join(number);
    numbers.into_iter().map(path)
}

#[test]
fn processes() {
    let bombs = ["fork_bomb", "fork_bomb_daemons", "fork_bomb_vfork", "thread_bomb"];
    all_end(&[ProcessGroup], &bombs, PROCESSES, patient);
    all_end(&[PidNamespace], &bombs, PROCESSES, patient);
}

#[test]
fn processes_and_threads_are_limited_exactly() {
    // Beside the program itself, which counts too.
    for (more, exit) in [("15", Exit::Code(0)), ("16", PROCESSES)] {
        for kind in ["processes", "threads"] {
            // The third one is prepared before it is asked for.
            let table = [("multiply", exit); 3];
            let told = |job: &mut Job| {
                patient(job);
                job.argv.extend([more, kind].map(Into::into));
            };
            expect(&[ProcessGroup], &table, told, |_, _| {});
            expect_in(&shape::without_groups(), &[PidNamespace], &table, told, |_, _| {});
        }
    }
}

#[test]
fn without_a_control_group_the_limit_of_the_user_limits_processes() {
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        if fixture.facts().has(ProcessGroup) || !fixture.facts().has(PidNamespace) {
            continue;
        }
        let job = sh(&fixture, "grep processes /proc/self/limits");
        let execution = fixture.run(&job, Input::Empty).unwrap();
        let said = String::from_utf8_lossy(execution.stdout.as_slice().unwrap()).into_owned();
        let most: u32 = said.split_whitespace().nth(2).unwrap().parse().expect(&said);
        // Some are ours, and one too many is to be seen.
        assert!((17..=25).contains(&most), "{}: {said}", shape.name);
    }
}

#[test]
fn files_and_stack() {
    let table = [("sparse_file", Exit::Signal(25)), ("stack_overflow", Exit::Signal(11))];
    let small = |job: &mut Job| {
        patient(job);
        job.limits.stack = Bytes::mib(8);
    };
    expect(&[], &table, small, |what, stdout| {
        assert_eq!(stdout, b"", "{what}");
    });
}

#[test]
fn an_answer_before_the_end_does_not_change_the_end() {
    let table = [("answer_then_crash", Exit::Signal(11)), ("answer_then_fail", Exit::Code(1))];
    expect(&[], &table, patient, |what, stdout| {
        assert_eq!(stdout, b"3\n", "{what}");
    });
}

#[test]
fn legal_programs_are_not_disturbed() {
    let table = [
        "deep_recursion",
        "never_reads",
        "messy_folder",
        "many_files",
        "grandchild_holds_pipe",
        "orphan_forks",
        "daemon_outlives",
        "twist_streams",
        "reopen_streams",
        "large_file_deaf",
    ]
    .map(|program| (program, Exit::Code(0)));
    expect(&[], &table, patient, |what, stdout| {
        assert_eq!(stdout, b"3\n", "{what}");
    });
}

#[test]
fn a_program_that_crashes_leaves_no_core_dump() {
    // One byte: with none a program that the system pipes dumps to would be started all the same.
    let mut fixture = Fixture::new();
    let job = sh(&fixture, "grep core /proc/self/limits");
    let execution = fixture.run(&job, Input::Empty).unwrap();
    let said = String::from_utf8_lossy(execution.stdout.as_slice().unwrap()).into_owned();
    let limits: Vec<&str> = said.split_whitespace().skip(4).take(2).collect();
    assert_eq!(limits, ["1", "1"], "{said}");
}

#[test]
fn nothing_is_inherited() {
    expect(&[], &[("inherited", Exit::Code(0))], patient, |what, stdout| {
        assert_eq!(String::from_utf8_lossy(stdout), "", "{what}");
    });
}
