//! `sizes`: how much each compartment holds, of all runs together.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::store::Store;
use crate::{Compartment, CompartmentError, Entry};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Reply {
    pub compartments: Vec<Size>,
    /// Bytes that the file takes.
    pub bytes: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Size {
    pub compartment: Compartment,
    pub entries: usize,
    pub characters: usize,
    /// When the newest of them was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<memory_core::Timestamp>,
}

pub fn run(store: &Store, _: &Call<'_>, _: Params) -> Result<Done<Reply>, CompartmentError> {
    let Some(seen) = store.load(&store.storage)? else {
        return Ok(Done::read(Reply::default()));
    };
    let contents = store.parse(&seen.bytes)?;
    let size = |compartment: Compartment| Size {
        compartment,
        entries: contents.entries(compartment).count(),
        characters: contents.entries(compartment).map(Entry::size).sum(),
        updated_at: contents
            .entries(compartment)
            .map(|entry| entry.updated_at)
            .max(),
    };
    Ok(Done::read(Reply {
        compartments: Compartment::ALL.map(size).into(),
        bytes: seen.bytes.len() as u64,
    }))
}
