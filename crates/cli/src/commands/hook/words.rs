//! Which words of a prompt say what it is about, and whether a note has enough of them.
//!
//! Some words are only talk. Others stand in prompts and notes about any software, whatever else
//! they say: those count beside a word of the prompt's own, and little alone.

use std::collections::{BTreeSet, HashSet};

use memory_text::words::{is_chinese, words};

/// What share of a prompt's own words a note must have; or, of a long prompt, how many of them.
const SHARE: f64 = 0.34;
const MANY: usize = 4;
/// If a prompt has more than one word of its own, or none, a note must have so many of its words.
const SEVERAL: usize = 2;

/// Words that people use to talk to an agent, and that say nothing about what a note would.
const TALK: &str = "\
    a about add after again all also always am an and any are as at be because been before but by \
    can change check code continue could create did do does don done every explain fine first fix \
    for from get give go good great had has have hello help her here hey hi his how if implement \
    in into is it its just know last let like look make may me more my need never new next no not \
    now of ok okay old on one only or other our out over please put remove right run same say see \
    she should show so some start still stop such sure take tell thank thanks that the their them \
    then there these they thing things this those to too try up us use used very want was way we \
    well were what when where which who why will with would write yes yet you your 继续 可以 好的 谢谢 请问 \
    什么 怎么 我们 他们 这个 那个 一下 帮我 现在 然后";

/// Words that say little about what a prompt is about.
const EVERYDAY: &str = "\
    answer api app application bug build button class command data directory error example feature \
    file folder function input issue item library line list message method module name number \
    output package page path project question result script server service step string task test \
    text type update user value version work 代码 功能 函数 问题 项目 文件 测试 错误 用户";

/// The words of a prompt that say something.
#[derive(Debug)]
pub(super) struct Asked {
    /// Those that say what it is about.
    own: BTreeSet<String>,
    everyday: BTreeSet<String>,
}

impl Asked {
    /// Reads a prompt; none when it is only talk.
    pub(super) fn of(prompt: &str) -> Option<Self> {
        let talk: HashSet<&str> = TALK.split(' ').collect();
        let common: HashSet<&str> = EVERYDAY.split(' ').map(stem).collect();
        let is_telling =
            |word: &String| word.chars().nth(1).is_some() && !talk.contains(word.as_str());
        let (everyday, own): (BTreeSet<String>, BTreeSet<String>) = words(prompt)
            .into_iter()
            .filter(is_telling)
            .partition(|word| common.contains(stem(word)));
        (!own.is_empty() || !everyday.is_empty()).then_some(Asked { own, everyday })
    }

    /// Returns all of them, to search for.
    pub(super) fn query(&self) -> String {
        self.own
            .iter()
            .chain(&self.everyday)
            .cloned()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Says whether a note has enough of them to be worth telling.
    pub(super) fn is_answered_by(&self, text: &str, tags: &[String]) -> bool {
        let mut there: HashSet<String> = words(text).into_iter().collect();
        there.extend(tags.iter().flat_map(|tag| words(tag)));
        let stems: HashSet<&str> = there.iter().map(|word| stem(word)).collect();
        let count = |asked: &BTreeSet<String>| {
            asked
                .iter()
                .filter(|word| stems.contains(stem(word)))
                .count()
        };
        let (own, everyday) = (count(&self.own), count(&self.everyday));
        let is_enough = own >= MANY || own as f64 >= SHARE * self.own.len() as f64;
        is_enough && (self.own.len() == 1 || own + everyday >= SEVERAL)
    }
}

/// Cuts the common endings of an English word, so that `deploys` and `deploy` are one.
fn stem(word: &str) -> &str {
    if word.starts_with(is_chinese) {
        return word;
    }
    let endings = ["ing", "ies", "ed", "es", "s", "e"];
    let cut = endings
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() >= 3));
    cut.unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(prompt: &str, note: &str, relevant: bool) {
        let asked = Asked::of(prompt);
        let is_answered = asked
            .as_ref()
            .is_some_and(|asked| asked.is_answered_by(note, &[]));
        assert_eq!(is_answered, relevant, "{prompt}: {asked:?}");
    }

    #[test]
    fn a_note_is_told_only_if_it_has_a_good_part_of_the_prompt() {
        check(
            "which database do we use?",
            "Decision: we use PostgreSQL as the database",
            true,
        );
        check(
            "when can I deploy the service",
            "Deploys happen on Friday",
            true,
        );
        check(
            "does the user like dark mode?",
            "user prefers dark mode",
            true,
        );
        check(
            "which theme does the user like",
            "The user likes a dark theme",
            true,
        );
        check("where does the user live", "The user lives in Berlin", true);
        check("what is the dog called", "User's dog is called Rex", true);
        check("continue", "Continue the migration tomorrow", false);
        check("yes please, go on and fix it", "The user likes go", false);
        check(
            "refactor the parser so that errors carry line numbers",
            "The parser of dates is slow",
            false,
        );
        check("用户喜欢什么颜色的主题", "用户喜欢深色主题", true);
        check("今天天气怎么样", "用户喜欢深色主题", false);
    }

    #[test]
    fn an_everyday_word_is_no_reason_to_tell_a_note() {
        for prompt in [
            "implement user login",
            "add a user page",
            "what does the user think",
        ] {
            check(prompt, "user prefers dark mode", false);
        }
        check("is the test passing", "user wants tests first", false);
        check("explain the error", "Error budget is 0.1 percent", false);
        check(
            "rename this function",
            "we named the new function parse_date",
            false,
        );
        check(
            "project structure",
            "project Apollo uses Python 3.12",
            false,
        );
        check("用户表", "用户喜欢深色主题", false);
        check(
            "which tests does the user want",
            "user wants tests first",
            true,
        );
        check(
            "project structure",
            "The structure of the project: one crate for each kind",
            true,
        );
    }

    #[test]
    fn one_word_of_several_is_too_little() {
        check("deploy the login to staging", "Login is by passkeys", false);
        check(
            "deploy the login to staging",
            "Staging has a login of its own",
            true,
        );
    }
}
