//! `import`: brings exported banks back, merging them into what is there or replacing it.
//!
//! Everything is checked before the first bank is written. Each bank is then changed at once.

use memory_core::{Actor, Call, Change, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{By, Edit, Terms};
use crate::document::{address, document};
use crate::format::Bank;
use crate::portable::{self, Portable};
use crate::scopes::Scopes;
use crate::store::Store;
use crate::tools::check_secrets;
use crate::{BankError, BankName, Scope, limits, schema};

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
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
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
    let bring = |store: &Store, bank: &BankName, text: &str, content: &mut Bank<'_>, existed| {
        edit(store, bank, text, &params, content, existed)
    };
    let mut rehearsed = Vec::new();
    for (store, bank, text) in &plan {
        check(text, params.allow_secret)?;
        let (line, _) = store.rehearse(bank, call.now, |c, existed| {
            bring(store, bank, text, c, existed)
        })?;
        rehearsed.push(line);
    }
    if params.dry_run {
        return Ok(Done::read(Reply {
            success: true,
            imported: rehearsed,
            dry_run: true,
        }));
    }
    let (mut imported, mut changes) = (Vec::new(), Vec::new());
    let by = By {
        actor: Actor::Import,
        ..By::of(call, "import")
    };
    for (n, (store, bank, text)) in plan.iter().enumerate() {
        call.progress.advance(n, plan.len(), bank.as_str());
        let (line, changed) =
            store.change(bank, by, |c, existed| bring(store, bank, text, c, existed))?;
        imported.push(line);
        changes.extend(changed);
    }
    Ok(Done::changed(
        Reply {
            success: true,
            imported,
            dry_run: false,
        },
        changes,
    ))
}

/// Says which document goes into which bank of which store.
fn plan<'s>(
    scopes: &'s Scopes,
    params: &Params,
) -> Result<Vec<(&'s Store, BankName, String)>, BankError> {
    let wanted = params.bank.as_deref().map(BankName::parse).transpose()?;
    let mut plan = Vec::new();
    for Portable { scope, bank, text } in portable::parse(params.document.as_str())? {
        let name = match (&bank, &wanted) {
            (Some(bank), Some(wanted)) if bank != wanted => continue,
            (_, Some(wanted)) => wanted.clone(),
            (Some(bank), None) => bank.clone(),
            (None, None) => {
                return Err(BankError::BadArgument {
                    problem: "This is the document of a single bank, without the name of the bank"
                        .into(),
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

fn check(text: &str, allow_secret: bool) -> Result<(), BankError> {
    let bank = portable::read_bank(text)?;
    if let Some(schema) = &bank.meta.schema {
        check_secrets("", schema, allow_secret)?;
    }
    for (key, entry) in bank.entries() {
        let Ok(entry) = entry else { continue };
        let size = entry.value.len();
        if size > limits::VALUE_BYTES {
            return Err(BankError::ValueTooLarge {
                size,
                limit: limits::VALUE_BYTES,
            });
        }
        let value = Json::parse(&entry.value).map_err(|flaw| BankError::BadValue { flaw })?;
        check_secrets(key, &value, allow_secret)?;
    }
    Ok(())
}

type Report = (Imported, Vec<Change>);

/// Brings a document into a bank.
fn edit(
    store: &Store,
    bank: &BankName,
    text: &str,
    params: &Params,
    content: &mut Bank<'_>,
    existed: bool,
) -> Result<Edit<Report>, BankError> {
    let incoming = portable::read_bank(text)?;
    let is_new_schema = params.replace && content.meta.schema != incoming.meta.schema;
    if !existed {
        content.take_meta_of(&incoming);
    } else if params.replace {
        content.meta.schema = incoming.meta.schema.clone();
    }
    let report = merge(store, bank, content, &incoming, params.replace)?;
    if existed && report.1.is_empty() && !is_new_schema {
        return Ok(Edit::Keep(report));
    }
    let what = format!("import into bank '{bank}' ({})", store.scope());
    Ok(Edit::Write(
        report,
        Terms {
            summary: what,
            keeps_time: !existed,
        },
    ))
}

fn merge(
    store: &Store,
    bank: &BankName,
    content: &mut Bank<'_>,
    incoming: &Bank<'_>,
    replace: bool,
) -> Result<Report, BankError> {
    let scope = store.scope();
    let mut line = Imported {
        bank: bank.to_string(),
        scope,
        created: 0,
        updated: 0,
        unchanged: 0,
        removed: 0,
    };
    let mut changes = Vec::new();
    if replace {
        let gone: Vec<String> = content
            .keys()
            .filter(|key| incoming.entry(key).is_none())
            .map(str::to_owned)
            .collect();
        for key in gone {
            content.take(&key);
            line.removed += 1;
            changes.push(Change::gone(address(scope, bank, &key)));
        }
    }
    let rules = schema::Rules::of(bank, content.meta.schema.as_ref())?;
    let checker = rules.checker();
    for (key, entry) in incoming.entries() {
        let Ok(entry) = entry else { continue };
        checker.check(&entry.value)?;
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
