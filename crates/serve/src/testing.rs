//! A kind for tests: a slate that keeps what is said, fails when told to, and shows a little.

use std::sync::{Arc, Mutex};

use memory_core::{
    Argument, Cadence, Call, Code, Content, Document, Done, Effect, Error, Flaw, Kind, Notice,
    Prompt, Registry, Rehearsal, Report, Resource, Result, Span, Step, Survey, Task, Timestamp,
    Tool, ToolSpec,
};
use memory_testkit::clock;
use serde_json::value::RawValue;

use crate::desk::Desk;

/// What was said and done, in order.
pub(crate) type Diary = Arc<Mutex<Vec<String>>>;

#[derive(Default)]
pub(crate) struct Slate {
    pub(crate) diary: Diary,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Say {
    /// A word
    word: String,
}

pub(crate) fn desk() -> (Desk, Diary) {
    let slate = Slate::default();
    let diary = slate.diary.clone();
    let registry = Registry::new(clock()).with_kind(slate);
    (
        Desk::open(Arc::new(registry), &[], &["slate", "recall"]).unwrap(),
        diary,
    )
}

/// Returns a desk whose guard refuses what mentions a secret, and whose replies are in capitals.
pub(crate) fn guarded_desk() -> Desk {
    let registry = Registry::new(clock())
        .with_kind(Slate::default())
        .with_hook(Guard);
    Desk::open(Arc::new(registry), &[], &["slate"]).unwrap()
}

struct Guard;

impl memory_core::Hook for Guard {
    fn before(&self, tool: &str, parameters: &RawValue) -> Result<()> {
        if parameters.get().contains("secret") {
            Err(Error::new(
                Code::PermissionDenied,
                format!("A hook refused '{tool}'"),
            ))
        } else {
            Ok(())
        }
    }

    fn after(&self, _: &str, reply: Box<RawValue>) -> Box<RawValue> {
        RawValue::from_string(reply.get().replace("all", "ALL").replace("Hello", "HELLO")).unwrap()
    }
}

fn note(diary: &Diary, line: &str) {
    diary.lock().unwrap().push(line.to_owned());
}

impl Kind for Slate {
    fn name(&self) -> &'static str {
        "slate"
    }

    fn tools(&self) -> Vec<Tool> {
        let spec = |name, effect| ToolSpec {
            toolset: "slate",
            name,
            alias: Some(name),
            description: "Says it",
            effect,
        };
        let diary = self.diary.clone();
        let say = move |call: &Call<'_>, said: Say| {
            call.progress.advance(1, 2, "half");
            match said.word.as_str() {
                "fail" => {
                    return Err(Error::new(Code::Conflict, "It can't be said").hint("Say less"));
                }
                "panic" => panic!("as told"),
                word => note(&diary, word),
            }
            Ok(Done::read(said.word))
        };
        let count = self.diary.clone();
        let count = move |_: &Call<'_>, _: serde_json::Map<String, serde_json::Value>| {
            Ok(Done::read(
                serde_json::json!({ "count": count.lock().unwrap().len() }),
            ))
        };
        vec![
            Tool::new(spec("say", Effect::Writes), say),
            Tool::new(spec("count", Effect::Reads), count),
        ]
    }

    fn tasks(&self) -> Vec<Task> {
        let task = |name: &'static str, cadence, fails: bool| {
            let diary = self.diary.clone();
            Task::new(name, cadence, move |_, _| {
                note(&diary, name);
                let notice = Notice {
                    title: name.to_owned(),
                    text: "done".to_owned(),
                };
                if fails {
                    Err(Error::new(Code::NoSpace, "The disk is full"))
                } else {
                    Ok(Done::read(Report {
                        lines: vec![],
                        notices: vec![notice],
                    }))
                }
            })
        };
        vec![
            task("broken", Cadence::EveryRound, true),
            task("round", Cadence::EveryRound, false),
            task("idle", Cadence::WhenIdle(Span::seconds(90)), false),
        ]
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

    fn guide(&self) -> &'static str {
        "Say what matters."
    }

    fn resources(&self) -> Vec<Resource> {
        let resource = |uri: &str| Resource {
            uri: uri.to_owned(),
            name: "words".to_owned(),
            description: "What was said".to_owned(),
            mime_type: "text/plain",
        };
        vec![
            resource("memory://words"),
            resource("memory://word/{place}"),
        ]
    }

    fn resource(&self, uri: &str, _: Timestamp) -> Result<Option<Content>> {
        match uri {
            "memory://words" => Ok(Some(Content {
                mime_type: "text/plain",
                text: "all".into(),
            })),
            "memory://word/none" => Err(Error::new(Code::NotFound, "There is no such word")),
            _ => Ok(None),
        }
    }

    fn prompts(&self) -> Vec<Prompt> {
        let word = Argument {
            name: "word",
            description: "A word",
            is_required: true,
        };
        vec![Prompt::new("greet", "Greets", vec![word], |_, given| {
            Ok(format!("Hello {}", given["word"]))
        })]
    }

    fn complete(&self, place: &str, prefix: &str) -> Vec<String> {
        (0..250)
            .map(|n| format!("{place}-{n}"))
            .filter(|value| value.starts_with(prefix))
            .collect()
    }
}
