//! The table of attacks, by theme; each is tried under every back end, and shown to work without its walls.

use rejudge_sandbox::Protection::{
    self, BoundedFolder, IpcNamespace, JudgeNotDumpable, Landlock, MemoryGroup, MountNamespace,
    NetworkNamespace, NoCapabilities, NoNewPrivileges, OtherUser, PidNamespace, Seccomp,
};

use crate::attack::{Attack, Told, all_fail, all_succeed_without_walls, fail_in};
use crate::shape::{self, MachineShape};

macro_rules! theme {
    ($theme:ident, $attacks:ident) => {
        mod $theme {
            #[test]
            fn fail() {
                super::all_fail(super::$attacks);
            }

            #[test]
            fn succeed_without_walls() {
                super::all_succeed_without_walls(super::$attacks);
            }
        }
    };
}

theme!(spying, SPYING);
theme!(files, FILES);
theme!(the_judge, THE_JUDGE);
theme!(network, NETWORK);
theme!(kernel, KERNEL);
theme!(persistence, PERSISTENCE);

/// With each single protection missing, as `--sandbox auto` finds it on some machine: the others close what they close.
#[test]
fn attacks_fail_although_one_protection_is_missing() {
    let shapes = Protection::ALL.map(|missing| MachineShape::new(missing.name(), &[missing]));
    for attacks in [SPYING, FILES, THE_JUDGE, NETWORK, KERNEL, PERSISTENCE] {
        fail_in(&shapes, attacks);
    }
}

#[test]
fn signals_fail_if_only_the_filter_blocks_them() {
    // As in a container on a kernel whose Landlock does not know of signals.
    fail_in(&[shape::old_container()], THE_JUDGE);
}

const fn attack(
    program: &'static str,
    told: &'static [Told],
    walls: &'static [&'static [rejudge_sandbox::Protection]],
) -> Attack {
    Attack { program, told, walls }
}

const SPYING: &[Attack] = &[
    attack("read_files", &[Told::Answer, Told::Cases, Told::Home], &[&[MountNamespace, Landlock]]),
    attack(
        "spy_parent",
        &[Told::Judge],
        &[&[PidNamespace, Landlock, OtherUser, NoCapabilities, JudgeNotDumpable]],
    ),
    attack("list_processes", &[], &[&[PidNamespace]]),
    attack(
        "spy.py",
        &[Told::Answer, Told::Cases, Told::Judge],
        &[&[MountNamespace, Landlock], &[PidNamespace, Seccomp, OtherUser]],
    ),
];

const FILES: &[Attack] = &[
    attack("fill_folder", &[], &[&[BoundedFolder, MemoryGroup, MountNamespace]]),
    attack("special_files", &[], &[&[Seccomp, NoCapabilities, OtherUser, Landlock]]),
    attack(
        "write_outside",
        &[Told::FileName, Told::Cases, Told::Home],
        &[&[MountNamespace, Landlock]],
    ),
    attack("memory_hidden", &[], &[&[MemoryGroup, Seccomp], &[MemoryGroup, Landlock]]),
];

const THE_JUDGE: &[Attack] = &[
    attack(
        "trace_judge",
        &[Told::Judge],
        &[&[Seccomp, PidNamespace, Landlock, OtherUser, NoCapabilities, JudgeNotDumpable]],
    ),
    attack("harm_judge", &[Told::Judge], &[&[Seccomp, PidNamespace, OtherUser]]),
    attack("signal_judge", &[Told::Judge], &[&[PidNamespace, Landlock, OtherUser, Seccomp]]),
    attack("stop_parent", &[], &[&[PidNamespace, Landlock, OtherUser, Seccomp]]),
];

const NETWORK: &[Attack] = &[
    attack("sockets", &[], &[&[Seccomp]]),
    attack("call_home", &[Told::TcpPort], &[&[Seccomp, NetworkNamespace, Landlock]]),
    attack("ask_dns", &[Told::UdpPort], &[&[Seccomp, NetworkNamespace]]),
    attack("call_service", &[Told::Service], &[&[Seccomp, MountNamespace]]),
    attack("call_service", &[Told::AbstractService], &[&[Seccomp, NetworkNamespace, Landlock]]),
];

const KERNEL: &[Attack] = &[
    attack("new_namespace", &[], &[&[Seccomp]]),
    attack("mounts", &[], &[&[Seccomp, NoCapabilities, OtherUser]]),
    attack("kernel_doors", &[], &[&[Seccomp]]),
    #[cfg(target_arch = "x86_64")]
    attack("door_of_32_bits", &[], &[&[Seccomp]]),
    attack("change_user", &[], &[&[NoCapabilities, OtherUser]]),
    attack("gain_rights", &[Told::SetUid], &[&[NoNewPrivileges, MountNamespace]]),
    attack("turn_knobs", &[], &[&[MountNamespace, Landlock]]),
    attack("huge_pages", &[], &[&[Seccomp]]),
    attack("set_clock", &[], &[&[Seccomp, NoCapabilities, OtherUser]]),
];

const PERSISTENCE: &[Attack] = &[
    attack("spoil_artefact", &[Told::Artefact], &[&[MountNamespace, Landlock, OtherUser]]),
    attack("change_artefact", &[Told::Artefact], &[&[MountNamespace, Seccomp, OtherUser]]),
    attack("leave_ipc", &[Told::Keys], &[&[Seccomp, IpcNamespace]]),
];
