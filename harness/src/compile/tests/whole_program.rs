//! Programs of a problem that are compiled as one whole.

use super::*;
use crate::problem::Additions;

/// A language whose compiler writes `whole` instead of the source if it gets the flag, and refuses a `hook` with it.
fn fixture() -> CompilerFixture {
    let fixture = CompilerFixture::with("whole_program_flags = ['-u']\n");
    let script = "echo run >> \"$RUNS\"\n\
        case \"$-\" in\n\
        *u*) if grep -q hook \"$1\"; then echo undefined >&2; exit 1; fi; echo whole > \"$2\" ;;\n\
        *) cp \"$1\" \"$2\" ;;\n\
        esac\n";
    fs::write(fixture.dir.path().join("tcc"), script).unwrap();
    fixture.source("testlib.h", "");
    fixture
}

/// The text of the program of a source, and the number of runs of the compiler that it took.
fn built(
    fixture: &CompilerFixture,
    source: &Path,
    terms: Terms<'_>,
    profile: Profile,
) -> (String, usize) {
    let compiler =
        fixture.compiler(CompileOptions { profile, fresh: true, ..CompileOptions::default() });
    let language = fixture.languages.get("t").unwrap();
    let before = fixture.runs();
    match compiler.compile(source, language, terms, &mut bare).unwrap() {
        Built::Ready(artifact) => {
            let text = fs::read_to_string(artifact.dir.join("program")).unwrap();
            (text, fixture.runs() - before)
        }
        Built::Failed(failure) => panic!("{failure:?}"),
    }
}

#[test]
fn only_a_program_of_a_problem_that_is_one_source_with_a_header_is_compiled_as_a_whole() {
    let fixture = fixture();
    let additions = Additions::default();
    let program = Terms::with_constants(&additions);
    let limits = ProblemLimits::default();
    let text = "#include \"testlib.h\"\n";
    let checker = fixture.source("check.t", text);
    assert_eq!(built(&fixture, &checker, program, Profile::Judge), ("whole\n".to_owned(), 1));
    let submission = Terms::from(&limits);
    assert_eq!(built(&fixture, &checker, submission, Profile::Judge), (text.to_owned(), 1));
    assert_eq!(built(&fixture, &checker, program, Profile::Debug), (text.to_owned(), 1));
    let alone = fixture.source("alone.t", "good");
    assert_eq!(built(&fixture, &alone, program, Profile::Judge), ("good".to_owned(), 1));
    let folder = fixture.dir.path().join("folder");
    fs::create_dir(&folder).unwrap();
    for name in ["main.t", "other.t"] {
        fs::write(folder.join(name), text).unwrap();
    }
    assert_eq!(built(&fixture, &folder, program, Profile::Judge), (text.to_owned(), 1));
}

#[test]
fn a_program_that_cannot_be_compiled_as_a_whole_is_compiled_as_usual() {
    let fixture = fixture();
    let additions = Additions::default();
    let text = "#include \"testlib.h\"\nhook\n";
    let checker = fixture.source("check.t", text);
    let program = Terms::with_constants(&additions);
    assert_eq!(built(&fixture, &checker, program, Profile::Judge), (text.to_owned(), 2));
}

#[test]
fn another_compiler_does_not_get_the_flags_of_the_one_that_is_built_in() {
    let overrides: BTreeMap<String, LanguageEntry> =
        toml::from_str("[cpp]\ncompile = ['clang++', '-o', '{binary}', '{source}']\n").unwrap();
    let flags = |overrides| {
        let languages = Languages::load(overrides).unwrap();
        languages.get("cpp").unwrap().whole_program_flags.len()
    };
    assert_eq!((flags(&BTreeMap::new()), flags(&overrides)), (2, 0));
}
