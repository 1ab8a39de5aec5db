//! The daemon: one process that tends the memories and answers at the socket, until it is told to stop.
//!
//! It sleeps until something is due. A task that fails is told and hides no other; idle time is the
//! time since anyone asked at the socket or changed a kind's files.

use std::sync::Arc;
use std::time::Duration;

use memory_core::{Code, Error, Notice, Registry, Rehearsal, Report, Result, Span, Task};
use memory_files::{Files, Listening, Place, Sole, Spot};
use tokio::net::UnixListener;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::desk::Desk;
use crate::limits::{FAREWELL, LOGGED_LINES};
use crate::log::Log;
use crate::runtime::{self, aside};
use crate::schedule::Schedule;
use crate::socket::{self, Door};
use crate::thrift;

/// Names in the root, as specification 001 has them.
pub const DAEMON_LOCK: &str = ".daemon.lock";
pub const SOCKET: &str = "memory.sock";

type Push = dyn Fn(&Notice) -> std::result::Result<(), String> + Send + Sync;

/// What a daemon is given to work with.
pub struct Daemon {
    pub desk: Desk,
    pub files: Files,
    pub root: Spot,
    pub interval: Span,
    pub log: Log,
    /// Shows something to the user; says what went wrong if that is worth knowing.
    pub push: Arc<Push>,
}

/// Runs a daemon until SIGINT, SIGTERM or SIGHUP.
pub fn run_daemon(daemon: Daemon) -> Result<()> {
    runtime::run(async {
        let stop = runtime::signalled(&daemon.log)?;
        let desk = daemon.desk.clone();
        desk.pauses().tended(daemon.run(stop)).await
    })
}

impl Daemon {
    async fn run(self, stop: impl Future<Output = ()>) -> Result<()> {
        let _sole = self.be_the_only_one()?;
        let (listener, place) = self.listen()?;
        self.log.info(&format!(
            "Listening at {}",
            self.root.join(SOCKET).path().display()
        ));
        let owner = rustix::process::geteuid().as_raw();
        let door = Arc::new(Door::new(self.desk.clone(), self.log.clone(), owner));
        let stopped = CancellationToken::new();
        let clients = tokio::spawn(socket::serve(listener, door.clone(), stopped.clone()));
        let upkeep = tokio::spawn(self.upkeep().run(door, stopped.clone()));
        stop.await;
        // Whoever comes now finds no socket; whoever is here gets the answer that is on its way.
        let removed = self.files.unlisten(&place);
        stopped.cancel();
        let ended = timeout(FAREWELL, async { (clients.await, upkeep.await) }).await;
        if ended.is_err() {
            self.log.warn("A call did not end in time");
        }
        self.log.info("Stopped");
        Ok(removed?)
    }

    fn be_the_only_one(&self) -> Result<Sole> {
        self.files.ensure_folder(&self.root)?;
        let at = self.root.join(DAEMON_LOCK);
        if let Some(sole) = self.files.hold_sole(&at)? {
            return Ok(sole);
        }
        let pid = self.files.holder(&at)?.and_then(|holder| holder.pid);
        let who = pid.map_or(String::new(), |pid| format!(" (process {pid})"));
        Err(
            Error::new(Code::Conflict, format!("A daemon is already running{who}"))
                .hint("'memory serve --status' shows it")
                .with("pid", pid),
        )
    }

    fn listen(&self) -> Result<(UnixListener, Place)> {
        let at = self.root.join(SOCKET);
        let path = at.path().display().to_string();
        let answers = || {
            Error::new(
                Code::Conflict,
                format!("Another process is listening at {path}"),
            )
        };
        let Listening { listener, place } = self.files.listen(&at)?.ok_or_else(answers)?;
        let listener = listener
            .set_nonblocking(true)
            .and_then(|()| UnixListener::from_std(listener));
        let failed =
            |e| Error::new(Code::IoError, format!("Could not listen at {path}")).because(e);
        Ok((listener.map_err(failed)?, place))
    }

    fn upkeep(&self) -> Upkeep {
        let registry = self.desk.registry().clone();
        let tasks = registry.tasks().to_vec();
        let interval = Duration::from_secs(self.interval.as_seconds());
        let schedule = Schedule::new(interval, tasks.iter().map(|(_, task)| task.cadence));
        Upkeep {
            registry,
            tasks: Arc::new(tasks),
            schedule,
            log: self.log.clone(),
            push: self.push.clone(),
        }
    }
}

/// The daemon's clock, and what it has to look after.
struct Upkeep {
    registry: Arc<Registry>,
    tasks: Arc<Vec<(&'static str, Arc<Task>)>>,
    schedule: Schedule,
    log: Log,
    push: Arc<Push>,
}

impl Upkeep {
    async fn run(mut self, door: Arc<Door>, stop: CancellationToken) {
        let began = Instant::now();
        let mut pulse = self.pulse().await;
        loop {
            let felt = self.pulse().await;
            if felt != pulse {
                self.schedule.stir(began.elapsed());
            }
            self.schedule
                .stir(door.crowd.last_call().saturating_duration_since(began));
            let due = self.schedule.take_due(began.elapsed());
            for place in &due {
                if stop.is_cancelled() {
                    return;
                }
                self.tend(*place).await;
            }
            if !due.is_empty() {
                aside(thrift::give_back).await;
            }
            // What the tasks themselves have changed disturbs no one's idleness.
            pulse = self.pulse().await;
            tokio::select! {
                () = sleep_until(began + self.schedule.next()) => {}
                () = stop.cancelled() => return,
            }
        }
    }

    /// Feels whether anyone has changed a kind's files.
    async fn pulse(&self) -> Option<Vec<u64>> {
        let registry = self.registry.clone();
        aside(move || registry.kinds().map(|kind| kind.pulse()).collect()).await
    }

    async fn tend(&self, place: usize) {
        let (registry, tasks) = (self.registry.clone(), self.tasks.clone());
        let (kind, name) = (tasks[place].0, tasks[place].1.name);
        let began = Instant::now();
        match aside(move || registry.run_task(&tasks[place].1, Rehearsal::Real)).await {
            Some(Ok(report)) => {
                self.log.debug(&format!(
                    "{kind} {name}: {} ms",
                    began.elapsed().as_millis()
                ));
                self.tell(kind, name, report).await;
            }
            Some(Err(error)) => {
                let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
                self.log.error(&format!(
                    "{kind} {name}: {error}{}",
                    cause.unwrap_or_default()
                ));
            }
            None => self
                .log
                .error(&format!("{kind} {name}: failed unexpectedly")),
        }
    }

    async fn tell(&self, kind: &str, name: &str, report: Report) {
        for line in report.lines.iter().take(LOGGED_LINES) {
            self.log.info(&format!("{kind} {name}: {line}"));
        }
        if let Some(more) = report
            .lines
            .len()
            .checked_sub(LOGGED_LINES)
            .filter(|more| *more > 0)
        {
            self.log.info(&format!("{kind} {name}: and {more} more"));
        }
        for notice in report.notices {
            let push = self.push.clone();
            if let Some(Err(problem)) = aside(move || push(&notice)).await {
                self.log
                    .warn(&format!("The notification could not be shown: {problem}"));
            }
        }
    }
}

impl std::fmt::Debug for Daemon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Daemon")
            .field("root", &self.root)
            .field("interval", &self.interval)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use memory_core::Ids;
    use memory_files::RealDisk;
    use memory_testkit::Home;

    use super::*;
    use crate::log::Level;
    use crate::testing::{Diary, desk};

    fn daemon(home: &Home, log: Log, pushed: Diary) -> (Daemon, Diary) {
        let (desk, diary) = desk();
        let daemon = Daemon {
            desk,
            files: Files::new(Arc::new(RealDisk::default()), Ids::random()),
            root: home.spot().join("root"),
            interval: Span::seconds(60),
            log,
            push: Arc::new(move |notice: &Notice| {
                pushed.lock().unwrap().push(notice.title.clone());
                Err("nobody looks".to_owned())
            }),
        };
        (daemon, diary)
    }

    #[tokio::test(start_paused = true)]
    async fn tasks_come_on_time_and_one_that_fails_hides_no_other() {
        let home = Home::new();
        let (lines, pushed) = (Diary::default(), Diary::default());
        let heard = lines.clone();
        let log = Log::new(Level::Warn, move |_, line| {
            heard.lock().unwrap().push(line.to_owned())
        });
        let (daemon, diary) = daemon(&home, log, pushed.clone());
        daemon
            .run(tokio::time::sleep(Duration::from_secs(130)))
            .await
            .unwrap();
        assert_eq!(
            *diary.lock().unwrap(),
            [
                "broken", "round", "broken", "round", "idle", "broken", "round"
            ]
        );
        assert_eq!(*pushed.lock().unwrap(), ["round", "round", "idle", "round"]);
        let lines = lines.lock().unwrap();
        assert!(
            lines.contains(&"slate broken: The disk is full".to_owned()),
            "{lines:?}"
        );
        assert!(lines.contains(&"The notification could not be shown: nobody looks".to_owned()));
    }

    #[tokio::test]
    async fn there_is_one_daemon_and_its_traces_go_with_it() {
        let home = Home::new();
        let (first, _) = daemon(&home, Log::silent(), Diary::default());
        let (second, _) = daemon(&home, Log::silent(), Diary::default());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let refusal = Arc::new(Mutex::new(None));
        let told = refusal.clone();
        // The first one runs until the second has been refused.
        let ended = first.run(async move {
            let error = second.run(std::future::pending()).await.unwrap_err();
            *told.lock().unwrap() = Some(error);
            drop(stop);
            let _ = stopped.await;
        });
        ended.await.unwrap();
        let error = refusal.lock().unwrap().take().unwrap();
        assert_eq!(error.code, Code::Conflict);
        assert_eq!(error.context["pid"], std::process::id());
        let left: Vec<_> = home.snapshot().into_keys().collect();
        assert!(left.is_empty(), "{left:?}");
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        assert_eq!(
            files
                .stamp(&home.spot().join("root").join(DAEMON_LOCK))
                .unwrap(),
            None
        );
    }
}
