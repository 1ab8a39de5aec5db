//! A part of a whole, from 0 to 1, that can be compared and is written as people write it.

use std::str::FromStr;

/// So many parts has the whole.
const PARTS: u32 = 1_000_000;

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share(u32);

impl Share {
    /// Returns so many hundredths.
    pub(crate) const fn of_hundred(parts: u32) -> Self {
        Share(parts * (PARTS / 100))
    }

    #[allow(clippy::cast_precision_loss)] // a million has seven digits
    pub(crate) fn get(self) -> f32 {
        self.0 as f32 / PARTS as f32
    }
}

impl FromStr for Share {
    type Err = String;

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within 0 and a million
    fn from_str(text: &str) -> Result<Self, String> {
        let number = text
            .parse::<f64>()
            .ok()
            .filter(|number| (0.0..=1.0).contains(number));
        number
            .map(|number| Share((number * f64::from(PARTS)).round() as u32))
            .ok_or_else(|| "not a number from 0 to 1".to_owned())
    }
}
