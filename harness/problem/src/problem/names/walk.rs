//! The walk through a folder of cases: what is a file of a case, and what is named in a warning or an error.

use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::super::bounds::{bounds_of, leads_out_of_bounds, link_outside};
use super::{CaseNames, Role, is_ignored};
use crate::name_text;
use crate::notice::{Code, Few, Notice, Notices};

/// The folder to walk and the files to collect.
pub(in crate::problem) struct Walk<'a> {
    /// Names are relative to this folder.
    pub(in crate::problem) root: &'a Path,
    /// The folder to walk, `root` or below it.
    pub(in crate::problem) folder: &'a Path,
    /// Whether to walk subfolders.
    pub(in crate::problem) recursive: bool,
    /// Whether a file or folder name can be the name of a case. Other names get a warning.
    pub(in crate::problem) name_is_valid: fn(&str) -> bool,
    /// Whether to collect files with this role.
    pub(in crate::problem) accepts_role: fn(Role) -> bool,
}

impl Walk<'_> {
    /// Whether a file or folder with this name would be a part of a case or a group.
    fn counts(&self, path: &Path) -> bool {
        let name = name_text::text(path.file_name().unwrap_or_default());
        let name = &*name;
        let is_settings = matches!(name, "test_group.yaml" | "testdata.yaml");
        let is_folder =
            name.strip_suffix(".files").is_some() || (self.recursive && !name.contains('.'));
        let role = Role::of(name);
        !is_ignored(name)
            && (is_settings || is_folder || role.is_some_and(|(_, role)| (self.accepts_role)(role)))
    }

    /// Adds the files found to `names`, and the folders that contain a group's settings to
    /// `groups`.
    pub(in crate::problem) fn run(
        &self,
        names: &mut CaseNames,
        groups: &mut Vec<String>,
        notices: &mut Notices,
    ) {
        let (mut odd, mut no_text) = (Few::default(), Few::default());
        let mut like_files = Few::default();
        let mut at = At::default();
        let mut entries = WalkDir::new(self.folder)
            .follow_links(true)
            .max_depth(if self.recursive { usize::MAX } else { 1 })
            .min_depth(1)
            .into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    match dangling_link(&error) {
                        Some(path) if !self.counts(path) => warn_of_link(path, notices),
                        _ => notices.errors.push(walk_error(&error, notices)),
                    }
                    continue;
                }
            };
            let is_dir = entry.file_type().is_dir();
            if entry.path_is_symlink() && self.leads_out(entry.path()) {
                self.refuse(&entry, notices);
                if is_dir {
                    entries.skip_current_dir();
                }
                continue;
            }
            let name = name_text::text(entry.file_name());
            let name = &*name;
            if is_ignored(name) {
                if is_dir {
                    entries.skip_current_dir();
                }
                continue;
            }
            // A case that is ignored for its name is no surprise in this format, but here an archiver changed the name.
            let mut invalid = |what: &str| match entry.file_name().to_str() {
                Some(_) => odd.push(|| odd_name(entry.path(), what, notices)),
                None => no_text.push(|| not_text(entry.path(), notices)),
            };
            if is_dir {
                let role = Role::of(name).filter(|(_, role)| (self.accepts_role)(*role));
                if let Some((_, Role::Input | Role::Answer | Role::Out)) = role {
                    like_files.push(|| folder_like_a_file(entry.path(), notices));
                }
                // `<case>.files/` belongs to one case and is copied for the program; it is not a
                // group.
                if let Some(stem) = name.strip_suffix(".files") {
                    entries.skip_current_dir();
                    if (self.accepts_role)(Role::Beside) && (self.name_is_valid)(stem) {
                        at.enter(&entry, self.root, names);
                        names.push(stem, Role::Beside);
                    }
                } else if self.recursive && !(self.name_is_valid)(name) {
                    invalid("is not a valid name of a group");
                    entries.skip_current_dir();
                }
                continue;
            }
            let is_settings = matches!(name, "test_group.yaml" | "testdata.yaml");
            let role = Role::of(name).filter(|(_, role)| (self.accepts_role)(*role));
            if (is_settings || role.is_some()) && !entry.file_type().is_file() {
                notices.errors.push(no_file(entry.path(), notices));
                continue;
            }
            at.enter(&entry, self.root, names);
            if is_settings {
                groups.push(at.folder.clone());
                continue;
            }
            let Some((stem, role)) = role else { continue };
            if (self.name_is_valid)(stem) {
                names.push(stem, role);
            } else {
                invalid("is not a valid name of a case");
            }
        }
        let like_files = like_files.finish("folders like that");
        notices.warnings.extend(like_files);
        let odd = odd.finish("names like that").into_iter();
        let in_folder = notices.show(self.folder);
        notices.warnings.extend(odd.map(|notice| match notice.location {
            Some(_) => notice,
            None => notice.about(&in_folder),
        }));
        notices.errors.extend(no_text.finish("names like that"));
    }

    /// Whether a link leads out of the package (the parent of the root, which is `data/`), or of the plain folder or the
    /// repository around it.
    fn leads_out(&self, link: &Path) -> bool {
        if !self.recursive {
            return leads_out_of_bounds(&bounds_of(self.root), link);
        }
        let package = self.root.parent().unwrap_or(self.root);
        match (package.canonicalize(), link.canonicalize()) {
            (Ok(package), Ok(target)) => !target.starts_with(package),
            _ => false,
        }
    }

    /// Reports a link that leads out. In a plain folder, only one that counts, and only once: the search for problems may have
    /// reported it.
    fn refuse(&self, entry: &walkdir::DirEntry, notices: &mut Notices) {
        let link = entry.path();
        let notice =
            if self.recursive { leads_out(link, notices) } else { link_outside(link, notices) };
        let matters = self.recursive || self.counts(link);
        if matters && !notices.errors.contains(&notice) {
            notices.errors.push(notice);
        }
    }
}

fn leads_out(link: &Path, notices: &Notices) -> Notice {
    Notice {
        code: Code::LinkOutside,
        location: None,
        message: format!("{} is a symbolic link that leads out of the package", notices.show(link)),
        help: Some("replace it with a copy".to_owned()),
    }
}

/// The current folder of a walk.
#[derive(Default)]
struct At {
    path: Option<PathBuf>,
    /// The path relative to the root of the names.
    folder: String,
}

impl At {
    /// Makes the folder of `entry` the current folder.
    fn enter(&mut self, entry: &walkdir::DirEntry, root: &Path, names: &mut CaseNames) {
        let parent = entry.path().parent().unwrap_or(root);
        if self.path.as_deref() != Some(parent) {
            self.path = Some(parent.to_path_buf());
            self.folder = slashed(parent.strip_prefix(root).unwrap_or(parent));
            names.enter(self.folder.clone());
        }
    }
}

/// A folder with the name of an input or an answer.
fn folder_like_a_file(path: &Path, notices: &Notices) -> Notice {
    let notice = Code::NotAFile
        .of_file(&notices.show(path), "is a folder, although it has the name of a file of a case");
    notice.help("rename it, or put a file in its place")
}

/// A pipe or a device: reading it could block forever.
fn no_file(path: &Path, notices: &Notices) -> Notice {
    Notice {
        code: Code::NotAFile,
        location: None,
        message: format!("{} is not a regular file", notices.show(path)),
        help: Some("remove it, or put a file in its place".to_owned()),
    }
}

const VALID: &str = "use letters, digits, `_`, `.` and `-`; start with a letter, digit or `_`";

fn odd_name(path: &Path, why: &str, notices: &Notices) -> Notice {
    let what = format!("{why}; it is ignored");
    let notice = Code::InvalidName.of_file(&notices.show(path), what);
    notice.help(VALID)
}

fn not_text(path: &Path, notices: &Notices) -> Notice {
    Notice {
        code: Code::InvalidName,
        location: None,
        message: format!("the name of {} is not valid UTF-8", notices.show(path)),
        help: Some(format!("rename it: {VALID}")),
    }
}

/// The link that leads nowhere, if that is the error.
pub fn dangling_link(error: &walkdir::Error) -> Option<&Path> {
    let is_missing = error.io_error()?.kind() == io::ErrorKind::NotFound;
    let path = error.path()?;
    (is_missing && path.is_symlink()).then_some(path)
}

/// Warns of a link that leads nowhere and whose name says that it is not a part of a problem. Hidden ones are ignored.
pub fn warn_of_link(path: &Path, notices: &mut Notices) {
    let name = path.file_name().unwrap_or_default();
    if !is_ignored(&name.to_string_lossy()) {
        let shown = notices.show(path);
        notices.warn(
            Code::UnreadableFile
                .of_file(&shown, "is a symbolic link that leads nowhere; it is ignored"),
        );
    }
}

/// A folder that cannot be read, a link that leads nowhere, or one that leads back to a parent folder.
pub fn walk_error(error: &walkdir::Error, notices: &Notices) -> Notice {
    let path = error.path().map_or_else(String::new, |path| notices.show(path));
    if let Some(ancestor) = error.loop_ancestor() {
        return Notice {
            code: Code::LinkOutside,
            location: None,
            message: format!(
                "{path} is a symbolic link that leads back to {}",
                notices.show(ancestor)
            ),
            help: Some("remove the link, or point it elsewhere".to_owned()),
        };
    }
    if dangling_link(error).is_some() {
        let what = "is a symbolic link that leads nowhere";
        let notice = Code::UnreadableFile.of_file(&path, what);
        return notice.help("remove the link, or point it elsewhere");
    }
    let cause = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    Notice {
        code: Code::UnreadableFile,
        location: None,
        message: format!("cannot read {path}: {cause}"),
        help: None,
    }
}

/// A relative path with `/` between its components.
fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| name_text::text(part.as_os_str())).collect();
    parts.join("/")
}
