//! Terms that say nothing about what a question is after, in both languages.
//!
//! They are indexed like all others: a question that has nothing else is asked by them.

/// Says whether a term, as [`each_term`](super::each_term) tells it, carries no meaning of its own.
pub fn is_stop(term: &str) -> bool {
    term.len() <= 9 && STOPS.binary_search(&term).is_ok()
}

/// Sorted, for it is searched. Stems, as they come out of the analyser.
#[rustfmt::skip]
const STOPS: &[&str] = &[
    "a", "about", "abov", "after", "again", "against", "all", "also", "am", "an", "and", "ani", "are",
    "arent", "as", "at", "be", "becaus", "been", "befor", "below", "between", "both", "but", "by", "can",
    "cannot", "cant", "could", "couldnt", "d", "didnt", "do", "doesnt", "dont", "down", "dure", "each",
    "ever", "few", "for", "from", "further", "hadnt", "hasnt", "have", "havent", "he", "hed", "hell", "her",
    "here", "herself", "him", "himself", "his", "how", "i", "id", "if", "ill", "im", "in", "into", "is",
    "isnt", "it", "itself", "ive", "just", "let", "ll", "m", "me", "more", "most", "much", "my", "myself",
    "no", "nor", "not", "of", "off", "on", "onc", "onli", "or", "other", "ought", "our", "ourselv", "out",
    "over", "own", "pleas", "re", "s", "same", "shall", "she", "shed", "shell", "should", "shouldnt", "so",
    "some", "such", "t", "tell", "than", "that", "the", "their", "them", "themselv", "then", "there",
    "these", "they", "theyd", "theyll", "theyr", "theyv", "this", "those", "through", "to", "too", "under",
    "until", "up", "us", "ve", "veri", "wasnt", "we", "wed", "well", "werent", "weve", "what", "when",
    "where", "whi", "which", "while", "who", "whom", "whose", "will", "with", "wont", "would", "wouldnt",
    "you", "youd", "youll", "your", "yourself", "yourselv", "youv", "与", "么", "之", "也", "了", "及", "吗", "吧",
    "呢", "和", "啊", "嗎", "在", "就", "或", "把", "是", "的", "着", "而", "與", "著", "被", "都",
];

#[cfg(test)]
mod tests {
    #[test]
    fn stops_are_sorted_so_that_they_can_be_searched() {
        assert!(super::STOPS.is_sorted());
    }
}
