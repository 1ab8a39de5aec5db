//! Whether a term calls a name, so that a parameter of that name has to be a filter.
//!
//! A call that a nearer definition hides counts too: passing a filter where a value would do is
//! slower, not wrong.

use crate::syntax::{Inside, Part, Pattern, Term};

/// Whether a name is called without arguments anywhere within a term.
pub(super) fn calls(term: &Term, name: &str) -> bool {
    let within = |term: &Term| calls(term, name);
    let maybe = |term: &Option<Box<Term>>| term.as_deref().is_some_and(within);
    match term {
        Term::Call {
            name: called,
            arguments,
            ..
        } => arguments.is_empty() && called == name || arguments.iter().any(within),
        Term::Text { parts, .. } => parts
            .iter()
            .any(|part| matches!(part, Part::Term(term) if calls(term, name))),
        Term::Array(inner) => maybe(inner),
        Term::Object(entries) => entries
            .iter()
            .any(|(key, value)| within(key) || value.as_ref().is_some_and(within)),
        Term::Negate(inner) => within(inner),
        Term::Label { body: inner, .. } => within(inner),
        Term::Binary(_, left, right) | Term::Pipe(left, right) => within(left) || within(right),
        Term::Comma(terms) => terms.iter().any(within),
        Term::Bind {
            source,
            patterns,
            body,
        } => within(source) || in_patterns(patterns, name) || within(body),
        Term::Reduce {
            source,
            patterns,
            start,
            update,
        } => within(source) || in_patterns(patterns, name) || within(start) || within(update),
        Term::Foreach {
            source,
            patterns,
            start,
            update,
            extract,
        } => {
            let in_body = within(start) || within(update) || maybe(extract);
            within(source) || in_patterns(patterns, name) || in_body
        }
        Term::If {
            condition,
            then,
            otherwise,
        } => within(condition) || within(then) || maybe(otherwise),
        Term::Try { body, catch } => within(body) || maybe(catch),
        Term::Define(definition, body) => within(&definition.body) || within(body),
        Term::Step { target, into, .. } => within(target) || inside(into, name),
        Term::Identity | Term::Number(_) | Term::Format(_) | Term::Location(_) => false,
        Term::Break { .. } | Term::Variable { .. } => false,
    }
}

fn inside(into: &Inside, name: &str) -> bool {
    match into {
        Inside::Index(key) => calls(key, name),
        Inside::Slice(from, upto) => [from, upto]
            .into_iter()
            .flatten()
            .any(|bound| calls(bound, name)),
        Inside::Iterate => false,
    }
}

fn in_patterns(patterns: &[Pattern], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern {
        Pattern::Variable(_) => false,
        Pattern::Array(items) => in_patterns(items, name),
        Pattern::Object(fields) => fields.iter().any(|field| {
            let pattern = field.pattern.as_slice();
            calls(&field.key, name) || in_patterns(pattern, name)
        }),
    })
}
