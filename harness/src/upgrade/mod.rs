//! `rejudge upgrade`: rewrites a package of the legacy format as one of 2025-09.
//!
//! It stands next to the flow: it reads a package, judges nothing, and writes a package, whole or not at all. Every
//! change is listed with its file and line, and so is everything that the new format cannot state. No file is lost:
//! files that have no place in the new format stay where they are.

use std::io;
use std::path::{Path, PathBuf};

use crate::notice::{Code, Notice, Notices, Place};
use crate::problem::{Problem, read_yaml};

mod cases;
mod folders;
mod generators;
mod groups;
mod limits;
mod place;
mod points;
mod settings;
mod statements;
mod submissions;
mod tree;
mod yaml_entries;

use tree::PackageTree;

/// A change of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackageChange {
    /// The file in the old package.
    pub(crate) file: String,
    /// Its line, from 1; 0: the file as a whole.
    pub(crate) line: u64,
    /// What it is now.
    pub(crate) what: String,
}

/// The package as it will be, and what that changes.
pub(crate) struct Upgrade {
    pub(crate) changes: Vec<PackageChange>,
    /// What the new format cannot state.
    pub(crate) not_carried: Vec<Notice>,
    /// What the new format cannot state, and without which submissions get other results.
    pub(crate) decisive: Vec<Notice>,
    tree: PackageTree,
}

impl Upgrade {
    /// Writes the package in place of the old one.
    pub(crate) fn replace(&self, is_interrupted: &dyn Fn() -> bool) -> io::Result<()> {
        place::replace(&self.tree, is_interrupted)
    }

    /// Writes a copy, as the folder `place`, which must not exist.
    pub(crate) fn copy(&self, place: &Path, is_interrupted: &dyn Fn() -> bool) -> io::Result<()> {
        place::copy(&self.tree, place, is_interrupted)
    }
}

/// Plans the upgrade of the package. The errors say why it cannot be upgraded. Paths are shown relative to `base`.
pub(crate) fn plan(problem: &Problem, base: Option<&Path>) -> Result<Upgrade, Vec<Notice>> {
    let notices = Notices::relative_to(base);
    let tree = PackageTree::read(&problem.dir)
        .map_err(|error| vec![Notice::unreadable(&notices.show(&problem.dir), &error)])?;
    let mut plan = UpgradePlan {
        problem,
        notices,
        tree,
        changes: Vec::new(),
        not_carried: Vec::new(),
        decisive: Vec::new(),
        faults: Vec::new(),
        flags: Vec::new(),
        is_draft: false,
    };
    settings::check_version(&mut plan)?;
    let Some(mut yaml) = plan.entries_of(Path::new(settings::FILE)) else {
        return Err(plan.faults);
    };
    folders::change(&mut plan);
    cases::change(&mut plan);
    statements::change(&mut plan, &mut yaml);
    settings::change(&mut plan, &mut yaml);
    limits::change(&mut plan, &mut yaml);
    plan.tree.write(settings::FILE, yaml.text());
    generators::change(&mut plan);
    groups::change(&mut plan);
    submissions::change(&mut plan);
    if !plan.faults.is_empty() {
        return Err(plan.faults);
    }
    let UpgradePlan { changes, not_carried, decisive, tree, .. } = plan;
    Ok(Upgrade { changes, not_carried, decisive, tree })
}

/// An upgrade while it is planned.
struct UpgradePlan<'a> {
    problem: &'a Problem,
    /// Shows paths.
    notices: Notices,
    tree: PackageTree,
    changes: Vec<PackageChange>,
    not_carried: Vec<Notice>,
    decisive: Vec<Notice>,
    /// Why nothing can be written.
    faults: Vec<Notice>,
    /// The arguments of the output validator that `problem.yaml` states.
    flags: Vec<String>,
    /// Whether the package has a draft of 2025-09, whose defaults are not those of the legacy format.
    is_draft: bool,
}

impl UpgradePlan<'_> {
    /// A path below the package as messages show it.
    fn show(&self, path: impl AsRef<Path>) -> String {
        self.notices.show(&self.problem.dir.join(path))
    }

    /// Notes a change of a line of a file.
    fn changed_at(&mut self, path: impl AsRef<Path>, place: Place, what: impl Into<String>) {
        let file = self.show(path);
        self.changes.push(PackageChange { file, line: place.line, what: what.into() });
    }

    /// Notes a change of a file.
    fn changed(&mut self, path: impl AsRef<Path>, what: impl Into<String>) {
        self.changed_at(path, Place::default(), what);
    }

    /// Notes what the new format cannot state.
    fn lose(&mut self, path: impl AsRef<Path>, place: Place, what: impl std::fmt::Display) {
        self.not_carried.push(self.lost(path, place, what));
    }

    /// Notes what the new format cannot state, and without which submissions get other results.
    fn lose_decisive(
        &mut self,
        path: impl AsRef<Path>,
        place: Place,
        what: impl std::fmt::Display,
    ) {
        self.decisive.push(self.lost(path, place, what));
    }

    fn lost(&self, path: impl AsRef<Path>, place: Place, what: impl std::fmt::Display) -> Notice {
        Code::NotCarried.at(place.of(&self.show(path)), format!("not carried: {what}"))
    }

    /// Moves a file or folder, if it is there. Something that is in the way is a fault.
    fn rename(&mut self, from: impl Into<PathBuf>, to: impl Into<PathBuf>) -> bool {
        let (from, to) = (from.into(), to.into());
        if !self.tree.has(&from) {
            return false;
        }
        match self.tree.rename(&from, &to) {
            Ok(()) => {
                self.changed(&from, format!("is now {}", to.display()));
                true
            }
            Err(taken) => {
                let (old, new) = (self.show(&from), self.show(taken));
                let fault = Code::Conflict.says(format!("{old} and {new} both exist")).about(&new);
                self.faults.push(fault.help("keep one of them"));
                false
            }
        }
    }

    /// The entries of a YAML file. `None`: it cannot be edited, which is a fault.
    fn entries_of(&mut self, path: &Path) -> Option<yaml_entries::YamlEntries> {
        let Some(text) = self.tree.text(path) else {
            let shown = self.show(path);
            let fault = Code::UnreadableFile.of_file(&shown, "is not a text that can be read");
            self.faults.push(fault);
            return None;
        };
        match yaml_entries::YamlEntries::parse(&text) {
            Ok(entries) => Some(entries),
            Err(why) => {
                let at = why.place.of(&self.show(path));
                let fault = Code::InvalidSyntax.at(at, why.message);
                self.faults.push(fault.help("write each key on a line of its own"));
                None
            }
        }
    }

    /// The keys of a settings file of the old package, of which the last of equal ones counts.
    fn read_yaml(&mut self, path: &Path) -> Option<crate::problem::yaml::Node> {
        let mut notices = Notices::default();
        self.notices.clone_names(&mut notices);
        let node = read_yaml(path, &mut notices);
        self.faults.append(&mut notices.errors);
        node
    }
}
