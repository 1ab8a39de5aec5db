//! Upgrade: notes of the inbox that are read often are sorted into a category.

use crate::card::Card;
use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::dream::{classify, due_of, reason};
use crate::{Category, NoteError, NoteId, Phase, Standing};

pub(crate) fn run(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let reads = work.store().settings.upgrade_reads;
    let accesses = work.store().accesses()?;
    let count = |card: &Card| card.access_count.saturating_add(accesses.of(&card.id));
    let is_wanted = |card: &&&Card| card.phase() == Phase::Inbox && count(card) >= reads;
    let chosen: Vec<Card> = work
        .cards()
        .iter()
        .filter(is_wanted)
        .map(|card| (*card).clone())
        .collect();
    let mut deeds = Vec::new();
    for card in chosen {
        let (category, why) = judge(work, &card.id)?;
        organize(work, &card.id, category)?;
        let why = format!("used {} times; {why}", count(&card));
        deeds.push(Deed::new(Action::Upgrade, &card, why).into_category(category));
    }
    Ok(deeds)
}

/// Returns where a note belongs by its words, and which of them say so.
pub(crate) fn judge(work: &mut Work<'_>, id: &NoteId) -> Result<(Category, String), NoteError> {
    let verdict = classify(&work.note(id)?.content);
    Ok((verdict.category, reason(&verdict)))
}

/// Moves a note into a category. It keeps its id, times of creation, counts, tags and links.
///
/// One that becomes a reminder is due at the time it speaks of.
pub(crate) fn organize(
    work: &mut Work<'_>,
    id: &NoteId,
    category: Category,
) -> Result<(), NoteError> {
    let now = work.now;
    let zone = work.store().settings.zone.clone();
    work.edit(id, |note| {
        note.standing = Standing::Organized { category };
        if category == Category::Reminders && note.reminder.is_none() {
            note.reminder = due_of(&note.content, note.created_at, &zone);
        }
        note.touch(now);
    })
}
