//! The sessions of HTTP clients: a bounded number, of which the one that is idle longest gives way.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_core::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::server_side_http::{ServerSseMessage, SessionId};
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};

/// A session that nobody uses is closed after this time.
const IDLE_TIME: Duration = Duration::from_secs(3600);

/// Keeps at most a given number of sessions.
#[derive(Debug)]
pub(super) struct Sessions {
    local: LocalSessionManager,
    /// The one that was used last comes last.
    used: Mutex<Vec<SessionId>>,
    most: usize,
}

impl Sessions {
    pub(super) fn bounded(most: usize) -> Self {
        let mut local = LocalSessionManager::default();
        let mut config = SessionConfig::default();
        config.keep_alive = Some(IDLE_TIME);
        local.session_config = config;
        Sessions {
            local,
            used: Mutex::default(),
            most,
        }
    }

    fn used(&self) -> MutexGuard<'_, Vec<SessionId>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a session; returns those that have to be closed for it.
    fn add(&self, id: &SessionId) -> Vec<SessionId> {
        let mut used = self.used();
        used.push(id.clone());
        let excess = used.len().saturating_sub(self.most);
        used.drain(..excess).collect()
    }

    fn touch(&self, id: &SessionId) {
        let mut used = self.used();
        if let Some(at) = used.iter().position(|known| known == id) {
            used[at..].rotate_left(1);
        }
    }
}

type Failure = <LocalSessionManager as SessionManager>::Error;

impl SessionManager for Sessions {
    type Error = Failure;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Failure> {
        let created = self.local.create_session().await?;
        for oldest in self.add(&created.0) {
            self.local.close_session(&oldest).await?;
        }
        Ok(created)
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Failure> {
        self.local.initialize_session(id, message).await
    }

    /// Every later request of a client begins with this question.
    async fn has_session(&self, id: &SessionId) -> Result<bool, Failure> {
        self.touch(id);
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Failure> {
        self.used().retain(|known| known != id);
        self.local.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        self.local.create_stream(id, message).await
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Failure> {
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        self.local.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        self.local.resume(id, last_event_id).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_session_that_is_idle_longest_gives_way_to_a_new_one() {
        let sessions = Sessions::bounded(3);
        let mut ids = vec![];
        let mut transports = vec![];
        for _ in 0..3 {
            let (id, transport) = sessions.create_session().await.unwrap();
            ids.push(id);
            transports.push(transport);
        }
        assert!(sessions.has_session(&ids[0]).await.unwrap());
        ids.push(sessions.create_session().await.unwrap().0);
        let mut there = vec![];
        for id in &ids {
            there.push(sessions.local.has_session(id).await.unwrap());
        }
        assert_eq!(there, [true, false, true, true]);
        sessions.close_session(&ids[0]).await.unwrap();
        ids.push(sessions.create_session().await.unwrap().0);
        assert!(
            sessions.has_session(&ids[2]).await.unwrap(),
            "a closed session has made room"
        );
        assert_eq!(sessions.local.sessions.read().await.len(), 3);
    }
}
