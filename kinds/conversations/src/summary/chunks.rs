//! A long text cut into chunks that overlap, so that nothing is lost between two of them.

use memory_text::tokens;

use crate::limits;

/// Cuts a text at its lines and sentences into chunks of at most [`limits::CHUNK_TOKENS`], each of
/// which begins with the last [`limits::OVERLAP_TOKENS`] of the one before.
pub(super) fn split(text: &str) -> Vec<String> {
    let pieces = pieces(text);
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < pieces.len() {
        let end = reach(&pieces, start);
        chunks.push(pieces[start..end].concat().trim().to_owned());
        if end == pieces.len() {
            break;
        }
        start = overlap(&pieces, start, end);
    }
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

/// Returns where the chunk that begins at `start` ends: at least one piece further.
fn reach(pieces: &[&str], start: usize) -> usize {
    let mut length = 0;
    for (n, piece) in pieces.iter().enumerate().skip(start) {
        length += tokens::count(piece);
        if length > limits::CHUNK_TOKENS && n > start {
            return n;
        }
    }
    pieces.len()
}

/// Returns where the next chunk begins: a little before the last one ended, and after it began.
fn overlap(pieces: &[&str], start: usize, end: usize) -> usize {
    let mut length = 0;
    let mut at = end;
    while at > start + 1 {
        length += tokens::count(pieces[at - 1]);
        if length > limits::OVERLAP_TOKENS {
            break;
        }
        at -= 1;
    }
    at
}

/// Cuts after line ends and the ends of sentences, and a sentence without end wherever it must be.
fn pieces(text: &str) -> Vec<&str> {
    const LONGEST: usize = limits::OVERLAP_TOKENS;
    let mut pieces = Vec::new();
    for sentence in text.split_inclusive(['\n', '.', '!', '?', '。', '！', '？']) {
        let mut rest = sentence;
        while let Some((at, _)) = rest.char_indices().nth(LONGEST) {
            pieces.push(&rest[..at]);
            rest = &rest[at..];
        }
        pieces.push(rest);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_fit_overlap_and_lose_nothing() {
        let text: String = (0..2_000)
            .map(|n| format!("Sentence number {n} stands here.\n"))
            .collect();
        let chunks = split(&text);
        assert!(chunks.len() > 5);
        for chunk in &chunks {
            assert!(tokens::count(chunk) <= limits::CHUNK_TOKENS + limits::OVERLAP_TOKENS);
        }
        for pair in chunks.windows(2) {
            let first = pair[1].lines().next().unwrap();
            assert!(
                pair[0].contains(first),
                "the next chunk begins within the last"
            );
        }
        for n in 0..2_000 {
            let sentence = format!("number {n} stands");
            assert!(
                chunks.iter().any(|chunk| chunk.contains(&sentence)),
                "{sentence}"
            );
        }
    }

    #[test]
    fn a_text_without_any_end_is_cut_all_the_same() {
        let chunks = split(&"长".repeat(10_000));
        assert!(chunks.len() > 4 && chunks.iter().all(|chunk| tokens::count(chunk) <= 2_200));
    }
}
