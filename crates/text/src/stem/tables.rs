//! What no rule says about English words: tables and nothing else. Sorted, for they are searched.

/// Returns what a table of pairs says about a word.
pub(super) fn look_up(table: &[(&'static str, &'static str)], word: &str) -> Option<&'static str> {
    table
        .binary_search_by_key(&word, |(from, _)| from)
        .ok()
        .map(|at| table[at].1)
}

/// Forms that mean the same as their base and follow no rule.
#[rustfmt::skip]
pub(super) const IRREGULAR: &[(&str, &str)] = &[
    ("children", "child"), ("cookies", "cookie"), ("does", "do"), ("goes", "go"), ("has", "have"),
    ("movies", "movie"), ("needing", "need"), ("preferring", "prefer"), ("using", "use"), ("wanting", "want"),
];

/// Words whose final s is no plural, or whose plural is another word or name.
#[rustfmt::skip]
pub(super) const WITH_S: &[&str] = &[
    "adams", "always", "andrews", "arms", "besides", "brooks", "clothes", "collins", "customs", "daniels",
    "davids", "edwards", "evans", "glasses", "goods", "hanks", "hopkins", "https", "jacobs", "jeans",
    "jenkins", "johns", "kubernetes", "lens", "matthews", "michaels", "news", "ones", "owens", "perhaps",
    "peters", "philips", "phillips", "postgres", "richards", "rights", "roberts", "rogers",
    "series", "shorts", "simmons", "sometimes", "species", "stephens", "stevens", "watkins", "williams",
    "windows", "woods",
];

/// Beginnings of words that are written with -our- in Britain.
#[rustfmt::skip]
pub(super) const OUR: &[&str] = &[
    "armour", "behaviour", "colour", "discolour", "endeavour", "favour", "flavour", "harbour", "honour", "humour",
    "labour", "neighbour", "odour", "rumour", "savour", "vapour", "vigour",
];

/// Verbs whose last l is doubled in Britain, as they stand before "led" and "ling".
#[rustfmt::skip]
pub(super) const DOUBLED_L: &[&str] = &[
    "cancel", "channel", "counsel", "dial", "equal", "fuel", "initial", "label", "level", "marvel", "model",
    "panel", "pencil", "quarrel", "rival", "signal", "spiral", "total", "travel", "tunnel",
];

#[rustfmt::skip]
pub(super) const AMERICAN: &[(&str, &str)] = &[
    ("acknowledgement", "acknowledgment"), ("ageing", "aging"), ("aluminium", "aluminum"),
    ("amongst", "among"), ("analogue", "analog"), ("artefact", "artifact"), ("calibre", "caliber"),
    ("catalogue", "catalog"), ("centre", "center"), ("centred", "centered"), ("defence", "defense"),
    ("dialogue", "dialog"), ("enrol", "enroll"), ("fibre", "fiber"), ("fulfil", "fulfill"),
    ("grey", "gray"), ("judgement", "judgment"), ("learnt", "learned"), ("licence", "license"),
    ("litre", "liter"), ("metre", "meter"), ("mould", "mold"), ("mum", "mom"), ("offence", "offense"),
    ("practise", "practice"), ("programme", "program"), ("sceptical", "skeptical"), ("skilful", "skillful"),
    ("spelt", "spelled"), ("theatre", "theater"), ("toward", "towards"), ("tyre", "tire"),
    ("whilst", "while"),
];
