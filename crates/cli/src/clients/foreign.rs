//! What may be shown of somebody else's server: enough to know it by, and none of its secrets.
//!
//! Headers, variables and arguments of a server hold keys. A flag may be followed by one, so what
//! stands behind a flag is not shown; nor is what an address has beside its host and path.

use serde_json::Value;

/// Where clients keep the address of a server that is not started.
const ADDRESSES: [&str; 3] = ["url", "httpUrl", "serverUrl"];
/// Flags that nothing belongs to.
const HARMLESS: [&str; 2] = ["-y", "--yes"];

/// Returns how an entry is shown to people.
pub(super) fn shown(entry: &Value, words: &[String]) -> String {
    let address = ADDRESSES.iter().find_map(|name| entry[name].as_str());
    match (words.is_empty(), address.and_then(bare_address)) {
        (false, _) => bare_words(words),
        (true, Some(address)) => address,
        (true, None) => "another kind of server".to_owned(),
    }
}

fn bare_words(words: &[String]) -> String {
    let is_plain = |word: &str| {
        HARMLESS.contains(&word)
            || !(word.starts_with('-') || word.contains(|c: char| c == '=' || c.is_whitespace()))
    };
    let plain = words.iter().map_while(|word| {
        if word.contains("://") {
            bare_address(word)
        } else {
            is_plain(word).then(|| word.clone())
        }
    });
    let mut shown: Vec<String> = plain.collect();
    if shown.len() < words.len() {
        shown.push("…".to_owned());
    }
    shown.join(" ")
}

/// Returns an address without user, query and fragment.
fn bare_address(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    Some(format!("{scheme}://{host}{path}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(entry: &Value, expected: &str) {
        let words = entry["words"].as_array().cloned().unwrap_or_default();
        let words: Vec<String> = words
            .iter()
            .filter_map(|word| Some(word.as_str()?.to_owned()))
            .collect();
        let told = shown(entry, &words);
        assert_eq!(told, expected);
        assert!(!told.contains("SECRET"));
    }

    #[test]
    fn a_server_is_shown_without_its_secrets() {
        let headers = json!({"Authorization": "Bearer SECRET"});
        check(
            &json!({"url": "https://me:SECRET@x.example/mcp?key=SECRET#SECRET", "headers": headers}),
            "https://x.example/mcp",
        );
        check(
            &json!({"httpUrl": "https://x.example", "headers": headers}),
            "https://x.example",
        );
        check(&json!({"headers": headers}), "another kind of server");
        check(&json!({"url": "SECRET"}), "another kind of server");
        check(
            &json!({"words": ["npx", "server-memory"]}),
            "npx server-memory",
        );
        check(
            &json!({"words": ["npx", "-y", "@x/memory", "--key", "SECRET"]}),
            "npx -y @x/memory …",
        );
        check(
            &json!({"words": ["docker", "run", "-e", "KEY=SECRET", "image"]}),
            "docker run …",
        );
        check(&json!({"words": ["env", "KEY=SECRET", "run"]}), "env …");
        check(
            &json!({"words": ["mcp-remote", "https://SECRET@x.example/?k=SECRET"]}),
            "mcp-remote https://x.example/",
        );
    }
}
