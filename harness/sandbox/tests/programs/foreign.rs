//! Files of the judge's that a compiler or a checker may read: whatever it does, they stay as they are.

use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use rejudge_sandbox::{Exit, Input, Isolation, Job, Protection, WorkDir};
use tempfile::TempDir;

use crate::fixture::{Fixture, programs};
use crate::shape;

/// A file that the program may read, and one that it is only told of.
struct ForeignFiles(TempDir);

const NAMES: [&str; 2] = ["shown", "hidden"];

impl ForeignFiles {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let set_mode = |path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
        set_mode(folder.path().to_owned(), 0o755).unwrap();
        for name in NAMES {
            fs::write(folder.path().join(name), "text").unwrap();
            set_mode(folder.path().join(name), 0o644).unwrap();
        }
        Self(folder)
    }

    /// All of their status that is not about reading.
    fn status(&self) -> Vec<[i64; 6]> {
        let traits = |data: Metadata| {
            let (mode, owner) = (data.mode().into(), data.uid().into());
            let (seconds, nanos) = (data.ctime(), data.ctime_nsec());
            [mode, owner, data.mtime(), data.mtime_nsec(), seconds, nanos]
        };
        let paths = NAMES.map(|name| self.0.path().join(name));
        paths.map(|path| traits(fs::metadata(path).unwrap())).into()
    }

    /// A program that works in a folder of its own, as compilers and checkers do.
    fn job(&self, fixture: &Fixture, own: &TempDir) -> Job {
        let mut job = fixture.job("change_artefact");
        job.argv.extend(NAMES.map(|name| self.0.path().join(name).into()));
        job.readable.push(self.0.path().join("shown"));
        job.work_dir = WorkDir::At(own.path().to_owned());
        job
    }
}

#[test]
fn no_mode_time_owner_or_attribute_of_a_foreign_file_changes() {
    if programs().is_none() {
        return;
    }
    let walls = [Protection::MountNamespace, Protection::OtherUser, Protection::Seccomp];
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        if !walls.iter().any(|&wall| fixture.facts().has(wall)) {
            shape.tell_weak("change_artefact");
            continue;
        }
        let (files, own) = (ForeignFiles::new(), tempfile::tempdir().unwrap());
        let before = files.status();
        for _ in 0..4 {
            let execution = fixture.run(&files.job(&fixture, &own), Input::Empty).unwrap();
            assert_eq!(execution.exit, Exit::Code(0), "{}", shape.name);
            assert_eq!(files.status(), before, "{}", shape.name);
        }
    }
    // The attempt is worth something: without any wall it succeeds.
    let mut fixture = Fixture::in_isolation(Isolation::Off);
    let (files, own) = (ForeignFiles::new(), tempfile::tempdir().unwrap());
    let before = files.status();
    fixture.run(&files.job(&fixture, &own), Input::Empty).unwrap();
    for (now, before) in files.status().iter().zip(&before) {
        assert_ne!(now, before);
    }
}

#[test]
fn a_compiler_whose_changes_have_no_effect_does_not_fail() {
    let table =
        ["cp -p file copy", "touch -d 2001-01-01 file", "chmod 700 file", "mkdir -m 700 folder"];
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        for script in table {
            let own = tempfile::tempdir().unwrap();
            let mut job = crate::fixture::sh(&fixture, &format!("echo text >file; {script}"));
            job.work_dir = WorkDir::At(own.path().to_owned());
            let execution = fixture.run(&job, Input::Empty).unwrap();
            let said = String::from_utf8_lossy(&execution.stderr_tail).into_owned();
            assert_eq!((execution.exit, &*said), (Exit::Code(0), ""), "{script}, {}", shape.name);
        }
    }
}
