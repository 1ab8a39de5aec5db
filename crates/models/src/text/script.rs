//! In which script a text is written, so that no model votes on what it can't read.

/// The scripts that a model was taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// Latin letters alone.
    Latin,
    /// Chinese characters; Latin letters are read too, but little understood.
    Chinese,
    /// Whatever there is.
    Any,
}

/// A Chinese character says as much as so many Latin letters.
const LETTERS_IN_A_CHARACTER: usize = 3;

impl Script {
    /// Returns the script of a name in a model's description.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "latin" => Script::Latin,
            "chinese" => Script::Chinese,
            _ => Script::Any,
        }
    }

    /// Says whether most of what a text says is written in this script.
    pub(crate) fn can_read(self, text: &str) -> bool {
        if self == Script::Any {
            return true;
        }
        memory_steps::count(text.len());
        let (mut read, mut unread) = (0usize, 0usize);
        for c in text.chars().filter(|c| c.is_alphanumeric()) {
            let weight = if is_ideograph(c) {
                LETTERS_IN_A_CHARACTER
            } else {
                1
            };
            if self.has(c) {
                read += weight
            } else {
                unread += weight
            }
        }
        read >= unread && read > 0
    }

    fn has(self, c: char) -> bool {
        match self {
            Script::Latin => is_latin(c),
            Script::Chinese => is_ideograph(c) || c.is_ascii_digit(),
            Script::Any => true,
        }
    }
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// Says whether a character is a Chinese one, by the blocks that BERT's tokenizer sets apart.
pub(crate) fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}' | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_reads_what_is_mostly_in_its_script() {
        for text in [
            "When did we move?",
            "Привет from the team in Berlin",
            "用 PostgreSQL 和 Redis",
        ] {
            assert!(Script::Latin.can_read(text), "{text}");
        }
        for text in [
            "我们什么时候搬家",
            "用 Redis 做缓存数据库",
            "Привет",
            "",
            "!?",
        ] {
            assert!(!Script::Latin.can_read(text), "{text}");
        }
        assert!(Script::Chinese.can_read("用 Redis 做缓存数据库"));
        assert!(!Script::Chinese.can_read("When did we move?"));
        assert!(Script::Any.can_read("Привет"));
    }
}
