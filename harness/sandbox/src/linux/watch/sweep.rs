//! The end of a run: kills and reaps what the program left.

use std::io;

use super::super::cgroup::ControlGroups;
use super::super::child::Child;
use super::super::init::Init;
use super::super::tree::{self, Reaped, WaitOutcome};
use super::Helpers;

/// Makes init kill all others, if there may be any. Returns how the program itself ended.
pub(super) fn sweep(
    child: &Child,
    init: &Init,
    helpers: Helpers<'_>,
    reaped: &mut Reaped,
) -> io::Result<i32> {
    let mut status = match tree::reap(child.pid, false, reaped)? {
        WaitOutcome::Dead(_, status) => Some(status),
        WaitOutcome::Alive | WaitOutcome::Nobody => None,
    };
    // Waking init takes longer than all other steps here. First check our own children, then its children: every
    // remaining process of an ended program is below one of us, and none can become ours later.
    if let Some(status) = status
        && reap_others(helpers, false, reaped)?.is_none()
        && let Some(abandoned) = init.without_children()
    {
        reaped.join(&abandoned);
        return Ok(status);
    }
    init.ask_to_sweep()?;
    let mut abandoned = init.swept()?;
    let mut late = false;
    if status.is_none() {
        // The program was alive until now, and perhaps never reached exec: then it is not among the others.
        if let WaitOutcome::Dead(_, found) = tree::reap(child.pid, true, reaped)? {
            status = Some(found);
            late = true;
        }
    }
    // The program, if it was alive, and its processes that are children of the launcher: all are dying.
    while let Some(WaitOutcome::Dead(pid, found)) = reap_others(helpers, true, reaped)? {
        late = true;
        if pid == child.pid {
            status = Some(found);
        }
    }
    if late {
        // Only now has init adopted the orphans of these.
        init.ask_to_sweep()?;
        abandoned = init.swept()?;
    }
    reaped.join(&abandoned);
    status.ok_or_else(|| io::Error::other("the program's end was missed"))
}

/// Reaps one of our children that belongs to the run, and waits for one to end if `wait`; `None` if there is none. A wait for
/// any child would find the preloaded interpreter, too.
fn reap_others(
    helpers: Helpers<'_>,
    wait: bool,
    reaped: &mut Reaped,
) -> io::Result<Option<WaitOutcome>> {
    let found = if helpers.has_interpreter {
        let is_ours = |pid| helpers.pids().any(|our| our == pid);
        let other = tree::children()?.into_iter().find(|&pid| !is_ours(pid));
        match other {
            Some(pid) => tree::reap(pid, wait, reaped)?,
            None => WaitOutcome::Nobody,
        }
    } else {
        tree::reap(-1, wait, reaped)?
    };
    Ok(Some(found).filter(|found| *found != WaitOutcome::Nobody))
}

/// Kills and reaps all remaining processes. Returns how the program itself ended.
pub(super) fn clear(
    child: &Child,
    control_groups: &mut ControlGroups,
    reaped: &mut Reaped,
) -> io::Result<i32> {
    let mut status = match tree::reap(child.pid, false, reaped)? {
        WaitOutcome::Dead(_, status) => Some(status),
        WaitOutcome::Alive | WaitOutcome::Nobody => None,
    };
    // Usually no process is left, and this one call shows it.
    loop {
        match tree::reap(-1, false, reaped)? {
            WaitOutcome::Nobody => break,
            WaitOutcome::Dead(pid, found) if pid == child.pid => status = Some(found),
            WaitOutcome::Dead(..) => {}
            WaitOutcome::Alive => {
                control_groups.forbid_forks()?;
                status = tree::kill_all(reaped, child.pid)?.or(status);
            }
        }
    }
    status.ok_or_else(|| io::Error::other("the program's end was missed"))
}
