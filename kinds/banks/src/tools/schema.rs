//! `schema`: shows, sets or clears the JSON Schema that a bank's values must satisfy.

use memory_core::{Call, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{By, Edit};
use crate::scopes::Scopes;
use crate::store::Store;
use crate::tools::check_secrets;
use crate::{BankError, BankName, Scope, limits, schema};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub bank: String,
    pub scope: Option<Scope>,
    pub action: Action,
    /// The schema, for `set`
    pub schema: Option<Json>,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Show,
    Set,
    Clear,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub bank: String,
    pub scope: Scope,
    pub schema: Option<Json>,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let bank = BankName::parse(&params.bank)?;
    let (store, schema) = match params.action {
        Action::Show => show(scopes, &bank, params.scope)?,
        Action::Set => {
            let given = params.schema.ok_or_else(|| BankError::BadArgument {
                problem: "There is no schema to set".into(),
                hint: Some("Name the file that holds it: schema BANK set FILE".into()),
            })?;
            if given.size() as u64 > limits::SCHEMA_BYTES {
                let limit = limits::SCHEMA_BYTES as usize;
                return Err(BankError::ValueTooLarge {
                    size: given.size(),
                    limit,
                });
            }
            schema::accept(&bank, &given)?;
            check_secrets(bank.as_str(), &given, params.allow_secret)?;
            (
                put(scopes, &bank, &params.scope, Some(&given), call)?,
                Some(given),
            )
        }
        Action::Clear => (put(scopes, &bank, &params.scope, None, call)?, None),
    };
    Ok(Done::read(Reply {
        bank: params.bank,
        scope: store.scope(),
        schema,
    }))
}

fn show<'s>(
    scopes: &'s Scopes,
    bank: &BankName,
    scope: Option<Scope>,
) -> Result<(&'s Store, Option<Json>), BankError> {
    for store in scopes.readable(scope)? {
        if let Some(loaded) = store.load(bank)? {
            return Ok((store, store.parse(bank, &loaded)?.meta.schema));
        }
    }
    Err(scopes.no_bank(bank, scope))
}

/// A schema may be set before the first value; entries that are there must satisfy it.
fn put<'s>(
    scopes: &'s Scopes,
    bank: &BankName,
    scope: &Option<Scope>,
    wanted: Option<&Json>,
    call: &Call<'_>,
) -> Result<&'s Store, BankError> {
    let store = match show(scopes, bank, *scope) {
        Ok((store, _)) => store,
        Err(BankError::NoBank { .. }) if wanted.is_some() => scopes.writable(*scope)?,
        Err(error) => return Err(error),
    };
    store.change(bank, By::of(call, "schema"), |content, _| {
        let rules = schema::Rules::of(bank, wanted)?;
        let checker = rules.checker();
        for (key, entry) in content.entries() {
            let Ok(entry) = entry else { continue };
            checker
                .check(&entry.value)
                .map_err(|error| BankError::Schema {
                    bank: bank.clone(),
                    problem: format!("the existing entry '{key}' does not satisfy it ({error})"),
                })?;
        }
        content.meta.schema = wanted.cloned();
        let verb = if wanted.is_some() { "set" } else { "remove" };
        let summary = format!("{verb} the schema of bank '{bank}' ({})", store.scope());
        Ok(Edit::write((), summary))
    })?;
    Ok(store)
}
