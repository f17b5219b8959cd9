//! The disk space that headers may take.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rejudge_quantity::Bytes;

use crate::compile::store::ArtifactStore;
use crate::left_behind;

/// More than any header takes: that of the whole standard library takes 124 MB (g++ 12.2).
const LARGEST: u64 = 256 << 20;

/// `statfs(2)`: a file system in memory.
const TMPFS: i64 = 0x0102_1994;

/// Removes the headers that were not used for the longest time, until another one fits into `room`. Returns false if none fits,
/// or if the disk would be filled to more than nine tenths.
pub(super) fn make(store: &ArtifactStore, room: Bytes) -> bool {
    room.get() >= LARGEST && has_space(store.root()) && remove_oldest(store, room)
}

/// Removes the headers that were not used for the longest time. Returns false if that fails.
fn remove_oldest(store: &ArtifactStore, room: Bytes) -> bool {
    let mut entries: Vec<(SystemTime, PathBuf, u64)> = store
        .entries()
        .into_iter()
        .map(|(used, folder)| (used, folder.clone(), left_behind::size(&folder)))
        .collect();
    entries.sort();
    let mut total: u64 = entries.iter().map(|(_, _, size)| size).sum();
    for (_, folder, size) in entries {
        if total + LARGEST <= room.get() {
            break;
        }
        // A compiler that has opened the file keeps it; one that opens it later fails, and compiles plainly.
        if left_behind::remove(&folder).is_err() {
            return false;
        }
        total -= size;
    }
    true
}

/// Whether the file system keeps its files on a disk, of which a tenth stays free.
fn has_space(root: &Path) -> bool {
    let Ok(disk) = rustix::fs::statfs(root) else {
        return false;
    };
    let block = u64::try_from(disk.f_bsize).unwrap_or(0);
    let (all, free) = (disk.f_blocks.saturating_mul(block), disk.f_bavail.saturating_mul(block));
    disk.f_type != TMPFS && free.saturating_sub(LARGEST) > all / 10
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_oldest_headers_make_room() {
        let place = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let store = ArtifactStore::at(place.path().to_owned()).unwrap();
        for (name, age) in [("old", 300), ("new", 100), ("older", 900)] {
            fs::create_dir_all(place.path().join(name)).unwrap();
            let manifest = fs::File::create(place.path().join(name).join("manifest.json")).unwrap();
            let file = fs::File::create(place.path().join(name).join("data")).unwrap();
            file.set_len(100 << 20).unwrap();
            manifest.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        let left = || {
            let mut names: Vec<_> = store
                .entries()
                .into_iter()
                .map(|(_, path)| path.file_name().unwrap().to_owned())
                .collect();
            names.sort();
            names
        };
        assert!(!make(&store, Bytes::mib(255)), "less than the largest header");
        assert!(remove_oldest(&store, Bytes::mib(600)));
        assert_eq!(left(), ["new", "old", "older"]);
        assert!(remove_oldest(&store, Bytes::mib(400)));
        assert_eq!(left(), ["new"]);
    }

    #[test]
    fn a_file_system_in_memory_has_no_room() {
        let memory = Path::new("/dev/shm");
        if rustix::fs::statfs(memory).is_ok_and(|disk| disk.f_type == TMPFS) {
            assert!(!has_space(memory));
        }
        assert!(!has_space(Path::new("/nowhere")));
    }
}
