//! Finds a language's compiler and interpreter on this machine, and their versions.
//!
//! Getting a compiler's version takes longer than starting a hundred programs, so the result is
//! stored in the cache folder under the stat of everything that it depends on: for a known
//! toolchain a few system calls suffice. Wrappers that choose a program by the user's settings
//! (those of rustup and pyenv) are slow and lie in the home folder, which a sandbox hides;
//! `resolve` asks them once for the real program. No file of the judged repository has an effect
//! (`outside`).

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use serde::{Deserialize, Serialize};

use super::Language;
use crate::cache::{Cache, Part};
use crate::notice::{Code, Notice};
use crate::outside::{self, is_program};

/// Increased when the meaning of a stored toolchain changes.
const FORMAT: u32 = 3;

/// A language's programs on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Toolchain {
    /// The programs of its command lines, by their names in the table.
    pub programs: BTreeMap<String, PathBuf>,
    /// Folders that the programs need, other than system folders.
    pub readable: Vec<PathBuf>,
    /// The first line printed by `version` that is not a warning; may be empty.
    pub version: String,
    /// The identity of a toolchain: paths, stat and version.
    pub identity: String,
}

impl Toolchain {
    /// The first number of its version: 17 of `javac 17.0.15`.
    pub fn release(&self) -> Option<u32> {
        let mut words = self.version.split(|c: char| !c.is_ascii_digit());
        words.find(|word| !word.is_empty())?.parse().ok()
    }
}

/// A language that is not installed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.notice())]
pub struct NotInstalled {
    /// The human-readable name of the language.
    pub name: String,
    /// Which program is missing or fails.
    pub reason: String,
    /// The package or program to install.
    pub install: String,
}

impl NotInstalled {
    /// Nobody consented to run what the settings name for the language.
    pub(super) fn without_consent(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            reason: "`version` and `resolve` in `rejudge.toml` run outside the sandbox, and that is not permitted"
                .to_owned(),
            install: "nothing, and judge with `--sandbox auto` if you trust the repository".to_owned(),
        }
    }

    /// The notice of it.
    pub fn notice(&self) -> Notice {
        let Self { name, reason, install } = self;
        Code::MissingTool
            .says(format!("{name} is not installed: {reason}"))
            .help(format!("install {install}"))
    }
}

/// Finds the toolchain of `language` in the cache or on the machine.
pub(super) fn find(language: &Language, cache: &Cache) -> Result<Toolchain, NotInstalled> {
    let missing = |reason: String| NotInstalled {
        name: language.name.clone(),
        reason,
        install: language.install.clone(),
    };
    let mut programs = BTreeMap::new();
    for name in program_names(language) {
        let not_found = || missing(Unusable::NotFound(name.to_owned()).to_string());
        let path = look_up(name).ok_or_else(not_found)?;
        programs.insert(name.to_owned(), path);
    }
    let key = cache_key(language, &programs);
    if let Some(known) = stored(cache, &key) {
        return Ok(known);
    }
    let found = query(language, programs).map_err(|why| missing(why.to_string()))?;
    let known = StoredToolchain { fingerprints: fingerprints(&found), toolchain: found };
    cache.keep_answer(Part::Toolchains, &key, &known);
    Ok(known.toolchain)
}

/// The programs to find: the first words of the command lines, except for built ones.
fn program_names(language: &Language) -> Vec<&str> {
    let lines = [Some(&language.compile), Some(&language.run)];
    let special = [language.debug.as_ref(), language.sanitize.as_ref()];
    let mut names: Vec<&str> = lines
        .into_iter()
        .chain(special)
        .flatten()
        .filter_map(|argv| argv.first()?.plain())
        .collect();
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| !name.is_empty() && seen.insert(*name));
    names
}

/// Searches `name` in `PATH`; a name with a slash is a path.
fn look_up(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        let path = std::path::absolute(name).ok()?;
        return is_program(&path).then_some(path);
    }
    outside::look_up(name)
}

/// The cache key of the toolchain: everything that it depends on.
fn cache_key(language: &Language, programs: &BTreeMap<String, PathBuf>) -> String {
    let mut hash = blake3::Hasher::new();
    let mut add = |text: &str| {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    add(&format!("{FORMAT} {}", env!("CARGO_PKG_VERSION")));
    for words in [&language.version, &language.resolve] {
        add(&words.join("\0"));
    }
    for (name, path) in programs {
        add(name);
        add(&fingerprint(path));
    }
    for watched in &language.watch {
        add(&watch(watched));
    }
    hash.finalize().to_hex().to_string()
}

/// The state of one input of `resolve`.
fn watch(what: &str) -> String {
    if let Some(variable) = what.strip_prefix('$') {
        return format!("{:?}", std::env::var_os(variable));
    }
    if let Some(rest) = what.strip_prefix("~/") {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        return home.map_or_else(String::new, |home| fingerprint(&home.join(rest)));
    }
    fingerprint(Path::new(what))
}

/// The path, real path, size, time of change and inode of a file, without reading it.
pub fn fingerprint(path: &Path) -> String {
    let Ok(real) = path.canonicalize() else {
        return format!("{} missing", path.display());
    };
    let stat = real.metadata().map_or_else(|error| error.to_string(), |file| stat_words(&file));
    format!("{} {} {stat}", path.display(), real.display())
}

fn stat_words(file: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt;
    format!(
        "{} {}.{:09} {}:{}",
        file.size(),
        file.mtime(),
        file.mtime_nsec(),
        file.dev(),
        file.ino()
    )
}

/// A stored toolchain.
#[derive(Deserialize, Serialize)]
struct StoredToolchain {
    toolchain: Toolchain,
    /// The fingerprints of the resolved programs at that time.
    fingerprints: Vec<String>,
}

fn fingerprints(toolchain: &Toolchain) -> Vec<String> {
    let programs = toolchain.programs.values();
    programs.map(|path| fingerprint(path)).collect()
}

fn stored(cache: &Cache, key: &str) -> Option<Toolchain> {
    let known: StoredToolchain = cache.answer(Part::Toolchains, key)?;
    (fingerprints(&known.toolchain) == known.fingerprints).then_some(known.toolchain)
}

/// Why a program of a language cannot be used.
#[derive(Debug, thiserror::Error)]
enum Unusable {
    #[error("`{0}` was not found")]
    NotFound(String),
    #[error("cannot start `{0}`: {1}")]
    NotStarted(String, std::io::Error),
    #[error("`{command}` fails ({status}): {first_line}")]
    Fails { command: String, status: ExitStatus, first_line: String },
    #[error("`{command}` printed `{}`, which is not a program", .printed.display())]
    NotAProgram { command: String, printed: PathBuf },
}

/// Runs the programs to get their paths and versions.
fn query(
    language: &Language,
    mut programs: BTreeMap<String, PathBuf>,
) -> Result<Toolchain, Unusable> {
    let (mut readable, mut stated) = (Vec::new(), Vec::new());
    if let Some(first) = language.resolve.first() {
        let output = output_of(&language.resolve, &programs)?;
        let mut lines = output.lines().map(str::trim).filter(|line| !line.is_empty());
        let root = lines.next().map(PathBuf::from).unwrap_or_default();
        let program = if root.is_dir() {
            readable.push(root.clone());
            root.join("bin").join(first)
        } else {
            root
        };
        if !is_program(&program) {
            return Err(Unusable::NotAProgram {
                command: language.resolve.join(" "),
                printed: program,
            });
        }
        programs.insert(first.clone(), program);
        stated.extend(lines.map(PathBuf::from));
    }
    for path in programs.values() {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        readable.extend(real.parent().and_then(Path::parent).map(Path::to_owned));
        readable.extend(path.parent().map(Path::to_owned));
    }
    readable.retain(|folder| !is_system(folder));
    // Of `/etc`, a sandbox shows only what every program needs.
    let is_own_setting = |folder: &Path| folder.starts_with("/etc") && folder != Path::new("/etc");
    stated.retain(|folder| is_own_setting(folder) || !is_system(folder));
    readable.extend(stated);
    readable.retain(|folder| folder.is_dir());
    readable.sort();
    readable.dedup();
    let version = match language.version.first() {
        Some(_) => output_of(&language.version, &programs)?,
        None => String::new(),
    };
    let stats: Vec<String> = programs.values().map(|path| fingerprint(path)).collect();
    let warned = |line: &str| line.to_ascii_lowercase().contains("warning:");
    let lines = version.lines().map(str::trim);
    let first_line = lines.filter(|line| !warned(line)).find(|line| !line.is_empty());
    Ok(Toolchain {
        identity: format!("{}\n{version}", stats.join("\n")),
        version: first_line.unwrap_or_default().to_owned(),
        programs,
        readable,
    })
}

/// Whether every sandbox shows this folder anyway, or showing it would expose everything.
fn is_system(folder: &Path) -> bool {
    let shown = ["/usr", "/bin", "/lib", "/lib64", "/etc"];
    let home = std::env::var_os("HOME");
    folder == Path::new("/")
        || home.is_some_and(|home| Path::new(&home) == folder)
        || shown.iter().any(|root| folder.starts_with(root))
}

/// The standard output of a command, or its standard error if that is empty.
fn output_of(argv: &[String], programs: &BTreeMap<String, PathBuf>) -> Result<String, Unusable> {
    let (name, rest) = argv.split_first().expect("the caller looked");
    let known = programs.get(name).cloned();
    let path = known.or_else(|| look_up(name)).ok_or_else(|| Unusable::NotFound(name.clone()))?;
    let output = outside::command(&path)
        .args(rest)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .map_err(|error| Unusable::NotStarted(name.clone(), error))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if !output.status.success() {
        let words = text(&output.stderr);
        let first = words.lines().next().unwrap_or_default();
        return Err(Unusable::Fails {
            command: argv.join(" "),
            status: output.status,
            first_line: first.to_owned(),
        });
    }
    let printed = text(&output.stdout);
    Ok(if printed.is_empty() { text(&output.stderr) } else { printed })
}
