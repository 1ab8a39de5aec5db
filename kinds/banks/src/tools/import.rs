//! `import`: brings exported banks back, merging them into what is there or replacing it.
//!
//! Everything is checked before the first bank is written. Each bank is then changed at once.

use memory_core::{Call, Change, Done, Json, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::{address, document};
use crate::format::Bank;
use crate::portable::{self, Portable};
use crate::scopes::Scopes;
use crate::store::{Edit, Store};
use crate::{BankError, BankName, Scope, limits, schema, undo};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The bank to import into; needed for the document of a single bank
    pub bank: Option<String>,
    pub document: Json,
    pub scope: Option<Scope>,
    /// Remove entries that the document does not have
    #[serde(default)]
    pub replace: bool,
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub success: bool,
    pub imported: Vec<Imported>,
    pub dry_run: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Imported {
    pub bank: String,
    pub scope: Scope,
    pub created: usize,
    pub updated: usize,
    pub unchanged: usize,
    pub removed: usize,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let plan = plan(scopes, &params)?;
    for (_, _, text) in &plan {
        check(text)?;
    }
    let (mut imported, mut changes) = (Vec::new(), Vec::new());
    for (n, (store, bank, text)) in plan.iter().enumerate() {
        call.progress.advance(n, plan.len(), bank.as_str());
        let (line, changed) = import(store, bank, text, call.now, &params)?;
        imported.push(line);
        changes.extend(changed);
    }
    Ok(Done::changed(Reply { success: true, imported, dry_run: params.dry_run }, changes))
}

/// Says which document goes into which bank of which store.
fn plan<'s>(scopes: &'s Scopes, params: &Params) -> Result<Vec<(&'s Store, BankName, String)>, BankError> {
    let wanted = params.bank.as_deref().map(BankName::parse).transpose()?;
    let mut plan = Vec::new();
    for Portable { scope, bank, text } in portable::parse(params.document.as_str())? {
        let name = match (&bank, &wanted) {
            (Some(bank), Some(wanted)) if bank != wanted => continue,
            (_, Some(wanted)) => wanted.clone(),
            (Some(bank), None) => bank.clone(),
            (None, None) => {
                return Err(BankError::BadArgument {
                    problem: "This is the document of a single bank, and it does not say which".into(),
                    hint: Some("Name the bank: import BANK < FILE".into()),
                });
            }
        };
        plan.push((scopes.writable(params.scope.or(scope))?, name, text));
    }
    match (plan.is_empty(), wanted) {
        (true, Some(bank)) => Err(scopes.no_bank(&bank, params.scope)),
        _ => Ok(plan),
    }
}

fn check(text: &str) -> Result<(), BankError> {
    for (_, entry) in portable::read_bank(text)?.entries() {
        let size = entry.map(|entry| entry.value.len()).unwrap_or_default();
        if size > limits::VALUE_BYTES {
            return Err(BankError::ValueTooLarge { size, limit: limits::VALUE_BYTES });
        }
    }
    Ok(())
}

fn import(
    store: &Store,
    bank: &BankName,
    text: &str,
    now: Timestamp,
    params: &Params,
) -> Result<(Imported, Vec<Change>), BankError> {
    let incoming = portable::read_bank(text)?;
    let merge = |content: &mut Bank<'_>, existed: bool| {
        let before = content.clone();
        if !existed || params.replace {
            content.meta = incoming.meta.clone();
        }
        let report = merge(store, bank, content, &incoming, params.replace)?;
        let is_idle = report.1.is_empty() && existed && !params.replace;
        if params.dry_run || is_idle {
            return Ok(Edit::Keep(report));
        }
        if !before.is_empty() {
            let what = format!("import into bank '{bank}' ({})", store.scope());
            undo::keep(store, bank, what, (&before, content), now)?;
        }
        Ok(Edit::Write(report))
    };
    match params.dry_run {
        false => store.change(bank, now, merge),
        true => rehearse(store, bank, now, merge),
    }
}

type Report = (Imported, Vec<Change>);

/// Does to a copy what would be done to the bank: a rehearsal makes no folder and no lock file.
fn rehearse(
    store: &Store,
    bank: &BankName,
    now: Timestamp,
    merge: impl FnOnce(&mut Bank<'_>, bool) -> Result<Edit<Report>, BankError>,
) -> Result<Report, BankError> {
    let loaded = store.load(bank)?;
    let mut content = match &loaded {
        Some(loaded) => store.parse(bank, loaded)?,
        None => Bank::new(now),
    };
    match merge(&mut content, loaded.is_some())? {
        Edit::Keep((imported, _)) | Edit::Write((imported, _)) => Ok((imported, vec![])),
    }
}

fn merge(
    store: &Store,
    bank: &BankName,
    content: &mut Bank<'_>,
    incoming: &Bank<'_>,
    replace: bool,
) -> Result<Report, BankError> {
    let scope = store.scope();
    let mut line =
        Imported { bank: bank.to_string(), scope, created: 0, updated: 0, unchanged: 0, removed: 0 };
    let mut changes = Vec::new();
    if replace {
        let gone: Vec<String> =
            content.keys().filter(|key| incoming.entry(key).is_none()).map(str::to_owned).collect();
        for key in gone {
            content.take(&key);
            line.removed += 1;
            changes.push(Change::gone(address(scope, bank, &key)));
        }
    }
    for (key, entry) in incoming.entries() {
        let Ok(entry) = entry else { continue };
        schema::check(bank, content.meta.schema.as_ref(), &entry.value)?;
        match content.entry(key) {
            Some(Ok(there)) if there == entry => {
                line.unchanged += 1;
                continue;
            }
            Some(_) => line.updated += 1,
            None => line.created += 1,
        }
        content.put(key, &entry);
        changes.push(Change::kept(document(scope, bank, key, &entry)));
    }
    Ok((line, changes))
}
