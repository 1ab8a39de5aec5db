//! A kind that keeps nothing and writes down what it is asked, in the manner of the conversations.

use std::sync::{Arc, Condvar, Mutex};

use memory_core::{
    Call, Code, Document, Done, Effect, Error, Flaw, Json, Kind, Registry, Rehearsal, Result, Step,
    Survey, Task, Timestamp, Tool, ToolSpec,
};
use memory_testkit::clock;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

/// What was asked, in order; anyone may wait for a line.
#[derive(Clone)]
pub(super) struct Diary(Arc<watch::Sender<Vec<String>>>);

impl Diary {
    fn note(&self, line: String) {
        self.0.send_modify(|lines| lines.push(line));
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.0.borrow().clone()
    }

    /// Waits until a line is there; returns all of them.
    pub(super) async fn has(&self, line: &str) -> Vec<String> {
        let mut lines = self.0.subscribe();
        lines
            .wait_for(|lines| lines.iter().any(|known| known == line))
            .await
            .unwrap()
            .clone()
    }
}

/// A kind with the tools that a proxy calls.
pub(super) struct Listener {
    pub(super) diary: Diary,
    /// Whether what follows a turn has to wait.
    pub(super) gate: Arc<(Mutex<bool>, Condvar)>,
    is_broken: bool,
}

pub(super) fn listener() -> Listener {
    Listener {
        diary: Diary(Arc::new(watch::Sender::new(Vec::new()))),
        gate: Arc::default(),
        is_broken: false,
    }
}

impl Listener {
    pub(super) fn broken() -> Self {
        Listener {
            is_broken: true,
            ..listener()
        }
    }

    pub(super) fn registry(self) -> Arc<Registry> {
        Arc::new(Registry::new(clock()).with_kind(self))
    }
}

/// Lets what waits at a gate go on.
pub(super) fn open(gate: &(Mutex<bool>, Condvar)) {
    *gate.0.lock().unwrap() = false;
    gate.1.notify_all();
}

type Parameters = Map<String, Value>;

fn text(parameters: &Parameters, name: &str) -> String {
    parameters
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// Returns what the user said last.
fn last(messages: &Value) -> String {
    let of_user = |message: &&Value| message["role"] == "user";
    let last = messages.as_array().unwrap().iter().rev().find(of_user);
    last.and_then(|message| message["content"].as_str())
        .unwrap_or_default()
        .to_owned()
}

fn augment(parameters: Parameters) -> Value {
    let mut messages = parameters["messages"].clone();
    if parameters.get("top_k") != Some(&json!(0)) {
        let remembered = format!("(remembered) {}", last(&messages));
        *messages.as_array_mut().unwrap().last_mut().unwrap() =
            json!({"role": "user", "content": remembered});
    }
    json!({ "messages": messages, "hits": [{ "text": "remembered", "score": 0.5 }], "has_summary": false })
}

fn take_user(diary: &Diary, parameters: &Parameters) -> Value {
    let said = last(&parameters["messages"]);
    diary.note(format!(
        "user {} {said} {}",
        text(parameters, "conversation"),
        parameters["retry"]
    ));
    let remember = !said.starts_with("### Task:");
    json!({ "remember": remember, "turn": format!("turn of {said}"), "request": "r1", "stored": true })
}

fn take_answer(diary: &Diary, parameters: &Parameters) -> Value {
    let [conversation, said, answers] =
        ["conversation", "content", "answers"].map(|name| text(parameters, name));
    let again = match parameters["retry"].as_u64() {
        Some(0) => String::new(),
        retry => format!(" again {retry:?} {}", text(parameters, "request")),
    };
    diary.note(format!(
        "assistant {conversation} {said} ({answers}){again}"
    ));
    json!({ "stored": true })
}

impl Kind for Listener {
    fn name(&self) -> &'static str {
        "conversations"
    }

    fn tools(&self) -> Vec<Tool> {
        let is_broken = self.is_broken;
        let tool = |name, body: Box<dyn Fn(Parameters) -> Value + Send + Sync>| {
            let spec = ToolSpec {
                toolset: "conversations",
                name,
                alias: None,
                description: "Listens",
                effect: Effect::Edits,
            };
            Tool::new(spec, move |_: &Call<'_>, parameters: Json| {
                if is_broken {
                    Err(Error::new(Code::NoSpace, "The disk is full"))
                } else {
                    Ok(Done::read(body(parameters.read().unwrap())))
                }
            })
        };
        let diary = self.diary.clone();
        let record_user = move |parameters: Parameters| take_user(&diary, &parameters);
        let diary = self.diary.clone();
        let record_assistant = move |parameters: Parameters| take_answer(&diary, &parameters);
        let diary = self.diary.clone();
        let record_exchange = move |mut parameters: Parameters| {
            let taken = take_user(&diary, &parameters);
            if taken["remember"] == true {
                parameters.insert("answers".to_owned(), taken["turn"].clone());
                parameters.insert("request".to_owned(), taken["request"].clone());
                take_answer(&diary, &parameters);
            }
            taken
        };
        let (diary, gate) = (self.diary.clone(), self.gate.clone());
        let drain = move |parameters: Parameters| {
            let conversation = text(&parameters, "conversation");
            if !conversation.is_empty() {
                let closed = gate.0.lock().unwrap();
                drop(gate.1.wait_while(closed, |closed| *closed).unwrap());
            }
            diary.note(format!("drain {conversation}"));
            json!({ "turns": 1, "left": 0 })
        };
        vec![
            tool("augment", Box::new(augment)),
            tool("record_user", Box::new(record_user)),
            tool("record_assistant", Box::new(record_assistant)),
            tool("record_exchange", Box::new(record_exchange)),
            tool("drain", Box::new(drain)),
        ]
    }

    fn tasks(&self) -> Vec<Task> {
        vec![]
    }

    fn documents(&self, _: Timestamp) -> Survey<Document> {
        Survey::default()
    }

    fn repair(&self, _: Timestamp, _: Rehearsal) -> Result<Vec<Flaw>> {
        Ok(vec![])
    }

    fn steps(&self) -> Survey<Step> {
        Survey::default()
    }

    fn undo(
        &self,
        _: &Step,
        _: memory_core::Actor,
        _: Timestamp,
    ) -> Result<Option<memory_core::Undone>> {
        Ok(None)
    }
}
