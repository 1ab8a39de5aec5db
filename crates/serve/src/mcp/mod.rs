//! The Model Context Protocol, over standard input and over HTTP; `rmcp` speaks both of its eras.
//!
//! Each file here answers one group of requests by asking the registry. No kind is known: tools,
//! resources, prompts and completions are what the kinds show.

mod complete;
mod http;
mod message;
mod progress;
mod prompts;
mod resources;
mod sessions;
mod stdio;
mod tools;
mod wire;

use std::sync::Arc;
use std::time::Instant;

use memory_core::Error;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use crate::desk::Desk;
use crate::limits::INSTRUCTION_CHARS;
use crate::pace::Pace;
use crate::runtime::{aside, here};

pub use http::{HttpPlace, serve_http};
use message::Arguments;
use progress::Watch;
pub use stdio::serve_stdio;
use tools::Asked;

/// What comes before the guides of the kinds.
const OPENING: &str =
    "A long-term memory that you share with the user's other agents, kept in plain files.";

/// The tool that asks all kinds at once, and what is said of it.
const RECALL: &str = "memory_recall";
const RECALLING: &str = " memory_recall finds what is relevant in all of it: ask it first.";

/// Answers the requests of one client, or of all clients.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    desk: Desk,
    /// What is known of the tools where one client alone is served.
    pace: Option<Arc<Pace>>,
}

impl Server {
    /// Returns a server of many clients: no call of one keeps another waiting.
    pub(crate) fn of_many(desk: Desk) -> Self {
        Server { desk, pace: None }
    }

    /// Returns a server of one client.
    pub(crate) fn of_one(desk: Desk) -> Self {
        Server {
            desk,
            pace: Some(Arc::default()),
        }
    }

    /// Asks the desk on a thread where work may block.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Desk) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let desk = self.desk.clone();
        aside(move || question(&desk)).await.ok_or_else(broke_off)?
    }

    /// Calls a tool, on this thread if that is likely to be quick.
    async fn call(&self, asked: Asked, watch: Watch) -> Result<CallToolResult, ErrorData> {
        let Some(pace) = &self.pace else {
            return self
                .ask(move |desk| tools::call(desk, &asked, &watch))
                .await;
        };
        let (pace, is_quick) = (pace.clone(), pace.is_quick(&asked.name));
        let call = move |desk: &Desk| {
            let began = Instant::now();
            let result = tools::call(desk, &asked, &watch)?;
            pace.learn(&asked.name, began.elapsed());
            Ok(result)
        };
        if is_quick {
            here(|| call(&self.desk)).ok_or_else(broke_off)?
        } else {
            self.ask(call).await
        }
    }

    fn instructions(&self) -> String {
        let recalling = if self.desk.has(RECALL) { RECALLING } else { "" };
        let mut text = format!("{OPENING}{recalling}");
        for guide in self
            .desk
            .chosen_kinds()
            .map(|kind| kind.guide())
            .filter(|guide| !guide.is_empty())
        {
            let longer = format!("{text}\n\n{guide}");
            // A guide that is cut may say the opposite.
            if longer.chars().count() <= INSTRUCTION_CHARS {
                text = longer;
            }
        }
        text
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("memory", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.instructions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list(&self.desk)?))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (watch, told) = progress::watch(&context);
        let asked = Asked::of(request, Arguments::of(&context.extensions))?;
        let result = self.call(asked, watch).await;
        told.await;
        Ok(result?.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.ask(|desk| Ok(ListResourcesResult::with_all_items(resources::list(desk))))
            .await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.ask(|desk| {
            Ok(ListResourceTemplatesResult::with_all_items(
                resources::templates(desk),
            ))
        })
        .await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(self
            .ask(move |desk| resources::read(desk, &request.uri))
            .await?
            .into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list(&self.desk)))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(self
            .ask(move |desk| prompts::get(desk, request))
            .await?
            .into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.ask(move |desk| complete::complete(desk, &request))
            .await
    }
}

fn broke_off() -> ErrorData {
    ErrorData::internal_error("The call failed unexpectedly", None)
}

/// Returns our error object, for an error's data.
fn data(error: &Error) -> Option<Value> {
    error.to_value().get_mut("error").map(Value::take)
}

#[cfg(test)]
mod tests;
