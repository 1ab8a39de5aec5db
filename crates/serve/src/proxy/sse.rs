//! Server-sent events, read as their bytes come, however they are cut.

use crate::limits::EVENT_BYTES;

/// Reads a stream of events and hands on the data of each.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// The line that has no end yet.
    line: Vec<u8>,
    /// The data of the event that has no end yet.
    data: Option<String>,
    /// Whether a `\n` would only complete the `\r` before it.
    after_return: bool,
    /// Whether an event was so long that it is no longer kept.
    is_lost: bool,
    has_begun: bool,
}

impl Events {
    /// Takes the next bytes; calls `event` with the data of each event that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8], mut event: impl FnMut(&str)) {
        let mut rest = bytes;
        if let Some((first, others)) = rest.split_first()
            && std::mem::take(&mut self.after_return)
            && *first == b'\n'
        {
            rest = others;
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.extend(&rest[..end]);
            let is_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            match (is_return, rest.first()) {
                (true, Some(b'\n')) => rest = &rest[1..],
                (true, None) => self.after_return = true,
                _ => {}
            }
            self.end_line(&mut event);
        }
        self.extend(rest);
    }

    /// Takes the end of the stream: a last event needs no empty line after it.
    pub(super) fn finish(&mut self, mut event: impl FnMut(&str)) {
        self.end_line(&mut event);
        self.end_line(&mut event);
    }

    /// Says whether nothing is half said: an event could follow here.
    pub(super) fn is_between(&self) -> bool {
        self.line.is_empty() && self.data.is_none() && !self.is_lost
    }

    fn extend(&mut self, bytes: &[u8]) {
        if self.line.len() + bytes.len() > EVENT_BYTES {
            self.lose()
        } else {
            self.line.extend_from_slice(bytes)
        }
    }

    fn lose(&mut self) {
        self.line.clear();
        self.data = None;
        self.is_lost = true;
    }

    fn end_line(&mut self, event: &mut impl FnMut(&str)) {
        let line = std::mem::take(&mut self.line);
        let mut text = String::from_utf8_lossy(&line);
        if !std::mem::replace(&mut self.has_begun, true) {
            text = text.trim_start_matches('\u{feff}').to_owned().into();
        }
        if text.is_empty() {
            if let Some(data) = self.data.take()
                && !self.is_lost
            {
                event(&data);
            }
            self.is_lost = false;
        } else if let Some(value) = value_of(&text, "data") {
            self.add(value);
        }
        self.line = line;
        self.line.clear();
    }

    fn add(&mut self, value: &str) {
        match &mut self.data {
            Some(data) if data.len() + value.len() > EVENT_BYTES => self.lose(),
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            none => *none = Some(value.to_owned()),
        }
    }
}

/// Returns the value of a line if it is this field's; a comment has no name at all.
fn value_of<'a>(line: &'a str, field: &str) -> Option<&'a str> {
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    (name == field).then(|| value.strip_prefix(' ').unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a stream that is cut after every `step` bytes.
    fn read(stream: &[u8], step: usize) -> Vec<String> {
        let (mut events, mut heard) = (Events::default(), Vec::new());
        for piece in stream.chunks(step) {
            events.feed(piece, |data| heard.push(data.to_owned()));
        }
        events.finish(|data| heard.push(data.to_owned()));
        heard
    }

    #[track_caller]
    fn check(stream: &str, expected: &[&str]) {
        for step in [1, 2, 3, 7, stream.len()] {
            assert_eq!(
                read(stream.as_bytes(), step),
                expected,
                "cut after every {step} bytes"
            );
        }
    }

    #[test]
    fn an_event_is_the_same_wherever_its_bytes_are_cut() {
        check(
            "data: {\"a\":1}\n\ndata: [DONE]\n\n",
            &["{\"a\":1}", "[DONE]"],
        );
        check("data: größer 😀 大\n\n", &["größer 😀 大"]);
    }

    #[test]
    fn lines_end_in_each_of_the_three_ways() {
        check("data: a\r\n\r\ndata: b\r\rdata: c\n\n", &["a", "b", "c"]);
        check("data: a\r\ndata: b\r\n\r\n", &["a\nb"]);
    }

    #[test]
    fn comments_and_other_fields_say_nothing_and_lines_of_one_event_belong_together() {
        check(
            ": ping\n\nevent: x\nid: 7\ndata:a\ndata:  b\ndata\n\n:\n\nretry: 5\n\n",
            &["a\n b\n"],
        );
    }

    #[test]
    fn a_stream_may_end_without_an_empty_line_and_begin_with_a_mark() {
        check("\u{feff}data: a\n\ndata: b", &["a", "b"]);
        check("\n\n:\n", &[]);
    }

    #[test]
    fn an_event_without_end_is_not_kept_and_the_next_one_is_read() {
        let (mut events, mut heard) = (Events::default(), Vec::new());
        let long = vec![b'x'; EVENT_BYTES / 4];
        events.feed(b"data: ", |_| {});
        for _ in 0..6 {
            events.feed(&long, |data| heard.push(data.len()));
        }
        assert!(events.line.len() <= EVENT_BYTES);
        events.feed(b"\n\ndata: b\n\n", |data| heard.push(data.len()));
        assert_eq!(heard, [1]);
        assert!(events.is_between());
    }
}
