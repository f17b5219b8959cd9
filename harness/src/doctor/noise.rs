//! What the machine's sources of noise mean for a time limit, and what would silence each.

use crate::bytes::Bytes;
use crate::machine::Noise;

/// One source: what it is, and what would end it.
pub(super) type Source = (String, &'static str);

/// The sources that are there, the worst first.
pub(super) fn sources(noise: &Noise) -> Vec<Source> {
    let mut found: Vec<Source> = Vec::new();
    let mut add = |what: &str, remedy| found.push((what.to_owned(), remedy));
    if noise.processors == 1 {
        add(
            "there is one processor, which programs share with the judge and all else",
            "a machine of two cores",
        );
    }
    if noise.virtual_machine == Some(true) {
        add(
            "the machine is virtual: its neighbours slow it down, unseen",
            "a machine of your own; `--time-factor` gives room",
        );
    }
    if noise.smt == Some(true) {
        add(
            "two threads share each core, and slow each other down",
            "`echo off > /sys/devices/system/cpu/smt/control`",
        );
    }
    if let Some(governor) = noise
        .governor
        .as_deref()
        .filter(|name| *name != "performance")
    {
        let what = format!("the frequency is governed by `{governor}`");
        add(&what, "`cpupower frequency-set --governor performance`");
    }
    if noise.boost == Some(true) {
        add(
            "cores run above their frequency while they are cool",
            "`echo 0 > /sys/devices/system/cpu/cpufreq/boost`, or `echo 1 > \
             /sys/devices/system/cpu/intel_pstate/no_turbo`",
        );
    }
    if let Some(bytes) = noise.swap_bytes.filter(|bytes| *bytes > 0) {
        let what = format!("there is swap, {}: what is swapped is slow", Bytes(bytes));
        add(&what, "`swapoff -a`");
    }
    if noise.core_piped == Some(true) {
        add(
            "a crash is handed to another program",
            "`sysctl -w kernel.core_pattern=core`",
        );
    }
    if noise.huge_pages.as_deref() == Some("always") {
        add(
            "huge pages are given at random, and some runs are faster for it",
            "`echo madvise > /sys/kernel/mm/transparent_hugepage/enabled`",
        );
    }
    if noise.aslr.is_some_and(|level| level > 0) {
        add(
            "addresses are random, and some are better for the caches",
            "`setarch -R rejudge …`, to measure; leave the system's setting as it is",
        );
    }
    #[expect(clippy::cast_precision_loss, reason = "processors are few")]
    let half = noise.processors as f64 / 2.0;
    if let Some(load) = noise.load.filter(|load| *load > half) {
        let what = format!("other programs run: the load was {load} over the last minute");
        add(&what, "end them, or wait");
    }
    found
}
