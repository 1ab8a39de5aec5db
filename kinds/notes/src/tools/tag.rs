//! `tag`: adds tags to a note, or removes them.

use memory_core::{Call, Done, find_secret};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{Recall, Work};
use crate::store::Store;
use crate::tools::{check_tag_count, checked_tags};
use crate::{NoteError, NoteId};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Id, or at least its first 4 characters
    pub id: String,
    /// Further notes that get the same tags
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub others: Vec<String>,
    /// Tags to add
    #[serde(default)]
    pub tags: Vec<String>,
    /// Tags to remove
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    #[serde(flatten)]
    pub first: Tagged,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Tagged>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Tagged {
    pub id: String,
    /// The tags that the note has now.
    pub tags: Vec<String>,
    pub changed: bool,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let (add, remove) = (checked_tags(&params.tags)?, checked_tags(&params.remove)?);
    if add.is_empty() && remove.is_empty() {
        return Err(NoteError::bad("No tag was given"));
    }
    if !params.allow_secret
        && let Some(what) = add.iter().find_map(|tag| find_secret(tag))
    {
        return Err(NoteError::Secret { what });
    }
    let (mut work, id) = store.work_on(&params.id, call.now)?;
    let others = work.find_others(&id, &params.others)?;
    let (first, mut takes_away) = tag(&mut work, &id, &add, &remove)?;
    let mut tagged = Vec::with_capacity(others.len());
    for other in &others {
        let (other, took_away) = tag(&mut work, other, &add, &remove)?;
        takes_away |= took_away;
        tagged.push(other);
    }
    let what = match tagged.len() {
        0 => format!("remove tags of note {}", id.short()),
        more => format!("remove tags of {} notes, first {}", more + 1, id.short()),
    };
    let recall = if takes_away {
        Recall::Step(&what, call.by)
    } else {
        Recall::Nothing
    };
    let changes = work.commit(recall)?;
    Ok(Done::changed(
        Reply {
            first,
            others: tagged,
        },
        changes,
    ))
}

/// Changes the tags of one note; says whether one was taken away.
fn tag(
    work: &mut Work<'_>,
    id: &NoteId,
    add: &[String],
    remove: &[String],
) -> Result<(Tagged, bool), NoteError> {
    let before = work.note(id)?.tags;
    let now = work.now;
    work.edit(id, |note| {
        note.tags.retain(|tag| !remove.contains(tag));
        note.add_tags(add);
        if note.tags != before {
            note.touch(now);
        }
    })?;
    let tags = work.note(id)?.tags;
    check_tag_count(tags.len(), before.len())?;
    let takes_away = before.iter().any(|tag| !tags.contains(tag));
    Ok((
        Tagged {
            id: id.to_string(),
            changed: tags != before,
            tags,
        },
        takes_away,
    ))
}
