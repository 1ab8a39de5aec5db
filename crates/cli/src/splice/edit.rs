//! The edits that put an item into a list or take one out of it, as places and texts.

use std::ops::Range;

use serde_json::Value;

use super::layout::{Layout, indent_if_first, indent_of_line};
use super::scan::{Node, Shape, skip};

/// Some bytes of a text, and what stands there afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) span: Range<usize>,
    pub(super) text: String,
}

impl Edit {
    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Edit {
            span: at..at,
            text: text.into(),
        }
    }

    pub(super) fn delete(span: Range<usize>) -> Self {
        Edit {
            span,
            text: String::new(),
        }
    }
}

/// Returns the text after some edits that do not overlap.
pub(super) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.span.start);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for edit in &edits {
        out.push_str(&text[from..edit.span.start]);
        out.push_str(&edit.text);
        from = edit.span.end;
    }
    out + &text[from..]
}

/// Puts another value in the place of one.
pub(super) fn replace(text: &str, layout: &Layout, node: &Node, value: &Value) -> Vec<Edit> {
    let is_tall =
        text[node.span.clone()].contains('\n') || (!layout.is_dense() && value_is_tall(value));
    let rendered = if is_tall {
        layout.tall(value, indent_of_line(text, node.span.start))
    } else {
        value.to_string()
    };
    vec![Edit {
        span: node.span.clone(),
        text: rendered,
    }]
}

fn value_is_tall(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| !fields.is_empty())
}

/// Adds a member, or an element if it has no name, at the end of a list. Nothing is taken away.
pub(super) fn add(
    text: &str,
    layout: &Layout,
    list: &Node,
    name: Option<&str>,
    value: &Value,
) -> Vec<Edit> {
    let items = list.items();
    let own_line = items
        .first()
        .map(|first| indent_if_first(text, first.start).map(str::to_owned));
    let base = indent_of_line(text, list.span.start);
    // The indentation of a line of its own; none when the item stands on the line of the others.
    let indent = match own_line {
        Some(own_line) => own_line,
        None => (!layout.is_dense()).then(|| layout.deeper(base)),
    };
    let label = name.map(|name| Value::from(name).to_string());
    let close = list.span.end - 1;
    let content_end = text[..close].trim_end().len();
    let mut edits = Vec::new();
    // Where the last item has a comma, so has the new one: it can go again without a trace.
    let has_comma = items
        .last()
        .is_some_and(|last| comma_after(text, last).is_some());
    let comma = if has_comma { "," } else { "" };
    if !has_comma && let Some(last) = items.last() {
        edits.push(Edit::insert(last.end, ","));
    }
    match indent {
        Some(indent) => {
            let label = label.map(|label| format!("{label}: ")).unwrap_or_default();
            let item = format!("{label}{}{comma}", layout.tall(value, &indent));
            edits.push(Edit::insert(
                content_end,
                format!("{}{item}", layout.new_line(&indent)),
            ));
            if !text[content_end..close].contains('\n') {
                edits.push(Edit::insert(close, layout.new_line(base)));
            }
        }
        None => {
            let ends_in_comment = text[content_end..close].contains('\n');
            let gap = match (ends_in_comment, items.is_empty() || !text.contains(", ")) {
                (true, _) => layout.new_line(base),
                (false, true) => String::new(),
                (false, false) => " ".to_owned(),
            };
            let label = label.map(|label| format!("{label}:")).unwrap_or_default();
            edits.push(Edit::insert(
                content_end,
                format!("{gap}{label}{value}{comma}"),
            ));
        }
    }
    edits
}

/// Takes the item with this number out of a list, together with the one comma that was its own.
pub(super) fn drop_item(text: &str, list: &Node, n: usize) -> Vec<Edit> {
    let items = list.items();
    let item = items[n].clone();
    let inner = list.span.start + 1..list.span.end - 1;
    let own_comma = comma_after(text, &item);
    let is_blank = |span: Range<usize>| text[span].trim().is_empty();
    let after_item = own_comma.map_or(item.end, |comma| comma + 1);
    if is_blank(inner.start..item.start)
        && is_blank(after_item..inner.end)
        && is_blank_but_comma(text, &item, own_comma)
    {
        return vec![Edit::delete(inner)];
    }
    let begin = line_start(text, item.start)
        .filter(|end| !would_join_a_comment(&text[..*end], &text[item.end..]))
        .unwrap_or_else(|| text[..item.start].trim_end_matches(' ').len());
    let mut edits = vec![Edit::delete(begin..item.end)];
    match (own_comma, n.checked_sub(1)) {
        (Some(comma), before) => {
            // The first of a line leaves no gap behind.
            let gap = text[comma + 1..].len() - text[comma + 1..].trim_start_matches(' ').len();
            let is_inline = begin == inner.start
                && before.is_none()
                && !text[comma + 1 + gap..].starts_with(['\n', '\r']);
            edits.push(Edit::delete(
                comma..comma + 1 + if is_inline { gap } else { 0 },
            ));
        }
        (None, Some(before)) => {
            edits.extend(
                comma_after(text, &items[before]).map(|comma| Edit::delete(comma..comma + 1)),
            );
        }
        (None, None) => {}
    }
    edits
}

/// Says whether the line before may end with a comment that would swallow what follows on this one.
fn would_join_a_comment(before: &str, after: &str) -> bool {
    let last_line = before.rsplit('\n').next().unwrap_or_default();
    let rest = after.split('\n').next().unwrap_or_default();
    last_line.contains("//") && !rest.trim().trim_start_matches(',').is_empty()
}

fn is_blank_but_comma(text: &str, item: &Range<usize>, comma: Option<usize>) -> bool {
    comma.is_none_or(|comma| text[item.end..comma].trim().is_empty())
}

/// Returns where the comma after an item stands.
fn comma_after(text: &str, item: &Range<usize>) -> Option<usize> {
    let at = skip(text, item.end);
    text[at..].starts_with(',').then_some(at)
}

/// Returns the end of the line before, if a place is the first on its own.
fn line_start(text: &str, at: usize) -> Option<usize> {
    let indent = indent_if_first(text, at)?;
    let line = at - indent.len();
    let before = text[..line].strip_suffix('\n')?;
    Some(before.strip_suffix('\r').unwrap_or(before).len())
}

/// Returns the list's item with a name or a number.
pub(super) fn position(list: &Node, step: &super::Step) -> Result<Option<usize>, &'static str> {
    match (&list.shape, step) {
        (Shape::Object(members), super::Step::Key(name)) => {
            let mut found = members
                .iter()
                .enumerate()
                .filter(|(_, member)| member.name == *name);
            let first = found.next().map(|(n, _)| n);
            if found.next().is_some() {
                Err("occurs twice")
            } else {
                Ok(first)
            }
        }
        (Shape::Array(nodes), super::Step::Index(n)) if *n <= nodes.len() => {
            Ok((*n < nodes.len()).then_some(*n))
        }
        (_, super::Step::Key(_)) => Err("is not an object"),
        (_, super::Step::Index(_)) => Err("is not a list"),
    }
}

/// Returns the value of an item.
pub(super) fn child(list: &Node, n: usize) -> Option<&Node> {
    match &list.shape {
        Shape::Object(members) => members.get(n).map(|member| &member.value),
        Shape::Array(nodes) => nodes.get(n),
        Shape::Scalar(_) => None,
    }
}
