//! Which system calls a program may make.
//!
//! The tables list what compilers, runtimes and solutions need. A call that is not listed does not exist, as on an
//! older kernel ([`UNKNOWN`]), and libraries fall back. A call that would reach beyond the program's own processes,
//! files and memory is denied like a call without the right to it, which programs also handle. Calls that name a
//! process may name only the caller, because without a pid namespace a program shares process numbers with the judge.
//!
//! Reasons, where they are not plain:
//! - **Sockets**: a file system path or an abstract name leads to services of the machine, and neither namespaces nor
//!   Landlock shut both everywhere. A connected pair of streams is all that runtimes use among themselves; datagram
//!   pairs could be sent elsewhere by address.
//! - **`clone3`** hides its flags in memory that a filter cannot see; without it, `clone` is used, whose flags it sees.
//! - **System V IPC, POSIX queues**: what they make outlives the program.
//! - **inotify**: reports what happens in folders that Landlock hides.
//! - **Leases** make whoever opens a file to write to it wait; **hints of writing** stay with a file for as long as the
//!   kernel knows it, and so would tell one run of another.
//! - **Extended attributes** are something else that a file keeps; programs know file systems that have none.
//! - **Modes, owners and times**: Landlock does not watch over them, and they can be changed of a file that can only be
//!   read. Where the files that a program sees are the judge's own, a change succeeds in vain, for linkers and tools
//!   that copy files insist. So do commands for file systems (`ioctl`) fail there, but for those of terminals and pipes.
//! - **Memory that no process maps** is counted by a control group and by nothing else: where there is none, there are
//!   no memory files, no shared memory without a file, and no pages in pipes or in the swap space on request. There, pipes and
//!   sockets also keep the size that they have, so that the number of descriptors bounds what they hold.
//! - **`F_SETOWN`** and its like send signals to whoever is named.
//! - **`sched_setscheduler`** of its own threads is what Mono does to each, and complains aloud on standard output if
//!   that fails. A thread has no higher class to go to anyway.
//! - **`truncate`**, and opening a file to cut it but not to write: before Linux 6.2 Landlock lets a program do that to
//!   each file that is its user's. `openat2` could hide it in memory.
//! - **Files without a name** (`O_TMPFILE`) leave no trace in their folder, but take a number from a counter of the file system
//!   that never goes back. The next run in the same cell would see it. Nothing else creates a file without changing its folder.
//! - **`sync`** waits for the disks of everybody; it does nothing here, and says that all is well.

use libc::{EPERM, c_long};

use super::bpf::{ArgumentTest, CallAction, CallRule};
use super::calls::{ALLOWED, ATTRIBUTES, EXTENDED_ATTRIBUTES, OF_LAUNCHERS, REFUSED};
use super::{FilterPolicy, ITSELF};

/// The architecture whose calls the tables are of (`AUDIT_ARCH_*` in `linux/audit.h`).
pub(super) const ARCHITECTURE: u32 =
    if cfg!(target_arch = "x86_64") { 0xc000_003e } else { 0xc000_00b7 };

/// The result of calls that are not listed, including calls by the numbers of another architecture, such as x32.
pub(super) const UNKNOWN: CallAction = CallAction::Errno(libc::ENOSYS);

const REFUSE: CallAction = CallAction::Errno(EPERM);

/// Every rule of `policy`, by number.
pub(super) fn rules(policy: FilterPolicy) -> Vec<(u32, CallRule)> {
    by_number(named_rules(policy))
}

/// The rules for a launcher, by number: those that all policies share. They allow whatever the launcher itself needs.
pub(super) fn common_rules() -> Vec<(u32, CallRule)> {
    let needs = OF_LAUNCHERS.iter();
    let mut rules: Vec<_> =
        needs.map(|&call| (call, CallRule::Always(CallAction::Allow))).collect();
    rules.extend(named_rules(FilterPolicy::OPEN));
    by_number(rules)
}

/// The rules of `policy` that differ from `common`, the [`common_rules`].
///
/// A program is behind two filters: that of the launcher, and one for these rules, which allows all other calls. If one of
/// them denies a call, the kernel denies it. Together they are a filter for the whole policy.
pub(super) fn further_rules(
    policy: FilterPolicy,
    common: &[(u32, CallRule)],
) -> Vec<(u32, CallRule)> {
    let all = rules(policy);
    let find = |rules: &[(u32, CallRule)], number| {
        let found = rules.binary_search_by_key(&number, |rule| rule.0);
        found.ok().map(|index| rules[index].1)
    };
    let unknown = CallRule::Always(UNKNOWN);
    let added = all.iter().filter(|(number, _)| find(common, *number).is_none());
    let further = common.iter().chain(added).filter_map(|&(number, _)| {
        let rule = find(&all, number).unwrap_or(unknown);
        (rule != find(common, number).unwrap_or(unknown)).then_some((number, rule))
    });
    further.collect()
}

/// The rules in the order of their numbers. The first of several rules for a call counts.
fn by_number(rules: Vec<(c_long, CallRule)>) -> Vec<(u32, CallRule)> {
    let number = |(call, rule)| Some((u32::try_from(call).ok()?, rule));
    let mut rules: Vec<_> = rules.into_iter().filter_map(number).collect();
    rules.sort_by_key(|&(number, _)| number);
    rules.dedup_by_key(|&mut (number, _)| number);
    rules
}

/// The rules of `policy`; several for some calls, of which the first counts.
pub(super) fn named_rules(policy: FilterPolicy) -> Vec<(c_long, CallRule)> {
    let mut rules = Vec::with_capacity(512);
    // Exceptions come first.
    if !policy.signals {
        rules.extend(SIGNALS_TO_ITSELF);
    }
    if !policy.attributes {
        rules.push((libc::SYS_ioctl, OF_TERMINALS_AND_PIPES));
    }
    if !policy.unmapped_memory {
        rules.extend(MAPPED_MEMORY);
    }
    let mut always = |calls: &[c_long], action| {
        rules.extend(calls.iter().map(|&call| (call, CallRule::Always(action))));
    };
    always(ALLOWED, CallAction::Allow);
    always(REFUSED, REFUSE);
    let attributes = if policy.attributes { CallAction::Allow } else { CallAction::Errno(0) };
    always(ATTRIBUTES, attributes);
    always(EXTENDED_ATTRIBUTES, CallAction::Errno(libc::EOPNOTSUPP));
    always(&[libc::SYS_sync], CallAction::Errno(0));
    if policy.unmapped_memory {
        rules.push((libc::SYS_memfd_create, WITHOUT_HUGE_PAGES));
    }
    rules.extend(CONDITIONAL);
    rules
}

/// Allowed if `all` hold, otherwise denied.
const fn only_if(all: &'static [ArgumentTest]) -> CallRule {
    CallRule::If { all, then: CallAction::Allow, otherwise: REFUSE }
}

/// Denied if `all` hold, otherwise allowed.
const fn unless(all: &'static [ArgumentTest]) -> CallRule {
    CallRule::If { all, then: REFUSE, otherwise: CallAction::Allow }
}

const fn is(argument: u8, values: &'static [u32]) -> ArgumentTest {
    let mask = u32::MAX;
    ArgumentTest { argument, mask, values }
}

/// Flags of `memfd_create(2)`.
const WITHOUT_HUGE_PAGES: CallRule =
    only_if(&[ArgumentTest { argument: 1, mask: libc::MFD_HUGETLB, values: &[0] }]);

/// The caller itself, where the first argument is a process number.
const OF_ITSELF: CallRule = only_if(&[is(0, &[0])]);

const SIGNALS_TO_ITSELF: [(c_long, CallRule); 5] = [
    (libc::SYS_kill, only_if(&[is(0, &[0, ITSELF])])),
    (libc::SYS_tkill, only_if(&[is(0, &[ITSELF])])),
    (libc::SYS_tgkill, only_if(&[is(0, &[ITSELF])])),
    (libc::SYS_rt_sigqueueinfo, only_if(&[is(0, &[ITSELF])])),
    (libc::SYS_rt_tgsigqueueinfo, only_if(&[is(0, &[ITSELF])])),
];

/// All memory is some process's, or a file's, or in a pipe or socket of the usual size.
const MAPPED_MEMORY: [(c_long, CallRule); 5] = [
    (libc::SYS_fcntl, unless(&[is(1, &COMMANDS_WITH_PIPES)])),
    (
        libc::SYS_setsockopt,
        CallRule::If {
            all: &[
                is(1, &[libc::SOL_SOCKET as u32]),
                is(
                    2,
                    &[
                        libc::SO_SNDBUF as u32,
                        libc::SO_RCVBUF as u32,
                        libc::SO_SNDBUFFORCE as u32,
                        libc::SO_RCVBUFFORCE as u32,
                    ],
                ),
            ],
            // The kernel itself shortens a wish without a word.
            then: CallAction::Errno(0),
            otherwise: CallAction::Allow,
        },
    ),
    (
        libc::SYS_mmap,
        only_if(&[ArgumentTest {
            argument: 3,
            mask: (libc::MAP_HUGETLB | libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32,
            values: &[0, libc::MAP_SHARED as u32, libc::MAP_ANONYMOUS as u32],
        }]),
    ),
    (libc::SYS_madvise, unless(&[is(2, &[libc::MADV_PAGEOUT as u32])])),
    (libc::SYS_vmsplice, CallRule::Always(REFUSE)),
];

/// To read a terminal's settings, size and group, to see how much there is to read, and to set flags of descriptors; all
/// else is for files and devices that no program has.
const OF_TERMINALS_AND_PIPES: CallRule = CallRule::If {
    all: &[is(
        1,
        &[TCGETS, TCGETS2, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, FIOASYNC],
    )],
    then: CallAction::Allow,
    otherwise: CallAction::Errno(libc::ENOTTY),
};

/// The same, but another's is left as it is without a word.
const OF_ITSELF_OR_IN_VAIN: CallRule =
    CallRule::If { all: &[is(0, &[0])], then: CallAction::Allow, otherwise: CallAction::Errno(0) };

const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// No device: regular files and FIFOs.
const fn plain_file(argument: u8) -> ArgumentTest {
    ArgumentTest { argument, mask: libc::S_IFMT, values: &[0, libc::S_IFREG, libc::S_IFIFO] }
}

/// Otherwise as on a file system without such files; programs then make a file with a name.
const fn to_open(all: &'static [ArgumentTest]) -> CallRule {
    CallRule::If { all, then: CallAction::Allow, otherwise: CallAction::Errno(libc::EOPNOTSUPP) }
}

/// The file has a name, and is cut only to write to it; the access mode of both bits is for neither reading nor writing.
const fn named(argument: u8) -> ArgumentTest {
    const NAMELESS: u32 = (libc::O_TMPFILE & !libc::O_DIRECTORY) as u32;
    const CUT: u32 = libc::O_TRUNC as u32;
    const READ: u32 = libc::O_RDONLY as u32;
    const WRITE: u32 = libc::O_WRONLY as u32;
    const BOTH: u32 = libc::O_RDWR as u32;
    const MODE: u32 = libc::O_ACCMODE as u32;
    ArgumentTest {
        argument,
        mask: NAMELESS | CUT | MODE,
        values: &[READ, CUT | WRITE, WRITE, BOTH, CUT | BOTH, MODE],
    }
}

/// From `linux/fcntl.h`, `asm-generic/{fcntl,ioctls,sockios}.h`, `linux/ioprio.h`, `linux/prctl.h`.
const F_NOTIFY: u32 = 1026;
const F_SETOWN_EX: u32 = 15;
const F_SETLEASE: u32 = 1024;
const F_SET_RW_HINT: u32 = 1036;
const F_SET_FILE_RW_HINT: u32 = 1038;
const TCGETS: u32 = 0x5401;
const TCGETS2: u32 = 0x802c_542a;
const TIOCGPGRP: u32 = 0x540f;
const TIOCGWINSZ: u32 = 0x5413;
const FIONREAD: u32 = 0x541b;
const FIONBIO: u32 = 0x5421;
const FIONCLEX: u32 = 0x5450;
const FIOCLEX: u32 = 0x5451;
const FIOASYNC: u32 = 0x5452;
const TIOCSTI: u32 = 0x5412;
const TIOCLINUX: u32 = 0x541c;
const TIOCCONS: u32 = 0x541d;
const TIOCSETD: u32 = 0x5423;
const IOPRIO_WHO_PROCESS: u32 = 1;
const PRIO_PROCESS: u32 = 0;
const FIOSETOWN: u32 = 0x8901;
const SIOCSPGRP: u32 = 0x8902;
const PR_SCHED_CORE: u32 = 62;

/// The refused commands of `fcntl(2)`.
const COMMANDS: [u32; 6] =
    [libc::F_SETOWN as u32, F_SETOWN_EX, F_NOTIFY, F_SETLEASE, F_SET_RW_HINT, F_SET_FILE_RW_HINT];
/// The same, and that for the size of a pipe.
const COMMANDS_WITH_PIPES: [u32; 7] = {
    let [a, b, c, d, e, f] = COMMANDS;
    [a, b, c, d, e, f, libc::F_SETPIPE_SZ as u32]
};

const CONDITIONAL: [(c_long, CallRule); CONDITIONAL_COUNT] = [
    (libc::SYS_clone, only_if(&[ArgumentTest { argument: 0, mask: NEW_NAMESPACES, values: &[0] }])),
    (
        libc::SYS_socketpair,
        only_if(&[
            is(0, &[libc::AF_UNIX as u32]),
            ArgumentTest {
                argument: 1,
                mask: 0xf,
                values: &[libc::SOCK_STREAM as u32, libc::SOCK_SEQPACKET as u32],
            },
        ]),
    ),
    // Everybody whom it may reach, at once.
    (libc::SYS_kill, unless(&[is(0, &[u32::MAX])])),
    // No group counts huge pages as memory.
    (
        libc::SYS_mmap,
        only_if(&[ArgumentTest { argument: 3, mask: libc::MAP_HUGETLB as u32, values: &[0] }]),
    ),
    (libc::SYS_prlimit64, OF_ITSELF),
    (libc::SYS_sched_setaffinity, OF_ITSELF),
    (libc::SYS_sched_setattr, OF_ITSELF),
    (libc::SYS_sched_setparam, OF_ITSELF_OR_IN_VAIN),
    (libc::SYS_sched_setscheduler, OF_ITSELF_OR_IN_VAIN),
    (libc::SYS_get_robust_list, OF_ITSELF),
    (libc::SYS_setpriority, only_if(&[is(0, &[PRIO_PROCESS]), is(1, &[0])])),
    (libc::SYS_ioprio_set, only_if(&[is(0, &[IOPRIO_WHO_PROCESS]), is(1, &[0])])),
    (libc::SYS_personality, only_if(&[is(0, &[0, u32::MAX])])),
    (
        libc::SYS_prctl,
        unless(&[is(0, &[libc::PR_SET_SECCOMP as u32, libc::PR_SET_MM as u32, PR_SCHED_CORE])]),
    ),
    (libc::SYS_fcntl, unless(&[is(1, &COMMANDS)])),
    (
        libc::SYS_ioctl,
        unless(&[is(1, &[TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSETD, FIOSETOWN, SIOCSPGRP])]),
    ),
    (libc::SYS_openat, to_open(&[const { named(2) }])),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, to_open(&[const { named(1) }])),
    (libc::SYS_mknodat, only_if(&[const { plain_file(2) }])),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, only_if(&[const { plain_file(1) }])),
];
const CONDITIONAL_COUNT: usize = if cfg!(target_arch = "x86_64") { 20 } else { 18 };
