//! Banks to read by address, and the names that complete one.

use std::collections::BTreeSet;

use memory_core::{Call, Code, Content, Error, Json, Resource, Result, Timestamp};

use crate::scopes::Scopes;
use crate::tools::read;

const BANK: &str = "memory://bank/";
const JSON: &str = "application/json";
/// Most banks that are listed one by one.
const LISTED: usize = 100;

/// What a model is told of the banks.
pub(crate) const GUIDE: &str = "\
Banks keep structured state as JSON under keys: what a session is about, where a recurring task stands, settings that \
scripts share. Read before you write; change a part of a value with a jq filter (update) and not by writing it whole, \
so that parallel changes are kept. Without a scope, a project's bank comes before the user's.";

pub(crate) fn all(scopes: &Scopes) -> Vec<Resource> {
    let resource = |uri: String, name: String, description: &str| Resource {
        uri,
        name,
        description: description.to_owned(),
        mime_type: JSON,
    };
    let template = resource(
        format!("{BANK}{{name}}"),
        "bank".into(),
        "The entries of a memory bank, by its name",
    );
    let one = |name: &String| {
        resource(
            format!("{BANK}{name}"),
            name.clone(),
            "The entries of a memory bank",
        )
    };
    let mut all = vec![template];
    all.extend(names(scopes).iter().take(LISTED).map(one));
    all
}

pub(crate) fn read(scopes: &Scopes, uri: &str, now: Timestamp) -> Result<Option<Content>> {
    let Some(name) = uri.strip_prefix(BANK) else {
        return Ok(None);
    };
    let params = read::Params {
        bank: name.to_owned(),
        key: None,
        scope: None,
        default: None,
    };
    let done = read::run(scopes, &Call::alone(now), params)?;
    let unwritable =
        |flaw| Error::new(Code::IoError, "The bank could not be written").because(flaw);
    let text = Json::of(&done.reply).map_err(unwritable)?.pretty();
    Ok(Some(Content {
        mime_type: JSON,
        text,
    }))
}

/// Values for `name`.
pub(crate) fn complete(scopes: &Scopes, place: &str, prefix: &str) -> Vec<String> {
    match place {
        "name" => names(scopes)
            .into_iter()
            .filter(|name| name.starts_with(prefix))
            .collect(),
        _ => Vec::new(),
    }
}

/// The names of the banks that a read finds; a scope that can't be looked into hides no other.
fn names(scopes: &Scopes) -> BTreeSet<String> {
    let stores = scopes.readable(None).unwrap_or_default();
    let named = stores
        .iter()
        .filter_map(|store| store.names().ok())
        .flatten();
    named.map(|name| name.to_string()).collect()
}
