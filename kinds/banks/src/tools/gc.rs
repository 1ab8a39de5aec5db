//! `gc`: removes entries that have expired, or that are older than asked. What goes can be undone.

use memory_core::{Call, Change, Code, Done, Flaw, Rehearsal, Span, instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{By, Edit};
use crate::document::address;
use crate::format::Bank;
use crate::scopes::Scopes;
use crate::store::Store;
use crate::{BankError, BankName, Scope, ScopeChoice};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub scope: Option<ScopeChoice>,
    /// Also remove entries that were not updated for so long: 30d, 12h
    #[schemars(with = "Option<String>")]
    pub older_than: Option<Span>,
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub removed: Vec<Removed>,
    pub count: usize,
    pub dry_run: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Removed {
    pub bank: String,
    pub key: String,
    pub scope: Scope,
    pub reason: String,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let rules = Rules {
        by: By::of(call, "gc"),
        older_than: params.older_than,
    };
    let how = Rehearsal::dry_if(params.dry_run);
    let mut reply = Reply {
        removed: vec![],
        count: 0,
        dry_run: params.dry_run,
        flaws: vec![],
    };
    let stores = scopes.chosen(params.scope)?;
    let banks = readable_banks(&stores)?;
    for (n, (store, bank)) in banks.iter().enumerate() {
        call.progress.advance(n, banks.len(), bank.as_str());
        match collect(store, bank, &rules, how) {
            Ok(removed) => reply.removed.extend(removed),
            Err(error) if error.code() == Code::IoError => return Err(error),
            Err(error) => reply.flaws.push(store.flaw(bank, error)),
        }
    }
    if !how.is_dry() {
        for store in &stores {
            if let Err(error) = store.forget_expired(call.now) {
                reply.flaws.push(Flaw::new(
                    format!("history ({})", store.scope()),
                    error.to_string(),
                ));
            }
        }
    }
    reply.count = reply.removed.len();
    let changes = match how {
        Rehearsal::Dry => vec![],
        Rehearsal::Real => reply.removed.iter().filter_map(gone).collect(),
    };
    Ok(Done::changed(reply, changes))
}

/// Returns all banks. Fails if a read error hides one, before any other is changed.
fn readable_banks<'s>(stores: &[&'s Store]) -> Result<Vec<(&'s Store, BankName)>, BankError> {
    let mut banks = Vec::new();
    for store in stores {
        for bank in store.names()? {
            match store.load(&bank) {
                Err(error) if error.code() == Code::IoError => return Err(error),
                _ => banks.push((*store, bank)),
            }
        }
    }
    Ok(banks)
}

fn gone(removed: &Removed) -> Option<Change> {
    let bank = BankName::parse(&removed.bank).ok()?;
    Some(Change::gone(address(removed.scope, &bank, &removed.key)))
}

/// Which entries go.
struct Rules {
    by: By,
    older_than: Option<Span>,
}

impl Rules {
    fn doomed(&self, store: &Store, bank: &BankName, content: &Bank<'_>) -> Vec<Removed> {
        let reason = |entry: &crate::Entry<'_>| match (entry.expires_at(), self.older_than) {
            (Some(at), _) if at <= self.by.now => Some(format!("expired at {}", instant(at))),
            (_, Some(span)) if entry.updated_at < span.before(self.by.now) => {
                Some(format!("not updated since {}", instant(entry.updated_at)))
            }
            _ => None,
        };
        let removed = |key: &str, reason| Removed {
            bank: bank.to_string(),
            key: key.to_owned(),
            scope: store.scope(),
            reason,
        };
        let entries = content
            .entries()
            .filter_map(|(key, entry)| Some((key, entry.ok()?)));
        entries
            .filter_map(|(key, entry)| Some(removed(key, reason(&entry)?)))
            .collect()
    }
}

fn collect(
    store: &Store,
    bank: &BankName,
    rules: &Rules,
    how: Rehearsal,
) -> Result<Vec<Removed>, BankError> {
    let Some(loaded) = store.load(bank)? else {
        return Ok(vec![]);
    };
    let doomed = rules.doomed(store, bank, &store.parse(bank, &loaded)?);
    if doomed.is_empty() || how.is_dry() {
        return Ok(doomed);
    }
    store.change(bank, rules.by, |content, _| {
        // Looked at again under the lock: an entry may have been written since.
        let doomed = rules.doomed(store, bank, content);
        for removed in &doomed {
            content.take(&removed.key);
        }
        if doomed.is_empty() {
            return Ok(Edit::Keep(doomed));
        }
        let what = format!(
            "gc of {} entries of bank '{bank}' ({})",
            doomed.len(),
            store.scope()
        );
        Ok(Edit::write(doomed, what))
    })
}
