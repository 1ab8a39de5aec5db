//! How a process that stays keeps its memory small.

/// From so many bytes on, a block is the system's again as soon as it is free.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BLOCK: libc::c_int = 512 * 1024;

/// Has large blocks given back one by one.
///
/// The allocator would learn from the first large block that is freed to keep those of its size, and
/// small ones that outlive it would hold its pages: with ten thousand notes, seven megabytes for good.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub(crate) fn begin() {
    // SAFETY: it sets a number of the allocator, under the allocator's own lock.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn begin() {}

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
