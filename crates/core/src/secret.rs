//! Does a text look like it holds a credential, and how does it read without?
//!
//! A guard against accidents, not a scanner: it knows the shapes that providers give their keys
//! so that leaked ones can be found, private key blocks, and passwords inside URLs. What is found
//! and what is masked are the same places.

use std::ops::Range;

/// A provider's key: what it begins with, and how many more key characters make it one.
struct Shape {
    what: &'static str,
    prefix: &'static str,
    at_least: usize,
}

const SHAPES: &[Shape] = &[
    Shape { what: "an Anthropic API key", prefix: "sk-ant-", at_least: 20 },
    Shape { what: "an OpenAI API key", prefix: "sk-proj-", at_least: 20 },
    Shape { what: "an API key", prefix: "sk-", at_least: 32 },
    Shape { what: "a Stripe key", prefix: "sk_live_", at_least: 16 },
    Shape { what: "a Stripe key", prefix: "rk_live_", at_least: 16 },
    Shape { what: "a GitHub token", prefix: "ghp_", at_least: 30 },
    Shape { what: "a GitHub token", prefix: "gho_", at_least: 30 },
    Shape { what: "a GitHub token", prefix: "ghs_", at_least: 30 },
    Shape { what: "a GitHub token", prefix: "ghu_", at_least: 30 },
    Shape { what: "a GitHub token", prefix: "github_pat_", at_least: 30 },
    Shape { what: "a GitLab token", prefix: "glpat-", at_least: 18 },
    Shape { what: "an AWS access key", prefix: "AKIA", at_least: 16 },
    Shape { what: "an AWS access key", prefix: "ASIA", at_least: 16 },
    Shape { what: "a Google API key", prefix: "AIza", at_least: 35 },
    Shape { what: "a Slack token", prefix: "xoxb-", at_least: 20 },
    Shape { what: "a Slack token", prefix: "xoxp-", at_least: 20 },
    Shape { what: "a Slack token", prefix: "xoxa-", at_least: 20 },
    Shape { what: "a Slack token", prefix: "xapp-", at_least: 20 },
    Shape { what: "a Hugging Face token", prefix: "hf_", at_least: 30 },
    Shape { what: "an npm token", prefix: "npm_", at_least: 36 },
    Shape { what: "a PyPI token", prefix: "pypi-", at_least: 60 },
    Shape { what: "a SendGrid key", prefix: "SG.", at_least: 40 },
];

/// A credential: where it stands, and what it is.
type Found = (Range<usize>, &'static str);

/// Names the first credential that a text seems to hold.
pub fn find_secret(text: &str) -> Option<&'static str> {
    secrets(text).next().map(|(_, what)| what)
}

/// Returns the text with each credential replaced by its name, such as `[masked: a GitHub token]`.
///
/// None when there is nothing to mask. In what comes back, [`find_secret`] finds nothing.
pub fn mask_secrets(text: &str) -> Option<String> {
    let mut masked = mask_once(text)?;
    // What stood before a credential and what stood after it can make another one.
    while let Some(again) = mask_once(&masked) {
        masked = again;
    }
    Some(masked)
}

fn mask_once(text: &str) -> Option<String> {
    let mut found: Vec<Found> = secrets(text).collect();
    found.sort_by_key(|(place, _)| place.start);
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for (place, what) in &found {
        if place.start >= at {
            masked.push_str(&text[at..place.start]);
            masked.push_str(&format!("[masked: {what}]"));
        }
        at = at.max(place.end);
    }
    masked.push_str(&text[at..]);
    (!found.is_empty()).then_some(masked)
}

/// Returns every credential, the plainest kinds first; two may overlap.
fn secrets(text: &str) -> impl Iterator<Item = Found> {
    private_keys(text).chain(provider_keys(text)).chain(passwords_in_urls(text))
}

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

fn private_keys(text: &str) -> impl Iterator<Item = Found> {
    text.match_indices(BEGIN).filter_map(|(at, _)| {
        let label = at + BEGIN.len();
        let block = &text[label..];
        let block = &block[..block.find(BEGIN).unwrap_or(block.len())];
        let length = block.find("-----").filter(|length| block[..*length].ends_with("PRIVATE KEY"))?;
        Some((at..label + end_of_key(block, length + 5), "a private key"))
    })
}

/// Returns where a key block ends: after its last line, or after what still looks like a key.
fn end_of_key(block: &str, label_end: usize) -> usize {
    let below = &block[label_end..];
    if let Some(last) = below.find(END) {
        let label = last + END.len();
        return label_end + below[label..].find("-----").map_or(label, |length| label + length + 5);
    }
    let key_lines = below.split_inclusive('\n').take_while(|line| is_key_line(line));
    label_end + key_lines.map(str::len).sum::<usize>()
}

fn is_key_line(line: &str) -> bool {
    let line = line.trim();
    line.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\\'))
}

/// Looks only where key characters stand together for long enough: a text is read once, and not
/// once for each shape.
fn provider_keys(text: &str) -> impl Iterator<Item = Found> {
    let shortest = SHAPES.iter().map(|shape| shape.prefix.len() + shape.at_least).min();
    let runs = key_runs(text).filter(move |run| Some(run.len()) >= shortest);
    runs.flat_map(move |run| SHAPES.iter().flat_map(move |shape| keys_in(text, run.clone(), shape)))
}

/// Returns where key characters stand together, in the text's order.
fn key_runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.as_bytes().split(|byte| !is_key_byte(*byte)).map(move |run| {
        let start = at;
        at += run.len() + 1;
        start..start + run.len()
    })
}

fn keys_in(text: &str, run: Range<usize>, shape: &'static Shape) -> impl Iterator<Item = Found> {
    let end = run.end;
    text[run.clone()].match_indices(shape.prefix).filter_map(move |(offset, _)| {
        let at = run.start + offset;
        let body = &text[at + shape.prefix.len()..end];
        let starts_a_word = !text[..at].ends_with(|c: char| c.is_alphanumeric());
        let has_digit = body.contains(|c: char| c.is_ascii_digit());
        let is_key = starts_a_word && has_digit && body.len() >= shape.at_least;
        is_key.then_some((at..end, shape.what))
    })
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
}

fn passwords_in_urls(text: &str) -> impl Iterator<Item = Found> {
    text.match_indices("://").filter_map(|(at, _)| {
        let begin = at + 3;
        let authority = text[begin..].split(ends_authority).next().unwrap_or_default();
        let (user_info, _host) = authority.rsplit_once('@')?;
        let (user, password) = user_info.split_once(':')?;
        let place = begin + user.len() + 1..begin + user_info.len();
        is_real_password(password).then_some((place, "a password in a URL"))
    })
}

fn ends_authority(c: char) -> bool {
    c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'' | '<' | '>' | '\\')
}

/// Placeholders such as `<password>`, `$PASSWORD`, `{password}` and `***` give nothing away.
fn is_real_password(password: &str) -> bool {
    !password.is_empty()
        && !password.starts_with(['$', '{', '%', '['])
        && !password.chars().all(|c| matches!(c, '*' | 'x' | 'X' | '.'))
        && !["password", "pass", "secret"].contains(&password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_recognised() {
        // Put together here, so that no scanner takes this file for a leak.
        let key =
            |prefix: &str, length: usize| format!("{prefix}{}", "a1B2c3D4e5".repeat(8)[..length].to_owned());
        assert_eq!(find_secret(&key("sk-ant-", 40)), Some("an Anthropic API key"));
        assert_eq!(find_secret(&format!("token={} ok", key("ghp_", 36))), Some("a GitHub token"));
        assert_eq!(find_secret(&key("AKIA", 16)), Some("an AWS access key"));
        let block = ["-----BEGIN RSA ", "PRIVATE KEY-----\\nMII"].concat();
        assert_eq!(find_secret(&block), Some("a private key"));
        let chain = ["-----BEGIN CERTIFICATE-----x", &block].concat();
        assert_eq!(find_secret(&chain), Some("a private key"));
        let url = ["postgres://app:", "hunter2@db.example.com/x"].concat();
        assert_eq!(find_secret(&url), Some("a password in a URL"));
    }

    #[test]
    fn everyday_text_is_not_mistaken_for_one() {
        for text in [
            "use sk-learn and risk-aware code",
            "https://example.com/a:b@c",
            "postgres://app:$PASSWORD@db/x and https://user@example.com",
            "-----BEGIN PUBLIC KEY-----",
            "the hash npm_config_registry, ghp_short",
            r#"{"jwt": "..."}"#,
        ] {
            assert_eq!(find_secret(text), None, "{text}");
        }
    }

    #[track_caller]
    fn check_masked(text: &str, masked: &str) {
        assert_eq!(mask_secrets(text).as_deref(), Some(masked));
        assert_eq!(find_secret(masked), None, "{masked}");
    }

    #[test]
    fn a_masked_text_names_what_was_there_and_keeps_the_rest() {
        let key = ["sk-", "proj-", "a1B2c3D4e5a1B2c3D4e5"].concat();
        check_masked(
            &format!("密钥 {key}, twice: {key}."),
            "密钥 [masked: an OpenAI API key], twice: [masked: an OpenAI API key]",
        );
        let url = ["see postgres://app:", "hunter2@db.example.com/x now"].concat();
        check_masked(&url, "see postgres://app:[masked: a password in a URL]@db.example.com/x now");
        let both = format!("a://{key}:{key}@b");
        check_masked(&both, "a://[masked: an OpenAI API key]:[masked: an OpenAI API key]@b");
        assert_eq!(mask_secrets("nothing to see"), None);
    }

    #[test]
    fn a_private_key_is_masked_to_its_end_or_as_far_as_it_looks_like_one() {
        let begin = ["-----BEGIN RSA ", "PRIVATE KEY-----"].concat();
        let end = ["-----END RSA ", "PRIVATE KEY-----"].concat();
        check_masked(
            &format!("a\n{begin}\nProc-Type: 4\n\nMIIB+/=\n{end}\nb"),
            "a\n[masked: a private key]\nb",
        );
        check_masked(&format!("{begin}\nMIIB\nMIIC==\nand so on"), "[masked: a private key]and so on");
        check_masked(&format!("{begin} is how it starts"), "[masked: a private key] is how it starts");
        let made_by_masking = format!("-----BEGIN x {begin}{end} PRIVATE KEY-----");
        check_masked(&made_by_masking, "[masked: a private key]");
    }

    proptest::proptest! {
        #[test]
        fn no_secret_is_left_by_masking(parts in proptest::collection::vec(planted(), 0..12)) {
            let text = parts.concat();
            match mask_secrets(&text) {
                Some(masked) => assert_eq!(find_secret(&masked), None, "{text:?} became {masked:?}"),
                None => assert_eq!(find_secret(&text), None),
            }
        }
    }

    fn planted() -> impl proptest::strategy::Strategy<Value = String> {
        use proptest::prelude::*;
        let prefixes: Vec<&str> = SHAPES.iter().map(|shape| shape.prefix).collect();
        let pieces = ["-----BEGIN ", "PRIVATE KEY", "-----", "-----END ", "://", "u:", "hunter2", "@", "/"];
        prop_oneof![
            prop::sample::select(prefixes).prop_map(str::to_owned),
            prop::sample::select(pieces.to_vec()).prop_map(str::to_owned),
            Just("a1B2c3D4e5".repeat(8)),
            "[ \n.中é:a1-]{0,4}",
        ]
    }
}
