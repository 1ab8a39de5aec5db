//! Where a setting goes in a text, and as what: the one splice that a change consists of.

use std::ops::Range;

use granit_parser::ScalarStyle;

use super::{Refusal, lines};
use crate::config::table::is_below;
use crate::config::yaml::{Body, Document, Node};

/// How far a section is indented where the file does not show its own way.
const INDENT: usize = 2;

/// Bytes to put in the place of others.
#[derive(Debug)]
pub(super) struct Splice {
    pub(super) at: Range<usize>,
    pub(super) with: String,
}

/// Plans to set a key: where it stands, below the nearest section that is there, or at the end.
pub(super) fn set(
    text: &str,
    document: &Document,
    key: &str,
    value: &str,
) -> Result<Splice, Refusal> {
    if let Some(node) = document.nodes.iter().find(|node| node.key == key) {
        return over(text, node, value);
    }
    let above = document
        .nodes
        .iter()
        .filter(|node| is_below(key, &node.key))
        .max_by_key(|node| node.key.len());
    let Some(section) = above else {
        let names: Vec<&str> = key.split('.').collect();
        return Ok(match document.braces {
            Some(inside) => between_braces(document.nodes.is_empty(), inside, &names, value),
            None => at_the_end(text, document, &names, value),
        });
    };
    let names: Vec<&str> = key[section.key.len() + 1..].split('.').collect();
    match &section.body {
        Body::Text(..) | Body::List(_) => {
            let why = format!(
                "'{}' is not a section, so it cannot contain '{key}'",
                section.key
            );
            Err(Refusal::ByHand {
                line: section.line,
                why,
            })
        }
        Body::Braces(at) => {
            let is_empty = !document
                .nodes
                .iter()
                .any(|node| is_below(&node.key, &section.key));
            Ok(between_braces(is_empty, at.start + 1, &names, value))
        }
        Body::Nothing(at) if section.in_braces => {
            Ok(fill(text, section, at, &braced(&names, value)))
        }
        Body::Nothing(at) => Ok(into_empty(text, section, at, &names, value)),
        Body::Block => Ok(into_block(text, document, section, &names, value)),
    }
}

/// Puts a value in the place of another, quoted as that was.
fn over(text: &str, node: &Node, value: &str) -> Result<Splice, Refusal> {
    match &node.body {
        Body::Nothing(at) => Ok(fill(text, node, at, &plain(value))),
        // What began on lines of its own comes up to its name.
        Body::Text(_, ScalarStyle::Literal | ScalarStyle::Folded, at) | Body::List(at) => {
            let end = text[..at.end].trim_end().len();
            Ok(Splice {
                at: colon_after(text, node)..end,
                with: format!(" {}", plain(value)),
            })
        }
        Body::Text(_, ScalarStyle::DoubleQuoted, at) => Ok(Splice {
            at: at.clone(),
            with: quoted(value),
        }),
        Body::Text(_, ScalarStyle::SingleQuoted, at) if !value.contains(char::is_control) => {
            Ok(Splice {
                at: at.clone(),
                with: format!("'{}'", value.replace('\'', "''")),
            })
        }
        Body::Text(_, _, at) => Ok(Splice {
            at: at.clone(),
            with: plain(value),
        }),
        Body::Block | Body::Braces(_) => {
            let why = format!("'{}' is a section", node.key);
            Err(Refusal::ByHand {
                line: node.line,
                why,
            })
        }
    }
}

/// Puts a value where a name has none yet.
fn fill(text: &str, node: &Node, nothing: &Range<usize>, value: &str) -> Splice {
    if !nothing.is_empty() {
        return Splice {
            at: nothing.clone(),
            with: value.to_owned(),
        };
    }
    let rest = &text[node.at.end..];
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    if rest[blanks..].starts_with(':') {
        let after = node.at.end + blanks + 1;
        Splice {
            at: after..after,
            with: format!(" {value}"),
        }
    } else {
        Splice {
            at: node.at.end..node.at.end,
            with: format!(": {value}"),
        }
    }
}

fn between_braces(is_empty: bool, inside: usize, names: &[&str], value: &str) -> Splice {
    let braced = braced(names, value);
    let field = &braced[1..braced.len() - 1];
    let with = if is_empty {
        field.to_owned()
    } else {
        format!("{field}, ")
    };
    Splice {
        at: inside..inside,
        with,
    }
}

/// Adds lines below a section that has none, and takes a word for nothing away.
fn into_empty(
    text: &str,
    section: &Node,
    nothing: &Range<usize>,
    names: &[&str],
    value: &str,
) -> Splice {
    let indent = column(text, section) + INDENT;
    let from = if nothing.is_empty() {
        lines::end(text, section.at.end)
    } else {
        text[..nothing.start].trim_end_matches([' ', '\t']).len()
    };
    let line_end = lines::end(text, from);
    let rest = if nothing.is_empty() {
        ""
    } else {
        &text[nothing.end..line_end]
    };
    let ending = lines::ending(text);
    let block = block(names, value, indent, INDENT, ending);
    let with = format!(
        "{rest}{ending}{}",
        block.strip_suffix(ending).unwrap_or(&block)
    );
    Splice {
        at: from..line_end,
        with,
    }
}

/// Adds lines at the end of a section, indented as its others are.
fn into_block(
    text: &str,
    document: &Document,
    section: &Node,
    names: &[&str],
    value: &str,
) -> Splice {
    let inside = || {
        document
            .nodes
            .iter()
            .filter(|node| is_below(&node.key, &section.key))
    };
    let indent = inside().next().map_or(INDENT, |first| column(text, first));
    let step = indent.saturating_sub(column(text, section)).max(1);
    let last = inside().map(end_of).max().unwrap_or(section.at.end);
    let at = lines::after_comments(text, lines::next(text, last), indent);
    insert(
        text,
        at,
        &block(names, value, indent, step, lines::ending(text)),
    )
}

fn at_the_end(text: &str, document: &Document, names: &[&str], value: &str) -> Splice {
    let indent = document
        .nodes
        .first()
        .map_or(0, |first| column(text, first));
    insert(
        text,
        document.end,
        &block(names, value, indent, INDENT, lines::ending(text)),
    )
}

/// Inserts lines at the start of a line, or after a last line that has no end yet.
fn insert(text: &str, at: usize, block: &str) -> Splice {
    let is_open = at > 0 && !text[..at].ends_with('\n');
    let before = if is_open { lines::ending(text) } else { "" };
    Splice {
        at: at..at,
        with: format!("{before}{block}"),
    }
}

/// Renders names below each other, the last one with the value.
fn block(names: &[&str], value: &str, indent: usize, step: usize, ending: &str) -> String {
    let last = names.len().saturating_sub(1);
    let line = |(depth, name): (usize, &&str)| {
        let value = if depth == last {
            format!(" {}", plain(value))
        } else {
            String::new()
        };
        format!(
            "{:blanks$}{name}:{value}{ending}",
            "",
            blanks = indent + depth * step
        )
    };
    names.iter().enumerate().map(line).collect()
}

/// Renders names within braces, the innermost one with the value.
fn braced(names: &[&str], value: &str) -> String {
    names
        .iter()
        .rev()
        .fold(plain(value), |inner, name| format!("{{{name}: {inner}}}"))
}

/// Renders a value without quotes if every reader then takes it for what it is.
fn plain(value: &str) -> String {
    let is_quiet =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '~' | ' ');
    let starts_well =
        value.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '~' | '_'));
    let is_word = !matches!(value, "~" | "null" | "Null" | "NULL") && !value.ends_with(' ');
    if starts_well && is_word && value.chars().all(is_quiet) {
        value.to_owned()
    } else {
        quoted(value)
    }
}

/// JSON's strings are YAML's.
fn quoted(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

/// Plans to take out a key and what is below it.
pub(super) fn unset(text: &str, document: &Document, key: &str) -> Option<Splice> {
    let node = document.nodes.iter().find(|node| node.key == key)?;
    let below = document
        .nodes
        .iter()
        .filter(|other| is_below(&other.key, key));
    let end = below.map(end_of).fold(end_of(node), usize::max);
    let at = if node.in_braces {
        with_comma(text, node.at.start, end.max(colon_after(text, node)))
    } else {
        lines::start(text, node.at.start)..lines::next(text, end)
    };
    Some(Splice {
        at,
        with: String::new(),
    })
}

/// Widens the range of a field between braces to one comma beside it.
fn with_comma(text: &str, start: usize, end: usize) -> Range<usize> {
    let rest = text[end..].trim_start();
    match rest.strip_prefix(',') {
        Some(rest) => start..text.len() - rest.trim_start_matches(' ').len(),
        None => {
            text[..start]
                .trim_end()
                .strip_suffix(',')
                .map_or(start, str::len)..end
        }
    }
}

fn colon_after(text: &str, node: &Node) -> usize {
    let rest = &text[node.at.end..];
    rest.trim_start_matches(' ')
        .strip_prefix(':')
        .map_or(node.at.end, |after| text.len() - after.len())
}

fn end_of(node: &Node) -> usize {
    match &node.body {
        Body::Nothing(at) | Body::Text(_, _, at) | Body::List(at) | Body::Braces(at) => {
            at.end.max(node.at.end)
        }
        Body::Block => node.at.end,
    }
}

fn column(text: &str, node: &Node) -> usize {
    node.at.start - lines::start(text, node.at.start)
}
