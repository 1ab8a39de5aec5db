//! Completions: values for a place of a resource's address or of a prompt, from the kind it belongs to.

use memory_core::{Error, Kind};
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, Reference};
use serde_json::json;

use super::data;
use crate::desk::Desk;
use crate::limits::COMPLETIONS;

pub(super) fn complete(
    desk: &Desk,
    request: &CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let has_prompt =
        |kind: &&dyn Kind, name: &str| kind.prompts().iter().any(|prompt| prompt.name == name);
    let owner = match &request.r#ref {
        Reference::Resource(resource) => desk
            .kinds()
            .into_iter()
            .find(|kind| has_resource(*kind, &resource.uri)),
        Reference::Prompt(prompt) => desk
            .chosen_kinds()
            .find(|kind| has_prompt(kind, &prompt.name)),
        _ => None,
    };
    // A place that nobody knows has no values; a client that guesses is not told off for it.
    let argument = &request.argument;
    let asked = json!({ "argument": argument.name, "value": argument.value });
    let complete = |kind: &dyn Kind| {
        let values = || Ok(kind.complete(&argument.name, &argument.value));
        desk.registry().read("completion", &asked, values)
    };
    let refused = |error: Error| ErrorData::invalid_params(error.message.clone(), data(&error));
    let mut values: Vec<String> = owner
        .map(complete)
        .transpose()
        .map_err(refused)?
        .unwrap_or_default();
    let total = values.len();
    values.truncate(COMPLETIONS);
    let info = CompletionInfo::with_pagination(
        values,
        Some(u32::try_from(total).unwrap_or(u32::MAX)),
        total > COMPLETIONS,
    );
    info.map(CompleteResult::new)
        .map_err(|problem| ErrorData::internal_error(problem, None))
}

fn has_resource(kind: &dyn Kind, uri: &str) -> bool {
    kind.resources().iter().any(|resource| resource.uri == uri)
}
