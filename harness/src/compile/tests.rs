//! Compiles with a language table for tests, whose compiler is a shell script that counts its runs.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use rejudge_quantity::Bytes;

use super::*;
use crate::language::{LanguageEntry, Languages, Template};
use crate::problem::ProblemLimits;
use crate::sandbox::{Captured, Execution, Exit, Input, Job, Usage, WorkDir};

mod class_data;
mod kept;
mod precompiled;
mod real_sources;
mod refusals;
mod stored_headers;
mod whole_program;

/// Runs a job without a sandbox, which these tests do not need.
#[expect(clippy::unnecessary_wraps, reason = "the shape of a runner")]
fn bare(job: &Job, _input: Input) -> Result<Execution, SandboxError> {
    let WorkDir::At(dir) = &job.work_dir else { panic!("a compilation has a folder of its own") };
    let mut child = Command::new(&job.argv[0])
        .args(&job.argv[1..])
        .env_clear()
        .envs(job.env.iter().cloned())
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
    Ok(Execution {
        exit: Exit::Code(child.wait().unwrap().code().unwrap_or(-1)),
        usage: Usage::default(),
        stdout: Captured::from_bytes(output),
        stderr_tail: Vec::new(),
    })
}

/// A folder with a language `t`, whose compiler copies the source and records each run in `runs`.
struct CompilerFixture {
    dir: tempfile::TempDir,
    languages: Languages,
}

impl CompilerFixture {
    fn new() -> Self {
        Self::with("")
    }

    fn with(keys: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let compiler = dir.path().join("tcc");
        let script = "#!/bin/sh\n\
            echo run >> \"$RUNS\"\n\
            if grep -q bad \"$1\"; then echo \"$1:1:1: bad\" >&2; exit 3; fi\n\
            cp \"$1\" \"$2\"\n";
        fs::write(&compiler, script).unwrap();
        let text = format!(
            "[t]\nextensions = ['t']\ncompile = ['/bin/sh', '{}', '{{source}}', '{{binary}}']\n\
             run = ['/bin/cat', '{{binary}}']\nversion = ['echo', '1.0']\n\
             env = {{ RUNS = '{}' }}\n{keys}",
            compiler.display(),
            dir.path().join("runs").display(),
        );
        let overrides: BTreeMap<String, LanguageEntry> = toml::from_str(&text).unwrap();
        Self { dir, languages: permitted(Languages::load(&overrides).unwrap()) }
    }

    fn compiler(&self, options: CompileOptions) -> Compiler {
        let cache = Cache::open_at(&self.dir.path().join("cache")).unwrap();
        Compiler::new(cache, options).unwrap()
    }

    fn source(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn compile(&self, compiler: &Compiler, source: &Path) -> Built {
        let language = self.languages.of_file(source).unwrap();
        let limits = ProblemLimits::default();
        compiler.compile(source, language, &limits, &mut bare).unwrap()
    }

    fn ready(&self, compiler: &Compiler, source: &Path) -> Artifact {
        match self.compile(compiler, source) {
            Built::Ready(artifact) => artifact,
            Built::Failed(failure) => panic!("{failure:?}"),
        }
    }

    fn failed(&self, compiler: &Compiler, source: &Path) -> CompileFailure {
        match self.compile(compiler, source) {
            Built::Ready(artifact) => panic!("{artifact:?}"),
            Built::Failed(failure) => failure,
        }
    }

    /// The number of compiler runs.
    fn runs(&self) -> usize {
        let runs = fs::read_to_string(self.dir.path().join("runs"));
        runs.map_or(0, |runs| runs.lines().count())
    }

    /// The number of folders in the cache.
    fn entries(&self) -> usize {
        fs::read_dir(self.dir.path().join("cache/artefacts")).unwrap().count()
    }
}

#[test]
fn a_source_is_built_once_and_found_again() {
    let fixture = CompilerFixture::new();
    let source = fixture.source("a.t", "good");
    let compiler = fixture.compiler(CompileOptions::default());
    let first = fixture.ready(&compiler, &source);
    assert!(!first.cached);
    let second = fixture.ready(&fixture.compiler(CompileOptions::default()), &source);
    assert!(second.cached);
    assert_eq!((first.dir, fixture.runs()), (second.dir.clone(), 1));
    assert_eq!(fs::read(second.dir.join("program")).unwrap(), b"good");
    assert!(!second.dir.join(SCRATCH).exists());
}

#[test]
fn any_relevant_change_gives_another_artefact() {
    let fixture = CompilerFixture::new();
    let usual = fixture.compiler(CompileOptions::default());
    let one = fixture.ready(&usual, &fixture.source("a.t", "good"));
    let text = fixture.ready(&usual, &fixture.source("a.t", "better"));
    let name = fixture.ready(&usual, &fixture.source("b.t", "good"));
    let other = CompilerFixture::with("debug = ['/bin/cp', '{source}', '{binary}']\n");
    let options = CompileOptions { profile: Profile::Debug, ..CompileOptions::default() };
    let debug = other.ready(&other.compiler(options), &other.source("a.t", "good"));
    assert_eq!((fixture.runs(), other.runs()), (3, 0));
    let names = [&one, &text, &name, &debug].map(|artifact| artifact.dir.parent().unwrap());
    for (at, name) in names.iter().enumerate() {
        assert!(!names[..at].contains(name), "{names:?}");
    }
}

#[test]
fn another_compiler_at_the_same_path_builds_again() {
    let fixture = CompilerFixture::new();
    let compiler = fixture.dir.path().join("compiler");
    let source = fixture.source("a.u", "good");
    let text = format!(
        "[u]\nextensions = ['u']\ncompile = ['{}', '{{source}}', '{{binary}}']\nrun = ['/bin/cat', '{{binary}}']\n",
        compiler.display()
    );
    let mut folders = Vec::new();
    // Links to existing programs instead of scripts: a newly written program may still be open in a
    // child that another thread is starting.
    for program in ["/bin/cp", "/bin/ln", "/bin/cp"] {
        fs::remove_file(&compiler).ok();
        std::os::unix::fs::symlink(program, &compiler).unwrap();
        let fixture = CompilerFixture {
            languages: permitted(Languages::load(&toml::from_str(&text).unwrap()).unwrap()),
            ..CompilerFixture::new()
        };
        let cache = Cache::open_at(&compiler.with_file_name("cache")).unwrap();
        let built = Compiler::new(cache, CompileOptions::default()).unwrap();
        let artifact = fixture.ready(&built, &source);
        folders.push((artifact.dir, artifact.cached));
    }
    assert_ne!(folders[0].0, folders[1].0);
    assert_eq!(folders[0].0, folders[2].0);
    let cached: Vec<bool> = folders.into_iter().map(|(_, cached)| cached).collect();
    assert_eq!(cached, [false, false, true]);
}

#[test]
fn a_changed_include_folder_builds_again() {
    let fixture =
        CompilerFixture::with("sanitize = ['/bin/cp', '{source}', '{binary}', '-i{include}']\n");
    let library = fixture.dir.path().join("lib");
    fs::create_dir(&library).unwrap();
    fs::write(library.join("x.h"), "1").unwrap();
    let source = fixture.source("a.t", "good");
    let options = CompileOptions {
        include: vec![library.clone()],
        profile: Profile::Sanitize,
        ..CompileOptions::default()
    };
    let compiler = fixture.compiler(options);
    let language = fixture.languages.get("t").unwrap();
    let mut count = 0;
    let mut compile = || {
        let mut run = |job: &Job, _: Input| {
            count += 1;
            let include = format!("-i{}", library.display());
            assert!(job.argv.contains(&include.into()), "{:?}", job.argv);
            assert!(job.readable.contains(&library));
            fs::write(folder_of(job).join("program"), "x").unwrap();
            Ok(Execution {
                exit: Exit::Code(0),
                usage: Usage::default(),
                stdout: Captured::default(),
                stderr_tail: Vec::new(),
            })
        };
        let limits = ProblemLimits::default();
        compiler.compile(&source, language, &limits, &mut run).unwrap();
    };
    compile();
    compile();
    fs::write(library.join("x.h"), "12").unwrap();
    compile();
    assert_eq!(count, 2);
}

fn folder_of(job: &Job) -> &Path {
    match &job.work_dir {
        WorkDir::At(dir) => dir,
        WorkDir::Fresh => panic!("a compilation has a folder of its own"),
    }
}

#[test]
fn limits_reach_the_runtimes_command_line() {
    let fixture = CompilerFixture::with("processes = 7\n");
    let compiler = fixture.compiler(CompileOptions::default());
    let mut artifact = fixture.ready(&compiler, &fixture.source("a.t", "good"));
    let template = |text: &str| Template::try_from(text.to_owned()).unwrap();
    artifact.run = vec![template("/bin/x"), template("-m{memory_mib}s{stack_mib}")];
    artifact.own_env = [("HEAP".to_owned(), template("{memory_mib}m"))].into();
    artifact.program = None;
    let mut limits = crate::limits::of_validator(&ProblemLimits::default());
    limits.memory = Bytes::mib(300);
    limits.stack = Bytes::mib(300);
    limits.processes = 1;
    let job = artifact.job(&limits, &["more".into()], WorkDir::Fresh);
    assert_eq!(job.argv, ["/bin/x", "-m300s256", "more"]);
    assert_eq!(job.env.last(), Some(&("HEAP".into(), "300m".into())));
    assert_eq!(job.limits.processes, 7);
}

#[test]
fn a_program_that_is_compiled_with_other_files_has_another_key() {
    let fixture = CompilerFixture::new();
    let source = fixture.source("a.t", "x");
    let compiler = fixture.compiler(CompileOptions::default());
    let language = fixture.languages.of_file(&source).unwrap();
    let limits = ProblemLimits::default();
    let mut request =
        compiler.request(&source, None, language, &Terms::from(&limits)).unwrap().unwrap();
    let alone = key::of(&request, &compiler.options);
    // The same files, but an included file is not compiled on its own.
    request.files[0].is_included = true;
    assert_ne!(key::of(&request, &compiler.options), alone);
}

fn permitted(languages: Languages) -> Languages {
    languages.permit_outside();
    languages
}
