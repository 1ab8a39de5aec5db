//! Conversations over a temporary home, as tests use them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use memory_conversations::{Conversations, Settings, Store};
use memory_core::{
    Address, Call, Clock, Code, Error, Explain, Hit, Ids, Kind, Question, Recall, Recalled, Result,
    Silent, Timestamp,
};
use memory_files::{Disk, Files, RealDisk};
use memory_models::{Chat, Message};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

pub(crate) fn store(home: &Home, disk: Arc<dyn Disk>, settings: Settings) -> Store {
    let files = Files::new(disk, Ids::random());
    Store::new(
        files,
        Ids::random(),
        home.spot().join("memory_db"),
        settings,
    )
}

pub(crate) fn open_with(home: &Home, settings: Settings) -> Conversations {
    Conversations::new(store(home, Arc::new(RealDisk::default()), settings))
}

pub(crate) fn open(home: &Home) -> Conversations {
    open_with(home, Settings::default())
}

/// Opens conversations that ask a model.
pub(crate) fn open_asking(home: &Home, chat: &Arc<Scripted>) -> Conversations {
    Conversations::new(
        store(home, Arc::new(RealDisk::default()), Settings::default()).with_chat(chat.clone()),
    )
}

/// A model that says what it was told to, in turn, and then nothing but errors.
#[derive(Default)]
pub(crate) struct Scripted {
    answers: Mutex<Vec<Option<String>>>,
    pub(crate) asked: Mutex<Vec<Vec<Message>>>,
}

impl Scripted {
    /// An answer of none is a failure.
    pub(crate) fn saying(answers: &[Option<&str>]) -> Arc<Self> {
        let answers = answers
            .iter()
            .rev()
            .map(|answer| answer.map(str::to_owned))
            .collect();
        Arc::new(Scripted {
            answers: Mutex::new(answers),
            asked: Mutex::default(),
        })
    }

    /// How often it was asked.
    pub(crate) fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Chat for Scripted {
    fn id(&self) -> &str {
        "scripted"
    }

    fn answer(&self, messages: &[Message]) -> Result<String> {
        self.asked.lock().unwrap().push(messages.to_vec());
        let answer = self.answers.lock().unwrap().pop().flatten();
        answer.ok_or_else(|| Error::new(Code::UpstreamError, "the model is not there"))
    }
}

/// A recall that finds every memory of the scopes, in the order of their times, and keeps the questions.
pub(crate) struct Everything<'a> {
    pub(crate) kind: &'a dyn Kind,
    pub(crate) asked: Mutex<Vec<Question>>,
}

impl<'a> Everything<'a> {
    pub(crate) fn of(kind: &'a dyn Kind) -> Self {
        Everything {
            kind,
            asked: Mutex::default(),
        }
    }
}

impl Recall for Everything<'_> {
    fn recall(&self, question: &Question, now: Timestamp) -> Result<Recalled> {
        self.asked.lock().unwrap().push(question.clone());
        let mut documents = self.kind.documents(now).good;
        documents.retain(|document| {
            let has = |label: &String| document.labels.contains(label);
            (question.any_label.is_empty() || question.any_label.iter().any(has))
                && question.labels.iter().all(has)
                && !question.without.iter().any(has)
                && !question
                    .except
                    .iter()
                    .any(|text| text.trim() == document.text.trim())
        });
        documents.sort_by_key(|document| document.created_at);
        let hits = documents
            .into_iter()
            .take(question.limit)
            .map(|document| Hit {
                is_archived: false,
                address: Address::new(&document.address.kind, document.address.id.clone()),
                title: document.title,
                text: document.text,
                labels: document.labels,
                source: document.source,
                created_at: document.created_at,
                updated_at: document.updated_at,
                score: 0.5,
                marks: vec![],
                explain: Explain::default(),
            });
        Ok(Recalled {
            hits: hits.collect(),
            ..Recalled::default()
        })
    }
}

pub(crate) fn call(kind: &dyn Kind, tool: &str, params: Value) -> Result<Value> {
    call_at(kind, tool, params, 0)
}

/// Calls a tool so many seconds after the fixed time.
pub(crate) fn call_at(kind: &dyn Kind, tool: &str, params: Value, seconds: i64) -> Result<Value> {
    call_with(kind, tool, params, &Call::alone(after(seconds)))
}

/// Calls a tool that finds whatever there is.
pub(crate) fn call_recalling(
    kind: &dyn Kind,
    recall: &dyn Recall,
    tool: &str,
    params: Value,
) -> Result<Value> {
    call_with(
        kind,
        tool,
        params,
        &Call {
            by: memory_core::Actor::Agent,
            now: after(0),
            progress: &Silent,
            recall: Some(recall),
        },
    )
}

fn call_with(kind: &dyn Kind, tool: &str, params: Value, call: &Call<'_>) -> Result<Value> {
    let raw = serde_json::value::to_raw_value(&params).unwrap();
    let tools = kind.tools();
    let found = tools
        .iter()
        .find(|found| found.spec.name == tool)
        .expect("the tool exists");
    let done = found.call(call, &raw)?;
    Ok(serde_json::from_str(done.reply.get()).unwrap())
}

/// The time so many seconds after the fixed one.
pub(crate) fn after(seconds: i64) -> Timestamp {
    let now = Clock::fixed(clock().now()).now();
    Timestamp::from_second(now.as_second() + seconds).unwrap()
}

/// Records what a user says and what is answered, as a proxy does.
pub(crate) fn chat(
    kind: &dyn Kind,
    conversation: &str,
    said: &str,
    answer: &str,
    seconds: i64,
) -> Value {
    let reply = say(kind, conversation, said, json!({}), seconds);
    let answered =
        json!({ "conversation": conversation, "content": answer, "answers": reply["turn"] });
    call_at(kind, "record_assistant", answered, seconds).unwrap();
    reply
}

/// Records what a user says.
pub(crate) fn say(
    kind: &dyn Kind,
    conversation: &str,
    said: &str,
    more: Value,
    seconds: i64,
) -> Value {
    let mut params = json!({
        "conversation": conversation,
        "messages": [{ "role": "user", "content": said }],
    });
    params
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    call_at(kind, "record_user", params, seconds).unwrap()
}

pub(crate) fn add(kind: &dyn Kind, conversation: &str, facts: &[&str]) -> Vec<String> {
    let memories: Vec<Value> = facts
        .iter()
        .map(|fact| json!({ "content": fact }))
        .collect();
    let reply = call(
        kind,
        "conversation_add",
        json!({ "memories": memories, "conversation": conversation }),
    );
    let reply = reply.unwrap();
    reply["added"]
        .as_array()
        .unwrap()
        .iter()
        .map(|added| text(&added["id"]))
        .collect()
}

pub(crate) fn drain(kind: &dyn Kind) -> Value {
    call(kind, "drain", json!({})).unwrap()
}

pub(crate) fn show(kind: &dyn Kind, conversation: &str) -> Value {
    call(
        kind,
        "conversation_show",
        json!({ "conversation": conversation }),
    )
    .unwrap()
}

/// Returns the facts of a conversation, the oldest first.
pub(crate) fn facts(kind: &dyn Kind, conversation: &str) -> Vec<String> {
    let shown = call(
        kind,
        "conversation_show",
        json!({ "conversation": conversation }),
    );
    shown
        .map(|shown| contents(&shown["facts"]))
        .unwrap_or_default()
}

/// Returns what was said in a conversation, with who said it.
pub(crate) fn turns(kind: &dyn Kind, conversation: &str) -> Vec<String> {
    let shown = show(kind, conversation);
    let turns = shown["turns"].as_array().unwrap().iter();
    turns
        .map(|turn| format!("{}: {}", text(&turn["role"]), text(&turn["content"])))
        .collect()
}

pub(crate) fn contents(list: &Value) -> Vec<String> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|item| text(&item["content"]))
        .collect()
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

pub(crate) fn root(home: &Home) -> PathBuf {
    home.path().join("memory_db")
}

/// Every file below the root by its path, with its text; hidden ones are left out.
pub(crate) fn files(home: &Home) -> BTreeMap<String, String> {
    let root = root(home);
    let shown = |path: PathBuf| path.strip_prefix(&root).unwrap().display().to_string();
    let all = home
        .snapshot()
        .into_iter()
        .map(|(path, bytes)| (shown(path), String::from_utf8(bytes).unwrap()));
    all.filter(|(path, _)| !path.split('/').any(|part| part.starts_with('.')))
        .collect()
}

/// The paths of files below a folder.
pub(crate) fn paths(home: &Home, below: &str) -> Vec<String> {
    files(home)
        .into_keys()
        .filter(|path| path.starts_with(below))
        .collect()
}

#[track_caller]
pub(crate) fn check_code(ended: Result<Value>, code: Code) -> Error {
    let error = ended.expect_err("it fails");
    assert_eq!(error.code, code, "{error}");
    error
}
