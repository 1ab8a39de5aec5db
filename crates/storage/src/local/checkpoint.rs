//! The checkpoint: up to where the records of the history are complete.
//!
//! It is written over in place and never synced. After a crash it may be old, torn or missing; then more is looked at
//! than necessary.

use crate::change_set::hash;

/// The size of the file, whatever it says: it is replaced by one write.
const WIDTH: usize = 96;
/// Stands for a history file that does not exist.
const NONE: &str = "-";

/// The position behind the last complete record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checkpoint {
    /// The history file; empty if there is none.
    pub(super) log: String,
    pub(super) offset: u64,
    /// Whether a commit creates folders. If this is found later, the commit was interrupted.
    pub(super) creates_folders: bool,
}

impl Checkpoint {
    pub(super) fn render(&self) -> String {
        let log = if self.log.is_empty() { NONE } else { &self.log };
        let text = format!("{} {} {log}", self.offset, u8::from(self.creates_folders));
        let sum = hash(text.as_bytes());
        format!(
            "{:<width$}\n",
            format!("{sum:016x} {text}"),
            width = WIDTH - 1
        )
    }

    /// Reads a checkpoint; `None` if it is not whole.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?.trim_end();
        let (sum, text) = text.split_once(' ')?;
        if u64::from_str_radix(sum, 16).ok()? != hash(text.as_bytes()) {
            return None;
        }
        let mut fields = text.splitn(3, ' ');
        Some(Checkpoint {
            offset: fields.next()?.parse().ok()?,
            creates_folders: fields.next()? == "1",
            log: match fields.next()? {
                NONE => String::new(),
                log => log.to_owned(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_read_whole_or_not_at_all() {
        let checkpoint = Checkpoint {
            log: "0123456789abcdef-2026-05.jsonl".to_owned(),
            offset: 1_234_567,
            creates_folders: true,
        };
        let text = checkpoint.render();
        assert_eq!(text.len(), WIDTH);
        assert_eq!(Checkpoint::parse(text.as_bytes()), Some(checkpoint));
        assert_eq!(Checkpoint::parse(&text.as_bytes()[..40]), None);
        assert_eq!(Checkpoint::parse(text.replace('7', "8").as_bytes()), None);
        assert_eq!(Checkpoint::parse(b""), None);
    }

    #[test]
    fn a_checkpoint_without_a_history_file_is_read() {
        let checkpoint = Checkpoint {
            log: String::new(),
            offset: 0,
            creates_folders: false,
        };
        assert_eq!(
            Checkpoint::parse(checkpoint.render().as_bytes()),
            Some(checkpoint)
        );
    }
}
