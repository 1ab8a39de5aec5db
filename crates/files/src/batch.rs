//! Several files of one store that change together: all of them or none, whatever breaks.
//!
//! The next states are written and synced beside their files first. Then one small file at the
//! root, the plan, says which of them take which place and what goes: when it is durable, the
//! change has happened. A plan that a crash left behind is carried out by whoever comes next.

use serde::{Deserialize, Serialize};

use crate::{DiskError, Draft, Files, Held, ItemKind, Spot, Stamp};

const PLAN: &str = ".plan.json";
/// Largest plan that is read: room for a million files.
const PLAN_BYTES: u64 = 256 << 20;

/// What changes together, by paths below the root of a store.
#[derive(Debug, Default)]
pub struct Batch {
    writes: Vec<(String, Vec<u8>)>,
    removes: Vec<String>,
}

/// How a batch is carried out, as the plan keeps it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Plan {
    /// From a draft's path to the path that it takes.
    settles: Vec<(String, String)>,
    removes: Vec<String>,
}

impl Batch {
    /// Adds a file's next state. Its folder must be there when the batch is applied.
    pub fn write(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.writes.push((path.into(), bytes.into()));
    }

    /// Adds a file that goes.
    pub fn remove(&mut self, path: impl Into<String>) {
        self.removes.push(path.into());
    }

    /// Returns the next states of files, in the order in which they were added.
    pub fn writes(&self) -> &[(String, Vec<u8>)] {
        &self.writes
    }

    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.removes.is_empty()
    }

    /// Returns how many files change.
    pub fn len(&self) -> usize {
        self.writes.len() + self.removes.len()
    }

    fn is_single(&self) -> bool {
        self.len() == 1
    }
}

impl Held<'_> {
    /// Changes the files of a batch, all or none, durably; returns the stamps of those that were
    /// written, in the order of the batch.
    pub fn apply(&self, root: &Spot, batch: &Batch) -> Result<Vec<Stamp>, DiskError> {
        let (plan, stamps) = self.draft_all(root, batch)?;
        if !batch.is_single() {
            let text = serde_json::to_vec(&plan).unwrap_or_default();
            if let Err(error) = self.files.replace(&root.join(PLAN), &text) {
                let is_made = self
                    .files
                    .stamp(&root.join(PLAN))
                    .is_ok_and(|there| there.is_some());
                // A plan whose last sync failed may be seen by others: then it stands.
                if !is_made {
                    self.discard(root, &plan);
                }
                return Err(error);
            }
        }
        let carried_out = self.carry_out(root, &plan);
        if batch.is_single() && carried_out.is_err() {
            self.discard(root, &plan);
        }
        carried_out?;
        if !batch.is_single() {
            self.files.remove(&root.join(PLAN))?
        }
        Ok(stamps)
    }

    /// Finishes what a crash interrupted; says whether there was anything.
    pub fn finish_plan(&self, root: &Spot) -> Result<bool, DiskError> {
        let Some(seen) = self.files.read(&root.join(PLAN), PLAN_BYTES)? else {
            return Ok(false);
        };
        // A plan is written whole or not at all; what can't be read was put there by someone else.
        let plan: Plan = serde_json::from_slice(&seen.bytes).unwrap_or_default();
        self.carry_out(root, &plan)?;
        self.files.remove(&root.join(PLAN))?;
        Ok(true)
    }

    /// Removes drafts in a folder that a crash has left. Only for folders that this lock guards.
    pub fn sweep_folder(&self, folder: &Spot) {
        let Ok(items) = self.files.disk.list(folder) else {
            return;
        };
        let drafts = items
            .iter()
            .filter(|item| item.kind == ItemKind::File && Draft::is_draft(&item.name));
        for item in drafts {
            let _ = self.files.disk.remove(&folder.join(&item.name));
        }
    }

    fn draft_all(&self, root: &Spot, batch: &Batch) -> Result<(Plan, Vec<Stamp>), DiskError> {
        let mut plan = Plan {
            settles: Vec::new(),
            removes: batch.removes.clone(),
        };
        for (path, _) in &batch.writes {
            plan.settles.push((
                Draft::path_beside(path, &self.files.ids.short()),
                path.clone(),
            ));
        }
        let drafts = plan.settles.iter().zip(&batch.writes);
        let files: Vec<(Spot, &[u8])> = drafts
            .map(|((draft, _), (_, bytes))| (root.join(draft), bytes.as_slice()))
            .collect();
        let created = self.files.disk.create_all(&files, self.files.access);
        let named = created.and_then(|stamps| {
            // The names in the root become durable with that of the plan. A single file needs no plan.
            if !batch.is_single() {
                self.sync_folders_below(root, &files)?;
            }
            Ok(stamps)
        });
        match named {
            Ok(stamps) => Ok((plan, stamps)),
            Err(error) => {
                self.discard(root, &plan);
                Err(error)
            }
        }
    }

    /// Makes the names of drafts below the root durable: a plan whose drafts are lost cannot be carried out.
    fn sync_folders_below(&self, root: &Spot, drafts: &[(Spot, &[u8])]) -> Result<(), DiskError> {
        let mut synced = vec![root.clone()];
        for folder in drafts.iter().filter_map(|(draft, _)| draft.parent()) {
            if !synced.contains(&folder) {
                self.files.disk.sync_folder(&folder)?;
                synced.push(folder);
            }
        }
        Ok(())
    }

    fn discard(&self, root: &Spot, plan: &Plan) {
        for (draft, _) in &plan.settles {
            let _ = self.files.disk.remove(&root.join(draft));
        }
    }

    /// May be done again: what is in its place already is left there.
    fn carry_out(&self, root: &Spot, plan: &Plan) -> Result<(), DiskError> {
        let mut folders: Vec<Spot> = Vec::new();
        let mut touch = |at: &Spot| match at.parent() {
            Some(folder) if !folders.contains(&folder) => folders.push(folder),
            _ => {}
        };
        let settles: Vec<(Spot, Spot)> = plan
            .settles
            .iter()
            .map(|(draft, target)| (root.join(draft), root.join(target)))
            .collect();
        settles.iter().for_each(|(_, target)| touch(target));
        for (ended, (draft, _)) in self
            .files
            .disk
            .rename_each(&settles)
            .into_iter()
            .zip(&settles)
        {
            match ended {
                Err(error) if self.files.stamp(draft)?.is_some() => return Err(error),
                _ => {}
            }
        }
        for path in &plan.removes {
            touch(&root.join(path));
            self.files.disk.remove(&root.join(path))?;
        }
        folders
            .iter()
            .try_for_each(|folder| self.files.disk.sync_folder(folder))
    }
}

impl Files {
    /// Says whether a batch of this store was interrupted, or is being carried out.
    pub fn has_plan(&self, root: &Spot) -> Result<bool, DiskError> {
        Ok(self.stamp(&root.join(PLAN))?.is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::{Breakage, Brittle, Disk, RealDisk};

    fn files_of(dir: &Path) -> BTreeMap<String, String> {
        let read = |name: &str| std::fs::read_to_string(dir.join(name)).ok();
        ["a", "b", "c"]
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), read(name)?)))
            .collect()
    }

    fn apply_on(dir: &Path, disk: Arc<dyn Disk>) -> Result<(), DiskError> {
        let files = Files::new(disk, Ids::random());
        let root = Spot::anchor(dir);
        let held = files.lock(&root.join(".lock"))?;
        held.finish_plan(&root)?;
        let mut batch = Batch::default();
        batch.write("a", "new a");
        batch.write("b", "new b");
        batch.remove("c");
        held.apply(&root, &batch).map(drop)
    }

    fn recover(dir: &Path) {
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let root = Spot::anchor(dir);
        let held = files.lock(&root.join(".lock")).unwrap();
        held.finish_plan(&root).unwrap();
        held.sweep_folder(&root);
    }

    #[test]
    fn a_batch_has_happened_or_not_wherever_the_disk_breaks() {
        for breakage in [Breakage::Fails, Breakage::Dies] {
            for step in 0.. {
                let dir = tempfile::tempdir().unwrap();
                std::fs::write(dir.path().join("a"), "old a").unwrap();
                std::fs::write(dir.path().join("c"), "old c").unwrap();
                let before = files_of(dir.path());
                let brittle = Arc::new(Brittle::new(breakage, step));
                let ended = apply_on(dir.path(), brittle.clone());
                recover(dir.path());
                let now = files_of(dir.path());
                let is_new = now.get("b").is_some_and(|text| text == "new b");
                if is_new {
                    assert!(
                        now["a"] == "new a" && !now.contains_key("c"),
                        "step {step}: {now:?}"
                    )
                } else {
                    assert_eq!(now, before, "step {step}")
                }
                assert!(is_new || ended.is_err(), "acknowledged, and not there");
                let left = std::fs::read_dir(dir.path()).unwrap().count();
                assert_eq!(left, 3, "two files and a lock, nothing else (step {step})");
                if !brittle.has_broken() {
                    assert!(ended.is_ok() && step > 8);
                    break;
                }
            }
        }
    }

    #[test]
    fn many_new_files_are_made_in_one_go() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let root = Spot::anchor(dir.path());
        let held = files.lock(&root.join(".lock")).unwrap();
        let mut batch = Batch::default();
        (0..200).for_each(|n| batch.write(format!("{n}.md"), n.to_string()));
        held.apply(&root, &batch).unwrap();
        assert_eq!(files.scan(&root).unwrap().len(), 201);
        let names: Vec<_> = ["7.md", "nothing"]
            .iter()
            .map(std::ffi::OsStr::new)
            .collect();
        let mut read = Vec::new();
        files.read_each(&root, &names, 9, &mut |_, seen| {
            read.push(seen.unwrap().map(|seen| seen.bytes))
        });
        assert_eq!(read, [Some(b"7".to_vec()), None]);
    }
}
