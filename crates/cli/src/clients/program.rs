//! Our own program as others start it: as a list of words, and as a line for a shell.

use std::path::Path;

/// The program and the flags that it must always be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    path: String,
    flags: Vec<String>,
}

/// The name that our program has wherever it lies.
const NAME: &str = "memory";

impl Program {
    pub(crate) fn new(path: &Path, flags: Vec<String>) -> Self {
        Program { path: path.to_string_lossy().into_owned(), flags }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns what makes it an MCP server.
    pub(crate) fn server_arguments(&self) -> Vec<String> {
        self.flags.iter().cloned().chain(["mcp".to_owned()]).collect()
    }

    /// Returns the line that a client's hook gives to a shell.
    pub(crate) fn hook_line(&self, agent: &str) -> String {
        let words = [&self.path].into_iter().chain(&self.flags).map(|word| quoted(word));
        let words: Vec<String> = words.chain(["hook".into(), "--agent".into(), agent.into()]).collect();
        words.join(" ")
    }
}

/// Says whether these words start our server, whatever the folder it lay in.
pub(crate) fn is_our_server(words: &[&str]) -> bool {
    words.split_first().is_some_and(|(program, rest)| is_ours(program) && rest.contains(&"mcp"))
}

/// Says whether a shell's line runs our hook.
pub(crate) fn is_our_hook(line: &str) -> bool {
    let words = split(line);
    words
        .split_first()
        .is_some_and(|(program, rest)| is_ours(program) && rest.iter().any(|word| word == "hook"))
}

fn is_ours(program: &str) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == NAME)
}

/// Quotes a word for a shell, if it needs to be.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Splits a line into words as a shell does, as far as quotes go.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_the_shell_is_known_again_wherever_the_program_lies() {
        for path in ["/usr/bin/memory", "/Users/Ann Lee/it's/bin/memory"] {
            let program = Program::new(Path::new(path), vec!["--root".into(), "/a b".into()]);
            assert!(is_our_hook(&program.hook_line("claude")), "{}", program.hook_line("claude"));
            assert_eq!(split(&program.hook_line("claude"))[..3], [path, "--root", "/a b"]);
        }
        assert_eq!(
            Program::new(Path::new("/x/memory"), vec![]).hook_line("gemini"),
            "/x/memory hook --agent gemini"
        );
        for other in ["memory-bank hook", "echo memory hook", "memory list", ""] {
            assert!(!is_our_hook(other), "{other}");
        }
    }

    #[test]
    fn another_server_called_memory_is_not_ours() {
        assert!(is_our_server(&["/old/memory", "mcp", "--tools", "all"]));
        assert!(!is_our_server(&["npx", "-y", "@modelcontextprotocol/server-memory"]));
        assert!(!is_our_server(&["/x/memory", "serve"]));
    }
}
