//! How does Chinese measure time from now? 两小时后, 一个半小时后, 三天内, 再过五分钟, 3天前.

use crate::time::cursor::Cursor;
use crate::time::length::{Length, Quantity, Unit};
use crate::time::numbers;

/// Larger numbers before 年 are years, not amounts.
const MOST_YEARS: i64 = 1000;

pub(in crate::time) fn length(cursor: &mut Cursor) -> Option<Length> {
    let is_ahead = cursor.eat("再过").is_some() || passes(cursor);
    let length = amount(cursor)?;
    if is_ahead {
        cursor.eat_any(&AHEAD);
        return Some(length);
    }
    cursor.blanks();
    match cursor.eat_any(&AHEAD) {
        Some(()) => Some(length),
        None => cursor
            .eat_any(&["前", "之前", "以前"])
            .map(|()| length.ago()),
    }
}

const AHEAD: [&str; 6] = ["以后", "之后", "后", "以内", "之内", "内"];

/// Reads the verb of 过两小时. In 超过, 经过 and the like it is half of another word.
fn passes(cursor: &mut Cursor) -> bool {
    let previous = cursor.previous();
    cursor.eat("过").is_some()
        && previous.is_none_or(|last| !last.is_alphanumeric() || matches!(last, '我' | '请' | '等'))
}

/// Reads 两小时, 1小时30分钟, 两天.
fn amount(cursor: &mut Cursor) -> Option<Length> {
    let (quantity, unit) = counted_unit(cursor)?;
    let has_half = unit != Unit::Minute && cursor.eat("半").is_some();
    let length = Length::new(
        if has_half {
            quantity.and_half()
        } else {
            quantity
        },
        unit,
    );
    let rest = if unit == Unit::Hour {
        cursor.attempt(minutes)
    } else {
        None
    };
    rest.map_or(Some(length), |rest| length.plus(rest))
}

fn minutes(cursor: &mut Cursor) -> Option<Length> {
    cursor.blanks();
    cursor.eat_char(&['零', '又']);
    let (minutes, unit) = counted_unit(cursor)?;
    (unit == Unit::Minute).then(|| Length::new(minutes, unit))
}

fn counted_unit(cursor: &mut Cursor) -> Option<(Quantity, Unit)> {
    if cursor.eat("半").is_some() {
        let is_counted = cursor.eat("个").is_some();
        return Some((Quantity::HALF, unit(cursor, is_counted)?));
    }
    let count = numbers::read_chinese(cursor)?;
    let mut quantity = Quantity::whole(count);
    if let Some((digits, places)) = cursor.attempt(fraction) {
        quantity = quantity.with_fraction(digits, places)?;
    }
    cursor.blanks();
    if cursor.eat("刻钟").is_some() {
        return Some((Quantity::whole(count * 15), Unit::Minute));
    }
    let is_counted = cursor.eat("个").is_some();
    if is_counted && cursor.eat("半").is_some() {
        quantity = quantity.and_half();
    }
    let unit = unit(cursor, is_counted)?;
    (unit != Unit::Year || count < MOST_YEARS).then_some((quantity, unit))
}

fn fraction(cursor: &mut Cursor) -> Option<(i64, usize)> {
    cursor.eat(".")?;
    cursor.digits()
}

/// A month is counted with 个; without it, 3月 is March.
fn unit(cursor: &mut Cursor, is_counted: bool) -> Option<Unit> {
    const ALWAYS: [(&str, Unit); 5] = [
        ("小时", Unit::Hour),
        ("钟头", Unit::Hour),
        ("星期", Unit::Week),
        ("礼拜", Unit::Week),
        ("周", Unit::Week),
    ];
    const COUNTED: [(&str, Unit); 2] = [("月", Unit::Month), ("钟", Unit::Hour)];
    const UNCOUNTED: [(&str, Unit); 5] = [
        ("分钟", Unit::Minute),
        ("分", Unit::Minute),
        ("天", Unit::Day),
        ("日", Unit::Day),
        ("年", Unit::Year),
    ];
    let others: &[(&str, Unit)] = if is_counted { &COUNTED } else { &UNCOUNTED };
    cursor
        .eat_entry(&ALWAYS)
        .or_else(|| cursor.eat_entry(others))
}
