//! What a fact is about, as far as its words tell: which question it answers, and which way.

use memory_text::words::words;

use super::meaning;

/// The topic of a fact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Topic {
    /// A question that has one answer: where someone lives, what their dog is called.
    pub(crate) question: Option<String>,
    /// Whether something is liked, and what.
    pub(crate) liking: Option<(bool, Vec<String>)>,
    pub(crate) is_negated: bool,
    /// The words of meaning without those that deny.
    pub(crate) core: Vec<String>,
}

/// Beginnings of facts that answer a question which has one answer.
const QUESTIONS: [(&str, &str); 22] = [
    ("name is ", "name"),
    ("'s name is ", "name"),
    ("is called ", "name"),
    ("is named ", "name"),
    ("lives in ", "home"),
    ("live in ", "home"),
    ("resides in ", "home"),
    ("moved to ", "home"),
    ("has moved to ", "home"),
    ("is based in ", "home"),
    ("lives at ", "home"),
    ("works at ", "employer"),
    ("works for ", "employer"),
    ("is employed at ", "employer"),
    ("joined ", "employer"),
    ("works as ", "profession"),
    ("叫", "name"),
    ("住在", "home"),
    ("住", "home"),
    ("搬到", "home"),
    ("搬去", "home"),
    ("今年", "age"),
];

const LIKING: &str = "like likes love loves enjoy enjoys adore adores prefer prefers 喜欢 爱 热爱 最喜欢 很喜欢 非常喜欢";
const DISLIKING: &str = "hate hates dislike dislikes detest detests loathe loathes 讨厌 恨";
const DENYING: &str =
    "not no never without cannot t don doesn isn longer can stand 不 没 没有 不再";

impl Topic {
    pub(crate) fn of(fact: &str) -> Self {
        let rest = about(fact);
        let denies = |word: &&String| DENYING.split(' ').any(|known| known == word.as_str());
        let all = words(fact);
        let is_negated = all
            .iter()
            .any(|word| denies(&word) && !matches!(word.as_str(), "can" | "t" | "stand"))
            || fact.contains("n't ");
        let core = meaning(fact)
            .into_iter()
            .filter(|word| !denies(&word))
            .collect();
        Topic {
            question: question(&rest),
            liking: liking(&rest, is_negated),
            is_negated,
            core,
        }
    }
}

/// Says whether one of two things is the other, or a way to say it: "pizza", "pizza with olives".
pub(crate) fn is_same_object(a: &[String], b: &[String]) -> bool {
    let within =
        |a: &[String], b: &[String]| !a.is_empty() && a.iter().all(|word| b.contains(word));
    within(a, b) || within(b, a)
}

/// Returns what is said after "the user", in lower case.
fn about(fact: &str) -> String {
    let lower = fact.trim().to_lowercase();
    let rest = ["the user", "user", "用户"]
        .iter()
        .find_map(|who| lower.strip_prefix(who));
    rest.unwrap_or(&lower).trim_start().to_owned()
}

fn question(rest: &str) -> Option<String> {
    if let Some((_, name)) = QUESTIONS.iter().find(|(begin, _)| rest.starts_with(begin)) {
        return Some((*name).to_owned());
    }
    // "'s wife is named Anne", "的生日是6月5日"
    let owned = rest
        .strip_prefix("'s ")
        .or_else(|| rest.strip_prefix("’s "));
    if let Some((what, _)) = owned.and_then(|owned| owned.split_once(" is ")) {
        return Some(format!("own {what}"));
    }
    let owned = rest.strip_prefix('的')?;
    let at = owned.find(['是', '叫'])?;
    Some(format!("own {}", &owned[..at]))
}

fn liking(rest: &str, is_negated: bool) -> Option<(bool, Vec<String>)> {
    let mut words: Vec<&str> = rest.split_whitespace().collect();
    if rest.starts_with("can't stand ") || rest.starts_with("cannot stand ") {
        return Some((false, meaning(&words.split_off(2).join(" "))));
    }
    if let Some((likes, object)) = chinese_liking(rest) {
        return Some((likes, meaning(object)));
    }
    let has = |list: &str, word: &str| list.split(' ').any(|known| known == word);
    let at = words
        .iter()
        .take(4)
        .position(|word| has(LIKING, word) || has(DISLIKING, word))?;
    let likes = has(LIKING, words[at]) != is_negated;
    Some((likes, meaning(&words.split_off(at + 1).join(" "))))
}

fn chinese_liking(rest: &str) -> Option<(bool, &str)> {
    let dislikes = ["不喜欢", "不爱", "讨厌", "恨"];
    let likes = ["最喜欢", "很喜欢", "非常喜欢", "喜欢", "热爱", "爱"];
    let after = |begins: &[&str]| begins.iter().find_map(|begin| rest.strip_prefix(begin));
    after(&dislikes)
        .map(|object| (false, object))
        .or_else(|| after(&likes).map(|object| (true, object)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_answers_a_question_or_tells_a_liking() {
        let question = |fact| Topic::of(fact).question.unwrap_or_default();
        assert_eq!(question("The user lives in Paris"), "home");
        assert_eq!(question("User moved to Berlin"), "home");
        assert_eq!(question("The user's wife is named Anne"), "own wife");
        assert_eq!(question("用户住在北京"), "home");
        assert_eq!(question("用户的生日是6月5日"), "own 生日");
        assert_eq!(question("The user has two cats"), "");
        let likes = |fact| Topic::of(fact).liking.map(|(likes, _)| likes);
        assert_eq!(likes("The user loves pizza"), Some(true));
        assert_eq!(likes("The user does not like pizza"), Some(false));
        assert_eq!(likes("The user can't stand pizza"), Some(false));
        assert_eq!(likes("用户不喜欢香菜"), Some(false));
        assert_eq!(likes("The user has a pizza"), None);
    }
}
