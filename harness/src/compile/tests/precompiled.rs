//! Compiles sources with and without precompiled headers by the real compiler, and compares the programs.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;

use walkdir::WalkDir;

use super::*;
use crate::compile::compilation::Compilation;
use crate::compile::precompiled::{MakingPlan, StoredHeader};
use crate::left_behind;

/// What became of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// Nothing can be precompiled for it.
    Plain,
    /// The header cannot be made.
    Unmade,
    /// The program was made with a header, and is the same as without.
    Same,
    /// The compiler failed or printed something, so the source was compiled plainly.
    Again,
    /// Only with the header, the compiler succeeded and printed nothing, or the program differs.
    Different,
}

/// Compiles with the languages that are built in, outside the sandbox.
struct HeaderFixture {
    dir: tempfile::TempDir,
    languages: Languages,
    compiler: Compiler,
}

impl HeaderFixture {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let languages = permitted(Languages::load(&BTreeMap::new()).unwrap());
        let cache = Cache::open_at(&dir.path().join("cache")).unwrap();
        let options = CompileOptions { room: Bytes::mib(2048), ..CompileOptions::default() };
        Self { compiler: Compiler::new(cache, options).unwrap(), dir, languages }
    }

    /// Whether there is no compiler of C++. Then the test is skipped, and says so on the real standard error; CI has one.
    fn lacks_compiler(&self) -> bool {
        let compiler = self.languages.get("cpp").unwrap().toolchain(&self.compiler.cache);
        let is_missing = compiler.is_err();
        if is_missing {
            let why = "SKIPPED: precompiled headers, because no compiler of C++ is installed\n";
            assert!(std::env::var_os("CI").is_none(), "{why}");
            std::io::stderr().write_all(why.as_bytes()).unwrap();
        }
        is_missing
    }

    fn source(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Calls `work` with what compiles the source, and its plan.
    fn with<T>(
        &self,
        source: &Path,
        work: impl FnOnce(&dyn Fn(Option<&StoredHeader>) -> Compilation, Option<MakingPlan>) -> T,
    ) -> Option<T> {
        let language = self.languages.of_file(source)?;
        let limits = ProblemLimits::default();
        let terms = Terms::from(&limits);
        let request = self.compiler.request(source, None, language, &terms).ok()?.ok()?;
        let job = self.compiler.job(&request, &language.compile, Path::new(""), &limits);
        let plan = MakingPlan::of(&request, &job);
        let compile = |header: Option<&_>| {
            self.compiler.compile_once(&request, &limits, header, &mut bare).unwrap()
        };
        Some(work(&compile, plan))
    }

    fn made(&self, plan: &MakingPlan) -> Option<StoredHeader> {
        let headers = self.compiler.headers.as_ref().unwrap();
        headers.find(plan).or_else(|| {
            headers.make(plan, &mut bare).unwrap();
            headers.find(plan)
        })
    }

    fn judge(&self, source: &Path) -> Use {
        let used = self.with(source, |compile, plan| {
            let Some(plan) = plan else { return Use::Plain };
            let Some(header) = self.made(&plan) else { return Use::Unmade };
            compare(compile, &header)
        });
        used.unwrap_or(Use::Plain)
    }
}

fn compare(compile: &dyn Fn(Option<&StoredHeader>) -> Compilation, header: &StoredHeader) -> Use {
    let fast = compile(Some(header));
    if !fast.is_silent {
        return Use::Again;
    }
    let plain = compile(None);
    if plain.is_silent && fast.is_same(&plain) { Use::Same } else { Use::Different }
}

/// A program that shows everything in which a compilation could differ: lines, counters, the order of initialisers.
const BODY: &str = "using namespace std;\n\
    struct First { First() { puts(\"first\"); } } first; static First second;\n\
    namespace { int hidden() { return __COUNTER__ + __LINE__; } }\n\
    #include <vector>\n\
    int main() { vector<int> v{3, 1, 2}; sort(v.begin(), v.end());\n\
    for (int x : v) printf(\"%d %d %s %d\\n\", x, hidden(), __FILE__, __COUNTER__); }\n";

#[test]
fn every_kind_of_leading_lines_gives_the_same_program_or_is_compiled_plainly() {
    let fixture = HeaderFixture::new();
    if fixture.lacks_compiler() {
        return;
    }
    let base = "#include <cstdio>\n#include <algorithm>\n#include <vector>\n";
    let mut number = 0;
    for (lead, expected) in [
        ("", Use::Same),
        ("// a comment\n/* another\n one */\n", Use::Same),
        ("#define all(x) (x).begin(), (x).end()\n#define N 100\n#define rep int\n", Use::Same),
        ("#define NDEBUG\n#define _GLIBCXX_DEBUG\n", Use::Same),
        ("#pragma GCC optimize(\"O3\")\n", Use::Same),
        (
            "#pragma GCC target(\"sse4.2\")\n#pragma GCC optimize(\"Ofast\")\n#define N 1\n",
            Use::Same,
        ),
        ("#pragma comment(linker, \"/STACK:1\")\n", Use::Same),
        // The library forgets this macro, so a second reading adds it.
        ("#define max(a, b) ((a) < (b) ? (b) : (a))\n", Use::Unmade),
        ("#include \"testlib.h\"\n", Use::Same),
        ("#if 1\n#endif\n", Use::Plain),
        ("#pragma GCC diagnostic ignored \"-Wall\"\n", Use::Plain),
        ("int before;\n", Use::Plain),
        ("#line 7 \"other.cpp\"\n", Use::Plain),
    ] {
        number += 1;
        let testlib = lead.contains("testlib");
        let body = if testlib {
            "int main(int argc, char** argv) { registerGen(argc, argv, 1); }\n"
        } else {
            BODY
        };
        let source = fixture.source(&format!("lead{number}.cpp"), &format!("{lead}{base}{body}"));
        assert_eq!(fixture.judge(&source), expected, "{lead}");
    }
    for (body, expected) in [
        ("int main() { std::vector<int> v; undeclared(v); }\n", Use::Again),
        ("#warning a warning\nint main() {}\n", Use::Again),
        (
            "#include <list>\nint main() { std::list<int> l; std::sort(l.begin(), l.end()); }\n",
            Use::Again,
        ),
        ("#include <vector>\n#include <cstdio>\nint main() { puts(\"twice\"); }\n", Use::Same),
    ] {
        number += 1;
        let source = fixture.source(&format!("body{number}.cpp"), &format!("{base}{body}"));
        assert_eq!(fixture.judge(&source), expected, "{body}");
    }
}

#[test]
fn a_header_of_other_leading_lines_is_found_out_by_the_comparison() {
    let fixture = HeaderFixture::new();
    if fixture.lacks_compiler() {
        return;
    }
    let text = |lead: &str| {
        format!(
            "{lead}#include <cstdio>\n#include <cstdlib>\nint main() {{ printf(\"%d\", N * atoi(\"7\")); }}\n"
        )
    };
    let one = fixture.source("one.cpp", &text("#define N 1\n"));
    let foreign = fixture.with(&one, |_, plan| fixture.made(&plan.unwrap()).unwrap()).unwrap();
    let broken = fixture
        .source("broken.cpp", &text("").replace("N *", "(sizeof(FILE) == sizeof(N) ? 0 : N) *"));
    let used = fixture.with(&broken, |compile, _| compare(compile, &foreign)).unwrap();
    assert_eq!(used, Use::Different, "only the header defines N");
}

/// Compares all C++ sources in `$REJUDGE_SOURCES`, or the first `$REJUDGE_MOST` that use a header in the order of their
/// digests, and prints how many used one. A header is made if five of all sources begin with its lines.
#[test]
#[ignore = "it takes hours; `benches/precompiled.sh` runs it"]
fn real_sources_give_the_same_program() {
    let Some(folder) = std::env::var_os("REJUDGE_SOURCES") else { return };
    let most = std::env::var("REJUDGE_MOST").ok().and_then(|most| most.parse().ok());
    let fixture = HeaderFixture::new();
    fs::write(fixture.dir.path().join("problem.yaml"), "name: proof\n").unwrap();
    let (mut groups, mut with_system_header) = (BTreeMap::<_, Vec<_>>::new(), 0);
    let files = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    for path in files.filter(|file| file.file_type().is_file()).map(walkdir::DirEntry::into_path) {
        let is_cpp = path.extension().is_some_and(|end| end == "cpp" || end == "cc");
        let Some(text) = fs::read(&path).ok().filter(|_| is_cpp) else { continue };
        let includes = |line: &[u8]| {
            let words = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
            let name = words.and_then(|words| words.strip_prefix(b"include"));
            name.is_some_and(|name| name.trim_ascii_start().starts_with(b"<"))
        };
        with_system_header += usize::from(text.split(|&byte| byte == b'\n').any(includes));
        // In a package, a source is compiled alone.
        let digest = blake3::hash(&text).to_hex().to_string();
        let copy = fixture.dir.path().join(&digest).join(path.file_name().unwrap());
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(&copy, text).unwrap();
        let plan = fixture.with(&copy, |_, plan| plan).flatten();
        let key = plan.as_ref().map(|plan| plan.key().to_owned());
        groups.entry(key).or_default().push((digest, copy));
    }
    let sizes: Vec<usize> =
        groups.iter().filter(|(key, _)| key.is_some()).map(|(_, all)| all.len()).collect();
    let often: usize = sizes.iter().filter(|&&size| size >= 5).sum();
    eprintln!(
        "{with_system_header} sources with a system header; {} begin with includes; {often} begin like four others",
        sizes.iter().sum::<usize>(),
    );
    let mut chosen: Vec<_> = groups
        .into_iter()
        .filter(|(key, all)| key.is_some() && all.len() >= 5)
        .flat_map(|(key, all)| {
            all.into_iter().map(move |(digest, path)| (digest, key.clone(), path))
        })
        .collect();
    chosen.sort();
    chosen.truncate(most.unwrap_or(usize::MAX));
    let mut by_key = BTreeMap::<_, Vec<_>>::new();
    for (_, key, path) in chosen {
        by_key.entry(key).or_default().push(path);
    }
    let totals = Mutex::new(BTreeMap::<Use, usize>::new());
    let queue = Mutex::new(by_key.into_values());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some(sources) = next else { break };
                    judge_group(&fixture, &sources, &totals);
                }
            });
        }
    });
    let totals = totals.into_inner().unwrap();
    assert_eq!(totals.get(&Use::Different), None, "{totals:?}");
}

/// Compares sources that begin alike, and removes their header.
fn judge_group(fixture: &HeaderFixture, sources: &[PathBuf], totals: &Mutex<BTreeMap<Use, usize>>) {
    for source in sources {
        let used = fixture.judge(source);
        let mut totals = totals.lock().unwrap();
        *totals.entry(used).or_default() += 1;
        if used == Use::Different {
            eprintln!("different: {}", source.display());
        }
        let count: usize = totals.values().sum();
        if count.is_multiple_of(20) {
            eprintln!("{count}: {totals:?}");
            std::io::stderr().flush().unwrap();
        }
    }
    let plan = sources.first().and_then(|source| fixture.with(source, |_, plan| plan).flatten());
    if let Some(header) = plan.and_then(|plan| fixture.made(&plan)) {
        left_behind::remove(header.folder().parent().unwrap()).unwrap();
    }
}
