//! `update`: changes one entry by a jq filter.
//!
//! The filter runs on a snapshot, without the bank's lock; under the lock the entry must still be
//! what the filter saw. A filter that is known to be quick is run again while the lock is held, so
//! that many writers of one entry do not keep each other from finishing.

use std::time::{Duration, Instant};

use memory_core::{Call, Change, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{By, Edit};
use crate::document::document;
use crate::scopes::Scopes;
use crate::store::{Found, Store};
use crate::tools::check_value;
use crate::tools::write::{Operation, Reply};
use crate::{BankError, BankName, Entry, Key, Scope, filter, limits, schema};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub bank: String,
    pub key: String,
    /// jq filter to apply
    pub filter: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    #[serde(default)]
    #[schemars(skip)]
    pub create: bool,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let bank = BankName::parse(&params.bank)?;
    let key = Key::parse(&params.key)?;
    let store = target(scopes, call, &params, &bank, &key)?;
    let update = Update {
        scopes,
        call,
        params: &params,
        store,
        bank: &bank,
        key: &key,
    };
    let (operation, change) = update.run()?;
    let reply = Reply {
        success: true,
        key: key.to_string(),
        bank: bank.to_string(),
        operation,
        scope: store.scope(),
    };
    Ok(Done::changed(reply, vec![change]))
}

/// An update goes where the entry is; one that may create goes where a write would.
fn target<'s>(
    scopes: &'s Scopes,
    call: &Call<'_>,
    params: &Params,
    bank: &BankName,
    key: &Key,
) -> Result<&'s Store, BankError> {
    match scopes.find(bank, key, params.scope, call.now) {
        Ok((store, _)) => Ok(store),
        Err(BankError::NoBank { .. } | BankError::NoKey { .. } | BankError::Expired { .. })
            if params.create =>
        {
            scopes.writable(params.scope)
        }
        Err(error) => Err(error),
    }
}

struct Update<'a> {
    scopes: &'a Scopes,
    call: &'a Call<'a>,
    params: &'a Params,
    store: &'a Store,
    bank: &'a BankName,
    key: &'a Key,
}

impl Update<'_> {
    fn run(&self) -> Result<(Operation, Change), BankError> {
        let started = Instant::now();
        let mut cost = Duration::ZERO;
        while started.elapsed() < limits::PATIENCE {
            let began = Instant::now();
            let before = self.snapshot()?;
            let after = self.apply(before.as_deref())?;
            cost = cost.max(began.elapsed());
            if let Some(done) =
                self.store_if(before.as_deref(), after, cost <= limits::QUICK_FILTER)?
            {
                return Ok(done);
            }
        }
        Err(BankError::Contended {
            bank: self.bank.clone(),
            key: self.key.clone(),
        })
    }

    fn snapshot(&self) -> Result<Option<String>, BankError> {
        match self.store.fetch(self.bank, self.key)? {
            Found::Entry(entry) if !entry.is_expired(self.call.now) => {
                Ok(Some(entry.value.into_owned()))
            }
            _ if self.params.create => Ok(None),
            _ => self
                .scopes
                .find(self.bank, self.key, Some(self.store.scope()), self.call.now)
                .map(|(_, entry)| Some(entry.value.into_owned())),
        }
    }

    fn apply(&self, before: Option<&str>) -> Result<Json, BankError> {
        let after = filter::run_once(&self.params.filter, before.unwrap_or("null"), self.call.now)?;
        check_value(self.key, &after, self.params.allow_secret)?;
        Ok(after)
    }

    /// Keeps what the filter made; none when someone else changed the entry meanwhile.
    fn store_if(
        &self,
        before: Option<&str>,
        after: Json,
        is_quick: bool,
    ) -> Result<Option<(Operation, Change)>, BankError> {
        let (bank, key, now) = (self.bank, self.key.as_str(), self.call.now);
        let by = By::of(self.call, "update");
        self.store.change(bank, by, |content, _| {
            let there = self.store.live_entry(bank, content, self.key, now)?;
            let now_there = there.as_ref().map(|entry| entry.value.as_ref());
            let after = match (now_there == before, is_quick && now_there.is_some()) {
                (true, _) => after.clone(),
                (false, true) => self.apply(now_there)?,
                (false, false) => return Ok(Edit::Keep(None)),
            };
            schema::Rules::of(bank, content.meta.schema.as_ref())?.check(after.as_str())?;
            let (operation, entry) = match &there {
                Some(old) => (Operation::Update, old.updated(&after, now)),
                None => (Operation::Create, Entry::new(&after, None, now)),
            };
            content.put(key, &entry);
            let change = Change::kept(document(self.store.scope(), bank, key, &entry));
            let scope = self.store.scope();
            let summary = format!("update key '{key}' of bank '{bank}' ({scope})");
            Ok(Edit::write(Some((operation, change)), summary))
        })
    }
}
