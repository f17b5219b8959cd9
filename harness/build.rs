//! Links with fixed addresses where that works.
//!
//! At random addresses, the dynamic linker would have to adapt half a megabyte of constants whenever the command starts. That
//! takes a millisecond of the few that a short run takes. Random addresses make it harder to take over a program through a
//! fault in it. The judge parses what programs write in safe Rust, and heap, stack and libraries keep their random places.

use std::env;

fn main() {
    // Cargo runs it again when it or the target changes. By default it would do so whenever any file does.
    println!("cargo::rerun-if-env-changed=CARGO_CFG_TARGET_FEATURE");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    // A static program has start code of its own for either kind. Releases choose it by the relocation model.
    let is_static = features.split(',').any(|feature| feature == "crt-static");
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && !is_static {
        println!("cargo::rustc-link-arg=-no-pie");
    }
}
