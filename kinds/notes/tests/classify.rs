//! The classifier against sentences that a person sorted, and against its own promises.

#![allow(clippy::print_stdout)] // the misses are for a person to read

use memory_notes::Category;
use memory_notes::dream::{Verdict, classify};

#[track_caller]
fn check(content: &str, category: Category) {
    let verdict = classify(content);
    assert_eq!(
        verdict.category, category,
        "{content}: {:?}",
        verdict.because
    );
}

/// How many sentences of a language came out as their label says.
#[derive(Default)]
struct Score {
    right: usize,
    all: usize,
}

/// Checks lines of `category<TAB>sentence`; prints the misses and both scores.
#[track_caller]
fn check_sentences(lines: &str, demanded_percent: usize) {
    let (mut english, mut chinese) = (Score::default(), Score::default());
    for line in lines.lines() {
        let (label, sentence) = line
            .split_once('\t')
            .expect("a tab between label and sentence");
        let label: Category = label.parse().expect("a category");
        let is_chinese = sentence
            .chars()
            .any(|c| matches!(c, '\u{4e00}'..='\u{9fff}'));
        let score = if is_chinese {
            &mut chinese
        } else {
            &mut english
        };
        let Verdict { category, because } = classify(sentence);
        score.all += 1;
        if category == label {
            score.right += 1;
        } else {
            println!("{label} came out as {category}: {sentence} {because:?}");
        }
    }
    let (right, all) = (english.right + chinese.right, english.all + chinese.all);
    println!(
        "{right} of {all}: English {}/{}, Chinese {}/{}",
        english.right, english.all, chinese.right, chinese.all
    );
    assert!(right * 100 >= all * demanded_percent, "{right} of {all}");
}

#[test]
fn the_sentences_the_tables_were_tuned_on_come_out_right() {
    check_sentences(include_str!("data/sentences.tsv"), 90);
}

/// Nothing in the tables was changed for one of these; what fails here is a sentence for the
/// other file only together with a new set of held-out ones.
#[test]
fn sentences_the_tables_never_saw_come_out_right() {
    check_sentences(include_str!("data/held-out.tsv"), 85);
}

#[test]
fn the_examples_of_the_specification_come_out_as_it_says() {
    check("user prefers dark mode", Category::Preferences);
    check("偏好", Category::Preferences);
    check("用户的偏好是深色", Category::Preferences);
    check("learned that the cache must be warmed", Category::Lessons);
    check("教训", Category::Lessons);
    check("这次的教训很深", Category::Lessons);
}

#[test]
fn english_words_match_whole_and_in_any_case() {
    check("DECIDED TO WAIT", Category::Decisions);
    check("We are undecided", Category::Knowledge);
    assert_eq!(classify("unlearned relearned").because, [""; 0]);
    assert_eq!(classify("category").because, [""; 0]);
}

#[test]
fn chinese_words_match_anywhere() {
    check("abc偏好xyz", Category::Preferences);
    check("很多很多教训很多", Category::Lessons);
}

#[test]
fn both_languages_count_in_one_text() {
    check("Lesson 教训: 别在 Friday 上线", Category::Lessons);
    check("用户 prefers 深色", Category::Preferences);
}

#[test]
fn the_words_that_decided_are_told_strongest_first() {
    let verdict = classify("Reviewer suggested a nicer, faster page; it is too slow");
    assert_eq!(verdict.category, Category::Feedback);
    assert_eq!(verdict.because[..2], ["suggest", "reviewer"]);
    assert!(verdict.because.contains(&"too slow"));
}

#[test]
fn a_word_counts_once() {
    let once = classify("deadline");
    assert_eq!(classify("deadline deadlines Deadline"), once);
    check(
        "tomorrow tomorrow tomorrow: we decided",
        Category::Decisions,
    );
}

#[test]
fn what_was_said_on_purpose_wins_a_tie() {
    check("beware, prefers", Category::Lessons);
    check("prefers, deadline", Category::Preferences);
    check("deadline, repo", Category::Date);
}

#[test]
fn a_text_without_a_known_word_is_knowledge() {
    for content in ["", " \n\t", "xyzzy", "???", "🦀🦀", "鑫鑫"] {
        assert_eq!(
            classify(content),
            Verdict {
                category: Category::Knowledge,
                because: Vec::new()
            }
        );
    }
}

#[test]
fn inbox_and_reminders_are_never_a_verdict() {
    for content in [
        "inbox",
        "reminders",
        "put it into the inbox",
        "remind me tomorrow",
        "收件箱",
        "提醒",
    ] {
        let category = classify(content).category;
        assert!(
            !matches!(category, Category::Inbox | Category::Reminders),
            "{content}"
        );
    }
}

/// A sequence of numbers that is the same in every run.
fn numbers(mut seed: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        Some(seed)
    })
}

#[test]
fn odd_text_never_panics() {
    const PIECES: [&str; 24] = [
        "周",
        "一",
        "十二",
        "月",
        "张",
        "伟是",
        "星期",
        "礼拜天",
        "12:",
        "2026-",
        "-01",
        "20",
        "::",
        "'",
        "~",
        "\u{0}",
        "\u{202e}",
        "\u{feff}",
        "🧑‍🚀",
        "İ",
        "ẞ",
        "e\u{301}",
        "𠀀",
        "decided to",
    ];
    for seed in 1..2000 {
        let mut chosen = numbers(seed);
        let length = chosen.next().unwrap_or_default() % 40;
        let text: String = chosen
            .take(length as usize)
            .map(|number| match number % 3 {
                0 => char::from_u32((number >> 8) as u32 % 0x11_0000)
                    .unwrap_or('x')
                    .to_string(),
                _ => PIECES[(number >> 8) as usize % PIECES.len()].to_owned(),
            })
            .collect();
        classify(&text);
    }
}

#[test]
fn a_very_long_text_is_no_trouble() {
    assert_eq!(
        classify(&"prefers 周一 ".repeat(100_000)).because,
        ["prefer"]
    );
    classify(&"一".repeat(200_000));
    classify(&"1-".repeat(200_000));
}
