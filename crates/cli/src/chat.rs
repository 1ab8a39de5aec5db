//! The language model that conversations ask: which one it is, and who hears of it when it fails.
//!
//! The same one for the proxy, the daemon and the shell: that of `llm.base_url`, else the upstream's own.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use memory_core::{Code, Error, Result};
use memory_models::{Chat, Endpoint, EndpointChat, Message};
use memory_serve::Upstream;

use crate::config::Config;
use crate::house::Ground;

/// The language model that is asked when an endpoint is named and no model.
const USUAL_MODEL: &str = "gpt-4o-mini";

/// Returns the model that the configuration or the environment names; none when neither does.
pub(crate) fn chosen(ground: &Ground, config: &Config) -> Option<Arc<dyn Chat>> {
    named(ground, config).or_else(|| {
        let base = base_url(ground, config)?.to_owned();
        let key = ground
            .environment
            .openai_api_key
            .as_ref()
            .map(|key| key.reveal().to_owned());
        Some(Arc::new(UpstreamChat::new(
            OnceLock::new(),
            base,
            key,
            config,
        )))
    })
}

/// Returns the model behind `llm.base_url`, if that is set; else the one that clients ask an upstream for.
pub(crate) fn chosen_beside(
    upstream: &Upstream,
    ground: &Ground,
    config: &Config,
) -> Arc<dyn Chat> {
    named(ground, config).unwrap_or_else(|| {
        let chat = of_upstream(upstream, config);
        Arc::new(UpstreamChat {
            has_clients: true,
            ..chat
        })
    })
}

/// Returns the model of an upstream that only we ask.
pub(crate) fn of_upstream(upstream: &Upstream, config: &Config) -> UpstreamChat {
    UpstreamChat::new(
        OnceLock::from(upstream.clone()),
        upstream.base().to_owned(),
        None,
        config,
    )
}

/// Returns the address of the upstream: that of the environment, else the configured one.
pub(crate) fn base_url<'a>(ground: &'a Ground, config: &'a Config) -> Option<&'a str> {
    let base = ground.environment.openai_base_url.as_deref();
    base.or(config.conversations.openai_base_url.as_deref())
}

fn named(ground: &Ground, config: &Config) -> Option<Arc<dyn Chat>> {
    let llm = &config.llm;
    let url = llm.base_url.as_ref()?;
    let patience = Duration::from_secs(llm.timeout.as_seconds());
    let endpoint = Endpoint::new(url, ground.environment.key(&llm.api_key_env), patience);
    Some(Arc::new(EndpointChat::new(
        endpoint,
        llm.model.as_deref().unwrap_or(USUAL_MODEL),
    )))
}

/// The upstream's model, reached when it is first asked.
pub(crate) struct UpstreamChat {
    upstream: OnceLock<Upstream>,
    base: String,
    key: Option<String>,
    /// The configured one, or the one that was asked first.
    model: OnceLock<String>,
    /// Whether clients say which model is asked, each time anew.
    has_clients: bool,
}

impl UpstreamChat {
    fn new(
        upstream: OnceLock<Upstream>,
        base: String,
        key: Option<String>,
        config: &Config,
    ) -> Self {
        let model = config
            .llm
            .model
            .clone()
            .map(OnceLock::from)
            .unwrap_or_default();
        UpstreamChat {
            upstream,
            base,
            key,
            model,
            has_clients: false,
        }
    }

    fn upstream(&self) -> Result<&Upstream> {
        if let Some(upstream) = self.upstream.get() {
            return Ok(upstream);
        }
        let opened = Upstream::new(&self.base, self.key.as_deref())?;
        Ok(self.upstream.get_or_init(|| opened))
    }
}

impl Chat for UpstreamChat {
    fn id(&self) -> &str {
        self.model.get().map_or("the client's", String::as_str)
    }

    fn answer(&self, messages: &[Message]) -> Result<String> {
        let said: Vec<(&str, &str)> = messages
            .iter()
            .map(|m| (m.role.as_str(), m.content.as_str()))
            .collect();
        let upstream = self.upstream()?;
        let answer = upstream.answer(self.model.get().map(String::as_str), &said)?;
        if !self.has_clients
            && let Some(asked) = upstream.model_asked_for()
        {
            self.model.get_or_init(|| asked);
        }
        Ok(answer)
    }
}

/// A model whose failures are told: what rules do in its place would else never be noticed.
pub(crate) struct Outspoken<F> {
    chat: Arc<dyn Chat>,
    tell: F,
    /// What was told last, so that it is told once.
    told: Mutex<Option<String>>,
}

impl<F: Fn(&str) + Send + Sync> Outspoken<F> {
    pub(crate) fn new(chat: Arc<dyn Chat>, tell: F) -> Self {
        Outspoken {
            chat,
            tell,
            told: Mutex::default(),
        }
    }

    fn tell_of(&self, error: &Error) {
        let cause = std::error::Error::source(error)
            .map(|cause| format!(": {cause}"))
            .unwrap_or_default();
        let sentence = format!("{}{cause}", error.message);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.as_ref() != Some(&sentence) {
            (self.tell)(&sentence);
            *told = Some(sentence);
        }
    }
}

impl<F: Fn(&str) + Send + Sync> Chat for Outspoken<F> {
    fn id(&self) -> &str {
        self.chat.id()
    }

    fn answer(&self, messages: &[Message]) -> Result<String> {
        let answer = self.chat.answer(messages);
        match &answer {
            Ok(_) => *self.told.lock().unwrap_or_else(PoisonError::into_inner) = None,
            Err(error) => self.tell_of(error),
        }
        answer
    }
}

/// Says that there is no upstream.
pub(crate) fn no_upstream() -> Error {
    Error::new(Code::InvalidArgument, "No upstream is configured")
        .hint("Pass --openai-base-url http://127.0.0.1:11434/v1, or https://api.openai.com/v1")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model that fails with these sentences in turn; without one it answers.
    struct Failing(Mutex<Vec<Option<&'static str>>>);

    impl Chat for Failing {
        fn id(&self) -> &str {
            "failing"
        }

        fn answer(&self, _: &[Message]) -> Result<String> {
            match self.0.lock().unwrap().pop().flatten() {
                Some(sentence) => Err(Error::new(Code::UpstreamError, sentence)),
                None => Ok("yes".to_owned()),
            }
        }
    }

    #[test]
    fn a_failure_is_told_once_until_the_model_answers_again() {
        let heard = Mutex::new(Vec::new());
        let script = vec![Some("gone"), None, Some("slow"), Some("gone"), Some("gone")];
        let model = Outspoken::new(Arc::new(Failing(Mutex::new(script))), |sentence: &str| {
            heard.lock().unwrap().push(sentence.to_owned());
        });
        for _ in 0..5 {
            let _ = model.answer(&[]);
        }
        assert_eq!(*heard.lock().unwrap(), ["gone", "slow", "gone"]);
    }
}
