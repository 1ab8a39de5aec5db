//! The version that the programs print, and how they are linked: agents start them for every call.

use std::env;
use std::process::Command;

// A build script is told what it builds by variables.
#[allow(clippy::disallowed_methods)]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let is_release = is("PROFILE", "release");
    let version = env!("CARGO_PKG_VERSION");
    let commit = if is_release { commit() } else { None };
    match commit {
        Some(commit) => println!("cargo::rustc-env=MEMORY_VERSION={version} ({commit})"),
        None => println!("cargo::rustc-env=MEMORY_VERSION={version}"),
    }
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is_release {
        // `memory` reads what other machines send, so it is loaded at a random address. Packed relocations take
        // a tenth of the room of others, of which this program has many.
        println!("cargo::rustc-link-arg-bin=memory=-Wl,-z,pack-relative-relocs");
        // `memory-cli` reads local files only, and starts faster if nothing has to be relocated.
        println!("cargo::rustc-link-arg-bin=memory-cli=-no-pie");
    }
}

/// Returns the commit that is built and its date; `None` outside of this project's Git repository.
fn commit() -> Option<String> {
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["log", "-1", "--format=%h %cs"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
