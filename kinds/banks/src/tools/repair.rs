//! `repair`: looks for damage in all banks or one, and mends it.

use memory_core::{Call, Change, Done, Flaw, Rehearsal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::documents;
use crate::repair::{Finding, Status, examine};
use crate::scopes::Scopes;
use crate::tools::banks_of;
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
    /// Scopes that could not be looked into.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let wanted = params.bank.as_deref().map(BankName::parse).transpose()?;
    let mut flaws = Vec::new();
    let mut wanted_banks = banks_of(&scopes.chosen(params.scope)?, &mut flaws);
    wanted_banks.retain(|(_, bank)| wanted.as_ref().is_none_or(|wanted| wanted == bank));
    let mut banks = Vec::new();
    let mut changes = Vec::new();
    for (n, (store, bank)) in wanted_banks.iter().enumerate() {
        call.progress.advance(n, wanted_banks.len(), bank.as_str());
        let found = examine(store, bank, call.now, Rehearsal::dry_if(params.check_only));
        if found.status == Status::Repaired {
            changes.extend(
                documents(store, bank, Some(call.now))
                    .good
                    .into_iter()
                    .map(Change::kept),
            );
        }
        banks.push(found);
    }
    if let (Some(bank), true) = (&wanted, banks.is_empty()) {
        return Err(scopes.no_bank(bank, params.scope.and_then(ScopeChoice::single)));
    }
    let is_sound = |found: &Finding| matches!(found.status, Status::Ok | Status::Repaired);
    let healthy = flaws.is_empty() && banks.iter().all(is_sound);
    Ok(Done::changed(
        Reply {
            healthy,
            banks,
            flaws,
        },
        changes,
    ))
}
