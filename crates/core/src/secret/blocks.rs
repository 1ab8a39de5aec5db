//! Private keys that stand on lines of their own, behind a line that says what they are.

use memory_steps::count;

use super::Found;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";
/// The longest label of a block, such as `RSA PRIVATE KEY`, in bytes.
const LABEL_BYTES: usize = 64;

const PUTTY: &str = "PuTTY-User-Key-File-";
const PUTTY_KEY: &str = "Private-Lines:";
/// How far the private lines of such a file are from its beginning, at most.
const PUTTY_HEAD_BYTES: usize = 8_192;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    count(2 * text.len());
    let mut begins = text.match_indices(BEGIN).map(|(at, _)| at).peekable();
    while let Some(at) = begins.next() {
        let block = &text[at..begins.peek().copied().unwrap_or(text.len())];
        if let Some(label_end) = end_of_private_label(block) {
            found.push((at..at + end_of_key(block, label_end), "a private key"));
        }
    }
    let mut begins = text.match_indices(PUTTY).map(|(at, _)| at).peekable();
    while let Some(at) = begins.next() {
        let file = &text[at..begins.peek().copied().unwrap_or(text.len())];
        let head = &file.as_bytes()[..file.len().min(PUTTY_HEAD_BYTES)];
        count(head.len());
        let key = head
            .windows(PUTTY_KEY.len())
            .position(|bytes| bytes == PUTTY_KEY.as_bytes());
        if let Some(line_end) = key.and_then(|key| Some(key + file[key..].find('\n')? + 1)) {
            found.push((
                at..at + line_end + length_of_key_lines(&file[line_end..]),
                "a private key",
            ));
        }
    }
}

/// Returns where the first line of a private key's block ends.
fn end_of_private_label(block: &str) -> Option<usize> {
    let label = block[BEGIN.len()..].bytes().take(LABEL_BYTES);
    let length = label
        .take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ')
        .count();
    let (label, rest) = block[BEGIN.len()..].split_at(length);
    count(length);
    let is_private = label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK");
    (is_private && rest.starts_with(DASHES)).then_some(BEGIN.len() + length + DASHES.len())
}

/// Returns where a key block ends: after its last line, or after what still looks like a key.
fn end_of_key(block: &str, label_end: usize) -> usize {
    let below = &block[label_end..];
    count(below.len());
    if let Some(last) = below.find(END) {
        let label = last + END.len();
        return label_end
            + below[label..]
                .find(DASHES)
                .map_or(label, |length| label + length + DASHES.len());
    }
    label_end + length_of_key_lines(below)
}

fn length_of_key_lines(text: &str) -> usize {
    text.split_inclusive('\n')
        .take_while(|line| is_key_line(line))
        .map(str::len)
        .sum()
}

fn is_key_line(line: &str) -> bool {
    let line = line.trim();
    count(line.len());
    line.bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\\'))
}
