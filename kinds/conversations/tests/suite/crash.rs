//! Wherever the disk breaks between a turn and what follows from it, nothing is lost and nothing doubled.

use std::sync::Arc;

use memory_conversations::{Conversations, Settings};
use memory_core::Kind;
use memory_files::{Breakage, Brittle, Costs, RealDisk};
use memory_testkit::{ForgetfulDisk, Home, Loss};
use serde_json::json;

use crate::common::{add, call, call_at, drain, facts, files, open, paths, root, store, turns};

fn brittle(home: &Home, breakage: Breakage, step: usize) -> (Arc<Brittle>, Conversations) {
    let disk = Arc::new(Brittle::new(breakage, step));
    (
        disk.clone(),
        Conversations::new(store(home, disk, Settings::default())),
    )
}

/// Runs something on a disk that breaks at each of its steps in turn, and looks at what is left.
fn check(
    prepare: impl Fn(&Home),
    act: impl Fn(&dyn Kind) -> bool,
    look: impl Fn(&Home, bool, usize),
) {
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for step in 0.. {
            let home = Home::new();
            prepare(&home);
            let (disk, kind) = brittle(&home, breakage, step);
            let acknowledged = act(&kind);
            look(&home, acknowledged, step);
            if !disk.has_broken() {
                assert!(acknowledged && step > 5);
                break;
            }
        }
    }
}

fn request() -> serde_json::Value {
    json!({ "conversation": "a", "messages": [{ "role": "user", "content": "I live in Oslo" }] })
}

#[test]
fn a_turn_that_was_acknowledged_is_kept_and_its_facts_follow_once() {
    check(
        |_| {},
        |kind| call(kind, "record_user", request()).is_ok(),
        |home, acknowledged, step| {
            let kind = open(home);
            drain(&kind);
            let is_there = !paths(home, "entries/a/turns/user").is_empty();
            assert!(
                is_there || !acknowledged,
                "step {step}: acknowledged, and not there"
            );
            assert_eq!(
                facts(&kind, "a").len(),
                usize::from(is_there),
                "step {step}"
            );
            // The client sends it again: there is one turn, and one fact.
            call_at(&kind, "record_user", request(), 1).unwrap();
            drain(&kind);
            assert_eq!(turns(&kind, "a"), ["user: I live in Oslo"], "step {step}");
            assert_eq!(facts(&kind, "a"), ["The user lives in Oslo"], "step {step}");
        },
    );
}

fn exchange() -> serde_json::Value {
    json!({ "conversation": "a", "content": "Nice", "messages": [{ "role": "user", "content": "I live in Oslo" }] })
}

#[test]
fn an_exchange_that_was_acknowledged_is_kept_whole_and_once() {
    let look = |home: &Home, acknowledged: bool, step: usize| {
        let kind = open(home);
        let kept = turns_if_any(&kind);
        assert!(!acknowledged || kept.len() == 2, "step {step}: {kept:?}");
        drain(&kind);
        // The client sends it again, and says so.
        let mut again = exchange();
        again["retry"] = json!(1);
        call_at(&kind, "record_exchange", again, 1).unwrap();
        drain(&kind);
        assert_eq!(
            turns(&kind, "a"),
            ["user: I live in Oslo", "assistant: Nice"],
            "step {step}"
        );
        assert_eq!(facts(&kind, "a"), ["The user lives in Oslo"], "step {step}");
    };
    check(
        |_| {},
        |kind| call(kind, "record_exchange", exchange()).is_ok(),
        look,
    );
}

fn turns_if_any(kind: &Conversations) -> Vec<String> {
    match call(kind, "conversation_show", json!({ "conversation": "a" })) {
        Ok(_) => turns(kind, "a"),
        Err(_) => vec![],
    }
}

#[test]
fn an_exchange_waits_for_one_sync() {
    let home = Home::new();
    let kind = open(&home);
    call(
        &kind,
        "record_exchange",
        json!({ "messages": [{ "role": "user", "content": "hello" }], "content": "hi" }),
    )
    .unwrap();
    drain(&kind);
    let exchange =
        json!({ "messages": [{ "role": "user", "content": "and now?" }], "content": "yes" });
    // The first change of a process makes its folders ready.
    let warm = open(&home);
    call_at(&warm, "record_exchange", exchange.clone(), 1).unwrap();
    drain(&warm);
    let record = || call_at(&warm, "record_exchange", exchange, 2).unwrap();
    let (_, costs) = Costs::of(record);
    assert_eq!(costs.syncs, 1);
}

/// A power cut takes away what was not synced: all but the list of what was heard.
#[test]
fn turns_that_a_power_cut_has_torn_come_back_as_they_were_said() {
    type Cut = fn(&std::path::Path);
    let cuts: [Cut; 3] = [
        |file| std::fs::remove_file(file).unwrap(),
        |file| std::fs::write(file, "").unwrap(),
        |file| {
            std::fs::write(
                file,
                vec![0; std::fs::metadata(file).unwrap().len() as usize],
            )
            .unwrap()
        },
    ];
    for cut in cuts {
        let home = Home::new();
        call(&open(&home), "record_exchange", exchange()).unwrap();
        paths(&home, "entries/a/turns")
            .iter()
            .for_each(|path| cut(&root(&home).join(path)));
        let kind = open(&home);
        assert_eq!(
            kind.sources().good.len(),
            2,
            "whoever looks brings them back"
        );
        assert_eq!(
            turns(&kind, "a"),
            ["user: I live in Oslo", "assistant: Nice"]
        );
        drain(&kind);
        assert_eq!(facts(&kind, "a"), ["The user lives in Oslo"]);
    }
}

/// The disk loses the two names of a rename separately; file systems with a journal do not, so this power cut loses both
/// or none.
#[test]
fn an_exchange_that_was_acknowledged_and_its_facts_stay_wherever_the_power_is_cut() {
    for step in 0.. {
        let home = Home::new();
        let forgetful = Arc::new(ForgetfulDisk::new(home.path()));
        let kind_on = |disk| Conversations::new(store(&home, disk, Settings::default()));
        let kind = || kind_on(Arc::new(RealDisk::over(forgetful.clone())));
        call(&kind(), "record_exchange", exchange()).unwrap();
        let disk = Arc::new(Brittle::over(forgetful.clone(), Breakage::Dies, step));
        let drained = call(&kind_on(disk.clone()), "drain", json!({}));
        let said = ["user: I live in Oslo", "assistant: Nice"];
        let known = ["The user lives in Oslo"];
        forgetful.cut(Loss::Everything);
        assert_eq!(turns(&kind(), "a"), said, "step {step}");
        if !disk.has_broken() {
            drained.unwrap();
            assert_eq!(facts(&kind(), "a"), known);
        }
        drain(&kind());
        forgetful.cut(Loss::Everything);
        assert_eq!(turns(&kind(), "a"), said, "step {step}");
        drain(&kind());
        assert_eq!(facts(&kind(), "a"), known, "step {step}");
        if !disk.has_broken() {
            break;
        }
    }
}

/// Some file systems show what was in the same blocks before, in a file whose content was not synced.
#[test]
fn turns_whose_files_have_another_content_after_a_restart_come_back_as_they_were_said() {
    let home = Home::new();
    call(&open(&home), "record_exchange", exchange()).unwrap();
    let files = paths(&home, "entries/a/turns");
    let stale = |path: &std::path::Path| {
        let length = std::fs::metadata(path).unwrap().len() as usize;
        let other = b"---\nid: another\nrole: user\n---\n\nwhat was here before ".repeat(20);
        std::fs::write(path, &other[..length]).unwrap();
    };
    files.iter().for_each(|path| stale(&root(&home).join(path)));
    let restarted = ForgetfulDisk::new(home.path());
    restarted.cut(Loss::Everything);
    let disk = Arc::new(RealDisk::over(Arc::new(restarted)));
    let kind = Conversations::new(store(&home, disk, Settings::default()));
    assert_eq!(
        turns(&kind, "a"),
        ["user: I live in Oslo", "assistant: Nice"]
    );
    let kept = paths(&home, "entries/a/turns")
        .into_iter()
        .filter(|path| path.contains(".corrupt-"));
    assert_eq!(
        kept.count(),
        2,
        "the other content is kept beside: a hand may have written it"
    );
    // In the same run of the system only a hand can have changed a file.
    let home = Home::new();
    call(&open(&home), "record_exchange", exchange()).unwrap();
    for path in paths(&home, "entries/a/turns/user") {
        let path = root(&home).join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("Oslo", "Bergen")).unwrap();
    }
    assert_eq!(
        turns(&open(&home), "a"),
        ["user: I live in Bergen", "assistant: Nice"]
    );
}

/// A line whose end was synced and whose middle was not is none that was acknowledged.
#[test]
fn a_line_of_the_turn_log_with_another_content_is_not_believed() {
    let home = Home::new();
    call(&open(&home), "record_exchange", exchange()).unwrap();
    let list = root(&home).join("entries/a/.pending/heard.jsonl");
    let text = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, text.replace("Oslo", "Rome")).unwrap();
    paths(&home, "entries/a/turns")
        .iter()
        .for_each(|path| std::fs::remove_file(root(&home).join(path)).unwrap());
    assert!(turns_if_any(&open(&home)).is_empty());
}

#[test]
fn a_turn_that_is_forgotten_before_it_is_seen_to_stays_forgotten() {
    let home = Home::new();
    let kind = open(&home);
    let reply = call(&kind, "record_exchange", exchange()).unwrap();
    call(
        &kind,
        "conversation_forget",
        json!({ "id": reply["answer"] }),
    )
    .unwrap();
    let kind = open(&home);
    drain(&kind);
    assert_eq!(turns(&kind, "a"), ["user: I live in Oslo"]);
    assert_eq!(facts(&kind, "a"), ["The user lives in Oslo"]);
}

#[test]
fn what_was_interrupted_while_it_was_seen_to_is_picked_up_again() {
    let prepare = |home: &Home| {
        let kind = open(home);
        let known: Vec<String> = (0..9)
            .map(|n| format!("The user keeps a list of all things number {n}"))
            .collect();
        add(
            &kind,
            "a",
            &known.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        add(&kind, "a", &["The user lives in Paris"]);
        call_at(&kind, "record_user", request(), 1).unwrap();
    };
    let act = |kind: &dyn Kind| {
        call_at(kind, "drain", json!({}), 2).is_ok_and(|reply| reply["left"] == json!(0))
    };
    check(prepare, act, |home, _, step| {
        let kind = open(home);
        call_at(&kind, "drain", json!({}), 3).unwrap();
        let known = facts(&kind, "a");
        assert_eq!(known.len(), 10, "step {step}: {known:?}");
        assert_eq!(known[9], "The user lives in Oslo", "step {step}");
        assert_eq!(
            paths(home, "entries/a/deleted/facts").len(),
            1,
            "step {step}"
        );
        assert_eq!(paths(home, "entries/a/summaries").len(), 1, "step {step}");
        assert!(
            files(home)
                .values()
                .any(|text| text.contains("replaced_by: ")),
            "step {step}"
        );
        assert_eq!(
            drain(&kind)["turns"],
            json!(0),
            "step {step}: it is done once"
        );
    });
}

#[test]
fn a_conversation_is_deleted_whole_or_not_at_all() {
    let prepare = |home: &Home| drop(add(&open(home), "a", &["one", "two", "three"]));
    let act =
        |kind: &dyn Kind| call(kind, "conversation_delete", json!({ "conversation": "a" })).is_ok();
    check(prepare, act, |home, acknowledged, step| {
        let kind = open(home);
        call(&kind, "conversation_list", json!({})).unwrap();
        let left = facts(&kind, "a").len();
        assert!(
            left == 0 || (left == 3 && !acknowledged),
            "step {step}: {left} are left"
        );
        assert_eq!(
            paths(home, "entries/a/deleted/facts").len(),
            3 - left,
            "step {step}"
        );
        if left == 0 {
            let step = kind.steps().good.remove(0);
            kind.undo(&step, memory_core::Actor::Person, crate::common::after(9))
                .unwrap()
                .unwrap();
            assert_eq!(facts(&kind, "a").len(), 3);
        }
    });
}

#[test]
fn the_daemon_picks_up_what_nobody_has_seen_to_for_long() {
    use memory_core::Rehearsal;
    let home = Home::new();
    let kind = open(&home);
    call(&kind, "record_user", request()).unwrap();
    let tasks = kind.tasks();
    let task = tasks.iter().find(|task| task.name == "drain").unwrap();
    let run = |seconds, how| {
        task.run(crate::common::after(seconds), how)
            .unwrap()
            .0
            .lines
    };
    assert!(
        run(60, Rehearsal::Real).is_empty(),
        "whoever heard it may be at it"
    );
    assert_eq!(run(700, Rehearsal::Dry), ["1 turns of 'a' are pending"]);
    assert!(facts(&kind, "a").is_empty());
    assert_eq!(
        run(700, Rehearsal::Real),
        ["1 turns of 'a' processed, 1 facts added"]
    );
    assert_eq!(facts(&kind, "a"), ["The user lives in Oslo"]);
}

#[test]
fn a_repair_that_can_not_read_a_file_leaves_it_as_it_is() {
    for step in 0.. {
        let home = Home::new();
        add(
            &open(&home),
            "a",
            &["The user lives in Oslo", "The user has a cat"],
        );
        let before = files(&home);
        let (disk, kind) = brittle(&home, Breakage::FailsReading, step);
        let _ = kind.repair(crate::common::after(0), memory_core::Rehearsal::Real);
        assert_eq!(files(&home), before, "step {step}");
        if !disk.has_broken() {
            break;
        }
    }
}
