//! Linking: our programs are started for every call of an agent, so starting must cost little.

use std::env;

// A build script is told what it builds by variables.
#[allow(clippy::disallowed_methods)]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("PROFILE", "release") {
        // `memory` reads what other machines send, so it is loaded at a random address. Packed relocations take
        // a tenth of the room of others, of which this program has many.
        println!("cargo::rustc-link-arg-bin=memory=-Wl,-z,pack-relative-relocs");
        // `memory-cli` reads local files only, and starts faster if nothing has to be relocated.
        println!("cargo::rustc-link-arg-bin=memory-cli=-no-pie");
    }
}
