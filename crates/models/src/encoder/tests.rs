//! The forward pass against a reference, on a small model of random weights as hubs ship it.
//!
//! `tools/hub/reference.py` made the expected numbers and draws the same weights.

use std::path::Path;
use std::sync::Arc;

use safetensors::Dtype;
use serde::Deserialize;
use serde_json::json;

use super::{CrossEncoder, HubFolder, LocalModel, convert};
use crate::bytes::Bytes;
use crate::vector::dot;
use crate::weights::Writer;
use crate::{Embed, ModelError, Rerank, max_sim};
use memory_core::Ids;
use memory_files::{Files, RealDisk};
use memory_testkit::Home;

static VOCABULARY: &str = include_str!("../text/fixtures/vocabulary.txt");
static REFERENCE: &str = include_str!("fixtures/reference.json");

const HIDDEN: usize = 32;
const WIDE: usize = 64;
const POSITIONS: usize = 48;

#[derive(Deserialize)]
struct Case {
    text: String,
    first: Vec<f32>,
    mean: Vec<f32>,
    logit: f32,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(REFERENCE).unwrap()
}

/// Names and shapes, in the order in which the reference draws them.
fn shapes() -> Vec<(String, Vec<usize>)> {
    let mut shapes = vec![
        (
            "embeddings.word_embeddings.weight".to_owned(),
            vec![VOCABULARY.lines().count(), HIDDEN],
        ),
        (
            "embeddings.position_embeddings.weight".to_owned(),
            vec![POSITIONS, HIDDEN],
        ),
        (
            "embeddings.token_type_embeddings.weight".to_owned(),
            vec![2, HIDDEN],
        ),
    ];
    let mut both = |name: String, weight: Vec<usize>, bias: usize| {
        shapes.push((format!("{name}.weight"), weight));
        shapes.push((format!("{name}.bias"), vec![bias]));
    };
    both("embeddings.LayerNorm".to_owned(), vec![HIDDEN], HIDDEN);
    for n in 0..2 {
        let at = |name: &str| format!("encoder.layer.{n}.{name}");
        for name in [
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ] {
            both(at(name), vec![HIDDEN, HIDDEN], HIDDEN);
        }
        both(at("intermediate.dense"), vec![WIDE, HIDDEN], WIDE);
        both(at("output.dense"), vec![HIDDEN, WIDE], HIDDEN);
        both(at("attention.output.LayerNorm"), vec![HIDDEN], HIDDEN);
        both(at("output.LayerNorm"), vec![HIDDEN], HIDDEN);
    }
    both("pooler.dense".to_owned(), vec![HIDDEN, HIDDEN], HIDDEN);
    both("classifier".to_owned(), vec![1, HIDDEN], 1);
    shapes
}

fn weights(prefix: &str) -> Vec<u8> {
    let mut seed = 7u32;
    let mut draw = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    let mut writer = Writer::default();
    for (name, shape) in shapes() {
        let bytes: Vec<u8> = (0..shape.iter().product())
            .flat_map(|_| draw().to_le_bytes())
            .collect();
        writer.tensor(&format!("{prefix}{name}"), Dtype::F32, &shape, &bytes);
    }
    writer.finish(&[])
}

pub(crate) fn files() -> Files {
    Files::new(Arc::new(RealDisk::default()), Ids::random())
}

#[allow(clippy::disallowed_methods)] // a test looks behind the door's back
fn put_file(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}

/// Writes a model's folder as a hub would ship it.
pub(crate) fn write_hub_folder(folder: &Path, architecture: &str) {
    let is_cross = architecture.ends_with("ForSequenceClassification");
    let config = json!({
        "architectures": [architecture], "model_type": "bert", "hidden_act": "gelu",
        "num_hidden_layers": 2, "hidden_size": HIDDEN, "num_attention_heads": 4,
        "intermediate_size": WIDE, "max_position_embeddings": POSITIONS, "type_vocab_size": 2,
        "vocab_size": VOCABULARY.lines().count(), "layer_norm_eps": 1e-12,
    });
    let put = |name: &str, bytes: &[u8]| put_file(&folder.join(name), bytes);
    put("config.json", config.to_string().as_bytes());
    put("vocab.txt", VOCABULARY.as_bytes());
    // The classifier of a cross-encoder stands beside its encoder, which has a prefix.
    put(
        "model.safetensors",
        &weights(if is_cross { "bert." } else { "" }),
    );
}

fn converted(name: &str, architecture: &str) -> Result<Vec<u8>, ModelError> {
    let home = Home::new();
    write_hub_folder(home.path(), architecture);
    convert(name, &HubFolder::read(&files(), home.path(), name)?)
}

fn model(name: &str) -> LocalModel {
    LocalModel::of(&Bytes::Owned(converted(name, "BertModel").unwrap().into())).unwrap()
}

#[test]
fn vectors_are_those_of_the_reference() {
    let (first, mean) = (model("small-arctic-embed"), model("small"));
    for case in cases() {
        let check = |model: &LocalModel, expected: &[f32]| {
            let vector = model.documents(&[&case.text]).unwrap().remove(0);
            let cosine = dot(&vector, expected);
            assert!(cosine > 0.999, "{}: {cosine}", case.text);
        };
        check(&first, &case.first);
        check(&mean, &case.mean);
    }
}

#[test]
fn many_texts_at_once_are_as_each_alone() {
    let model = model("small");
    let cases = cases();
    let texts: Vec<&str> = cases
        .iter()
        .map(|case| case.text.as_str())
        .cycle()
        .take(40)
        .collect();
    let together = model.documents(&texts).unwrap();
    for (text, vector) in texts.iter().zip(&together) {
        let alone = model.documents(&[text]).unwrap().remove(0);
        assert!(dot(vector, &alone) > 0.9999, "{text}");
    }
    assert!(model.documents(&[]).unwrap().is_empty());
}

#[test]
fn pairs_are_scored_as_the_reference_scores_them() {
    let bytes = converted("small-cross", "BertForSequenceClassification").unwrap();
    let model = CrossEncoder::of(&Bytes::Owned(bytes.into())).unwrap();
    let cases = cases();
    let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
    let scores = model.score(&cases[0].text, &texts).unwrap();
    for (case, score) in cases.iter().zip(scores) {
        assert!(
            (score - case.logit).abs() < 0.05,
            "{}: {score} for {}",
            case.text,
            case.logit
        );
    }
}

#[test]
fn pieces_are_compared_late_and_kept_small() {
    let model = model("small-arctic-embed");
    let tokens = model.tokens().expect("this family compares late");
    let texts = [
        "The quick brown fox jumps over the lazy dog.",
        "Hello, world!",
    ];
    let kept = tokens.document_tokens(&texts).unwrap();
    let question = tokens.question_tokens(texts[0]).unwrap();
    assert!(
        kept.iter()
            .all(|pieces| pieces.values.len() % pieces.dimensions == 0)
    );
    assert!((max_sim(&question, &kept[0]) - 1.0).abs() < 0.03);
    assert!(max_sim(&question, &kept[1]) < max_sim(&question, &kept[0]));
    let both = tokens.documents_and_tokens(&texts).unwrap();
    assert_eq!(both[1].1, kept[1]);
    assert_eq!(both[1].0, model.documents(&texts).unwrap()[1]);
}

#[test]
fn a_question_is_asked_as_its_family_wants() {
    let (asks, plain) = (model("small-arctic-embed"), model("small"));
    let differs = |model: &LocalModel| {
        let text = "Hello, world!";
        dot(
            &model.question(text).unwrap(),
            &model.documents(&[text]).unwrap()[0],
        ) < 0.9999
    };
    assert!(differs(&asks));
    assert!(!differs(&plain));
}

#[test]
fn damaged_files_and_other_families_are_refused() {
    let whole = converted("small", "BertModel").unwrap();
    for length in [0, 7, 100, whole.len() / 2, whole.len() - 1] {
        assert!(
            LocalModel::of(&Bytes::Owned(whole[..length].into())).is_err(),
            "{length}"
        );
    }
    let cross = converted("small", "BertForSequenceClassification").unwrap();
    assert!(LocalModel::of(&Bytes::Owned(cross.into())).is_err());
    let home = Home::new();
    write_hub_folder(home.path(), "BertModel");
    put_file(&home.path().join("config.json"), br#"{"model_type":"t5"}"#);
    assert!(HubFolder::read(&files(), home.path(), "small").is_err());
}
