//! What can be asked of a model.

use std::sync::Arc;

use memory_core::Result;

/// Turns texts into vectors of length one that lie close together when the texts mean the same.
pub trait Embed: Send + Sync {
    /// Names the model and its weights: vectors are compared only if this is the same for both.
    fn id(&self) -> &str;

    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// Says whether the model can read a text at all: one that is blind to a script has no vote.
    fn can_read(&self, text: &str) -> bool;

    /// Returns the vector of a question.
    fn question(&self, text: &str) -> Result<Vec<f32>>;

    /// Returns the vectors of memories, in their order.
    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>>;

    /// Says whether a vector costs next to nothing, so that none needs to be kept.
    fn is_instant(&self) -> bool {
        false
    }

    /// Returns how well each text answers a question, piece by piece; none at all when that would cost more than next
    /// to nothing.
    fn closeness(&self, _question: &str, _texts: &[&str]) -> Option<Vec<Option<Closeness>>> {
        None
    }

    /// The model's way of comparing texts piece by piece with what was kept of them, if it has one.
    fn tokens(&self) -> Option<&dyn Tokens> {
        None
    }
}

/// How well a text answers a question, piece by piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closeness {
    /// The share of the question that is found in the text, in the same words or in such as mean nearly the same.
    pub found: f32,
    /// The same, less what a text as long as this one has by chance: what texts are compared by.
    pub beyond_chance: f32,
}

/// A model that is asked for whole vectors alone, so that no one keeps the pieces of memories for nothing.
pub struct WholeTexts(pub Arc<dyn Embed>);

impl Embed for WholeTexts {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    fn can_read(&self, text: &str) -> bool {
        self.0.can_read(text)
    }

    fn question(&self, text: &str) -> Result<Vec<f32>> {
        self.0.question(text)
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.0.documents(texts)
    }

    fn is_instant(&self) -> bool {
        self.0.is_instant()
    }

    fn closeness(&self, question: &str, texts: &[&str]) -> Option<Vec<Option<Closeness>>> {
        self.0.closeness(question, texts)
    }
}

/// Turns a text into one vector for each of its pieces, for comparing late (MaxSim).
pub trait Tokens: Send + Sync {
    /// Returns the pieces of a question.
    fn question_tokens(&self, text: &str) -> Result<TokenVectors>;

    /// Returns the pieces of memories, in their order, small enough to be kept.
    fn document_tokens(&self, texts: &[&str]) -> Result<Vec<TokenVectors>>;

    /// Returns the vectors and the pieces of memories in one pass, which costs half of two.
    fn documents_and_tokens(&self, texts: &[&str]) -> Result<Vec<(Vec<f32>, TokenVectors)>>;
}

/// The pieces of a text: vectors of length one, one after the other, in eight bits a number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TokenVectors {
    pub dimensions: usize,
    /// Each number times 127.
    pub values: Vec<i8>,
}

/// Judges how well each memory answers a question.
pub trait Rerank: Send + Sync {
    /// Names the model and its weights.
    fn id(&self) -> &str;

    /// Returns a raw score (a logit) for each text, in their order.
    fn score(&self, question: &str, texts: &[&str]) -> Result<Vec<f32>>;
}

/// Answers messages as a language model does.
pub trait Chat: Send + Sync {
    /// Names the model.
    fn id(&self) -> &str;

    /// Returns what the model says to these messages.
    fn answer(&self, messages: &[Message]) -> Result<String>;
}

/// One message to a language model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: String,
    pub content: String,
}
