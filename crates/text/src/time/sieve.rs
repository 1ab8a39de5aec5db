//! Can this word be one of ours at all? A quick no for nearly every word of a text.
//!
//! A sieve lets all its words through and few others. It never keeps a word back wrongly, so it
//! changes how fast a text is read and nothing else.

const BITS: usize = 4096;

pub(super) struct Sieve([u64; BITS / 64]);

impl Sieve {
    pub(super) const EMPTY: Sieve = Sieve([0; BITS / 64]);

    pub(super) const fn and(mut self, words: &[&str]) -> Self {
        let mut index = 0;
        while index < words.len() {
            self = self.and_word(words[index].as_bytes());
            index += 1;
        }
        self
    }

    pub(super) const fn and_names_of<T: Copy>(mut self, table: &[(&str, T)]) -> Self {
        let mut index = 0;
        while index < table.len() {
            self = self.and_word(table[index].0.as_bytes());
            index += 1;
        }
        self
    }

    const fn and_word(mut self, word: &[u8]) -> Self {
        let bit = bit_of(word);
        self.0[bit / 64] |= 1 << (bit % 64);
        self
    }

    /// Whether the word may be one of those that were put in, whatever its case.
    pub(super) fn may_hold(&self, word: &[u8]) -> bool {
        if word.is_empty() {
            return false;
        }
        let bit = bit_of(word);
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }
}

/// Mixes the length, the first two letters and the last. The word is not empty.
const fn bit_of(word: &[u8]) -> usize {
    let last = word.len() - 1;
    let second = if last > 0 { 1 } else { 0 };
    let mixed = word.len() * 31
        + letter(word[0]) * 157
        + letter(word[second]) * 1021
        + letter(word[last]) * 29;
    mixed % BITS
}

/// The place of an ASCII letter in the alphabet, in either case.
const fn letter(byte: u8) -> usize {
    (byte & 0x1f) as usize
}
