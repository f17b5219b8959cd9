//! `rejudge exec`: output on standard output, resources on standard error, and the exit status.

use std::io::{Read as _, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::{Repo, does};

/// A folder for solutions in Rust, the only language that is certainly installed.
struct Workplace(tempfile::TempDir);

impl Workplace {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn exec(&self, source: &str, args: &[&str], input: &str) -> Output {
        std::fs::write(self.0.path().join("solution.rs"), source).unwrap();
        self.run("solution.rs", args, input)
    }

    fn run(&self, solution: &str, args: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rejudge"))
            .args(["exec", solution])
            .args(args)
            .current_dir(self.0.path())
            .env("REJUDGE_CACHE_DIR", cache(self.0.path()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A solution need not read all its input, so a broken pipe is not an error.
        stdin.write_all(input.as_bytes()).ok();
        drop(stdin);
        child.wait_with_output().unwrap()
    }
}

fn cache(place: &Path) -> std::path::PathBuf {
    place.join("cache")
}

/// What was written, times and sizes left out.
fn stderr(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let digits = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    let words = text.split(' ');
    words.map(|word| if digits(word) { "N" } else { word }).collect::<Vec<_>>().join(" ")
}

const CAT: &str = "fn main() { std::io::copy(&mut std::io::stdin(), &mut std::io::stdout()).unwrap(); \
    eprintln!(\"a word\"); }";

#[test]
fn a_solution_that_is_a_folder_gets_the_time_factor_of_its_language() {
    let repo = Repo::new();
    let burns = "for i in 0..2_000_000_000_u64 { std::hint::black_box(i); }";
    repo.file("solution/main.rs", does(burns)).file("in.txt", "");
    let run = || repo.run(&["exec", "solution", "in.txt", "--time-limit", "0.01"]);
    let ran = run();
    assert_eq!(ran.status, 1, "{}", ran.all());
    repo.file("rejudge.toml", "[languages.rust]\ntime_factor = 1000\n");
    let ran = run();
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn passes_input_and_output_through() {
    let output = Workplace::new().exec(CAT, &[], "1 2\n\x1b[3m");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stdout, b"1 2\n\x1b[3m");
    let said = stderr(&output);
    let expected = "a word\nexit code 0, cpu N s, wall N s, memory ";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn the_exit_status_is_1_if_the_run_fails() {
    for (source, args, expected) in [
        ("fn main() { std::process::exit(3) }", &[][..], "exit code 3, cpu"),
        ("fn main() { std::process::abort() }", &[], "killed by signal 6 (SIGABRT), cpu"),
        (
            "fn main() { loop { std::hint::black_box(0); } }",
            &["--time-limit", "0.1"],
            "CPU time limit exceeded, cpu",
        ),
        (
            "fn main() { loop { std::thread::park() } }",
            &["--wall-limit", "0.1"],
            "wall time limit exceeded, cpu",
        ),
    ] {
        let output = Workplace::new().exec(source, args, "");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = stderr(&output);
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn the_exit_status_is_1_for_a_compile_error_and_2_without_a_solution() {
    let place = Workplace::new();
    let output = place.exec("fn main() { nonsense }", &[], "");
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        said.starts_with(
            "error: `solution.rs` does not compile: the compiler ended with exit code 1"
        ),
        "{said}"
    );
    assert!(said.contains("--> solution.rs:1:13"), "{said}");
    std::fs::write(place.0.path().join("a.unknown"), "text").unwrap();
    for (name, expected) in [
        ("a.unknown", "`a.unknown` is in no known language"),
        ("missing.rs", "cannot read `missing.rs`"),
    ] {
        let output = place.run(name, &[], "");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(stderr(&output).contains(expected), "{output:?}");
    }
}

#[test]
fn the_input_is_a_file_or_that_of_a_case() {
    let place = Workplace::new();
    let write = |name: &str, text: &str| std::fs::write(place.0.path().join(name), text).unwrap();
    write("one.in", "1\n");
    write("one.ans", "1\n");
    write("two.in", "2\n");
    write("two.ans", "2\n");
    write("more.txt", "more\n");
    for (args, expected) in [(&["more.txt"][..], "more\n"), (&["--case", "two"], "2\n")] {
        let output = place.exec(CAT, args, "typed\n");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
    for (args, expected) in [
        (&["missing.txt"][..], "cannot read `missing.txt`"),
        (&["."], "cannot read `.`"),
        (&["--case", "three"], "no such case: `three`"),
    ] {
        let output = place.exec(CAT, args, "");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(stderr(&output).contains(expected), "{output:?}");
    }
}

/// Asks, and repeats what it is told.
const DIALOGUE: &str = "use std::io::{Write, stdin, stdout}; fn main() { print!(\"name? \"); stdout().flush().unwrap(); \
    let mut name = String::new(); stdin().read_line(&mut name).unwrap(); println!(\"hello {}\", name.trim()); }";

#[test]
fn what_a_program_prints_is_seen_while_it_runs() {
    let place = Workplace::new();
    std::fs::write(place.0.path().join("solution.rs"), DIALOGUE).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_rejudge"))
        .args(["exec", "solution.rs", "--wall-limit", "600"])
        .current_dir(place.0.path())
        .env("REJUDGE_CACHE_DIR", cache(place.0.path()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut question = [0; 6];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut question).unwrap();
    assert_eq!(&question, b"name? ");
    child.stdin.take().unwrap().write_all(b"you\n").unwrap();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "hello you\n");
    assert!(child.wait().unwrap().success());
}

/// Prints too much, and takes the last two characters back.
const BACK: &str = "use std::io::{Seek, SeekFrom, Write}; use std::os::fd::FromRawFd; fn main() { \
    let mut out = unsafe { std::fs::File::from_raw_fd(1) }; out.write_all(b\"1, 2, \").unwrap(); \
    if out.seek(SeekFrom::Current(-2)).is_ok() { out.write_all(b\".\\n\").unwrap(); } }";

#[test]
fn a_program_writes_to_a_file_if_and_only_if_its_output_goes_to_one() {
    let place = Workplace::new();
    let output = place.exec(BACK, &[], "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1, 2, ");
    let path = place.0.path().join("out.txt");
    let status = Command::new(env!("CARGO_BIN_EXE_rejudge"))
        .args(["exec", "solution.rs"])
        .current_dir(place.0.path())
        .env("REJUDGE_CACHE_DIR", cache(place.0.path()))
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&path).unwrap())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read_to_string(path).unwrap(), "1, 2.\n");
}

/// A pseudo-terminal on which a test types, for a `rejudge` process.
mod terminal {
    use std::fs::File;
    use std::os::fd::OwnedFd;
    use std::process::Child;
    use std::time::{Duration, Instant};

    use rustix::termios::{tcgetattr, tcgetwinsize};

    use crate::support::terminal;

    use super::*;

    struct PseudoTerminal {
        /// The user's side.
        keys: File,
        /// The side of programs.
        line: OwnedFd,
    }

    /// The settings of a terminal that a program could change permanently.
    fn settings(line: &OwnedFd) -> String {
        let (modes, size) = (tcgetattr(line).unwrap(), tcgetwinsize(line).unwrap());
        let flags = rustix::fs::fcntl_getfl(line).unwrap();
        format!("{modes:?} {size:?} {flags:?}")
    }

    impl PseudoTerminal {
        fn new() -> Self {
            let (keys, line) = terminal::open(80, 24);
            Self { keys: keys.into(), line }
        }

        fn types(&mut self, text: &str) {
            self.keys.write_all(text.as_bytes()).unwrap();
        }

        /// Starts a solution with this terminal as its standard input and controlling terminal.
        fn start(&self, place: &Workplace, args: &[&str]) -> Child {
            Command::new("setsid")
                .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_rejudge")])
                .args(["exec", "solution.rs"])
                .args(args)
                .current_dir(place.0.path())
                .env("REJUDGE_CACHE_DIR", cache(place.0.path()))
                .stdin(self.line.try_clone().unwrap())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        }
    }

    /// Waits until the solution of `place` runs.
    fn is_running(place: &Workplace) {
        let artefacts = cache(place.0.path()).join("artefacts");
        let program = artefacts.to_str().unwrap().as_bytes();
        let runs = || {
            let processes = std::fs::read_dir("/proc").unwrap().flatten();
            let mut commands = processes
                .map(|process| std::fs::read(process.path().join("cmdline")).unwrap_or_default());
            commands.any(|command| command.starts_with(program))
        };
        let deadline = Instant::now() + Duration::from_secs(600);
        while !runs() {
            assert!(Instant::now() < deadline, "the solution never runs");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// A folder with this solution, already compiled.
    fn compiled(source: &str) -> Workplace {
        let place = Workplace::new();
        let limits = ["--time-limit", "0.2", "--wall-limit", "0.2"];
        let output = place.exec(source, &limits, "");
        assert!(output.status.code().is_some(), "{output:?}");
        place
    }

    #[test]
    fn typed_input_arrives_line_by_line_until_ctrl_d() {
        let mut terminal = PseudoTerminal::new();
        terminal.types("1 2\n3\n\u{4}");
        let place = compiled(CAT);
        let child = terminal.start(&place, &[]);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(output.stdout, b"1 2\n3\n");

        let one_line = "fn main() { let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); \
                        print!(\"{line}\"); }";
        let mut terminal = PseudoTerminal::new();
        // A line does not end the input.
        terminal.types("1 2\n");
        let place = compiled(one_line);
        let child = terminal.start(&place, &[]);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(output.stdout, b"1 2\n");
    }

    #[test]
    fn ctrl_c_ends_a_program_that_reads() {
        let place = compiled(CAT);
        let mut terminal = PseudoTerminal::new();
        let child = terminal.start(&place, &[]);
        terminal.types("1 2\n");
        is_running(&place);
        terminal.types("\u{3}");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let said = stderr(&output);
        assert!(said.contains("interrupted, cpu N s"), "{said}");
    }

    /// Waits until a process handles SIGINT itself, of those whose command line contains this text.
    fn handles_ctrl_c(place: &Workplace) {
        let artefacts = cache(place.0.path()).join("artefacts");
        let program = artefacts.to_str().unwrap().to_owned();
        let catches = |process: std::fs::DirEntry| {
            let read = |name| std::fs::read(process.path().join(name)).unwrap_or_default();
            let status = String::from_utf8_lossy(&read("status")).into_owned();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            read("cmdline").starts_with(program.as_bytes()) && caught.unwrap_or(0) & 2 != 0
        };
        let deadline = Instant::now() + Duration::from_secs(600);
        while !std::fs::read_dir("/proc").unwrap().flatten().any(catches) {
            assert!(Instant::now() < deadline, "no program handles Ctrl-C");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Handles SIGINT, and stops reading at it.
    const HANDLER: &str = r#"
        use std::ffi::c_int;
        use std::sync::atomic::{AtomicBool, Ordering};
        static CAUGHT: AtomicBool = AtomicBool::new(false);
        unsafe extern "C" {
            fn signal(number: c_int, handler: extern "C" fn(c_int)) -> usize;
        }
        extern "C" fn handler(_: c_int) {
            CAUGHT.store(true, Ordering::SeqCst);
        }
        fn main() {
            unsafe { signal(2, handler) };
            while !CAUGHT.load(Ordering::SeqCst) {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            println!("caught");
            END
        }"#;

    #[test]
    fn a_program_can_handle_ctrl_c_itself() {
        for (end, presses, status) in [
            ("std::process::exit(0)", 1, 0),
            ("std::process::exit(7)", 1, 1),
            ("loop { std::thread::park() }", 2, 130),
        ] {
            let place = compiled(&HANDLER.replace("END", end));
            let mut terminal = PseudoTerminal::new();
            let child = terminal.start(&place, &[]);
            handles_ctrl_c(&place);
            for _ in 0..presses {
                terminal.types("\u{3}");
                // Two signals that are pending at once are one.
                std::thread::sleep(Duration::from_millis(300));
            }
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(status), "{end}: {output:?}");
            assert_eq!(output.stdout, b"caught\n", "{output:?}");
            let interrupted = stderr(&output).contains("interrupted, cpu N s");
            assert_eq!(interrupted, presses == 2, "{output:?}");
        }
    }

    /// A solution that changes every setting of a terminal that it finds among its descriptors or by name, and then
    /// ends with the code in `END`.
    const VANDAL: &str = r#"
        use std::ffi::{c_int, c_ulong};
        use std::io::Read as _;
        unsafe extern "C" {
            fn ioctl(fd: c_int, request: c_ulong, ...) -> c_int;
            fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
            fn open(path: *const std::ffi::c_char, flags: c_int) -> c_int;
        }
        fn main() {
            let mut byte = [0];
            let _ = std::io::stdin().read(&mut byte);
            let mut fds = vec![0, 1, 2];
            for name in [c"/dev/tty", c"/proc/self/fd/0", c"/proc/self/fd/2"] {
                fds.push(unsafe { open(name.as_ptr(), 2 | 0o4000) });
            }
            let (modes, size) = ([0_u8; 64], [1_u16, 1, 1, 1]);
            for fd in fds {
                unsafe {
                    for set in [0x5402, 0x5403, 0x5404, 0x5406] {
                        ioctl(fd, set, modes.as_ptr());
                    }
                    ioctl(fd, 0x5414, size.as_ptr());
                    ioctl(fd, 0x5412, b"x".as_ptr());
                    ioctl(fd, 0x5421, &1_i32);
                    ioctl(fd, 0x5452, &1_i32);
                    ioctl(fd, 0x540e, 1);
                    ioctl(fd, 0x5410, &1_i32);
                    fcntl(fd, 4, 0o6000);
                }
            }
            END
        }"#;

    #[test]
    fn a_program_cannot_change_the_terminal_permanently() {
        let ends = [
            ("", false, 0),
            ("std::process::abort()", false, 1),
            ("loop { std::hint::black_box(0); }", false, 1),
            ("loop { std::thread::park() }", true, 130),
        ];
        for (end, interrupted, status) in ends {
            let place = compiled(&VANDAL.replace("END", end));
            let mut terminal = PseudoTerminal::new();
            let before = settings(&terminal.line);
            let child = terminal.start(&place, &["--time-limit", "0.2"]);
            terminal.types("1 2\n");
            if interrupted {
                is_running(&place);
                terminal.types("\u{3}");
            }
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(status), "{end}: {output:?}");
            assert_eq!(settings(&terminal.line), before, "{end}");
        }
    }
}
