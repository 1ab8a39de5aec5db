//! Which documents may answer a question.

use memory_core::{DERIVED, Question, Timestamp};

use crate::bits::Bits;
use crate::segment::{ARCHIVED_AT_EXPIRY, Segment};

/// What the label of a memory begins with that belongs to one agent.
const AGENT: &str = "scope:agent:";

/// What a document must be to be looked at.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only of these kinds; of all when empty.
    pub kinds: Vec<String>,
    /// Only with all of these labels.
    pub labels: Vec<String>,
    /// Only with at least one of these labels, unless empty.
    pub any_label: Vec<String>,
    /// With none of these labels.
    pub without: Vec<String>,
    /// Only what is for all agents, and for this one.
    pub agent: Option<String>,
    /// Only made at this time or later.
    pub since: Option<Timestamp>,
    /// Only made before this time.
    pub until: Option<Timestamp>,
    /// Only archived documents, and not only current ones.
    pub is_archived: bool,
}

impl From<&Question> for Filter {
    fn from(question: &Question) -> Self {
        let mut without = question.without.clone();
        if !question.includes_derived {
            without.push(DERIVED.to_owned());
        }
        Filter {
            kinds: question.kinds.clone(),
            labels: question.labels.clone(),
            any_label: question.any_label.clone(),
            without,
            agent: question.agent.clone(),
            since: question.since,
            until: question.until,
            is_archived: false,
        }
    }
}

impl Filter {
    /// Removes the documents of a segment that may not answer, among them those that have expired.
    pub(crate) fn narrow(&self, segment: &Segment, now: Timestamp, documents: &mut Bits) {
        self.narrow_by_labels(segment, documents);
        self.narrow_by_kind(segment, documents);
        self.narrow_by_expiry(segment, now, documents);
        let columns = &segment.columns;
        if self.since.is_some() || self.until.is_some() {
            let since = self.since.map_or(i64::MIN, Timestamp::as_microsecond);
            let until = self.until.map_or(i64::MAX, Timestamp::as_microsecond);
            documents.keep_only(&columns.made(|at| (since..until).contains(&at)));
        }
    }

    fn narrow_by_expiry(&self, segment: &Segment, now: Timestamp, documents: &mut Bits) {
        let now = now.as_microsecond();
        let has_expired = segment.columns.first_expiry() <= now;
        if self.is_archived {
            documents.keep_only(&with_label(segment, ARCHIVED_AT_EXPIRY));
            documents.keep_only(&segment.columns.expiring(|at| at <= now));
        } else if has_expired {
            documents.keep_only(&segment.columns.expiring(|at| at > now));
        }
    }

    fn narrow_by_kind(&self, segment: &Segment, documents: &mut Bits) {
        let is_kind = |kind: &String| self.kinds.is_empty() || self.kinds.contains(kind);
        let kinds: Vec<bool> = segment.kinds().iter().map(is_kind).collect();
        if !kinds.iter().all(|is_kind| *is_kind) {
            let is_kind = |kind: u8| kinds.get(usize::from(kind)).copied().unwrap_or_default();
            documents.keep_only(&segment.columns.of_kind(is_kind));
        }
    }

    fn narrow_by_labels(&self, segment: &Segment, documents: &mut Bits) {
        let with = |label: &String| with_label(segment, label);
        self.labels
            .iter()
            .for_each(|label| documents.keep_only(&with(label)));
        self.without
            .iter()
            .for_each(|label| documents.remove_all(&with(label)));
        if !self.any_label.is_empty() {
            let mut any = Bits::none(segment.count());
            self.any_label
                .iter()
                .for_each(|label| any.add_all(&with(label)));
            documents.keep_only(&any);
        }
        if let Some(agent) = &self.agent {
            let own = format!("{AGENT}{agent}").to_lowercase();
            let others = segment
                .labels_beginning(AGENT)
                .into_iter()
                .filter(|label| *label != own);
            others.for_each(|label| documents.remove_all(&with(&label)));
        }
    }
}

/// Returns the documents of a segment that have a label.
fn with_label(segment: &Segment, label: &str) -> Bits {
    let mut found = Bits::none(segment.count());
    segment
        .with_label(label)
        .into_iter()
        .flatten()
        .for_each(|(n, _)| found.add(n as usize));
    found
}
