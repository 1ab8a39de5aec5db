//! The id of this machine, which names the history files that it writes.

use std::sync::{Arc, OnceLock};

use memory_files::{DiskError, Files, Spot};
use sha2::{Digest, Sha256};

/// Where the system keeps the id of the machine.
const SYSTEM_ID: &str = "/etc/machine-id";
/// The file in the user's state folder.
const FILE: &str = "machine-id";
const LOCK: &str = "machine-id.lock";
const FILE_BYTES: u64 = 1 << 10;

/// The id of this machine for one user.
///
/// Only history files with this id are used for recovery and for plain undo, so a repository or a synced folder must not
/// be able to contain it.
#[derive(Debug, Clone)]
pub struct Machine {
    files: Files,
    /// The folder in which the id is kept; `None` if it is derived from the id of the system alone.
    state: Option<Spot>,
    id: Arc<OnceLock<String>>,
}

impl Machine {
    /// Returns an id that is derived from that of the system.
    pub fn of_system(files: &Files) -> Self {
        Machine {
            files: files.clone(),
            state: None,
            id: Arc::default(),
        }
    }

    /// Returns the id that is kept in a folder of the user's state. It is created when it is first needed, and again
    /// when the id of the system is another one, such as after the folder was copied.
    pub fn kept_in(files: &Files, state: Spot) -> Self {
        Machine {
            state: Some(state),
            ..Machine::of_system(files)
        }
    }

    /// Returns a fixed id, for tests.
    pub fn fixed(files: &Files, id: &str) -> Self {
        let machine = Machine::of_system(files);
        let _ = machine.id.set(id.to_owned());
        machine
    }

    /// Returns the id. It is created if it does not exist.
    pub(super) fn id(&self) -> &str {
        self.id.get_or_init(|| self.find())
    }

    /// Returns the id if it exists: a reader creates nothing.
    pub(super) fn known_id(&self) -> Option<&str> {
        if let Some(id) = self.id.get() {
            return Some(id);
        }
        let system = self.system_id();
        let id = match &self.state {
            Some(state) => self.read(&state.join(FILE), &system)?,
            None => system,
        };
        Some(self.id.get_or_init(|| id))
    }

    fn find(&self) -> String {
        let system = self.system_id();
        let Some(state) = &self.state else {
            return system;
        };
        if let Some(id) = self.read(&state.join(FILE), &system) {
            return id;
        }
        // Where nothing can be kept, the id of the system has to do.
        self.create(state, &system).unwrap_or(system)
    }

    fn create(&self, state: &Spot, system: &str) -> Result<String, DiskError> {
        let at = state.join(FILE);
        self.files.ensure_folder(state)?;
        let _lock = self.files.lock(&state.join(LOCK))?;
        // Another process may have been quicker.
        if let Some(id) = self.read(&at, system) {
            return Ok(id);
        }
        let id = self.files.ids().uuid().replace('-', "");
        self.files
            .replace(&at, format!("{id} {system}\n").as_bytes())?;
        Ok(id)
    }

    fn read(&self, at: &Spot, system: &str) -> Option<String> {
        let seen = self.files.read(at, FILE_BYTES).ok().flatten()?;
        let text = String::from_utf8(seen.bytes).ok()?;
        let (id, of) = text.trim_end().split_once(' ')?;
        let is_id = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_id && of == system).then(|| id.to_owned())
    }

    /// Returns a hash of the id of the system and of the user: the id itself is confidential.
    fn system_id(&self) -> String {
        let read = self.files.read(&Spot::anchor(SYSTEM_ID), FILE_BYTES);
        let id = read.ok().flatten().map_or_else(Vec::new, |seen| seen.bytes);
        let user = memory_files::user_id();
        let digest = Sha256::digest([b"memory ".as_slice(), &id, &user.to_be_bytes()].concat());
        digest[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use memory_core::Ids;
    use memory_testkit::Home;

    use super::*;

    fn files() -> Files {
        Files::new(Arc::new(memory_files::RealDisk::default()), Ids::random())
    }

    #[test]
    fn the_id_is_created_once_and_renewed_on_another_machine() {
        let home = Home::new();
        let machine = || Machine::kept_in(&files(), home.spot().join("state"));
        let id = machine().id().to_owned();
        assert_eq!((id.len(), machine().id()), (32, id.as_str()));
        let file = home.path().join("state/machine-id");
        #[allow(clippy::disallowed_methods)]
        std::fs::write(file, format!("{id} of-another-system\n")).unwrap();
        assert_ne!(machine().id(), id);
    }

    #[test]
    fn without_a_folder_the_id_is_that_of_the_system() {
        let machine = || Machine::of_system(&files());
        assert_eq!(machine().id(), machine().id());
        let closed = Spot::anchor("/proc/no-such-folder");
        assert_eq!(Machine::kept_in(&files(), closed).id(), machine().id());
    }
}
