//! Questions of our own to the upstream's model, for what follows a chat.
//!
//! They carry nothing of a client's request but the name of the model it asked for, and are asked
//! from a thread that may block.

use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{HeaderMap, Method, Response};
use memory_core::{Code, Error, Result};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::body::{collect, full};
use super::gather::text_of_reply;
use super::refusal::Refusal;
use super::upstream::Upstream;
use crate::{limits, runtime};

impl Upstream {
    /// Returns what a model says to messages, each with its role. Without a name it is the model that
    /// was asked for last, or else the first one that there is.
    pub fn answer(&self, model: Option<&str>, messages: &[(&str, &str)]) -> Result<String> {
        let asked = async {
            let model = match model.map(str::to_owned).or_else(|| self.model_asked_for()) {
                Some(model) => model,
                None => {
                    let first = self.first_model().await?;
                    self.note_model(first.clone());
                    first
                }
            };
            let say = |(role, content): &(&str, &str)| json!({ "role": role, "content": content });
            let messages: Vec<Value> = messages.iter().map(say).collect();
            let body = json!({ "model": model, "messages": messages, "temperature": 0 });
            let reply = self
                .ask(Method::POST, "/chat/completions", body.to_string())
                .await?;
            Ok(text_of_reply(&reply))
        };
        match Handle::try_current() {
            Ok(runtime) => runtime.block_on(asked),
            Err(_) => runtime::run(asked),
        }
    }

    async fn first_model(&self) -> Result<String> {
        let models = self.ask(Method::GET, "/models", String::new()).await?;
        let models: Value = serde_json::from_slice(&models).unwrap_or_default();
        let mut names = models["data"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|model| model["id"].as_str());
        let found = names
            .find(|name| !name.contains("embed"))
            .map(str::to_owned);
        found.ok_or_else(|| Error::new(Code::UpstreamError, "No model is configured"))
    }

    async fn ask(&self, method: Method, path: &str, body: String) -> Result<Bytes> {
        let mut headers = HeaderMap::new();
        if let Some(key) = self.key() {
            headers.insert(AUTHORIZATION, key.clone());
        }
        if !body.is_empty() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let target = path
            .parse()
            .map_err(|error| failed("The request cannot be sent").because(error))?;
        let refused = |refusal: Refusal| failed(refusal.message());
        let request = self
            .request(method, &target, headers, full(body))
            .map_err(refused)?;
        let answered = async {
            let answer: Response<Incoming> = self
                .send(request, limits::QUESTION_TIME)
                .await
                .map_err(refused)?;
            let (status, body) = (answer.status(), answer.into_body());
            let body = collect(body, limits::WHOLE_REPLY_BYTES).await;
            let body = body.map_err(|_| failed("The upstream sent an incomplete reply"))?;
            if status.is_success() {
                Ok(body)
            } else {
                Err(failed(&format!(
                    "The upstream responded with status {status}"
                )))
            }
        };
        timeout(limits::QUESTION_TIME, answered)
            .await
            .map_err(|_| failed("The upstream does not respond"))?
    }
}

fn failed(message: &str) -> Error {
    Error::new(Code::UpstreamError, message)
}
