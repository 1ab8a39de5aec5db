//! Summaries as files: what goes into one, and how it takes the place of the one before.

use memory_core::{Change, Timestamp};
use memory_text::tokens;

use crate::change::Work;
use crate::entry::{Entry, Figures, Role};
use crate::filing::{Filed, Place};
use crate::pending::Pending;
use crate::store::Store;
use crate::summary::{ContentType, Level, Piece, Subject, Summary, summarise};
use crate::{ConversationError, ConversationId, Shelf, limits};

const SUMMARIES: [Shelf; 3] = [Shelf::L1, Shelf::L2, Shelf::L3];

/// Takes the facts that are not summarised yet into the summary of a conversation, if there are enough
/// of them (section 4.4), and finishes with that what was waiting.
pub(crate) fn roll(
    store: &Store,
    folder: &str,
    now: Timestamp,
    pending: Option<&Pending>,
) -> Result<Vec<Change>, ConversationError> {
    for attempt in 1..=limits::DECISIONS {
        let prior = store.summary(folder)?;
        let summary = if store.settings.summarize && attempt < limits::DECISIONS {
            summarise(
                store.chat.as_deref(),
                &subject(store, folder, prior.as_ref())?,
            )
        } else {
            None
        };
        let mut work = store.work_after(folder.to_owned(), pending)?;
        let is_same =
            store.summary(folder)?.map(|filed| filed.bytes) == prior.map(|filed| filed.bytes);
        if !is_same && attempt < limits::DECISIONS {
            continue;
        }
        if let (Some(summary), Some(conversation)) = (&summary, store.conversation(folder)?) {
            keep(&mut work, &conversation, summary, now)?;
        }
        return work.commit();
    }
    Err(ConversationError::Contended {
        conversation: folder.to_owned(),
    })
}

/// Section 4.4: the summary that there is, and the facts since.
fn subject(
    store: &Store,
    folder: &str,
    prior: Option<&Filed>,
) -> Result<Subject, ConversationError> {
    let since = prior.map(|prior| prior.entry.created_at);
    let facts = store.facts_after(folder, since)?;
    let text: Vec<&str> = facts
        .iter()
        .map(|filed| filed.entry.content.as_str())
        .collect();
    let prior = if text.is_empty() { None } else { prior };
    Ok(Subject {
        prior: prior.map(|prior| prior.entry.content.clone()),
        text: text.join("\n"),
        content_type: ContentType::Conversation,
    })
}

/// Summarises a conversation from its beginning; returns how deep, and what is different now.
pub(crate) fn rebuild(
    store: &Store,
    folder: &str,
    content_type: ContentType,
    now: Timestamp,
) -> Result<(Level, Vec<Change>), ConversationError> {
    let subject = Subject {
        prior: None,
        text: everything(store, folder)?,
        content_type,
    };
    let Some(summary) = summarise(store.chat.as_deref(), &subject) else {
        return Ok((Level::None, vec![]));
    };
    let mut work = store.work_in(folder.to_owned())?;
    if let Some(conversation) = store.conversation(folder)? {
        keep(&mut work, &conversation, &summary, now)?;
    }
    Ok((summary.level, work.commit()?))
}

/// Returns all that is known and all that was said, in its order.
fn everything(store: &Store, folder: &str) -> Result<String, ConversationError> {
    let facts = store.all_entries(folder, Shelf::Facts)?;
    let mut turns = store.all_entries(folder, Shelf::User)?;
    turns.extend(store.all_entries(folder, Shelf::Assistant)?);
    turns.sort_by_key(|filed| filed.entry.created_at);
    let facts = facts.into_iter().map(|filed| filed.entry.content);
    let turns = turns
        .into_iter()
        .map(|filed| format!("{}: {}", filed.entry.role.as_str(), filed.entry.content));
    Ok(facts.chain(turns).collect::<Vec<_>>().join("\n"))
}

/// Puts a summary in the place of the one before, which goes to `deleted/` with all its levels.
fn keep(
    work: &mut Work<'_>,
    conversation: &ConversationId,
    summary: &Summary,
    now: Timestamp,
) -> Result<(), ConversationError> {
    for shelf in SUMMARIES {
        for old in work.store.all_entries(&work.folder, shelf)? {
            work.bury(&old, None);
        }
    }
    let named = |pieces: &[Piece], name: &str| {
        let numbered = pieces
            .iter()
            .enumerate()
            .map(|(n, piece)| (format!("{name}_{n}"), piece.clone()));
        numbered.collect::<Vec<_>>()
    };
    let whole = vec![("final".to_owned(), summary.whole.clone())];
    let levels = [
        (Shelf::L1, named(&summary.chunks, "chunk")),
        (Shelf::L2, named(&summary.groups, "group")),
        (Shelf::L3, whole),
    ];
    // As old as the last fact that it takes in: those after it are the new ones, however late they are found.
    let latest = work
        .store
        .facts(&work.folder)?
        .last()
        .map(|filed| filed.entry.created_at);
    let at = latest.unwrap_or(now);
    for (shelf, pieces) in levels {
        for (name, piece) in pieces {
            let entry = entry(conversation, shelf, &name, &piece, summary.level, at);
            work.put(
                &Place {
                    shelf,
                    file: format!("{name}.md"),
                },
                &entry,
            );
        }
    }
    Ok(())
}

fn entry(
    conversation: &ConversationId,
    shelf: Shelf,
    name: &str,
    piece: &Piece,
    level: Level,
    at: Timestamp,
) -> Entry {
    let kind = shelf.level().unwrap_or_default();
    // Section 2.2: the same summary has the same id each time.
    let id = format!("{conversation}-summary-{kind}-{name}");
    let mut entry = Entry::new(id, Role::Summary, conversation, at, &piece.text);
    entry.figures = Some(Figures {
        kind: kind.to_owned(),
        level: level.as_str().to_owned(),
        input_tokens: piece.input_tokens,
        output_tokens: tokens::count(&piece.text),
        model: piece.model.clone(),
    });
    entry
}
