//! Is 16:10 a time of day? What stands around bare digits tells, and this file is where it is asked.
//!
//! Ratios, scores, verses, ports, running times and log lines look like clocks. A doubted clock is
//! still believed beside a day or behind "at".

use super::cursor::digit_value;
use super::reading::Stands;

/// How far around the digits a telling word may stand, in bytes.
const WINDOW: usize = 32;

/// Words that speak of something else wherever they stand nearby.
const NEARBY: [&str; 10] = [
    "aspect",
    "odds",
    "proportion",
    "ratio",
    "ratios",
    "resolution",
    "score",
    "scored",
    "scores",
    "widescreen",
];

const NEARBY_IN_CHINESE: [&str; 15] = [
    "比例",
    "比分",
    "宽高比",
    "纵横比",
    "比值",
    "屏",
    "分辨率",
    "显示器",
    "获胜",
    "战胜",
    "大胜",
    "险胜",
    "端口",
    "时长",
    "用时",
];

const NEARBY_RATIOS: [&str; 4] = ["16:9", "21:9", "4:3", "3:2"];

/// Words that do so right before the digits.
const BEFORE: [&str; 35] = [
    "acts",
    "beat",
    "chapter",
    "column",
    "duration",
    "exodus",
    "for",
    "genesis",
    "in",
    "isaiah",
    "lasted",
    "lead",
    "length",
    "line",
    "lines",
    "localhost",
    "lost",
    "of",
    "over",
    "pace",
    "port",
    "ports",
    "psalm",
    "psalms",
    "romans",
    "runtime",
    "scale",
    "takes",
    "than",
    "took",
    "under",
    "verse",
    "version",
    "vs",
    "won",
];

/// Words that do so right behind the digits.
const BEHIND: [&str; 16] = [
    "defeat", "display", "displays", "format", "lead", "loss", "minutes", "mix", "monitor",
    "monitors", "scale", "screen", "screens", "split", "victory", "win",
];

/// How much is needed before hands such as 9:30 are believed.
pub(super) fn stands_of_hands(before: &str, hands: &str, behind: &str) -> Stands {
    let (before, behind) = (last_of_line(before), first_of_line(behind));
    let has_seconds = hands
        .chars()
        .filter(|found| matches!(found, ':' | '：'))
        .count()
        > 1;
    let is_like_verse = hour_has_one_digit(hands) && follows_word(before);
    let is_doubted = has_seconds
        || is_like_verse
        || follows_flag(before)
        || is_among(&BEFORE, last_word(before))
        || is_among(&BEHIND, first_word(behind))
        || tells_otherwise(before)
        || tells_otherwise(behind);
    if is_doubted {
        Stands::Led
    } else {
        Stands::Alone
    }
}

fn is_among(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn tells_otherwise(near: &str) -> bool {
    near.split(|found: char| !found.is_ascii_alphabetic())
        .any(|word| is_among(&NEARBY, word))
        || NEARBY_RATIOS.iter().any(|ratio| near.contains(ratio))
        || (!near.is_ascii() && NEARBY_IN_CHINESE.iter().any(|word| near.contains(word)))
}

/// The digits of "-p 22:22" are for a program.
fn follows_flag(near: &str) -> bool {
    let last = near.trim_end().rsplit(' ').next().unwrap_or_default();
    last.len() > 1 && last.starts_with('-')
}

/// "John 3:16", "here:3:16" and "Standup 9:30" look alike, so such digits alone are not enough.
fn follows_word(near: &str) -> bool {
    near.ends_with(':')
        || near
            .trim_end()
            .chars()
            .next_back()
            .is_some_and(|found| found.is_ascii_alphanumeric())
}

fn hour_has_one_digit(hands: &str) -> bool {
    hands
        .chars()
        .nth(1)
        .is_some_and(|second| digit_value(second).is_none())
}

fn last_word(near: &str) -> &str {
    near.trim_end()
        .rsplit(|found: char| !found.is_ascii_alphabetic())
        .next()
        .unwrap_or_default()
}

fn first_word(near: &str) -> &str {
    near.trim_start()
        .split(|found: char| !found.is_ascii_alphabetic())
        .next()
        .unwrap_or_default()
}

/// The end of what stands before, within the line, without a word that is cut.
fn last_of_line(before: &str) -> &str {
    let mut start = before.len().saturating_sub(WINDOW);
    while start > 0 && !before.is_char_boundary(start) {
        start += 1;
    }
    let near = before.get(start..).unwrap_or_default();
    let near = near.rsplit('\n').next().unwrap_or_default();
    let is_cut = start > 0 && near.len() == before.len() - start;
    if is_cut {
        near.trim_start_matches(|found: char| found.is_ascii_alphabetic())
    } else {
        near
    }
}

fn first_of_line(behind: &str) -> &str {
    let mut end = behind.len().min(WINDOW);
    while !behind.is_char_boundary(end) {
        end -= 1;
    }
    let near = behind.get(..end).unwrap_or_default();
    let near = near.split('\n').next().unwrap_or_default();
    let is_cut = end < behind.len() && near.len() == end;
    if is_cut {
        near.trim_end_matches(|found: char| found.is_ascii_alphabetic())
    } else {
        near
    }
}
