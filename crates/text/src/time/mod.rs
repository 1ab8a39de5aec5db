//! Which times does a text speak of? English and Chinese prose in, points in time out.
//!
//! This file walks over the text and keeps what lies ahead. A phrase goes through three rooms:
//! `openings` says where one may begin, `phrase` reads it, `calendar` says when that is.
//! What is written in digits alone is doubted, for most such things are no times: see `doubt`.

mod calendar;
mod carry;
mod chinese;
mod clock;
mod cursor;
mod digits;
mod doubt;
mod english;
mod length;
mod numbers;
mod openings;
mod phrase;
mod reading;
mod sieve;

use std::ops::Range;

use jiff::{Timestamp, tz::TimeZone};
use memory_steps::count;

use calendar::Present;
use carry::CarriedDay;
use cursor::Cursor;
use openings::Openings;

/// A time that a text speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The bytes of the phrase in the text, with its "by" or "at" or 之前. A clock that stands some
    /// words behind its day is one phrase with it: "tomorrow we meet at 3pm".
    pub place: Range<usize>,
    pub at: Timestamp,
    /// The phrase names a time of day; otherwise `at` is nine in the morning.
    pub has_clock: bool,
}

/// Finds the times that a text speaks of, in the order they stand; phrases do not overlap.
///
/// - Relative phrases count from `said_at`, in `zone`.
/// - Only what lies after `said_at` is returned; the past and impossible dates yield nothing.
/// - Code and addresses are not read.
pub fn find_moments(text: &str, said_at: Timestamp, zone: &TimeZone) -> Vec<Moment> {
    let mut moments: Vec<Moment> = Vec::new();
    let mut present = None;
    let mut carried: Option<CarriedDay> = None;
    let mut openings = Openings::new(text);
    while let Some(start) = openings.next_opening() {
        count(1);
        let mut cursor = Cursor::new(text, start);
        let Some(phrase) = phrase::read(&mut cursor) else {
            continue;
        };
        // A phrase of the past is passed over whole, so that its "at 5pm" is not read as today's.
        openings.resume_at(cursor.place());
        let place = start..cursor.place();
        let joined = carried
            .take()
            .and_then(|day| day.join(text, &phrase, &place));
        carried = CarriedDay::of(&phrase, &place);
        let (phrase, place) = joined.unwrap_or((phrase, place));
        moments.pop_if(|earlier| earlier.place.end > place.start);
        let present = present.get_or_insert_with(|| Present::new(said_at, zone));
        if let Some(at) = present.moment_of(&phrase).filter(|at| *at > said_at) {
            moments.push(Moment {
                place,
                at,
                has_clock: phrase.names_clock(),
            });
        }
    }
    moments
}
