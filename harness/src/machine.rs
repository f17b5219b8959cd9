//! The machine on which figures were measured, for later comparisons.

use std::sync::OnceLock;

mod noise;

pub use noise::Noise;

/// The properties that distinguish machines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The operating system, for example `linux`.
    pub os: String,
    /// The architecture, for example `x86_64`.
    pub arch: String,
    /// The model of the processor, if the system reports it.
    pub cpu: Option<String>,
    /// The number of physical cores.
    pub cores: usize,
    /// The release of the kernel, if the system reports it.
    pub kernel: Option<String>,
}

impl Machine {
    /// This machine. It is read once.
    pub fn this() -> Self {
        static THIS: OnceLock<Machine> = OnceLock::new();
        THIS.get_or_init(Self::read).clone()
    }

    fn read() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).ok();
        Self {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpu: read("/proc/cpuinfo").and_then(|text| model(&text)),
            cores: num_cpus::get_physical(),
            kernel: read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned()),
        }
    }
}

/// The number of processors that this process may use at once. It is read once.
pub(crate) fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The first `model name` of `/proc/cpuinfo`.
fn model(cpuinfo: &str) -> Option<String> {
    let mut lines = cpuinfo.lines();
    let line = lines.find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_that_of_the_first_processor() {
        let text = "processor\t: 0\nmodel name\t: A (R) 1\n\nprocessor\t: 1\nmodel name\t: B\n";
        assert_eq!(model(text).as_deref(), Some("A (R) 1"));
        assert_eq!(model("Hardware: x\n"), None);
    }
}
