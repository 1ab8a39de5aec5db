//! `serve --install`: a unit for systemd or a property list for launchd, in the user's own folder.

use std::path::{Path, PathBuf};

use memory_core::{Code, Error, Result};
use memory_files::Spot;

use super::Args;
use crate::environment;
use crate::house::Ground;
use crate::shell::{Shell, Speech, Status};

const UNIT: &str = "memory.service";
const AGENT: &str = "memory.serve.plist";

/// A file for the system that starts services, and what to run after it came or before it goes.
struct Service {
    at: Spot,
    /// What the system has made of it to start it: without the file it leads nowhere.
    link: Option<Spot>,
    text: String,
    start: String,
    stop: String,
}

pub(super) fn install(args: &Args, shell: &Shell) -> Result<Status> {
    let service = service(&command(args, shell)?, shell)?;
    let folder = service.at.parent();
    folder.map_or(Ok(()), |folder| shell.files().ensure_folder(&folder))?;
    shell
        .files()
        .replace(&service.at, service.text.as_bytes())?;
    show(
        "Wrote",
        &service.at.path(),
        "Now run",
        &service.start,
        shell,
    )
}

pub(super) fn uninstall(shell: &Shell) -> Result<Status> {
    let service = service(&[], shell)?;
    let path = service.at.path();
    if shell.files().stamp(&service.at)?.is_none() {
        return Err(Error::new(
            Code::NotFound,
            format!("There is no {}", path.display()),
        ));
    }
    shell.files().remove(&service.at)?;
    service
        .link
        .map_or(Ok(()), |link| shell.files().remove(&link))?;
    show("Removed", &path, "To stop it, run", &service.stop, shell)
}

fn show(did: &str, path: &Path, then: &str, next: &str, shell: &Shell) -> Result<Status> {
    match shell.speech {
        Speech::Json => {
            shell.show(&serde_json::json!({ "path": path.display().to_string(), "next": next }))
        }
        Speech::People => shell.print(&format!("{did} {}\n{then}:\n  {next}\n", path.display())),
    }
}

/// Returns the command that starts the daemon as this one was started.
fn command(args: &Args, shell: &Shell) -> Result<Vec<String>> {
    let program = environment::program()
        .ok_or_else(|| Error::new(Code::IoError, "The path of this program is not known"))?;
    let Ground {
        environment, flags, ..
    } = shell.ground();
    let path = |path: &PathBuf| environment.absolute(path).display().to_string();
    let tools = (!args.tools.is_empty()).then(|| args.tools.join(","));
    // What a variable says now is not known to a service that the system starts.
    let words = [
        (
            "--root",
            flags.root.as_ref().or(environment.root.as_ref()).map(path),
        ),
        ("--config", flags.config.as_ref().map(path)),
        (
            "--project",
            flags
                .project
                .as_ref()
                .or(environment.project_dir.as_ref())
                .map(path),
        ),
        (
            "--interval",
            args.interval.map(|interval| interval.to_string()),
        ),
        ("--tools", tools),
        ("--log", args.log.map(|level| level.as_str().to_owned())),
    ];
    let mut command = vec![program.display().to_string(), "serve".to_owned()];
    for (flag, value) in words {
        command.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
    }
    Ok(command)
}

fn service(command: &[String], shell: &Shell) -> Result<Service> {
    let environment = &shell.ground().environment;
    let no_home = || Error::new(Code::InvalidArgument, "HOME is not set");
    let home = environment.home.clone().ok_or_else(no_home)?;
    let config = environment
        .config_home
        .clone()
        .unwrap_or_else(|| home.join(".config"));
    Ok(if cfg!(target_os = "macos") {
        launchd(command, home)
    } else {
        systemd(command, config)
    })
}

fn systemd(command: &[String], config: PathBuf) -> Service {
    let start: Vec<String> = command
        .iter()
        .map(|word| quoted_for_systemd(word))
        .collect();
    let folder = Spot::anchor(config).join("systemd").join("user");
    Service {
        at: folder.join(UNIT),
        link: Some(folder.join("default.target.wants").join(UNIT)),
        text: format!(
            "[Unit]\nDescription=One memory for every AI agent\n\n\
             [Service]\nExecStart={}\nRestart=on-failure\nUMask=0077\n\n\
             [Install]\nWantedBy=default.target\n",
            start.join(" ")
        ),
        start: format!("systemctl --user daemon-reload && systemctl --user enable --now {UNIT}"),
        stop: format!("systemctl --user stop {UNIT}; systemctl --user daemon-reload"),
    }
}

fn quoted_for_systemd(word: &str) -> String {
    let escaped = word
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('%', "%%")
        .replace('$', "$$");
    format!("\"{escaped}\"")
}

fn launchd(command: &[String], home: PathBuf) -> Service {
    let at = Spot::anchor(home)
        .join("Library")
        .join("LaunchAgents")
        .join(AGENT);
    let path = at.path().display().to_string();
    let words: String = command
        .iter()
        .map(|word| format!("    <string>{}</string>\n", quoted_for_xml(word)))
        .collect();
    Service {
        at,
        link: None,
        text: format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
             \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
             <plist version=\"1.0\">\n<dict>\n  <key>Label</key>\n  <string>memory.serve</string>\n  \
             <key>ProgramArguments</key>\n  <array>\n{words}  </array>\n  <key>RunAtLoad</key>\n  <true/>\n  \
             <key>KeepAlive</key>\n  <dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>\n\
             </dict>\n</plist>\n"
        ),
        start: format!("launchctl bootstrap gui/$(id -u) '{path}'"),
        stop: "launchctl bootout gui/$(id -u)/memory.serve".to_owned(),
    }
}

fn quoted_for_xml(word: &str) -> String {
    word.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_special_characters_stay_one_word() {
        assert_eq!(
            quoted_for_systemd("/my $HOME/50%\"x"),
            r#""/my $$HOME/50%%\"x""#
        );
        let text = launchd(&["/a&b".to_owned(), "serve".to_owned()], "/Users/me".into()).text;
        assert!(
            text.contains("    <string>/a&amp;b</string>\n    <string>serve</string>\n"),
            "{text}"
        );
    }
}
