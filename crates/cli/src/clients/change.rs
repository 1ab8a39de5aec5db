//! The next state of a client's files: what would change, and then the change itself.
//!
//! Planning reads and never writes. Writing compares what is there with what was planned on, keeps
//! a backup beside it, and replaces the file at once.

use std::path::{Path, PathBuf};

use memory_core::{Code, Error, Result, Timestamp};
use memory_files::{Files, Spot};

use super::server::Entry;
use super::standing::{read, refused};
use super::{Client, Places, Program, hooks, server};

/// What is wanted of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Our server and, if it is true, our hooks.
    Connect { hooks: bool },
    /// Neither of them.
    Remove,
}

/// One line of what changes: `+ place value` or `- place value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) sign: char,
    pub(crate) place: String,
    pub(crate) value: String,
}

/// A file of a client as it is and as it will be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) path: PathBuf,
    before: Option<String>,
    after: String,
    pub(crate) changes: Vec<Change>,
    /// A project's file is for everyone who works on it; the user's own may hold secrets.
    is_shared: bool,
}

/// Works out what a wish changes; files that stay as they are are left out.
pub(crate) fn plan(
    client: Client,
    places: &Places,
    program: &Program,
    files: &Files,
    wish: Wish,
    is_shared: bool,
) -> Result<Vec<Draft>> {
    let open = |path: &PathBuf| {
        let before = read(files, path)?;
        let after = before.clone().unwrap_or_default();
        Ok::<_, Error>(Draft { path: path.clone(), before, after, changes: vec![], is_shared })
    };
    let mut drafts = vec![open(&places.server)?];
    plan_server(client, program, wish, &mut drafts[0])?;
    if let Some(path) = places.hooks.as_ref().filter(|_| wish != Wish::Connect { hooks: false }) {
        if *path != places.server {
            drafts.push(open(path)?);
        }
        drafts.last_mut().map_or(Ok(()), |draft| plan_hooks(client, program, wish, draft))?;
    }
    drafts.retain(|draft| !draft.changes.is_empty());
    Ok(drafts)
}

fn plan_server(client: Client, program: &Program, wish: Wish, draft: &mut Draft) -> Result<()> {
    let told = |refusal| refused(client, &draft.path, &refusal);
    let entry = server::find(client, &draft.after).map_err(told)?;
    let after = match (&entry, wish) {
        (Entry::Foreign(what), Wish::Connect { .. }) => return Err(taken(client, &draft.path, what)),
        (_, Wish::Connect { .. }) => server::put(client, &draft.after, program).map_err(told)?,
        (Entry::Ours(_), Wish::Remove) => server::take(client, &draft.after).map_err(told)?,
        (_, Wish::Remove) => return Ok(()),
    };
    if after == draft.after {
        return Ok(());
    }
    let place = server::shown_place(client);
    if let Entry::Ours(words) = &entry {
        draft.tell('-', &place, words.join(" "));
    }
    if wish != Wish::Remove {
        draft.tell('+', &place, server::whole(client, program).to_string());
    }
    draft.after = after;
    Ok(())
}

fn plan_hooks(client: Client, program: &Program, wish: Wish, draft: &mut Draft) -> Result<()> {
    for event in hooks::events(client) {
        let told = |refusal| refused(client, &draft.path, &refusal);
        let found = hooks::find(&draft.after, event).map_err(told)?;
        let after = match wish {
            Wish::Remove => hooks::take(&draft.after, event).map_err(told)?,
            Wish::Connect { .. } => hooks::put(client, &draft.after, event, program).map_err(told)?,
        };
        if after == draft.after {
            continue;
        }
        let place = format!("hooks.{event}");
        if let Some(found) = found {
            draft.tell('-', &place, found.line);
        }
        if wish != Wish::Remove {
            draft.tell('+', &place, hooks::line(client, program));
        }
        draft.after = after;
    }
    Ok(())
}

fn taken(client: Client, path: &Path, what: &str) -> Error {
    let sentence = format!(
        "{} has another server named 'memory' already ({what}), in {}",
        client.title(),
        path.display()
    );
    Error::new(Code::Conflict, sentence)
        .hint("Remove it or give it another name there, then try again")
        .with("client", client.name())
}

impl Draft {
    fn tell(&mut self, sign: char, place: &str, value: String) {
        self.changes.push(Change { sign, place: place.to_owned(), value });
    }

    /// Makes the change; returns the backup of what was there.
    ///
    /// # Invariants
    ///
    /// - A file that someone else has changed since the plan is left alone.
    /// - What was there is kept beside it, durably and privately, before it is replaced.
    /// - A reader sees the file before the change or after it. It keeps its permissions, and a link
    ///   to it stays a link.
    pub(crate) fn write(&self, files: &Files, now: Timestamp) -> Result<Option<PathBuf>> {
        if read(files, &self.path)? != self.before {
            let sentence = format!("{} was changed by another program just now", self.path.display());
            return Err(Error::new(Code::Conflict, sentence).hint("Try again"));
        }
        let (Some(folder), Some(name)) = (self.path.parent(), self.path.file_name()) else {
            return Err(Error::new(Code::InvalidArgument, format!("{} is not a file", self.path.display())));
        };
        let folder = Spot::anchor(folder);
        let Some(before) = &self.before else {
            files.ensure_folder(&folder)?;
            match self.is_shared {
                true => files.replace_named(&self.path, self.after.as_bytes())?,
                false => files.replace(&folder.join(name), self.after.as_bytes())?,
            }
            return Ok(None);
        };
        let backup = backup_name(files, &folder, &name.to_string_lossy(), now)?;
        files.replace(&backup, before.as_bytes())?;
        files.replace_named(&self.path, self.after.as_bytes())?;
        Ok(Some(backup.path()))
    }
}

/// Returns a name that no backup has yet.
fn backup_name(files: &Files, folder: &Spot, name: &str, now: Timestamp) -> Result<Spot> {
    let first = format!("{name}.memory-backup-{}", now.strftime("%Y%m%dT%H%M%SZ"));
    let mut backup = folder.join(&first);
    for n in 2.. {
        if files.stamp(&backup)?.is_none() {
            break;
        }
        backup = folder.join(format!("{first}-{n}"));
    }
    Ok(backup)
}
