//! Which bytes of a TOML text belong to a table: its lines, or its part of an inline table.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_edit::{InlineTable, Item, Table, Value};

use super::super::edit::Edit;

/// Returns the lines of a table that has a header, of a value on a line of its own, or of dotted
/// names, and of the tables below it. They do not overlap.
pub(super) fn of_table(text: &str, entry: Option<&Item>) -> Vec<Range<usize>> {
    let mut spans = match entry {
        Some(Item::Value(value)) => value
            .span()
            .map(|span| lines(text, &span))
            .into_iter()
            .collect(),
        Some(Item::Table(table)) => of_headed(text, table),
        _ => vec![],
    };
    spans.sort_by_key(|span| span.start);
    spans.into_iter().fold(vec![], merge)
}

fn merge(mut merged: Vec<Range<usize>>, span: Range<usize>) -> Vec<Range<usize>> {
    match merged.last_mut() {
        Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
        _ => merged.push(span),
    }
    merged
}

fn of_headed(text: &str, table: &Table) -> Vec<Range<usize>> {
    let values = values(table);
    let has_header = !table.is_implicit() && !table.is_dotted();
    let own = match table.span() {
        Some(header) if has_header => {
            let end = values
                .iter()
                .map(|value| value.end)
                .fold(header.end, usize::max);
            vec![with_gap(text, &lines(text, &(header.start..end)))]
        }
        _ => values.iter().map(|value| lines(text, value)).collect(),
    };
    let below = table.iter().flat_map(|(_, item)| match item {
        Item::Table(table) if !table.is_dotted() => of_headed(text, table),
        Item::ArrayOfTables(tables) => tables
            .iter()
            .flat_map(|table| of_headed(text, table))
            .collect(),
        _ => vec![],
    });
    own.into_iter().chain(below).collect()
}

/// Returns where the values are that stand in a table itself, dotted names included.
fn values(table: &Table) -> Vec<Range<usize>> {
    let items = table.iter().flat_map(|(_, item)| match item {
        Item::Value(value) => value.span().into_iter().collect(),
        Item::Table(table) if table.is_dotted() => values(table),
        _ => vec![],
    });
    items.collect()
}

/// Returns the whole lines of a span, with the break after the last.
fn lines(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let start = if start == 0 {
        text.len() - text.trim_start_matches(super::MARK).len()
    } else {
        start
    };
    let end = text[span.end..]
        .find('\n')
        .map_or(text.len(), |at| span.end + at + 1);
    start..end
}

/// Returns some lines together with the empty one before them; at an end without a line break, with
/// the break before them too: what was added there goes as it came.
fn with_gap(text: &str, span: &Range<usize>) -> Range<usize> {
    let without_break = |text: &str| {
        let line = text
            .strip_suffix('\n')
            .map(|line| line.strip_suffix('\r').unwrap_or(line));
        line.map(str::len)
    };
    let mut start = span.start;
    if let Some(line) = without_break(&text[..start])
        && text[..line]
            .trim_end_matches(['\r'])
            .ends_with(['\n', super::MARK])
    {
        start = line;
    }
    if span.end == text.len() && !text.ends_with('\n') {
        start = without_break(&text[..start]).unwrap_or(start);
    }
    start..span.end
}

/// Returns an item of an inline table together with the one comma that was its own.
pub(super) fn of_inline(list: &InlineTable, name: &str) -> Option<Range<usize>> {
    let items = items(list)?;
    let n = list.iter().position(|(other, _)| other == name)?;
    let own = items[n].clone();
    Some(
        match (
            n.checked_sub(1).map(|before| &items[before]),
            items.get(n + 1),
        ) {
            (Some(before), _) => before.end..own.end,
            (None, Some(after)) => own.start..after.start,
            (None, None) => own,
        },
    )
}

/// Returns the edit that adds an item to an inline table.
pub(super) fn insertion(list: &InlineTable, item: &str) -> Option<Edit> {
    match items(list)?.last() {
        Some(last) => Some(Edit::insert(last.end, format!(", {item}"))),
        None => Some(Edit::insert(list.span()?.start + 1, item)),
    }
}

/// Returns where each item of an inline table stands, its name included.
fn items(list: &InlineTable) -> Option<Vec<Range<usize>>> {
    list.iter()
        .map(|(name, value)| Some(list.key(name)?.span()?.start..end(value)?))
        .collect()
}

fn end(value: &Value) -> Option<usize> {
    match value.as_inline_table().filter(|table| table.is_dotted()) {
        Some(table) => table.iter().map(|(_, value)| end(value)).max()?,
        None => Some(value.span()?.end),
    }
}

/// Returns the bytes of every value that is no table, by the way to it.
pub(super) fn leaves<'t>(
    text: &'t str,
    item: &Item,
    way: &[String],
) -> BTreeMap<Vec<String>, &'t str> {
    let deeper = |name: &str| [way, &[name.to_owned()]].concat();
    match (item, item.as_table_like()) {
        (_, Some(table)) => table
            .iter()
            .flat_map(|(name, item)| leaves(text, item, &deeper(name)))
            .collect(),
        (Item::ArrayOfTables(tables), _) => {
            let tables = tables
                .iter()
                .map(|table| Item::Table(table.clone()))
                .enumerate();
            tables
                .flat_map(|(n, table)| leaves(text, &table, &deeper(&n.to_string())))
                .collect()
        }
        (item, _) => {
            let bytes = item.span().and_then(|span| text.get(span));
            bytes
                .map(|bytes| (way.to_owned(), bytes))
                .into_iter()
                .collect()
        }
    }
}
