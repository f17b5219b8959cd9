//! The filter in the kernel: children that try what is refused, and runtimes that must not notice it.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use super::super::{Filter, FilterPolicy};
use super::{CLOSED, OPEN};

/// `command`, which will run behind the filter of `policy`.
fn behind(policy: FilterPolicy, program: &str, arguments: &[&str]) -> Command {
    let filter = Filter::new(policy);
    let install = move || {
        rustix::thread::set_no_new_privs(true)?;
        Ok(filter.install()?)
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    // SAFETY: two system calls, no allocation.
    unsafe { command.pre_exec(install) };
    command
}

/// What a call answers in a child behind the filter: 0 if it was made or pretended, else the error.
fn answer(policy: FilterPolicy, number: libc::c_long, arguments: [libc::c_long; 6]) -> i32 {
    let filter = Filter::new(policy);
    rustix::thread::set_no_new_privs(true).unwrap();
    // SAFETY: the child makes system calls only, and exits.
    unsafe {
        let child = libc::fork();
        assert!(child >= 0);
        if child == 0 {
            if filter.install().is_err() {
                libc::_exit(255);
            }
            let [one, two, three, four, five, six] = arguments;
            let made = libc::syscall(number, one, two, three, four, five, six) != -1;
            libc::_exit(if made { 0 } else { *libc::__errno_location() });
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
        assert!(libc::WIFEXITED(status), "call {number}: status {status}");
        libc::WEXITSTATUS(status)
    }
}

#[test]
fn what_is_refused_is_refused_by_the_kernel() {
    let us = libc::c_long::from(std::process::id().cast_signed());
    let refused: &[(libc::c_long, [libc::c_long; 6])] = &[
        (libc::SYS_ptrace, [0; 6]),
        (libc::SYS_process_vm_readv, [us, 0, 0, 0, 0, 0]),
        (libc::SYS_mount, [0; 6]),
        (libc::SYS_unshare, [libc::CLONE_NEWUSER.into(), 0, 0, 0, 0, 0]),
        (libc::SYS_clone, [libc::CLONE_NEWUSER.into(), 0, 0, 0, 0, 0]),
        (libc::SYS_setns, [0; 6]),
        (libc::SYS_chroot, [0; 6]),
        (libc::SYS_keyctl, [0; 6]),
        (libc::SYS_bpf, [0; 6]),
        (libc::SYS_perf_event_open, [0; 6]),
        (libc::SYS_userfaultfd, [0; 6]),
        (libc::SYS_socket, [libc::AF_INET.into(), 1, 0, 0, 0, 0]),
        (libc::SYS_socket, [libc::AF_UNIX.into(), 1, 0, 0, 0, 0]),
        (libc::SYS_socketpair, [libc::AF_UNIX.into(), 2, 0, 0, 0, 0]),
        (libc::SYS_kill, [-1, 0, 0, 0, 0, 0]),
        (libc::SYS_prlimit64, [us, 7, 0, 0, 0, 0]),
        (libc::SYS_sched_setaffinity, [us, 0, 0, 0, 0, 0]),
        (libc::SYS_setpriority, [0, us, 0, 0, 0, 0]),
        (libc::SYS_personality, [0x004_0000, 0, 0, 0, 0, 0]),
        (libc::SYS_ioctl, [0, 0x5412, 0, 0, 0, 0]),
        (libc::SYS_mknodat, [-100, 0, 0o02_0600, 0, 0, 0]),
        (libc::SYS_truncate, [0; 6]),
    ];
    for &(number, arguments) in refused {
        assert_eq!(answer(OPEN, number, arguments), libc::EPERM, "call {number}");
    }
    for number in [
        libc::SYS_clone3,
        libc::SYS_io_uring_setup,
        libc::SYS_shmget,
        libc::SYS_mq_open,
        libc::SYS_inotify_init1,
        libc::SYS_pidfd_open,
        libc::SYS_openat2,
        libc::SYS_memfd_secret,
        100_000,
    ] {
        assert_eq!(answer(OPEN, number, [0; 6]), libc::ENOSYS, "call {number}");
    }
    for flags in [libc::O_TRUNC, libc::O_TMPFILE | libc::O_RDWR] {
        let arguments = [-100, 0, flags.into(), 0, 0, 0];
        assert_eq!(answer(OPEN, libc::SYS_openat, arguments), libc::EOPNOTSUPP);
    }
    let name = c"name".as_ptr() as libc::c_long;
    assert_eq!(answer(CLOSED, libc::SYS_memfd_create, [name, 0, 0, 0, 0, 0]), libc::ENOSYS);
    assert_eq!(answer(OPEN, libc::SYS_memfd_create, [name, 0, 0, 0, 0, 0]), 0);
    // Of a descriptor that there is not: nothing was tried.
    assert_eq!(answer(CLOSED, libc::SYS_fchmod, [-1, 0o600, 0, 0, 0, 0]), 0);
    for policy in [OPEN, CLOSED] {
        let set = answer(policy, libc::SYS_fsetxattr, [-1, 0, 0, 0, 0, 0]);
        assert_eq!(set, libc::EOPNOTSUPP, "{policy:?}");
        let lease = answer(policy, libc::SYS_fcntl, [0, 1024, 0, 0, 0, 0]);
        assert_eq!(lease, libc::EPERM, "{policy:?}");
    }
    // Flags of a file system's own, of a descriptor that there is not.
    let set_flags = [-1, 0x4008_6602, 0, 0, 0, 0];
    assert_eq!(answer(CLOSED, libc::SYS_ioctl, set_flags), libc::ENOTTY);
    assert_eq!(answer(OPEN, libc::SYS_ioctl, set_flags), libc::EBADF);
    // The kernel itself takes no kind of sharing without a file that it must know.
    for (kind, closed, open) in [
        (libc::MAP_SHARED, libc::EPERM, 0),
        (libc::MAP_SHARED_VALIDATE, libc::EPERM, libc::EINVAL),
        (libc::MAP_PRIVATE, 0, 0),
    ] {
        let map = [0, 4096, 3, (kind | libc::MAP_ANONYMOUS).into(), -1, 0];
        assert_eq!(answer(CLOSED, libc::SYS_mmap, map), closed, "{kind:x}");
        assert_eq!(answer(OPEN, libc::SYS_mmap, map), open, "{kind:x}");
    }
    let us = libc::c_long::from(std::process::id().cast_signed());
    for number in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_tkill] {
        let asked = [us, us, 0, 0, 0, 0];
        assert_eq!(answer(CLOSED, number, asked), libc::EPERM, "call {number}");
    }
    assert_eq!(answer(OPEN, libc::SYS_kill, [us, 0, 0, 0, 0, 0]), 0);
    // The kernel's own answer, to a descriptor that there is not.
    assert_eq!(answer(OPEN, libc::SYS_fchmod, [-1, 0o600, 0, 0, 0, 0]), libc::EBADF);
}

#[test]
fn what_is_allowed_is_made() {
    let allowed: &[(libc::c_long, [libc::c_long; 6])] = &[
        (libc::SYS_getpid, [0; 6]),
        (libc::SYS_prlimit64, [0, 7, 0, 0, 0, 0]),
        (libc::SYS_kill, [0, 0, 0, 0, 0, 0]),
        (libc::SYS_setpriority, [0, 0, 19, 0, 0, 0]),
        (libc::SYS_personality, [0xffff_ffff, 0, 0, 0, 0, 0]),
        (libc::SYS_sync, [0; 6]),
    ];
    for &(number, arguments) in allowed {
        assert_eq!(answer(CLOSED, number, arguments), 0, "call {number}");
    }
}

/// Each does something with threads, processes, timers or a just-in-time compiler, in a folder of its own, by `sh -c`.
const RUNTIMES: &[(&str, &str)] = &[
    ("sh", "echo $(echo ok | cat)"),
    ("python3", "python3 ../threads.py"),
    ("pypy3", "pypy3 ../threads.py"),
    ("node", "node ../threads.js"),
    ("perl", "perl -e 'print `echo ok`'"),
    ("ruby", "ruby -e 'Thread.new { puts `echo ok` }.join'"),
    ("php", "php -r 'echo shell_exec(\"echo ok\");'"),
    ("java", "java -XX:+UseSerialGC ../Threads.java && java -XX:+UseParallelGC ../Threads.java"),
    ("mono", "mcs -out:threads.exe ../threads.cs && mono threads.exe"),
    ("ghc", "ghc -v0 -threaded -outputdir . -o sum ../Sum.hs && ./sum +RTS -N2"),
    ("gcc", "echo 'int main(void) { return 0; }' | gcc -xc - && ./a.out && echo ok"),
    ("ocaml", "echo 'print_string \"ok\\n\"' > ok.ml && ocaml ok.ml"),
];

const SOURCES: &[(&str, &str)] = &[
    (
        "threads.py",
        "import threading, subprocess, asyncio\n\
         asyncio.run(asyncio.sleep(0.01))\n\
         t = threading.Thread(target=lambda: print(subprocess.check_output(['echo', 'ok'])))\n\
         t.start(); t.join()\n",
    ),
    (
        "threads.js",
        "const { Worker } = require('worker_threads');\n\
         new Worker('setTimeout(() => console.log(1), 5)', { eval: true });\n\
         console.log(require('child_process').execSync('echo ok').toString());\n",
    ),
    (
        "Threads.java",
        "import java.util.stream.*;\n\
         class Threads { public static void main(String[] a) {\n\
         System.out.println(LongStream.range(0, 3000000).parallel().map(x -> x * x).sum()); } }\n",
    ),
    (
        "threads.cs",
        "using System; using System.Threading.Tasks;\n\
         class P { static void Main() { var t = Task.Run(() => 42); Console.WriteLine(t.Result); } }\n",
    ),
    ("Sum.hs", "main :: IO ()\nmain = print (sum [1 .. 1000000 :: Int])\n"),
];

#[test]
fn runtimes_do_not_notice() {
    let folder = tempfile::tempdir().unwrap();
    for (name, source) in SOURCES {
        fs::write(folder.path().join(name), source).unwrap();
    }
    for (tool, script) in RUNTIMES {
        if Command::new(tool).arg("--version").output().is_err() {
            let why = format!("SKIPPED: `{tool}` is missing, so it is not run behind the filter\n");
            assert!(std::env::var_os("CI").is_none(), "{why}");
            io::stderr().write_all(why.as_bytes()).unwrap();
            continue;
        }
        let run = |mut command: Command, name: &str| {
            let dir = folder.path().join(format!("{tool}-{name}"));
            fs::create_dir(&dir).unwrap();
            let output = command.current_dir(dir).output().unwrap();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            (output.status, text(&output.stdout), text(&output.stderr))
        };
        let mut bare = Command::new("sh");
        bare.args(["-c", script]).stdin(Stdio::null());
        let bare = run(bare, "bare");
        assert!(bare.0.success(), "{tool}: {bare:?}");
        let open = run(behind(OPEN, "sh", &["-c", script]), "open");
        assert_eq!(open, bare, "{tool}");
    }
}
