//! Which scope a call means, when it does not say.

use crate::store::{Found, Store};
use crate::{BankError, BankName, Entry, Key, Scope, ScopeChoice};
use memory_core::{Timestamp, instant, nearest};

/// The stores of both scopes, as far as there are any.
#[derive(Debug)]
pub struct Scopes {
    pub user: Option<Store>,
    pub project: Option<Store>,
    /// Whether a project was found; if not, `project` is where one would be made.
    pub in_project: bool,
}

impl Scopes {
    /// Returns the stores that a read looks at, in their order: the project's first.
    pub fn readable(&self, scope: Option<Scope>) -> Result<Vec<&Store>, BankError> {
        match scope {
            Some(scope) => Ok(vec![self.store(scope)?]),
            None => Ok(self.found_project().into_iter().chain(&self.user).collect()),
        }
    }

    /// Returns the project's store if a project was found.
    pub(crate) fn found_project(&self) -> Option<&Store> {
        if self.in_project {
            self.project.as_ref()
        } else {
            None
        }
    }

    /// Returns the stores that were chosen; both when nothing was.
    pub fn chosen(&self, choice: Option<ScopeChoice>) -> Result<Vec<&Store>, BankError> {
        self.readable(choice.and_then(ScopeChoice::single))
    }

    /// Returns the store that a write goes to: the project's if there is one.
    pub fn writable(&self, scope: Option<Scope>) -> Result<&Store, BankError> {
        self.store(scope.unwrap_or(self.default_scope()))
    }

    /// Returns the store of a scope.
    pub fn store(&self, scope: Scope) -> Result<&Store, BankError> {
        let store = match scope {
            Scope::User => &self.user,
            Scope::Project => &self.project,
        };
        store.as_ref().ok_or(BankError::NoPlace { scope })
    }

    fn default_scope(&self) -> Scope {
        if self.in_project {
            Scope::Project
        } else {
            Scope::User
        }
    }

    /// Finds a live entry, looking per key: the project's bank first, then the user's.
    pub fn find(
        &self,
        bank: &BankName,
        key: &Key,
        scope: Option<Scope>,
        now: Timestamp,
    ) -> Result<(&Store, Entry<'static>), BankError> {
        let mut expired = None;
        let mut with_bank = None;
        for store in self.readable(scope)? {
            match store.fetch(bank, key)? {
                Found::NoBank => {}
                Found::NoKey => with_bank = with_bank.or(Some(store)),
                Found::Entry(entry) if entry.is_expired(now) => {
                    expired = expired.or(Some((store, entry)))
                }
                Found::Entry(entry) => return Ok((store, entry)),
            }
        }
        Err(match (expired, with_bank) {
            (Some((store, entry)), _) => gone(store, bank, key, &entry),
            (None, Some(store)) => self.no_key(store, bank, key),
            (None, None) => self.no_bank(bank, scope),
        })
    }

    /// Says that a bank does not exist, and which one may have been meant.
    pub fn no_bank(&self, bank: &BankName, scope: Option<Scope>) -> BankError {
        let asked = scope.unwrap_or(self.default_scope());
        let other = |store: &&Store| scope.is_some_and(|scope| store.scope() != scope);
        let elsewhere = self.project.iter().chain(&self.user).find(|store| {
            other(store) && matches!(store.present_files(bank), Ok(files) if !files.is_empty())
        });
        let meant = match elsewhere {
            Some(store) => Some(format!(
                "It exists in the other scope: --scope {}",
                store.scope()
            )),
            None => self
                .similar_bank(bank, scope)
                .map(|name| format!("Did you mean '{name}'?")),
        };
        BankError::NoBank {
            bank: bank.clone(),
            scope: asked,
            meant,
        }
    }

    fn similar_bank(&self, bank: &BankName, scope: Option<Scope>) -> Option<String> {
        let stores = self.readable(scope).ok()?;
        let names: Vec<BankName> = stores
            .iter()
            .filter_map(|store| store.names().ok())
            .flatten()
            .collect();
        nearest(bank.as_str(), names.iter().map(BankName::as_str)).map(str::to_owned)
    }

    /// Says that a key does not exist, and which one may have been meant.
    pub fn no_key(&self, store: &Store, bank: &BankName, key: &Key) -> BankError {
        let similar = || {
            let loaded = store.load(bank).ok()??;
            let content = store.parse(bank, &loaded).ok()?;
            nearest(key.as_str(), content.keys()).map(|meant| format!("Did you mean '{meant}'?"))
        };
        BankError::NoKey {
            bank: bank.clone(),
            key: key.clone(),
            scope: store.scope(),
            meant: similar(),
        }
    }
}

fn gone(store: &Store, bank: &BankName, key: &Key, entry: &Entry<'_>) -> BankError {
    let expired_at = entry.expires_at().map(instant).unwrap_or_default();
    BankError::Expired {
        bank: bank.clone(),
        key: key.clone(),
        scope: store.scope(),
        expired_at,
    }
}
