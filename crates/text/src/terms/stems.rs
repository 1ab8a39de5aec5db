//! The stems of words that were met lately: finding one takes longer than all else that is done to a word.

/// No English word is longer; what is, is no word.
pub(super) const LONGEST_WORD: usize = 24;
/// How many are remembered. A new one takes the place of another that falls on its slot.
const SLOTS: usize = 1 << 12;

/// A word of small letters, with zeros after it.
type Padded = [u8; LONGEST_WORD];

/// Words with their stems, each in a slot that follows from its letters. No slots before the first word.
#[derive(Debug, Default)]
pub(super) struct Stems(Vec<(Padded, Padded)>);

impl Stems {
    /// Returns the stem of a word, if it was met lately.
    pub(super) fn get(&self, word: &str) -> Option<&str> {
        let word = padded(word)?;
        let (known, stem) = self.0.get(slot(&word))?;
        let length = stem
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(LONGEST_WORD);
        if *known == word {
            std::str::from_utf8(&stem[..length]).ok()
        } else {
            None
        }
    }

    /// Remembers the stem of a word.
    pub(super) fn put(&mut self, word: &str, stem: &str) {
        let Some((word, stem)) = padded(word).zip(padded(stem)) else {
            return;
        };
        self.0.resize(SLOTS, ([0; LONGEST_WORD], [0; LONGEST_WORD]));
        if let Some(place) = self.0.get_mut(slot(&word)) {
            *place = (word, stem);
        }
    }
}

fn padded(word: &str) -> Option<Padded> {
    let mut padded = [0; LONGEST_WORD];
    padded
        .get_mut(..word.len())?
        .copy_from_slice(word.as_bytes());
    Some(padded)
}

fn slot(word: &Padded) -> usize {
    let parts = word.as_chunks::<8>().0;
    let mix = |hash: u64, part: &[u8; 8]| {
        (hash.rotate_left(5) ^ u64::from_le_bytes(*part)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    (parts.iter().fold(0, mix) >> 52) as usize & (SLOTS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_put_there_is_found() {
        let mut stems = Stems::default();
        let words: Vec<String> = (0..20_000_u32).map(|n| format!("word{n}")).collect();
        for word in &words {
            assert_eq!(stems.get(word), None);
            stems.put(word, &word[1..]);
            assert_eq!(stems.get(word), Some(&word[1..]));
        }
        let kept = words
            .iter()
            .filter(|word| stems.get(word).is_some())
            .count();
        assert!((SLOTS / 2..=SLOTS).contains(&kept), "{kept}");
        let whole = "a".repeat(LONGEST_WORD);
        stems.put(&whole, &whole);
        assert_eq!(stems.get(&whole), Some(whole.as_str()));
        stems.put(&format!("{whole}a"), "a");
        assert_eq!(stems.get(&format!("{whole}a")), None);
    }
}
