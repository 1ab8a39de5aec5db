//! The numbers of recall: what was measured to be best on all sets together, and what 002 fixes.
//!
//! `docs/explanation/recall.md` has the measurements. Few numbers, the same for every set and store.

/// The numbers that depend on who judges meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    /// What having all words of the question is worth, in deviations of the model's judgement.
    pub(crate) words: f32,
    /// What being close piece by piece weighs, in deviations of all that was found before.
    pub(crate) closer: f32,
    /// What the model says of memories that have nothing to do with a question: mean and deviation. A
    /// small store does not say it by itself.
    pub(crate) usual: (f32, f32),
    /// The strength that is worth a relevance of one half.
    pub(crate) middle: f32,
}

/// No model has a vote: the share of the question's words decides alone.
pub(crate) const WORDS_ALONE: Scale = Scale {
    words: 10.0,
    closer: 0.0,
    usual: (0.0, 1.0),
    middle: 5.5,
};
/// A table of words, such as the one that is built in.
pub(crate) const TABLE: Scale = Scale {
    words: 10.0,
    closer: 0.8,
    usual: (0.17, 0.09),
    middle: 6.7,
};
/// A transformer: it reads sentences, so it is believed more.
pub(crate) const TRANSFORMER: Scale = Scale {
    words: 5.0,
    closer: 0.3,
    usual: (0.5, 0.05),
    middle: 6.7,
};

/// How steeply relevance grows with strength: so that the best answers are still told apart, and recency does not
/// decide between a good one and a very good one.
pub(crate) const SLOPE: f32 = 0.3;
/// What must speak for a memory before it is returned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Floor {
    /// What the best memory must reach without a model, or else none is relevant: in tenths of the question's words.
    pub(crate) words: f32,
    /// With a model, the best of many memories that have nothing to do with a question stands out by chance: by
    /// √(2 ln n) deviations. An answer stands out by so much more,
    pub(crate) margin: f32,
    /// or it has this share of the question, piece by piece.
    pub(crate) found: f32,
    /// Others are returned beside the best if they are this share as strong.
    pub(crate) beside: f32,
}

/// For memories that nobody asked for.
pub(crate) const STRICT: Floor = Floor {
    words: 1.25,
    margin: 1.0,
    found: 0.45,
    beside: 0.2,
};
/// For questions: on none of the development sets does it cost more than one point against no floor at all.
pub(crate) const LENIENT: Floor = Floor {
    words: 0.25,
    margin: 0.5,
    found: 0.3,
    beside: 0.05,
};
/// As so many memories counts what is known of a model beforehand.
pub(crate) const USUAL_COUNT: f32 = 30.0;
/// A text inherits this share of what the better of its two neighbours is worth.
pub(crate) const NEIGHBOUR_SHARE: f32 = 0.25;
/// A memory from the time that the question names is worth so much more.
pub(crate) const TIME_LIFT: f32 = 1.0;
/// To a question in the first person, what the user said or what is said of the user is worth so much more.
pub(crate) const OWN_WORDS_LIFT: f32 = 1.0;
/// What late interaction weighs, in deviations of all that was found before.
pub(crate) const LATE_SHARE: f32 = 0.5;
/// Among so many candidates, what they say about each other counts half.
pub(crate) const FEW: f32 = 2.0;
/// How many memories lend to their neighbours, and are judged anew by a reranker.
pub(crate) const LENDERS: usize = 100;
pub(crate) const RERANKED: usize = 50;
/// Texts that have so many of their words in common say the same thing.
pub(crate) const SAME_WORDS: f32 = 0.9;
/// What being recent weighs: enough to decide between two that answer as well.
pub(crate) const RECENCY_WEIGHT: f32 = 0.02;
/// 002 §3, step 3: recency = exp(−age in days / 30).
pub(crate) const RECENCY_DAYS: f32 = 30.0;
/// 002 §3, step 2: on the sigmoid of a cross-encoder, and on nothing else.
pub(crate) const CROSS_ENCODER_FLOOR: f32 = 0.35;
