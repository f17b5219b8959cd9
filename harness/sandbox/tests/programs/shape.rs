//! The shapes of machine that the suite runs on: what is really here, and that less some of its walls.

use rejudge_sandbox::Protection;

use crate::back_ends::PROMISED;

/// What one runner does without.
#[derive(Debug, Clone)]
pub(crate) struct MachineShape {
    pub(crate) name: &'static str,
    pub(crate) without: Vec<Protection>,
}

const NAMESPACES: [Protection; 7] = [
    Protection::PidNamespace,
    Protection::MountNamespace,
    Protection::NetworkNamespace,
    Protection::IpcNamespace,
    Protection::UtsNamespace,
    Protection::UserNamespace,
    Protection::BoundedFolder,
];

pub(crate) const GROUPS: [Protection; 3] =
    [Protection::MemoryGroup, Protection::ProcessGroup, Protection::CpuAccount];

/// Set where the tests run again as somebody who is not root.
pub(crate) const AS_NOBODY: &str = "REJUDGE_TEST_AS_NOBODY";

impl MachineShape {
    pub(crate) fn new(name: &'static str, without: &[Protection]) -> Self {
        Self { name, without: without.to_vec() }
    }

    /// Says that an attack was not tried, for nothing here would stop it.
    pub(crate) fn tell_weak(&self, attack: &str) {
        eprintln!("not tried under {}: {attack}", self.name);
    }
}

fn container() -> Vec<Protection> {
    [&NAMESPACES[..], &GROUPS, &[Protection::OtherUser]].concat()
}

/// A container without Landlock.
pub(crate) fn old_container() -> MachineShape {
    let without = [&container()[..], &[Protection::Landlock]].concat();
    MachineShape::new("an old container", &without)
}

/// The machine as it is, without control groups, without namespaces, and as a container that has neither. One that was
/// prepared to be a certain back end is taken as it is.
pub(crate) fn all() -> Vec<MachineShape> {
    if std::env::var_os(PROMISED).is_some() {
        return vec![MachineShape::new("everything", &[])];
    }
    let container = container();
    vec![
        MachineShape::new("everything", &[]),
        MachineShape::new("no groups", &GROUPS),
        MachineShape::new("no namespaces", &NAMESPACES),
        MachineShape::new("a container", &container),
    ]
}

/// Those of [`all`] in which no control group limits processes, unless the machine was prepared.
pub(crate) fn without_groups() -> Vec<MachineShape> {
    let mut shapes = all();
    if shapes.len() > 1 {
        shapes.retain(|shape| shape.without.contains(&Protection::ProcessGroup));
    }
    shapes
}
