//! How a process that stays keeps its memory small.

/// Gives memory that is free back to the system.
///
/// The allocator keeps what was needed once, on every thread. Reading a large store for the first time
/// needs more than answering from it ever does.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub(crate) fn give_back() {
    // SAFETY: any thread may call it at any time; it touches nothing that is in use.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back() {}
