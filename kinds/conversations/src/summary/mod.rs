//! Summaries as deep as a text is long (section 4.4): a sentence, a paragraph, chunks, a tree.
//!
//! Nothing here reads or writes a file. With a model each piece is written by it; without, or where it
//! fails, sentences are chosen from the text. The pieces are the same either way.

mod chunks;
mod extract;
mod prompts;

use memory_models::Chat;
use memory_text::tokens;

use crate::{asking, limits};

pub use prompts::{BRIEF, CHUNK, ContentType, META, ROLLING, STANDARD};

/// What a summary is called that no model wrote.
pub(crate) const EXTRACTIVE: &str = "extractive";

/// How deep a text is summarised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    None,
    Brief,
    Standard,
    Detailed,
    Hierarchical,
}

impl Level {
    /// Returns the level of a text of so many tokens; a boundary belongs to the upper level.
    pub fn of(tokens: usize) -> Self {
        match tokens {
            limits::HIERARCHICAL_TOKENS.. => Level::Hierarchical,
            limits::DETAILED_TOKENS.. => Level::Detailed,
            limits::STANDARD_TOKENS.. => Level::Standard,
            limits::BRIEF_TOKENS.. => Level::Brief,
            _ => Level::None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Brief => "brief",
            Level::Standard => "standard",
            Level::Detailed => "detailed",
            Level::Hierarchical => "hierarchical",
        }
    }

    /// How many tokens a summary of so many should have.
    fn target(self, tokens: usize) -> usize {
        let percent = match self {
            Level::None | Level::Brief => limits::BRIEF_PERCENT,
            Level::Standard => limits::STANDARD_PERCENT,
            Level::Detailed | Level::Hierarchical => limits::DETAILED_PERCENT,
        };
        (tokens * percent / 100).max(limits::SUMMARY_TOKENS)
    }
}

/// What is to be summarised.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    /// The summary that there is.
    pub(crate) prior: Option<String>,
    /// What came since.
    pub(crate) text: String,
    pub(crate) content_type: ContentType,
}

/// One piece of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) input_tokens: usize,
    pub(crate) model: String,
}

/// A summary with all its levels; the lower ones are empty where a text is too short for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) level: Level,
    pub(crate) chunks: Vec<Piece>,
    pub(crate) groups: Vec<Piece>,
    pub(crate) whole: Piece,
}

/// Summarises; none when there is too little to say.
pub(crate) fn summarise(chat: Option<&dyn Chat>, subject: &Subject) -> Option<Summary> {
    let all = match &subject.prior {
        Some(prior) => format!("{prior}\n\n{}", subject.text),
        None => subject.text.clone(),
    };
    let level = Level::of(tokens::count(&all));
    let writer = Writer {
        chat,
        content_type: subject.content_type,
    };
    let (chunks, groups, mut whole) = match level {
        Level::None => return None,
        Level::Brief | Level::Standard => (vec![], vec![], writer.short(level, subject, &all)),
        Level::Detailed => {
            let chunks = writer.each(&chunks::split(&all));
            let whole = writer.together(level, &chunks);
            (chunks, vec![], whole)
        }
        Level::Hierarchical => {
            let chunks = writer.each(&chunks::split(&all));
            let groups: Vec<Piece> = chunks
                .chunks(limits::GROUP)
                .map(|group| writer.together(level, group))
                .collect();
            let whole = writer.together(level, &groups);
            (chunks, groups, whole)
        }
    };
    // What the whole is measured by is the text, not the pieces between.
    whole.input_tokens = tokens::count(&all);
    Some(Summary {
        level,
        chunks,
        groups,
        whole,
    })
}

/// Who writes the pieces.
struct Writer<'a> {
    chat: Option<&'a dyn Chat>,
    content_type: ContentType,
}

impl Writer<'_> {
    fn short(&self, level: Level, subject: &Subject, all: &str) -> Piece {
        let target = level.target(tokens::count(all));
        let (prompt, text) = match (&subject.prior, level) {
            (Some(prior), _) => (
                ROLLING,
                format!("Summary so far:\n{prior}\n\nNew facts:\n{}", subject.text),
            ),
            (None, Level::Brief) => (BRIEF, all.to_owned()),
            (None, _) => (STANDARD, all.to_owned()),
        };
        let is_sentence = level == Level::Brief;
        self.write(prompt, &text, target)
            .unwrap_or_else(|| chosen(all, target, is_sentence))
    }

    fn each(&self, chunks: &[String]) -> Vec<Piece> {
        let one = |chunk: &String| {
            let target = Level::Standard.target(tokens::count(chunk));
            self.write(CHUNK, chunk, target)
                .unwrap_or_else(|| chosen(chunk, target, false))
        };
        chunks.iter().map(one).collect()
    }

    fn together(&self, level: Level, pieces: &[Piece]) -> Piece {
        let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
        let text = texts.join("\n\n");
        let target = tokens::count(&text)
            .div_ceil(2)
            .max(level.target(tokens::count(&text)));
        self.write(META, &text, target)
            .unwrap_or_else(|| chosen(&text, target, false))
    }

    /// Lets the model write; none when there is none, or it says nothing that could be a summary.
    fn write(&self, prompt: &str, text: &str, target: usize) -> Option<Piece> {
        let chat = self.chat?;
        let about = self.content_type.prompt();
        let prompt = format!("{prompt}\n{about}\nUse about {target} tokens.");
        let input_tokens = tokens::count(text);
        (0..limits::ATTEMPTS).find_map(|_| {
            let said = asking::ask(chat, &prompt, text).ok()?;
            // A summary that is longer than its text is none.
            let fits = !said.is_empty()
                && tokens::count(&said) <= input_tokens.max(limits::SUMMARY_TOKENS);
            fits.then(|| Piece {
                text: said,
                input_tokens,
                model: chat.id().to_owned(),
            })
        })
    }
}

fn chosen(text: &str, target: usize, is_sentence: bool) -> Piece {
    let joint = if is_sentence { "; " } else { " " };
    let text_of = extract::choose(text, target, joint);
    Piece {
        text: text_of,
        input_tokens: tokens::count(text),
        model: EXTRACTIVE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_belong_to_the_upper_level() {
        let cases = [
            (0, Level::None),
            (99, Level::None),
            (100, Level::Brief),
            (499, Level::Brief),
            (500, Level::Standard),
            (2_999, Level::Standard),
            (3_000, Level::Detailed),
            (14_999, Level::Detailed),
            (15_000, Level::Hierarchical),
        ];
        for (tokens, level) in cases {
            assert_eq!(Level::of(tokens), level, "{tokens}");
        }
    }

    fn facts(count: usize) -> String {
        let fact = |n: usize| {
            format!(
                "The user keeps note number {n} about topic {} in Oslo.",
                n % 17
            )
        };
        (0..count).map(fact).collect::<Vec<_>>().join("\n")
    }

    fn of(count: usize) -> Summary {
        let subject = Subject {
            prior: None,
            text: facts(count),
            content_type: ContentType::Conversation,
        };
        summarise(None, &subject).unwrap()
    }

    #[test]
    fn each_level_has_its_pieces_and_its_length() {
        let brief = of(20);
        assert_eq!(
            (brief.level, brief.chunks.len(), brief.groups.len()),
            (Level::Brief, 0, 0)
        );
        assert!(
            !brief.whole.text.trim_end_matches('.').contains(". "),
            "one sentence: {}",
            brief.whole.text
        );
        let standard = of(100);
        assert_eq!(
            (standard.level, standard.chunks.len()),
            (Level::Standard, 0)
        );
        let detailed = of(400);
        assert_eq!(
            (detailed.level, detailed.groups.len()),
            (Level::Detailed, 0)
        );
        assert!(detailed.chunks.len() > 1);
        let tree = of(1_500);
        assert_eq!(tree.level, Level::Hierarchical);
        assert_eq!(tree.groups.len(), tree.chunks.len().div_ceil(limits::GROUP));
        for (summary, percent) in [(&brief, 30), (&standard, 16), (&detailed, 12), (&tree, 12)] {
            let (length, whole) = (
                tokens::count(&summary.whole.text),
                summary.whole.input_tokens,
            );
            assert!(
                length * 100 <= whole * percent,
                "{:?}: {length} of {whole}",
                summary.level
            );
        }
    }

    #[test]
    fn a_short_text_needs_no_summary() {
        let subject = Subject {
            prior: None,
            text: "The user has a dog.".into(),
            content_type: ContentType::Conversation,
        };
        assert_eq!(summarise(None, &subject), None);
    }
}
