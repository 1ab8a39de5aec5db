//! `errors.md`: every error code with its exit status.

use std::fmt::Write as _;

use memory_core::Code;

use super::{check, heading};

#[test]
fn the_error_codes() {
    let mut page = heading("Error codes");
    page.push_str(INTRODUCTION);
    page.push_str("| code | exit status | situation |\n|---|---|---|\n");
    for code in Code::ALL {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} |",
            code.as_str(),
            code.exit_status(),
            situation(code)
        );
    }
    check("errors.md", &page);
}

const INTRODUCTION: &str = r#"Every failure has a code. The list is closed: programs can rely on it. Bank commands, `memory agent`, and every other
command with `--json` print a failure to standard error as one JSON object; commands for people print a sentence.

```json
{"error": {"code": "KEY_NOT_FOUND", "message": "Key 'context' does not exist in bank 'session'", "bank": "session", "key": "context", "scope": "user"}}
```

`code` and `message` are always present. `hint` says what to do next, and further members name the objects of the sentence
(`bank`, `key`, `path`, …). Over MCP, the socket and `memory agent`, a tool returns the same object.

| exit status | meaning |
|---|---|
| 0 | success |
| 1 | failure: damaged files, I/O errors, errors of another server |
| 2 | usage error |
| 3 | not found |
| 4 | conflict with the present state |
| 5 | refused by a limit, a permission or a rule |

`bank query` ends with the exit statuses of `jq` instead for errors of the filter: 3 if it does not compile, 5 if it fails.
`memory serve --status` ends with 3 if no daemon runs. `memory hook` always ends with 0.

"#;

fn situation(code: Code) -> &'static str {
    match code {
        Code::BankNotFound => "The bank does not exist in the scope.",
        Code::KeyNotFound => "The bank has no such key.",
        Code::InvalidBankName => {
            "The name of the bank does not match `^[a-z][a-z0-9_-]*$` or has more than 64 characters."
        }
        Code::InvalidJson => "The input is not valid JSON.",
        Code::PermissionDenied => "The operating system refuses access to a file.",
        Code::Conflict => {
            "Other processes changed the same object or held its lock for the whole waiting time."
        }
        Code::TtlExpired => "The time to live of the entry has ended.",
        Code::InvalidKey => "The key is empty, too long, or contains control characters.",
        Code::InvalidArgument => {
            "An argument, a parameter or a setting has a value that is not accepted."
        }
        Code::KeyExists => "`--create-only` was given and the key exists.",
        Code::InvalidFilter => "The jq filter does not compile or fails.",
        Code::FilterLimit => "The jq filter reached its limit of time, memory or output.",
        Code::InvalidPattern => "The regular expression does not compile or is too large.",
        Code::ValueTooLarge => "The value or text exceeds its size limit.",
        Code::BankTooLarge => {
            "The bank file would exceed its size limit, or is too large to be read."
        }
        Code::TooManyKeys => "The bank would hold more keys than its limit.",
        Code::LimitExceeded => "Another limit would be exceeded; the message names it.",
        Code::SchemaViolation => "The value does not satisfy the JSON Schema of the bank.",
        Code::CorruptBank => "The bank file is damaged; `memory bank repair` salvages it.",
        Code::Corrupted => {
            "A file of another kind is damaged; `memory doctor --fix` or the kind's `repair` command salvages it."
        }
        Code::UnsupportedVersion => "The file was written by a newer version of the format.",
        Code::UnsafePath => "The path leads through a symbolic link, or belongs to another user.",
        Code::AmbiguousScope => "The object exists in both scopes; `--scope` selects one.",
        Code::AmbiguousId => "The prefix matches several ids.",
        Code::NotFound => "The note, record, conversation, entry or step does not exist.",
        Code::ConfirmationRequired => "The command removes a whole object and was not confirmed.",
        Code::SecretDetected => {
            "The text looks like a credential; `--allow-secret` stores it anyway."
        }
        Code::NoSpace => "The disk is full.",
        Code::IoError => "The operating system reports another error for a file.",
        Code::UpstreamError => "A language model, an embedding server or a download server failed.",
    }
}
