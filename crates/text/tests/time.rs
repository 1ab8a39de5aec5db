//! Which times a text speaks of: said on Thursday, 7 May 2026, at 10:00 UTC.
//!
//! That is six in the morning in New York and six in the evening in Shanghai. In the tables, a
//! result without a time of day stands for nine o'clock and `has_clock: false`.

use jiff::{Timestamp, tz::TimeZone};
use memory_text::time::{Moment, find_moments};
use proptest::prelude::*;

const SAID_AT: &str = "2026-05-07T10:00:00Z";

fn said_at() -> Timestamp {
    SAID_AT.parse().expect("a value of this test")
}

fn new_york() -> TimeZone {
    TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").expect("a value of this test")
}

fn shanghai() -> TimeZone {
    TimeZone::posix("CST-8").expect("a value of this test")
}

fn shown(moment: &Moment, zone: &TimeZone) -> String {
    let local = zone.to_datetime(moment.at);
    let is_nine = local.strftime("%H:%M:%S").to_string() == "09:00:00";
    match (moment.has_clock, is_nine) {
        (false, true) => local.strftime("%Y-%m-%d").to_string(),
        (true, _) if local.second() == 0 => local.strftime("%Y-%m-%d %H:%M").to_string(),
        _ => local.strftime("%Y-%m-%d %H:%M:%S").to_string(),
    }
}

/// Checks what is found in a text whose phrases stand between « and »; without marks, all of it is one.
fn flaw(marked: &str, zone: &TimeZone, expected: &[&str]) -> Option<String> {
    let text = marked.replace(['«', '»'], "");
    let moments = find_moments(&text, said_at(), zone);
    let found: Vec<_> = moments.iter().map(|moment| shown(moment, zone)).collect();
    let mut shown_places = String::new();
    let mut copied = 0;
    for moment in &moments {
        shown_places += &text[copied..moment.place.start];
        shown_places += &format!("«{}»", &text[moment.place.clone()]);
        copied = moment.place.end;
    }
    shown_places += &text[copied..];
    let wanted = if marked.contains('«') {
        marked.to_owned()
    } else {
        format!("«{text}»")
    };
    let is_right = found == expected && (expected.is_empty() || shown_places == wanted);
    (!is_right).then(|| {
        format!("{marked}\n    wanted {expected:?}\n    found  {found:?} in {shown_places}")
    })
}

#[track_caller]
fn check(zone: &TimeZone, table: &[(&str, &str)]) {
    let flaws: Vec<_> = table
        .iter()
        .filter_map(|(text, at)| flaw(text, zone, &[at]))
        .collect();
    assert!(
        flaws.is_empty(),
        "{} of {}:\n{}",
        flaws.len(),
        table.len(),
        flaws.join("\n")
    );
}

#[track_caller]
fn check_nothing(texts: &[&str]) {
    let zones = [new_york(), shanghai()];
    let flaws: Vec<_> = texts
        .iter()
        .flat_map(|text| zones.iter().filter_map(|zone| flaw(text, zone, &[])))
        .collect();
    assert!(
        flaws.is_empty(),
        "{} of {}:\n{}",
        flaws.len(),
        texts.len(),
        flaws.join("\n")
    );
}

#[track_caller]
fn check_all(zone: &TimeZone, text: &str, expected: &[&str]) {
    assert_eq!(flaw(text, zone, expected), None);
}

#[test]
fn english_days_are_understood() {
    check(
        &new_york(),
        &[
            ("today", "2026-05-07"),
            ("tomorrow", "2026-05-08"),
            ("Tomorrow", "2026-05-08"),
            ("TOMORROW", "2026-05-08"),
            ("tmrw", "2026-05-08"),
            ("the day after tomorrow", "2026-05-09"),
            ("day after tomorrow", "2026-05-09"),
            ("Monday", "2026-05-11"),
            ("on Friday", "2026-05-08"),
            ("by Friday", "2026-05-08"),
            ("before Saturday", "2026-05-09"),
            ("until Sunday", "2026-05-10"),
            ("Thursday", "2026-05-14"),
            ("on thursday", "2026-05-14"),
            ("this Friday", "2026-05-08"),
            ("this Sunday", "2026-05-10"),
            ("next Monday", "2026-05-11"),
            ("next Friday", "2026-05-15"),
            ("next Thursday", "2026-05-14"),
            ("by next Wednesday", "2026-05-13"),
            ("this coming Monday", "2026-05-11"),
            ("Mon", "2026-05-11"),
            ("on Tue", "2026-05-12"),
            ("next Thurs", "2026-05-14"),
            ("by fri", "2026-05-08"),
            ("on Sat", "2026-05-09"),
            ("next sun", "2026-05-17"),
            ("Friday next week", "2026-05-15"),
            ("next week on Tuesday", "2026-05-12"),
            ("Monday of next week", "2026-05-11"),
            ("next week", "2026-05-11"),
            ("next month", "2026-06-01"),
            ("next month on the 5th", "2026-06-05"),
            ("next year", "2027-01-01"),
            ("this weekend", "2026-05-09"),
            ("next weekend", "2026-05-16"),
            ("end of month", "2026-05-31"),
            ("end of the month", "2026-05-31"),
            ("by the end of the month", "2026-05-31"),
            ("at the end of next month", "2026-06-30"),
            ("the last day of the month", "2026-05-31"),
            ("end of June", "2026-06-30"),
            ("end of February 2028", "2028-02-29"),
            ("end of the week", "2026-05-08"),
            ("end of next week", "2026-05-15"),
            ("end of the year", "2026-12-31"),
            ("the beginning of next month", "2026-06-01"),
        ],
    );
}

#[test]
fn english_dates_are_understood() {
    check(
        &new_york(),
        &[
            ("on the 15th", "2026-05-15"),
            ("by the 7th", "2026-05-07"),
            ("on the 6th", "2026-06-06"),
            ("on the 31st", "2026-05-31"),
            ("the 1st of next month", "2026-06-01"),
            ("on the first of June", "2026-06-01"),
            ("May 7th", "2026-05-07"),
            ("May 7", "2026-05-07"),
            ("May 6", "2027-05-06"),
            ("on June 5", "2026-06-05"),
            ("June 5th", "2026-06-05"),
            ("june 5", "2026-06-05"),
            ("on may 8", "2026-05-08"),
            ("may 8th", "2026-05-08"),
            ("7 May", "2026-05-07"),
            ("5 July", "2026-07-05"),
            ("on 5 July 2026", "2026-07-05"),
            ("7th of May 2026", "2026-05-07"),
            ("the 7th of July", "2026-07-07"),
            ("on December 31st", "2026-12-31"),
            ("May 9, 2026", "2026-05-09"),
            ("May 9 2026", "2026-05-09"),
            ("Jan 5", "2027-01-05"),
            ("Sept. 3", "2026-09-03"),
            ("by Dec 24", "2026-12-24"),
            ("Feb 29", "2028-02-29"),
            ("March 3 next year", "2027-03-03"),
            ("June 5-7", "2026-06-05"),
            ("5/8/2026", "2026-05-08"),
            ("on 12/24/2026", "2026-12-24"),
            ("24/12/2026", "2026-12-24"),
            ("2026-12-24", "2026-12-24"),
            ("2026-6-1", "2026-06-01"),
            ("2026/6/1", "2026-06-01"),
            ("by 2026-05-07", "2026-05-07"),
            ("Friday, May 8", "2026-05-08"),
            ("Friday the 15th", "2026-05-15"),
            ("on Friday, 12 June 2026", "2026-06-12"),
            ("2026-06-05 (Fri)", "2026-06-05"),
            ("tomorrow (Friday)", "2026-05-08"),
        ],
    );
}

#[test]
fn english_clocks_are_understood() {
    check(
        &new_york(),
        &[
            ("at 3pm", "2026-05-07 15:00"),
            ("3pm", "2026-05-07 15:00"),
            ("3 PM", "2026-05-07 15:00"),
            ("3 p.m.", "2026-05-07 15:00"),
            ("at 3:30 pm", "2026-05-07 15:30"),
            ("3.30pm", "2026-05-07 15:30"),
            ("5am", "2026-05-08 05:00"),
            ("12am", "2026-05-08 00:00"),
            ("12pm", "2026-05-07 12:00"),
            ("15:30", "2026-05-07 15:30"),
            ("at 15:30", "2026-05-07 15:30"),
            ("05:45", "2026-05-08 05:45"),
            ("at 9:15", "2026-05-07 09:15"),
            ("at 9:15:30", "2026-05-07 09:15:30"),
            ("at noon", "2026-05-07 12:00"),
            ("by midnight", "2026-05-08 00:00"),
            ("at three o'clock", "2026-05-07 15:00"),
            ("10 o'clock", "2026-05-07 10:00"),
            ("half past three", "2026-05-07 15:30"),
            ("at a quarter to five", "2026-05-07 16:45"),
            ("nine am", "2026-05-07 09:00"),
            ("8 in the evening", "2026-05-07 20:00"),
            ("10:00-11:30", "2026-05-07 10:00"),
            ("from 2 to 3pm", "2026-05-07 14:00"),
            ("2-3pm", "2026-05-07 14:00"),
            ("by EOD", "2026-05-07 18:00"),
            ("by end of day", "2026-05-07 18:00"),
            ("15:30 UTC", "2026-05-07 11:30"),
        ],
    );
}

#[test]
fn english_days_and_clocks_are_one_moment() {
    check(
        &new_york(),
        &[
            ("tomorrow 9am", "2026-05-08 09:00"),
            ("tomorrow at 9am", "2026-05-08 09:00"),
            ("tomorrow at 10:15", "2026-05-08 10:15"),
            ("tomorrow at noon", "2026-05-08 12:00"),
            ("noon tomorrow", "2026-05-08 12:00"),
            ("at 9am tomorrow", "2026-05-08 09:00"),
            ("at 9 tomorrow morning", "2026-05-08 09:00"),
            ("tomorrow @ 3pm", "2026-05-08 15:00"),
            ("tomorrow, 3pm", "2026-05-08 15:00"),
            ("tomorrow at 3", "2026-05-08 15:00"),
            ("tomorrow at nine", "2026-05-08 09:00"),
            ("tomorrow morning", "2026-05-08 09:00"),
            ("tomorrow afternoon", "2026-05-08 15:00"),
            ("tomorrow evening", "2026-05-08 19:00"),
            ("tomorrow night", "2026-05-08 20:00"),
            ("tomorrow morning at 8", "2026-05-08 08:00"),
            ("tomorrow evening at 7", "2026-05-08 19:00"),
            ("tomorrow in the morning", "2026-05-08 09:00"),
            ("this afternoon", "2026-05-07 15:00"),
            ("this evening at 6:30", "2026-05-07 18:30"),
            ("tonight", "2026-05-07 20:00"),
            ("tonight at 8pm", "2026-05-07 20:00"),
            ("tonight at 8", "2026-05-07 20:00"),
            ("tonight at 1", "2026-05-08 01:00"),
            ("tonight at midnight", "2026-05-08 00:00"),
            ("today at 17:00", "2026-05-07 17:00"),
            ("today at midnight", "2026-05-08 00:00"),
            ("Monday at 10", "2026-05-11 10:00"),
            ("at 10 on Monday", "2026-05-11 10:00"),
            ("next Monday at 9:30am", "2026-05-11 09:30"),
            ("by Friday noon", "2026-05-08 12:00"),
            ("Friday at 5 in the afternoon", "2026-05-08 17:00"),
            ("Fri 3pm", "2026-05-08 15:00"),
            ("Tue. at 5pm", "2026-05-12 17:00"),
            ("sat 10am", "2026-05-09 10:00"),
            ("on May 7th at 15:30", "2026-05-07 15:30"),
            ("May 7, 2026 at 3:30 pm", "2026-05-07 15:30"),
            ("on the 15th at 8am", "2026-05-15 08:00"),
            ("3pm on June 5", "2026-06-05 15:00"),
            ("Friday, May 8 at 14:00", "2026-05-08 14:00"),
            ("the day after tomorrow at 7pm", "2026-05-09 19:00"),
            ("end of the month at 6pm", "2026-05-31 18:00"),
            ("5/8/2026 3:30 PM", "2026-05-08 15:30"),
            ("2026-06-01 14:30", "2026-06-01 14:30"),
            ("on 2026-06-01 at 14:30", "2026-06-01 14:30"),
            ("2026-06-01T14:30", "2026-06-01 14:30"),
            ("2026-06-01T14:30:00Z", "2026-06-01 10:30"),
            ("2026-06-01T14:30:00.123Z", "2026-06-01 10:30"),
            ("2026-06-01T14:30:00+08:00", "2026-06-01 02:30"),
            ("2026-06-01T14:30-0500", "2026-06-01 15:30"),
            ("2026-06-01 14:30 UTC", "2026-06-01 10:30"),
            ("Monday 10:00-11:30", "2026-05-11 10:00"),
            ("tomorrow 下午3点", "2026-05-08 15:00"),
            ("by EOD tomorrow", "2026-05-08 18:00"),
            ("by close of business Friday", "2026-05-08 18:00"),
            ("10am-11am tomorrow", "2026-05-08 10:00"),
            ("between 2 and 3pm on Friday", "2026-05-08 14:00"),
            ("tomorrow (9am)", "2026-05-08 09:00"),
            ("Friday: 10:00", "2026-05-08 10:00"),
            ("2026-05-08 09:00:00 +0800", "2026-05-07 21:00"),
            ("Tomorrow we meet at 3pm", "2026-05-08 15:00"),
            ("on Monday Dr Smith comes at 10:30", "2026-05-11 10:30"),
        ],
    );
}

#[test]
fn english_lengths_are_understood() {
    check(
        &new_york(),
        &[
            ("in 2 hours", "2026-05-07 08:00"),
            ("in two hours", "2026-05-07 08:00"),
            ("in an hour", "2026-05-07 07:00"),
            ("in half an hour", "2026-05-07 06:30"),
            ("in 30 minutes", "2026-05-07 06:30"),
            ("in 45 mins", "2026-05-07 06:45"),
            ("in 1.5 hours", "2026-05-07 07:30"),
            ("in an hour and a half", "2026-05-07 07:30"),
            ("in 1 hour 30 minutes", "2026-05-07 07:30"),
            ("in 1h30m", "2026-05-07 07:30"),
            ("in 2h", "2026-05-07 08:00"),
            ("in twenty-five minutes", "2026-05-07 06:25"),
            ("within 24 hours", "2026-05-08 06:00"),
            ("in 3 days", "2026-05-10"),
            ("in two weeks", "2026-05-21"),
            ("in a couple of days", "2026-05-09"),
            ("in a month", "2026-06-07"),
            ("in 2 years", "2028-05-07"),
            ("in two weeks' time", "2026-05-21"),
            ("in 3 days at 5pm", "2026-05-10 17:00"),
            ("two days from now", "2026-05-09"),
            ("an hour from now", "2026-05-07 07:00"),
            ("a week from today", "2026-05-14"),
            ("a week from Friday", "2026-05-15"),
            ("2 weeks from now", "2026-05-21"),
        ],
    );
}

#[test]
fn chinese_days_are_understood() {
    check(
        &shanghai(),
        &[
            ("明天", "2026-05-08"),
            ("后天", "2026-05-09"),
            ("大后天", "2026-05-10"),
            ("周五", "2026-05-08"),
            ("星期五", "2026-05-08"),
            ("礼拜五", "2026-05-08"),
            ("星期天", "2026-05-10"),
            ("周四", "2026-05-14"),
            ("周五之前", "2026-05-08"),
            ("周五前", "2026-05-08"),
            ("本周五", "2026-05-08"),
            ("这周五", "2026-05-08"),
            ("这个星期天", "2026-05-10"),
            ("下周一", "2026-05-11"),
            ("下周五", "2026-05-15"),
            ("下星期三", "2026-05-13"),
            ("下个礼拜天", "2026-05-17"),
            ("下周周二", "2026-05-12"),
            ("下下周一", "2026-05-18"),
            ("下周", "2026-05-11"),
            ("周末", "2026-05-09"),
            ("下周末", "2026-05-16"),
            ("月底", "2026-05-31"),
            ("月末", "2026-05-31"),
            ("月底前", "2026-05-31"),
            ("本月底", "2026-05-31"),
            ("年底", "2026-12-31"),
            ("下个月", "2026-06-01"),
            ("下个月1号", "2026-06-01"),
            ("下个月十五号", "2026-06-15"),
            ("下月初", "2026-06-01"),
            ("下个月底", "2026-06-30"),
            ("本月15号", "2026-05-15"),
            ("15号之前", "2026-05-15"),
            ("明年", "2027-01-01"),
            ("明年3月1日", "2027-03-01"),
            ("今年年底", "2026-12-31"),
            ("6月5日", "2026-06-05"),
            ("6月5号", "2026-06-05"),
            ("六月五日", "2026-06-05"),
            ("6 月 5 日", "2026-06-05"),
            ("６月５日", "2026-06-05"),
            ("5月6日", "2027-05-06"),
            ("六月底", "2026-06-30"),
            ("6月5日至7日", "2026-06-05"),
            ("6月5-7日", "2026-06-05"),
            ("十二月三十一日", "2026-12-31"),
            ("2026年12月24日", "2026-12-24"),
            ("二〇二六年十二月二十四日", "2026-12-24"),
            ("２０２６年６月１日", "2026-06-01"),
            ("2026年底", "2026-12-31"),
            ("5月8日（周五）", "2026-05-08"),
            ("3天后", "2026-05-10"),
            ("三天后", "2026-05-10"),
            ("两周后", "2026-05-21"),
            ("两个星期后", "2026-05-21"),
            ("一个月后", "2026-06-07"),
            ("半个月后", "2026-05-22"),
            ("半年后", "2026-11-07"),
            ("三天内", "2026-05-10"),
            ("再过两天", "2026-05-09"),
            ("明年五月", "2027-05-01"),
        ],
    );
}

#[test]
fn chinese_clocks_are_understood() {
    check(
        &shanghai(),
        &[
            ("明天上午9点", "2026-05-08 09:00"),
            ("明天下午三点", "2026-05-08 15:00"),
            ("明天下午两点半", "2026-05-08 14:30"),
            ("明天 下午 3 点", "2026-05-08 15:00"),
            ("明天下午", "2026-05-08 15:00"),
            ("后天早上", "2026-05-09 09:00"),
            ("后天下午3点", "2026-05-09 15:00"),
            ("明天早上八点", "2026-05-08 08:00"),
            ("明天上午", "2026-05-08 09:00"),
            ("明天中午", "2026-05-08 12:00"),
            ("明天中午十二点", "2026-05-08 12:00"),
            ("明天中午一点", "2026-05-08 13:00"),
            ("明天傍晚", "2026-05-08 18:00"),
            ("明天晚上", "2026-05-08 20:00"),
            ("明天晚上12点", "2026-05-09 00:00"),
            ("明天凌晨两点", "2026-05-08 02:00"),
            ("明天零点", "2026-05-08 00:00"),
            ("今晚", "2026-05-07 20:00"),
            ("今晚8点", "2026-05-07 20:00"),
            ("今晚八点半", "2026-05-07 20:30"),
            ("今晚12点", "2026-05-08 00:00"),
            ("明早", "2026-05-08 09:00"),
            ("明早8点", "2026-05-08 08:00"),
            ("明晚", "2026-05-08 20:00"),
            ("明晚七点", "2026-05-08 19:00"),
            ("明天 9:00", "2026-05-08 09:00"),
            ("明天9：30", "2026-05-08 09:30"),
            ("明天下午3:30", "2026-05-08 15:30"),
            ("明天３点", "2026-05-08 15:00"),
            ("明天15点30分", "2026-05-08 15:30"),
            ("明天15时", "2026-05-08 15:00"),
            ("明天下班前", "2026-05-08 18:00"),
            ("下周一上午10点", "2026-05-11 10:00"),
            ("下周一的上午", "2026-05-11 09:00"),
            ("周五晚8点", "2026-05-08 20:00"),
            ("周五下午三点前", "2026-05-08 15:00"),
            ("5月8日15:30", "2026-05-08 15:30"),
            ("5月8日 周五 下午3点", "2026-05-08 15:00"),
            ("2026年6月1日14:30", "2026-06-01 14:30"),
            ("2026年6月1日 14时30分", "2026-06-01 14:30"),
            ("15号下午3点", "2026-05-15 15:00"),
            ("下午三点", "2026-05-08 15:00"),
            ("下午三点一刻", "2026-05-08 15:15"),
            ("三点四十五分", "2026-05-08 15:45"),
            ("晚上八点", "2026-05-07 20:00"),
            ("晚上7点10分", "2026-05-07 19:10"),
            ("零点", "2026-05-08 00:00"),
            ("中午十二点", "2026-05-08 12:00"),
            ("凌晨3点", "2026-05-08 03:00"),
            ("上午10点", "2026-05-08 10:00"),
            ("八点半", "2026-05-08 08:30"),
            ("下午3点到5点", "2026-05-08 15:00"),
            ("两小时后", "2026-05-07 20:00"),
            ("2 小时后", "2026-05-07 20:00"),
            ("两个小时以后", "2026-05-07 20:00"),
            ("半小时后", "2026-05-07 18:30"),
            ("半个小时之后", "2026-05-07 18:30"),
            ("30分钟后", "2026-05-07 18:30"),
            ("一刻钟后", "2026-05-07 18:15"),
            ("一个半小时后", "2026-05-07 19:30"),
            ("1.5小时后", "2026-05-07 19:30"),
            ("1小时30分钟后", "2026-05-07 19:30"),
            ("三天后下午两点", "2026-05-10 14:00"),
            ("周三下午2:30-4:00", "2026-05-13 14:30"),
            ("早上 9 点 30 分", "2026-05-08 09:30"),
            ("8日上午", "2026-05-08 09:00"),
            ("5月31日24:00前", "2026-06-01 00:00"),
            ("明天我要在下午三点", "2026-05-08 15:00"),
            ("下周一和小王下午3点", "2026-05-11 15:00"),
        ],
    );
}

#[test]
fn phrases_are_found_where_they_stand() {
    check(
        &new_york(),
        &[
            (
                "Please call Bob «tomorrow at 9am», he waits.",
                "2026-05-08 09:00",
            ),
            ("The report is due «by Friday».", "2026-05-08"),
            ("deadline «2026-07-15 18:00»", "2026-07-15 18:00"),
            ("due:«2026-07-15»", "2026-07-15"),
            ("- [ ] Pay the rent 📅 «2026-06-01»", "2026-06-01"),
            ("(@«2026-06-01 09:30»)", "2026-06-01 09:30"),
            ("see **«next Monday»** for more", "2026-05-11"),
            ("naïve café «tomorrow» — maybe", "2026-05-08"),
            ("Prepare «Friday»'s meeting", "2026-05-08"),
            ("a review of v2.10.3 «in two\nweeks», then", "2026-05-21"),
            (
                "We meet «at 3pm». Tomorrowland is closed.",
                "2026-05-07 15:00",
            ),
            ("Standup «at 9:30» in room 404", "2026-05-07 09:30"),
            ("«9:30» standup", "2026-05-07 09:30"),
            (
                "Remind me «in the morning» to water the plants",
                "2026-05-07 09:00",
            ),
            ("Ship it «on the 15th», not later", "2026-05-15"),
            ("see _«tomorrow»_", "2026-05-08"),
            ("Call John «15:30»", "2026-05-07 15:30"),
            ("Pay the rent «on the 1st of every month»", "2026-06-01"),
            ("Report is due «Friday», no hurry", "2026-05-08"),
            ("Take 2 pills «at 8pm» with water", "2026-05-07 20:00"),
            ("会议在«Friday下午»", "2026-05-08 15:00"),
        ],
    );
    check(
        &shanghai(),
        &[
            ("请«明天下午三点»提醒我打电话", "2026-05-08 15:00"),
            ("截止时间 «2026-07-15 18:00»", "2026-07-15 18:00"),
            ("截止时间：«2026-07-15 18:00»。", "2026-07-15 18:00"),
            ("报告要在«周五之前»交。", "2026-05-08"),
            ("«周五»截止", "2026-05-08"),
            ("会议改到«下周一上午10点»，别忘了", "2026-05-11 10:00"),
            ("他说«明天»来", "2026-05-08"),
            ("«后天»气温下降", "2026-05-09"),
            ("提醒我«下午»开会", "2026-05-08 15:00"),
            ("我们«9:30»开会", "2026-05-08 09:30"),
            ("«三天后»天气会好", "2026-05-10"),
            ("每«周一»开会", "2026-05-11"),
            ("每月«15号»交房租", "2026-05-15"),
            ("«明天»晚一点说", "2026-05-08"),
            ("提交于«2026-05-09前»", "2026-05-09"),
        ],
    );
}

#[test]
fn several_phrases_stand_in_one_text() {
    check_all(
        &new_york(),
        "Call Ann «tomorrow at 9am», Bob «next Monday» and Eve «in 2 hours».\n- rent: «2026-06-01»",
        &[
            "2026-05-08 09:00",
            "2026-05-11",
            "2026-05-07 08:00",
            "2026-06-01",
        ],
    );
    check_all(
        &shanghai(),
        "«明天上午9点»开会，«后天下午3点»体检，«下周一»出差；«两小时后»喝水",
        &[
            "2026-05-08 09:00",
            "2026-05-09 15:00",
            "2026-05-11",
            "2026-05-07 20:00",
        ],
    );
    check_all(
        &new_york(),
        "The report is due «Friday», call Ann «at 9pm»",
        &["2026-05-08", "2026-05-07 21:00"],
    );
    check_all(
        &new_york(),
        "«3pm Monday», «4pm Tuesday»",
        &["2026-05-11 15:00", "2026-05-12 16:00"],
    );
    check_all(
        &new_york(),
        "See you «tomorrow»\n«9:30» standup",
        &["2026-05-08", "2026-05-07 09:30"],
    );
    check_all(
        &shanghai(),
        "«明天»or «tomorrow»",
        &["2026-05-08", "2026-05-08"],
    );
}

#[test]
fn the_past_yields_nothing() {
    check_nothing(&[
        "yesterday",
        "yesterday at 5pm",
        "yesterday evening at 23:30",
        "the day before yesterday",
        "last week",
        "last Monday at 10am",
        "last night at 11pm",
        "this past Friday",
        "two days ago",
        "two days ago at 5pm",
        "3 hours ago",
        "an hour ago",
        "a year ago",
        "since Monday",
        "since 9am",
        "Yesterday we met at 3pm",
        "last Friday the talk at 11pm was great",
        "昨天他下午三点来过",
        "上周五我们晚上8点吃饭",
        "on 2026-05-06",
        "2025-12-24 18:00",
        "2026-05-07T09:59:59Z",
        "May 6, 2026",
        "7th of May 2025 at 23:00",
        "昨天",
        "昨天下午三点",
        "昨晚八点",
        "前天晚上11点",
        "大前天",
        "上周",
        "上周五下午三点",
        "上个月15号",
        "3天前",
        "两小时前",
        "一个月前",
        "去年6月5日",
        "2025年12月24日",
        "这周一",
        "this Monday",
    ]);
}

#[test]
fn what_cannot_be_yields_nothing() {
    check_nothing(&[
        "Feb 30",
        "Feb 30 at 5pm",
        "on 31 June at noon",
        "2026-13-01",
        "2026-02-30 10:00",
        "13/13/2026",
        "25:00",
        "at 25:00",
        "at 12:75",
        "tomorrow at 25:00",
        "at 14am",
        "2月30日",
        "13月1日",
        "明天25点",
        "明天下午三点七十五分",
        "2026年6月31日上午9点",
    ]);
}

#[test]
fn other_numbers_are_no_times() {
    check_nothing(&[
        "16:9",
        "3:2",
        "1/2",
        "5/7",
        "2.10.3",
        "12.50",
        "555-0199",
        "404",
        "a 16:10 monitor",
        "an aspect ratio of 16:10",
        "The ratio is 10:15",
        "use 16:10 instead of 16:9",
        "won 21:15 in the third set",
        "the score was 12:10",
        "Final score: 10:12",
        "John 3:16 and Psalm 23:10",
        "finished the race in 24:30",
        "The video took 12:45",
        "error at src/main.rs:12:30",
        "line 12:30",
        "the value is used here:3:23",
        "docker run -p 22:22",
        "ports 10:22",
        "192.168.10.15",
        "fe80::1:10:22",
        "00:1a:2b:10:15:30",
        "version 2026.5.9",
        "v2026-06-01",
        "ISO week 2026-W22",
        "2026-22",
        "it costs $12.50 or 12,50 €",
        "call +1-555-0199 or 020 7946 0958",
        "commit 3f9am1c and 2026a06b01",
        "https://example.com/2026-12-24/at-3pm?next=2026-12-24",
        "see www.example.com/2026-12-24",
        "open `2026-12-24 10:00` in the editor",
        "the file 2026-12-24.md",
        "notes/2026-12-24",
        "logs/2026/12/24/x.log",
        "2026-12-24-meeting.md",
        "12:30:45 INFO started",
        "```\ntomorrow at 9am\n```\n",
        "~~~\n2026-12-24\n~~~",
        "mail me at tomorrow@example.com",
        "today() and date.tomorrow()",
        "order 20261224 of 2026",
        "50% in May and 7.5% in June",
        "比例是16:10",
        "以21:15获胜",
        "比分12:10",
        "房间404，电话555-0199",
    ]);
}

#[test]
fn other_words_are_no_times() {
    check_nothing(&[
        "",
        "The quick brown fox jumps over the lazy dog.",
        "You may 7 times out of ten be right",
        "they march 10 miles",
        "The sun sat low",
        "We sat down in the sun",
        "Mondays are hard",
        "open Mon-Fri",
        "open Monday to Friday",
        "on the 5th floor",
        "on the 2nd try",
        "He reads in the morning",
        "Good morning, good night!",
        "a midnight snack",
        "At the end of the day it does not matter",
        "twice in two weeks",
        "in 2 hours of work",
        "the build finished in 30 seconds",
        "at 10 people per table",
        "in May and in June",
        "next time, next door, next to it",
        "this is the last one in a row",
        "one by one, two by two",
        "at first, on second thought",
        "a day, a week, a month",
        "half of the users, a quarter of the cost",
        "Three days later he left",
        "weekend warriors",
        "我有一点不明白",
        "有两点要注意",
        "以下3点建议",
        "第三点最重要",
        "圆周率是三点一四",
        "增长了三点五倍",
        "每周一次",
        "每周三次训练",
        "一周五天",
        "两周一次的会",
        "周一至周五营业",
        "然后天气变好了",
        "这说明天气很好",
        "早上好，晚上好",
        "他喜欢在晚上看书",
        "15号楼和3号线",
        "下周期再说",
        "周末愉快",
        "几十天后",
        "第三天后",
        "超过30分钟",
        "经过3天的努力",
        "三四天后",
        "明明知道上下文",
        "这个月很忙",
        "本周很忙",
        "今年很忙",
        "大家上午好",
        "零点五",
    ]);
}

#[test]
fn a_day_alone_is_dropped_when_its_morning_is_over() {
    let zone = shanghai();
    assert_eq!(find_moments("今天", said_at(), &zone), []);
    assert_eq!(find_moments("finish it today", said_at(), &zone), []);
    check(
        &zone,
        &[
            ("today at 7pm", "2026-05-07 19:00"),
            ("5月7日19:30", "2026-05-07 19:30"),
        ],
    );
}

#[test]
fn a_clock_that_the_summer_time_skips_or_repeats_is_resolved() {
    let zone = new_york();
    let at = |text: &str| find_moments(text, said_at(), &zone)[0].at.to_string();
    assert_eq!(at("2027-03-14 02:30"), "2027-03-14T07:30:00Z");
    assert_eq!(at("2026-11-01 01:30"), "2026-11-01T05:30:00Z");
}

#[test]
fn the_week_and_the_month_turn_where_they_should() {
    let zone = TimeZone::UTC;
    let at = |text: &str, said_at: &str| {
        let moments = find_moments(text, said_at.parse().unwrap(), &zone);
        moments
            .first()
            .map(|moment| moment.at.strftime("%Y-%m-%d").to_string())
    };
    let sunday = "2026-05-10T10:00:00Z";
    assert_eq!(at("next Monday", sunday).as_deref(), Some("2026-05-11"));
    assert_eq!(at("下周日", sunday).as_deref(), Some("2026-05-17"));
    assert_eq!(at("周日", sunday).as_deref(), Some("2026-05-17"));
    assert_eq!(
        at("this weekend", "2026-05-09T10:00:00Z").as_deref(),
        Some("2026-05-10")
    );
    assert_eq!(
        at("in a month", "2026-01-31T10:00:00Z").as_deref(),
        Some("2026-02-28")
    );
    assert_eq!(
        at("on the 31st", "2026-06-01T10:00:00Z").as_deref(),
        Some("2026-07-31")
    );
    assert_eq!(
        at("Jan 2", "2026-12-31T10:00:00Z").as_deref(),
        Some("2027-01-02")
    );
}

#[test]
fn the_ends_of_time_are_no_trouble() {
    let zone = new_york();
    let text = "tomorrow, next year, in 9999 years, 9999年后, next Monday at 23:59, end of month, on the 31st, 下下周一";
    for said_at in [Timestamp::MIN, Timestamp::MAX, Timestamp::UNIX_EPOCH] {
        let _ = find_moments(text, said_at, &zone);
    }
}

const PIECES: [&str; 74] = [
    "tomorrow",
    "at",
    "on",
    "the",
    "end",
    "of",
    "month",
    "next",
    "last",
    "Monday",
    "May",
    "7th",
    "15:30",
    "2026-06-01",
    "T14:30",
    "Z",
    "+08:00",
    "in",
    "two",
    "hours",
    "half",
    "an",
    "a",
    "noon",
    "midnight",
    "tonight",
    "3",
    "31",
    "pm",
    "o'clock",
    "99",
    "9999",
    "99999999999999999999",
    " ",
    " ",
    " ",
    "\n",
    ",",
    ".",
    ":",
    "-",
    "/",
    "(",
    ")",
    "`",
    "```",
    "~~~",
    "://",
    "明天",
    "下",
    "周",
    "一",
    "五",
    "月",
    "底",
    "号",
    "点",
    "半",
    "三",
    "十",
    "百",
    "零",
    "年",
    "后",
    "前",
    "小时",
    "个",
    "分",
    "下午",
    "晚",
    "过",
    "３",
    "é",
    "🙂",
];

fn check_promises(text: &str) -> Result<(), TestCaseError> {
    let said_at = said_at();
    let mut end = 0;
    for moment in find_moments(text, said_at, &new_york()) {
        prop_assert!(moment.place.start >= end && moment.place.start < moment.place.end);
        prop_assert!(
            text.is_char_boundary(moment.place.start) && text.is_char_boundary(moment.place.end)
        );
        prop_assert!(moment.at > said_at);
        end = moment.place.end;
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_keeps_the_promises(text in any::<String>()) {
        check_promises(&text)?;
    }

    #[test]
    fn any_mix_of_time_words_keeps_the_promises(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..24),
    ) {
        check_promises(&pieces.concat())?;
    }
}
