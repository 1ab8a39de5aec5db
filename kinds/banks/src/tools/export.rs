//! `export`: a bank's document, or those of all scopes.

use memory_core::{Call, Done, Flaw, Json, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scopes::Scopes;
use crate::store::Store;
use crate::tools::banks_of;
use crate::{BankError, BankName, Key, Scope, portable};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The bank; all banks when omitted
    pub bank: Option<String>,
    pub scope: Option<Scope>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub document: Json,
    /// What could not be read, and is not in the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let reply = match &params.bank {
        Some(bank) => export_one(scopes, call, &BankName::parse(bank)?, params.scope)?,
        None => export_all(scopes, call, params.scope)?,
    };
    Ok(Done::read(reply))
}

fn export_one(
    scopes: &Scopes,
    call: &Call<'_>,
    bank: &BankName,
    scope: Option<Scope>,
) -> Result<Reply, BankError> {
    let mut flaws = Vec::new();
    for store in scopes.readable(scope)? {
        if let Some(text) = document(store, bank, call.now, &mut flaws)? {
            let document = Json::parse(&text).map_err(|flaw| BankError::BadValue { flaw })?;
            return Ok(Reply { document, flaws });
        }
    }
    Err(scopes.no_bank(bank, scope))
}

fn export_all(scopes: &Scopes, call: &Call<'_>, scope: Option<Scope>) -> Result<Reply, BankError> {
    let (mut documents, mut flaws) = (Vec::new(), Vec::new());
    let banks = banks_of(&scopes.readable(scope)?, &mut flaws);
    for (n, (store, bank)) in banks.iter().enumerate() {
        call.progress.advance(n, banks.len(), bank.as_str());
        match document(store, bank, call.now, &mut flaws) {
            Ok(text) => documents.extend(text.map(|text| (store.scope(), bank.clone(), text))),
            Err(error) => flaws.push(store.flaw(bank, error)),
        }
    }
    Ok(Reply {
        document: portable::render_all(&documents, call.now)?,
        flaws,
    })
}

/// Returns a bank's document with every entry that can be imported again: neither those that have
/// expired, nor those that can't be read, which are told.
fn document(
    store: &Store,
    bank: &BankName,
    now: Timestamp,
    flaws: &mut Vec<Flaw>,
) -> Result<Option<String>, BankError> {
    let Some(loaded) = store.load(bank)? else {
        return Ok(None);
    };
    let mut content = store.parse(bank, &loaded)?;
    let mut left_out = content.expired(now);
    for (key, entry) in content.entries() {
        let problem = match entry {
            Ok(entry) => Json::parse_value(&entry.value)
                .err()
                .map(|flaw| flaw.to_string()),
            Err(why) => Some(why),
        };
        if let Some(why) = problem.or_else(|| Key::parse(key).err().map(|error| error.to_string()))
        {
            flaws.push(store.flaw(bank, store.bad_entry(bank, key, &why)));
            left_out.push(key.to_owned());
        }
    }
    left_out.iter().for_each(|key| content.take(key));
    Ok(Some(content.render().text))
}
