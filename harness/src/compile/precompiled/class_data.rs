//! Archives of the classes that a compiler on a Java virtual machine has loaded.
//!
//! The machine makes one when the compiler exits ("class data sharing"), and maps it when the compiler starts again. The
//! compiler compiles the `hello` source of the language for it, and never a submission. An archive that does not fit, of
//! another release for example, is ignored without a message.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use walkdir::WalkDir;

use super::running::{PlanKey, describe, run_in};
use super::{MadeFile, name_of, stamp_of};
use crate::compile::message::{MERGED_WORDS, Message};
use crate::compile::store::{ArtifactStore, BuildFolder};
use crate::compile::{CompileError, CompileRequest, SCRATCH, doing};
use crate::language::Toolchain;
use crate::left_behind::KeepError;
use crate::sandbox::{Exit, Job, RunJob};

/// The archive, in its folder.
pub(super) const STORED: &str = "classes.jsa";

/// Increased when the meaning of a stored archive changes.
const FORMAT: u32 = 1;

/// The prefix of the options that a compiler passes to its virtual machine.
const TO_MACHINE: &str = "-J-";
/// The words in options of users that an archive could contradict.
const OWN: [&str; 4] = ["SharedArchiveFile", "ArchiveClassesAtExit", "Xshare", "Xlog"];
/// An archive that does not fit is no news for users.
const QUIET: [&str; 2] = ["-J-Xlog:cds*=off", "-J-Xlog:class+path*=off"];

/// Everything that is needed to make an archive.
#[derive(Debug)]
pub(in crate::compile) struct ClassDataPlan {
    /// A digest of everything else here but the limits.
    key: String,
    /// The command without sources.
    words: Vec<OsString>,
    /// The name and the text of the source that is compiled.
    source: (String, String),
    /// The files of the compiler and its virtual machine.
    files: Vec<PathBuf>,
    /// The version of the compiler.
    version: String,
    /// The job of the plain compilation.
    job: Job,
}

impl ClassDataPlan {
    /// The plan for a source that `job` compiles. `None`: its compiler does not run on a virtual machine that is known.
    pub(super) fn of(request: &CompileRequest<'_>, job: &Job) -> Option<Self> {
        let argv = job.argv.get(MERGED_WORDS..)?;
        let options = argv.iter().filter(|word| starts_with(word, TO_MACHINE));
        let mut options = options.map(|word| word.to_string_lossy()).peekable();
        options.peek()?;
        if options.any(|option| OWN.iter().any(|own| option.contains(own))) {
            return None;
        }
        let is_source = |word: &&OsString| request.files.iter().any(|one| **word == *one.name);
        let words: Vec<OsString> = argv.iter().filter(|word| !is_source(word)).cloned().collect();
        let extension = request.language.extensions.first()?;
        let source = (format!("Hello.{extension}"), request.language.hello.clone()?);
        let files = tool_files(request.toolchain);
        if words.len() == argv.len() || files.is_empty() {
            return None;
        }
        let mut key = PlanKey::of(FORMAT, &request.toolchain.identity, &words, job);
        key.add(source.0.as_bytes());
        key.add(source.1.as_bytes());
        let version = request.toolchain.version.clone();
        Some(Self { key: key.finish("classes"), words, source, files, version, job: job.clone() })
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Makes the archive and stores it. `None`: it is of no use.
    pub(super) fn make(
        &self,
        store: &ArtifactStore,
        run: &mut RunJob<'_>,
    ) -> Result<Option<MadeFile>, CompileError> {
        let begin = || doing(store.begin(), "create a folder in", store.root());
        let (place, kept) = (begin()?, begin()?);
        let start = Instant::now();
        // Before the compiler reads them.
        let stamp = stamp_of(&self.files);
        doing(self.write(&place), "write to", place.path())?;
        let made = run_in(&place, &self.job, self.making(), run)?;
        if made.exit != Exit::Code(0) || !place.work().has(STORED) {
            return Ok(None);
        }
        doing(copy(&place, &kept), "write to", kept.path())?;
        doing(describe(&kept, &self.version, b"its own classes"), "write to", kept.path())?;
        let name = name_of(&self.key, &stamp);
        match store.finish(&kept, &name, start.elapsed(), &Message::default()) {
            Ok(_) => Ok(Some(MadeFile { files: self.files.clone(), stamp })),
            Err(KeepError::Contents(_)) => Ok(None),
            Err(KeepError::Io(error)) => doing(Err(error), "store an archive in", store.root()),
        }
    }

    fn making(&self) -> Vec<OsString> {
        let mut words = self.words.clone();
        let archive = format!("-J-XX:ArchiveClassesAtExit={STORED}");
        words.splice(1..1, QUIET.map(OsString::from).into_iter().chain([archive.into()]));
        words.push(self.source.0.clone().into());
        words
    }

    fn write(&self, place: &BuildFolder) -> io::Result<()> {
        place.work().make_folder(SCRATCH)?;
        place.work().write(Path::new(&self.source.0), 0o644, self.source.1.as_bytes())
    }
}

/// Lets the compiler of a job load its classes from the archive in `folder`.
pub(super) fn load(argv: &mut Vec<OsString>, folder: &Path) {
    let at = MERGED_WORDS + 1;
    let mut archive = OsString::from("-J-XX:SharedArchiveFile=");
    archive.push(folder.join(STORED));
    let quiet = QUIET.iter().map(OsString::from);
    argv.splice(at..at, quiet.chain(["-J-Xshare:auto".into(), archive]));
}

/// Copies the archive only: the compiler may have written other files.
fn copy(from: &BuildFolder, to: &BuildFolder) -> io::Result<()> {
    let name = Path::new(STORED);
    let mut source = from.work().file(name)?;
    io::copy(&mut source, &mut to.work().create(name, 0o644)?).map(drop)
}

fn starts_with(word: &OsStr, prefix: &str) -> bool {
    word.as_encoded_bytes().starts_with(prefix.as_bytes())
}

/// The files in the library folders of a compiler and of its virtual machine. Empty: there are none that belong to it alone.
fn tool_files(toolchain: &Toolchain) -> Vec<PathBuf> {
    let programs = toolchain.programs.values().filter_map(|program| program.canonicalize().ok());
    let homes = programs.filter_map(|program| Some(program.parent()?.parent()?.to_owned()));
    let homes = homes.filter(|home| !["/", "/usr", "/usr/local"].map(Path::new).contains(&&**home));
    let libraries = homes.map(|home| home.join("lib"));
    let listed = |folder: PathBuf| WalkDir::new(folder).max_depth(2).into_iter();
    let entries = libraries.flat_map(listed).filter_map(Result::ok);
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    let mut files: Vec<PathBuf> = files.map(walkdir::DirEntry::into_path).collect();
    files.sort();
    files.dedup();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_comes_before_all_other_options() {
        let mut argv = ["/bin/sh", "-c", "exec", "javac", "-J-Xmx1g"].map(OsString::from).to_vec();
        load(&mut argv, Path::new("/h"));
        assert_eq!(
            argv[MERGED_WORDS..].join(OsStr::new(" ")),
            "javac -J-Xlog:cds*=off -J-Xlog:class+path*=off -J-Xshare:auto \
             -J-XX:SharedArchiveFile=/h/classes.jsa -J-Xmx1g"
        );
    }
}
