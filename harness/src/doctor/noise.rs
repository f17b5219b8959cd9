//! Explains the machine's sources of noise, and how to remove each.

use rejudge_quantity::Bytes;

use crate::machine::Noise;

/// A source of noise: its description, and its remedy.
pub(super) type NoiseSource = (String, &'static str);

/// The sources of this machine, the worst first.
pub(super) fn sources(noise: &Noise) -> Vec<NoiseSource> {
    let mut found: Vec<NoiseSource> = Vec::new();
    let mut add = |what: &str, remedy| found.push((what.to_owned(), remedy));
    if noise.processors == 1 {
        add(
            "there is only one processor: programs share it with the judge and everything else",
            "use a machine with two cores",
        );
    }
    if noise.virtual_machine == Some(true) {
        add(
            "the machine is virtual: other machines on the same hardware slow it down unnoticed",
            "use a machine of your own, or allow for the noise with `--time-factor`",
        );
    }
    if noise.smt == Some(true) {
        add(
            "two threads share each core and slow each other down",
            "`echo off > /sys/devices/system/cpu/smt/control`",
        );
    }
    if let Some(governor) = noise.governor.as_deref().filter(|name| *name != "performance") {
        let what = format!("the frequency governor is `{governor}`");
        add(&what, "`cpupower frequency-set --governor performance`");
    }
    if noise.boost == Some(true) {
        add(
            "cores run above their nominal frequency while they are cool",
            "`echo 0 > /sys/devices/system/cpu/cpufreq/boost`, or `echo 1 > \
             /sys/devices/system/cpu/intel_pstate/no_turbo`",
        );
    }
    if let Some(bytes) = noise.swap_bytes.filter(|bytes| *bytes > 0) {
        let what = format!("there is {} of swap: access to swapped memory is slow", Bytes(bytes));
        add(&what, "`swapoff -a`");
    }
    if noise.core_piped == Some(true) {
        add(
            "core dumps are piped to another program, which uses the machine",
            "`sysctl -w kernel.core_pattern=core`",
        );
    }
    if noise.huge_pages.as_deref() == Some("always") {
        add(
            "huge pages are assigned at random and make some runs faster",
            "`echo madvise > /sys/kernel/mm/transparent_hugepage/enabled`",
        );
    }
    if noise.aslr.is_some_and(|level| level > 0) {
        add(
            "addresses are random, and some are faster because of the caches",
            "use `setarch -R rejudge …` for measurements; do not change the system's setting",
        );
    }
    #[expect(clippy::cast_precision_loss, reason = "processors are few")]
    let half = noise.processors as f64 / 2.0;
    if let Some(load) = noise.load.filter(|load| *load > half) {
        let what = format!("other programs run: the load average of the last minute is {load}");
        add(&what, "end them, or wait");
    }
    found
}
