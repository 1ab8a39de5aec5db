//! Does a text look like it holds a credential, and how does it read without?
//!
//! A guard against accidents, not a scanner: it knows the shapes that providers give their keys
//! so that leaked ones can be found, private key blocks, values that are assigned to the names of
//! credentials, and passwords inside URLs. What is found and what is masked are the same places.
//! A text is read a fixed number of times, whatever stands in it.

mod assigned;
mod blocks;
mod links;
mod random;
mod shapes;

use std::ops::Range;

use memory_steps::count;

/// A credential: where it stands, and what it is.
type Found = (Range<usize>, &'static str);

/// Names the first credential that a text seems to hold.
pub fn find_secret(text: &str) -> Option<&'static str> {
    secrets(text).first().map(|(_, what)| *what)
}

/// Returns the text with each credential replaced by its name, such as `[masked: a GitHub token]`.
///
/// None when there is nothing to mask. In what comes back, [`find_secret`] finds nothing: no
/// credential has a bracket or a space in it, so none can be made of what stood on both sides.
pub fn mask_secrets(text: &str) -> Option<String> {
    let mut found = secrets(text);
    // Of those that begin at one place, the plainest stays first.
    found.sort_by_key(|(place, _)| place.start);
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for (place, what) in &found {
        count(1);
        if place.start >= at {
            masked.push_str(&text[at..place.start]);
            masked.push_str("[masked: ");
            masked.push_str(what);
            masked.push(']');
        }
        at = at.max(place.end);
    }
    masked.push_str(&text[at..]);
    (!found.is_empty()).then_some(masked)
}

/// Returns every credential, the plainest kinds first; two may overlap.
fn secrets(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    blocks::find(text, &mut found);
    shapes::find(text, &mut found);
    links::find(text, &mut found);
    assigned::find(text, &mut found);
    found
}

/// Says whether a word can begin at a place: no ASCII letter or digit stands before it.
///
/// Scripts without spaces, such as Chinese, write a key right behind a word.
fn starts_word(text: &str, at: usize) -> bool {
    !text.as_bytes()[..at]
        .last()
        .is_some_and(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use memory_steps::Growth;

    use super::*;

    #[test]
    fn credentials_are_recognised() {
        // Put together here, so that no scanner takes this file for a leak.
        let key = |prefix: &str, length: usize| {
            format!("{prefix}{}", "a1B2c3D4e5".repeat(8)[..length].to_owned())
        };
        assert_eq!(
            find_secret(&key("sk-ant-", 40)),
            Some("an Anthropic API key")
        );
        assert_eq!(
            find_secret(&format!("token={} ok", key("ghp_", 36))),
            Some("a GitHub token")
        );
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

    /// Returns the lines of a list whose number is odd or even.
    fn half(list: &str, remainder: usize) -> Vec<String> {
        let lines = list
            .lines()
            .filter(|line| !line.starts_with("# ") && !line.is_empty())
            .enumerate();
        let lines = lines.filter(|(n, _)| n % 2 == remainder);
        lines
            .map(|(_, line)| line.replace('¦', "").replace("\\n", "\n"))
            .collect()
    }

    /// Counts the lines of one half of both lists that are judged wrongly.
    fn check_half(remainder: usize) {
        let secrets = half(include_str!("../../tests/data/secrets.txt"), remainder);
        let values = secrets.iter().filter_map(|line| line.split_once('\t'));
        let missed: Vec<&str> = values
            .filter(|(_, value)| find_secret(value).is_none())
            .map(|(name, _)| name)
            .collect();
        let missed_share = missed.len() as f64 / secrets.len() as f64;
        assert!(
            missed_share <= 0.05,
            "{missed_share:.3} of {}: {missed:?}",
            secrets.len()
        );
        let ordinary = half(include_str!("../../tests/data/ordinary.txt"), remainder);
        let alarms: Vec<&String> = ordinary
            .iter()
            .filter(|line| find_secret(line).is_some())
            .collect();
        let alarm_share = alarms.len() as f64 / ordinary.len() as f64;
        assert!(
            alarm_share <= 0.02,
            "{alarm_share:.3} of {}: {alarms:#?}",
            ordinary.len()
        );
    }

    #[test]
    fn the_forms_that_the_rules_were_made_with_are_told_from_ordinary_text() {
        check_half(0);
    }

    #[test]
    fn the_other_forms_are_told_from_ordinary_text() {
        check_half(1);
    }

    #[test]
    fn a_text_of_any_shape_is_scanned_and_masked_in_linear_time() {
        let key = "a1B2c3D4e5".repeat(4);
        let block = ["-----BEGIN RSA ", "PRIVATE KEY-----\n"].concat();
        let units = [
            "sk-",
            "hf_",
            "pa-",
            "eyJ-",
            "eyJ.",
            "ghp_a1",
            "-----BEGIN x ",
            "-----END ",
            "://",
            "://u:p@h/",
            "a:b@",
            "token=",
            "token=a1b2c3d4e5f6",
            "Bearer ",
            "Bearer\n",
            "hooks.slack.com/services/",
            "Q~1",
            "key-",
            "AKIA",
            "PuTTY-User-Key-File-",
            "Private-Lines:",
            "a",
            "1",
            ".",
            " ",
            "密",
            "password: \"",
        ];
        let check = |unit: &str| {
            let text = |n: usize| unit.repeat(n);
            let found = Growth::of(2_000, text, |text| {
                assert!(find_secret(&text).is_none_or(|what| !what.is_empty()))
            });
            assert!(found.is_linear(), "{unit}: {found:?}");
            let masked = Growth::of(2_000, text, |text| drop(mask_secrets(&text)));
            assert!(masked.is_linear(), "{unit}: {masked:?}");
        };
        units.into_iter().for_each(check);
        for unit in [
            &block,
            &format!("{block}MII=\n"),
            &format!("ghp_{key} "),
            &format!("sk-proj-{key}-"),
        ] {
            check(unit);
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
        check_masked(
            &url,
            "see postgres://app:[masked: a password in a URL]@db.example.com/x now",
        );
        let both = format!("a://{key}:{key}@b");
        check_masked(
            &both,
            "a://[masked: an OpenAI API key]:[masked: an OpenAI API key]@b",
        );
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
        check_masked(
            &format!("{begin}\nMIIB\nMIIC==\nand so on"),
            "[masked: a private key]and so on",
        );
        check_masked(
            &format!("{begin} is how it starts"),
            "[masked: a private key] is how it starts",
        );
        let nested = format!("-----BEGIN x {begin}{end} PRIVATE KEY-----");
        check_masked(
            &nested,
            "-----BEGIN x [masked: a private key] PRIVATE KEY-----",
        );
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
        let prefixes = shapes::prefixes();
        let pieces = [
            "-----BEGIN ",
            "PRIVATE KEY",
            "-----",
            "-----END ",
            "://",
            "u:",
            "hunter2",
            "@",
            "/",
            "token=",
            "Bearer ",
        ];
        prop_oneof![
            prop::sample::select(prefixes).prop_map(str::to_owned),
            prop::sample::select(pieces.to_vec()).prop_map(str::to_owned),
            Just("a1B2c3D4e5".repeat(8)),
            "[ \n.中é:a1-]{0,4}",
        ]
    }
}
