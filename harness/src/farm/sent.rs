//! Sends the files of a project.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use rejudge_cluster::Cluster;
use walkdir::WalkDir;

use super::FarmError;
use super::tree::{MOST_BYTES, MOST_FILES, PACK, TreeFile, TreeList};
use crate::discover::{CPH, is_of_a_tool};
use crate::problem::{dangling_link, is_ignored};

/// A pack ends with a folder if it has this many bytes. So a change of one folder changes few packs.
const SMALL: usize = 256 << 10;

/// Sends the files below `root` that a search for problems reads. Returns the name of their list, the number of files, and
/// the number of bytes that were sent, because the server did not have them.
pub(crate) fn send(cluster: &Cluster, root: &Path) -> Result<(String, usize, u64), FarmError> {
    let mut list = TreeList { root: name_of(root)?, ..TreeList::default() };
    let mut pack =
        OpenPack { lifetime: cluster.blob_total()?.lifetime, cluster, bytes: Vec::new(), sent: 0 };
    let mut total = 0;
    let mut folder = None;
    let entries = WalkDir::new(root)
        .follow_links(true)
        .sort_by_file_name()
        .min_depth(1)
        .into_iter()
        .filter_entry(is_read);
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            // A link to a folder above it.
            Err(error) if error.loop_ancestor().is_some() => continue,
            // A link that leads nowhere. The search of this process reports it where it matters.
            Err(error) if dangling_link(&error).is_some() => continue,
            Err(error) => return Err(FarmError::Unsendable(error.to_string())),
        };
        if !entry.file_type().is_file() {
            continue;
        }
        if entry.path().parent() != folder.as_deref() {
            folder = entry.path().parent().map(Path::to_path_buf);
            pack.close(SMALL, &mut list)?;
        }
        let size = pack.add(entry.path(), &mut list)?;
        list.files.push(TreeFile {
            path: below(entry.path(), root)?,
            size,
            executable: is_executable(entry.path())?,
        });
        total += size;
        if list.files.len() > MOST_FILES || total > MOST_BYTES {
            return Err(FarmError::Unsendable(format!(
                "`{}` has more than {MOST_FILES} files or {MOST_BYTES} bytes",
                root.display()
            )));
        }
    }
    pack.close(0, &mut list)?;
    let text = serde_json::to_vec(&list).expect("a list of files is always JSON");
    pack.put(&text)?;
    Ok((Cluster::blob_name(&text), list.files.len(), pack.sent))
}

/// Whether a search for problems reads it. Hidden files, which may be secrets, stay here.
fn is_read(entry: &walkdir::DirEntry) -> bool {
    let Some(name) = entry.file_name().to_str() else {
        return false;
    };
    if name == CPH {
        return true;
    }
    let is_folder = entry.file_type().is_dir();
    let is_of_a_tool = is_folder && is_of_a_tool(name, entry.path());
    !is_ignored(name) && !is_of_a_tool
}

fn name_of(root: &Path) -> Result<String, FarmError> {
    let name = root.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    name.ok_or_else(|| FarmError::Unsendable(format!("`{}` has no name", root.display())))
}

fn below(path: &Path, root: &Path) -> Result<String, FarmError> {
    let below = path.strip_prefix(root).ok().and_then(Path::to_str).map(str::to_owned);
    below.ok_or_else(|| {
        FarmError::Unsendable(format!("the name of `{}` is not Unicode", path.display()))
    })
}

fn is_executable(path: &Path) -> Result<bool, FarmError> {
    let metadata = path.metadata().map_err(|source| unreadable(path, source))?;
    Ok(metadata.permissions().mode() & 0o100 != 0)
}

fn unreadable(path: &Path, source: std::io::Error) -> FarmError {
    FarmError::File { action: "read", path: path.to_path_buf(), source }
}

/// A pack that is being filled.
struct OpenPack<'a> {
    cluster: &'a Cluster,
    /// How long the server keeps files.
    lifetime: Option<Duration>,
    bytes: Vec<u8>,
    /// Bytes that were sent.
    sent: u64,
}

impl OpenPack<'_> {
    /// Adds the contents of a file. Returns their size.
    fn add(&mut self, path: &Path, list: &mut TreeList) -> Result<u64, FarmError> {
        let mut file = File::open(path).map_err(|source| unreadable(path, source))?;
        let mut size = 0;
        loop {
            let room = PACK - self.bytes.len();
            let read = (&mut file)
                .take(room as u64)
                .read_to_end(&mut self.bytes)
                .map_err(|source| unreadable(path, source))?;
            size += read as u64;
            if read < room {
                return Ok(size);
            }
            self.close(0, list)?;
        }
    }

    /// Sends the pack if it has more than `least` bytes.
    fn close(&mut self, least: usize, list: &mut TreeList) -> Result<(), FarmError> {
        if self.bytes.len() > least {
            let bytes = std::mem::take(&mut self.bytes);
            list.packs.push(Cluster::blob_name(&bytes));
            self.put(&bytes)?;
        }
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), FarmError> {
        if self.cluster.put_blob(bytes, self.lifetime)? {
            self.sent += bytes.len() as u64;
        }
        Ok(())
    }
}
