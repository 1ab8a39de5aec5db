//! Does a clock belong to a day that stands some words before it?
//!
//! "Tomorrow we meet at 3pm" speaks of one time, and "yesterday we met at 3pm" of none that is to
//! come. So a day without a clock is kept in mind until its clause ends.

use std::ops::Range;

use super::calendar::Day;
use super::phrase::Phrase;

/// How many bytes may stand between the two.
const REACH: usize = 48;

/// A day without a clock, and where it stood.
#[derive(Debug, Clone)]
pub(super) struct CarriedDay {
    place: Range<usize>,
    day: Day,
}

impl CarriedDay {
    /// The day to keep in mind after a phrase, if it is one.
    pub(super) fn of(phrase: &Phrase, place: &Range<usize>) -> Option<Self> {
        match *phrase {
            Phrase::OnDay { day, clock: None } => Some(CarriedDay {
                place: place.clone(),
                day,
            }),
            _ => None,
        }
    }

    /// Both as one phrase, when the later one is a clock of the same clause.
    pub(super) fn join(
        self,
        text: &str,
        phrase: &Phrase,
        place: &Range<usize>,
    ) -> Option<(Phrase, Range<usize>)> {
        let Phrase::AtClock { clock } = *phrase else {
            return None;
        };
        let between = text.get(self.place.end..place.start)?;
        let is_one_clause = between.len() <= REACH && !between.contains(ends_clause);
        let joined = Phrase::OnDay {
            day: self.day,
            clock: Some(clock),
        };
        is_one_clause.then_some((joined, self.place.start..place.end))
    }
}

fn ends_clause(found: char) -> bool {
    ".,;:!?()|\n。，；：！？、（）".contains(found)
}
