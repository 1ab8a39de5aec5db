//! The run of the system that we are in.

use std::sync::OnceLock;

/// Where Linux tells it.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// Returns what names this run of the system; `None` where it does not tell.
pub(crate) fn id() -> Option<String> {
    static ID: OnceLock<Option<String>> = OnceLock::new();
    ID.get_or_init(|| Some(std::fs::read_to_string(BOOT_ID).ok()?.trim().to_owned()))
        .clone()
}
