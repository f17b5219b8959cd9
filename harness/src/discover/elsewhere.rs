//! Where sources find cases that have none next to them: in a wider tree, and in archives of nothing but cases, each of which
//! counts as a folder with its name.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::Finder;
use super::join::{self, Left, Tree};
use super::scope::{Scope, Selection, Unpacked};
use super::walk::{WalkExtent, walk};
use crate::notice::{self, Notices};
use crate::problem::archive;

impl Finder<'_> {
    /// The scope in which sources without cases in `scope` find some: a wider one, otherwise one with archives; `None`: the
    /// search was stopped.
    pub(super) fn elsewhere(
        &mut self,
        mut scope: Scope,
        wider: Option<&Path>,
        selection: Selection<'_>,
    ) -> Option<Scope> {
        let mut second = None;
        if let Some(wider) = wider {
            let dir = match selection {
                Selection::Folder(dir) => dir,
                Selection::Source(path) => path.parent().unwrap_or(path),
            };
            let found = self.scope(wider, Selection::Folder(dir))?;
            if matches!(selection, Selection::Folder(_)) {
                scope = found;
            } else if found.lacks_cases(selection) {
                second = Some(found);
            } else {
                return Some(found);
            }
        }
        if !scope.lacks_cases(selection) {
            return Some(scope);
        }
        self.add_archives(&mut scope, selection)?;
        if let Some(mut second) = second
            && scope.lacks_cases(selection)
            && self.add_archives(&mut second, selection)?
            && !second.lacks_cases(selection)
        {
            return Some(second);
        }
        Some(scope)
    }

    /// The tree around a folder whose cases may be elsewhere: the working copy that contains it,
    /// or the current folder.
    pub(super) fn wider(&self, dir: &Path, base: &Path) -> Option<PathBuf> {
        let mut above = dir.ancestors();
        let found = above.find(|dir| dir.join(".git").exists());
        let current = self.request.current;
        let found = found.or_else(|| dir.starts_with(current).then_some(current))?;
        (found != base && base.starts_with(found)).then(|| found.to_path_buf())
    }

    /// Adds the archives next to the selected sources without cases to the scope, and joins it again. Returns whether there
    /// are any; `None`: the search was stopped.
    pub(super) fn add_archives(
        &mut self,
        scope: &mut Scope,
        selection: Selection<'_>,
    ) -> Option<bool> {
        let mut places = BTreeSet::new();
        for left in &scope.outcome.left {
            if let Left::Source(file) = left
                && scope.selects(selection, file)
            {
                add_places(&scope.tree, file.folder, &mut places);
            }
        }
        let mut unpacked = Unpacked::new();
        for place in places {
            let dir = scope.folder(place);
            for name in scope.tree.folders[place].others.clone() {
                let path = dir.join(&name);
                let Some(folder) = self.archives.of(&path, &mut self.notices) else {
                    continue;
                };
                let mut notices = Notices::default();
                let (extent, language_of) = (WalkExtent::Whole, self.request.language_of);
                let progress = &mut self.progress;
                let inside = walk(&folder, extent, None, language_of, &mut notices, progress)?;
                notice::call(&folder, &path);
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let at = scope.tree.graft(place, &stem, inside);
                unpacked.insert(at, folder);
            }
        }
        let is_any = !unpacked.is_empty();
        if is_any {
            scope.join_again(&unpacked, &self.texts);
        }
        Some(is_any)
    }
}

/// The archives that were met, each of which is unpacked once.
#[derive(Debug, Default)]
pub(super) struct UnpackedArchives {
    /// Where an archive was unpacked, if it is one of nothing but cases.
    by_path: HashMap<PathBuf, Option<PathBuf>>,
}

impl UnpackedArchives {
    /// Where the archive at `path` was unpacked, if it is one of nothing but cases. Its faults are reported once.
    fn of(&mut self, path: &Path, notices: &mut Notices) -> Option<PathBuf> {
        if !archive::is_at(path) {
            return None;
        }
        let known = self.by_path.entry(path.to_path_buf());
        known.or_insert_with(|| unpacked(path, notices)).clone()
    }
}

fn unpacked(path: &Path, notices: &mut Notices) -> Option<PathBuf> {
    let is_of_cases = archive::names(path).map(|names| join::are_only_cases(&names));
    let folder = match is_of_cases {
        Ok(false) => return None,
        Ok(true) => archive::unpack(path),
        Err(error) => Err(error),
    };
    match folder {
        Ok(folder) => Some(folder),
        Err(error) => {
            let notice = error.notice(&notices.show(path));
            notices.error(notice);
            None
        }
    }
}

/// Adds the folders whose archives may belong to the sources in `folder`: where its cases would lie.
fn add_places(tree: &Tree, folder: usize, places: &mut BTreeSet<usize>) {
    let mut at = folder;
    loop {
        places.insert(at);
        let inner = tree.folders[at].folders.iter().copied();
        places.extend(inner.filter(|at| join::may_hold_cases(&tree.folders[*at].name)));
        if at == 0 || !join::is_for_solutions(&tree.folders[at].name) {
            return;
        }
        at = tree.folders[at].parent;
    }
}
