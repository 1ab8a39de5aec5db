//! A model as hubs ship it: a folder with a configuration, a vocabulary and weights.
//!
//! Only what the files say is taken from here; what they leave out, known families fill in.

use std::path::{Path, PathBuf};

use memory_files::Files;
use serde::Deserialize;
use serde_json::Value;

use super::description::{Manner, Pooling, Shape, Task};
use crate::ModelError;
use crate::catalogue::{self, Family};

/// Largest weights that are read: those of the largest encoders, in 32 bits.
pub(crate) const WEIGHT_BYTES: u64 = 2 << 30;
/// Largest other file of a model.
pub(crate) const OTHER_BYTES: u64 = 64 << 20;

/// The files of a model, read.
pub(crate) struct HubFolder {
    pub(crate) weights: Vec<u8>,
    pub(crate) vocabulary: Vec<String>,
    pub(crate) shape: Shape,
    pub(crate) task: Task,
    pub(crate) manner: Manner,
}

/// What `config.json` says of the shape.
#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default)]
    architectures: Vec<String>,
    #[serde(default)]
    model_type: String,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default = "absolute")]
    position_embedding_type: String,
    num_hidden_layers: usize,
    hidden_size: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    max_position_embeddings: usize,
    #[serde(default = "two")]
    type_vocab_size: usize,
    vocab_size: usize,
    #[serde(default = "epsilon")]
    layer_norm_eps: f32,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn absolute() -> String {
    "absolute".to_owned()
}

fn two() -> usize {
    2
}

fn epsilon() -> f32 {
    1e-12
}

impl HubFolder {
    /// Reads a folder that the user named, or one that was downloaded.
    ///
    /// `name` is what the model is called, which tells its family where the files do not.
    pub(crate) fn read(files: &Files, folder: &Path, name: &str) -> Result<Self, ModelError> {
        let folder = Folder {
            files,
            path: folder,
        };
        let config: Config = folder
            .json("config.json")?
            .ok_or_else(|| folder.lacks("config.json"))?;
        config.check()?;
        let weights = folder.bytes("model.safetensors", WEIGHT_BYTES)?;
        let task = config.task();
        Ok(HubFolder {
            weights: weights.ok_or_else(|| folder.lacks("model.safetensors"))?,
            vocabulary: folder.vocabulary()?,
            shape: config.shape(),
            manner: folder.manner(
                &catalogue::family(name),
                task,
                config.max_position_embeddings,
            )?,
            task,
        })
    }
}

impl Config {
    fn check(&self) -> Result<(), ModelError> {
        let unsupported = |why: String| Err(ModelError::Unsupported { why });
        match self {
            _ if self.model_type != "bert" => {
                unsupported(format!("its type is '{}', not 'bert'", self.model_type))
            }
            _ if self.hidden_act != "gelu" => {
                unsupported(format!("it uses '{}', not 'gelu'", self.hidden_act))
            }
            _ if self.position_embedding_type != "absolute" => {
                unsupported("its positions are relative".to_owned())
            }
            _ if !self.shape().is_sound() => {
                unsupported("its sizes do not fit each other".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn task(&self) -> Task {
        if self
            .architectures
            .iter()
            .any(|name| name.ends_with("ForSequenceClassification"))
        {
            Task::Rerank
        } else {
            Task::Embed
        }
    }

    fn shape(&self) -> Shape {
        Shape {
            layers: self.num_hidden_layers,
            hidden: self.hidden_size,
            heads: self.num_attention_heads,
            intermediate: self.intermediate_size,
            positions: self.max_position_embeddings,
            types: self.type_vocab_size,
            vocabulary: self.vocab_size,
            epsilon: self.layer_norm_eps,
        }
    }
}

/// A folder, and the way to the disk.
struct Folder<'a> {
    files: &'a Files,
    path: &'a Path,
}

impl Folder<'_> {
    fn bytes(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, ModelError> {
        Ok(self.files.read_linked(&self.at(name), most)?)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn json<T: for<'de> Deserialize<'de>>(
        &self,
        name: &'static str,
    ) -> Result<Option<T>, ModelError> {
        let Some(bytes) = self.bytes(name, OTHER_BYTES)? else {
            return Ok(None);
        };
        let read = serde_json::from_slice(&bytes);
        let unreadable = |_| ModelError::Incomplete {
            what: self.at(name).display().to_string(),
            missing: "usable content",
        };
        read.map(Some).map_err(unreadable)
    }

    fn lacks(&self, missing: &'static str) -> ModelError {
        ModelError::Incomplete {
            what: self.path.display().to_string(),
            missing,
        }
    }

    /// Returns the pieces in the order of their numbers.
    fn vocabulary(&self) -> Result<Vec<String>, ModelError> {
        if let Some(bytes) = self.bytes("vocab.txt", OTHER_BYTES)? {
            let text = String::from_utf8(bytes).map_err(|_| self.lacks("vocab.txt in UTF-8"))?;
            return Ok(text.lines().map(str::to_owned).collect());
        }
        let whole: Option<Value> = self.json("tokenizer.json")?;
        let pieces = whole
            .as_ref()
            .and_then(|whole| whole["model"]["vocab"].as_object());
        let pieces = pieces.ok_or_else(|| self.lacks("vocab.txt or tokenizer.json"))?;
        let mut numbered: Vec<(u64, &String)> = pieces
            .iter()
            .filter_map(|(piece, number)| Some((number.as_u64()?, piece)))
            .collect();
        numbered.sort_unstable();
        let is_whole = numbered
            .iter()
            .zip(0..)
            .all(|((number, _), n)| *number == n);
        if is_whole {
            Ok(numbered
                .into_iter()
                .map(|(_, piece)| piece.clone())
                .collect())
        } else {
            Err(self.lacks("whole vocabulary in tokenizer.json"))
        }
    }

    fn manner(&self, family: &Family, task: Task, positions: usize) -> Result<Manner, ModelError> {
        let pooling: Option<Value> = self.json("1_Pooling/config.json")?;
        let sentence: Option<Value> = self.json("sentence_bert_config.json")?;
        let prompts: Option<Value> = self.json("config_sentence_transformers.json")?;
        let tokenizer: Option<Value> = self.json("tokenizer_config.json")?;
        let said = |file: &Option<Value>, path: &str| {
            file.as_ref().and_then(|file| file.pointer(path).cloned())
        };
        let pooled = said(&pooling, "/pooling_mode_cls_token").and_then(|value| value.as_bool());
        let most = said(&sentence, "/max_seq_length").and_then(|value| value.as_u64());
        let prompt =
            said(&prompts, "/prompts/query").and_then(|value| value.as_str().map(str::to_owned));
        let lower = said(&tokenizer, "/do_lower_case").and_then(|value| value.as_bool());
        let first = pooled.unwrap_or(family.pooling == Pooling::First);
        Ok(Manner {
            pooling: if first { Pooling::First } else { Pooling::Mean },
            question_prefix: prompt.unwrap_or_else(|| family.question_prefix.to_owned()),
            document_prefix: String::new(),
            script: family.script.to_owned(),
            lower: lower.unwrap_or(true),
            most_pieces: most.map_or(positions, |most| most as usize).min(positions),
            late: family.late && task == Task::Embed,
        })
    }
}
