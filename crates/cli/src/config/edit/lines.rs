//! Lines of a text: where they begin and end, how they are ended, how far they are indented.

/// Returns where the line begins in which a byte stands.
pub(super) fn start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Returns where the next line begins; a place that already begins a line is that one.
pub(super) fn next(text: &str, at: usize) -> usize {
    if text[..at].ends_with('\n') {
        at
    } else {
        text[at..]
            .find('\n')
            .map_or(text.len(), |newline| at + newline + 1)
    }
}

/// Returns where the text of a line ends, before its line break.
pub(super) fn end(text: &str, at: usize) -> usize {
    let line = &text[at..][..text[at..].find('\n').unwrap_or(text.len() - at)];
    at + line.strip_suffix('\r').unwrap_or(line).len()
}

/// Returns how the text ends its lines, as far as it shows.
pub(super) fn ending(text: &str) -> &'static str {
    match text.find('\n') {
        Some(newline) if text[..newline].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Returns the first line from `at` on that is no comment indented so far at least.
pub(super) fn after_comments(text: &str, at: usize, indent: usize) -> usize {
    let mut here = at;
    for line in text[at..].split_inclusive('\n') {
        let inside = line.trim_start_matches(' ');
        if line.len() - inside.len() < indent || !inside.starts_with('#') {
            break;
        }
        here += line.len();
    }
    here
}
