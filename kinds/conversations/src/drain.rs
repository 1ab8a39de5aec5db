//! The write path after a turn: facts, reconciliation, summary, eviction (section 4), in order.
//!
//! One at a time is at the waiting turns of a conversation; a claim says who. Whoever waits for it holds
//! nothing that others need.
//! Models are asked on a snapshot, without the conversation's lock; before a decision is carried out
//! it is checked that nothing it rests on has changed.

use std::sync::Arc;

use memory_core::{Call, Change, Flaw, Question, Timestamp, Tuning};
use memory_files::{DiskError, Held};

use crate::change::Work;
use crate::document::{KIND, conversation_label, role_label};
use crate::entry::{Entry, Role};
use crate::filing::Filed;
use crate::pending::{CLAIM, Pending, Stage};
use crate::reconcile::{Decision, Fact, decide};
use crate::store::Store;
use crate::tools::drain::Reply;
use crate::{ConversationError, ConversationId, Shelf, evict, facts, limits, summing};

/// Whether someone else may finish first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waits {
    No,
    ForAWhile,
}

/// What was done, and what is different now.
#[derive(Debug, Default)]
pub(crate) struct Drained {
    pub(crate) reply: Reply,
    pub(crate) changes: Vec<Change>,
}

impl Store {
    /// Sees to the waiting turns of one conversation, or of all.
    pub(crate) fn drain(
        &self,
        call: &Call<'_>,
        only: Option<&ConversationId>,
    ) -> Result<Drained, ConversationError> {
        let mut folders = match only.map(ConversationId::folder) {
            Some(folder) if self.is_waiting(&folder)? => vec![folder],
            Some(_) => vec![],
            None => self.waiting()?,
        };
        let mut drained = Drained::default();
        // Those that someone else is at come last, so that nothing waits for them but themselves.
        folders.retain(|folder| !self.drain_folder(call, folder, Waits::No, &mut drained));
        folders.retain(|folder| !self.drain_folder(call, folder, Waits::ForAWhile, &mut drained));
        for folder in folders {
            drained.reply.left += self.pending(&folder).map_or(0, |pending| pending.len());
        }
        Ok(drained)
    }

    /// Sees to one conversation; says whether nothing waits there any more.
    fn drain_folder(
        &self,
        call: &Call<'_>,
        folder: &str,
        waits: Waits,
        drained: &mut Drained,
    ) -> bool {
        // One conversation that can't be seen to keeps no other waiting.
        match self.drain_claimed(call, folder, waits, drained) {
            Ok(is_done) => is_done,
            Err(error) => {
                if waits == Waits::ForAWhile {
                    drained
                        .reply
                        .flaws
                        .push(Flaw::new(format!("entries/{folder}"), error.to_string()));
                }
                false
            }
        }
    }

    fn drain_claimed(
        &self,
        call: &Call<'_>,
        folder: &str,
        waits: Waits,
        drained: &mut Drained,
    ) -> Result<bool, ConversationError> {
        let Some(_claim) = self.claim(folder, waits)? else {
            return Ok(false);
        };
        // Turns that come while we are at it are seen to as well.
        while self.is_waiting(folder)? {
            // Finishes what a crash has left.
            drop(self.recording_in(folder.to_owned())?);
            let Some(next) = self.pending(folder)?.into_iter().next() else {
                break;
            };
            self.see_to(call, folder, next, drained)?;
            drained.reply.turns += 1;
        }
        let evicted = evict::evict(self, folder)?;
        drained.reply.evicted += evicted.len();
        drained.changes.extend(evicted);
        Ok(true)
    }

    /// Claims the waiting turns of a conversation; none when someone else is at them.
    fn claim(&self, folder: &str, waits: Waits) -> Result<Option<Held<'_>>, ConversationError> {
        let at = self.room(folder).join(CLAIM);
        match waits {
            Waits::No => Ok(self.files.try_lock(&at)?),
            Waits::ForAWhile => match self.files.lock(&at) {
                Err(DiskError::Busy { .. }) => Ok(None),
                held => Ok(Some(held?)),
            },
        }
    }

    fn see_to(
        &self,
        call: &Call<'_>,
        folder: &str,
        pending: Pending,
        drained: &mut Drained,
    ) -> Result<(), ConversationError> {
        if pending.stage == Stage::Facts {
            let said = self.turn(folder, &pending)?;
            let facts = said
                .map(|said| facts::extract(self, &said, pending.said_at))
                .unwrap_or_default();
            // A turn that tells nothing has nothing to be kept before its summary.
            if !facts.is_empty() {
                self.learn(call, folder, &facts, &pending, drained)?;
            }
        }
        let changes = summing::roll(self, folder, call.now, Some(&pending))?;
        drained.changes.extend(changes);
        Ok(())
    }

    /// Reads what was said in a turn; none when it was never written, or someone has removed it.
    fn turn(&self, folder: &str, pending: &Pending) -> Result<Option<String>, ConversationError> {
        let file = pending.file().replace(".json", ".md");
        let place = crate::filing::Place {
            shelf: Shelf::User,
            file,
        };
        let said = match self.read(folder, &place) {
            // Whoever records it may have shown that it waits a moment before the turn itself: ask again
            // when nobody is at the conversation.
            Ok(None) => {
                let _nobody_else = self.work_in(folder.to_owned())?;
                self.read(folder, &place)
            }
            said => said,
        };
        match said {
            Ok(filed) => Ok(filed.map(|filed| filed.entry.content)),
            // Damage is told by whoever looks at the turn; it stops none of those after it.
            Err(ConversationError::Damaged { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Adds facts to those of a conversation, and with them moves the waiting turn on to its next stage.
    fn learn(
        &self,
        call: &Call<'_>,
        folder: &str,
        new: &[String],
        pending: &Pending,
        drained: &mut Drained,
    ) -> Result<(), ConversationError> {
        for attempt in 1..=limits::DECISIONS {
            let existing = self.facts(folder)?;
            let facts: Vec<Fact<'_>> = existing.iter().map(|filed| filed.fact()).collect();
            let decision = if attempt < limits::DECISIONS {
                decide(
                    self.chat.as_deref(),
                    new,
                    &facts,
                    &self.near(call, folder, new, &existing),
                )
            } else {
                // The facts keep changing: no further comparison is tried.
                Decision::add_all(new)
            };
            let mut work = self.work_in(folder.to_owned())?;
            if !is_same(&existing, &self.facts(folder)?) && attempt < limits::DECISIONS {
                continue;
            }
            let touched = carry_out(&mut work, pending.said_at, &decision, &existing)?;
            pass_to_summary(&mut work, pending);
            drained.changes.extend(work.commit()?);
            drained.reply.added += decision.adds.len();
            drained.reply.updated += decision.updates.len();
            drained.reply.deleted += touched - decision.updates.len();
            return Ok(());
        }
        Err(ConversationError::Contended {
            conversation: folder.to_owned(),
        })
    }

    /// Returns the places of facts that recall finds near to new ones.
    fn near(
        &self,
        call: &Call<'_>,
        folder: &str,
        new: &[String],
        existing: &[Arc<Filed>],
    ) -> Vec<usize> {
        let (Some(recall), Ok(Some(id))) = (call.recall, self.conversation(folder)) else {
            return vec![];
        };
        let mut near = Vec::new();
        for fact in new {
            let question = Question {
                text: fact.clone(),
                kinds: vec![KIND.to_owned()],
                labels: vec![conversation_label(id.as_str()), role_label(Role::Memory)],
                limit: limits::NEIGHBOURS,
                tuning: Tuning {
                    recency_weight: Some(0.0),
                    mmr_lambda: Some(1.0),
                    ..Tuning::default()
                },
                ..Question::default()
            };
            // What recall can't tell is found by words.
            let hits = recall
                .recall(&question, call.now)
                .map(|found| found.hits)
                .unwrap_or_default();
            let place = |id: &str| existing.iter().position(|filed| filed.entry.id == id);
            near.extend(hits.iter().filter_map(|hit| place(&hit.address.id)));
        }
        near
    }
}

fn pass_to_summary(work: &mut Work<'_>, pending: &Pending) {
    let next = Pending {
        stage: Stage::Summary,
        ..pending.clone()
    };
    work.write(next.path(), next.render());
}

/// Writes a decision down; returns how many facts go. New ones are as old as what they follow from.
fn carry_out(
    work: &mut Work<'_>,
    said_at: Timestamp,
    decision: &Decision,
    existing: &[Arc<Filed>],
) -> Result<usize, ConversationError> {
    if decision.is_empty() {
        return Ok(0);
    }
    let mut gone = Vec::new();
    let id = work.store.conversation(&work.folder)?;
    let id = id.or_else(|| {
        existing
            .first()
            .map(|filed| filed.entry.conversation.clone())
    });
    let conversation = id.ok_or_else(|| ConversationError::BadId {
        id: work.folder.clone(),
    })?;
    for (place, text) in &decision.updates {
        let entry = fact(work, said_at, &conversation, text)?;
        work.add(Shelf::Facts, &entry);
        if !gone.contains(place) {
            work.bury(&existing[*place], Some(&entry.id));
            gone.push(*place);
        }
    }
    for place in &decision.deletes {
        if !gone.contains(place) {
            work.bury(&existing[*place], None);
            gone.push(*place);
        }
    }
    for text in &decision.adds {
        let entry = fact(work, said_at, &conversation, text)?;
        work.add(Shelf::Facts, &entry);
    }
    Ok(gone.len())
}

fn fact(
    work: &mut Work<'_>,
    said_at: Timestamp,
    conversation: &ConversationId,
    text: &str,
) -> Result<Entry, ConversationError> {
    let at = work.next_fact_time(said_at)?;
    Ok(Entry::new(
        work.store.new_id()?,
        Role::Memory,
        conversation,
        at,
        text,
    ))
}

fn is_same(before: &[Arc<Filed>], now: &[Arc<Filed>]) -> bool {
    let is_same = |a: &Arc<Filed>, b: &Arc<Filed>| {
        Arc::ptr_eq(a, b) || a.place.file == b.place.file && a.bytes == b.bytes
    };
    before.len() == now.len() && before.iter().zip(now).all(|(a, b)| is_same(a, b))
}
