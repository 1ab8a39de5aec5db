//! A set of small numbers: which documents are meant.

/// One bit for each number below a bound.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
    bound: usize,
}

impl Bits {
    /// Returns the set of none of the numbers below `bound`.
    pub(crate) fn none(bound: usize) -> Self {
        Bits {
            words: vec![0; bound.div_ceil(64)],
            bound,
        }
    }

    /// Returns the set of all numbers below `bound`.
    pub(crate) fn all(bound: usize) -> Self {
        let mut bits = Bits {
            words: vec![u64::MAX; bound.div_ceil(64)],
            bound,
        };
        if let (Some(last), true) = (bits.words.last_mut(), !bound.is_multiple_of(64)) {
            *last = (1 << (bound % 64)) - 1;
        }
        bits
    }

    /// Returns the set of the places in a list of what is as asked for.
    pub(crate) fn where_so<T>(list: &[T], is_so: impl Fn(&T) -> bool) -> Self {
        let word = |items: &[T]| {
            items
                .iter()
                .enumerate()
                .fold(0, |word, (n, item)| word | u64::from(is_so(item)) << n)
        };
        Bits {
            words: list.chunks(64).map(word).collect(),
            bound: list.len(),
        }
    }

    /// Says whether a number is in the set.
    pub(crate) fn has(&self, n: usize) -> bool {
        self.words
            .get(n / 64)
            .is_some_and(|word| word >> (n % 64) & 1 == 1)
    }

    pub(crate) fn add(&mut self, n: usize) {
        if n < self.bound {
            self.words[n / 64] |= 1 << (n % 64);
        }
    }

    pub(crate) fn remove(&mut self, n: usize) {
        if n < self.bound {
            self.words[n / 64] &= !(1 << (n % 64));
        }
    }

    pub(crate) fn keep_only(&mut self, others: &Bits) {
        for (n, word) in self.words.iter_mut().enumerate() {
            *word &= others.words.get(n).copied().unwrap_or_default();
        }
    }

    pub(crate) fn add_all(&mut self, others: &Bits) {
        self.words
            .iter_mut()
            .zip(&others.words)
            .for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn remove_all(&mut self, others: &Bits) {
        self.words
            .iter_mut()
            .zip(&others.words)
            .for_each(|(word, other)| *word &= !other);
    }

    /// Says whether all of it is in another set, too.
    pub(crate) fn is_within(&self, others: &Bits) -> bool {
        let mut words = self.words.iter().enumerate();
        words.all(|(n, word)| word & !others.words.get(n).copied().unwrap_or_default() == 0)
    }

    /// Returns the set as words of 64 bits, the lowest numbers first.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns how many numbers are in the set.
    pub(crate) fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Returns the numbers in the set, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(n, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(n * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_joined_and_taken_from_each_other() {
        for bound in [0, 1, 63, 64, 65, 200] {
            assert_eq!(Bits::all(bound).count(), bound);
            assert_eq!(
                Bits::all(bound).iter().collect::<Vec<_>>(),
                (0..bound).collect::<Vec<_>>()
            );
        }
        let numbers: Vec<usize> = (0..100).collect();
        assert_eq!(Bits::where_so(&numbers, |n| *n != 70), {
            let mut others = Bits::all(100);
            others.remove(70);
            others
        });
        let mut even = Bits::none(100);
        (0..100).step_by(2).for_each(|n| even.add(n));
        even.add(100); // out of bounds: no such document
        let mut odd = Bits::all(100);
        odd.remove_all(&even);
        assert!(odd.has(1) && !odd.has(2) && odd.count() == 50 && !even.has(100));
        let mut both = odd.clone();
        both.add_all(&even);
        assert_eq!(both, Bits::all(100));
        assert!(odd.is_within(&both) && !both.is_within(&odd) && Bits::none(9).is_within(&odd));
        both.keep_only(&odd);
        both.remove(1);
        assert_eq!(both.iter().next(), Some(3));
    }
}
