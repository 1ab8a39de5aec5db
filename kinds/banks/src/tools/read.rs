//! `read`: one entry, or every live entry of a bank.

use indexmap::IndexMap;
use memory_core::{Call, Done, Flaw, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scopes::Scopes;
use crate::tools::Metadata;
use crate::{BankError, BankName, Entry, Key, Scope};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Memory bank name
    pub bank: String,
    /// Key to read (optional, reads all if omitted)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Default value if key not found
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub default: Option<Json>,
}

/// A default of `null` is one, and not the lack of it.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Reply {
    Bank(WholeBank),
    Entry(One),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct One {
    pub value: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct WholeBank {
    pub bank: String,
    pub scope: Scope,
    pub entries: IndexMap<String, One>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let bank = BankName::parse(&params.bank)?;
    let read = match &params.key {
        Some(key) => read_key(scopes, call, &bank, &Key::parse(key)?, params.scope),
        None => read_bank(scopes, call, &bank, params.scope),
    };
    match (read, params.default) {
        (
            Err(BankError::NoBank { .. } | BankError::NoKey { .. } | BankError::Expired { .. }),
            Some(value),
        ) => Ok(Done::read(Reply::Entry(One {
            value,
            metadata: None,
            scope: None,
        }))),
        (read, _) => read.map(Done::read),
    }
}

fn read_key(
    scopes: &Scopes,
    call: &Call<'_>,
    bank: &BankName,
    key: &Key,
    scope: Option<Scope>,
) -> Result<Reply, BankError> {
    let (store, entry) = scopes.find(bank, key, scope, call.now)?;
    let shown = show(&entry).map_err(|why| store.bad_entry(bank, key.as_str(), &why))?;
    Ok(Reply::Entry(One {
        scope: Some(store.scope()),
        ..shown
    }))
}

fn read_bank(
    scopes: &Scopes,
    call: &Call<'_>,
    bank: &BankName,
    scope: Option<Scope>,
) -> Result<Reply, BankError> {
    for store in scopes.readable(scope)? {
        if let Some(loaded) = store.load(bank)? {
            let content = store.parse(bank, &loaded)?;
            let mut whole = WholeBank {
                bank: bank.to_string(),
                scope: store.scope(),
                entries: IndexMap::new(),
                flaws: vec![],
            };
            for (key, entry) in content.entries() {
                match entry.and_then(|entry| Ok((entry.is_expired(call.now), show(&entry)?))) {
                    Ok((true, _)) => {}
                    Ok((false, shown)) => drop(whole.entries.insert(key.to_owned(), shown)),
                    Err(why) => whole
                        .flaws
                        .push(store.flaw(bank, store.bad_entry(bank, key, &why))),
                }
            }
            return Ok(Reply::Bank(whole));
        }
    }
    Err(scopes.no_bank(bank, scope))
}

fn show(entry: &Entry<'_>) -> Result<One, String> {
    let value = Json::parse(&entry.value).map_err(|flaw| flaw.to_string())?;
    Ok(One {
        value,
        metadata: Some(Metadata::of(entry)),
        scope: None,
    })
}
