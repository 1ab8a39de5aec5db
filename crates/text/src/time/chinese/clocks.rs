//! How does Chinese tell the time of day? 下午三点一刻, 晚上8点, 15时30分, 凌晨.

use super::is_before;
use crate::time::clock::{Clock, Hands, Part};
use crate::time::cursor::Cursor;
use crate::time::reading::{ClockReading, Stands};
use crate::time::{digits, numbers};

const PARTS: [(&str, Part); 26] = [
    ("凌晨", Part::SmallHours),
    ("大清早", Part::Morning),
    ("一大早", Part::Morning),
    ("一早", Part::Morning),
    ("清晨", Part::Morning),
    ("清早", Part::Morning),
    ("早上", Part::Morning),
    ("早晨", Part::Morning),
    ("早间", Part::Morning),
    ("上午", Part::Morning),
    ("中午", Part::Noon),
    ("正午", Part::Noon),
    ("午后", Part::Afternoon),
    ("下午", Part::Afternoon),
    ("下班前", Part::Closing),
    ("下班之前", Part::Closing),
    ("傍晚", Part::Dusk),
    ("黄昏", Part::Dusk),
    ("晚上", Part::Night),
    ("晚间", Part::Night),
    ("夜里", Part::Night),
    ("夜晚", Part::Night),
    ("夜间", Part::Night),
    ("深夜", Part::Night),
    ("半夜", Part::Night),
    ("午夜", Part::Midnight),
];

/// One character is enough of a part only right before an hour: 晚8点, but not 晚点.
const SHORT_PARTS: [(&str, Part); 2] = [("早", Part::Morning), ("晚", Part::Night)];

pub(in crate::time) fn clock(cursor: &mut Cursor) -> Option<ClockReading> {
    cursor
        .attempt(clock_in_part)
        .or_else(|| cursor.attempt(hands_alone))
}

fn clock_in_part(cursor: &mut Cursor) -> Option<ClockReading> {
    let before = cursor.before();
    let long = cursor.eat_entry(&PARTS);
    let part = long.or_else(|| cursor.eat_entry(&SHORT_PARTS))?;
    if long.is_none() && is_before(cursor, &["一点"]) {
        return None; // 早一点 and 晚一点 are no hours
    }
    let hands = cursor.attempt(hands_in_part);
    let clock = Clock {
        part: Some(part),
        hands,
        offset: None,
    };
    match (hands, long) {
        (Some(_), _) => Some(ClockReading {
            clock,
            stands: Stands::Alone,
        }),
        (None, Some(_)) => Some(ClockReading {
            clock,
            stands: stands_of_part(before, cursor),
        }),
        (None, None) => ends_clause(cursor).then_some(ClockReading {
            clock,
            stands: Stands::Beside,
        }),
    }
}

fn hands_in_part(cursor: &mut Cursor) -> Option<Hands> {
    cursor.blanks();
    cursor
        .attempt(digits::hands)
        .or_else(|| Some(spoken_hands(cursor)?.hands))
}

/// A part of the day alone names a time when somebody is to be reminded: 提醒我下午开会.
fn stands_of_part(before: &str, cursor: &Cursor) -> Stands {
    const CALLS: [&str; 5] = ["提醒我", "提醒", "记得", "叫我", "请在"];
    let is_called = CALLS.iter().any(|call| before.ends_with(call));
    if is_called || is_before(cursor, &["提醒", "之前", "以前", "前"]) {
        Stands::Alone
    } else {
        Stands::Beside
    }
}

fn ends_clause(cursor: &Cursor) -> bool {
    cursor
        .peek()
        .is_none_or(|next| next == '前' || !next.is_alphanumeric())
}

fn hands_alone(cursor: &mut Cursor) -> Option<ClockReading> {
    let before = cursor.before();
    let spoken = spoken_hands(cursor)?;
    let is_led = before.ends_with(['在', '于', '至']) || is_before(cursor, &super::DEADLINES);
    let stands = if spoken.is_exact || is_led {
        Stands::Alone
    } else {
        Stands::Beside
    };
    Some(ClockReading {
        clock: Clock::of_hands(spoken.hands),
        stands,
    })
}

struct SpokenHands {
    hands: Hands,
    /// Something beside the hour says that it is one; 三点 alone may be three points.
    is_exact: bool,
}

/// Reads 三点, 3点半, 三点一刻, 三点四十五分, 15时30分, 零点.
fn spoken_hands(cursor: &mut Cursor) -> Option<SpokenHands> {
    let is_zero = cursor.peek() == Some('零');
    let is_word = !cursor.at_digit();
    let hour = numbers::read_chinese(cursor).filter(|hour| *hour < 100)?;
    cursor.blanks();
    cursor.eat_any(&["点钟", "点", "时"])?;
    let is_oclock = cursor.before().ends_with("点钟");
    if is_word
        && hour == 1
        && !is_oclock
        && is_before(cursor, &["都", "也", "儿", "点", "不", "没"])
    {
        return None;
    }
    let minute = cursor.attempt(minute);
    if minute.is_none() && (cursor.at_digit() || cursor.peek().is_some_and(numbers::is_numeral)) {
        return None;
    }
    let hands = Hands::spoken(hour, minute.unwrap_or(0));
    Some(SpokenHands {
        hands,
        is_exact: minute.is_some() || is_oclock || is_zero,
    })
}

fn minute(cursor: &mut Cursor) -> Option<i64> {
    const NAMED: [(&str, i64); 4] = [("整", 0), ("半", 30), ("一刻", 15), ("三刻", 45)];
    if let Some(minute) = cursor.eat_entry(&NAMED) {
        return Some(minute);
    }
    cursor.blanks();
    let written = cursor.rest();
    let minute = numbers::read_chinese(cursor).filter(|minute| *minute < 100)?;
    let length = written.len() - cursor.rest().len();
    let has_unit = cursor.attempt(|cursor| {
        cursor.blanks();
        cursor.eat("分")
    });
    if has_unit.is_some() {
        return Some(minute);
    }
    // Without its unit one digit is a decimal: 三点五 is 3.5.
    let has_two_digits = written.get(..length)?.chars().count() >= 2 || minute == 10;
    (has_two_digits && cursor.ends_cleanly()).then_some(minute)
}
