//! A shell session in an empty home, for tests that compare what the programs print.

use std::cell::Cell;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use memory_testkit::{Home, NOW};

/// The seed of ids.
const SEED: u32 = 7;

/// A home directory with the working directory `work` in it.
pub(crate) struct Session {
    home: Home,
    /// What the home directory and the programs' directory are called in the output.
    home_name: &'static str,
    bin_name: &'static str,
    /// The seed of the next command's ids, if each command has its own.
    seed: Cell<Option<u32>>,
    /// Where the working directory and the variables are saved between two commands, if they are.
    state: Option<Home>,
}

impl Session {
    /// Starts a session in which every command begins in the working directory with the same
    /// variables.
    #[allow(dead_code, reason = "each test program uses one of the constructors")]
    pub(crate) fn of_separate_commands() -> Self {
        Session::start("HOME", "BIN", None)
    }

    /// Starts a session in which `cd` and `export` apply to the commands that follow, and no two
    /// commands create the same ids.
    #[allow(dead_code, reason = "each test program uses one of the constructors")]
    pub(crate) fn of_one_shell(home_name: &'static str) -> Self {
        Session::start(home_name, "/usr/local/bin", Some(Home::new()))
    }

    fn start(home_name: &'static str, bin_name: &'static str, state: Option<Home>) -> Self {
        let home = Home::new();
        std::fs::create_dir(home.path().join("work")).expect("a directory");
        let seed = Cell::new(state.is_some().then_some(SEED));
        Session {
            home,
            home_name,
            bin_name,
            seed,
            state,
        }
    }

    /// Runs a command and returns its output, then `[exit N]` if its status is not 0.
    ///
    /// Names that differ from run to run are replaced by fixed ones.
    pub(crate) fn run(&self, command: &str) -> String {
        let bin = Path::new(env!("CARGO_BIN_EXE_memory"))
            .parent()
            .expect("a directory");
        let output = Command::new("sh")
            .args(["-c", &self.script(command)])
            .current_dir(self.home.path().join("work"))
            .env_clear()
            .env(
                "PATH",
                format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display()),
            )
            .env("HOME", self.home.path())
            .env("MEMORY_NOW", NOW)
            .env("MEMORY_SEED", self.next_seed().to_string())
            .env("TZ", "UTC")
            .output()
            .expect("a shell runs");
        let mut shown = String::from_utf8_lossy(&output.stdout).into_owned();
        shown = shown.replace(&self.home.path().display().to_string(), self.home_name);
        shown = shown.replace(&bin.display().to_string(), self.bin_name);
        shown = without_marks(&shown);
        match output.status.code() {
            Some(0) => {}
            Some(code) => drop(writeln!(shown, "[exit {code}]")),
            None => drop(writeln!(shown, "[{}]", output.status)),
        }
        shown
    }

    fn next_seed(&self) -> u32 {
        let seed = self.seed.get().unwrap_or(SEED);
        self.seed.set(self.seed.get().map(|seed| seed + 1));
        seed
    }

    fn script(&self, command: &str) -> String {
        let Some(state) = &self.state else {
            return format!("exec 2>&1; {command}");
        };
        let file = state_file(state);
        let file = file.display();
        format!(
            "if [ -f {file} ]; then . {file}; fi\n\
             exec 2>&1\n\
             {command}\n\
             status=$?\n\
             {{ unset MEMORY_SEED; export -p; printf 'cd \"%s\"\\n' \"$PWD\"; }} > {file}\n\
             exit $status"
        )
    }
}

fn state_file(state: &Home) -> PathBuf {
    state.path().join("state")
}

/// Replaces the marks of fences, which are random.
fn without_marks(text: &str) -> String {
    let opened = text
        .split("<memory-")
        .skip(1)
        .filter_map(|rest| rest.split_once('>'));
    let marks = opened.map(|(mark, _)| mark).filter(|mark| mark.len() >= 8);
    marks.fold(text.to_owned(), |shown, mark| shown.replace(mark, "MARK"))
}

/// Fails at the first line in which the expected text and the present one differ.
#[track_caller]
pub(crate) fn assert_same(name: &str, expected: &str, now: &str) {
    for (n, (a, b)) in expected.lines().zip(now.lines()).enumerate() {
        assert_eq!(
            b,
            a,
            "{name}: line {} differs (left: now, right: expected)",
            n + 1
        );
    }
    assert_eq!(
        now.lines().count(),
        expected.lines().count(),
        "{name}: the end differs:\n{now}"
    );
}
