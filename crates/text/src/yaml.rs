//! The little YAML that the head of a note needs: scalars and lists of them, read and written.
//!
//! What we write ourselves is read here, and so is most of what others write. A field in another
//! form (anchors, nested maps, multi-line strings) is not understood: reading it gives none.

use memory_steps::count;

/// Reads the field's value as one scalar; `null`, `~` and nothing at all are none.
pub fn scalar(lines: &str) -> Option<String> {
    count(lines.len());
    let value = value_of(lines)?;
    let mut rest = lines.lines().skip(1);
    if rest.all(is_blank) {
        plain_or_quoted(value)
    } else {
        None
    }
}

/// Reads the field's value as a list: a block list, a flow list, or a single scalar.
///
/// None when it is something else; `null` and nothing at all are an empty list.
pub fn list(lines: &str) -> Option<Vec<String>> {
    count(lines.len());
    let value = value_of(lines)?;
    let below: Vec<&str> = lines
        .lines()
        .skip(1)
        .filter(|line| !is_blank(line))
        .collect();
    match (value, below.is_empty()) {
        ("" | "null" | "~" | "Null" | "NULL", true) => Some(vec![]),
        ("", false) => below.iter().map(|line| item(line)).collect(),
        (flow, true) if flow.starts_with('[') => flow_list(flow),
        (_, true) => scalar(lines).map(|only| vec![only]),
        _ => None,
    }
}

fn item(line: &str) -> Option<String> {
    let text = line.trim_start().strip_prefix('-')?;
    if !text.is_empty() && !text.starts_with([' ', '\t']) {
        return None;
    }
    // An unquoted `null` among tags is a word, not nothing.
    let text = strip_comment(text.trim());
    let is_map = !text.starts_with(['"', '\'']) && (text.contains(": ") || text.ends_with(':'));
    (!is_map).then(|| plain_or_quoted(text).unwrap_or_else(|| text.to_owned()))
}

fn flow_list(flow: &str) -> Option<Vec<String>> {
    let inside = flow.strip_prefix('[')?.strip_suffix(']')?;
    let mut items = Vec::new();
    let mut rest = inside.trim();
    while !rest.is_empty() {
        let end = end_of_item(rest)?;
        count(1 + end);
        let text = rest[..end].trim();
        items.push(plain_or_quoted(text).unwrap_or_else(|| text.to_owned()));
        rest = rest[end..]
            .strip_prefix(',')
            .unwrap_or_default()
            .trim_start();
    }
    Some(items)
}

/// Returns where the first item of a flow list ends; none when it is a list or map itself.
fn end_of_item(rest: &str) -> Option<usize> {
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some(quote) = quote else {
        let end = rest.find(',').unwrap_or(rest.len());
        return (!rest[..end].contains(['[', '{', '"'])).then_some(end);
    };
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            c if c == quote => {
                let after = at + 1;
                return Some(after + rest[after..].find(',').unwrap_or(rest.len() - after));
            }
            _ => {}
        }
    }
    None
}

/// Returns what stands after the name and its colon, without a comment.
fn value_of(lines: &str) -> Option<&str> {
    let first = lines.lines().next()?;
    let after_name = match first.chars().next()? {
        quote @ ('"' | '\'') => first[1..]
            .split_once(quote)?
            .1
            .trim_start()
            .strip_prefix(':')?,
        _ => first.split_once(':')?.1,
    };
    Some(strip_comment(after_name.trim()))
}

fn strip_comment(text: &str) -> &str {
    if text.starts_with(['"', '\'']) {
        return text;
    }
    match text.strip_prefix('#') {
        Some(_) => "",
        None => text.find(" #").map_or(text, |at| text[..at].trim_end()),
    }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

/// Reads a scalar on one line; none when it is nothing, or a form that we do not know.
fn plain_or_quoted(text: &str) -> Option<String> {
    match text.chars().next()? {
        '"' => double_quoted(text),
        '\'' => single_quoted(text),
        '|' | '>' | '&' | '*' | '!' | '{' | '[' | '%' | '@' | '`' => None,
        _ if matches!(text, "null" | "~" | "Null" | "NULL") => None,
        _ => Some(text.to_owned()),
    }
}

fn single_quoted(text: &str) -> Option<String> {
    let inside = text.strip_prefix('\'')?.strip_suffix('\'')?;
    Some(inside.replace("''", "'"))
}

fn double_quoted(text: &str) -> Option<String> {
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '"' => return None,
            '\\' => match chars.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                'x' => hex(&mut chars, 2)?,
                'u' => hex(&mut chars, 4)?,
                'U' => hex(&mut chars, 8)?,
                plain @ ('"' | '\\' | '/' | ' ') => plain,
                _ => return None,
            },
            other => other,
        });
    }
    Some(out)
}

fn hex(chars: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let text: String = chars.take(digits).collect();
    let is_whole = text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_whole {
        return None;
    }
    char::from_u32(u32::from_str_radix(&text, 16).ok()?)
}

/// Writes a string so that every YAML reader reads it as that string.
pub fn write_scalar(text: &str) -> String {
    if is_safe_plain(text) {
        text.to_owned()
    } else {
        write_quoted(text)
    }
}

/// Writes an id of letters, digits, `-` and `_`, which is plain unless a reader sees a number or a
/// day in it.
pub fn write_id(id: &str) -> String {
    let is_odd = is_numeric(id)
        || NOT_STRINGS.contains(&id.to_lowercase().as_str())
        || id
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'_'));
    if is_odd || id.starts_with('-') {
        write_quoted(id)
    } else {
        id.to_owned()
    }
}

/// Writes a field with a list: one item a line, or an empty flow list.
pub fn write_list(name: &str, items: &[String]) -> String {
    match items {
        [] => format!("{name}: []\n"),
        items => {
            let lines: String = items
                .iter()
                .map(|item| format!("  - {}\n", write_scalar(item)))
                .collect();
            format!("{name}:\n{lines}")
        }
    }
}

fn write_quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Words that a YAML reader takes for something else than a string.
const NOT_STRINGS: [&str; 12] = [
    "null", "~", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf",
];

fn is_safe_plain(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '/' | '.'));
    let reads_as_text = !NOT_STRINGS.contains(&text.to_lowercase().as_str());
    let is_plain = !text.contains([
        ':', '#', '"', '\'', '\\', '\u{2028}', '\u{2029}', '\u{feff}',
    ]) && !text
        .contains(|c: char| c.is_control() || matches!(c, ',' | '[' | ']' | '{' | '}'));
    starts_well && reads_as_text && is_plain && text.trim() == text && !is_numeric(text)
}

/// `.5`, `1e3` and the like: digits that a reader would take for a number.
fn is_numeric(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(items: &[&str]) -> Option<Vec<String>> {
        Some(items.iter().map(|item| (*item).to_owned()).collect())
    }

    #[test]
    fn scalars_are_read_plain_and_quoted() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(scalar("source: claude\n"), some("claude"));
        assert_eq!(scalar("a: \"x: \\\"y\\\" \\u4e2d\"\n"), some("x: \"y\" 中"));
        assert_eq!(scalar("a: 'it''s'\r\n"), some("it's"));
        assert_eq!(scalar("a: b # comment\n\n"), some("b"));
        assert_eq!(scalar("a: http://x#y\n"), some("http://x#y"));
        assert_eq!(scalar("\"odd: name\": x\n"), some("x"));
        for none in [
            "a:\n",
            "a: null\n",
            "a: ~\n",
            "a: |\n  text\n",
            "a: &x b\n",
            "a: {b: c}\n",
            "a: \"open\n",
        ] {
            assert_eq!(scalar(none), None, "{none}");
        }
    }

    #[test]
    fn lists_are_read_in_every_usual_form() {
        assert_eq!(
            list("tags:\n  - a\n  - \"b c\"\n- null\n"),
            words(&["a", "b c", "null"])
        );
        assert_eq!(
            list("tags: [a, 'b, c', \"d\"]\n"),
            words(&["a", "b, c", "d"])
        );
        assert_eq!(list("tags: one\n"), words(&["one"]));
        assert_eq!(list("tags: []\n"), words(&[]));
        assert_eq!(list("tags:\n"), words(&[]));
        assert_eq!(list("tags: null\n"), words(&[]));
        assert_eq!(list("tags:\n  - a: b\n"), None);
        assert_eq!(list("tags: [[a], b]\n"), None);
        assert_eq!(list("tags:\n  deep: 1\n"), None);
    }

    #[test]
    fn special_strings_are_quoted_and_plain_ones_are_not() {
        for text in ["claude", "agent", "中文", "_x", "two words", "a-b"] {
            assert_eq!(write_scalar(text), text);
        }
        for text in [
            "",
            "null",
            "True",
            "yes",
            "1.5",
            "1e3",
            "- a",
            "a: b",
            "#a",
            " a",
            "a ",
            "@x",
            "a,b",
            "it's",
            "[x]",
            "2026-05-07",
        ] {
            assert_eq!(write_scalar(text), format!("\"{text}\""), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_string_comes_back(text in "\\PC{0,20}|[\\x00-\\x7f]{0,10}") {
            let field = format!("a: {}\n", write_scalar(&text));
            assert_eq!(scalar(&field), Some(text.clone()));
            assert_eq!(list(&write_list("a", &[text.clone(), text.clone()])), Some(vec![text.clone(), text]));
        }

        #[test]
        fn no_field_makes_it_panic(lines in "[-a:\"'\\[\\]{}|&#, \\\\\n中x0]{0,40}") {
            let _ = (scalar(&lines), list(&lines));
        }
    }
}
