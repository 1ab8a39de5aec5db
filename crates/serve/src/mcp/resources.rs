//! Resources as MCP lists and reads them.

use std::collections::HashSet;

use memory_core::{Code, Error, Resource};
use rmcp::model::{self, ErrorData, ReadResourceResult, ResourceContents, ResourceTemplate};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::data;
use crate::desk::Desk;

pub(super) fn list(desk: &Desk) -> Vec<model::Resource> {
    let listed = |resource: Resource| {
        model::Resource::new(resource.uri, resource.name)
            .with_description(resource.description)
            .with_mime_type(resource.mime_type)
    };
    all(desk)
        .filter(|resource| !resource.is_template())
        .map(listed)
        .collect()
}

pub(super) fn templates(desk: &Desk) -> Vec<ResourceTemplate> {
    let listed = |resource: Resource| {
        ResourceTemplate::new(resource.uri, resource.name)
            .with_description(resource.description)
            .with_mime_type(resource.mime_type)
    };
    all(desk)
        .filter(Resource::is_template)
        .map(listed)
        .collect()
}

/// Every resource; of those with the same address only the one that is read there.
fn all(desk: &Desk) -> impl Iterator<Item = Resource> {
    let mut seen = HashSet::new();
    let resources = desk.kinds().into_iter().flat_map(|kind| kind.resources());
    resources.filter(move |resource| seen.insert(resource.uri.clone()))
}

pub(super) fn read(desk: &Desk, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let read = desk
        .registry()
        .read("resource", &json!({ "uri": uri }), || find(desk, uri));
    match read.map_err(|error| refused(uri, &error))? {
        Some(Shown { mime_type, text }) => {
            let contents = ResourceContents::text(text, uri).with_mime_type(mime_type);
            Ok(ReadResourceResult::new(vec![contents]))
        }
        None => {
            let message = format!("Resource {uri} was not found");
            Err(ErrorData::resource_not_found(
                message,
                Some(json!({ "uri": uri })),
            ))
        }
    }
}

/// A resource as hooks see it, and may change it.
#[derive(Serialize, Deserialize)]
struct Shown {
    mime_type: String,
    text: String,
}

fn find(desk: &Desk, uri: &str) -> memory_core::Result<Option<Shown>> {
    let now = desk.registry().clock().now();
    for kind in desk.kinds() {
        if let Some(content) = kind.resource(uri, now)? {
            return Ok(Some(Shown {
                mime_type: content.mime_type.to_owned(),
                text: content.text,
            }));
        }
    }
    Ok(None)
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
