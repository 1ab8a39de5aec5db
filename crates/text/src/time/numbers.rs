//! Which number is that? Number words of both languages.

use memory_steps::count;

use super::cursor::Cursor;

pub(super) const CARDINALS: [(&str, i64); 25] = [
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("ninety", 90),
];

pub(super) const ORDINALS: [(&str, i64); 21] = [
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("thirteenth", 13),
    ("fourteenth", 14),
    ("fifteenth", 15),
    ("sixteenth", 16),
    ("seventeenth", 17),
    ("eighteenth", 18),
    ("nineteenth", 19),
    ("twentieth", 20),
    ("thirtieth", 30),
];

/// The value of an English number word in lower case.
fn english(word: &str) -> Option<i64> {
    CARDINALS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, value)| *value)
}

/// The value of an English ordinal in lower case.
pub(super) fn english_ordinal(word: &str) -> Option<i64> {
    ORDINALS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, value)| *value)
}

/// Reads a number in words, hyphenated or not: "seven", "twenty-five".
pub(super) fn read_english(cursor: &mut Cursor) -> Option<i64> {
    let tens = english(cursor.letters()?.as_str())?;
    let ones = cursor.attempt(|cursor| {
        cursor.eat("-").or_else(|| cursor.space())?;
        english(cursor.word()?.as_str())
    });
    match ones {
        Some(ones @ 1..=9) if tens >= 20 => Some(tens + ones),
        Some(_) => None,
        None => cursor.ends_cleanly().then_some(tens),
    }
}

/// Reads a number as Chinese writes it: 3, ３, 三, 两, 二十五, 二〇二六.
pub(super) fn read_chinese(cursor: &mut Cursor) -> Option<i64> {
    if cursor.at_digit() {
        return cursor.digits().map(|(value, _)| value);
    }
    let rest = cursor.rest();
    let length = rest.find(|found| !is_numeral(found)).unwrap_or(rest.len());
    count(1 + length);
    let numeral = rest.get(..length)?;
    cursor.eat(numeral)?;
    hundreds(numeral)
}

pub(super) fn is_numeral(found: char) -> bool {
    matches!(
        found,
        '零' | '〇'
            | '一'
            | '二'
            | '两'
            | '三'
            | '四'
            | '五'
            | '六'
            | '七'
            | '八'
            | '九'
            | '十'
            | '百'
    )
}

fn hundreds(numeral: &str) -> Option<i64> {
    match numeral.split_once('百') {
        Some((count, "")) => Some(digit(count)? * 100),
        Some((count, rest)) => Some(digit(count)? * 100 + tens(rest)?),
        None => tens(numeral),
    }
}

fn tens(numeral: &str) -> Option<i64> {
    let digit_or = |text: &str, otherwise| {
        if text.is_empty() {
            Some(otherwise)
        } else {
            digit(text)
        }
    };
    match numeral.split_once('十') {
        Some((count, rest)) => Some(digit_or(count, 1)? * 10 + digit_or(rest, 0)?),
        None => digit(numeral).or_else(|| year(numeral)),
    }
}

/// One digit, with or without a zero before it: 五, 零五.
fn digit(numeral: &str) -> Option<i64> {
    let mut found = numeral.chars();
    match (found.next()?, found.next(), found.next()) {
        (only, None, None) => digit_of(only),
        ('零' | '〇', Some(second), None) => digit_of(second),
        _ => None,
    }
}

/// Years are written digit by digit. Two digits in a row are no number: 三四天 is "some days".
fn year(numeral: &str) -> Option<i64> {
    let digits = numeral.chars().map(digit_of).collect::<Option<Vec<_>>>()?;
    (digits.len() == 4).then(|| digits.iter().fold(0, |value, digit| value * 10 + digit))
}

fn digit_of(found: char) -> Option<i64> {
    match found {
        '零' | '〇' => Some(0),
        '两' => Some(2),
        _ => "一二三四五六七八九"
            .chars()
            .position(|digit| digit == found)
            .and_then(|at| i64::try_from(at + 1).ok()),
    }
}
