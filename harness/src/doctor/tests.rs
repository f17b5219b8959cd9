//! Sample machines, and the findings about them.

use std::fs;

use insta::assert_snapshot;

use super::*;
use crate::sandbox::{BackEnd, ProtectionState};
use crate::show::schema;

/// A machine with all protections and no noise.
fn sound() -> Diagnosis {
    Diagnosis {
        machine: Machine {
            os: "linux".into(),
            arch: "x86_64".into(),
            cpu: Some("Made-up 3000".into()),
            cores: 4,
            kernel: Some("6.12.1".into()),
        },
        noise: Noise {
            processors: 4,
            smt: Some(false),
            governor: Some("performance".into()),
            boost: Some(false),
            aslr: Some(0),
            huge_pages: Some("madvise".into()),
            swap_bytes: Some(0),
            core_piped: Some(false),
            load: Some(0.1),
            virtual_machine: Some(false),
        },
        facts: Facts {
            back_end: BackEnd::RootCgroup2,
            protections: Protection::ALL.map(|all| (all, ProtectionState::Active)).into(),
            cpu_clock: Clock::Cgroup,
            memory_clock: Clock::Cgroup,
        },
        surroundings: Surroundings {
            root: true,
            groups_mounted: true,
            kernel: Some((6, 12)),
            ..Surroundings::default()
        },
        languages: vec![("c".into(), true), ("ada".into(), false), ("rust".into(), true)],
    }
}

/// The sound machine without some protections.
fn without(missing: &[(Protection, &str)]) -> Diagnosis {
    let mut found = sound();
    for (protection, state) in &mut found.facts.protections {
        if let Some((_, why)) = missing.iter().find(|(name, _)| name == protection) {
            *state = ProtectionState::Missing { why: (*why).to_owned() };
        }
    }
    found
}

fn shown(found: &Diagnosis) -> String {
    let mut out = Vec::new();
    write(found, &mut out).unwrap();
    anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
}

#[test]
fn a_sound_machine_has_a_short_report() {
    assert!(sound().is_sound());
    assert_snapshot!(shown(&sound()));
}

#[test]
fn protections_missing_for_one_reason_share_the_advice() {
    use Protection::{CpuAccount, IpcNamespace, Landlock, MemoryGroup, PidNamespace, ProcessGroup};
    let refused = "unshare: Operation not permitted (os error 1)";
    let mut found = without(&[
        (PidNamespace, refused),
        (Protection::MountNamespace, refused),
        (Protection::NetworkNamespace, refused),
        (IpcNamespace, refused),
        (Protection::UtsNamespace, refused),
        (Protection::UserNamespace, refused),
        (Protection::OtherUser, refused),
        (Protection::BoundedFolder, refused),
        (Landlock, "the kernel has none"),
        (MemoryGroup, "no group can be made"),
        (ProcessGroup, "no group can be made"),
        (CpuAccount, "no group can be made"),
    ]);
    found.facts.back_end = BackEnd::Plain;
    found.facts.cpu_clock = Clock::Rusage;
    found.facts.memory_clock = Clock::Polled;
    found.surroundings = Surroundings {
        systemd: true,
        groups_mounted: true,
        apparmor_restricts: Some(true),
        max_user_namespaces: Some(100),
        kernel: Some((5, 12)),
        ..Surroundings::default()
    };
    assert!(!found.is_sound());
    assert_snapshot!(shown(&found));
}

#[test]
fn every_source_of_noise_has_a_remedy() {
    let mut found = sound();
    found.noise = Noise {
        processors: 1,
        smt: Some(true),
        governor: Some("powersave".into()),
        boost: Some(true),
        aslr: Some(2),
        huge_pages: Some("always".into()),
        swap_bytes: Some(2 << 30),
        core_piped: Some(true),
        load: Some(3.5),
        virtual_machine: Some(true),
    };
    assert!(found.is_sound(), "noise does not make a judge unsound");
    assert_snapshot!(shown(&found));
}

#[test]
fn a_cpu_account_that_is_not_the_clock_is_not_sound() {
    let mut found = sound();
    found.facts.cpu_clock = Clock::Rusage;
    assert!(!found.is_sound());
}

#[test]
fn advice_fits_the_machine() {
    use Protection::{CpuAccount, Landlock, MountNamespace, PidNamespace, Seccomp};
    let here = Surroundings { kernel: Some((6, 1)), ..Surroundings::default() };
    let table = [
        (
            MountNamespace,
            Surroundings { kernel: Some((5, 4)), ..here.clone() },
            "use Linux 5.10 or later; this is 5.4",
        ),
        (
            PidNamespace,
            Surroundings { max_user_namespaces: Some(0), ..here.clone() },
            "user.max_user_namespaces=",
        ),
        (
            PidNamespace,
            Surroundings { unprivileged_clone: Some(false), ..here.clone() },
            "kernel.unprivileged_userns_clone=1",
        ),
        (
            PidNamespace,
            Surroundings { container: true, ..here.clone() },
            "--security-opt seccomp=unconfined",
        ),
        (CpuAccount, Surroundings { container: true, ..here.clone() }, "--cgroupns="),
        (
            CpuAccount,
            Surroundings { systemd: true, ..here.clone() },
            "systemd-run --user --scope -p Delegate=yes",
        ),
        (CpuAccount, Surroundings { root: true, ..here.clone() }, "mount -t cgroup2"),
        (Landlock, here.clone(), "lsm="),
        (Seccomp, here, "CONFIG_SECCOMP_FILTER"),
    ];
    for (protection, surroundings, expected) in table {
        let advice = advice::of(protection, &surroundings);
        assert!(advice.contains(expected), "{protection:?}: {advice}");
    }
}

#[test]
fn advice_fits_the_user_and_the_container() {
    let kernel = Some((6, 1));
    for (root, container, systemd) in [
        (false, false, true),
        (false, false, false),
        (true, false, true),
        (false, true, false),
        (true, true, false),
    ] {
        let here = Surroundings {
            root,
            container,
            systemd,
            groups_mounted: true,
            kernel,
            ..Surroundings::default()
        };
        for protection in Protection::ALL {
            let advice = advice::of(protection, &here);
            assert!(container || !advice.contains("container"), "{advice}");
            assert!(container || !advice.contains("--privileged"), "{advice}");
            assert!(systemd || !advice.contains("systemd-run"), "{advice}");
            assert!(!root || !advice.contains("run as root"), "{advice}");
        }
    }
}

#[test]
fn the_surroundings_are_read_from_system_files() {
    let root = tempfile::tempdir().unwrap();
    let file = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    assert_eq!(Surroundings::under(root.path()), Surroundings::default());
    file("proc/self/status", "Name:\tx\nUid:\t1000\t0\t0\t0\n");
    file("proc/self/mounts", "none /sys/fs/cgroup cgroup2 rw 0 0\n");
    file("proc/1/cgroup", "0::/docker/0123\n");
    file("run/systemd/system/x", "");
    file("proc/sys/user/max_user_namespaces", "15\n");
    file("proc/sys/kernel/unprivileged_userns_clone", "0\n");
    file("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
    file("proc/sys/kernel/osrelease", "5.10.0-8-amd64\n");
    let expected = Surroundings {
        root: true,
        container: true,
        systemd: true,
        groups_mounted: true,
        max_user_namespaces: Some(15),
        unprivileged_clone: Some(false),
        apparmor_restricts: Some(true),
        kernel: Some((5, 10)),
    };
    assert_eq!(Surroundings::under(root.path()), expected);
}

#[test]
fn the_schema_of_doctor_is_up_to_date() {
    let line = schema::of_line_called::<DoctorRecord<'static>>("machine");
    schema::is_up_to_date("doctor", vec![line]);
}
