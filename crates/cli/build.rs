//! Linking: our programs are started for every call of an agent, so starting must cost little.

use std::env;

// A build script is told what it builds by variables.
#[allow(clippy::disallowed_methods)]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    // A position-independent program spends a third of its start on relocating itself: it reads and
    // copies 150 more pages before `main`. Measured: 1.5 instead of 2.0 times an empty program.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
