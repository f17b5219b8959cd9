//! Possible contents of a folder, and how each is handled.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::PathBuf;

use rustix::fs::mknodat;

use super::*;

type Fill = fn(&Path);

fn fifo(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR, 0).unwrap();
}

/// The files kept of a folder that `fill` filled, or the reason why none are.
fn kept(fill: impl FnOnce(&Path)) -> Result<(tempfile::TempDir, Vec<PathBuf>), String> {
    let [place, to] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let from = place.path().join("from");
    fs::create_dir(&from).unwrap();
    fill(&from);
    let [one, other] = [&from, to.path()].map(|folder| Folder::open(folder).unwrap());
    match keep(&one, &other) {
        Ok(files) => Ok((to, files)),
        Err(refused) => Err(refused.to_string()),
    }
}

#[test]
fn files_and_folders_are_kept_as_new_files_with_fixed_modes() {
    let fill = |from: &Path| {
        fs::create_dir_all(from.join("p/é")).unwrap();
        for (name, mode) in [("p/é/A.class", 0o600), ("program", 0o6711), ("run", 0o640)] {
            fs::write(from.join(name), name).unwrap();
            let mode = fs::Permissions::from_mode(mode);
            fs::set_permissions(from.join(name), mode).unwrap();
        }
        // Two names of one file, both in the folder.
        fs::hard_link(from.join("run"), from.join("same")).unwrap();
    };
    let (to, files) = kept(fill).unwrap();
    let expected =
        [("p/é/A.class", "p/é/A.class"), ("program", "program"), ("run", "run"), ("same", "run")];
    for (file, (path, contents)) in files.iter().zip(expected) {
        assert_eq!(file, Path::new(path));
        let copy = to.path().join(path);
        let data = fs::metadata(&copy).unwrap();
        assert_eq!((data.mode() & 0o7777, data.nlink()), (0o555, 1), "{path}");
        assert_eq!(fs::read_to_string(copy).unwrap(), contents);
    }
    assert_eq!(files.len(), 4);
}

#[test]
fn other_entries_are_rejected_with_their_names() {
    let table: [(&str, Fill); 9] = [
        ("the build creates `x/y`, which is a symbolic link", |from| {
            fs::create_dir(from.join("x")).unwrap();
            symlink("/etc/passwd", from.join("x/y")).unwrap();
        }),
        ("the build creates `manifest.json`, which is a symbolic link", |from| {
            symlink("nowhere", from.join("manifest.json")).unwrap();
        }),
        ("the build creates `x`, which is neither a file nor a folder", |from| {
            fifo(&from.join("x"));
        }),
        ("the build creates `x`, which is neither a file nor a folder", |from| {
            std::os::unix::net::UnixListener::bind(from.join("x")).unwrap();
        }),
        ("the build creates `x`, which also has a hard link elsewhere", |from| {
            fs::write(from.join("x"), "").unwrap();
            fs::hard_link(from.join("x"), from.with_file_name("elsewhere")).unwrap();
        }),
        ("the build creates `a\\nb`, which is not a name of printable UTF-8", |from| {
            fs::write(from.join("a\nb"), "").unwrap();
        }),
        ("the build creates `\u{fffd}`, which is not a name of printable UTF-8", |from| {
            let name = std::ffi::OsStr::from_bytes(b"\xff");
            fs::write(from.join(name), "").unwrap();
        }),
        ("the build creates files of more than 1 GiB in total", |from| {
            for name in ["x", "y"] {
                fs::File::create(from.join(name)).unwrap().set_len(600 << 20).unwrap();
            }
        }),
        ("which is nested too deeply", |from| {
            fs::create_dir_all(from.join("d/".repeat(70))).unwrap();
        }),
    ];
    for (words, fill) in table {
        let error = kept(fill).map(drop).unwrap_err();
        assert!(error.ends_with(words), "{words}: {error}");
    }
}

#[test]
fn only_regular_files_are_opened_and_no_link_is_followed() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir(at("in")).unwrap();
    fs::write(at("in/file"), "text").unwrap();
    symlink("in", at("link")).unwrap();
    symlink("in/file", at("to-file")).unwrap();
    fifo(&at("fifo"));
    let folder = Folder::open(place.path()).unwrap();
    for (path, readable) in [
        ("in/file", true),
        ("link/file", false),
        ("to-file", false),
        ("fifo", false),
        ("in", false),
        ("no", false),
        ("../in/file", false),
        ("in/../in/file", false),
        ("/etc/hostname", false),
        ("", false),
    ] {
        assert_eq!(folder.file(Path::new(path)).is_ok(), readable, "{path}");
        let written = folder.create(Path::new(path), 0o600);
        assert!(written.is_err() || path == "no", "{path}");
    }
    assert!(Folder::open(&at("link")).is_err());
    assert_eq!(folder.start_of("to-file", 9), None);
    assert_eq!(folder.folder("in").unwrap().start_of("file", 2), Some(b"te".to_vec()));
}

#[test]
fn any_entry_is_removed_but_nothing_behind_a_link() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("kept"), "").unwrap();
    let mode = fs::metadata(outside.path()).unwrap().mode();
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir_all(at("top/closed/inner")).unwrap();
    let mut deep = PathBuf::from("top");
    for _ in 0..400 {
        deep.push("dddddddd");
    }
    fs::create_dir_all(at("").join(deep)).unwrap();
    fifo(&at("top/closed/inner/fifo"));
    symlink(outside.path(), at("top/link")).unwrap();
    symlink(outside.path(), at("link")).unwrap();
    for name in ["top/closed/inner", "top/closed"] {
        fs::set_permissions(at(name), fs::Permissions::from_mode(0o0)).unwrap();
    }
    for name in ["top", "link", "missing"] {
        remove(&at(name)).unwrap();
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    assert!(outside.path().join("kept").exists());
    assert_eq!(fs::metadata(outside.path()).unwrap().mode(), mode);
}

#[test]
fn files_are_written_below_a_folder_and_nowhere_else() {
    let [root, outside] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let target = outside.path().join("1.in");
    fs::write(&target, "kept").unwrap();
    fs::create_dir(root.path().join("data")).unwrap();
    symlink(outside.path(), root.path().join("data/secret")).unwrap();
    symlink(&target, root.path().join("data/1.in")).unwrap();
    let write = |below: &str| write_beneath(root.path(), Path::new(below), &mut &b"new"[..]);
    let error = write("data/secret/1.in").unwrap_err().to_string();
    assert!(error.starts_with("the folder `secret` in it is a symbolic link"), "{error}");
    assert!(remove_beneath(root.path(), Path::new("data/secret/1.in")).is_err());
    for below in ["../1.in", "data/../../1.in", "/1.in", ""] {
        assert!(write(below).is_err(), "{below}");
    }
    for below in ["data/1.in", "data/sample/new/1.in", "1.in"] {
        write(below).unwrap();
        let file = root.path().join(below);
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(!file.symlink_metadata().unwrap().is_symlink());
    }
    assert!(remove_beneath(root.path(), Path::new("1.in")).unwrap());
    assert!(!remove_beneath(root.path(), Path::new("1.in")).unwrap());
    assert!(!remove_beneath(root.path(), Path::new("no/1.in")).unwrap());
    assert_eq!(fs::read(&target).unwrap(), b"kept");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    assert_eq!(fs::read_dir(root.path().join("data")).unwrap().count(), 3);
}

#[test]
fn a_new_program_waits_until_nobody_has_it_open_for_writing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program");
    fs::write(&path, "#!/bin/sh\n").unwrap();
    let writer = fs::OpenOptions::new().append(true).open(&path).unwrap();
    let is_closed = std::sync::atomic::AtomicBool::new(false);
    let order = std::sync::atomic::Ordering::SeqCst;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            is_closed.store(true, order);
            drop(writer);
        });
        unwritten::wait(&File::open(&path).unwrap());
        assert!(is_closed.load(order));
    });
}
