//! `query`: asks a jq filter about one entry's value, or about a bank's whole document.

use memory_core::{Call, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scopes::Scopes;
use crate::{BankError, BankName, Key, Scope, filter};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub bank: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// jq filter expression
    pub filter: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub results: Vec<Json>,
    pub bank: String,
    pub scope: Scope,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let bank = BankName::parse(&params.bank)?;
    let (scope, input) = match &params.key {
        Some(key) => {
            let (store, entry) = scopes.find(&bank, &Key::parse(key)?, params.scope, call.now)?;
            (store.scope(), entry.value.into_owned())
        }
        None => live_document(scopes, call, &bank, params.scope)?,
    };
    let results = filter::run(&params.filter, &input, call.now)?;
    Ok(Done::read(Reply {
        results,
        bank: params.bank,
        scope,
    }))
}

/// Returns a bank's document without the entries that have expired.
fn live_document(
    scopes: &Scopes,
    call: &Call<'_>,
    bank: &BankName,
    scope: Option<Scope>,
) -> Result<(Scope, String), BankError> {
    for store in scopes.readable(scope)? {
        if let Some(loaded) = store.load(bank)? {
            let mut content = store.parse(bank, &loaded)?;
            let expired = content.expired(call.now);
            let text = if expired.is_empty() {
                loaded.text
            } else {
                expired.iter().for_each(|key| content.take(key));
                content.render().text
            };
            return Ok((store.scope(), text));
        }
    }
    Err(scopes.no_bank(bank, scope))
}
