//! What is noticed across notes and what is not, in both languages.

use memory_core::{Timestamp, parse_instant};

use super::*;

fn day(number: usize) -> Timestamp {
    parse_instant(&format!("2026-01-{:02}T10:00:00Z", number + 1)).unwrap()
}

/// Ponders on contents of one category, the oldest first; their ids are `note-0`, `note-1`, ….
fn ponder_on(category: Category, contents: &[&str]) -> Vec<Insight> {
    let ids: Vec<NoteId> = (0..contents.len())
        .map(|at| NoteId::parse(&format!("note-{at}")).unwrap())
        .collect();
    let thoughts: Vec<Thought<'_>> = contents
        .iter()
        .enumerate()
        .map(|(at, content)| Thought {
            id: &ids[at],
            category,
            content,
            created_at: day(at),
            links: &[],
        })
        .collect();
    ponder(&thoughts)
}

#[track_caller]
fn check_conflict(older: &str, newer: &str, expected: Option<&str>) {
    let insights = ponder_on(Category::Decisions, &[older, newer]);
    let found = insights.iter().find_map(|insight| match insight {
        Insight::Conflict { about, .. } => Some(about.as_str()),
        _ => None,
    });
    assert_eq!(found, expected, "{older} / {newer}");
}

#[track_caller]
fn check_changed(older: &str, newer: &str, expected: Option<&str>) {
    let insights = ponder_on(Category::Preferences, &[older, newer]);
    let found = insights.iter().find_map(|insight| match insight {
        Insight::Changed { about, .. } => Some(about.as_str()),
        _ => None,
    });
    assert_eq!(found, expected, "{older} / {newer}");
}

#[test]
fn english_decisions_that_disagree_are_noticed() {
    check_conflict(
        "We decided to use PostgreSQL",
        "We decided not to use PostgreSQL, MySQL instead",
        Some("PostgreSQL"),
    );
    check_conflict(
        "We decided to use PostgreSQL",
        "We decided to use MySQL",
        Some("the database"),
    );
    check_conflict(
        "Use Kafka for the billing events",
        "We won't use Kafka",
        Some("Kafka"),
    );
    check_conflict(
        "Decision: use REST.",
        "We decided to go with GraphQL because of mobile.",
        Some("the API"),
    );
    check_conflict(
        "We chose Terraform for deployment",
        "We picked Pulumi for deployment",
        Some("deployment"),
    );
    check_conflict(
        "We decided to adopt Bazel",
        "We dropped Bazel after a month",
        Some("Bazel"),
    );
    check_conflict(
        "We decided against using Redis",
        "We will use Redis as the cache",
        Some("Redis"),
    );
    check_conflict(
        "Decided to drop IE11 support",
        "We decided to keep IE11 support",
        Some("IE11 support"),
    );
    check_conflict(
        "Use npm instead of yarn",
        "We switched to yarn",
        Some("yarn"),
    );
}

#[test]
fn english_decisions_that_go_together_are_left_alone() {
    check_conflict(
        "We decided to use PostgreSQL",
        "We decided to use PostgreSQL",
        None,
    );
    check_conflict(
        "We decided to use PostgreSQL",
        "We decided to use Kafka",
        None,
    );
    check_conflict("Use Go for the server", "Use Python for the scripts", None);
    check_conflict("Use tabs in Makefiles", "Use spaces in Python", None);
    check_conflict(
        "We decided not to use MongoDB",
        "We decided to use PostgreSQL",
        None,
    );
    check_conflict(
        "Use PostgreSQL over MySQL",
        "We decided not to use MySQL",
        None,
    );
    check_conflict(
        "The backend decided to use tabs",
        "The frontend decided to use spaces",
        None,
    );
}

#[test]
fn chinese_decisions_that_disagree_are_noticed() {
    check_conflict("决定用PostgreSQL", "决定不用PostgreSQL", Some("PostgreSQL"));
    check_conflict(
        "我们决定使用 Kafka",
        "我们决定不再使用Kafka，改用RabbitMQ",
        Some("Kafka"),
    );
    check_conflict(
        "决定采用微服务架构",
        "决定放弃微服务架构",
        Some("微服务架构"),
    );
    check_conflict("数据库用MySQL", "数据库改用PostgreSQL", Some("数据库"));
    check_conflict("决定用Vue做前端", "决定用React做前端", Some("前端"));
}

#[test]
fn chinese_decisions_that_go_together_are_left_alone() {
    check_conflict("决定用PostgreSQL", "决定用PostgreSQL", None);
    check_conflict("决定用PostgreSQL", "决定用Kafka", None);
    check_conflict("后端用Go", "脚本用Python", None);
    check_conflict("用户费用由公司承担", "用户费用不由公司承担", None);
}

#[test]
fn english_preferences_that_changed_are_noticed() {
    check_changed(
        "The user prefers tabs",
        "The user prefers spaces for indentation",
        Some("indentation"),
    );
    check_changed(
        "User prefers dark mode",
        "User prefers light mode",
        Some("light and dark"),
    );
    check_changed(
        "User likes coffee",
        "User no longer likes coffee",
        Some("coffee"),
    );
    check_changed("I love meetings", "I hate meetings", Some("meetings"));
    check_changed(
        "His favourite colour is blue",
        "His favorite color is green",
        Some("color"),
    );
    check_changed(
        "User prefers short answers",
        "User prefers detailed answers",
        Some("length"),
    );
    check_changed(
        "User prefers Sublime for editing",
        "User switched to Zed for editing",
        Some("editing"),
    );
    check_changed(
        "User prefers replies in Chinese",
        "User prefers replies in English",
        Some("the language of answers"),
    );
    check_changed(
        "User dislikes using tabs",
        "User likes using tabs",
        Some("tabs"),
    );
    check_changed(
        "User prefers Vim",
        "User prefers Emacs over Vim",
        Some("the editor"),
    );
}

#[test]
fn english_preferences_that_go_together_are_left_alone() {
    check_changed(
        "User prefers dark mode",
        "The user prefers the dark theme",
        None,
    );
    check_changed("Alice prefers tabs", "Bob prefers spaces", None);
    check_changed("User likes tea", "User likes coffee", None);
    check_changed(
        "User prefers tabs in Go",
        "User prefers spaces in Python",
        None,
    );
    check_changed("User likes Rust", "User likes hiking", None);
    check_changed(
        "User prefers dark mode in the office",
        "User prefers tea in the office",
        None,
    );
    check_changed(
        "User uses Firefox for work",
        "User uses Chrome for testing",
        None,
    );
    check_changed("User used to prefer tabs", "User prefers spaces", None);
    check_changed("User dislikes tabs", "User prefers spaces", None);
}

#[test]
fn chinese_preferences_that_changed_are_noticed() {
    check_changed("用户喜欢深色", "用户改用浅色", Some("light and dark"));
    check_changed(
        "用户喜欢深色模式",
        "用户现在更喜欢浅色主题",
        Some("light and dark"),
    );
    check_changed("用户喜欢喝咖啡", "用户不再喜欢咖啡", Some("咖啡"));
    check_changed("用户偏好空格缩进", "用户讨厌空格缩进", Some("空格缩进"));
    check_changed(
        "用户喜欢用中文回答",
        "用户更喜欢英文回答",
        Some("the language of answers"),
    );
    check_changed("我习惯用Vim", "我改用Emacs", Some("the editor"));
}

#[test]
fn chinese_preferences_that_go_together_are_left_alone() {
    check_changed("用户喜欢深色模式", "用户喜欢深色主题", None);
    check_changed("小明喜欢咖啡", "小红讨厌咖啡", None);
    check_changed("用户喜欢爬山", "用户喜欢游泳", None);
    check_changed("用户喜欢茶", "用户喜欢咖啡", None);
}

#[test]
fn a_decision_in_another_category_counts_if_it_is_announced() {
    let conflicts = |contents: &[&str]| ponder_on(Category::Project, contents).len();
    assert_eq!(
        conflicts(&["We decided to use Bazel", "We decided not to use Bazel"]),
        1
    );
    assert_eq!(
        conflicts(&["Builds use Bazel", "Tests do not use Bazel"]),
        0
    );
}

#[track_caller]
fn check_related(contents: &[&str], expected: &[(usize, usize)]) {
    let pairs: Vec<(String, String)> = ponder_on(Category::Knowledge, contents)
        .iter()
        .map(|insight| (insight.notes().0.to_string(), insight.notes().1.to_string()))
        .collect();
    let expected: Vec<_> = expected
        .iter()
        .map(|(a, b)| (format!("note-{a}"), format!("note-{b}")))
        .collect();
    assert_eq!(pairs, expected, "{contents:?}");
}

#[test]
fn notes_that_share_rare_words_are_related() {
    check_related(
        &[
            "The invoice exporter times out when Stripe webhooks arrive twice",
            "Alice plays the violin on weekends",
            "Stripe webhooks are retried; the invoice exporter must be idempotent",
        ],
        &[(0, 2)],
    );
    check_related(
        &[
            "发票导出服务在高峰期会超时",
            "小明周末拉小提琴",
            "修复了发票导出服务的超时缺陷",
        ],
        &[(0, 2)],
    );
}

#[test]
fn notes_that_share_little_are_not_related() {
    check_related(
        &[
            "User prefers dark mode at work",
            "User prefers green tea at work",
        ],
        &[],
    );
    check_related(
        &["The parser is slow", "The parser is written in Rust"],
        &[],
    );
    check_related(&["用户喜欢喝茶", "用户喜欢跑步"], &[]);
    check_related(&[], &[]);
}

#[test]
fn linked_notes_and_reminders_are_not_suggested() {
    let ids = [
        NoteId::parse("aaaa").unwrap(),
        NoteId::parse("bbbb").unwrap(),
    ];
    let content = "Stripe webhooks break the invoice exporter";
    let thought = |at: usize, links, category| Thought {
        id: &ids[at],
        category,
        content,
        created_at: day(at),
        links,
    };
    let (first, second) = (Category::Knowledge, Category::Lessons);
    assert_eq!(
        ponder(&[thought(0, &[], first), thought(1, &[], second)]).len(),
        1
    );
    assert_eq!(
        ponder(&[thought(0, &[], first), thought(1, &ids[..1], second)]).len(),
        0
    );
    assert_eq!(
        ponder(&[thought(0, &[], first), thought(1, &[], Category::Reminders)]).len(),
        0
    );
}

#[test]
fn a_note_has_few_relations_and_all_notes_have_fifty() {
    let contents: Vec<String> = (0..31)
        .map(|at| {
            format!(
                "Stripe webhooks break exporter {}",
                ["alpha", "beta", "gamma"][at % 3]
            )
        })
        .collect();
    let same: Vec<&str> = contents.iter().take(3).map(String::as_str).collect();
    assert_eq!(ponder_on(Category::Knowledge, &same).len(), 3);
    let distinct: Vec<String> = (0..30)
        .map(|at| format!("zebra{0}x quagga{0}x okapi{0}x", at % 10))
        .collect();
    let distinct: Vec<&str> = distinct.iter().map(String::as_str).collect();
    assert_eq!(ponder_on(Category::Knowledge, &distinct).len(), 30);
}

#[test]
fn the_order_of_thoughts_does_not_matter() {
    let ids: Vec<NoteId> = (0..3)
        .map(|at| NoteId::parse(&format!("note-{at}")).unwrap())
        .collect();
    let contents = [
        "User prefers tabs",
        "User prefers spaces",
        "User prefers tabs",
    ];
    let mut thoughts: Vec<Thought<'_>> = (0..3)
        .map(|at| Thought {
            id: &ids[at],
            category: Category::Preferences,
            content: contents[at],
            created_at: day(at),
            links: &[],
        })
        .collect();
    let forth = ponder(&thoughts);
    thoughts.reverse();
    assert_eq!(forth, ponder(&thoughts));
    let pairs: Vec<_> = forth
        .iter()
        .map(|insight| (insight.notes().0.as_str(), insight.notes().1.as_str()))
        .collect();
    assert_eq!(pairs, [("note-1", "note-2"), ("note-0", "note-1")]);
}

#[test]
fn an_insight_is_a_sentence() {
    let (older, newer) = (
        NoteId::parse("11111111-old").unwrap(),
        NoteId::parse("22222222-new").unwrap(),
    );
    let about = "PostgreSQL".to_owned();
    let conflict = Insight::Conflict {
        older: older.clone(),
        newer: newer.clone(),
        about: about.clone(),
    };
    assert_eq!(
        conflict.to_string(),
        "Decisions 11111111 and 22222222 disagree about PostgreSQL; 22222222 is newer"
    );
    let changed = Insight::Changed {
        older: older.clone(),
        newer: newer.clone(),
        about,
    };
    assert_eq!(
        changed.to_string(),
        "The preference about PostgreSQL changed: 11111111 said one thing, 22222222 now says another"
    );
    let shared = ["Stripe", "webhooks", "invoice"]
        .map(str::to_owned)
        .to_vec();
    let related = Insight::Related {
        first: older,
        second: newer,
        shared,
    };
    assert_eq!(
        related.to_string(),
        "Notes 11111111 and 22222222 may belong together: both speak of Stripe, webhooks and invoice"
    );
}

proptest::proptest! {
    #[test]
    fn any_notes_can_be_pondered_on(
        first in "(We |use|not to |PostgreSQL|prefers |in |, | |决定|用|不|喜欢|深色|做|而不是|İ|’s|\\.|\n|.){0,20}",
        second in "(We |use|not to |PostgreSQL|prefers |instead|over |, | |决定|改用|喜欢|浅色|来|和|.){0,20}",
    ) {
        for category in [Category::Decisions, Category::Preferences, Category::Inbox] {
            ponder_on(category, &[&first, &second]);
        }
    }
}
