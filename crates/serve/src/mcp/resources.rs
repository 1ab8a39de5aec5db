//! Resources as MCP lists and reads them.

use std::collections::HashSet;

use memory_core::{Code, Error, Resource};
use rmcp::model::{self, ErrorData, ReadResourceResult, ResourceContents, ResourceTemplate};
use serde_json::json;

use super::data;
use crate::desk::Desk;

pub(super) fn list(desk: &Desk) -> Vec<model::Resource> {
    let listed = |resource: Resource| {
        model::Resource::new(resource.uri, resource.name)
            .with_description(resource.description)
            .with_mime_type(resource.mime_type)
    };
    all(desk).filter(|resource| !resource.is_template()).map(listed).collect()
}

pub(super) fn templates(desk: &Desk) -> Vec<ResourceTemplate> {
    let listed = |resource: Resource| {
        ResourceTemplate::new(resource.uri, resource.name)
            .with_description(resource.description)
            .with_mime_type(resource.mime_type)
    };
    all(desk).filter(Resource::is_template).map(listed).collect()
}

/// Every resource; of those with the same address only the one that is read there.
fn all(desk: &Desk) -> impl Iterator<Item = Resource> {
    let mut seen = HashSet::new();
    let resources = desk.kinds().into_iter().flat_map(|kind| kind.resources());
    resources.filter(move |resource| seen.insert(resource.uri.clone()))
}

pub(super) fn read(desk: &Desk, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let now = desk.registry().clock().now();
    for kind in desk.kinds() {
        if let Some(content) = kind.resource(uri, now).map_err(|error| refused(uri, &error))? {
            let contents = ResourceContents::text(content.text, uri).with_mime_type(content.mime_type);
            return Ok(ReadResourceResult::new(vec![contents]));
        }
    }
    Err(ErrorData::resource_not_found(format!("There is no resource {uri}"), Some(json!({ "uri": uri }))))
}

fn refused(uri: &str, error: &Error) -> ErrorData {
    let message = error.message.clone();
    match error.code {
        Code::NotFound | Code::BankNotFound => {
            ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
        }
        code if code.exit_status() == 2 => ErrorData::invalid_params(message, data(error)),
        _ => ErrorData::internal_error(message, data(error)),
    }
}
