//! Which entries a copy keeps, which it skips, and where it stops.

use std::fs;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _, symlink};

use rustix::fs::mknodat;

use super::*;

const LARGE: Space = Space { bytes: 1 << 30, entries: 100 };

/// Copies the files that `fill` creates; returns the folder of the copy, whether it is complete,
/// and the remaining space.
fn copied(
    space: Space,
    fill: impl FnOnce(&Path),
    emptied: Option<&CStr>,
) -> (tempfile::TempDir, bool, Space) {
    let [from, to] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    fill(from.path());
    let [one, other] = [&from, &to].map(|folder| open_folder(CWD, folder.path()).unwrap());
    let mut left = space;
    let whole = copy(&one, &other, &mut left, emptied).unwrap();
    (to, whole, left)
}

#[test]
fn files_folders_and_links_are_kept_with_their_modes_and_times() {
    let (to, whole, left) = copied(
        LARGE,
        |from| {
            fs::create_dir(from.join("inner")).unwrap();
            fs::write(from.join("inner/program"), "text").unwrap();
            let mode = fs::Permissions::from_mode(0o6755);
            fs::set_permissions(from.join("inner/program"), mode).unwrap();
            symlink("/etc/passwd", from.join("link")).unwrap();
            let fifo = from.join("fifo");
            mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR, 0).unwrap();
            let old = fs::File::open(from.join("inner/program")).unwrap();
            old.set_modified(std::time::UNIX_EPOCH).unwrap();
        },
        None,
    );
    assert!(whole);
    assert_eq!((left.entries, LARGE.bytes - left.bytes), (96, 4096));
    let program = to.path().join("inner/program");
    assert_eq!(fs::read(&program).unwrap(), b"text");
    let data = fs::metadata(&program).unwrap();
    assert_eq!((data.mode() & 0o7777, data.mtime()), (0o755, 0));
    let target = fs::read_link(to.path().join("link")).unwrap();
    assert_eq!(target, Path::new("/etc/passwd"));
    assert!(!to.path().join("fifo").exists(), "no FIFO is copied");
}

#[test]
fn a_folder_of_temporary_files_is_left_empty() {
    let fill = |from: &Path| {
        for name in ["scratch", "inner/scratch"] {
            fs::create_dir_all(from.join(name)).unwrap();
            fs::write(from.join(name).join("file"), "text").unwrap();
        }
    };
    let (to, whole, _) = copied(LARGE, fill, Some(c"scratch"));
    assert!(whole);
    assert_eq!(fs::read_dir(to.path().join("scratch")).unwrap().count(), 0);
    assert!(to.path().join("inner/scratch/file").exists());
}

#[test]
fn holes_stay_holes_and_the_rest_is_the_same() {
    let mut bytes = vec![0; 8 << 20];
    bytes[3 << 20] = 7;
    bytes[5 << 20] = 8;
    let fill = |from: &Path| {
        let file = fs::File::create(from.join("file")).unwrap();
        for at in [3 << 20, 5 << 20] {
            file.write_all_at(&bytes[at..=at], at as u64).unwrap();
        }
        file.set_len(8 << 20).unwrap();
        fs::write(from.join("whole"), "text").unwrap();
    };
    let (to, whole, _) = copied(LARGE, fill, None);
    let copy = to.path().join("file");
    assert!(whole && fs::read(&copy).unwrap() == bytes);
    assert!(fs::metadata(&copy).unwrap().blocks() < 8 << 10);
    assert_eq!(fs::read(to.path().join("whole")).unwrap(), b"text");
}

type TreeFill = fn(&Path);

#[test]
fn holes_many_names_and_deep_folders_stop_the_copy() {
    let table: [(Space, TreeFill); 3] = [
        (Space { bytes: 1 << 20, ..LARGE }, |from| {
            for name in ["a", "b"] {
                let file = fs::File::create(from.join(name)).unwrap();
                file.set_len(1 << 20).unwrap();
            }
        }),
        (Space { entries: 3, ..LARGE }, |from| {
            for number in 0..9 {
                fs::write(from.join(number.to_string()), "").unwrap();
            }
        }),
        (Space { entries: 1000, ..LARGE }, |from| {
            fs::create_dir_all(from.join("d/".repeat(200))).unwrap();
        }),
    ];
    for (space, fill) in table {
        let (to, whole, _) = copied(space, fill, None);
        assert!(!whole);
        let entries = walkdir::WalkDir::new(to.path()).into_iter();
        let sizes = entries.map(|entry| entry.unwrap().metadata().unwrap());
        let files: Vec<u64> = sizes.filter(fs::Metadata::is_file).map(|data| data.len()).collect();
        assert!(files.len() <= 3 && files.iter().sum::<u64>() <= 1 << 20, "{files:?}");
    }
}
