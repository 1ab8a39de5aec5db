//! What a text is made of for the purpose of finding words in it.
//!
//! Takes text that is already in lower case. Borrows from it, copies nothing, and knows no table.
//! Some symbols stand for a whole class, so that a table needs one line for all days of the week.

/// A part of a text. The constants stand for classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol<'a> {
    /// A word of an alphabet, whole.
    Word(&'a str),
    /// An ideograph, or the mark that ends a phrase.
    Sign(char),
}

impl Symbol<'static> {
    /// Any number, in digits or, before a unit, in Chinese numerals.
    const NUMBER: Self = Symbol::Word("5");
    /// Any year of this century.
    const YEAR: Self = Symbol::Word("2026");
    /// Any time of day.
    const TIME: Self = Symbol::Word("12:00");
    /// Any date with a year, a month and a day.
    const DATE: Self = Symbol::Word("2026-01-01");
    /// Any day of the week, in both languages.
    const WEEKDAY: Self = Symbol::Word("monday");
    /// The same day of every week.
    const WEEKDAYS: Self = Symbol::Word("mondays");
    /// Any month that can't be another word (as may and march can).
    const MONTH: Self = Symbol::Word("january");
    /// A Chinese name at the start of a sentence.
    const NAME: Self = Symbol::Word("zhangsan");
    /// Any punctuation mark and any line break.
    const BREAK: Self = Symbol::Sign('.');
}

/// Returns the symbols of a text in their order. White space, hyphens, apostrophes and
/// quotation marks only separate.
pub(super) fn symbols(lower: &str) -> impl Iterator<Item = Symbol<'_>> {
    let mut rest = lower;
    let mut sentence_starts = true;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(separates);
        let first = rest.chars().next()?;
        let (symbol, length) = match first {
            '0'..='9' => digits(rest),
            _ if is_ideograph(first) => {
                let name = if sentence_starts { name(rest) } else { None };
                name.unwrap_or_else(|| ideograph(rest, first))
            }
            _ if first.is_alphanumeric() => word(rest),
            _ => (Symbol::BREAK, first.len_utf8()),
        };
        sentence_starts = symbol == Symbol::BREAK;
        rest = &rest[length..];
        Some(symbol)
    })
}

/// Every reader below returns the symbol at the start of the text, and its length in bytes.
type Read<'a> = (Symbol<'a>, usize);

fn word(text: &str) -> Read<'_> {
    let length = length_while(text, |c| !is_ideograph(c) && c.is_alphanumeric());
    let symbol = match &text[..length] {
        "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" => {
            Symbol::WEEKDAY
        }
        "mon" | "tue" | "tues" | "wed" | "thu" | "thur" | "thurs" | "fri" => Symbol::WEEKDAY,
        "mondays" | "tuesdays" | "wednesdays" | "thursdays" => Symbol::WEEKDAYS,
        "fridays" | "saturdays" | "sundays" => Symbol::WEEKDAYS,
        "january" | "february" | "april" | "june" | "july" | "august" => Symbol::MONTH,
        "september" | "october" | "november" | "december" => Symbol::MONTH,
        "jan" | "feb" | "apr" | "jun" | "jul" | "aug" | "sep" | "sept" | "oct" | "nov" | "dec" => {
            Symbol::MONTH
        }
        other => Symbol::Word(other),
    };
    (symbol, length)
}

fn digits(text: &str) -> Read<'_> {
    let length = length_while(text, |c| {
        c.is_ascii_digit() || matches!(c, ':' | '-' | '/' | '.' | ',')
    });
    let run = text[..length].trim_end_matches(|c: char| !c.is_ascii_digit());
    let is_time = run
        .split_once(':')
        .is_some_and(|(hour, minute)| hour.len() <= 2 && minute.len() == 2);
    let mut parts = run.split(['-', '/']).map(str::len);
    let is_date = matches!(
        (parts.next(), parts.next(), parts.next(), parts.next()),
        (Some(4), Some(1 | 2), Some(1 | 2), None)
    );
    let symbol = match run.as_bytes() {
        _ if is_date => Symbol::DATE,
        _ if is_time => Symbol::TIME,
        [b'2', b'0', _, _] => Symbol::YEAR,
        _ => Symbol::NUMBER,
    };
    (symbol, run.len())
}

fn ideograph(text: &str, first: char) -> Read<'_> {
    let special = match first {
        '周' | '星' | '礼' => weekday(text),
        _ if is_numeral(first) => numeral(text),
        _ => None,
    };
    special.unwrap_or((Symbol::Sign(first), first.len_utf8()))
}

/// Reads 周一, 星期天 and the like, but not the 周一 of 一周一次.
fn weekday(text: &str) -> Option<Read<'_>> {
    let after = ["周", "星期", "礼拜"]
        .into_iter()
        .find_map(|week| text.strip_prefix(week))?;
    let after = after.strip_prefix(['一', '二', '三', '四', '五', '六', '日', '天'])?;
    (!after.starts_with('次')).then_some((Symbol::WEEKDAY, text.len() - after.len()))
}

/// Reads a number in Chinese numerals if a unit follows, since 十分 and 一直 count nothing. Gives up on
/// long ones: each failure starts over one character further, so a page of 一 must not be read to its end.
fn numeral(text: &str) -> Option<Read<'_>> {
    const LONGEST: usize = 8;
    const DAYS: [&str; 3] = ["月", "号", "日"];
    const UNITS: [&str; 14] = [
        "点", "年", "天", "周", "个", "小时", "分钟", "次", "岁", "级", "位", "名", "米", "遍",
    ];
    let numerals = text.chars().take(LONGEST).take_while(|c| is_numeral(*c));
    let (number, after) = text.split_at(numerals.map(char::len_utf8).sum());
    let has_unit = |units: &[&str]| units.iter().any(|unit| after.starts_with(unit));
    let counts = has_unit(&DAYS) || number != "一" && has_unit(&UNITS);
    counts.then_some((Symbol::NUMBER, number.len()))
}

fn is_numeral(c: char) -> bool {
    matches!(
        c,
        '零' | '一'
            | '二'
            | '三'
            | '四'
            | '五'
            | '六'
            | '七'
            | '八'
            | '九'
            | '十'
            | '百'
            | '千'
            | '万'
            | '两'
    )
}

/// Reads a family name and one or two more characters, if a word follows that names like to have
/// after them: 张伟是, 陈小明负责. Family names that often begin another word are left out.
fn name(text: &str) -> Option<Read<'_>> {
    const FAMILY: &str =
        "张王李赵刘陈杨黄周吴徐孙朱郭林郑梁宋唐邓冯韩曹彭蔡潘田袁蒋魏吕丁沈姚卢傅姜崔谭廖汪邱贾";
    const AFTER: &str = "是在和与跟说叫从负来曾现刚带管住也、";
    const NO_NAME: &str = "一二三四五六日末天期朝代年会报围边色金河";
    let mut chars = text.char_indices();
    chars
        .next()
        .filter(|(_, family)| FAMILY.contains(*family))?;
    chars
        .next()
        .filter(|(_, given)| is_ideograph(*given) && !NO_NAME.contains(*given))?;
    let (end, _) = chars.take(2).find(|(_, after)| AFTER.contains(*after))?;
    Some((Symbol::NAME, end))
}

fn length_while(text: &str, holds: impl Fn(char) -> bool) -> usize {
    text.find(|c| !holds(c)).unwrap_or(text.len())
}

fn separates(c: char) -> bool {
    c.is_whitespace() && c != '\n'
        || matches!(c, '-' | '_' | '\'' | '’' | '"' | '“' | '”' | '`' | '*')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let show = |symbol| match symbol {
            Symbol::Word(word) => word.to_owned(),
            Symbol::Sign(sign) => sign.to_string(),
        };
        assert_eq!(
            symbols(text).map(show).collect::<Vec<_>>().join("|"),
            expected
        );
    }

    #[test]
    fn words_are_whole_and_ideographs_single() {
        check("don't use two-space tabs", "don|t|use|two|space|tabs");
        check("用rust写，很快", "用|rust|写|.|很|快");
        check("café k8s", "café|k8s");
    }

    #[test]
    fn numbers_times_and_dates_are_classes() {
        check(
            "3pm 10:30 1.5 2026-05-07 2027",
            "5|pm|12:00|5|2026-01-01|2026",
        );
        check("127.0.0.1:8080 1648", "5|5");
        check("12月5日 十二月五日 三点", "5|月|5|日|5|月|5|日|5|点");
        check("十分 一直 一点", "十|分|一|直|一|点");
    }

    #[test]
    fn days_of_the_week_are_a_class_in_both_languages() {
        check("friday 周五 星期天 fridays", "monday|monday|monday|mondays");
        check("一周一次", "一|周|一|次");
        check("周报", "周|报");
    }

    #[test]
    fn a_chinese_name_opens_a_sentence() {
        check(
            "张伟是同事。陈小明负责",
            "zhangsan|是|同|事|.|zhangsan|负|责",
        );
        check("周末在家", "周|末|在|家");
        check("找张伟是对的", "找|张|伟|是|对|的");
    }
}
