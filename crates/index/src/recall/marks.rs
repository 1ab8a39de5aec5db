//! Which bytes of a text are words that the question has too?

use memory_text::terms;

/// Returns the places of the question's terms in a text, in their order; those that touch or overlap are one.
pub(crate) fn marks(
    text: &str,
    question: &[String],
    reader: &mut terms::Reader,
) -> Vec<(usize, usize)> {
    let mut marks: Vec<(usize, usize)> = Vec::new();
    reader.each_term(text, |term, place| {
        if question.iter().any(|wanted| wanted == term) {
            marks.push((place.start, place.end));
        }
    });
    marks.sort_unstable();
    marks.dedup_by(|next, last| {
        let joins = next.0 <= last.1;
        if joins {
            last.1 = last.1.max(next.1);
        }
        joins
    });
    marks
}

#[cfg(test)]
mod tests {
    use super::super::asked::terms_of;
    use super::*;

    #[track_caller]
    fn check(question: &str, text: &str, marked: &[&str]) {
        let marks = marks(text, &terms_of(question), &mut terms::Reader::default());
        assert_eq!(
            marks
                .iter()
                .map(|(from, to)| &text[*from..*to])
                .collect::<Vec<_>>(),
            marked
        );
    }

    #[test]
    fn words_are_marked_in_the_form_the_text_has_them() {
        check(
            "what did she paint",
            "Her paintings: she painted a lake",
            &["paintings", "painted"],
        );
        check("深色模式", "他喜欢深色模式。", &["深色模式"]);
        check("user name", "call getUserName()", &["UserName"]);
        check("nothing", "to see", &[]);
    }
}
