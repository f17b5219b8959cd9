//! Compiles sources with and without precompiled headers by the real compiler, and compares the programs.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use super::*;
use crate::compile::compilation::Compilation;
use crate::compile::precompiled::{MakingPlan, PrecompiledFile};

/// What became of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// Nothing can be precompiled for it.
    Plain,
    /// The header cannot be made.
    Unmade,
    /// The program was made with a header, and is the same as without.
    Same,
    /// The compiler failed or spoke of other files, so the source was compiled plainly.
    Again,
    /// Only with the header, the compiler succeeded and printed nothing, or the program differs.
    Different,
}

/// Compiles with the languages that are built in, outside the sandbox.
pub(super) struct HeaderFixture {
    pub(super) dir: tempfile::TempDir,
    pub(super) languages: Languages,
    pub(super) compiler: Compiler,
}

impl HeaderFixture {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let languages = permitted(Languages::load(&BTreeMap::new()).unwrap());
        let cache = Cache::open_at(&dir.path().join("cache")).unwrap();
        let options = CompileOptions { room: Bytes::mib(2048), ..CompileOptions::default() };
        Self { compiler: Compiler::new(cache, options).unwrap(), dir, languages }
    }

    /// Whether there is no compiler of C++. Then the test is skipped, and says so on the real standard error; CI has one.
    pub(super) fn lacks_compiler(&self) -> bool {
        let compiler = self.languages.get("cpp").unwrap().toolchain(&self.compiler.cache);
        let is_missing = compiler.is_err();
        if is_missing {
            let why = "SKIPPED: precompiled headers, because no compiler of C++ is installed\n";
            assert!(std::env::var_os("CI").is_none(), "{why}");
            std::io::stderr().write_all(why.as_bytes()).unwrap();
        }
        is_missing
    }

    pub(super) fn source(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Calls `work` with what compiles the source, and its plan.
    pub(super) fn with<T>(
        &self,
        source: &Path,
        work: impl FnOnce(&dyn Fn(Option<&PrecompiledFile>) -> Compilation, Option<MakingPlan>) -> T,
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

    pub(super) fn made(&self, plan: &MakingPlan) -> Option<PrecompiledFile> {
        let headers = self.compiler.precompiled.as_ref().unwrap();
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

fn compare(
    compile: &dyn Fn(Option<&PrecompiledFile>) -> Compilation,
    header: &PrecompiledFile,
) -> Use {
    let fast = compile(Some(header));
    if !fast.is_about_source {
        return Use::Again;
    }
    let plain = compile(None);
    if plain.is_about_source && fast.is_same(&plain) { Use::Same } else { Use::Different }
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
    let toolchain = fixture.languages.get("cpp").unwrap().toolchain(&fixture.compiler.cache);
    let of_pragma = if toolchain.unwrap().release() < Some(12) { Use::Plain } else { Use::Same };
    let mut number = 0;
    for (lead, expected) in [
        ("", Use::Same),
        ("// a comment\n/* another\n one */\n", Use::Same),
        ("#define all(x) (x).begin(), (x).end()\n#define N 100\n#define rep int\n", Use::Same),
        ("#define NDEBUG\n#define _GLIBCXX_DEBUG\n", Use::Same),
        ("#pragma GCC optimize(\"O3\")\n", of_pragma),
        (
            "#pragma GCC target(\"sse4.2\")\n#pragma GCC optimize(\"Ofast\")\n#define N 1\n",
            of_pragma,
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
        ("#warning a warning\nint main() {}\n", Use::Same),
        ("int f() {}\nint main() { f(); }\n", Use::Same),
        ("int main() { std::vector<int> v{1}; memset(&v, 0, 8); }\n", Use::Again),
        ("int main() { int x[2]; std::sort(x + 0, x + 3); }\n", Use::Same),
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

#[test]
fn a_wish_precompiles_once_and_compares_the_first_program() {
    let fixture = HeaderFixture::new();
    if fixture.lacks_compiler() {
        return;
    }
    let limits = ProblemLimits::default();
    let precompile = |source: &Path| {
        let language = fixture.languages.of_file(source).unwrap();
        fixture.compiler.precompile(source, None, language, &limits, &mut bare).unwrap()
    };
    let text = "#include <cstdio>\nint main() { puts(\"1\"); }\n";
    let one = fixture.source("one.cpp", text);
    assert_eq!(precompile(&one), WarmStart::Made);
    let other = fixture.source("other.cpp", &text.replace('1', "2"));
    assert_eq!(precompile(&other), WarmStart::Known);
    let plain = fixture.source("plain.cpp", "int before;\n#include <cstdio>\nint main() {}\n");
    assert_eq!(precompile(&plain), WarmStart::Impossible);
    let mut runs = 0;
    let mut run = |job: &Job, input: Input| {
        runs += 1;
        bare(job, input)
    };
    let language = fixture.languages.of_file(&other).unwrap();
    fixture.compiler.compile(&other, language, &limits, &mut run).unwrap();
    assert_eq!(runs, 1, "the first program was compared already");
    let known = store::precompiled(&fixture.compiler.cache);
    let [entry] = known.as_slice() else { panic!("{known:?}") };
    assert!(entry.about.ends_with("\n#include <cstdio>\n") && entry.size > Bytes::kib(100));
}
