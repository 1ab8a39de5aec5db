//! A hash that is the same in every run and quick on short words.
//!
//! Not safe against people who choose words so that they collide. Texts are compared token by token
//! after their keys were, so only two words that collide can be mixed up.

use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Makes maps that use this hash.
pub(super) type Digesting = BuildHasherDefault<Digester>;

/// Hashes a value, always to the same number.
pub(super) fn digest<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut digester = Digester::default();
    value.hash(&mut digester);
    digester.finish()
}

#[derive(Default)]
pub(super) struct Digester(u64);

impl Digester {
    fn mix(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product as u64) ^ (product >> 64) as u64 ^ self.0.rotate_left(23);
    }
}

impl Hasher for Digester {
    fn finish(&self) -> u64 {
        let folded = (self.0 ^ self.0 >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        folded ^ folded >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut padded = [0; 8];
            padded[..part.len()].copy_from_slice(part);
            self.mix(u64::from_le_bytes(padded));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_nearly_the_same_have_other_digests() {
        let mut digests: Vec<u64> = (0..100_000)
            .map(|number| digest(&format!("word{number}")))
            .collect();
        digests.extend((0..100_000u64).map(|number| digest(&number)));
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), 200_000);
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
