//! Recall over an index: who takes the second look and when, and that nothing is answered twice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use memory_core::{Question, Recalled, Result, Silent, Strictness, Timestamp, Tuning};
use memory_files::RealDisk;
use memory_index::{Index, Recaller, SecondLook, View};
use memory_models::{Embed, Rerank, TokenVectors, Tokens};
use memory_testkit::Home;

use crate::common::*;

fn open_late(home: &Home, fake: &Arc<Fake>, id: &'static str) -> (Index, Arc<Letters>) {
    let model = Letters::with_pieces(id);
    (
        open_with(
            Arc::new(RealDisk::default()),
            home,
            &[fake],
            vec![model.clone()],
        ),
        model,
    )
}

fn ask(index: Index, model: Arc<Letters>, text: &str) -> Recalled {
    let model: Arc<dyn Embed> = model;
    let recaller = Recaller::new(Arc::new(index), vec![model.clone()])
        .with_second_look(SecondLook::LateInteraction(model));
    let question = Question {
        text: text.into(),
        limit: 10,
        ..Question::default()
    };
    recaller.answer(&question, now(), &Silent)
}

fn pieces(view: &View) -> BTreeMap<String, TokenVectors> {
    let of = |id| Some((view.record(id)?.id.to_owned(), view.pieces(id, 0)?));
    view.all().filter_map(of).collect()
}

fn filled(count: usize) -> (Home, Arc<Fake>) {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    for n in 0..count {
        let letter = char::from(b'a' + (n % 20) as u8);
        fake.say(
            &format!("{n}"),
            &format!("zebra {letter}{letter} number{n}"),
        );
    }
    (home, fake)
}

const LATE: &str = "slow (late interaction)";

#[test]
fn pieces_are_made_with_vectors_kept_and_carried_into_merged_segments() {
    let (home, fake) = filled(9);
    let (index, model) = open_late(&home, &fake, "slow");
    assert!(pieces(&look(&index)).is_empty());
    assert_eq!(index.status().models[0].missing, 9);
    index.embed_missing(0, 100, &Silent).unwrap();
    assert_eq!(
        (
            model.asked.load(Ordering::SeqCst),
            model.asked_late.load(Ordering::SeqCst)
        ),
        (9, 0)
    );
    let mut wanted = pieces(&look(&index));
    assert_eq!(wanted.len(), 9);
    assert_eq!(
        wanted["3"],
        model.question_tokens("zebra dd number3").unwrap()
    );
    // Enough is written for the segments to be merged; one text has changed and one is new.
    (0..6).for_each(|n| fake.say(&format!("{n}"), &format!("zebra {n} other")));
    fake.say("new", "zebra");
    wanted.retain(|id, _| ["6", "7", "8"].contains(&id.as_str()));
    let (index, model) = open_late(&home, &fake, "slow");
    assert_eq!(pieces(&look(&index)), wanted);
    assert_eq!(index.embed_missing(0, 100, &Silent).unwrap(), 0);
    assert_eq!(model.asked.load(Ordering::SeqCst), 7);
    let (index, _) = open_late(&home, &fake, "slow");
    let view = look(&index);
    assert_eq!(pieces(&view).len(), 10);
    assert!(index.status().models[0].piece_bytes > 10 * 26);
    // Those of one model are nothing to another.
    assert!(pieces(&look(&open_late(&home, &fake, "other").0)).is_empty());
}

#[test]
fn vectors_without_pieces_are_made_again_with_them() {
    let (home, fake) = filled(5);
    let index = open_with(
        Arc::new(RealDisk::default()),
        &home,
        &[&fake],
        vec![Letters::new("slow", false)],
    );
    look(&index);
    assert_eq!(index.embed_missing(0, 100, &Silent).unwrap(), 0);
    let (index, model) = open_late(&home, &fake, "slow");
    assert_eq!(look(&index).with_vectors(0), 5);
    assert_eq!(index.embed_missing(0, 100, &Silent).unwrap(), 0);
    assert_eq!(model.asked.load(Ordering::SeqCst), 5);
    assert_eq!(pieces(&look(&index)).len(), 5);
}

#[test]
fn wherever_pieces_are_damaged_they_are_missing_and_made_again() {
    let (home, fake) = filled(6);
    let (index, _) = open_late(&home, &fake, "slow");
    look(&index);
    index.embed_missing(0, 100, &Silent).unwrap();
    let wanted = pieces(&look(&index));
    let whole = home.snapshot();
    let (path, bytes) = whole
        .iter()
        .find(|(path, _)| path.extension().unwrap() == "pieces")
        .unwrap();
    for at in (0..bytes.len()).step_by(7) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x41;
        std::fs::write(path, &broken).unwrap();
        let (index, _) = open_late(&home, &fake, "slow");
        let found = pieces(&look(&index));
        assert!(
            found.iter().all(|(id, values)| wanted[id] == *values),
            "at {at}"
        );
        assert_eq!(index.embed_missing(0, 100, &Silent).unwrap(), 0);
        assert_eq!(pieces(&look(&index)), wanted, "at {at}");
        assert_eq!(
            pieces(&look(&open_late(&home, &fake, "slow").0)),
            wanted,
            "at {at}, reopened"
        );
    }
}

#[test]
fn the_second_look_takes_what_is_kept_and_asks_the_model_for_nothing() {
    let (home, fake) = filled(40);
    let (index, model) = open_late(&home, &fake, "slow");
    look(&index);
    index.embed_missing(0, 100, &Silent).unwrap();
    let answer = ask(index, model.clone(), "zebra bb");
    assert!(
        answer.models.contains(&LATE.to_owned()),
        "{:?}",
        answer.models
    );
    assert!(["1", "21"].contains(&answer.hits[0].address.id.as_str()));
    assert!(answer.hits.iter().all(|hit| hit.explain.rerank.is_some()));
    assert_eq!(model.asked_late.load(Ordering::SeqCst), 0);
}

#[test]
fn no_one_waits_for_pieces_of_many_memories() {
    let (home, fake) = filled(40);
    let (index, model) = open_late(&home, &fake, "slow");
    look(&index);
    let answer = ask(index, model.clone(), "zebra");
    assert!(
        answer.hits.len() == 10 && !answer.models.contains(&LATE.to_owned()),
        "{:?}",
        answer.models
    );
    assert_eq!(model.asked_late.load(Ordering::SeqCst), 0);
}

#[test]
fn a_few_are_read_while_someone_waits_and_long_ones_keep_their_place() {
    let (home, fake) = filled(12);
    let (index, _) = open_late(&home, &fake, "slow");
    look(&index);
    index.embed_missing(0, 100, &Silent).unwrap();
    (0..5).for_each(|n| fake.say(&format!("short{n}"), &format!("zebra bb bb {n}")));
    fake.say("long", &format!("zebra bb {}", "cc ".repeat(300)));
    let (index, model) = open_late(&home, &fake, "slow");
    let answer = ask(index, model.clone(), "zebra bb");
    assert_eq!(
        (
            model.asked.load(Ordering::SeqCst),
            model.asked_late.load(Ordering::SeqCst)
        ),
        (0, 4)
    );
    let reranked = answer
        .hits
        .iter()
        .filter(|hit| hit.explain.rerank.is_some())
        .count();
    assert!(
        reranked > 0 && reranked < answer.hits.len(),
        "the long one and one more keep their places"
    );
}

#[test]
fn a_question_has_the_model_read_a_few_short_texts_and_no_more() {
    let (home, fake) = filled(4);
    fake.say("3", &"zebra ".repeat(200));
    let (index, model) = open_late(&home, &fake, "slow");
    look(&index);
    assert!(index.embed_at_once(0).unwrap());
    assert_eq!(
        (
            look(&index).with_vectors(0),
            model.asked.load(Ordering::SeqCst)
        ),
        (3, 3)
    );
    (10..14).for_each(|n| fake.say(&format!("{n}"), "zebra"));
    look(&index);
    assert!(!index.embed_at_once(0).unwrap());
    assert_eq!(model.asked.load(Ordering::SeqCst), 3, "five are too many");
    fake.remove("13");
    ask(index, model.clone(), "zebra");
    assert_eq!(
        model.asked.load(Ordering::SeqCst),
        6,
        "whoever asks has the few read"
    );
}

#[test]
fn two_documents_with_one_address_are_answered_once_by_the_stronger() {
    let (home, fake) = filled(20);
    fake.put(
        "copy",
        vec![document(
            "twice",
            "the copy of a walrus in the old file among many other words",
        )],
    );
    fake.put("original", vec![document("twice", "walrus facts")]);
    let index = Arc::new(open(&home, &[&fake]));
    let recaller = Recaller::new(index, vec![Letters::new("letters", true)]);
    let question = Question {
        text: "walrus facts".into(),
        limit: 10,
        ..Question::default()
    };
    let hits = recaller.answer(&question, now(), &Silent).hits;
    let found: Vec<&str> = hits
        .iter()
        .filter(|hit| hit.address.id == "twice")
        .map(|hit| hit.text.as_str())
        .collect();
    assert_eq!(found, ["walrus facts"]);
}

#[test]
fn each_scope_gives_candidates_of_its_own() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    let in_scope = |id: String, text: String, scope: &str| {
        let labels = vec![format!("conversation:{scope}")];
        fake.put(
            &id,
            vec![memory_core::Document {
                labels,
                ..document(&id, &text)
            }],
        );
    };
    // Those of the one scope have both words of the question, those of the other only one.
    (0..30).for_each(|n| in_scope(format!("own{n}"), format!("walrus facts number{n}"), "work"));
    (0..9).for_each(|n| {
        in_scope(
            format!("all{n}"),
            format!("walrus in a zoo number{n}"),
            "global",
        )
    });
    let recaller = Recaller::new(Arc::new(open(&home, &[&fake])), vec![]);
    let found = |scopes: &[&str], candidates| {
        let question = Question {
            text: "walrus facts".into(),
            any_label: scopes
                .iter()
                .map(|scope| format!("conversation:{scope}"))
                .collect(),
            limit: 100,
            tuning: Tuning {
                candidates,
                threshold: Some(0.0),
                ..Tuning::default()
            },
            ..Question::default()
        };
        let hits = recaller.answer(&question, now(), &Silent).hits;
        let of = |scope: &str| {
            hits.iter()
                .filter(|hit| hit.address.id.starts_with(scope))
                .count()
        };
        (of("own"), of("all"))
    };
    assert_eq!(found(&["work", "global"], Some(6)), (6, 6));
    assert_eq!(found(&["work"], Some(6)), (6, 0));
    assert_eq!(found(&["work", "global"], None), (30, 9));
    assert_eq!(
        found(&["work", "global"], Some(usize::MAX)),
        (30, 9),
        "no more than there are"
    );
}

/// A cross-encoder that reads its logit from the end of a text.
struct Telling;

impl Rerank for Telling {
    fn id(&self) -> &str {
        "telling"
    }

    fn score(&self, _: &str, texts: &[&str]) -> Result<Vec<f32>> {
        Ok(texts
            .iter()
            .map(|text| text.rsplit(' ').next().unwrap().parse().unwrap())
            .collect())
    }
}

#[test]
fn with_a_cross_encoder_every_number_is_as_specification_002_has_it() {
    const DAY: i64 = 86_400;
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    let logits = ["3.0", "1.5", "0.0", "-0.6", "-0.7", "-4.0"];
    for (n, logit) in logits.iter().enumerate() {
        let created_at = Timestamp::from_second(now().as_second() - n as i64 * 30 * DAY).unwrap();
        let text = format!("walrus {logit}");
        fake.put(
            logit,
            vec![memory_core::Document {
                created_at,
                ..document(logit, &text)
            }],
        );
    }
    let recaller = Recaller::new(Arc::new(open(&home, &[&fake])), vec![])
        .with_second_look(SecondLook::CrossEncoder(Arc::new(Telling)));
    let ask = |threshold, limit| {
        let tuning = Tuning {
            candidates: Some(15),
            recency_weight: Some(0.2),
            threshold,
            cross_encoder_threshold: Some(0.35),
            mmr_lambda: Some(0.7),
        };
        let question = Question {
            text: "walrus".into(),
            limit,
            tuning,
            ..Question::default()
        };
        recaller.answer(&question, now(), &Silent)
    };
    let answer = ask(None, 10);
    // Step 2: a sigmoid, and 0.35 of it. That of -0.6 is 0.354, that of -0.7 is 0.332.
    let found: Vec<&str> = answer
        .hits
        .iter()
        .map(|hit| hit.address.id.as_str())
        .collect();
    assert_eq!(found, ["3.0", "1.5", "0.0", "-0.6"]);
    assert_eq!(answer.threshold, Some(0.35));
    for (n, hit) in answer.hits.iter().enumerate() {
        let explain = hit.explain;
        let logit = explain.rerank.unwrap();
        assert_eq!(
            logit.to_string().parse::<f32>(),
            hit.address.id.parse::<f32>()
        );
        assert!((explain.relevance - 1.0 / (1.0 + (-logit).exp())).abs() < 1e-6);
        // Step 3: a thirtieth of a day is one part of e.
        assert!(
            (explain.recency - (-(n as f32)).exp()).abs() < 1e-5,
            "{explain:?}"
        );
        assert!((explain.total - (0.8 * explain.relevance + 0.2 * explain.recency)).abs() < 1e-6);
        assert_eq!(hit.score, explain.total);
    }
    // Step 4: of the first that is chosen nothing is taken away.
    let first = answer.hits[0].explain;
    assert!((first.mmr.unwrap() - 0.7 * first.relevance).abs() < 1e-6);
    assert_eq!(ask(Some(0.9), 10).hits.len(), 1);
    assert_eq!(ask(Some(0.0), 10).hits.len(), 6);
    assert_eq!(ask(Some(0.0), 2).hits.len(), 2);
}

#[test]
fn archived_memories_answer_only_if_no_current_one_answers_as_well() {
    use memory_core::{Document, Expiry};
    const DAY: i64 = 86_400;
    let later = |days: i64| Timestamp::from_second(now().as_second() + days * DAY).unwrap();
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    let archived = Some(Expiry::Archived(Timestamp::UNIX_EPOCH));
    fake.put(
        "old",
        vec![Document {
            expiry: archived,
            ..document("old", "walrus facts")
        }],
    );
    let expires = Some(Expiry::Archived(later(7)));
    fake.put(
        "inbox",
        vec![Document {
            expiry: expires,
            ..document("inbox", "walrus facts from the zoo")
        }],
    );
    let removed = Some(Expiry::Removed(later(7)));
    fake.put(
        "gone",
        vec![Document {
            expiry: removed,
            ..document("gone", "walrus facts for a week")
        }],
    );
    let recaller = Recaller::new(Arc::new(open(&home, &[&fake])), vec![]);
    let ask = |searches_archive, at| {
        let question = Question {
            text: "walrus facts".into(),
            limit: 9,
            searches_archive,
            ..Question::default()
        };
        let mut hits: Vec<(String, bool)> = recaller
            .answer(&question, at, &Silent)
            .hits
            .into_iter()
            .map(|hit| (hit.address.id, hit.is_archived))
            .collect();
        hits.sort();
        hits
    };
    let found = |ids: &[&str], is_archived| {
        ids.iter()
            .map(|id| ((*id).to_owned(), is_archived))
            .collect::<Vec<_>>()
    };
    assert_eq!(ask(true, now()), found(&["gone", "inbox"], false));
    assert_eq!(
        ask(true, later(7)),
        found(&["inbox", "old"], true),
        "an expired one is archived at once"
    );
    assert_eq!(ask(false, later(7)), []);
    fake.put(
        "weak",
        vec![document("weak", "facts about other animals and their food")],
    );
    assert_eq!(ask(true, now()), found(&["gone", "inbox", "weak"], false));
    let with_a_weak_one = [found(&["inbox", "old"], true), found(&["weak"], false)].concat();
    assert_eq!(
        ask(true, later(7)),
        with_a_weak_one,
        "a weak current answer hides no better archived one"
    );
    let question = Question {
        text: "walrus".into(),
        limit: 9,
        ..Question::default()
    };
    let labels = recaller
        .answer(&question, now(), &Silent)
        .hits
        .remove(0)
        .labels;
    assert_eq!(labels, ["first:w"], "the index's own mark is not shown");
}

#[test]
fn derived_memories_answer_only_a_question_that_includes_them() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    let labels = vec![memory_core::DERIVED.to_owned()];
    fake.put(
        "reminder",
        vec![memory_core::Document {
            labels,
            ..document("reminder", "walrus facts are due")
        }],
    );
    fake.put("note", vec![document("note", "walrus facts")]);
    let recaller = Recaller::new(Arc::new(open(&home, &[&fake])), vec![]);
    let count = |includes_derived| {
        let question = Question {
            text: "walrus facts".into(),
            limit: 9,
            includes_derived,
            ..Question::default()
        };
        recaller.answer(&question, now(), &Silent).hits.len()
    };
    assert_eq!((count(false), count(true)), (1, 2));
}

#[test]
fn of_a_question_without_end_the_first_words_are_read() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    fake.put("first", vec![document("first", "walrus facts")]);
    fake.put("last", vec![document("last", "zebra stripes")]);
    let recaller = Recaller::new(Arc::new(open(&home, &[&fake])), vec![]);
    let ask = |text: String| {
        let question = Question {
            text,
            limit: 9,
            strictness: Strictness::Lenient,
            ..Question::default()
        };
        recaller
            .answer(&question, now(), &Silent)
            .hits
            .into_iter()
            .map(|hit| hit.text)
            .collect::<Vec<_>>()
    };
    let padding = " the".repeat(2_000);
    assert_eq!(ask(format!("zebra stripes{padding}")), ["zebra stripes"]);
    assert_eq!(
        ask(format!("walrus facts{padding} zebra stripes")),
        ["walrus facts"]
    );
}

#[test]
fn a_text_that_the_caller_has_takes_no_place() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    fake.say("same", "zebra stripes grass");
    fake.say("other", "zebra stripes");
    let ask = |except: &[&str], candidates| {
        let (index, _) = open_late(&home, &fake, "slow");
        let question = Question {
            text: "zebra stripes grass".into(),
            except: except.iter().map(|text| (*text).to_owned()).collect(),
            limit: 1,
            tuning: Tuning {
                candidates,
                threshold: Some(0.0),
                ..Tuning::default()
            },
            ..Question::default()
        };
        let found = Recaller::new(Arc::new(index), vec![]).answer(&question, now(), &Silent);
        found
            .hits
            .into_iter()
            .map(|hit| hit.address.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ask(&[], None), ["same"]);
    for candidates in [None, Some(1)] {
        assert_eq!(ask(&["zebra stripes grass\n"], candidates), ["other"]);
    }
}
