//! Does a question ask for what is due? English and Chinese.

use crate::words::words;

/// Words that ask for reminders and deadlines.
const DUE: [&str; 13] = [
    "due",
    "remind",
    "reminder",
    "reminders",
    "deadline",
    "deadlines",
    "upcoming",
    "overdue",
    "todo",
    "todos",
    "提醒",
    "到期",
    "截止",
];

/// Says whether a question asks for what is due, such as reminders and deadlines.
pub fn asks_what_is_due(question: &str) -> bool {
    words(question)
        .iter()
        .any(|word| DUE.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_reminders_are_told_from_others() {
        for question in [
            "What is due this week?",
            "any reminders for Ann",
            "这周有什么提醒",
            "overdue tasks",
        ] {
            assert!(asks_what_is_due(question), "{question}");
        }
        for question in [
            "How do we deploy?",
            "the residue of the build",
            "我们怎么部署",
        ] {
            assert!(!asks_what_is_due(question), "{question}");
        }
    }
}
