//! Recall: what is relevant to a question, wherever it lies, and why.
//!
//! One way through, each stage a pure function in a file of its own:
//!
//! ```text
//! asked, when      what is looked for, and of which time
//! opinion          which model has a vote, and what it says
//! fuse             words and meaning → one strength
//! closer           the best, piece by piece, where that costs next to nothing
//! rerank, second   a second look at the best, by late interaction here, by a cross-encoder after the next
//! neighbours       a turn inherits from those beside it
//! relevance        strength → a number between 0 and 1; the floor
//! recency          final = (1 − w)·relevance + w·recency
//! diversity        nothing twice
//! budget, marks    what fits, and which words matched
//! ```

mod asked;
mod budget;
mod candidate;
mod closer;
mod diversity;
mod fuse;
mod likeness;
mod marks;
mod neighbours;
mod numbers;
mod opinion;
mod recency;
mod relevance;
mod rerank;
mod second;
mod when;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memory_core::{
    Address, Flaw, Hit, Progress, Question, Recall, Recalled, Result, Silent, Strictness,
    Timestamp, asked_part,
};
use memory_models::Embed;
use memory_text::terms;
use rustc_hash::FxHashSet;

use crate::index::LOOKS;
use crate::{Allowed, Filter, Index, Scores, View, Weighing};
use candidate::{Candidate, best_first};
use fuse::Fusion;
use likeness::Likeness;
use numbers::Scale;
use opinion::Opinion;
use relevance::Evidence;
pub use second::SecondLook;

/// Answers questions from an index.
pub struct Recaller {
    index: Arc<Index>,
    /// As the index has them, those that are believed more first.
    models: Vec<Arc<dyn Embed>>,
    second: Option<SecondLook>,
    /// Reads what was found. Questions of one store meet the same words again and again.
    reader: Mutex<terms::Reader>,
}

impl Recaller {
    /// Returns one that asks these models, which are the index's own in the same order.
    pub fn new(index: Arc<Index>, models: Vec<Arc<dyn Embed>>) -> Self {
        Recaller {
            index,
            models,
            second: None,
            reader: Mutex::default(),
        }
    }

    /// Lets a model look at the best candidates again.
    pub fn with_second_look(self, second: SecondLook) -> Self {
        Recaller {
            second: Some(second),
            ..self
        }
    }

    /// Answers a question while someone watches what has to be read first.
    pub fn answer(&self, question: &Question, now: Timestamp, progress: &dyn Progress) -> Recalled {
        let question = &Question {
            text: asked_part(&question.text).to_owned(),
            ..question.clone()
        };
        let mut view = self.look(now, progress);
        let mut found = self.answer_from(&view, question, now);
        for _ in 1..LOOKS {
            if !view.is_damaged() {
                break;
            }
            // Damage shows when it is read. What it hides is missing in this answer, and is read again.
            view = self.look(now, progress);
            found = self.answer_from(&view, question, now);
        }
        found
    }

    fn answer_from(&self, view: &View, question: &Question, now: Timestamp) -> Recalled {
        let answer = |filter| Inquiry::new(self, question, view, now, filter).answer();
        let current = Filter::from(question);
        let archived = Filter {
            is_archived: true,
            ..current.clone()
        };
        let found = answer(current);
        if question.searches_archive && view.allowed(&archived, now).count() > 0 {
            return with_archived(found, answer(archived), question);
        }
        found
    }

    /// A panic elsewhere leaves a reader that is as good as any.
    fn reader(&self) -> MutexGuard<'_, terms::Reader> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at all memories, and has the model that is believed most read the few that it has not.
    fn look(&self, now: Timestamp, progress: &dyn Progress) -> Arc<View> {
        let view = self.index.look(now, progress);
        let is_slow = self.models.first().is_some_and(|model| !model.is_instant());
        // Whoever asked has an answer without it, too.
        if is_slow && self.index.embed_at_once(0).unwrap_or_default() {
            self.index.look(now, progress)
        } else {
            view
        }
    }
}

/// Adds the archived memories that answer better than every current one. A weak current hit must not hide the answer,
/// and an archived memory must not compete with a current one that answers as well.
fn with_archived(current: Recalled, archived: Recalled, question: &Question) -> Recalled {
    let models = if current.hits.is_empty() {
        archived.models
    } else {
        current.models
    };
    let best = current
        .hits
        .iter()
        .map(|hit| hit.score)
        .fold(f32::MIN, f32::max);
    let better = archived.hits.into_iter().filter(|hit| hit.score > best);
    let mut hits: Vec<Hit> = better.chain(current.hits).collect();
    hits.truncate(question.limit);
    if let Some(budget) = question.budget {
        hits = budget::within(hits, budget);
    }
    let searched = current.searched + archived.searched;
    Recalled {
        hits,
        models,
        searched,
        threshold: current.threshold,
        flaws: current.flaws,
    }
}

impl Recall for Recaller {
    fn recall(&self, question: &Question, now: Timestamp) -> Result<Recalled> {
        Ok(self.answer(question, now, &Silent))
    }
}

/// One question on its way.
struct Inquiry<'a> {
    recaller: &'a Recaller,
    question: &'a Question,
    view: &'a View,
    now: Timestamp,
    filter: Filter,
    terms: Vec<String>,
    models: Vec<String>,
    flaws: Vec<Flaw>,
}

impl<'a> Inquiry<'a> {
    fn new(
        recaller: &'a Recaller,
        question: &'a Question,
        view: &'a View,
        now: Timestamp,
        filter: Filter,
    ) -> Self {
        let terms = asked::terms_of(&question.text);
        Inquiry {
            recaller,
            question,
            view,
            now,
            filter,
            terms,
            models: Vec::new(),
            flaws: view.flaws.clone(),
        }
    }

    fn answer(mut self) -> Recalled {
        let allowed = self.view.allowed(&self.filter, self.now);
        let mut opinion = opinion::ask(
            &self.recaller.models,
            &self.question.text,
            self.view,
            &allowed,
        );
        self.flaws.append(&mut opinion.flaws);
        self.models.extend(
            opinion
                .model
                .map(|number| self.recaller.models[number].id().to_owned()),
        );
        let (mut candidates, evidence) = self.candidates(&allowed, &opinion);
        let threshold = self.judge(&mut candidates, opinion.scale, evidence);
        let weight = self
            .question
            .tuning
            .recency_weight
            .unwrap_or(numbers::RECENCY_WEIGHT);
        recency::weigh(&mut candidates, weight, self.now, |candidate| {
            self.made_at(candidate)
        });
        let chosen = self.choose(candidates, opinion.model);
        let hits = self.hits(&chosen);
        if self.models.is_empty() {
            self.models.push("none".to_owned());
        }
        Recalled {
            hits: match self.question.budget {
                Some(budget) => budget::within(hits, budget),
                None => hits,
            },
            models: self.models,
            searched: allowed.count(),
            threshold,
            flaws: self.flaws,
        }
    }

    /// Returns the best candidates by words, meaning, time and neighbourhood, the strongest first, and what speaks
    /// for there being an answer among them.
    fn candidates(&mut self, allowed: &Allowed, opinion: &Opinion) -> (Vec<Candidate>, Evidence) {
        let terms: Vec<(&str, f32)> = self.terms.iter().map(|term| (term.as_str(), 1.0)).collect();
        let lexical = self.view.lexical(&terms, allowed, Weighing::default());
        let lift = self.lift();
        let fusion = Fusion::of(&lexical, &opinion.cosines, opinion.scale, &lift);
        let scopes = self.scopes();
        let most = self.question.limit.saturating_mul(2).max(numbers::LENDERS);
        let most = self.question.tuning.candidates.unwrap_or(most);
        let with_known = most.saturating_add(self.question.except.len());
        let mut candidates = if scopes.is_empty() {
            fusion.best(with_known.max(numbers::LENDERS), |_| true)
        } else {
            self.best_of_each(&scopes, with_known, &fusion)
        };
        // Before anything is compared with them: a question asked before is most like this one.
        self.drop_known(&mut candidates);
        let mut evidence = Evidence {
            strongest: candidates
                .first()
                .map_or(0.0, |candidate| candidate.strength),
            found: None,
            searched: allowed.count(),
            names_a_time: when::period(&self.question.text, self.now).is_some(),
        };
        let best = candidates.len().min(numbers::RERANKED);
        let how = (self.recaller.models.as_slice(), opinion.scale.closer);
        evidence.found = closer::look(&mut candidates[..best], &self.question.text, self.view, how);
        if !self.is_judged_by_cross_encoder() {
            self.look_again(&mut candidates);
        }
        let beside = |id| {
            let mut beside = self.view.neighbours(id, 1, 1);
            beside.retain(|id| self.view.is_allowed(*id, allowed));
            beside
        };
        neighbours::lend(&mut candidates, beside, |id| fusion.candidate(id));
        self.drop_known(&mut candidates);
        self.drop_repeats(&mut candidates);
        candidates.truncate(most.saturating_mul(scopes.len().max(1)));
        (candidates, evidence)
    }

    /// Returns the memories of each scope that gives candidates of its own, if more than one does.
    fn scopes(&self) -> Vec<Allowed> {
        let labels = &self.question.any_label;
        if self.question.tuning.candidates.is_none() || labels.len() < 2 {
            return vec![];
        }
        let only = |label: &String| {
            let filter = Filter {
                any_label: vec![label.clone()],
                ..self.filter.clone()
            };
            self.view.allowed(&filter, self.now)
        };
        labels.iter().map(only).collect()
    }

    fn best_of_each(&self, scopes: &[Allowed], most: usize, fusion: &Fusion<'_>) -> Vec<Candidate> {
        let best = |scope| fusion.best(most, |id| self.view.is_allowed(id, scope));
        let mut candidates: Vec<Candidate> = scopes.iter().flat_map(best).collect();
        best_first(&mut candidates, |candidate| candidate.strength);
        self.drop_repeats(&mut candidates);
        candidates
    }

    /// Leaves out what whoever asks has already.
    fn drop_known(&self, candidates: &mut Vec<Candidate>) {
        if self.question.except.is_empty() {
            return;
        }
        let known: FxHashSet<&str> = self
            .question
            .except
            .iter()
            .map(|text| text.trim())
            .collect();
        candidates.retain(|candidate| {
            self.view
                .record(candidate.id)
                .is_none_or(|record| !known.contains(record.text.trim()))
        });
    }

    /// Leaves the strongest of candidates that have the same address, such as two files of one note.
    fn drop_repeats(&self, candidates: &mut Vec<Candidate>) {
        let mut seen = FxHashSet::default();
        candidates.retain(|candidate| {
            self.view
                .address(candidate.id)
                .is_none_or(|address| seen.insert(address))
        });
    }

    /// Lifts memories of the time that the question names, and the user's own when the user speaks of himself.
    fn lift(&self) -> Scores {
        let mut lifted = Vec::new();
        if let Some(period) = when::period(&self.question.text, self.now) {
            let period = period.start.as_microsecond()..period.end.as_microsecond();
            lifted.push((self.view.made(&period), numbers::TIME_LIFT));
        }
        if asked::is_in_first_person(&self.question.text) {
            lifted.push((self.view.having(asked::USER), numbers::OWN_WORDS_LIFT));
        }
        if lifted.is_empty() {
            Scores::default()
        } else {
            self.view.worth(&lifted)
        }
    }

    /// Gives each candidate its relevance and leaves out what is not relevant; returns the threshold that decided. A
    /// cross-encoder says of each one by itself whether it is; late interaction only compares candidates with each
    /// other, and did so before neighbours inherited.
    fn judge(
        &mut self,
        candidates: &mut Vec<Candidate>,
        scale: Scale,
        evidence: Evidence,
    ) -> Option<f32> {
        let threshold = self.question.tuning.threshold;
        let by_cross_encoder = self.is_judged_by_cross_encoder();
        if threshold.is_none() && !by_cross_encoder {
            let floor = match self.question.strictness {
                Strictness::Strict => numbers::STRICT,
                Strictness::Lenient => numbers::LENIENT,
            };
            relevance::keep_answers(candidates, scale, evidence, floor);
        }
        let is_judged = by_cross_encoder && self.look_again(candidates);
        if !is_judged {
            let matters = |candidate: &Candidate| {
                self.view
                    .facts(candidate.id)
                    .map_or(1.0, |facts| facts.weight)
            };
            relevance::judge(candidates, scale, matters);
        }
        let of_cross_encoder = self
            .question
            .tuning
            .cross_encoder_threshold
            .unwrap_or(numbers::CROSS_ENCODER_FLOOR);
        let threshold = threshold.or(is_judged.then_some(of_cross_encoder));
        relevance::keep_above(candidates, threshold.unwrap_or_default());
        threshold
    }

    fn is_judged_by_cross_encoder(&self) -> bool {
        self.recaller
            .second
            .as_ref()
            .is_some_and(SecondLook::is_cross_encoder)
    }

    /// Lets the reranker look; says whether it did. One that fails is told as a flaw, and not missed.
    fn look_again(&mut self, candidates: &mut Vec<Candidate>) -> bool {
        let question = &self.question.text;
        let Some(second) = self
            .recaller
            .second
            .as_ref()
            .filter(|second| second.can_read(question))
        else {
            return false;
        };
        match second.take(candidates, question, self.view, &self.recaller.models) {
            Ok(true) => self.models.push(second.id()),
            Ok(false) => {}
            Err(error) => self.flaws.push(Flaw::new(second.id(), error.to_string())),
        }
        self.models.last() == Some(&second.id())
    }

    fn choose(&self, mut candidates: Vec<Candidate>, model: Option<usize>) -> Vec<Candidate> {
        let limit = self.question.limit;
        if self.question.tuning.mmr_lambda.is_none() {
            candidates.truncate(limit.saturating_mul(2));
        }
        let likeness = Likeness::of(&candidates, self.view, model, &mut self.recaller.reader());
        match self.question.tuning.mmr_lambda {
            Some(lambda) => {
                diversity::marginal(candidates, limit, lambda, |a, b| likeness.between(a, b))
            }
            None => diversity::repeats_last(candidates, limit, |a, b| likeness.repeats(a, b)),
        }
    }

    fn hits(&self, chosen: &[Candidate]) -> Vec<Hit> {
        let mut reader = self.recaller.reader();
        chosen
            .iter()
            .filter_map(|candidate| self.hit(candidate, &mut reader))
            .collect()
    }

    fn hit(&self, candidate: &Candidate, reader: &mut terms::Reader) -> Option<Hit> {
        let record = self.view.record(candidate.id)?;
        let facts = self.view.facts(candidate.id)?;
        Some(Hit {
            address: Address::new(self.view.kind(candidate.id), record.id),
            title: record.title.to_owned(),
            text: record.text.to_owned(),
            labels: record
                .labels
                .iter()
                .map(|label| (*label).to_owned())
                .collect(),
            source: record.source.to_owned(),
            created_at: facts.created_at(),
            updated_at: facts.updated_at(),
            score: candidate.explain.total,
            is_archived: self.filter.is_archived,
            marks: marks::marks(record.text, &self.terms, reader),
            explain: candidate.explain,
        })
    }

    fn made_at(&self, candidate: &Candidate) -> Timestamp {
        self.view
            .facts(candidate.id)
            .map_or(self.now, |facts| facts.created_at())
    }
}
