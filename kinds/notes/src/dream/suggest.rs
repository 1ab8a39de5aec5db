//! Level 3: what a look across categories shows is told in a note of its own, and never applied.

use std::fmt::Write as _;

use super::insight::{Insight, Thought, ponder};
use super::reminders::{DREAMER, is_dreamt};
use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::{Category, Note, NoteError, NoteId, Standing};

const TITLE: &str = "Dream suggestions";

pub(super) fn report(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let insights = look_across(work)?;
    let id = journal_id();
    let before = work.notes(std::slice::from_ref(&id))?.pop();
    let content = render(&insights);
    match (&before, insights.is_empty()) {
        (None, true) => return Ok(vec![]),
        (Some(old), _) if old.content == content => return Ok(vec![]),
        (Some(_), true) => work.remove(&id)?,
        (Some(_), false) => {
            let now = work.now;
            work.edit(&id, |note| {
                note.content = content;
                note.touch(now);
            })?;
        }
        (None, false) => work.add(new_note(content, work)),
    }
    let cards = work.cards();
    let deed = |insight: &Insight| {
        let (first, second) = insight.notes();
        let card = cards.iter().find(|card| card.id == *first)?;
        Some(Deed::new(Action::Suggest, card, insight.to_string()).with_other(second))
    };
    Ok(insights.iter().filter_map(deed).collect())
}

/// The one note in which a dream tells what it noticed.
fn journal_id() -> NoteId {
    NoteId::of_name("dream suggestions")
}

fn new_note(content: String, work: &Work<'_>) -> Note {
    let standing = Standing::Organized {
        category: Category::Knowledge,
    };
    let mut note = Note::new(journal_id(), content, standing, work.now);
    note.source = DREAMER.to_owned();
    note.tags = vec!["dream".to_owned()];
    note
}

fn look_across(work: &mut Work<'_>) -> Result<Vec<Insight>, NoteError> {
    let is_thought =
        |card: &&&crate::card::Card| card.category() != Category::Reminders && !is_dreamt(card);
    let ids: Vec<_> = work
        .cards()
        .iter()
        .filter(is_thought)
        .map(|card| card.id.clone())
        .collect();
    let notes = work.notes(&ids)?;
    let thoughts: Vec<Thought<'_>> = notes
        .iter()
        .map(|note| Thought {
            id: &note.id,
            category: note.standing.category(),
            content: &note.content,
            created_at: note.created_at,
            links: &note.links,
        })
        .collect();
    Ok(ponder(&thoughts))
}

fn render(insights: &[Insight]) -> String {
    let mut text = format!(
        "# {TITLE}\n\nNoticed while dreaming. Nothing here was applied: link, edit or delete as you see fit.\n"
    );
    for insight in insights {
        let _ = write!(text, "\n- {insight}");
    }
    text
}
