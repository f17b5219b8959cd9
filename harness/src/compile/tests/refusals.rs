//! Sources that do not compile, with the reasons.

use std::time::Duration;

use super::*;
use crate::sandbox::LimitKind;

#[test]
fn a_failure_shows_the_compilers_message_with_the_real_path() {
    let fixture = CompilerFixture::new();
    let source = fixture.source("a.t", "bad");
    let compiler = fixture.compiler(CompileOptions::default());
    let failure = fixture.failed(&compiler, &source);
    assert_eq!(failure.reason, "the compiler ended with exit code 3");
    assert_eq!(failure.message, format!("{}:1:1: bad", source.display()));
    assert_eq!(fixture.entries(), 0);
}

#[test]
fn names_that_a_compiler_may_misread_are_replaced() {
    let fixture = CompilerFixture::new();
    let compiler = fixture.compiler(CompileOptions::default());
    for (name, expected) in [
        ("a-b_2.t", "a-b_2.t"),
        ("-o.t", "submission.t"),
        ("a b.t", "submission.t"),
        ("ü.t", "submission.t"),
        ("1.t", "submission.t"),
        ("program.t", "submission.t"),
        ("tmp.t", "submission.t"),
    ] {
        let artifact = fixture.ready(&compiler, &fixture.source(name, "good"));
        assert!(artifact.dir.join(expected).is_file(), "{name}");
    }
    let failure = fixture.failed(&compiler, &fixture.source("a b.t", "bad"));
    assert!(failure.message.ends_with("/a b.t:1:1: bad"), "{failure:?}");
}

#[test]
fn invalid_sources_are_rejected_before_the_compiler_runs() {
    let fixture = CompilerFixture::new();
    let compiler = fixture.compiler(CompileOptions::default());
    let table: [(&[u8], &str); 3] = [
        (b"", "the source is empty"),
        (b" \n", "the source is empty"),
        (b"\x7fELF\0", "the source is a binary file"),
    ];
    for (text, expected) in table {
        let failure = fixture.failed(&compiler, &fixture.source("a.t", text));
        assert_eq!(failure.reason, expected);
    }
    let limits = ProblemLimits { code: Some(Bytes(3)), ..ProblemLimits::default() };
    let source = fixture.source("a.t", "good");
    let language = fixture.languages.get("t").unwrap();
    let built = compiler.compile(&source, language, &limits, &mut bare).unwrap();
    assert!(matches!(built, Built::Failed(failure) if failure.reason.contains("4 B")));
    assert_eq!(fixture.runs(), 0);
}

#[test]
fn exceeded_limits_of_the_compiler_are_reported() {
    let fixture = CompilerFixture::new();
    let source = fixture.source("a.t", "good");
    let compiler = fixture.compiler(CompileOptions::default());
    let language = fixture.languages.get("t").unwrap();
    for (kind, expected) in [
        (LimitKind::Cpu, "used more than 5 s of CPU time"),
        (LimitKind::Wall, "took longer than 15 s"),
        (LimitKind::Memory, "used more than 64 MiB of memory"),
        (LimitKind::Output, "printed more than 8 MiB"),
        (LimitKind::Processes, "started more than 256 processes"),
    ] {
        let mut run = |job: &Job, _: Input| {
            assert_eq!(job.limits.memory, Bytes::mib(64));
            Ok(Execution {
                exit: Exit::Killed(kind),
                usage: Usage::default(),
                stdout: Captured::default(),
                stderr_tail: Vec::new(),
            })
        };
        let limits = ProblemLimits {
            compilation_time: Some(Duration::from_secs(5)),
            compilation_memory: Some(Bytes::mib(64)),
            ..ProblemLimits::default()
        };
        let built = compiler.compile(&source, language, &limits, &mut run).unwrap();
        let Built::Failed(failure) = built else { panic!("{built:?}") };
        assert_eq!(failure.reason, format!("the compiler {expected}"));
    }
}

#[test]
fn a_missing_language_is_reported_with_what_to_install() {
    let text = "[x]\nname = 'X'\nextensions = ['x']\nrun = ['no-such-program-x', '{source}']\n\
        install = 'the package `x`'\n";
    let languages = Languages::load(&toml::from_str(text).unwrap()).unwrap();
    let fixture = CompilerFixture::new();
    let source = fixture.source("a.x", "x");
    let error = fixture
        .compiler(CompileOptions::default())
        .compile(&source, languages.get("x").unwrap(), &ProblemLimits::default(), &mut bare)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "X is not installed: `no-such-program-x` was not found\nhelp: install the package `x`"
    );
}

#[test]
fn a_compiler_that_creates_no_program_is_a_failure() {
    for (compile, run) in [
        ("['/bin/true']", "['{binary}']"),
        // An object file, which Go creates from a package.
        ("['/bin/cp', '{source}', '{binary}']", "['{binary}']"),
        ("['/bin/true']", "['/bin/cat', '{binary}.jar']"),
    ] {
        let fixture = CompilerFixture::with(&format!(
            "[u]\nextensions = ['u']\ncompile = {compile}\nrun = {run}\n"
        ));
        let compiler = fixture.compiler(CompileOptions::default());
        let failure = fixture.failed(&compiler, &fixture.source("a.u", "x"));
        assert_eq!(failure.reason, "the compiler created no program", "{compile}");
    }
}
