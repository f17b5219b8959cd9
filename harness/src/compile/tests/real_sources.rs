//! Compiles many real sources as users do, with and without precompiled headers, and compares what users see.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use walkdir::WalkDir;

use super::precompiled::HeaderFixture;
use super::*;
use crate::compile::precompiled::PrecompiledFile;
use crate::left_behind;

/// A header is made if so many sources begin with its lines.
const ALIKE: usize = 5;

/// What became of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// The program was made with a header, which the compiler's list of files names.
    Used,
    /// The compiler failed or spoke of other files with the header, so the source was compiled plainly.
    Again,
    /// The header cannot be made.
    Unmade,
    /// The program, the failure or the message is not that of a plain compilation.
    Different,
}

/// A source of the folder.
struct RealSource {
    /// The place in the order in which sources are chosen.
    digest: String,
    path: PathBuf,
    /// The name of its file.
    name: String,
    /// The first folder of its path, which is that of one author.
    author: String,
    has_system_header: bool,
    /// The key of its header, if it can have one.
    key: Option<String>,
}

/// Compares the C++ sources in `$REJUDGE_SOURCES`, which has a folder for each author: all that can use a header, or the first
/// `$REJUDGE_MOST` in the order of their digests. Prints how many used one.
#[test]
#[ignore = "it takes hours; `benches/precompiled.sh` runs it"]
fn real_sources_give_the_same_program() {
    let Some(folder) = std::env::var_os("REJUDGE_SOURCES") else { return };
    let most = std::env::var("REJUDGE_MOST").ok().and_then(|most| most.parse().ok());
    let fixture = HeaderFixture::new();
    fs::write(fixture.dir.path().join("problem.yaml"), "name: proof\n").unwrap();
    let mut sources = read_all(&fixture, Path::new(&folder));
    sources.sort_by(|one, other| one.digest.cmp(&other.digest));
    let mut sizes = BTreeMap::<String, usize>::new();
    for key in sources.iter().filter_map(|source| source.key.clone()) {
        *sizes.entry(key).or_default() += 1;
    }
    let is_common = |source: &RealSource| {
        let key = source.key.as_ref();
        key.is_some_and(|key| sizes.get(key).is_some_and(|&size| size >= ALIKE))
    };
    let mut left = most.unwrap_or(usize::MAX);
    sources.retain(|source| {
        let is_kept = left > 0;
        left -= usize::from(is_kept && is_common(source));
        is_kept
    });
    let count = |of: &dyn Fn(&RealSource) -> bool| sources.iter().filter(|one| of(one)).count();
    eprintln!(
        "{} sources of {} authors; {} have a system header, {} begin with includes, and {} like four others",
        sources.len(),
        sources.iter().map(|source| &source.author).collect::<BTreeSet<_>>().len(),
        count(&|source| source.has_system_header),
        count(&|source| source.key.is_some()),
        count(&is_common),
    );
    let mut groups = BTreeMap::<&str, Vec<&RealSource>>::new();
    for source in sources.iter().filter(|source| is_common(source)) {
        groups.entry(source.key.as_deref().unwrap()).or_default().push(source);
    }
    let mut totals = BTreeMap::<Outcome, usize>::new();
    for group in groups.values() {
        judge_group(&fixture, group, &mut totals);
    }
    eprintln!("all: {totals:?}");
    assert_eq!(totals.get(&Outcome::Different), None, "{totals:?}");
}

/// The distinct sources below a folder. Each is copied to a folder of its own, in a package, where it is compiled alone.
fn read_all(fixture: &HeaderFixture, folder: &Path) -> Vec<RealSource> {
    let (mut sources, mut seen) = (Vec::new(), BTreeSet::new());
    let files = WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
    for path in files.filter(|file| file.file_type().is_file()).map(walkdir::DirEntry::into_path) {
        let is_cpp = path.extension().is_some_and(|end| end == "cpp" || end == "cc");
        let Some(text) = fs::read(&path).ok().filter(|_| is_cpp) else { continue };
        let digest = blake3::hash(&text).to_hex().to_string();
        if !seen.insert(digest.clone()) {
            continue;
        }
        let has_system_header = text.split(|&byte| byte == b'\n').any(includes_system_header);
        let inside = path.strip_prefix(folder).unwrap();
        let author = inside.iter().next().unwrap().to_string_lossy().into_owned();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let copy = fixture.dir.path().join(&digest).join(&name);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(&copy, text).unwrap();
        let key = fixture.with(&copy, |_, plan| plan.map(|plan| plan.key().to_owned())).flatten();
        sources.push(RealSource { digest, path: copy, name, author, has_system_header, key });
    }
    sources
}

fn includes_system_header(line: &[u8]) -> bool {
    let words = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
    let name = words.and_then(|words| words.strip_prefix(b"include"));
    name.is_some_and(|name| name.trim_ascii_start().starts_with(b"<"))
}

/// Compares sources that begin alike, and removes their header.
fn judge_group(
    fixture: &HeaderFixture,
    sources: &[&RealSource],
    totals: &mut BTreeMap<Outcome, usize>,
) {
    let plain = Cache::open_at(&fixture.dir.path().join("plain")).unwrap();
    let plain = Compiler::new(plain, CompileOptions::default()).unwrap();
    let first = fixture.with(&sources[0].path, |_, plan| fixture.made(&plan.unwrap()));
    let header = first.flatten();
    for source in sources {
        let outcome = match &header {
            Some(header) => judge(fixture, &plain, header, &source.path),
            None => Outcome::Unmade,
        };
        *totals.entry(outcome).or_default() += 1;
        if matches!(outcome, Outcome::Different | Outcome::Again) {
            eprintln!("{outcome:?}: {}/{}", source.author, source.name);
        }
        let count: usize = totals.values().sum();
        if count.is_multiple_of(20) {
            eprintln!("{count}: {totals:?}");
        }
    }
    if let Some(header) = header {
        left_behind::remove(header.folder().parent().unwrap()).unwrap();
    }
    for part in ["plain", "cache"] {
        left_behind::remove(&fixture.dir.path().join(part).join("artefacts")).unwrap();
        fs::create_dir(fixture.dir.path().join(part).join("artefacts")).unwrap();
    }
}

/// Compiles a source as users do, and plainly.
fn judge(
    fixture: &HeaderFixture,
    plain: &Compiler,
    header: &PrecompiledFile,
    source: &Path,
) -> Outcome {
    // The first use of a header is always compared. Here, all are.
    fixture.compiler.precompiled.as_ref().unwrap().prove(header, true);
    let stored = header.folder().join("lead.h.gch");
    let (mut runs, mut is_read) = (0, false);
    let mut noting = |job: &Job, input: Input| {
        runs += 1;
        if !job.argv.iter().any(|word| word == "-include") {
            return bare(job, input);
        }
        let mut job = job.clone();
        job.argv.insert(message::MERGED_WORDS + 1, "-H".into());
        let execution = bare(&job, input)?;
        let (read, output) = without_list(&execution, &stored);
        is_read = read;
        Ok(Execution { stdout: Captured::from_bytes(output), ..execution })
    };
    let shown = |compiler: &Compiler, run: &mut RunJob<'_>| {
        let language = fixture.languages.of_file(source).unwrap();
        match compiler.compile(source, language, &ProblemLimits::default(), run).unwrap() {
            Built::Ready(program) => Ok((program.message, program.program_digest)),
            Built::Failed(failure) => Err(failure),
        }
    };
    let fast = shown(&fixture.compiler, &mut noting);
    let usual = shown(plain, &mut bare);
    match (fast == usual, runs) {
        (true, 1) if is_read => Outcome::Used,
        (true, 2) => Outcome::Again,
        _ => Outcome::Different,
    }
}

/// Whether the list of files of `-H` names the header as used, and the output without this list.
fn without_list(execution: &Execution, header: &Path) -> (bool, Vec<u8>) {
    let mut output = String::new();
    execution.stdout.reader().unwrap().read_to_string(&mut output).ok();
    let (list, _) =
        output.split_once("Multiple include guards may be useful for:\n").unwrap_or((&output, ""));
    let is_read = list.lines().any(|line| line == format!("! {}", header.display()));
    let others = list.lines().filter(|line| !line.starts_with(['.', '!', 'x']));
    (is_read, others.collect::<Vec<_>>().join("\n").into_bytes())
}
