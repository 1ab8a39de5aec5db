//! `repair`: looks for damage in all banks or one, and mends it.

use memory_core::{Call, Done, Rehearsal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::repair::{Finding, Status, examine};
use crate::scopes::Scopes;
use crate::{BankError, BankName, ScopeChoice};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub bank: Option<String>,
    pub scope: Option<ScopeChoice>,
    #[serde(default)]
    pub check_only: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// Whether every bank is sound now.
    pub healthy: bool,
    pub banks: Vec<Finding>,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let wanted = params.bank.as_deref().map(BankName::parse).transpose()?;
    let mut banks = Vec::new();
    for store in scopes.chosen(params.scope)? {
        let names = store.names()?;
        for (n, bank) in names.iter().enumerate() {
            if wanted.as_ref().is_some_and(|wanted| wanted != bank) {
                continue;
            }
            call.progress.advance(n, names.len(), bank.as_str());
            banks.push(examine(store, bank, call.now, Rehearsal::dry_if(params.check_only))?);
        }
    }
    if let (Some(bank), true) = (&wanted, banks.is_empty()) {
        return Err(scopes.no_bank(bank, params.scope.and_then(ScopeChoice::single)));
    }
    let healthy = banks.iter().all(|found| matches!(found.status, Status::Ok | Status::Repaired));
    Ok(Done::read(Reply { healthy, banks }))
}
