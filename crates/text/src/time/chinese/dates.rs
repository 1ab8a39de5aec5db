//! How does Chinese write a date? 2026年12月24日, 6月5号, 明年3月1日, 六月底.

use super::is_before;
use crate::time::calendar::{Day, MonthDay, Which};
use crate::time::cursor::Cursor;
use crate::time::numbers;
use crate::time::reading::{DayReading, Stands};

pub(super) fn date(cursor: &mut Cursor) -> Option<DayReading> {
    cursor
        .attempt(date_of_year)
        .or_else(|| {
            cursor.attempt(|cursor| {
                let (month, day) = month_and_day(cursor)?;
                Some(DayReading::sure(Day::OfYear {
                    year: Which::Coming,
                    month,
                    day,
                }))
            })
        })
        .or_else(|| cursor.attempt(day_alone))
}

enum Year {
    Number(i64),
    After(i64),
}

impl Year {
    fn day(&self, month: i64, day: MonthDay) -> Day {
        match *self {
            Year::Number(year) => Day::InYear { year, month, day },
            Year::After(years) => Day::OfYear {
                year: Which::After(years),
                month,
                day,
            },
        }
    }
}

/// Reads 2026年6月1日, 明年3月, 2026年底.
fn date_of_year(cursor: &mut Cursor) -> Option<DayReading> {
    let year = year(cursor)?;
    cursor.eat("的");
    cursor.blanks();
    if let Some((month, day)) = cursor.attempt(month_and_day) {
        return Some(DayReading::sure(year.day(month, day)));
    }
    if cursor.eat_any(&["年底", "年末", "底", "末"]).is_some() {
        return Some(DayReading::sure(year.day(12, MonthDay::Last)));
    }
    let names_start = cursor.eat_any(&["年初", "初"]).is_some();
    let is_other_year = matches!(year, Year::After(years) if years != 0);
    let month = if is_other_year {
        cursor.attempt(month)
    } else {
        None
    };
    (names_start || is_other_year)
        .then(|| DayReading::sure(year.day(month.unwrap_or(1), MonthDay::FIRST)))
}

fn year(cursor: &mut Cursor) -> Option<Year> {
    const NAMED: [(&str, i64); 5] = [
        ("今年", 0),
        ("明年", 1),
        ("后年", 2),
        ("去年", -1),
        ("前年", -2),
    ];
    if let Some(years) = cursor.eat_entry(&NAMED) {
        return Some(Year::After(years));
    }
    let year = numbers::read_chinese(cursor)?;
    cursor.blanks();
    cursor.eat("年")?;
    match year {
        1900..=2199 => Some(Year::Number(year)),
        20..=99 => Some(Year::Number(2000 + year)),
        _ => None,
    }
}

fn month(cursor: &mut Cursor) -> Option<i64> {
    let month = numbers::read_chinese(cursor).filter(|month| *month < 100)?;
    cursor.blanks();
    cursor.eat("月")?;
    cursor.eat("份");
    Some(month)
}

fn month_and_day(cursor: &mut Cursor) -> Option<(i64, MonthDay)> {
    let month = month(cursor)?;
    cursor.blanks();
    if let Some(day) = cursor.attempt(edge) {
        return Some((month, day));
    }
    let day = day_number(cursor)?;
    cursor.attempt(end_of_stretch);
    Some((month, MonthDay::Number(day)))
}

/// Reads 月底 and the like, or only 底 when the month was named: 下个月底.
pub(super) fn edge_of_month(cursor: &mut Cursor) -> Option<MonthDay> {
    cursor.attempt(|cursor| {
        cursor.eat("月");
        edge(cursor)
    })
}

fn edge(cursor: &mut Cursor) -> Option<MonthDay> {
    const EDGES: [(&str, MonthDay); 4] = [
        ("底", MonthDay::Last),
        ("末", MonthDay::Last),
        ("初", MonthDay::FIRST),
        ("中旬", MonthDay::MIDDLE),
    ];
    cursor.eat_entry(&EDGES)
}

/// Reads 5日, 5号, 5-7日; the first day counts.
pub(super) fn day_number(cursor: &mut Cursor) -> Option<i64> {
    let day = numbers::read_chinese(cursor).filter(|day| *day < 100)?;
    cursor.attempt(|cursor| {
        cursor.eat_char(&STRETCH)?;
        numbers::read_chinese(cursor)
    });
    cursor.blanks();
    cursor.eat_any(&["日", "号"])?;
    Some(day)
}

const STRETCH: [char; 7] = ['至', '到', '-', '~', '～', '—', '–'];

fn end_of_stretch(cursor: &mut Cursor) -> Option<()> {
    cursor.eat_char(&STRETCH)?;
    day_number(cursor).map(drop)
}

/// Reads 15号, which may also be a house or a line: it needs a clock beside it or a "by" behind.
fn day_alone(cursor: &mut Cursor) -> Option<DayReading> {
    let is_monthly = cursor.before().ends_with("每月") || cursor.before().ends_with("每个月");
    let day = MonthDay::Number(day_number(cursor)?);
    // 8日前 is "eight days ago" rather than "by the 8th".
    let is_due = cursor.before().ends_with('号')
        && (is_before(cursor, &super::DEADLINES) || is_before(cursor, &["截止", "到期"]));
    let stands = if is_due || is_monthly {
        Stands::Alone
    } else {
        Stands::Beside
    };
    Some(DayReading {
        day: Day::OfMonth {
            month: Which::Coming,
            day,
        },
        part: None,
        stands,
    })
}
