//! Near duplicates: a table of what must and what must not be taken for the same, and some promises.

use memory_text::similar::{Likeness, near_duplicates};
use proptest::prelude::*;

fn are_alike(first: &str, second: &str) -> bool {
    !near_duplicates(&[first, second]).is_empty()
}

#[track_caller]
fn check_same(pairs: &[(&str, &str)]) {
    let missed: Vec<_> = pairs
        .iter()
        .filter(|(first, second)| !are_alike(first, second))
        .collect();
    assert!(missed.is_empty(), "not taken for the same: {missed:#?}");
}

#[track_caller]
fn check_other(pairs: &[(&str, &str)]) {
    let mixed_up = pairs
        .iter()
        .filter(|(first, second)| are_alike(first, second) || are_alike(second, first));
    let mixed_up: Vec<_> = mixed_up.collect();
    assert!(mixed_up.is_empty(), "taken for the same: {mixed_up:#?}");
    let unread: Vec<_> = pairs
        .iter()
        .filter(|(first, _)| !are_alike(first, first))
        .collect();
    assert!(unread.is_empty(), "not even like themselves: {unread:#?}");
}

#[test]
fn english_texts_that_say_the_same_are_found() {
    check_same(&[
        ("The user prefers dark mode", "user prefers dark mode."),
        ("The user prefers dark mode", "User prefers the dark-mode"),
        ("The user prefers dark mode", "THE USER PREFERS DARK MODE"),
        ("User prefers dark mode", "Users prefer dark mode"),
        ("Don't deploy on Fridays", "Do not deploy on Fridays!"),
        ("You can't use tabs", "You cannot use tabs"),
        ("It's written in Rust", "It is written in Rust"),
        (
            "The user's favourite colour is blue",
            "The user's favorite color is blue",
        ),
        (
            "Optimise queries before release",
            "Optimize queries before release",
        ),
        ("The build was cancelled", "The build was canceled"),
        ("**Always** run `cargo fmt`", "Always run `cargo fmt`."),
        (
            "# Likes\n\n- green tea\n- long walks",
            "Likes green tea, long walks",
        ),
        (
            "Meeting with Alice at 10:30",
            "meeting with  Alice\nat 10:30.",
        ),
        ("Don't use tabs, use spaces", "Use spaces; don't use tabs."),
        (
            "Alice likes tea, Bob hates coffee",
            "Bob hates coffee. Alice likes tea.",
        ),
        (
            "User likes tea. User uses Vim. User has a dog.",
            "User has a dog. User likes tea. User uses Vim.",
        ),
        (
            "Server runs on port 8080",
            "The server runs on port ８０８０",
        ),
        ("He said “never again”", "He said \"never again\""),
        ("Alice is the lead of the team", "Alice is lead of the team"),
        ("The team has three servers", "The team has 3 servers"),
        ("I'm allergic to peanuts", "I am allergic to peanuts"),
        ("User really likes green tea", "User likes green tea"),
        ("Please never push to main", "Never push to main"),
        ("Code is on GitHub", "Code is on Github"),
        (
            "Tests live in tests/suite.rs",
            "The tests live in tests/suite.rs",
        ),
        ("Ask Alice, Bob, and Carol", "Ask Alice, Bob and Carol"),
        (
            "See [the guide](https://a.example/x)",
            "See the guide (https://a.example/x)",
        ),
    ]);
}

#[test]
fn english_texts_that_differ_in_anything_are_kept_apart() {
    check_other(&[
        // Numbers, dates, times, versions.
        ("Server runs on port 8080", "Server runs on port 8081"),
        ("Meeting on 2026-05-07", "Meeting on 2026-05-08"),
        ("Call at 10:30", "Call at 10:35"),
        ("Call at 9 am", "Call at 9 pm"),
        ("Call at 9 am", "Call at 9"),
        ("Upgrade to v1.2.3", "Upgrade to v1.2.4"),
        ("It is -5 degrees", "It is 5 degrees"),
        ("Costs $5", "Costs 5"),
        ("Keep 5% of it", "Keep 5 of it"),
        ("Limit is <5", "Limit is >5"),
        ("User has two dogs", "User has three dogs"),
        ("Point (3, 5)", "Point (5, 3)"),
        ("Result is 10 - 5", "Result is 10 5"),
        ("Timeout is 5 ms", "Timeout is 5 m"),
        // Names, identifiers, addresses, quotations.
        ("Alice leads the team", "Bob leads the team"),
        ("Alice reports to Bob", "Bob reports to Alice"),
        ("Service A depends on B", "Service B depends on A"),
        ("The parser calls the lexer", "The lexer calls the parser"),
        ("I met Williams today", "I met William today"),
        ("Jenkins builds it", "Jenkin builds it"),
        ("We ship to US clients", "We ship to us clients"),
        ("Ask Will about it", "Ask about it"),
        ("Plan A is ready", "The plan is ready"),
        ("option a works", "option works"),
        ("Runs on Windows", "Runs on window"),
        ("Call getUser first", "Call getuser first"),
        ("Call get_user first", "Call get_users first"),
        ("Edit src/main.rs", "Edit src/lib.rs"),
        ("See https://a.example/x", "See https://a.example/y"),
        ("Uses http", "Uses https"),
        ("Ping @bob", "Ping @rob"),
        ("Label is \"Save\"", "Label is \"Safe\""),
        ("Run `cargo test`", "Run `cargo tests`"),
        ("Written in C", "Written in C++"),
        ("Written in C#", "Written in C++"),
        ("Pass --force to it", "Pass --force-with-lease to it"),
        // Negations and flips.
        ("User likes tea", "User doesn't like tea"),
        ("Deploy on Fridays", "Never deploy on Fridays"),
        ("Runs with cache", "Runs without cache"),
        ("No, use tabs", "No use, tabs"),
        ("Stop. Use tabs.", "Stop using tabs."),
        (
            "Don't deploy, Friday is fine",
            "Don't deploy Friday, is fine",
        ),
        ("Use PostgreSQL, not MySQL", "Use MySQL, not PostgreSQL"),
        ("User prefers dark mode", "User prefers light mode"),
        ("Enable the cache", "Disable the cache"),
        ("Allow guests", "Deny guests"),
        ("Run it before the tests", "Run it after the tests"),
        ("More tests", "Less tests"),
        ("He always runs tests", "He sometimes runs tests"),
        ("~~Use tabs~~", "Use tabs"),
        ("- [x] buy milk", "- [ ] buy milk"),
        ("✅ tests", "❌ tests"),
        // Tense, questions, other words, order that says something.
        ("Deploy the service", "Deployed the service"),
        ("Alice is the lead", "Alice was the lead"),
        ("The build is green", "Is the build green?"),
        ("Is the build green", "The build is green"),
        ("User likes tea", "User likes tea and cake"),
        ("User likes tea", "User likes green tea"),
        ("Tea or coffee", "Tea and coffee"),
        (
            "Run the tests, push the branch",
            "Push the branch, run the tests",
        ),
        (
            "Bob is the lead. He likes tea. Jim is new.",
            "Jim is new. He likes tea. Bob is the lead.",
        ),
        (
            "Alice likes tea, hates milk. Bob likes wine.",
            "Alice likes tea. Bob likes wine, hates milk.",
        ),
        ("Fly from London to Paris", "Fly from Paris to London"),
        ("Read the news", "Read the new"),
    ]);
}

#[test]
fn chinese_texts_that_say_the_same_are_found() {
    check_same(&[
        ("用户喜欢深色模式", "用户喜欢深色模式。"),
        ("用户喜欢深色模式", "用户 喜欢 深色 模式"),
        ("用户的偏好是深色模式", "用户偏好是深色模式"),
        ("用户使用Rust写代码", "用户使用 Rust 写代码"),
        ("用户使用Ｒｕｓｔ写代码", "用户使用rust写代码！"),
        (
            "不要在周五部署，要在周四部署",
            "要在周四部署；不要在周五部署。",
        ),
        ("小明喜欢茶，小红讨厌咖啡", "小红讨厌咖啡，小明喜欢茶"),
        ("用户喜欢茶、咖啡", "用户喜欢茶和咖啡"),
        ("会议时间：10：30", "会议时间:10:30"),
        ("端口是８０８０", "端口是 8080"),
        ("**注意**使用空格", "注意使用空格"),
        ("请使用空格缩进", "使用空格缩进"),
        ("用户很喜欢绿茶", "用户喜欢绿茶"),
        ("他说“不行”", "他说「不行」"),
        (
            "# 习惯\n\n- 用户早起\n- 用户跑步",
            "习惯 用户早起，用户跑步",
        ),
        ("我的妈妈住在北京", "我妈妈住在北京"),
        ("数据库用 PostgreSQL", "数据库用postgresql"),
        ("默认的编辑器是Vim", "默认编辑器是 vim"),
    ]);
}

#[test]
fn chinese_texts_that_differ_in_anything_are_kept_apart() {
    check_other(&[
        ("端口是8080", "端口是8081"),
        ("会议在5月7日", "会议在5月8日"),
        ("会议在三点", "会议在四点"),
        ("上午开会", "下午开会"),
        ("张三负责后端", "李四负责后端"),
        ("张三向李四汇报", "李四向张三汇报"),
        ("用户住在北京", "用户住在南京"),
        ("从北京到上海", "从上海到北京"),
        ("用户喜欢茶", "用户不喜欢茶"),
        ("用户喜欢茶", "用户讨厌茶"),
        ("已经部署", "没有部署"),
        ("可以用空格", "禁止用空格"),
        ("别用空格", "用空格"),
        ("不，用空格", "不用空格"),
        ("尚未完成", "已经完成"),
        ("无密码登录", "密码登录"),
        ("打开缓存", "关闭缓存"),
        ("开灯", "关灯"),
        ("发布前测试", "发布后测试"),
        ("喜欢深色模式", "喜欢浅色模式"),
        ("总是跑测试", "有时跑测试"),
        ("更多日志", "更少日志"),
        ("用户喜欢绿茶", "用户喜欢红茶"),
        ("用户喜欢茶", "用户喜欢茶和蛋糕"),
        ("茶或咖啡", "茶和咖啡"),
        ("小王写的代码", "小王写代码"),
        ("这是小明的", "这是小明"),
        ("先测试，再部署", "先部署，再测试"),
        ("去北京开会，去上海出差", "去上海出差，去北京开会"),
        ("用 `foo` 函数", "用 `bar` 函数"),
        ("用户叫“小明”", "用户叫“小红”"),
        ("构建完成了吗", "构建完成了"),
        ("部署完成", "部署完成？"),
        ("用MySQL，不用PostgreSQL", "用PostgreSQL，不用MySQL"),
        ("版本是v1.2", "版本是v1.3"),
        ("A依赖B", "B依赖A"),
        ("请假三天", "假三天"),
        ("深色的确好", "深色确好"),
    ]);
}

#[test]
fn each_of_many_is_paired_once_with_the_first() {
    let texts = [
        "User likes tea",
        "Buy milk",
        "The user likes tea.",
        "buy milk",
        "User likes tea",
    ];
    let pairs: Vec<_> = near_duplicates(&texts)
        .into_iter()
        .map(|like| (like.first, like.second))
        .collect();
    assert_eq!(pairs, [(0, 2), (1, 3), (0, 4)]);
}

#[test]
fn the_score_is_the_share_of_equal_words() {
    let score = |first, second| {
        near_duplicates(&[first, second])
            .first()
            .map(|like| like.score)
    };
    assert_eq!(score("User likes tea", "user LIKES  tea!"), Some(1.0));
    assert_eq!(score("User likes tea", "The user likes tea"), Some(0.75));
    assert_eq!(score("Users like tea", "User likes tea"), Some(1.0 / 3.0));
}

#[test]
fn a_text_that_says_nothing_is_like_no_other() {
    assert_eq!(
        near_duplicates(&["", " ", "...", "。", "the"]),
        Vec::<Likeness>::new()
    );
    assert_eq!(near_duplicates(&[]), Vec::<Likeness>::new());
}

/// Parts that texts of the tests below are made of; each begins and ends with a letter or digit.
const PARTS: [&str; 16] = [
    "user",
    "prefers",
    "dark",
    "mode",
    "the",
    "never",
    "don't",
    "port 8080",
    "at 10:30",
    "v1.2.3",
    "alice",
    "用户",
    "喜欢",
    "不要",
    "3月5日",
    "and",
];

fn prose() -> impl Strategy<Value = String> {
    let part = proptest::sample::select(&PARTS[..]);
    let mark = proptest::sample::select(&[" ", " ", " ", ", ", ". "][..]);
    let parts = proptest::collection::vec((part, mark), 1..12);
    parts.prop_map(|parts| {
        parts
            .iter()
            .flat_map(|(part, mark)| [*part, *mark])
            .collect::<String>()
            + "7 end"
    })
}

proptest! {
    #[test]
    fn a_text_is_like_itself_in_another_case_and_layout(text in prose()) {
        prop_assert!(are_alike(&text, &text.to_uppercase()), "{text}");
        prop_assert!(are_alike(&text, &text.to_lowercase()), "{text}");
        prop_assert!(are_alike(&text, &format!("  {}\n", text.replace(' ', "  "))), "{text}");
    }

    #[test]
    fn a_text_with_another_digit_is_another_text(text in prose(), which in any::<prop::sample::Index>(), by in 1..10u32) {
        let digits: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
        let at = digits[which.index(digits.len())];
        let digit = text[at..].chars().next().and_then(|c| c.to_digit(10)).unwrap();
        let changed = format!("{}{}{}", &text[..at], (digit + by) % 10, &text[at + 1..]);
        prop_assert!(!are_alike(&text, &changed), "{text} / {changed}");
    }

    #[test]
    fn any_texts_can_be_compared(first in any::<String>(), second in any::<String>()) {
        for like in near_duplicates(&[&first, &second, &first]) {
            prop_assert!(like.first < like.second && (0.0..=1.0).contains(&like.score));
        }
    }

    #[test]
    fn any_marks_can_be_read(text in "[-#>*+`'\"~.,:;!?()\\[\\]|a-zA-Z0-9 \n，。“”、的不]{0,60}") {
        near_duplicates(&[&text, &text]);
    }
}
