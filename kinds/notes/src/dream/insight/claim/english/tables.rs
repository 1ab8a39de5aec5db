//! The English words that claims are read by: tables and nothing else.

use super::super::Stance;

/// Words of a sentence that announces a decision.
pub(super) const ANNOUNCING: &[&str] = &[
    "decided",
    "decide",
    "decision",
    "agreed",
    "decisions",
    "chose",
    "settled",
];

/// Phrase, whether it chooses, its stance, whether it leaves no room. `use~` is any form of the present.
#[rustfmt::skip]
pub(super) const VERBS: &[(&str, bool, Stance, bool)] = &[
    ("use~", true, Stance::For, true), ("adopt~", true, Stance::For, true), ("adopted", true, Stance::For, true),
    ("choose~", true, Stance::For, true), ("chose", true, Stance::For, true), ("pick~", true, Stance::For, true),
    ("picked", true, Stance::For, true), ("select~", true, Stance::For, true), ("selected", true, Stance::For, true),
    ("go~ with", true, Stance::For, true), ("going with", true, Stance::For, true), ("went with", true, Stance::For, true),
    ("stick~ with", true, Stance::For, true), ("stick~ to", true, Stance::For, true),
    ("switch~ to", true, Stance::For, true), ("switched to", true, Stance::For, true),
    ("move~ to", true, Stance::For, true), ("moved to", true, Stance::For, true),
    ("migrate~ to", true, Stance::For, true), ("migrated to", true, Stance::For, true),
    ("settled on", true, Stance::For, true), ("decided on", true, Stance::For, true), ("opted for", true, Stance::For, true),
    ("standardize~ on", true, Stance::For, true), ("decided against", true, Stance::Against, true),
    ("keep~", true, Stance::For, true), ("retain~", true, Stance::For, true),
    ("drop~", true, Stance::Against, true), ("dropped", true, Stance::Against, true),
    ("abandon~", true, Stance::Against, true), ("abandoned", true, Stance::Against, true),
    ("reject~", true, Stance::Against, true), ("rejected", true, Stance::Against, true),
    ("avoid~", true, Stance::Against, true), ("ditch~", true, Stance::Against, true), ("ditched", true, Stance::Against, true),
    ("decided against using", true, Stance::Against, true),
    ("prefer~", false, Stance::For, true), ("like~", false, Stance::For, false), ("love~", false, Stance::For, false),
    ("enjoy~", false, Stance::For, false), ("favor~", false, Stance::For, true), ("favour~", false, Stance::For, true),
    ("hate~", false, Stance::Against, false), ("dislike~", false, Stance::Against, false),
];

/// Words before a verb that do not say whose claim it is.
pub(super) const EVERYBODY: &[&str] = &[
    "user",
    "users",
    "the",
    "a",
    "we",
    "i",
    "he",
    "she",
    "they",
    "team",
    "our",
    "my",
    "now",
    "always",
    "currently",
    "also",
    "really",
    "longer",
    "usually",
    "today",
    "decided",
    "decide",
    "agreed",
    "decision",
    "to",
    "has",
    "have",
    "will",
    "does",
    "do",
    "did",
    "is",
    "are",
    "would",
    "should",
    "must",
    "using",
    "more",
    "still",
    "generally",
    "instead",
    "it",
    "was",
    "on",
    "any",
    "been",
    "finally",
    "strongly",
    "prefer",
    "prefers",
    "had",
    "let",
    "let's",
    "all",
    "never",
    "it's",
];

/// Words that end what is chosen.
pub(super) const LINKS: &[&str] = &[
    "for",
    "in",
    "on",
    "as",
    "when",
    "while",
    "because",
    "since",
    "due",
    "instead",
    "rather",
    "over",
    "at",
    "by",
    "with",
    "from",
    "until",
    "so",
    "but",
    "than",
    "during",
    "if",
    "unless",
    "after",
    "before",
    "now",
    "anymore",
    "again",
    "which",
    "that",
    "is",
    "are",
    "was",
    "not",
    "everywhere",
    "first",
    "later",
];

/// Words before what a choice is for.
pub(super) const PURPOSES: &[&str] = &["for", "in", "on", "as", "when", "during", "at", "with"];

/// Words that a clause begins behind.
pub(super) const BEGINNINGS: &[&str] = &[",", "but", "and", "that", "because"];

/// Phrases before what is refused beside a choice.
pub(super) const BESIDE: &[&[&str]] = &[
    &["instead", "of"],
    &["rather", "than"],
    &["over"],
    &[",", "not"],
];
