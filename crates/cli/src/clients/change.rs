//! The next state of a client's files: what would change, and then the change itself.
//!
//! Planning reads and never writes. Writing compares what is there with what was planned on, keeps
//! a backup beside it, and replaces the file at once.

use std::path::{Path, PathBuf};

use memory_core::{Code, Error, Result, Timestamp};
use memory_files::{Files, Spot};

use super::server::Entry;
use super::standing::{read, refused};
use super::{Client, Places, Program, hooks, restore, server};

/// What stands between the name of a file and the time of its backup.
pub(super) const BACKUP: &str = ".memory-backup-";

/// What is wanted of a client: the server and, if it is true, the hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Connect { hooks: bool },
    Remove { hooks: bool },
}

impl Wish {
    fn removes(self) -> bool {
        matches!(self, Wish::Remove { .. })
    }

    fn includes_hooks(self) -> bool {
        matches!(
            self,
            Wish::Connect { hooks: true } | Wish::Remove { hooks: true }
        )
    }
}

/// A wish, and everything that it is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Intent<'a> {
    pub(crate) client: Client,
    pub(crate) places: &'a Places,
    pub(crate) program: &'a Program,
    pub(crate) files: &'a Files,
    pub(crate) wish: Wish,
    /// A project's file is for everyone who works on it; the user's own may hold secrets.
    pub(crate) is_shared: bool,
}

/// The files that change, and what stood in the way of one of them.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) drafts: Vec<Draft>,
    pub(crate) problem: Option<Error>,
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
    pub(super) before: Option<String>,
    pub(super) after: String,
    pub(crate) changes: Vec<Change>,
    /// Nothing is left of what we made: the file goes too.
    pub(crate) is_removal: bool,
    is_shared: bool,
}

impl Intent<'_> {
    /// Works out what the wish changes; files that stay as they are are left out.
    ///
    /// What can't be taken from one file is taken from the others all the same. Where there can be no
    /// server, hooks are of no use.
    pub(crate) fn plan(&self) -> Plan {
        let mut plan = Plan::default();
        for path in self.server_files() {
            plan.note(self.open(path).and_then(|draft| self.plan_server(draft)));
        }
        if plan.problem.is_some() && !self.wish.removes() {
            return Plan {
                drafts: vec![],
                ..plan
            };
        }
        if self.wish.includes_hooks()
            && let Some(path) = &self.places.hooks
        {
            let same = plan.drafts.iter().position(|draft| draft.path == *path);
            let draft = same.map_or_else(|| self.open(path), |n| Ok(plan.drafts.remove(n)));
            plan.note(draft.and_then(|draft| self.plan_hooks(draft)));
        }
        plan.drafts.retain(|draft| !draft.changes.is_empty());
        if self.wish.removes() {
            plan.drafts
                .iter_mut()
                .for_each(|draft| restore::bring_back(self, draft));
        }
        plan
    }

    /// Returns the files whose servers change: all of them lose ours, but only one gets it.
    fn server_files(&self) -> Vec<&PathBuf> {
        let all: Vec<_> = self.places.server_files().collect();
        if self.wish.removes() {
            return all;
        }
        let has_entry = |path: &&&PathBuf| {
            let text = read(self.files, path).ok().flatten().unwrap_or_default();
            server::find(self.client, &text, self.program).is_ok_and(|entry| entry != Entry::None)
        };
        vec![
            all.iter()
                .find(has_entry)
                .copied()
                .unwrap_or(&self.places.server),
        ]
    }

    fn open(&self, path: &Path) -> Result<Draft> {
        if let Some(project) = &self.places.project
            && leads_out(self.files, project, path)
        {
            let sentence = format!(
                "{} is a symbolic link to a path outside the project",
                path.display()
            );
            return Err(Error::new(Code::UnsafePath, sentence)
                .hint("Replace it with a regular file, or connect without --project"));
        }
        let before = read(self.files, path)?;
        let after = before.clone().unwrap_or_default();
        let (path, is_shared) = (path.to_owned(), self.is_shared);
        Ok(Draft {
            path,
            before,
            after,
            changes: vec![],
            is_removal: false,
            is_shared,
        })
    }

    fn plan_server(&self, mut draft: Draft) -> Result<Draft> {
        let Intent {
            client, program, ..
        } = *self;
        let told = |refusal| refused(client, &draft.path, &refusal);
        let entry = server::find(client, &draft.after, program).map_err(told)?;
        let after = match (&entry, self.wish) {
            (Entry::Foreign(what), Wish::Connect { .. }) => {
                return Err(taken(client, &draft.path, what));
            }
            (_, Wish::Connect { .. }) => {
                server::put(client, &draft.after, program).map_err(told)?
            }
            (Entry::Ours(_), Wish::Remove { .. }) => {
                server::take(client, &draft.after).map_err(told)?
            }
            (_, Wish::Remove { .. }) => return Ok(draft),
        };
        if after == draft.after {
            return Ok(draft);
        }
        let place = server::shown_place(client);
        if let Entry::Ours(ours) = &entry {
            draft.tell('-', &place, ours.words.join(" "));
        }
        if !self.wish.removes() {
            let arguments = server::arguments(&entry, program);
            draft.tell(
                '+',
                &place,
                server::whole(client, program, &arguments).to_string(),
            );
        }
        draft.after = after;
        Ok(draft)
    }

    fn plan_hooks(&self, mut draft: Draft) -> Result<Draft> {
        let Intent {
            client, program, ..
        } = *self;
        for event in hooks::events(client) {
            let told = |refusal| refused(client, &draft.path, &refusal);
            let found = hooks::find(&draft.after, event, program).map_err(told)?;
            let after = match self.wish {
                Wish::Remove { .. } => hooks::take(&draft.after, event, program).map_err(told)?,
                Wish::Connect { .. } => {
                    hooks::put(client, &draft.after, event, program).map_err(told)?
                }
            };
            if after == draft.after {
                continue;
            }
            let place = format!("hooks.{event}");
            let goes = if self.wish.removes() { found.len() } else { 1 };
            found
                .into_iter()
                .take(goes)
                .for_each(|found| draft.tell('-', &place, found.line));
            if !self.wish.removes() {
                draft.tell('+', &place, hooks::line(client, program));
            }
            draft.after = after;
        }
        Ok(draft)
    }
}

impl Plan {
    fn note(&mut self, drafted: Result<Draft>) {
        match drafted {
            Ok(draft) => self.drafts.push(draft),
            Err(error) => drop(self.problem.get_or_insert(error)),
        }
    }
}

fn taken(client: Client, path: &Path, what: &str) -> Error {
    let sentence = format!(
        "{} already has another server named 'memory' ({what}) in {}",
        client.title(),
        path.display()
    );
    Error::new(Code::Conflict, sentence)
        .hint("Remove or rename it there, then try again")
        .with("client", client.name())
}

impl Draft {
    fn tell(&mut self, sign: char, place: &str, value: String) {
        self.changes.push(Change {
            sign,
            place: place.to_owned(),
            value,
        });
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
            let sentence = format!(
                "{} was changed by another program in the meantime",
                self.path.display()
            );
            return Err(Error::new(Code::Conflict, sentence).hint("Try again"));
        }
        let (Some(folder), Some(name)) = (self.path.parent(), self.path.file_name()) else {
            return Err(Error::new(
                Code::InvalidArgument,
                format!("{} is not a file", self.path.display()),
            ));
        };
        let folder = Spot::anchor(folder);
        for abandoned in abandoned_drafts(files, &self.path) {
            // If it cannot be removed, doctor reports it.
            let _ = files.remove_derived(&abandoned);
        }
        let Some(before) = &self.before else {
            return self.make(files).map(|()| None);
        };
        let backup = backup_name(files, &folder, &name.to_string_lossy(), now)?;
        files.replace(&backup, before.as_bytes())?;
        let changed = if self.is_removal {
            files.remove(&folder.join(name))
        } else {
            files.replace_named(&self.path, self.after.as_bytes())
        };
        if changed.is_err() && read(files, &self.path).is_ok_and(|now| now == self.before) {
            let _ = files.remove_derived(&backup);
        }
        changed?;
        Ok(Some(backup.path()))
    }

    /// Makes the file, where a link leads that was there before it.
    fn make(&self, files: &Files) -> Result<()> {
        let target = files.link_target(&self.path);
        let folder = Spot::anchor(target.parent().unwrap_or(Path::new("/")));
        files.ensure_folder(&folder)?;
        if self.is_shared {
            files
                .clone()
                .shared()
                .replace_named(&target, self.after.as_bytes())?
        } else {
            files.replace(
                &folder.join(target.file_name().unwrap_or_default()),
                self.after.as_bytes(),
            )?
        }
        Ok(())
    }
}

/// Returns the drafts of a file and of its backups that a crash has left.
pub(crate) fn abandoned_drafts(files: &Files, path: &Path) -> Vec<Spot> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return vec![];
    };
    files.abandoned_drafts(&Spot::anchor(folder), &name.to_string_lossy())
}

/// Says whether a file of a project is somewhere else.
fn leads_out(files: &Files, project: &Path, path: &Path) -> bool {
    let target = files.link_target(path);
    let real = target.ancestors().find_map(|above| files.real_path(above));
    real.zip(files.real_path(project))
        .is_some_and(|(real, project)| !real.starts_with(project))
}

/// Returns a name that no backup has yet.
fn backup_name(files: &Files, folder: &Spot, name: &str, now: Timestamp) -> Result<Spot> {
    let first = format!("{name}{BACKUP}{}", now.strftime("%Y%m%dT%H%M%SZ"));
    let mut backup = folder.join(&first);
    for n in 2.. {
        if files.stamp(&backup)?.is_none() {
            break;
        }
        backup = folder.join(format!("{first}-{n}"));
    }
    Ok(backup)
}
