//! How a file is laid out, so that what is added to it looks as if it had always been there.

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::scan::Node;

/// The habits of a file.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    line_break: &'static str,
    unit: String,
    /// The whole file is on one line.
    is_dense: bool,
}

impl Layout {
    /// Looks at a file's outermost value.
    pub(super) fn of(text: &str, root: &Node) -> Self {
        let first = root.items().first().cloned();
        let own_line = first
            .as_ref()
            .and_then(|item| indent_if_first(text, item.start));
        Layout {
            line_break: if text.contains("\r\n") { "\r\n" } else { "\n" },
            unit: own_line
                .filter(|indent| !indent.is_empty())
                .unwrap_or("  ")
                .to_owned(),
            is_dense: first.is_some() && own_line.is_none() && !text.trim().contains('\n'),
        }
    }

    pub(super) fn is_dense(&self) -> bool {
        self.is_dense
    }

    /// Returns a line break and the white space that the next line begins with.
    pub(super) fn new_line(&self, indent: &str) -> String {
        format!("{}{indent}", self.line_break)
    }

    /// Returns one step more of indentation.
    pub(super) fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.unit)
    }

    /// Renders a value over several lines, the first of which is indented already.
    pub(super) fn tall(&self, value: &Value, indent: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.unit.as_bytes());
        let rendered = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
        match (rendered, String::from_utf8(bytes)) {
            (Ok(()), Ok(text)) => text.replace('\n', &self.new_line(indent)),
            _ => value.to_string(),
        }
    }
}

/// Returns the white space before a place if nothing else stands before it on its line.
pub(super) fn indent_if_first(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n').map(|n| n + 1)?;
    let before = &text[line..at];
    before
        .bytes()
        .all(|byte| matches!(byte, b' ' | b'\t'))
        .then_some(before)
}

/// Returns the white space that the line of a place begins with.
pub(super) fn indent_of_line(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let rest = &text[line..at];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}
