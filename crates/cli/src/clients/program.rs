//! Our own program as others start it: as a list of words, and as a line for a shell.

use std::path::Path;

use super::Finder;

/// The program and the flags that it must always be given.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    path: String,
    flags: Vec<String>,
    finder: Finder,
}

/// The name that our program usually has, and that a copy of it begins with.
pub(crate) const NAME: &str = "memory";
const SERVER: &str = "mcp";
const HOOK: &str = "hook";
/// Who a hook may answer.
const AGENTS: [&str; 3] = ["claude", "codex", "gemini"];

impl Program {
    pub(crate) fn new(path: &Path, flags: Vec<String>, finder: Finder) -> Self {
        Program {
            path: path.to_string_lossy().into_owned(),
            flags,
            finder,
        }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns what makes it an MCP server.
    pub(crate) fn server_arguments(&self) -> Vec<String> {
        self.flags
            .iter()
            .cloned()
            .chain([SERVER.to_owned()])
            .collect()
    }

    /// Returns the line that a client's hook gives to a shell.
    pub(crate) fn hook_line(&self, agent: &str) -> String {
        let words = [self.path.clone()]
            .into_iter()
            .chain(self.hook_arguments(agent));
        words
            .map(|word| quoted(&word))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn hook_arguments(&self, agent: &str) -> Vec<String> {
        let arguments = [HOOK, "--agent", agent].map(str::to_owned);
        self.flags.iter().cloned().chain(arguments).collect()
    }

    /// Says whether these words start our server, whatever the folder it lay in.
    pub(super) fn is_our_server(&self, words: &[String]) -> bool {
        let Some((program, rest)) = words.split_first() else {
            return false;
        };
        let is_known = self.is_known(program) && rest.iter().any(|word| word == SERVER);
        // Others have a command 'mcp' too: a copy of ours must at least be called like it.
        is_known || (begins_like_ours(program) && without_flags(rest) == [SERVER])
    }

    /// Says whether the words of a shell's line run our hook.
    pub(super) fn is_our_hook(&self, words: &[String]) -> bool {
        let Some((program, rest)) = words.split_first() else {
            return false;
        };
        let is_known = self.is_known(program) && rest.iter().any(|word| word == HOOK);
        let has_our_shape =
            || matches!(*without_flags(rest), [HOOK, "--agent", agent] if AGENTS.contains(&agent));
        is_known || has_our_shape()
    }

    /// Says whether words start this program as the server that we would register now; what the user
    /// added to them does no harm.
    pub(super) fn is_served_by(&self, words: &[String]) -> bool {
        self.is_started_by(words, &self.server_arguments())
    }

    /// Says the same of the hook for an agent.
    pub(super) fn is_hooked_by(&self, words: &[String], agent: &str) -> bool {
        self.is_started_by(words, &self.hook_arguments(agent))
    }

    fn is_started_by(&self, words: &[String], arguments: &[String]) -> bool {
        self.is_begun_by(words)
            && words
                .get(1..)
                .is_some_and(|rest| rest.starts_with(arguments))
    }

    /// Says whether words start this very program, in whatever way.
    pub(super) fn is_begun_by(&self, words: &[String]) -> bool {
        words.first().is_some_and(|first| self.is_this(first))
    }

    /// Says whether words start a program that is not there any more.
    pub(super) fn is_gone(&self, words: &[String]) -> bool {
        words
            .first()
            .is_some_and(|first| self.finder.is_gone(first))
    }

    /// Says whether a path, or a name on the search path, leads to this very program.
    pub(crate) fn is_this(&self, word: &str) -> bool {
        let same_file = || {
            self.finder
                .find(word)
                .is_some_and(|found| Some(found) == self.finder.find(&self.path))
        };
        word == self.path || same_file()
    }

    fn is_known(&self, program: &str) -> bool {
        Path::new(program)
            .file_name()
            .is_some_and(|name| name == NAME)
            || self.is_this(program)
    }
}

fn begins_like_ours(program: &str) -> bool {
    let path = Path::new(program);
    let name = path.file_name().map(|name| name.to_string_lossy());
    path.is_absolute() && name.is_some_and(|name| name.starts_with(NAME))
}

/// Returns the words after the flags that we write before a command.
fn without_flags(words: &[String]) -> Vec<&str> {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    while let ["--root" | "--config", _, ..] = words.as_slice() {
        words.drain(..2);
    }
    words
}

/// Quotes a word for a shell, if it needs to be.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Splits a line into words as a shell does, as far as quotes go.
pub(super) fn split(line: &str) -> Vec<String> {
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
pub(super) mod tests {
    use std::sync::Arc;

    use memory_core::Ids;
    use memory_files::{Files, RealDisk};

    use super::*;
    use crate::environment::Environment;

    /// Returns a program of which nothing is on the disk.
    pub(in crate::clients) fn program(path: &str, flags: &[&str]) -> Program {
        let files = Files::new(Arc::new(RealDisk::default()), Ids::seeded(1));
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Program::new(
            Path::new(path),
            flags,
            Finder::new(&Environment::default(), &files),
        )
    }

    #[test]
    fn a_line_for_the_shell_is_known_again_wherever_the_program_lies() {
        let now = program("/somewhere/else", &[]);
        for path in [
            "/usr/bin/memory",
            "/Users/Ann Lee/it's/bin/memory",
            "/x/memory-rel",
        ] {
            let then = program(path, &["--root", "/a b"]);
            assert!(
                now.is_our_hook(&split(&then.hook_line("claude"))),
                "{}",
                then.hook_line("claude")
            );
            assert_eq!(
                split(&then.hook_line("claude"))[..3],
                [path, "--root", "/a b"]
            );
        }
        assert_eq!(
            program("/x/memory", &[]).hook_line("gemini"),
            "/x/memory hook --agent gemini"
        );
        for other in [
            "memory-bank hook",
            "echo memory hook",
            "memory list",
            "x hook --agent other",
            "",
        ] {
            assert!(!now.is_our_hook(&split(other)), "{other}");
        }
    }

    #[test]
    fn another_server_called_memory_is_not_ours() {
        let is_ours = |line: &str| program("/x/renamed", &[]).is_our_server(&split(line));
        assert!(is_ours("/old/memory mcp --tools all"));
        assert!(is_ours("/x/renamed mcp --tools all"));
        assert!(is_ours("/y/memory-rel --root /r mcp"));
        assert!(!is_ours("npx -y @modelcontextprotocol/server-memory"));
        assert!(!is_ours("basic-memory mcp"));
        assert!(!is_ours("/bin/basic-memory mcp"));
        assert!(!is_ours("/x/memory serve"));
    }

    #[test]
    fn what_leads_to_the_same_file_is_the_same_program_and_added_words_do_no_harm() {
        let shell = program("/bin/sh", &["--root", "/r"]);
        assert!(shell.is_served_by(&split("/bin/../bin/./sh --root /r mcp --tools all")));
        assert!(!shell.is_served_by(&split("/bin/sh mcp")), "other flags");
        assert!(
            !shell.is_served_by(&split("/bin/cat --root /r mcp")),
            "another program"
        );
        assert!(shell.is_hooked_by(
            &split("/bin/sh --root /r hook --agent codex --more"),
            "codex"
        ));
        assert!(shell.is_gone(&split("/no/such mcp")) && !shell.is_gone(&split("no-such mcp")));
    }
}
