//! Reads a tree once: the names of its files and folders, for [`join`](super::join).
//!
//! Hidden folders and the folders of tools are skipped. A link to a folder inside the tree is
//! skipped, because the folder itself is read; so links that lead back do no harm. A link that leads out of the tree, and out of
//! the repository around it, is refused: it could bring any file of the user's into a report.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::dangling;
use super::join::{Leaf, Tree};
use super::progress::SearchProgress;
use crate::config;
use crate::name_text;
use crate::notice::{Few, Notices};
use crate::problem::{
    LanguageOf, Problem, bounds_of, is_ignored, leads_out_of_bounds, link_outside,
};

/// The folder of CPH. It is hidden, and read nevertheless.
pub(crate) const CPH: &str = ".cph";

/// The number of entries outside a closed repository after which the search for other problems ends: it only counts them, and
/// the first verdict waits for it.
const MOST_OUTSIDE: usize = 10_000;

/// How much of a tree to read.
#[derive(Clone, Copy)]
pub(super) enum WalkExtent<'a> {
    Whole,
    /// Everything but these folders.
    Outside(&'a [PathBuf]),
}

impl WalkExtent<'_> {
    fn includes(self, folder: &Path) -> bool {
        match self {
            Self::Whole => true,
            Self::Outside(folders) => !folders.iter().any(|known| known == folder),
        }
    }
}

/// Reads the tree below `root`. A file or folder that cannot be read is an error in `notices`. `None`: the search was
/// stopped.
pub(super) fn walk(
    root: &Path,
    extent: WalkExtent<'_>,
    named: Option<&Path>,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
    progress: &mut SearchProgress<'_>,
) -> Option<Tree> {
    let name = root.file_name().map(|name| name.to_string_lossy());
    let mut reader = TreeReader {
        extent,
        named,
        bounds: bounds_of(root),
        refused: Vec::new(),
        real: root.canonicalize().unwrap_or_else(|_| root.to_path_buf()),
        tree: Tree::new(&name.unwrap_or_default()),
        above: vec![0],
        language_of,
        known: BTreeMap::new(),
    };
    let mut entries = WalkDir::new(root).follow_links(true).min_depth(1).into_iter();
    let mut count = 0;
    while let Some(entry) = entries.next() {
        if progress.is_stopped {
            return None;
        }
        count += 1;
        if count > MOST_OUTSIDE && matches!(extent, WalkExtent::Outside(_)) {
            reader.tree.is_cut = true;
            break;
        }
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {
                progress.folder(entry.path());
                if reader.leads_out(&entry) || !reader.folder(&entry) {
                    entries.skip_current_dir();
                }
            }
            Ok(entry) if reader.leads_out(&entry) => {}
            Ok(entry) => progress.file(reader.file(&entry)),
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => dangling::report(&error, |name| reader.is_source(name), notices),
        }
    }
    let (mut tree, refused) = (reader.tree, reader.refused);
    tree.sort();
    mark_leaves(&mut tree, root);
    report_links(&refused, root, &tree, notices);
    Some(tree)
}

/// Whether a walk leaves a folder to the reader of packages. Folders called `data/sample` alone do not make a package.
pub(super) fn is_package_leaf(dir: &Path) -> bool {
    let has = |name: &str| dir.join(name).exists();
    let is_signed = Problem::signs().any(has)
        || has("testdata")
        || has("description")
        || has("data/problem.conf")
        || has("submissions") && has("data");
    is_signed && Problem::is_described_in(dir)
}

struct TreeReader<'a> {
    extent: WalkExtent<'a>,
    /// A source that the command line names may be a link that leads out.
    named: Option<&'a Path>,
    real: PathBuf,
    /// Links must not leave this folder.
    bounds: PathBuf,
    refused: Vec<PathBuf>,
    tree: Tree,
    /// By depth: the folder whose entries are read.
    above: Vec<usize>,
    language_of: LanguageOf<'a>,
    /// By extension: whether it is that of a language.
    known: BTreeMap<OsString, bool>,
}

/// Reports links that lead out, except for those in packages, whose readers have rules of their own.
fn report_links(links: &[PathBuf], root: &Path, tree: &Tree, notices: &mut Notices) {
    if links.is_empty() {
        return;
    }
    let leaves = (0..tree.folders.len()).filter(|at| tree.folders[*at].leaf.is_some());
    let leaves: Vec<PathBuf> = leaves.map(|at| root.join(tree.path(at))).collect();
    let mut refused = Few::default();
    for link in links {
        if leaves.iter().any(|leaf| link.starts_with(leaf)) {
            continue;
        }
        refused.push(|| link_outside(link, notices));
    }
    notices.errors.extend(refused.finish("links that lead out"));
}

impl TreeReader<'_> {
    /// Whether the entry is a link that leads out, and is not named by the user. If it could matter, it is kept for a report.
    fn leads_out(&mut self, entry: &DirEntry) -> bool {
        let path = entry.path();
        if !entry.path_is_symlink() || self.named == Some(path) {
            return false;
        }
        if !leads_out_of_bounds(&self.bounds, path) {
            return false;
        }
        let name = name_text::text(entry.file_name());
        let matters = entry.file_type().is_dir() || dangling::counts(path) || self.is_source(&name);
        if matters && !is_ignored(&name) {
            self.refused.push(path.to_path_buf());
        }
        true
    }

    /// Adds a folder. Returns whether to read it.
    fn folder(&mut self, entry: &DirEntry) -> bool {
        let name = name_text::text(entry.file_name());
        let name = &*name;
        let parent = self.above[entry.depth() - 1];
        if name == CPH {
            for prob in std::fs::read_dir(entry.path()).into_iter().flatten().flatten() {
                self.tree.add_prob(parent, &name_text::text(&prob.file_name()));
            }
            return false;
        }
        if is_ignored(name)
            || is_of_a_tool(name, entry.path())
            || !self.extent.includes(entry.path())
        {
            return false;
        }
        if entry.path_is_symlink() {
            let target = entry.path().canonicalize();
            if target.is_ok_and(|target| target.starts_with(&self.real)) {
                return false;
            }
        }
        let at = self.tree.add_folder(parent, name);
        self.above.truncate(entry.depth());
        self.above.push(at);
        true
    }

    /// Adds a file. Returns whether it is a source.
    fn file(&mut self, entry: &DirEntry) -> bool {
        let name = name_text::text(entry.file_name());
        let name = &*name;
        if is_ignored(name) || !entry.file_type().is_file() {
            return false;
        }
        if name == "a.out" && is_program(entry.path()) {
            return false;
        }
        let folder = self.above[entry.depth() - 1];
        let is_source = self.is_source(name);
        self.tree.add_file(folder, name, is_source);
        is_source
    }

    fn is_source(&mut self, name: &str) -> bool {
        let Some(extension) = Path::new(name).extension() else {
            return false;
        };
        if let Some(known) = self.known.get(extension) {
            return *known;
        }
        let is = (self.language_of)(extension).is_some();
        self.known.insert(extension.to_os_string(), is);
        is
    }
}

/// Whether a compiler or a package manager made the folder, or it is marked as a cache, as that of rejudge is.
pub(crate) fn is_of_a_tool(name: &str, path: &Path) -> bool {
    let has = |file: &str| path.join(file).exists();
    // See <https://bford.info/cachedir/>.
    if has("CACHEDIR.TAG") {
        return true;
    }
    match name {
        "node_modules" | "__pycache__" => true,
        "target" => path.with_file_name("Cargo.toml").exists(),
        "venv" | "env" => has("pyvenv.cfg"),
        "build" => has("CMakeCache.txt") || has("CMakeFiles"),
        _ if name.starts_with("cmake-build-") => true,
        _ => Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("dSYM")),
    }
}

/// Whether a file begins as compiled programs do.
fn is_program(path: &Path) -> bool {
    let mut head = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    let is_elf = head == *b"\x7fELF";
    let is_mach = matches!(head, [0xcf | 0xce, 0xfa, 0xed, 0xfe] | [0xfe, 0xed, 0xfa, _]);
    read.is_ok() && (is_elf || is_mach)
}

/// Marks the folders that a file describes. The names suggest them; the readers decide.
fn mark_leaves(tree: &mut Tree, root: &Path) {
    let signs: Vec<&str> = Problem::signs().chain([config::FILE_NAME]).collect();
    for at in 0..tree.folders.len() {
        let folder = &tree.folders[at];
        let others = &folder.others;
        let has_file = |name: &str| others.binary_search_by(|file| file.as_str().cmp(name)).is_ok();
        let inner = |name: &str| {
            let mut inner = folder.folders.iter();
            inner.any(|at| tree.folders[*at].name == name)
        };
        let has_conf = |at: &usize| {
            let inner = &tree.folders[*at];
            inner.name == "data" && inner.others.iter().any(|file| file == "problem.conf")
        };
        let signed = signs.iter().any(|name| has_file(name))
            || inner("testdata")
            || inner("description")
            || folder.folders.iter().any(has_conf);
        let submitted = inner("submissions") && inner("data");
        let repository = inner("solutions") && inner("cases");
        if !signed && !submitted && !repository {
            continue;
        }
        let path = root.join(tree.path(at));
        let is_repository = at != 0
            && (repository || has_file(config::FILE_NAME))
            && config::Repository::is_at(&path);
        let leaf = if is_repository {
            Some(Leaf::Repository)
        } else if (signed || submitted) && Problem::is_described_in(&path) {
            Some(Leaf::Package)
        } else {
            None
        };
        tree.folders[at].leaf = leaf;
    }
}
