//! English forms that no rule of endings brings back to their base.

/// Returns the base of an irregular form in lower case.
pub(super) fn base(word: &str) -> Option<&'static str> {
    FORMS
        .binary_search_by_key(&word, |(form, _)| form)
        .ok()
        .map(|at| FORMS[at].1)
}

/// Sorted, for it is searched. Forms that are as common with another meaning (found, left, saw, felt, rose) keep it
/// only where the verb is the usual one.
#[rustfmt::skip]
const FORMS: &[(&str, &str)] = &[
    ("ate", "eat"), ("became", "become"), ("began", "begin"), ("begun", "begin"), ("bitten", "bite"),
    ("blew", "blow"), ("bought", "buy"), ("broke", "break"), ("broken", "break"), ("brought", "bring"),
    ("built", "build"), ("came", "come"), ("caught", "catch"), ("children", "child"), ("chose", "choose"),
    ("chosen", "choose"), ("did", "do"), ("does", "do"), ("done", "do"), ("drank", "drink"), ("drawn", "draw"),
    ("drew", "draw"), ("driven", "drive"), ("drove", "drive"), ("drunk", "drink"), ("eaten", "eat"),
    ("fallen", "fall"), ("feet", "foot"), ("fell", "fall"), ("felt", "feel"), ("flew", "fly"), ("flown", "fly"),
    ("forgot", "forget"), ("forgotten", "forget"), ("fought", "fight"), ("found", "find"), ("froze", "freeze"),
    ("frozen", "freeze"), ("gave", "give"), ("given", "give"), ("gone", "go"), ("got", "get"),
    ("gotten", "get"), ("grew", "grow"), ("grown", "grow"), ("had", "have"), ("has", "have"), ("heard", "hear"),
    ("held", "hold"), ("hid", "hide"), ("hidden", "hide"), ("kept", "keep"), ("knew", "know"),
    ("known", "know"), ("lent", "lend"), ("lost", "lose"), ("made", "make"), ("meant", "mean"), ("men", "man"),
    ("met", "meet"), ("mice", "mouse"), ("paid", "pay"), ("people", "person"), ("ran", "run"), ("ridden", "ride"),
    ("rode", "ride"), ("said", "say"), ("sang", "sing"), ("sat", "sit"), ("saw", "see"), ("seen", "see"),
    ("sent", "send"), ("shaken", "shake"), ("shook", "shake"), ("shot", "shoot"), ("shown", "show"),
    ("slept", "sleep"), ("sold", "sell"), ("sought", "seek"), ("spent", "spend"), ("spoke", "speak"),
    ("spoken", "speak"), ("stole", "steal"), ("stolen", "steal"), ("stood", "stand"), ("stuck", "stick"),
    ("sung", "sing"), ("swam", "swim"), ("swum", "swim"), ("taken", "take"), ("taught", "teach"), ("teeth", "tooth"),
    ("thought", "think"), ("threw", "throw"), ("thrown", "throw"), ("told", "tell"), ("took", "take"),
    ("tore", "tear"), ("torn", "tear"), ("understood", "understand"), ("was", "be"), ("went", "go"),
    ("were", "be"), ("woke", "wake"), ("woken", "wake"), ("women", "woman"), ("won", "win"), ("wore", "wear"),
    ("worn", "wear"), ("written", "write"), ("wrote", "write"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn forms_are_sorted_so_that_they_can_be_searched() {
        assert!(super::FORMS.is_sorted());
    }
}
