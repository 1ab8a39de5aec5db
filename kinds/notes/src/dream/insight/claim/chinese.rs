//! Claims of Chinese sentences: what stands before the verb, the verb, what, and what for.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Claim, Matter, Stance, Verb, Words};
use crate::Category;

/// Returns the claims of a sentence.
pub(super) fn claims(sentence: &str, category: Category) -> Vec<Claim> {
    let is_announced = ["决定", "决策", "商定", "确定"]
        .iter()
        .any(|word| sentence.contains(word));
    let clauses = sentence.split(['，', ',', '：', ':', '（', '）']);
    clauses
        .flat_map(|clause| claims_of_clause(clause.trim(), category, is_announced))
        .collect()
}

fn claims_of_clause(clause: &str, category: Category, is_announced: bool) -> Vec<Claim> {
    let Some((at, length, verb)) = first_verb(clause) else {
        return Vec::new();
    };
    let Some(matter) = verb.matter(category, is_announced) else {
        return Vec::new();
    };
    let (before, after) = (&clause[..at], &clause[at + length..]);
    let stance = verb.stance.turned_if(is_negated(before));
    let subject = without_generic_words(before);
    let (value, purpose) = split_at_any(after, PURPOSES);
    let (value, refused) = split_at_any(value, REFUSALS);
    let (purpose, refused_late) = split_at_any(purpose, REFUSALS);
    // What stands before the verb is what a decision is for, and whose a preference is.
    let (holder, topic) = match matter {
        Matter::Decision if purpose.is_empty() => (String::new(), subject.as_str()),
        Matter::Decision => (String::new(), purpose),
        Matter::Preference => (subject.clone(), purpose),
    };
    let claim = |stance: Stance, value: &str| Claim {
        matter,
        holder: holder.clone(),
        stance,
        is_exclusive: verb.is_exclusive,
        value: Words::of(trimmed(value)),
        topic: Words::of_topic(trimmed(topic)),
        has_purpose: true,
    };
    let chosen = value
        .split(['和', '与', '、', '或'])
        .map(|value| claim(stance, value));
    let refused = [refused, refused_late].map(|value| claim(stance.turned_if(true), value));
    chosen
        .chain(refused)
        .filter(|claim| !claim.value.is_empty())
        .collect()
}

/// Returns where the first verb stands and how long it is; the longest of those that begin there.
fn first_verb(clause: &str) -> Option<(usize, usize, Verb)> {
    clause.char_indices().find_map(|(at, sign)| {
        let rest = &clause[at..];
        let verbs = VERBS_BY_FIRST_SIGN.get(&sign)?.iter();
        let fitting =
            verbs.filter(|(word, ..)| rest.starts_with(word) && is_verb(clause, at, word));
        let (word, verb) = fitting.max_by_key(|(word, _)| word.len())?;
        Some((at, word.len(), *verb))
    })
}

static VERBS_BY_FIRST_SIGN: LazyLock<HashMap<char, Vec<(&str, Verb)>>> = LazyLock::new(|| {
    let mut verbs: HashMap<char, Vec<(&str, Verb)>> = HashMap::new();
    for (word, chooses, stance, is_exclusive) in VERBS.iter().copied() {
        let verb = Verb {
            chooses,
            stance,
            is_exclusive,
        };
        word.chars()
            .take(1)
            .for_each(|first| verbs.entry(first).or_default().push((word, verb)));
    }
    verbs
});

/// Says whether 用 stands for itself and not within 用户 or 费用.
fn is_verb(clause: &str, at: usize, word: &str) -> bool {
    let before = clause[..at].chars().last();
    let after = clause[at + word.len()..].chars().next();
    word != "用"
        || (!before.is_some_and(|c| "作费应信利引通常公专实商适运调占滥备".contains(c))
            && !after.is_some_and(|c| "户途处于品量法来".contains(c)))
}

fn is_negated(before: &str) -> bool {
    let near: String = before.chars().rev().take(4).collect();
    near.contains(['不', '别', '没', '勿'])
}

/// Takes away what says nothing about whose claim it is or what it is for.
fn without_generic_words(before: &str) -> String {
    GENERIC
        .iter()
        .fold(before.to_owned(), |rest, word| rest.replace(word, ""))
        .trim()
        .to_owned()
}

/// Splits a text at the first of some words; without any, nothing stands behind it.
fn split_at_any<'a>(text: &'a str, words: &[&str]) -> (&'a str, &'a str) {
    let first = words
        .iter()
        .filter_map(|word| text.find(word).map(|at| (at, word.len())))
        .min();
    first.map_or((text, ""), |(at, length)| {
        (&text[..at], &text[at + length..])
    })
}

fn trimmed(value: &str) -> &str {
    let value = value
        .trim()
        .trim_start_matches(['用', '了', '过', '在', '喝', '吃']);
    value
        .trim_start_matches("使用")
        .trim_end_matches(['了', '吧', '的', '。', '.', '来'])
        .trim()
}

#[rustfmt::skip]
const VERBS: &[(&str, bool, Stance, bool)] = &[
    ("使用", true, Stance::For, true), ("采用", true, Stance::For, true), ("选用", true, Stance::For, true),
    ("选择", true, Stance::For, true), ("改用", true, Stance::For, true), ("换用", true, Stance::For, true),
    ("换成", true, Stance::For, true), ("改成", true, Stance::For, true), ("切换到", true, Stance::For, true),
    ("迁移到", true, Stance::For, true), ("用", true, Stance::For, true), ("沿用", true, Stance::For, true),
    ("放弃", true, Stance::Against, true), ("弃用", true, Stance::Against, true), ("停用", true, Stance::Against, true),
    ("放弃使用", true, Stance::Against, true), ("避免使用", true, Stance::Against, true),
    ("喜欢", false, Stance::For, false), ("喜欢用", false, Stance::For, false), ("更喜欢", false, Stance::For, true),
    ("更喜欢用", false, Stance::For, true), ("偏好", false, Stance::For, true), ("偏爱", false, Stance::For, true),
    ("倾向于", false, Stance::For, true), ("习惯用", false, Stance::For, true), ("习惯使用", false, Stance::For, true),
    ("爱喝", false, Stance::For, false), ("爱吃", false, Stance::For, false), ("爱用", false, Stance::For, false),
    ("讨厌", false, Stance::Against, false), ("反感", false, Stance::Against, false), ("厌恶", false, Stance::Against, false),
];

/// Longer ones first.
const GENERIC: &[&str] = &[
    "用户", "我们", "团队", "大家", "决定", "现在", "目前", "今后", "以后", "已经", "不再", "一直",
    "还是", "最终", "开始", "不要", "项目", "我", "他", "她", "不", "再", "更", "最", "也", "都",
    "已", "要", "会", "将", "了", "别", "很", "的", "改", "非常", "重新", "统一", "在",
];

const PURPOSES: &[&str] = &[
    "作为", "做为", "来做", "用于", "进行", "来", "做", "当", "写", "存",
];
const REFUSALS: &[&str] = &["而不是", "而不用", "而非", "代替", "取代", "替代"];
