//! `upgrade`: sorts a note of the inbox into a category.

use memory_core::{Call, Done, Rehearsal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::Recall;
use crate::store::Store;
use crate::tasks::upgrade::{judge, organize};
use crate::tools::write::timeless_warning;
use crate::{Category, NoteError, Phase};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub id: String,
    /// Category to move it to; chosen by its words if omitted
    #[serde(default)]
    pub category: Option<String>,
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub id: String,
    pub phase: Phase,
    pub category: Category,
    pub path: String,
    pub why: String,
    pub dry_run: bool,
    /// What the caller should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    store.peek()?.find(&params.id)?;
    let wanted = params
        .category
        .as_deref()
        .map(str::parse::<Category>)
        .transpose()?;
    if wanted == Some(Category::Inbox) {
        return Err(NoteError::bad("A note cannot be upgraded into the inbox"));
    }
    let how = Rehearsal::dry_if(params.dry_run);
    let mut work = store.work(call.now, how)?;
    let id = work.find(&params.id)?;
    let now_in = work.note(&id)?.standing;
    if now_in.phase() == Phase::Organized && wanted.is_none() {
        return Err(NoteError::BadArgument {
            problem: format!(
                "Note {} is already organized, in {}",
                id.short(),
                now_in.category()
            ),
            hint: Some("Pass --category to move it to another category".into()),
        });
    }
    let (category, why) = match wanted {
        Some(category) => (category, "as asked".to_owned()),
        None => judge(&mut work, &id)?,
    };
    organize(&mut work, &id, category)?;
    let warning = timeless_warning(&work.note(&id)?);
    let path = store.root.join(work.path(&id)).path().display().to_string();
    let what = format!("upgrade note {} to {category}", id.short());
    let changes = work.commit(Recall::Step(&what, call.by))?;
    let changes = if how.is_dry() { vec![] } else { changes };
    let phase = Phase::Organized;
    let reply = Reply {
        id: id.to_string(),
        phase,
        category,
        path,
        why,
        dry_run: params.dry_run,
        warning,
    };
    Ok(Done::changed(reply, changes))
}
