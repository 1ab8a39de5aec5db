//! Clients of the socket, good and bad, against a real one.

use memory_testkit::Home;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::task::JoinHandle;

use super::*;
use crate::testing::{Diary, desk};

struct Served {
    home: Home,
    diary: Diary,
    stop: CancellationToken,
    ended: JoinHandle<()>,
}

fn serve_slate() -> Served {
    let home = Home::new();
    let (desk, diary) = desk();
    let listener = UnixListener::bind(home.path().join("s")).unwrap();
    let owner = rustix::process::geteuid().as_raw();
    let door = Arc::new(Door::new(desk, Log::silent(), owner));
    let stop = CancellationToken::new();
    let ended = tokio::spawn(serve(listener, door, stop.clone()));
    Served {
        home,
        diary,
        stop,
        ended,
    }
}

impl Served {
    async fn client(&self) -> BufReader<UnixStream> {
        BufReader::new(
            UnixStream::connect(self.home.path().join("s"))
                .await
                .unwrap(),
        )
    }
}

async fn ask(client: &mut BufReader<UnixStream>, line: &str) -> String {
    // One that was closed has no answer.
    let _ = client.write_all(format!("{line}\n").as_bytes()).await;
    next(client).await
}

async fn next(client: &mut BufReader<UnixStream>) -> String {
    let mut reply = String::new();
    let _ = client.read_line(&mut reply).await;
    reply
}

const COUNT: &str = r#"{"id":1,"method":"count"}"#;

#[tokio::test]
async fn garbage_and_endless_lines_are_answered_and_the_connection_stays() {
    let served = serve_slate();
    let mut client = served.client().await;
    assert!(ask(&mut client, "garbage").await.contains("INVALID_JSON"));
    let long = "x".repeat(8 << 20);
    assert!(ask(&mut client, &long).await.contains("LIMIT_EXCEEDED"));
    assert_eq!(
        ask(&mut client, COUNT).await,
        "{\"id\":1,\"result\":{\"count\":0}}\n"
    );
}

#[tokio::test]
async fn lines_are_answered_in_their_order_and_the_last_needs_no_end() {
    let served = serve_slate();
    let mut client = served.client().await;
    let lines: Vec<String> = (0..50)
        .map(|n| format!(r#"{{"id":{n},"method":"say","params":{{"word":"{n}"}}}}"#))
        .collect();
    client.write_all(lines.join("\n").as_bytes()).await.unwrap();
    client.shutdown().await.unwrap();
    for n in 0..50 {
        assert_eq!(
            next(&mut client).await,
            format!("{{\"id\":{n},\"result\":\"{n}\"}}\n")
        );
    }
    assert_eq!(next(&mut client).await, "");
}

#[tokio::test]
async fn sixteen_clients_at_once_lose_nothing() {
    let served = serve_slate();
    let mut clients = JoinSet::new();
    for n in 0..16 {
        let mut client = served.client().await;
        clients.spawn(async move {
            for m in 0..50 {
                let line = format!(r#"{{"id":1,"method":"say","params":{{"word":"{n}/{m}"}}}}"#);
                assert_eq!(
                    ask(&mut client, &line).await,
                    format!("{{\"id\":1,\"result\":\"{n}/{m}\"}}\n")
                );
            }
        });
    }
    clients.join_all().await;
    let mut said = served.diary.lock().unwrap().clone();
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 16 * 50);
}

/// Runs a test where one call runs at a time.
fn with_one_thread(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(1)
        .build();
    runtime.unwrap().block_on(test);
}

#[test]
fn a_thread_stays_with_no_client_while_others_wait_for_it() {
    with_one_thread(async {
        let served = serve_slate();
        let mut clients = JoinSet::new();
        for _ in 0..8 {
            let mut client = served.client().await;
            clients.spawn(async move {
                for _ in 0..20 {
                    assert!(ask(&mut client, COUNT).await.contains("count"));
                }
            });
        }
        clients.join_all().await;
    });
}

#[test]
fn a_client_that_takes_no_reply_holds_no_thread_and_hurts_no_one() {
    with_one_thread(async {
        let served = serve_slate();
        let (mut deaf, mut good) = (served.client().await, served.client().await);
        let lists = r#"{"id":1,"method":"tools/list"}"#.to_owned() + "\n";
        // So many that neither they nor their answers fit between the two.
        let asked = tokio::spawn(async move {
            let _ = deaf.write_all(lists.repeat(20_000).as_bytes()).await;
            deaf
        });
        for _ in 0..20 {
            assert!(ask(&mut good, COUNT).await.contains("count"));
        }
        asked.abort();
        served.stop.cancel();
        served.ended.await.unwrap();
    });
}

#[tokio::test]
async fn a_client_that_never_pauses_keeps_nobody_from_stopping() {
    let served = serve_slate();
    let mut client = served.client().await;
    assert!(ask(&mut client, COUNT).await.contains("count"));
    let busy = tokio::spawn(async move { while !ask(&mut client, COUNT).await.is_empty() {} });
    served.stop.cancel();
    served.ended.await.unwrap();
    busy.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn half_a_line_is_not_waited_for_without_end_and_hurts_no_one() {
    let served = serve_slate();
    let (mut slow, mut good) = (served.client().await, served.client().await);
    slow.write_all(b"{\"id\":1,").await.unwrap();
    assert!(ask(&mut good, COUNT).await.contains("count"));
    assert_eq!(next(&mut slow).await, "", "closed once the time is up");
    assert!(ask(&mut good, COUNT).await.contains("count"));
}

#[tokio::test]
async fn a_crowd_of_silent_clients_makes_room_for_those_who_ask() {
    let served = serve_slate();
    let mut known = served.client().await;
    assert!(ask(&mut known, COUNT).await.contains("count"));
    let mut silent = Vec::new();
    for _ in 0..limits::CONNECTIONS + 40 {
        silent.push(served.client().await);
    }
    assert!(
        ask(&mut known, COUNT).await.contains("count"),
        "an old client is not pushed out"
    );
    assert!(
        ask(&mut served.client().await, COUNT)
            .await
            .contains("count"),
        "a new one gets in"
    );
    assert_eq!(next(&mut silent[0]).await, "");
}

#[tokio::test]
async fn a_call_that_panics_closes_its_connection_and_no_other() {
    let served = serve_slate();
    let (mut bad, mut good) = (served.client().await, served.client().await);
    let line = r#"{"id":1,"method":"say","params":{"word":"panic"}}"#;
    assert_eq!(ask(&mut bad, line).await, "");
    assert!(ask(&mut good, COUNT).await.contains("count"));
}

#[tokio::test]
async fn stopping_answers_what_runs_and_closes_the_rest() {
    let served = serve_slate();
    let mut client = served.client().await;
    assert!(ask(&mut client, COUNT).await.contains("count"));
    served.stop.cancel();
    assert_eq!(next(&mut client).await, "");
    served.ended.await.unwrap();
}

#[tokio::test]
async fn another_user_is_turned_away() {
    let (ours, _theirs) = UnixStream::pair().unwrap();
    let uid = rustix::process::geteuid().as_raw();
    assert!(is_owner(&ours, uid));
    assert_eq!(is_owner(&ours, uid + 1), uid == 0, "the administrator may");
}
