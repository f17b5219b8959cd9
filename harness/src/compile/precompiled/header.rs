//! Makes a header: what it depends on, and the runs of the compiler.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rejudge_quantity::Bytes;

use super::command::{FILES_READ, LEAD, PlainCommand};
use super::running::{PlanKey, describe, is_silent, run_in};
use super::{MadeFile, lead, name_of, stamp_of};
use crate::compile::message::Message;
use crate::compile::store::{ArtifactStore, BuildFolder};
use crate::compile::{CompileError, CompileRequest, SCRATCH, doing};
use crate::left_behind::KeepError;
use crate::sandbox::{Execution, Exit, Job, RunJob};

/// Increased when the meaning of a stored header changes.
const FORMAT: u32 = 3;

/// A compiler with less memory may fail to make a header.
const LEAST_MEMORY: Bytes = Bytes::mib(1024);

/// GCC before this release optimises differently if it reads a pragma twice.
const READS_PRAGMAS_TWICE: u32 = 12;

/// The files in which the directives are written once and twice, to compare both.
const ONCE: &str = "once.h";
const TWICE: &str = "twice.h";
/// The prefix of the macros by which the headers of the C library ask each other for single types.
const ASKING: &str = "__need_";
/// Marks the ends of the two readings in what the preprocessor prints, with the counter of the compiler.
const MARKS: [&str; 2] = ["rejudge_read_once", "rejudge_read_twice"];

/// Only Clang defines this macro.
const CLANG: &str = "#define __clang__ 1";

/// What the preprocessor shows about the compiler and the leading directives.
struct PreprocessedLead {
    is_clang: bool,
    /// Whether a second reading of the directives changes nothing: no macro, no counter, and no token is added.
    may_read_twice: bool,
}

/// Everything that is needed to make a header.
#[derive(Debug)]
pub(in crate::compile) struct HeaderPlan {
    /// A digest of everything else here but the limits.
    key: String,
    /// The leading directives.
    lead: Vec<u8>,
    /// The files of the package that the compiler may read.
    files: Vec<(PathBuf, Vec<u8>)>,
    command: PlainCommand,
    /// The version of the compiler.
    version: String,
    /// The job of the plain compilation.
    job: Job,
}

impl HeaderPlan {
    /// The plan for a source that `job` compiles. `None`: it cannot use a header.
    pub(super) fn of(request: &CompileRequest<'_>, job: &Job) -> Option<Self> {
        if job.limits.memory < LEAST_MEMORY {
            return None;
        }
        let name = &request.file_name;
        let command = PlainCommand::read(&job.argv, name).filter(|_| !name.contains('/'))?;
        let source = request.files.iter().find(|file| file.name == *name)?;
        let lead = lead::of(&source.text)?;
        if lead.has_pragma && request.toolchain.release() < Some(READS_PRAGMAS_TWICE) {
            return None;
        }
        let files = included_files(request, &lead.quoted)?;
        let mut plan = Self {
            key: String::new(),
            lead: lead.text,
            files,
            command,
            version: request.toolchain.version.clone(),
            job: job.clone(),
        };
        plan.key = plan.digest(&request.toolchain.identity);
        Some(plan)
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    fn digest(&self, compiler: &str) -> String {
        let mut key = PlanKey::of(FORMAT, compiler, &self.command.making(false), &self.job);
        key.add(&self.lead);
        for (path, text) in &self.files {
            key.add(path.as_os_str().as_encoded_bytes());
            key.add(text);
        }
        key.finish("header")
    }

    /// Makes the header and stores it. `None`: it is of no use.
    pub(super) fn make(
        &self,
        store: &ArtifactStore,
        run: &mut RunJob<'_>,
    ) -> Result<Option<MadeFile>, CompileError> {
        let place = doing(store.begin(), "create a folder in", store.root())?;
        let start = Instant::now();
        doing(self.write(&place), "write to", place.path())?;
        let Some(compiler) = self.preprocess(&place, run)?.filter(|found| found.may_read_twice)
        else {
            return Ok(None);
        };
        let making = self.command.making(compiler.is_clang);
        let made = self.run(&place, making, run)?;
        if made.exit != Exit::Code(0) || !is_silent(&made) {
            return Ok(None);
        }
        let list = place.work().start_of(FILES_READ, 1 << 20).unwrap_or_default();
        let files = files_read(&String::from_utf8_lossy(&list));
        doing(self.remove_all_but_the_header(&place), "remove files in", place.path())?;
        doing(describe(&place, &self.version, &self.lead), "write to", place.path())?;
        let stamp = stamp_of(&files);
        let name = name_of(&self.key, &stamp);
        match store.finish(&place, &name, start.elapsed(), &Message::default()) {
            Ok(_) => Ok(Some(MadeFile { files, stamp })),
            Err(KeepError::Contents(_)) => Ok(None),
            Err(KeepError::Io(error)) => doing(Err(error), "store a header in", store.root()),
        }
    }

    fn write(&self, place: &BuildFolder) -> std::io::Result<()> {
        place.work().make_folder(SCRATCH)?;
        for (path, text) in self.files.iter().filter(|(path, _)| !path.starts_with(SCRATCH)) {
            place.work().write(path, 0o644, text)?;
        }
        place.work().write(Path::new(LEAD), 0o644, &self.lead)?;
        let [once, twice] = MARKS.map(|mark| format!("{mark} __COUNTER__ {mark}\n").into_bytes());
        let read_once = [self.lead.as_slice(), &once].concat();
        place.work().write(
            Path::new(TWICE),
            0o644,
            &[&read_once, self.lead.as_slice(), &twice].concat(),
        )?;
        place.work().write(Path::new(ONCE), 0o644, &read_once)
    }

    /// Runs the compiler with the headers that are brought along: each run empties their folder.
    fn run(
        &self,
        place: &BuildFolder,
        words: Vec<OsString>,
        run: &mut RunJob<'_>,
    ) -> Result<Execution, CompileError> {
        let brought = || -> std::io::Result<()> {
            for (path, text) in self.files.iter().filter(|(path, _)| path.starts_with(SCRATCH)) {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let scratch = place.work().folder(SCRATCH)?;
                if !scratch.has(&name) {
                    scratch.write(Path::new(&*name), 0o644, text)?;
                }
            }
            Ok(())
        };
        doing(brought(), "write to", place.path())?;
        run_in(place, &self.job, words, run)
    }

    fn remove_all_but_the_header(&self, place: &BuildFolder) -> std::io::Result<()> {
        let first =
            |path: &Path| path.iter().next().map(|name| name.to_string_lossy().into_owned());
        let names = self.files.iter().filter_map(|(path, _)| first(path));
        let own = [LEAD, ONCE, TWICE, FILES_READ, SCRATCH].map(str::to_owned);
        for name in names.chain(own) {
            if place.work().has(&name) {
                place.work().remove(&name)?;
            }
        }
        Ok(())
    }

    /// What the preprocessor shows. `None`: it fails.
    fn preprocess(
        &self,
        place: &BuildFolder,
        run: &mut RunJob<'_>,
    ) -> Result<Option<PreprocessedLead>, CompileError> {
        let mut printed = |options: &[&str], file: &str| -> Result<_, CompileError> {
            let words = self.command.preprocessing(options, file);
            let execution = self.run(place, words, run)?;
            let mut text = String::new();
            let read = execution.stdout.reader().and_then(|mut out| out.read_to_string(&mut text));
            Ok((execution.exit == Exit::Code(0) && read.is_ok()).then_some(text))
        };
        let (Some(once), Some(twice), Some(text)) =
            (printed(&["-dM"], ONCE)?, printed(&["-dM"], TWICE)?, printed(&[], TWICE)?)
        else {
            return Ok(None);
        };
        let macros_once = macros(&once);
        Ok(Some(PreprocessedLead {
            is_clang: macros_once.contains(CLANG),
            may_read_twice: macros_once == macros(&twice) && adds_nothing(&text),
        }))
    }
}

/// The files of the package that the compiler may read for these names, by their paths in its folder. `None`: a name is not
/// among them.
fn included_files(
    request: &CompileRequest<'_>,
    quoted: &[String],
) -> Option<Vec<(PathBuf, Vec<u8>)>> {
    let included = request.files.iter().filter(|file| file.is_included);
    let own = included.map(|file| (PathBuf::from(&file.name), file.text.clone()));
    let found = request.headers.found.iter().map(|(name, text)| (name.into(), text.clone()));
    let brought = request.headers.brought.iter();
    let brought = brought.map(|one| (Path::new(SCRATCH).join(one.name), one.text.to_vec()));
    let all: Vec<(PathBuf, Vec<u8>)> = own.chain(found).chain(brought).collect();
    let is_there = |name: &String| {
        let name = Path::new(name);
        all.iter().any(|(path, _)| path == name || path.strip_prefix(SCRATCH) == Ok(name))
    };
    if !quoted.iter().all(is_there) {
        return None;
    }
    // Without such a name, the directives read none of them.
    let is_needed = !quoted.is_empty() || !request.headers.brought.is_empty();
    Some(if is_needed { all } else { Vec::new() })
}

/// The macros in a list of the preprocessor, without those with the prefix [`ASKING`]: the second reading of `<stdarg.h>` forgets
/// one that the first has left.
fn macros(list: &str) -> BTreeSet<&str> {
    let name = |line: &str| line.split_ascii_whitespace().nth(1).unwrap_or_default().to_owned();
    list.lines().filter(|line| !name(line).starts_with(ASKING)).collect()
}

/// Whether the preprocessor printed nothing for the second reading but pragmas, which the compiler reads twice anyway.
fn adds_nothing(text: &str) -> bool {
    let counted = |mark: &str| -> Option<(usize, u32, usize)> {
        let start = text.find(mark)?;
        let rest = &text[start + mark.len()..];
        let length = rest.find(mark)?;
        Some((start, rest[..length].trim().parse().ok()?, start + 2 * mark.len() + length))
    };
    let [Some((_, first, from)), Some((to, second, _))] = MARKS.map(counted) else {
        return false;
    };
    let mut lines = text[from..to].lines().map(str::trim);
    second == first + 1 && lines.all(|line| line.is_empty() || line.starts_with("#pragma"))
}

/// The absolute paths in a list of dependencies in the form of `make`.
fn files_read(list: &str) -> Vec<PathBuf> {
    let (_, list) = list.split_once(": ").unwrap_or_default();
    // Spaces in names are escaped.
    let list = list.replace("\\\n", " ").replace("\\ ", "\0").replace("$$", "$");
    let words = list.split_ascii_whitespace().filter(|word| word.starts_with('/'));
    let mut files: Vec<PathBuf> = words.map(|word| word.replace('\0', " ").into()).collect();
    files.sort();
    files.dedup();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_from_the_list_of_the_compiler() {
        let list = "lead.h.gch: lead.h \\\n /usr/a.h /usr/b\\ c.h \\\n tmp/testlib.h /usr/$$d.h /usr/a.h\n";
        let files: Vec<PathBuf> = ["/usr/$d.h", "/usr/a.h", "/usr/b c.h"].map(Into::into).to_vec();
        assert_eq!(files_read(list), files);
        assert_eq!(files_read(""), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_second_reading_may_add_only_pragmas() {
        let [once, twice] = MARKS;
        let text = |first: u32, between: &str, second: u32| {
            format!("int x;\n{once} {first} {once}\n{between}{twice} {second} {twice}\n")
        };
        assert!(adds_nothing(&text(0, "", 1)));
        assert!(adds_nothing(&text(2, "\n#pragma GCC optimize(\"O3\")\n", 3)));
        assert!(!adds_nothing(&text(0, "int y;\n", 1)));
        assert!(!adds_nothing(&text(0, "", 2)), "the counter was used");
        assert!(!adds_nothing("int x;"));
    }
}
