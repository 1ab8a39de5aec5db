//! `write`: keeps one value under a key.

use memory_core::{Call, Change, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{By, Edit};
use crate::document::document;
use crate::scopes::Scopes;
use crate::tools::check_value;
use crate::{BankError, BankName, Entry, Key, Scope, limits, schema};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub bank: String,
    pub key: String,
    /// Value to store (any JSON)
    pub value: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// TTL in seconds
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl: Option<u64>,
    #[serde(default)]
    #[schemars(skip)]
    pub condition: Condition,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
}

/// What must be so for the write to happen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    #[default]
    None,
    /// The key must not exist.
    CreateOnly,
    /// The key must exist.
    UpdateOnly,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub success: bool,
    pub key: String,
    pub bank: String,
    pub operation: Operation,
    pub scope: Scope,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    Create,
    Update,
    Delete,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let bank = BankName::parse(&params.bank)?;
    let key = Key::parse(&params.key)?;
    check_ttl(params.ttl)?;
    check_value(&key, &params.value, params.allow_secret)?;
    let store = scopes.writable(params.scope)?;
    let scope = store.scope();
    if params.condition == Condition::UpdateOnly {
        // Looked at beforehand too: a refused write makes neither a folder nor a lock.
        scopes
            .find(&bank, &key, Some(scope), call.now)
            .map_err(as_missing)?;
    }
    let (operation, change) = store.change(&bank, By::of(call, "write"), |content, existed| {
        let there = store.live_entry(&bank, content, &key, call.now)?;
        match (params.condition, &there) {
            (Condition::CreateOnly, Some(_)) => {
                return Err(BankError::KeyExists {
                    bank: bank.clone(),
                    key: key.clone(),
                    scope,
                });
            }
            (Condition::UpdateOnly, None) if !existed => {
                return Err(scopes.no_bank(&bank, Some(scope)));
            }
            (Condition::UpdateOnly, None) => {
                return Err(BankError::NoKey {
                    bank: bank.clone(),
                    key: key.clone(),
                    scope,
                    meant: None,
                });
            }
            _ => {}
        }
        schema::Rules::of(&bank, content.meta.schema.as_ref())?.check(params.value.as_str())?;
        let (operation, entry) = match &there {
            Some(old) => (
                Operation::Update,
                old.rewritten(&params.value, params.ttl, call.now),
            ),
            None => (
                Operation::Create,
                Entry::new(&params.value, params.ttl, call.now),
            ),
        };
        content.put(key.as_str(), &entry);
        let change = Change::kept(document(scope, &bank, key.as_str(), &entry));
        let summary = format!("write key '{key}' of bank '{bank}' ({scope})");
        Ok(Edit::write((operation, change), summary))
    })?;
    let reply = Reply {
        success: true,
        key: key.to_string(),
        bank: bank.to_string(),
        operation,
        scope,
    };
    Ok(Done::changed(reply, vec![change]))
}

/// An expired entry counts as absent.
fn as_missing(error: BankError) -> BankError {
    match error {
        BankError::Expired {
            bank, key, scope, ..
        } => BankError::NoKey {
            bank,
            key,
            scope,
            meant: None,
        },
        other => other,
    }
}

fn check_ttl(ttl: Option<u64>) -> Result<(), BankError> {
    match ttl {
        Some(seconds) if seconds == 0 || seconds > limits::TTL_SECONDS => {
            Err(BankError::BadArgument {
                problem: format!(
                    "A TTL is between 1 and {} seconds, not {seconds}",
                    limits::TTL_SECONDS
                ),
                hint: Some("Omit --ttl for a value that does not expire".into()),
            })
        }
        _ => Ok(()),
    }
}
