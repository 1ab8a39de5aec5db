//! How does Chinese name a day? 明天, 下周一, 月底, 周末.
//!
//! Dates with numbers are in `dates`.

use jiff::civil::Weekday;

use super::{dates, is_before};
use crate::time::calendar::{Day, MonthDay, Which};
use crate::time::clock::Part;
use crate::time::cursor::Cursor;
use crate::time::numbers;
use crate::time::reading::DayReading;

pub(in crate::time) fn day(cursor: &mut Cursor) -> Option<DayReading> {
    cursor
        .attempt(named)
        .or_else(|| cursor.attempt(of_period))
        .or_else(|| cursor.attempt(bare_weekday))
        .or_else(|| cursor.attempt(edge))
        .or_else(|| cursor.attempt(dates::date))
}

const NAMED: [(&str, (i64, Option<Part>)); 18] = [
    ("大大后天", (4, None)),
    ("大后天", (3, None)),
    ("大前天", (-3, None)),
    ("今天", (0, None)),
    ("今日", (0, None)),
    ("今早", (0, Some(Part::Morning))),
    ("今晚", (0, Some(Part::Night))),
    ("今夜", (0, Some(Part::Night))),
    ("明天", (1, None)),
    ("明日", (1, None)),
    ("明早", (1, Some(Part::Morning))),
    ("明晚", (1, Some(Part::Night))),
    ("后天", (2, None)),
    ("昨天", (-1, None)),
    ("昨日", (-1, None)),
    ("昨晚", (-1, Some(Part::Night))),
    ("昨夜", (-1, Some(Part::Night))),
    ("前天", (-2, None)),
];

fn named(cursor: &mut Cursor) -> Option<DayReading> {
    let previous = cursor.previous();
    let (days, part) = cursor.eat_entry(&NAMED)?;
    // 说明天气 and 然后天气 are other words that meet.
    let is_weather = is_before(cursor, &["气"]) && !is_before(cursor, &["气温", "气压"]);
    let is_behind = days == 2 && previous.is_some_and(|last| "然之以最随此今先".contains(last));
    (!is_weather && !is_behind).then_some(DayReading {
        part,
        ..DayReading::sure(Day::in_days(days))
    })
}

const RELATIVE: [(&str, i64); 15] = [
    ("下下个", 2),
    ("下下", 2),
    ("下一个", 1),
    ("下一", 1),
    ("下个", 1),
    ("下", 1),
    ("上上个", -2),
    ("上上", -2),
    ("上一个", -1),
    ("上一", -1),
    ("上个", -1),
    ("上", -1),
    ("本", 0),
    ("这个", 0),
    ("这", 0),
];

const WEEKS: [&str; 3] = ["周", "星期", "礼拜"];

/// Reads 下周一, 这周末, 下个月1号, 本月底.
fn of_period(cursor: &mut Cursor) -> Option<DayReading> {
    let ahead = cursor.eat_entry(&RELATIVE)?;
    let day = if cursor.eat_any(&WEEKS).is_some() {
        day_of_week(cursor, ahead)
    } else {
        cursor.eat("月")?;
        day_of_month(cursor, ahead)
    };
    day.map(DayReading::sure)
}

fn day_of_week(cursor: &mut Cursor, ahead: i64) -> Option<Day> {
    if cursor.eat("末").is_some() {
        return Some(Day::Weekend {
            week: if ahead == 0 {
                Which::Coming
            } else {
                Which::After(ahead)
            },
        });
    }
    let again = cursor.attempt(|cursor| {
        cursor.eat("的");
        cursor.eat_any(&WEEKS)?;
        weekday(cursor)
    });
    if let Some(weekday) = again.or_else(|| cursor.attempt(weekday)) {
        return Some(Day::OfWeek {
            weeks: ahead,
            weekday,
        });
    }
    let is_other_word = is_before(cursor, &["期", "年", "边", "围", "知"]);
    (ahead != 0 && !is_other_word).then_some(Day::OfWeek {
        weeks: ahead,
        weekday: Weekday::Monday,
    })
}

fn day_of_month(cursor: &mut Cursor, ahead: i64) -> Option<Day> {
    let month = Which::After(ahead);
    if is_before(cursor, &["亮", "光", "饼", "球", "台"]) {
        return None;
    }
    let day = cursor.attempt(|cursor| {
        cursor.eat("份");
        cursor.eat("的");
        cursor.blanks();
        dates::edge_of_month(cursor).or_else(|| dates::day_number(cursor).map(MonthDay::Number))
    });
    match day {
        Some(day) => Some(Day::OfMonth { month, day }),
        None => (ahead != 0).then_some(Day::OfMonth {
            month,
            day: MonthDay::FIRST,
        }),
    }
}

fn weekday(cursor: &mut Cursor) -> Option<Weekday> {
    let name = cursor.eat_char(&['一', '二', '三', '四', '五', '六', '日', '天'])?;
    Some(match name {
        '一' => Weekday::Monday,
        '二' => Weekday::Tuesday,
        '三' => Weekday::Wednesday,
        '四' => Weekday::Thursday,
        '五' => Weekday::Friday,
        '六' => Weekday::Saturday,
        _ => Weekday::Sunday,
    })
}

/// Reads 周五, 星期天, 周末.
fn bare_weekday(cursor: &mut Cursor) -> Option<DayReading> {
    let previous = cursor.previous();
    cursor.eat_any(&WEEKS)?;
    let is_counted =
        previous.is_some_and(|last| numbers::is_numeral(last) || last.is_numeric() || last == '个');
    if cursor.eat("末").is_some() {
        let is_greeting = is_before(cursor, &["愉快", "快乐"]);
        return (!is_greeting).then_some(DayReading::sure(Day::Weekend {
            week: Which::Coming,
        }));
    }
    let weekday = weekday(cursor)?;
    if cursor.attempt(end_of_stretch).is_some() {
        return Some(DayReading::sure(Day::Stretch));
    }
    let is_amount = is_counted || (previous == Some('每') && counts_something(cursor));
    (!is_amount).then_some(DayReading::sure(Day::Coming {
        weekday,
        weeks_on: 0,
    }))
}

/// 每周三次 is three times a week, 每周三 is every Wednesday.
fn counts_something(cursor: &Cursor) -> bool {
    is_before(
        cursor,
        &[
            "次", "天", "小时", "个", "节", "篇", "场", "趟", "遍", "更", "堂", "晚",
        ],
    )
}

fn end_of_stretch(cursor: &mut Cursor) -> Option<()> {
    cursor.blanks();
    cursor.eat_char(&['至', '到', '-', '~', '～', '—', '–'])?;
    cursor.blanks();
    cursor.eat_any(&WEEKS)?;
    weekday(cursor).map(drop)
}

/// Reads 月底, 月初, 年底: the nearest such edge.
fn edge(cursor: &mut Cursor) -> Option<DayReading> {
    if cursor.eat_any(&["年底", "年末"]).is_some() {
        return Some(DayReading::sure(Day::OfYear {
            year: Which::After(0),
            month: 12,
            day: MonthDay::Last,
        }));
    }
    let day = dates::edge_of_month(cursor)?;
    if !cursor.before().ends_with(['底', '末', '初']) {
        return None;
    }
    let month = if day == MonthDay::Last {
        Which::After(0)
    } else {
        Which::Coming
    };
    Some(DayReading::sure(Day::OfMonth { month, day }))
}
