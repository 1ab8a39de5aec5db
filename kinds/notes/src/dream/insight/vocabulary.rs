//! The words of a text that may mean something, and those that never do.

use std::collections::HashSet;
use std::sync::LazyLock;

use memory_text::stem::stem;
use memory_text::words::is_chinese;

/// A word as it is written and as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term<'a> {
    pub(super) shown: &'a str,
    /// Lower case and stem; a pair of neighbours for Chinese.
    pub(super) key: String,
}

/// Returns the terms of a text that may mean something, in their order, with repetitions.
pub(super) fn terms(text: &str) -> Vec<Term<'_>> {
    let mut terms = Vec::new();
    for run in runs(text) {
        if run.starts_with(is_chinese) {
            terms.extend(pairs(run).map(|pair| Term { shown: pair, key: pair.to_owned() }));
        } else {
            terms.extend(latin(run));
        }
    }
    terms
}

/// Returns the runs of ideographs and the words of letters and digits.
pub(super) fn runs(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c: char| !is_part(c)).flat_map(split_scripts).filter(|run| !run.is_empty())
}

/// Splits "用Rust写" where the script changes.
fn split_scripts(mixed: &str) -> impl Iterator<Item = &str> {
    let mut rest = mixed;
    std::iter::from_fn(move || {
        let chinese = is_chinese(rest.chars().next()?);
        let end = rest.find(|c| is_chinese(c) != chinese).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

fn latin(word: &str) -> Option<Term<'_>> {
    let lower = word.to_lowercase();
    let has_letters = lower.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let key = stem(&lower);
    let says_something = has_letters && lower.len() > 2 && !is_stop_word(&lower) && !is_stop_word(&key);
    says_something.then(|| Term { shown: word, key: key.into_owned() })
}

/// Returns the pairs of neighbours that may be words.
fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let ends: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    let pairs: Vec<&str> = ends.windows(3).map(|ends| &run[ends[0]..ends[2]]).collect();
    pairs.into_iter().filter(|pair| !pair.contains(is_stop_sign) && !STOP_PAIRS.contains(pair))
}

/// Says whether a word stands in any text and therefore says nothing about one.
pub(super) fn is_stop_word(word: &str) -> bool {
    static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| STOP_WORDS.split_whitespace().collect());
    SET.contains(word)
}

fn is_stop_sign(sign: char) -> bool {
    STOP_SIGNS.contains(sign)
}

const STOP_SIGNS: &str = "的了是在和不有我你他她它们这那就也都要会能很吗呢吧啊与及或但而对从到把被让给为以于之其个些没着过\
    得地上下中一二三四五六七八九十年月日时分点号请将再又还更最已所因如果然后前里外等每各该此";

const STOP_PAIRS: &[&str] = &[
    "用户", "喜欢", "使用", "决定", "需要", "可以", "应该", "问题", "工作", "项目", "记得", "今天", "明天",
    "昨天", "什么", "进行", "通过", "学到", "教训", "偏好", "习惯", "重要", "注意", "方法", "情况", "内容",
    "开始", "完成",
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
        let found: Vec<_> = terms(text).into_iter().map(|term| term.key).collect();
        assert_eq!(found, keys, "{text}");
    }

    #[test]
    fn only_words_that_mean_something_are_terms() {
        check("The user prefers Invoices from 2026 in my_table", &["invoice", "my_table"]);
        check("用户喜欢用Rust写解析器", &["户喜", "欢用", "rust", "写解", "解析", "析器"]);
        check("", &[]);
    }
}
