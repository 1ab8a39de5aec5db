//! Credentials inside addresses, or behind a fixed beginning that ends with a mark.

use memory_steps::count;

use super::Found;
use super::random::looks_random;

/// Whoever knows what follows one of these may post, or pay.
const SECRET_PATHS: &[(&str, &str)] = &[
    ("hooks.slack.com/services/", "a Slack webhook"),
    ("hooks.slack.com/workflows/", "a Slack webhook"),
    ("discord.com/api/webhooks/", "a Discord webhook"),
    ("discordapp.com/api/webhooks/", "a Discord webhook"),
    ("webhook.office.com/webhookb2/", "a Teams webhook"),
    ("access_token$production$", "a Braintree token"),
    ("FlyV1 ", "a Fly.io token"),
];
/// The fewest characters of such a path, and how many are looked at.
const PATH_BYTES: usize = 30;
const LOOKED_AT: usize = 256;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    passwords(text, found);
    for (marker, what) in SECRET_PATHS {
        count(text.len());
        let mut end = 0;
        for (at, _) in text.match_indices(marker) {
            let begin = at + marker.len();
            let path = text.as_bytes()[begin..].iter().take(LOOKED_AT);
            let length = path
                .take_while(|byte| byte.is_ascii_graphic() && !b"\"'`<>\\".contains(byte))
                .count();
            count(length);
            let is_secret = length >= PATH_BYTES && has_key(&text[begin..begin + length]);
            if at >= end && is_secret {
                end = begin + length;
                found.push((begin..end, what));
            }
        }
    }
}

/// Says whether a part of a path is a key.
fn has_key(path: &str) -> bool {
    path.split(['/', '$', '@', '-', '_', '+'])
        .any(|part| part.len() >= 12 && looks_random(part))
}

fn passwords(text: &str, found: &mut Vec<Found>) {
    count(text.len());
    for (at, _) in text.match_indices("://") {
        let begin = at + 3;
        // An authority ends at the next slash, so no two of them share a character.
        let authority = text[begin..]
            .split(ends_authority)
            .next()
            .unwrap_or_default();
        count(authority.len());
        let Some((user_info, _host)) = authority.rsplit_once('@') else {
            continue;
        };
        let Some((user, password)) = user_info.split_once(':') else {
            continue;
        };
        if is_real_password(password) {
            found.push((
                begin + user.len() + 1..begin + user_info.len(),
                "a password in a URL",
            ));
        }
    }
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
