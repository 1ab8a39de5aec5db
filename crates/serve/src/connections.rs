//! Connections of HTTP clients: accepted within bounds, served, and let end in peace.

use std::pin::pin;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use memory_core::{Code, Error, Result};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::access::Access;
use crate::limits;
use crate::log::Log;
use crate::slots::{Answer, Slots};

const NO_ROOM: Duration = Duration::from_millis(100);

/// A place where HTTP clients connect.
pub(crate) struct Connections {
    pub(crate) listener: TcpListener,
    /// How long a connection may wait for the headers of a request, the next one too.
    pub(crate) header_time: Duration,
    /// So many connections are open at once.
    pub(crate) most: usize,
    pub(crate) access: Access,
    pub(crate) log: Log,
}

impl Connections {
    /// Answers by `service` until `stop`, with the [`Peer`](crate::access::Peer) and the [`Slot`](crate::slots::Slot) in each
    /// request's extensions; then tells `stopping`, and waits for those who are here.
    pub(crate) async fn serve<S, B>(
        self,
        service: S,
        stopping: &CancellationToken,
        stop: impl Future<Output = ()>,
    ) where
        S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + 'static,
        S::Future: Send,
        S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
        B: Body + Unpin + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let slots = Slots::new(self.most);
        let mut clients = JoinSet::new();
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let Some(slot) = slots.open() else {
                            self.log.warn("Closed a connection: too many are open");
                            continue;
                        };
                        let peer = self.access.identify(&stream);
                        let (service, shared) = (service.clone(), slot.clone());
                        let service = service_fn(move |mut request: Request<Incoming>| {
                            request.extensions_mut().insert(peer);
                            request.extensions_mut().insert(shared.clone());
                            let answering = shared.answering();
                            let answer = service.call(request);
                            async { answer.await.map(|answer| answer.map(|body| Answer::new(body, answering))) }
                        });
                        let attended = attend(stream, service, self.header_time, stopping.clone());
                        let slots = slots.clone();
                        clients.spawn(async move {
                            tokio::select! {
                                () = attended => {}
                                () = slot.closed() => {}
                            }
                            slots.close(&slot);
                        });
                    }
                    Err(error) => {
                        self.log.warn(&format!("A connection could not be accepted: {error}"));
                        sleep(NO_ROOM).await;
                    }
                },
                Some(_) = clients.join_next() => {}
            }
        }
        stopping.cancel();
        let _ = timeout(limits::FAREWELL, async {
            while clients.join_next().await.is_some() {}
        })
        .await;
    }
}

/// Listens at an address.
pub(crate) async fn listen(address: std::net::SocketAddr) -> Result<TcpListener> {
    let failed =
        |error| Error::new(Code::IoError, format!("Could not listen at {address}")).because(error);
    TcpListener::bind(address).await.map_err(failed)
}

/// Returns where a listener listens.
pub(crate) fn address_of(listener: &TcpListener) -> Result<std::net::SocketAddr> {
    let unknown = |error| Error::new(Code::IoError, "The address is not known").because(error);
    listener.local_addr().map_err(unknown)
}

/// Lets the system close a connection whose client does not take what is sent to it.
fn close_if_not_taken(stream: &TcpStream) {
    #[cfg(target_os = "linux")]
    {
        let time = u32::try_from(limits::REPLY_TIME.as_millis()).unwrap_or(u32::MAX);
        let _ = rustix::net::sockopt::set_tcp_user_timeout(stream, time);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = stream;
}

async fn attend<S, B>(
    stream: TcpStream,
    service: S,
    header_time: Duration,
    stopping: CancellationToken,
) where
    S: Service<Request<Incoming>, Response = Response<B>>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    B: Body + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    // Small pieces of a stream are sent when they come, not when there are enough of them.
    let _ = stream.set_nodelay(true);
    close_if_not_taken(&stream);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(header_time);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        _ = connection.as_mut() => {}
        () = stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
