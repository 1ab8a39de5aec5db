//! Models that answer as a test wants them to.

use std::collections::VecDeque;
use std::sync::Mutex;

use memory_core::{Code, Error, Result};

use crate::{Chat, Embed, Message, Rerank};

/// A language model that says what it was told to, in order, and remembers what it was asked.
#[derive(Debug, Default)]
pub struct ScriptedChat {
    answers: Mutex<VecDeque<Result<String, String>>>,
    asked: Mutex<Vec<Vec<Message>>>,
}

impl ScriptedChat {
    /// Returns a model with these answers.
    pub fn new(answers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let answers = answers
            .into_iter()
            .map(|answer| Ok(answer.into()))
            .collect();
        ScriptedChat {
            answers: Mutex::new(answers),
            asked: Mutex::default(),
        }
    }

    /// Adds a failure after the answers so far.
    #[must_use]
    pub fn then_fail(self, why: &str) -> Self {
        if let Ok(mut answers) = self.answers.lock() {
            answers.push_back(Err(why.to_owned()));
        }
        self
    }

    /// Returns what it was asked so far.
    pub fn asked(&self) -> Vec<Vec<Message>> {
        self.asked
            .lock()
            .map(|asked| asked.clone())
            .unwrap_or_default()
    }
}

impl Chat for ScriptedChat {
    fn id(&self) -> &str {
        "scripted"
    }

    fn answer(&self, messages: &[Message]) -> Result<String> {
        if let Ok(mut asked) = self.asked.lock() {
            asked.push(messages.to_vec());
        }
        let next = self
            .answers
            .lock()
            .ok()
            .and_then(|mut answers| answers.pop_front());
        let failed = |why: String| Error::new(Code::UpstreamError, why);
        next.unwrap_or_else(|| Err("The script has no more answers".to_owned()))
            .map_err(failed)
    }
}

/// An embedding model with one direction for each letter: texts with the same letters lie together.
#[derive(Debug, Clone)]
pub struct LetterModel {
    pub id: String,
}

impl Default for LetterModel {
    fn default() -> Self {
        LetterModel {
            id: "letters".to_owned(),
        }
    }
}

impl LetterModel {
    fn vector(text: &str) -> Vec<f32> {
        let mut vector = vec![0f32; 26];
        for letter in text
            .bytes()
            .map(|byte| byte.to_ascii_lowercase())
            .filter(u8::is_ascii_lowercase)
        {
            vector[usize::from(letter - b'a')] += 1.0;
        }
        crate::vector::normalise(&mut vector);
        vector
    }
}

impl Embed for LetterModel {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimensions(&self) -> usize {
        26
    }

    fn can_read(&self, text: &str) -> bool {
        text.bytes().any(|byte| byte.is_ascii_alphabetic())
    }

    fn question(&self, text: &str) -> Result<Vec<f32>> {
        Ok(LetterModel::vector(text))
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| LetterModel::vector(text)).collect())
    }
}

/// A cross-encoder that counts the question's words in a text.
#[derive(Debug, Default)]
pub struct WordCounter;

impl Rerank for WordCounter {
    fn id(&self) -> &str {
        "words"
    }

    fn score(&self, question: &str, texts: &[&str]) -> Result<Vec<f32>> {
        let count = |text: &&str| {
            question
                .split_whitespace()
                .filter(|word| text.contains(word))
                .count() as f32
        };
        Ok(texts.iter().map(count).collect())
    }
}
