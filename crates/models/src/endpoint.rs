//! Models behind an OpenAI-compatible endpoint: embeddings and chat.
//!
//! A key is sent and never shown: it is in no message, no debug output and no URL.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use memory_core::Result;
use memory_http::{Client, HeaderMap, RequestError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::{client, read_whole, unreachable, with_body};
use crate::vector::normalise;
use crate::{Chat, Embed, Message, ModelError};

/// How often a request is made before giving up.
const ATTEMPTS: u32 = 4;
/// The pause before the second attempt; each one after is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause that a server may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// Texts that are sent together.
const BATCH: usize = 64;

/// Where a model is asked, and with which key.
#[derive(Clone)]
pub struct Endpoint {
    /// Such as `https://api.openai.com/v1`.
    base_url: String,
    key: Option<String>,
    patience: Duration,
    pause: fn(Duration),
    /// Made when it is first needed: who asks no one needs no authorities.
    client: Arc<OnceLock<Client>>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// Returns an endpoint that is given so long for an answer.
    pub fn new(base_url: &str, key: Option<String>, patience: Duration) -> Self {
        let base_url = base_url.trim_end_matches('/').to_owned();
        Endpoint {
            base_url,
            key,
            patience,
            pause: std::thread::sleep,
            client: Arc::default(),
        }
    }

    /// Waits between attempts by other means: tests do not wait.
    #[must_use]
    pub fn pausing(mut self, pause: fn(Duration)) -> Self {
        self.pause = pause;
        self
    }

    /// Returns the client, which is made when it is first needed.
    fn client(&self, url: &str) -> Result<&Client, ModelError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = client(self.patience).map_err(|error| unreachable(url, &error))?;
        Ok(self.client.get_or_init(|| client))
    }

    /// Posts JSON and returns the answer; tries again what may pass.
    fn post(
        &self,
        path: &str,
        body: &Value,
        may_pass: fn(u16) -> bool,
    ) -> Result<Value, ModelError> {
        let url = format!("{}/{path}", self.base_url);
        let client = self.client(&url)?;
        let bearer = self.key.as_ref().map(|key| format!("Bearer {key}"));
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(
            bearer
                .as_ref()
                .map(|bearer| ("authorization", bearer.as_str())),
        );
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let request = with_body("POST", &url, &headers, body.to_string().into_bytes());
            let sent = request.and_then(|request| client.send(request));
            let wait = match sent {
                Ok(mut answer) if answer.status().is_success() => {
                    let bytes = read_whole(&url, &mut answer)?;
                    return serde_json::from_slice(&bytes)
                        .map_err(|error| bad_answer(&url, &error.to_string()));
                }
                Ok(answer) => {
                    let status = answer.status().as_u16();
                    if attempt == ATTEMPTS || !may_pass(status) {
                        return Err(ModelError::Refused { url, status });
                    }
                    asked_to_wait(answer.headers()).unwrap_or(pause)
                }
                Err(error) if attempt == ATTEMPTS => return Err(unreachable(&url, &error)),
                Err(error @ RequestError::Timeout) => return Err(unreachable(&url, &error)),
                Err(_) => pause,
            };
            (self.pause)(wait.min(LONGEST_PAUSE));
            pause *= 2;
        }
        unreachable!("the loop ends by returning")
    }
}

fn asked_to_wait(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get("retry-after")?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

fn bad_answer(url: &str, why: &str) -> ModelError {
    ModelError::BadAnswer {
        url: url.to_owned(),
        why: why.to_owned(),
    }
}

/// An embedding model behind an endpoint.
#[derive(Debug)]
pub struct EndpointEmbedder {
    endpoint: Endpoint,
    model: String,
    id: String,
    dimensions: OnceLock<usize>,
}

#[derive(Deserialize)]
struct Embeddings {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    #[serde(default)]
    index: Option<usize>,
    embedding: Numbers,
}

/// A vector as a list, or as the base64 of its 32-bit floats.
#[derive(Deserialize)]
#[serde(untagged)]
enum Numbers {
    List(Vec<f32>),
    Text(String),
}

impl EndpointEmbedder {
    /// Returns the model of this name behind an endpoint. Nothing is asked yet.
    pub fn new(endpoint: Endpoint, model: &str) -> Self {
        let id = format!("openai:{model}@{}", endpoint.base_url);
        EndpointEmbedder {
            endpoint,
            model: model.to_owned(),
            id,
            dimensions: OnceLock::new(),
        }
    }

    fn ask(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        // Servers refuse a text without a letter, and one of them would fail the whole batch.
        let texts: Vec<&str> = texts
            .iter()
            .map(|text| if text.trim().is_empty() { "-" } else { text })
            .collect();
        let body = json!({"model": self.model, "input": texts, "encoding_format": "base64"});
        let may_pass = |status| status == 429 || status >= 500;
        let answer = self.endpoint.post("embeddings", &body, may_pass)?;
        let bad = |why: &str| bad_answer(&self.endpoint.base_url, why);
        let answer: Embeddings =
            serde_json::from_value(answer).map_err(|error| bad(&error.to_string()))?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for (n, item) in answer.data.into_iter().enumerate() {
            let place = vectors
                .get_mut(item.index.unwrap_or(n))
                .ok_or_else(|| bad("too many vectors"))?;
            *place = item
                .embedding
                .read()
                .ok_or_else(|| bad("an invalid vector"))?;
        }
        let width = vectors.first().map_or(0, Vec::len);
        if width == 0 || vectors.iter().any(|vector| vector.len() != width) {
            return Err(bad("vectors are missing or differ in length"));
        }
        if *self.dimensions.get_or_init(|| width) == width {
            Ok(vectors)
        } else {
            Err(bad("vectors have another length than before"))
        }
    }
}

impl Numbers {
    fn read(self) -> Option<Vec<f32>> {
        let mut vector = match self {
            Numbers::List(list) => list,
            Numbers::Text(text) => {
                use base64::Engine;
                let bytes = base64::engine::general_purpose::STANDARD
                    .decode(text)
                    .ok()?;
                bytes
                    .as_chunks::<4>()
                    .0
                    .iter()
                    .map(|four| f32::from_le_bytes(*four))
                    .collect()
            }
        };
        normalise(&mut vector);
        vector
            .iter()
            .all(|value| value.is_finite())
            .then_some(vector)
    }
}

impl Embed for EndpointEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    /// Is 0 until the endpoint has answered once.
    fn dimensions(&self) -> usize {
        self.dimensions.get().copied().unwrap_or(0)
    }

    fn can_read(&self, text: &str) -> bool {
        !text.trim().is_empty()
    }

    fn question(&self, text: &str) -> Result<Vec<f32>> {
        Ok(self.ask(&[text])?.remove(0))
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        for some in texts.chunks(BATCH) {
            vectors.extend(self.ask(some)?);
        }
        Ok(vectors)
    }
}

/// A language model behind an endpoint.
#[derive(Debug)]
pub struct EndpointChat {
    endpoint: Endpoint,
    model: String,
}

impl EndpointChat {
    /// Returns the model of this name behind an endpoint. Nothing is asked yet.
    pub fn new(endpoint: Endpoint, model: &str) -> Self {
        EndpointChat {
            endpoint,
            model: model.to_owned(),
        }
    }
}

impl Chat for EndpointChat {
    fn id(&self) -> &str {
        &self.model
    }

    fn answer(&self, messages: &[Message]) -> Result<String> {
        let told = |message: &Message| json!({"role": message.role, "content": message.content});
        let messages: Vec<Value> = messages.iter().map(told).collect();
        let body = json!({"model": self.model, "messages": messages, "stream": false});
        let answer = self
            .endpoint
            .post("chat/completions", &body, |status| status >= 500)?;
        let text = answer
            .pointer("/choices/0/message/content")
            .and_then(Value::as_str);
        let bad = || bad_answer(&self.endpoint.base_url, "no message in it");
        Ok(text.ok_or_else(bad)?.to_owned())
    }
}
