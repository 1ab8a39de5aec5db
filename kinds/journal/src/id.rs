//! The id of a record, and the short forms of it that people type.

use std::fmt;

/// The id of a record.
///
/// Invariant: a UUID of version 4, as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(String);

/// Where the hyphens of a UUID stand.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];
const LENGTH: usize = 36;
/// How much of an id lists show.
const SHOWN: usize = 8;

impl RecordId {
    /// Accepts a UUID of version 4; none for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let fits = |(at, byte): (usize, &u8)| {
            if HYPHENS.contains(&at) {
                *byte == b'-'
            } else {
                byte.is_ascii_hexdigit()
            }
        };
        let is_uuid = bytes.len() == LENGTH && bytes.iter().enumerate().all(fits);
        let is_v4 = is_uuid
            && bytes[14] == b'4'
            && matches!(bytes[19], b'8' | b'9' | b'a' | b'b' | b'A' | b'B');
        is_v4.then(|| RecordId(text.to_owned()))
    }

    /// Returns the whole id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the beginning that lists show.
    pub fn short(&self) -> &str {
        &self.0[..SHOWN]
    }

    /// Says whether a text is this id or its beginning, in either case.
    pub(crate) fn starts_with(&self, prefix: &str) -> bool {
        self.0
            .get(..prefix.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(prefix))
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_uuid_of_version_4_is_an_id() {
        assert!(RecordId::parse("550e8400-e29b-41d4-a716-446655440000").is_some());
        for text in [
            "",
            "550e8400",
            "550e8400-e29b-11d4-a716-446655440000",
            "550e8400-e29b-41d4-c716-446655440000",
            "550e8400e29b41d4a716446655440000",
            "550e8400-e29b-41d4-a716-44665544000g",
            "550e8400-e29b-41d4-a716-4466554400000",
            "../../../etc/passwd",
        ] {
            assert!(RecordId::parse(text).is_none(), "{text}");
        }
    }
}
