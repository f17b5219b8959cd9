//! Compiles in a separate world with one back end.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use rejudge::cache::Cache;
use rejudge::compile::{Built, CompileOptions, Compiler};
use rejudge::language::Languages;
use rejudge::limits::{DEFAULT_OUTPUT, LimitOverrides, effective_limits};
use rejudge::problem::ProblemLimits;
use rejudge::sandbox::{Input, Interrupt, Protection, Runner, RunnerOptions, WorkDir};

use crate::left_behind::world::World;

const NAMESPACES: [Protection; 7] = [
    Protection::PidNamespace,
    Protection::MountNamespace,
    Protection::NetworkNamespace,
    Protection::IpcNamespace,
    Protection::UtsNamespace,
    Protection::UserNamespace,
    Protection::BoundedFolder,
];

const GROUPS: [Protection; 3] =
    [Protection::MemoryGroup, Protection::ProcessGroup, Protection::CpuAccount];

/// A back end and the protections that it goes without.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) without: Vec<Protection>,
}

/// The machine with all protections, and with fewer.
pub(crate) fn shapes() -> [Shape; 5] {
    let container = [&NAMESPACES[..], &GROUPS, &[Protection::OtherUser]].concat();
    let open = [&container[..], &[Protection::Landlock]].concat();
    [
        ("everything", Vec::new()),
        ("no groups", GROUPS.to_vec()),
        ("no namespaces", NAMESPACES.to_vec()),
        ("a container", container),
        ("an old container", open),
    ]
    .map(|(name, without)| Shape { name, without })
}

pub(crate) struct Workbench {
    pub(crate) world: World,
    pub(crate) languages: Languages,
    compiler: Compiler,
    runner: Option<Runner>,
}

impl Workbench {
    pub(crate) fn new(shape: &Shape) -> Self {
        let world = World::new();
        let cache = Cache::open_at(&world.path("cache")).unwrap();
        let mut options = RunnerOptions::new(world.path("run"), Interrupt::new().unwrap());
        options.without.clone_from(&shape.without);
        Self {
            languages: Languages::load(&BTreeMap::new()).unwrap(),
            compiler: Compiler::new(cache, CompileOptions::default()).unwrap(),
            runner: Some(Runner::start(&options).unwrap()),
            world,
        }
    }

    /// Whether programs see only their own files, or may not write to others.
    pub(crate) fn is_isolated(&self) -> bool {
        self.has(Protection::MountNamespace) || self.has(Protection::Landlock)
    }

    pub(crate) fn has(&self, protection: Protection) -> bool {
        self.runner.as_ref().unwrap().facts().has(protection)
    }

    /// Whether the language is installed; if not, prints a message, and fails if CI must install
    /// it.
    pub(crate) fn has_language(&self, id: &str) -> bool {
        let language = self.languages.get(id).unwrap();
        let found = language.toolchain(self.compiler.cache());
        if let Err(missing) = &found {
            crate::support::skip(&missing.to_string());
        }
        found.is_ok()
    }

    /// Builds and runs a program; returns its output, or the reason why it does not compile.
    pub(crate) fn build(&mut self, source: &Path) -> Result<String, String> {
        let runner = self.runner.as_mut().unwrap();
        let limits = ProblemLimits::default();
        let mut run = |job: &_, input| runner.run(job, input);
        let built =
            self.compiler.compile_program(source, &self.languages, &limits, &mut run).unwrap();
        let artifact = match built {
            Built::Ready(artifact) => artifact,
            Built::Failed(failure) => {
                return Err(format!("{}\n{}", failure.reason, failure.message));
            }
        };
        let limits = effective_limits(&limits, DEFAULT_OUTPUT, &LimitOverrides::default());
        let job = artifact.job(&limits, &[], WorkDir::Fresh);
        let execution = run(&job, Input::Empty).unwrap();
        let mut output = String::new();
        let mut reader = execution.stdout.reader().unwrap();
        reader.read_to_string(&mut output).unwrap();
        Ok(output + &String::from_utf8_lossy(&execution.stderr_tail))
    }

    /// Ends the launcher and checks that no files are left anywhere.
    pub(crate) fn end(mut self, after: &str) {
        self.runner = None;
        std::fs::remove_dir_all(self.world.path("cache/toolchains")).ok();
        self.world.assert_clean(after);
    }
}
