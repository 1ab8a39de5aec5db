//! How does Chinese speak of time? Its front door: days, clocks, lengths, and the words behind them.
//!
//! Chinese puts no space between words, so every reader also looks at the characters around:
//! 然后天气 is no 后天, and 每周一次 is no Monday.

mod clocks;
mod dates;
mod days;
mod lengths;

pub(super) use clocks::clock;
pub(super) use days::day;
pub(super) use lengths::length;

use super::cursor::{Cursor, digit_value};
use super::numbers;

/// Whether a phrase may begin with this character, given what follows it; numerals are asked for
/// in [`may_be_counted`].
pub(super) fn opens(found: char, rest: &str) -> bool {
    let seconds = match found {
        '今' | '明' | '昨' => "天日早晚夜年",
        '后' | '前' => "天年",
        '大' => "大后前清",
        '下' => "下一个周星礼月午班",
        '上' => "上一个周星礼月午",
        '本' | '这' => "个周星礼月",
        '周' => "一二三四五六日末",
        '星' => "期",
        '礼' => "拜",
        '月' => "底末初",
        '年' => "底末",
        '去' => "年",
        '再' => "过",
        '过' => return rest.chars().next().is_some_and(starts_amount),
        '半' => "个小天年夜月",
        '凌' => "晨",
        '清' => "晨早",
        '早' => return follows_part(rest, "上晨间"),
        '晚' => return follows_part(rest, "上间"),
        '中' | '正' => "午",
        '午' => "后夜",
        '傍' => "晚",
        '黄' => "昏",
        '夜' => "里晚间",
        '深' => "夜",
        _ => return false,
    };
    rest.chars()
        .next()
        .is_some_and(|next| seconds.contains(next))
}

fn starts_amount(found: char) -> bool {
    found == '半' || digit_value(found).is_some() || numbers::is_numeral(found)
}

fn follows_part(rest: &str, seconds: &str) -> bool {
    rest.chars()
        .next()
        .is_some_and(|next| seconds.contains(next) || starts_amount(next))
}

/// Whether what follows a number may be a unit of time.
pub(super) fn may_be_counted(rest: &str) -> bool {
    let mut rest = rest.chars();
    match rest.next() {
        Some('个') => rest
            .next()
            .is_some_and(|next| "半月星礼小钟".contains(next)),
        Some(next) => "点时年月日号天周星礼分小钟刻半:：.至到-~～—– \u{a0}\u{3000}".contains(next),
        None => false,
    }
}

/// The words for "by": 周五之前.
const DEADLINES: [&str; 4] = ["之前", "以前", "前", "为止"];

/// Reads the word for "by", or stays.
pub(super) fn deadline(cursor: &mut Cursor) -> Option<()> {
    cursor.eat_any(&DEADLINES)
}

fn is_before(cursor: &Cursor, next: &[&str]) -> bool {
    next.iter().any(|text| cursor.rest().starts_with(text))
}
