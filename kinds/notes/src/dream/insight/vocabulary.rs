//! The words of a text that may mean something, and those that never do.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use memory_text::stem::stem;
use memory_text::words::is_chinese;

/// Returns what may be a term in a text, in its order: words of letters, pairs of ideographs.
pub(super) fn candidates(text: &str) -> Vec<&str> {
    let mut candidates = Vec::with_capacity(text.len() / 4);
    for run in runs(text) {
        if run.starts_with(is_chinese) {
            candidates.extend(pairs(run));
        } else {
            candidates.push(run);
        }
    }
    candidates
}

/// Returns how a candidate is compared if it says something: a word as a stem in lower case,
/// owned, and a pair of ideographs as it is.
pub(super) fn term(candidate: &str) -> Option<Cow<'_, str>> {
    if candidate.starts_with(is_chinese) {
        let is_word = !candidate.contains(is_stop_sign) && !STOP_PAIRS.contains(&candidate);
        return is_word.then_some(Cow::Borrowed(candidate));
    }
    let lower = candidate.to_lowercase();
    let has_letters = lower.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let key = stem(&lower);
    let says_something =
        has_letters && lower.len() > 2 && !is_stop_word(&lower) && !is_stop_word(&key);
    says_something.then(|| Cow::Owned(key.into_owned()))
}

/// Returns the runs of ideographs and the words of letters and digits.
pub(super) fn runs(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c: char| !is_part(c))
        .flat_map(split_scripts)
        .filter(|run| !run.is_empty())
}

/// Splits "用Rust写" where the script changes.
fn split_scripts(mixed: &str) -> impl Iterator<Item = &str> {
    let mut rest = mixed;
    std::iter::from_fn(move || {
        let chinese = is_chinese(rest.chars().next()?);
        let end = rest
            .find(|c| is_chinese(c) != chinese)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

/// Returns the pairs of neighbours in a run of ideographs.
fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run
        .char_indices()
        .skip(1)
        .map(|(at, second)| at + second.len_utf8());
    starts.zip(ends).map(|(start, end)| &run[start..end])
}

/// Says whether a word stands in any text and therefore says nothing about one.
pub(super) fn is_stop_word(word: &str) -> bool {
    static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| STOP_WORDS.split_whitespace().collect());
    SET.contains(word)
}

/// Says whether a sign belongs to grammar, or to numbers and times.
fn is_stop_sign(sign: char) -> bool {
    #[rustfmt::skip]
    let is_stop_sign = matches!(sign,
        '的' | '了' | '是' | '在' | '和' | '不' | '有' | '我' | '你' | '他' | '她' | '它' | '们' | '这'
        | '那' | '就' | '也' | '都' | '要' | '会' | '能' | '很' | '吗' | '呢' | '吧' | '啊' | '与'
        | '及' | '或' | '但' | '而' | '对' | '从' | '到' | '把' | '被' | '让' | '给' | '为' | '以'
        | '于' | '之' | '其' | '个' | '些' | '没' | '着' | '过' | '得' | '地' | '上' | '下' | '中'
        | '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' | '年' | '月' | '日'
        | '时' | '分' | '点' | '号' | '请' | '将' | '再' | '又' | '还' | '更' | '最' | '已' | '所'
        | '因' | '如' | '果' | '然' | '后' | '前' | '里' | '外' | '等' | '每' | '各' | '该' | '此');
    is_stop_sign
}

const STOP_PAIRS: &[&str] = &[
    "用户", "喜欢", "使用", "决定", "需要", "可以", "应该", "问题", "工作", "项目", "记得", "今天",
    "明天", "昨天", "什么", "进行", "通过", "学到", "教训", "偏好", "习惯", "重要", "注意", "方法",
    "情况", "内容", "开始", "完成",
];

const STOP_WORDS: &str = "\
    a about after again all also always am an and another any are as at back be because been before being best \
    better between both but by call came can come could day decide decided decision did different do does doing \
    done down during each easy enough even ever every example fact few find first for found from full get give go \
    goes going good got great had happen hard has have he help her here him his hour how however i idea if important \
    in instead into is issue it its just keep kept know last later learn learned least leave less lesson let like \
    likes list little long look lot made make making many may maybe me mean meeting mind minute month more morning \
    most move much must my name need needs never new next no none not note nothing now of off often ok old on once \
    one only onto or other our out over own part people per perhaps person please point prefer preferred prefers \
    problem project put quite rather read ready really reason remember right said same saw say says second see seem \
    set several she should show simple since small so some something soon start still stop such sure take task team \
    tell than that the their them then there these they thing things think this those though through time to today \
    together told tomorrow too took tool try turn two type under until up us use used user users uses using usual \
    usually very want wants was way we week well went were what when where whether which while who whole why will \
    with within without wont work worked working works would write written wrong year yes yesterday yet you your \
    http https www com org monday tuesday wednesday thursday friday saturday sunday";

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, keys: &[&str]) {
        let found: Vec<_> = candidates(text).into_iter().filter_map(term).collect();
        assert_eq!(found, keys, "{text}");
    }

    #[test]
    fn only_words_that_mean_something_are_terms() {
        check(
            "The user prefers Invoices from 2026 in my_table",
            &["invoice", "my_table"],
        );
        check(
            "用户喜欢用Rust写解析器",
            &["户喜", "欢用", "rust", "写解", "解析", "析器"],
        );
        check("", &[]);
    }
}
