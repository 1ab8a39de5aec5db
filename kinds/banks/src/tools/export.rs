//! `export`: a bank's document, or those of all scopes.

use memory_core::{Call, Done, Flaw, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scopes::Scopes;
use crate::tools::query::live_document;
use crate::{BankError, BankName, Scope, portable};

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
    /// Banks that could not be read, and are not in the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let reply = match &params.bank {
        Some(bank) => {
            let (_, text) = live_document(scopes, call, &BankName::parse(bank)?, params.scope)?;
            let document = Json::parse(&text).map_err(|flaw| BankError::BadValue { flaw })?;
            Reply { document, flaws: vec![] }
        }
        None => export_all(scopes, call, params.scope)?,
    };
    Ok(Done::read(reply))
}

fn export_all(scopes: &Scopes, call: &Call<'_>, scope: Option<Scope>) -> Result<Reply, BankError> {
    let (mut banks, mut flaws) = (Vec::new(), Vec::new());
    for store in scopes.readable(scope)? {
        let names = store.names()?;
        for (n, bank) in names.iter().enumerate() {
            call.progress.advance(n, names.len(), bank.as_str());
            match live_document(scopes, call, bank, Some(store.scope())) {
                Ok((scope, text)) => banks.push((scope, bank.clone(), text)),
                Err(error) => {
                    flaws.push(Flaw::new(format!("{bank}.json ({})", store.scope()), error.to_string()))
                }
            }
        }
    }
    Ok(Reply { document: portable::render_all(&banks, call.now)?, flaws })
}
