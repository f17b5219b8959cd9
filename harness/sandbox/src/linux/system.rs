//! The parts of the system that every program may read: one list for all protections.
//!
//! Toolchains elsewhere, as in `/opt`, are named by who knows them, so that nothing lies open by accident.

/// Folders of the system. `/usr` itself may hold anybody's files.
const FOLDERS: [&str; 19] = [
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/libexec",
    "/usr/share",
    "/usr/include",
    "/usr/local",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    // Package managers' own, for all programs, and a database that a compiler keeps elsewhere.
    "/nix/store",
    "/gnu/store",
    "/var/lib/ghc",
];

/// These folders, but for one in which somebody works: there are cases and answers.
pub(super) fn folders() -> impl Iterator<Item = &'static str> {
    let here = std::env::current_dir().unwrap_or_default();
    let mut folders = FOLDERS.into_iter();
    std::iter::from_fn(move || folders.find(|folder| !here.starts_with(folder)))
}
