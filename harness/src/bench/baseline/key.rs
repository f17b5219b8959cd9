//! The conditions under which saved figures are valid: counts for a compiler and its libraries, times for a machine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cache::Cache;
use crate::language::{Language, Profile, Template};
use crate::machine::Machine;
use crate::outside;

/// The conditions under which counts of instructions are comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineKey {
    /// The processor's architecture.
    pub arch: String,
    /// The name and version of the C library.
    pub libc: String,
    /// The name and version of the counter.
    pub counter: String,
    /// The version and command line of each compiler, by language.
    pub compilers: BTreeMap<String, String>,
}

/// The machine on which a baseline was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineMachine {
    /// The operating system.
    pub os: String,
    /// The model of the processor, if known.
    pub cpu: Option<String>,
    /// The release of the kernel, if known.
    pub kernel: Option<String>,
    /// The number of physical cores.
    pub cores: usize,
}

impl BaselineKey {
    /// The conditions on this machine, with this counter and these languages.
    pub fn here<'a>(
        counter: String,
        languages: impl IntoIterator<Item = &'a Language>,
        cache: &Cache,
    ) -> Self {
        let compilers = languages.into_iter().filter_map(|language| {
            let toolchain = language.toolchain(cache).ok()?;
            let words: Vec<&str> =
                language.compile_argv(Profile::Judge).iter().map(Template::as_str).collect();
            let line = format!("{}: {}", toolchain.version, words.join(" "));
            Some((language.id.clone(), line))
        });
        Self {
            arch: std::env::consts::ARCH.to_owned(),
            libc: libc(),
            counter,
            compilers: compilers.collect(),
        }
    }

    /// The differences, in the form ``the C library: `A` then, `B` now``. A language that only one key has does not
    /// count as a difference.
    #[must_use]
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what: &str, then: &str, now: &str| {
            if then != now {
                found.push(format!("{what}: `{then}` then, `{now}` now"));
            }
        };
        compare("the architecture", &self.arch, &now.arch);
        compare("the C library", &self.libc, &now.libc);
        compare("the counter", &self.counter, &now.counter);
        for (language, then) in &self.compilers {
            if let Some(now) = now.compilers.get(language) {
                compare(&format!("the compiler of `{language}`"), then, now);
            }
        }
        found
    }
}

impl BaselineMachine {
    /// This machine.
    #[must_use]
    pub fn here() -> Self {
        let machine = Machine::this();
        Self {
            os: machine.os.clone(),
            cpu: machine.cpu,
            kernel: machine.kernel,
            cores: machine.cores,
        }
    }

    /// A human-readable description.
    #[must_use]
    pub fn describe(&self) -> String {
        let unknown = || String::from("unknown");
        format!(
            "processor {}, kernel {}",
            self.cpu.clone().unwrap_or_else(unknown),
            self.kernel.clone().unwrap_or_else(unknown)
        )
    }
}

/// The name and version of the C library, from the programs of the system.
fn libc() -> String {
    let first_line = |program: &str, argument: &str| {
        let output = outside::command(&outside::look_up(program)?)
            .arg(argument)
            .env("LC_ALL", "C")
            .output()
            .ok()?;
        // The `ldd` of musl prints its version on standard error.
        let printed = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        let text = String::from_utf8_lossy(&printed);
        let line: Vec<&str> = text.lines().take(2).map(str::trim).collect();
        Some(line.join(" ")).filter(|line| !line.is_empty())
    };
    let glibc = first_line("getconf", "GNU_LIBC_VERSION");
    glibc
        .filter(|line| line.starts_with("glibc"))
        .or_else(|| first_line("ldd", "--version"))
        .unwrap_or_else(|| String::from("unknown"))
}
