//! `delete`: takes one entry away, or a whole bank. Both can be undone.

use memory_core::{Call, Change, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{By, Edit};
use crate::document::address;
use crate::scopes::Scopes;
use crate::store::{Found, Store};
use crate::tools::write::Operation;
use crate::{BankError, BankName, Key, Scope};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub bank: String,
    /// Key to delete (omit to delete entire bank)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub bank: String,
    pub operation: Operation,
    pub scope: Scope,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let bank = BankName::parse(&params.bank)?;
    let key = params.key.as_deref().map(Key::parse).transpose()?;
    let store = holder(scopes, call, &bank, key.as_ref(), params.scope)?;
    let changes = match &key {
        Some(key) => delete_key(scopes, call, store, &bank, key)?,
        None => {
            delete_bank(call, store, &bank)?.ok_or_else(|| scopes.no_bank(&bank, params.scope))?
        }
    };
    let reply = Reply {
        success: true,
        key: params.key,
        bank: params.bank,
        operation: Operation::Delete,
        scope: store.scope(),
    };
    Ok(Done::changed(reply, changes))
}

/// Returns the one store that has what is to be deleted. A live entry counts before an expired one.
fn holder<'s>(
    scopes: &'s Scopes,
    call: &Call<'_>,
    bank: &BankName,
    key: Option<&Key>,
    scope: Option<Scope>,
) -> Result<&'s Store, BankError> {
    let (mut live, mut others, mut failed) = (Vec::new(), Vec::new(), None);
    for store in scopes.readable(scope)? {
        match presence(store, call, bank, key) {
            Ok(Presence::Live) => live.push(store),
            Ok(Presence::Expired) => others.push(store),
            Ok(Presence::None) => {}
            // A damaged bank of one scope is not in the way of the other's.
            Err(error) => failed = Some(error),
        }
    }
    let holders = if live.is_empty() { others } else { live };
    match (holders.as_slice(), key, failed) {
        ([only], _, _) => Ok(only),
        ([], _, Some(error)) => Err(error),
        ([], Some(key), None) => scopes
            .find(bank, key, scope, call.now)
            .map(|(store, _)| store),
        ([], None, None) => Err(scopes.no_bank(bank, scope)),
        (_, key, _) => {
            let what = key.map_or_else(
                || format!("Bank '{bank}'"),
                |key| format!("Key '{key}' of bank '{bank}'"),
            );
            Err(BankError::Ambiguous {
                what,
                bank: bank.clone(),
            })
        }
    }
}

enum Presence {
    None,
    Expired,
    Live,
}

fn presence(
    store: &Store,
    call: &Call<'_>,
    bank: &BankName,
    key: Option<&Key>,
) -> Result<Presence, BankError> {
    let Some(key) = key else {
        let is_there = !store.present_files(bank)?.is_empty();
        return Ok(if is_there {
            Presence::Live
        } else {
            Presence::None
        });
    };
    Ok(match store.fetch(bank, key)? {
        Found::Entry(entry) if entry.is_expired(call.now) => Presence::Expired,
        Found::Entry(_) => Presence::Live,
        Found::NoBank | Found::NoKey => Presence::None,
    })
}

fn delete_key(
    scopes: &Scopes,
    call: &Call<'_>,
    store: &Store,
    bank: &BankName,
    key: &Key,
) -> Result<Vec<Change>, BankError> {
    let deleted = store.change(bank, By::of(call, "delete"), |content, _| {
        if content.entry(key.as_str()).is_none() {
            return Ok(Edit::Keep(false));
        }
        content.take(key.as_str());
        Ok(Edit::write(
            true,
            format!("delete key '{key}' of bank '{bank}' ({})", store.scope()),
        ))
    })?;
    if deleted {
        Ok(vec![Change::gone(address(
            store.scope(),
            bank,
            key.as_str(),
        ))])
    } else {
        // Another process deleted it first.
        Err(scopes.no_key(store, bank, key))
    }
}

fn delete_bank(
    call: &Call<'_>,
    store: &Store,
    bank: &BankName,
) -> Result<Option<Vec<Change>>, BankError> {
    let keys: Vec<String> = match store.load(bank) {
        Ok(Some(loaded)) => store
            .parse(bank, &loaded)
            .map(|c| c.keys().map(str::to_owned).collect())
            .unwrap_or_default(),
        _ => vec![],
    };
    let gone = |key: &String| Change::gone(address(store.scope(), bank, key));
    Ok(store
        .remove(bank, By::of(call, "delete"))?
        .then(|| keys.iter().map(gone).collect()))
}
