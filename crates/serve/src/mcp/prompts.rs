//! Prompts as MCP lists and gives them: those of the kinds whose tools they speak of.

use memory_core::{Argument, Arguments, Prompt, Silent};
use rmcp::model::{
    self, ErrorData, GetPromptRequestParams, GetPromptResult, PromptArgument, PromptMessage, Role,
};
use serde_json::{Value, json};

use super::data;
use crate::desk::Desk;

pub(super) fn list(desk: &Desk) -> Vec<model::Prompt> {
    let argument = |argument: &Argument| {
        PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(argument.is_required)
    };
    let listed = |prompt: Prompt| {
        let arguments = prompt.arguments.iter().map(argument).collect();
        model::Prompt::new(prompt.name, Some(prompt.description), Some(arguments))
    };
    desk.chosen_kinds()
        .flat_map(|kind| kind.prompts())
        .map(listed)
        .collect()
}

pub(super) fn get(
    desk: &Desk,
    request: GetPromptRequestParams,
) -> Result<GetPromptResult, ErrorData> {
    let registry = desk.registry();
    let mut prompts = desk.chosen_kinds().flat_map(|kind| kind.prompts());
    let unknown = || ErrorData::invalid_params(format!("Unknown prompt '{}'", request.name), None);
    let prompt = prompts
        .find(|prompt| prompt.name == request.name)
        .ok_or_else(unknown)?;
    let given: Arguments = request
        .arguments
        .unwrap_or_default()
        .into_iter()
        .map(|(name, value)| (name, plain(value)))
        .collect();
    let asked = json!({ "name": prompt.name, "arguments": given });
    let text = registry.read("prompt", &asked, || {
        prompt.text(&registry.surroundings(&Silent), &given)
    });
    let text =
        text.map_err(|error| ErrorData::invalid_params(error.message.clone(), data(&error)))?;
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.description))
}

fn plain(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
