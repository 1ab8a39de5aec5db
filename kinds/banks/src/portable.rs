//! Exports: one bank's document, or those of all scopes in one file.

use memory_core::{Fields, Json, Timestamp, instant, json_string};

use crate::format::Bank;
use crate::{BankError, BankName, Scope};

const VERSION: &str = "1";

/// A bank on its way out or in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Portable {
    pub(crate) scope: Option<Scope>,
    pub(crate) bank: Option<BankName>,
    pub(crate) text: String,
}

/// Renders the file of `export --all`.
pub(crate) fn render_all(
    banks: &[(Scope, BankName, String)],
    now: Timestamp,
) -> Result<Json, BankError> {
    let scope = |wanted: Scope| {
        let members: Vec<String> = banks
            .iter()
            .filter(|(scope, ..)| *scope == wanted)
            .map(|(_, bank, text)| format!("{}:{text}", json_string(bank.as_str())))
            .collect();
        format!("\"{wanted}\":{{{}}}", members.join(","))
    };
    let text = format!(
        "{{\"version\":{VERSION},\"exported_at\":\"{}\",\"scopes\":{{{},{}}}}}",
        instant(now),
        scope(Scope::Project),
        scope(Scope::User)
    );
    Json::parse(&text).map_err(|flaw| BankError::BadValue { flaw })
}

/// Reads either kind of export.
pub(crate) fn parse(text: &str) -> Result<Vec<Portable>, BankError> {
    let top = Fields::parse(text).map_err(|e| not_an_export(&e.to_string()))?;
    if top.get("entries").is_some() {
        return Ok(vec![Portable {
            scope: None,
            bank: None,
            text: text.to_owned(),
        }]);
    }
    let scopes = top
        .get("scopes")
        .ok_or_else(|| not_an_export("it has neither entries nor scopes"))?;
    if top
        .get("version")
        .is_some_and(|version| version.get() != VERSION)
    {
        return Err(not_an_export(
            "it was made by a newer version of this program",
        ));
    }
    let mut found = Vec::new();
    for (name, banks) in Fields::parse(scopes.get())
        .map_err(|e| not_an_export(&e.to_string()))?
        .iter()
    {
        let scope = match name {
            "user" => Scope::User,
            "project" => Scope::Project,
            other => return Err(not_an_export(&format!("it has a scope '{other}'"))),
        };
        for (bank, text) in Fields::parse(banks.get())
            .map_err(|e| not_an_export(&e.to_string()))?
            .iter()
        {
            let bank = Some(BankName::parse(bank)?);
            found.push(Portable {
                scope: Some(scope),
                bank,
                text: text.get().to_owned(),
            });
        }
    }
    Ok(found)
}

/// Reads the document of a bank that is to be imported: every entry must be whole.
pub(crate) fn read_bank(text: &str) -> Result<Bank<'_>, BankError> {
    let bank = Bank::parse(text).map_err(|flaw| not_an_export(&flaw.to_string()))?;
    for (key, entry) in bank.entries() {
        crate::Key::parse(key)?;
        let entry = entry.map_err(|why| not_an_export(&format!("of entry '{key}' {why}")))?;
        Json::parse_value(&entry.value).map_err(|flaw| BankError::BadValue { flaw })?;
    }
    Ok(bank)
}

fn not_an_export(why: &str) -> BankError {
    BankError::BadArgument {
        problem: format!("This is not an export of banks: {why}"),
        hint: Some("Pass the output of 'export BANK' or 'export --all'".into()),
    }
}
