//! Markdown links to notes, written as wikilinks, so that one reader of links is enough.

use memory_text::places::Link;

use super::limits;

/// Returns the wikilink for a Markdown link; none when it does not lead to a note.
///
/// `folder` is the folder of the note that links, for `./` and `../`.
pub(super) fn as_wikilink(text: &str, link: &Link, folder: &[&str]) -> Option<String> {
    let target = note_name(&link.destination, folder)?;
    let shown = text[link.text.clone()].replace('\n', " ");
    let bar = if is_table_row(text, link.place.start) {
        "\\|"
    } else {
        "|"
    };
    let mark = if link.is_embed { "!" } else { "" };
    wikilink(&target, &shown, bar).map(|wikilink| format!("{mark}{wikilink}"))
}

/// Returns `[[target|shown]]`; none when the two can't be written so.
pub(super) fn wikilink(target: &str, shown: &str, bar: &str) -> Option<String> {
    let breaks_out = |part: &str| {
        part.contains("[[") || part.contains("]]") || part.starts_with('[') || part.ends_with(']')
    };
    if target.trim().is_empty()
        || target.contains(['|', '\n', '#'])
        || breaks_out(target)
        || breaks_out(shown)
    {
        return None;
    }
    Some(if shown.is_empty() || shown == target {
        format!("[[{target}]]")
    } else {
        format!("[[{target}{bar}{shown}]]")
    })
}

/// Returns the note that a destination names: a path without `.md`, as a wikilink would say it.
fn note_name(destination: &str, folder: &[&str]) -> Option<String> {
    let path = destination.split('#').next().unwrap_or_default();
    if path.contains(':') || path.starts_with(['/', '~', '\\']) {
        return None;
    }
    let path = decode_percent(path);
    let stem_length = path.len().checked_sub(3)?;
    let is_note = path
        .get(stem_length..)
        .is_some_and(|ending| ending.eq_ignore_ascii_case(".md"));
    is_note
        .then(|| resolve(&path[..stem_length], folder))
        .flatten()
}

/// Resolves `./` and `../` against the folder; none when they lead out of the root.
fn resolve(path: &str, folder: &[&str]) -> Option<String> {
    if !path.starts_with("./") && !path.starts_with("../") {
        return Some(path.to_owned());
    }
    let mut parts = folder.to_vec();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Says whether the line begins with a bar. In a line that begins far away nobody sees a table.
fn is_table_row(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[at.saturating_sub(limits::LONGEST_ROW)..at];
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    line.trim_ascii_start().starts_with(b"|")
}

/// Decodes `%20` and its like; what is no whole code, or no UTF-8, stays as written.
pub(super) fn decode_percent(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = if *first == b'%' {
            after.get(..2).and_then(hex_byte)
        } else {
            None
        };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    Some(digit(digits[0])? * 16 + digit(digits[1])?)
}

#[cfg(test)]
mod tests {
    use memory_text::places::places;

    use super::*;

    #[track_caller]
    fn check(markdown: &str, wikilink: Option<&str>) {
        let link = &places(markdown).links[0];
        assert_eq!(
            as_wikilink(markdown, link, &["a", "b"]).as_deref(),
            wikilink,
            "{markdown}"
        );
    }

    #[test]
    fn links_to_notes_become_wikilinks() {
        check("[t](N%20x.md#H)", Some("[[N x|t]]"));
        check("[N](N.md)", Some("[[N]]"));
        check("[](N.MD)", Some("[[N]]"));
        check("[t](<N x.md>)", Some("[[N x|t]]"));
        check("[t](c/N.md)", Some("[[c/N|t]]"));
        check("[t](../N.md)", Some("[[a/N|t]]"));
        check("[t](./N.md)", Some("[[a/b/N|t]]"));
        check("![t](N.md)", Some("![[N|t]]"));
        check("[计划](%E8%AE%A1.md)", Some("[[计|计划]]"));
        check("| [t](N.md) |", Some("[[N\\|t]]"));
    }

    #[test]
    fn other_links_are_left_alone() {
        for markdown in [
            "[t](https://x.y/N.md)",
            "[t](/N.md)",
            "[t](N.pdf)",
            "[t](#H)",
            "[t](mailto:a.md)",
            "[t](../../../N.md)",
            "[t](.md)",
            "[a]]b](N.md)",
        ] {
            if !places(markdown).links.is_empty() {
                check(markdown, None);
            }
        }
    }

    #[test]
    fn percent_codes_are_decoded_if_they_are_whole() {
        for (written, meant) in [
            ("a%2Fb", "a/b"),
            ("100%", "100%"),
            ("%zz%e", "%zz%e"),
            ("%ff", "%ff"),
        ] {
            assert_eq!(decode_percent(written), meant);
        }
    }
}
