//! What is derived and may wait: in a process that stays, until calls pause.

use std::sync::atomic::{AtomicBool, Ordering};

/// One thing that can be put off, and whether it was.
#[derive(Debug, Default)]
pub struct PutOff {
    stays: AtomicBool,
    is_owed: AtomicBool,
}

impl PutOff {
    /// Hears that this process stays, and that someone will say when calls pause.
    pub fn stay(&self) {
        self.stays.store(true, Ordering::Relaxed);
    }

    /// Puts the thing off if that can be; false if it has to be done now.
    pub fn put_off(&self) -> bool {
        let stays = self.stays.load(Ordering::Relaxed);
        if stays {
            self.is_owed.store(true, Ordering::Relaxed);
        }
        stays
    }

    /// Says whether the thing was put off, and takes it for done.
    pub fn take(&self) -> bool {
        self.is_owed.swap(false, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whoever_stays_puts_off_and_owes_it_once() {
        let thing = PutOff::default();
        assert!(!thing.put_off() && !thing.take());
        thing.stay();
        assert!(thing.put_off() && thing.put_off());
        assert!(thing.take() && !thing.take());
    }
}
