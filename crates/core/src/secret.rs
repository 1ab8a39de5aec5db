//! Does a text look like it holds a credential?
//!
//! A guard against accidents, not a scanner: it knows the shapes that providers give their keys
//! so that leaked ones can be found, private key blocks, and passwords inside URLs.

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

/// Names the first credential that a text seems to hold.
pub fn find_secret(text: &str) -> Option<&'static str> {
    private_key(text).or_else(|| provider_key(text)).or_else(|| password_in_url(text))
}

fn private_key(text: &str) -> Option<&'static str> {
    let mut labels = text.split("-----BEGIN ").skip(1).filter_map(|after| after.split_once("-----"));
    labels.any(|(label, _)| label.ends_with("PRIVATE KEY")).then_some("a private key")
}

fn provider_key(text: &str) -> Option<&'static str> {
    SHAPES.iter().find(|shape| has_shape(text, shape)).map(|shape| shape.what)
}

fn has_shape(text: &str, shape: &Shape) -> bool {
    text.match_indices(shape.prefix).any(|(at, _)| {
        let starts_a_word = !text[..at].ends_with(|c: char| c.is_alphanumeric());
        let body = &text[at + shape.prefix.len()..];
        let length = body.find(|c: char| !is_key_char(c)).unwrap_or(body.len());
        starts_a_word && length >= shape.at_least && body[..length].contains(|c: char| c.is_ascii_digit())
    })
}

fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

fn password_in_url(text: &str) -> Option<&'static str> {
    let found = text.match_indices("://").any(|(at, _)| {
        let authority = text[at + 3..].split(ends_authority).next().unwrap_or_default();
        let Some((user_info, _host)) = authority.rsplit_once('@') else { return false };
        user_info.split_once(':').is_some_and(|(_, password)| is_real_password(password))
    });
    found.then_some("a password in a URL")
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
}
