//! Reading a mapped file that another program has cut: zeros and a mark, instead of the end of the process.
//!
//! The system sends SIGBUS to a thread that reads a mapped page which its file no longer has. The
//! handler puts pages of zeros in the place of that page and of all behind it, marks the mapping as
//! broken and lets the thread go on. A fault anywhere else goes to the handler that was there before.

use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// So many mappings are guarded at once.
const MOST: usize = 1024;
/// The address of an entry that is being filled: no mapping begins there.
const TAKEN: usize = 1;

/// A mapping that is guarded. The handler reads it, so it has no lock.
struct Entry {
    /// Where the mapping begins; 0 if the entry is free.
    begin: AtomicUsize,
    length: AtomicUsize,
    is_broken: AtomicBool,
}

static ENTRIES: [Entry; MOST] = [const {
    Entry {
        begin: AtomicUsize::new(0),
        length: AtomicUsize::new(0),
        is_broken: AtomicBool::new(false),
    }
}; MOST];
static PAGE: AtomicUsize = AtomicUsize::new(4096);
/// What was to be done about SIGBUS before; none if the handler could not be installed.
static BEFORE: OnceLock<Option<libc::sigaction>> = OnceLock::new();

/// A guarded stretch of memory. It is dropped before the memory is unmapped.
#[derive(Debug)]
pub(super) struct Guard {
    entry: usize,
}

impl Guard {
    /// Guards mapped memory; none if so many mappings are guarded already, or the system does not let us.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        BEFORE.get_or_init(|| install().ok()).as_ref()?;
        let free = |entry: &Entry| {
            entry
                .begin
                .compare_exchange(0, TAKEN, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
        };
        let number = ENTRIES.iter().position(free)?;
        let entry = &ENTRIES[number];
        entry.is_broken.store(false, Ordering::Relaxed);
        entry.length.store(bytes.len(), Ordering::Relaxed);
        entry.begin.store(bytes.as_ptr().addr(), Ordering::Release);
        Some(Guard { entry: number })
    }

    pub(super) fn is_broken(&self) -> bool {
        ENTRIES[self.entry].is_broken.load(Ordering::Acquire)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        ENTRIES[self.entry].begin.store(0, Ordering::Release);
    }
}

/// Installs the handler; returns the one before it, to which it passes on what is not its own.
#[allow(unsafe_code)]
fn install() -> io::Result<libc::sigaction> {
    // SAFETY: sysconf has no preconditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    PAGE.store(usize::try_from(page).unwrap_or(4096), Ordering::Relaxed);
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: all zeros is a sigaction without flags and with an empty mask; the handler has the type that
    // SA_SIGINFO asks for, and both pointers are valid for the call.
    unsafe {
        let mut ours: libc::sigaction = MaybeUninit::zeroed().assume_init();
        ours.sa_sigaction = on_fault as *const () as usize;
        ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut ours.sa_mask);
        match libc::sigaction(libc::SIGBUS, &raw const ours, before.as_mut_ptr()) {
            0 => Ok(before.assume_init()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Handles SIGBUS. Calls nothing but system calls, and takes no lock.
#[allow(unsafe_code)]
extern "C" fn on_fault(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    // SAFETY: the system hands over a valid `siginfo_t`, which has an address for SIGBUS.
    let address = unsafe { (*info).si_addr() }.addr();
    let entry = ENTRIES.iter().find(|entry| {
        let begin = entry.begin.load(Ordering::Acquire);
        begin > TAKEN && (begin..begin + entry.length.load(Ordering::Relaxed)).contains(&address)
    });
    match entry {
        Some(entry) if put_zeros(entry, address) => entry.is_broken.store(true, Ordering::Release),
        _ => pass_on(signal, info, context),
    }
}

/// Puts pages of zeros in the place of the page at an address and of all behind it.
#[allow(unsafe_code)]
fn put_zeros(entry: &Entry, address: usize) -> bool {
    let end = entry.begin.load(Ordering::Relaxed) + entry.length.load(Ordering::Relaxed);
    let page = address & !(PAGE.load(Ordering::Relaxed) - 1);
    // SAFETY: the pages lie within a mapping that is still there, since the faulting thread reads it; they are
    // readable before and after, and nobody writes to them.
    let put = unsafe {
        let errno = errno();
        let saved = *errno;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED;
        let at = ptr::with_exposed_provenance_mut(page);
        let put = libc::mmap(at, end - page, libc::PROT_READ, flags, -1, 0);
        *errno = saved;
        put
    };
    put != libc::MAP_FAILED
}

#[allow(unsafe_code)]
#[cfg(target_os = "linux")]
unsafe fn errno() -> *mut libc::c_int {
    // SAFETY: the address is that of this thread's errno.
    unsafe { libc::__errno_location() }
}

#[allow(unsafe_code)]
#[cfg(not(target_os = "linux"))]
unsafe fn errno() -> *mut libc::c_int {
    // SAFETY: the address is that of this thread's errno.
    unsafe { libc::__error() }
}

/// Does about a fault what would have been done without us.
#[allow(unsafe_code)]
fn pass_on(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let before = BEFORE.get().and_then(Option::as_ref);
    match before {
        Some(before) if before.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: whoever set SA_SIGINFO has set a function of this type.
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                unsafe { std::mem::transmute(before.sa_sigaction) };
            handler(signal, info, context);
        }
        // The instruction faults again when we return, and the system ends the process.
        // SAFETY: SIG_DFL takes no function.
        _ => unsafe {
            libc::signal(signal, libc::SIG_DFL);
        },
    }
}
