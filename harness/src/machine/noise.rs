//! The properties of a machine that make measurements vary, read from system files of Linux.
//!
//! On other systems nothing is known. The figures are stored as the system reports them; `doctor` explains them.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The sources of noise; `None` if the system does not report one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Noise {
    /// Logical processors that this process may use.
    pub processors: usize,
    /// Whether two threads share each core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smt: Option<bool>,
    /// The frequency governor of the first core: `performance`, `powersave`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Whether cores run above their nominal frequency while they are cool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boost: Option<bool>,
    /// Address space randomisation: 0 none, 1 all but the heap, 2 all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aslr: Option<u8>,
    /// Transparent huge pages: `always`, `madvise` or `never`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub huge_pages: Option<String>,
    /// Swap space, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap_bytes: Option<u64>,
    /// Whether the kernel pipes core dumps to another program, which then uses the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_piped: Option<bool>,
    /// The load average of the last minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Whether the machine is virtual: other machines may share its processors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_machine: Option<bool>,
}

impl Noise {
    /// The sources of noise of this machine now.
    #[must_use]
    pub fn here() -> Self {
        Self::under(Path::new("/"))
    }

    /// The sources of noise according to the system files below `root`.
    fn under(root: &Path) -> Self {
        let read = |path: &str| {
            let text = fs::read_to_string(root.join(path)).ok()?;
            Some(text.trim().to_owned())
        };
        let cpu = |file: &str| read(&format!("sys/devices/system/cpu/{file}"));
        let kernel = |file: &str| read(&format!("proc/sys/kernel/{file}"));
        let boost = cpu("cpufreq/boost").map(|boost| boost == "1");
        let no_turbo = || cpu("intel_pstate/no_turbo").map(|off| off == "0");
        Self {
            processors: super::processors(),
            smt: cpu("smt/active").map(|active| active == "1"),
            governor: cpu("cpu0/cpufreq/scaling_governor"),
            boost: boost.or_else(no_turbo),
            aslr: kernel("randomize_va_space").and_then(|text| text.parse().ok()),
            huge_pages: read("sys/kernel/mm/transparent_hugepage/enabled")
                .and_then(|text| chosen(&text)),
            swap_bytes: read("proc/meminfo").and_then(|text| swap(&text)),
            core_piped: kernel("core_pattern").map(|pattern| pattern.starts_with('|')),
            load: read("proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
            virtual_machine: read("proc/cpuinfo").and_then(|text| is_virtual(&text)),
        }
    }
}

/// The word in brackets: `always [madvise] never`.
fn chosen(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

/// `SwapTotal` of `/proc/meminfo`, in bytes.
fn swap(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("SwapTotal:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * 1024)
}

/// Whether an x86 processor reports a hypervisor; `None` for other processors.
fn is_virtual(cpuinfo: &str) -> Option<bool> {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    Some(flags.split_whitespace().any(|flag| flag == "hypervisor"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(files: &[(&str, &str)]) -> Noise {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let processors = 0;
        Noise { processors, ..Noise::under(root.path()) }
    }

    #[test]
    fn missing_files_give_unknown_values() {
        assert_eq!(machine(&[]), Noise::default());
    }

    #[test]
    fn every_source_is_read_where_linux_tells_it() {
        let noise = machine(&[
            ("sys/devices/system/cpu/smt/active", "1\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"),
            ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
            ("proc/sys/kernel/randomize_va_space", "2\n"),
            ("proc/sys/kernel/core_pattern", "|/usr/lib/dump %p\n"),
            ("proc/meminfo", "MemTotal:  9 kB\nSwapTotal:       2048 kB\n"),
            ("proc/loadavg", "1.25 0.5 0.1 1/100 7\n"),
            ("proc/cpuinfo", "processor : 0\nflags\t\t: fpu hypervisor sse\n"),
        ]);
        let expected = Noise {
            processors: 0,
            smt: Some(true),
            governor: Some("powersave".into()),
            boost: Some(true),
            aslr: Some(2),
            huge_pages: Some("madvise".into()),
            swap_bytes: Some(2 << 20),
            core_piped: Some(true),
            load: Some(1.25),
            virtual_machine: Some(true),
        };
        assert_eq!(noise, expected);
    }
}
