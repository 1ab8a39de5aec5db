//! `delete`: takes one entry away, or a whole bank. Both can be undone.

use memory_core::{Call, Change, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::address;
use crate::scopes::Scopes;
use crate::store::{Edit, Found, Store};
use crate::tools::write::Operation;
use crate::{BankError, BankName, Key, Scope, undo};

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
        None => delete_bank(call, store, &bank)?.ok_or_else(|| scopes.no_bank(&bank, params.scope))?,
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

/// Returns the one store that has what is to be deleted.
fn holder<'s>(
    scopes: &'s Scopes,
    call: &Call<'_>,
    bank: &BankName,
    key: Option<&Key>,
    scope: Option<Scope>,
) -> Result<&'s Store, BankError> {
    let mut holders = Vec::new();
    for store in scopes.readable(scope)? {
        let is_here = match key {
            Some(key) => matches!(store.fetch(bank, key)?, Found::Entry(_)),
            None => !store.present_files(bank)?.is_empty(),
        };
        if is_here {
            holders.push(store);
        }
    }
    match (holders.as_slice(), key) {
        ([only], _) => Ok(only),
        ([], Some(key)) => scopes.find(bank, key, scope, call.now).map(|(store, _)| store),
        ([], None) => Err(scopes.no_bank(bank, scope)),
        (_, key) => {
            let what =
                key.map_or_else(|| format!("Bank '{bank}'"), |key| format!("Key '{key}' of bank '{bank}'"));
            Err(BankError::Ambiguous { what, bank: bank.clone() })
        }
    }
}

fn delete_key(
    scopes: &Scopes,
    call: &Call<'_>,
    store: &Store,
    bank: &BankName,
    key: &Key,
) -> Result<Vec<Change>, BankError> {
    let deleted = store.change(bank, call.now, |content, _| {
        if content.entry(key.as_str()).is_none() {
            return Ok(Edit::Keep(false));
        }
        let before = content.clone();
        content.take(key.as_str());
        let what = format!("delete key '{key}' of bank '{bank}' ({})", store.scope());
        undo::keep(store, bank, what, (&before, content), call.now)?;
        Ok(Edit::Write(true))
    })?;
    if !deleted {
        scopes.find(bank, key, Some(store.scope()), call.now)?;
    }
    Ok(vec![Change::gone(address(store.scope(), bank, key.as_str()))])
}

fn delete_bank(call: &Call<'_>, store: &Store, bank: &BankName) -> Result<Option<Vec<Change>>, BankError> {
    store.remove(bank, |loaded| {
        let keys: Vec<String> = match store.parse(bank, loaded) {
            Ok(content) => content.keys().map(str::to_owned).collect(),
            Err(_) => vec![],
        };
        undo::keep_bank(store, bank, loaded, call.now)?;
        Ok(keys.iter().map(|key| Change::gone(address(store.scope(), bank, key))).collect())
    })
}
