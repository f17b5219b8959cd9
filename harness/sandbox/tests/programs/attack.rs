//! Attacks: programs that print what they could do, and must print nothing; each with the walls that stop it.
//!
//! Under every back end that has such a wall the attack must fail. And it must succeed where the walls are taken away:
//! a suite of attacks that never worked would prove nothing.

use std::ffi::OsString;
use std::path::Path;

use rejudge_sandbox::{Exit, Job, Protection};

use crate::fixture::{Fixture, input, programs, python};
use crate::ground::Ground;
use crate::shape::{self, MachineShape};
use crate::support;

/// A program that tries something.
pub(crate) struct Attack {
    /// Of the fixtures, or a Python script of them.
    pub(crate) program: &'static str,
    /// What it is told.
    pub(crate) told: &'static [Told],
    /// Of each of these groups one wall is enough, and one it takes.
    pub(crate) walls: &'static [&'static [Protection]],
}

/// What an attacker is told, so that it need not guess.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Told {
    /// The path of the answer to the case.
    Answer,
    /// The folder of the cases.
    Cases,
    /// The home folder.
    Home,
    /// The process number of the judge.
    Judge,
    /// The port where somebody takes connections.
    TcpPort,
    /// The port where somebody takes datagrams.
    UdpPort,
    /// Where somebody listens, on a path.
    Service,
    /// Where somebody listens, under an abstract name.
    AbstractService,
    /// The artefact of a submission.
    Artefact,
    /// A set-uid program.
    SetUid,
    /// What to call a file that it leaves.
    FileName,
    /// A key of System V, and a name of a POSIX queue.
    Keys,
}

/// What became of one.
struct AttackOutcome {
    exit: Exit,
    did: Vec<String>,
}

impl Attack {
    fn job(&self, fixture: &Fixture, ground: &Ground) -> Option<Job> {
        let mut job = if std::path::Path::new(self.program).extension().is_some() {
            python(fixture, self.program)?
        } else {
            fixture.job(self.program)
        };
        let told = self.told.iter().flat_map(|&what| ground.tell(what));
        job.argv.extend(told.collect::<Vec<OsString>>());
        job.readable.push(ground.artefacts());
        job.limits.cpu_kill = std::time::Duration::from_secs(10);
        job.limits.cpu_time = job.limits.cpu_kill;
        Some(job)
    }

    fn attempt(&self, fixture: &mut Fixture) -> Option<AttackOutcome> {
        let ground = Ground::new();
        let job = self.job(fixture, &ground)?;
        let execution = fixture.run(&job, input(b"1 2\n")).unwrap();
        let stdout = String::from_utf8_lossy(execution.stdout.as_slice().unwrap()).into_owned();
        let mut did: Vec<String> = stdout.lines().map(str::to_owned).collect();
        did.extend(ground.damage());
        did.extend(fixture.left_beside());
        fixture.is_clean(self.program);
        Some(AttackOutcome { exit: execution.exit, did })
    }

    /// A set-uid program gives rights only to who is somebody else than its owner.
    fn makes_sense_in(&self, fixture: &Fixture) -> bool {
        match self.program {
            "gain_rights" => fixture.facts().has(Protection::OtherUser),
            // Kernels with system calls of 32 bits have this.
            "door_of_32_bits" => Path::new("/proc/sys/abi/vsyscall32").exists(),
            _ => true,
        }
    }

    fn is_stopped_in(&self, fixture: &Fixture) -> bool {
        let has = |wall: &Protection| fixture.facts().has(*wall);
        self.walls.iter().all(|group| group.iter().any(has))
    }
}

/// Every attack fails under every back end that has walls against it, and the innocent do not feel it.
pub(crate) fn all_fail(attacks: &[Attack]) {
    fail_in(&shape::all(), attacks);
}

/// The same under these.
pub(crate) fn fail_in(shapes: &[MachineShape], attacks: &[Attack]) {
    if programs().is_none() {
        return;
    }
    for shape in shapes {
        let mut fixture = Fixture::in_shape(shape);
        for attack in attacks {
            if !attack.makes_sense_in(&fixture) {
                continue;
            }
            if !attack.is_stopped_in(&fixture) {
                shape.tell_weak(attack.program);
                continue;
            }
            let Some(outcome) = attack.attempt(&mut fixture) else {
                continue;
            };
            let what = format!("{} under {}", attack.program, shape.name);
            assert_eq!(outcome.did, [""; 0], "{what}");
            let ended = matches!(outcome.exit, Exit::Code(0) | Exit::Killed(_));
            assert!(ended, "{what}: {:?}", outcome.exit);
            fixture.innocent_is_unaffected(&what);
        }
    }
}

/// Every attack succeeds once its walls are gone; where one cannot be taken away, nothing can be shown. Nor can it where
/// the machine itself refuses what an attack wants because it is no superuser's.
pub(crate) fn all_succeed_without_walls(attacks: &[Attack]) {
    if programs().is_none() || !rustix::process::geteuid().is_root() {
        return;
    }
    for attack in attacks {
        let without: Vec<Protection> = attack.walls.concat();
        let shape = MachineShape::new("no walls", &without);
        let mut fixture = Fixture::in_shape(&shape);
        if !attack.makes_sense_in(&fixture) {
            continue;
        }
        let left = without.iter().find(|&&wall| fixture.facts().has(wall));
        if let Some(wall) = left {
            let name = wall.name();
            support::skip(&format!("{} cannot be shown to work: {name} stays", attack.program));
            continue;
        }
        let Some(outcome) = attack.attempt(&mut fixture) else {
            continue;
        };
        assert!(
            !outcome.did.is_empty(),
            "{} did nothing although {without:?} were gone: {:?}",
            attack.program,
            outcome.exit
        );
    }
}
