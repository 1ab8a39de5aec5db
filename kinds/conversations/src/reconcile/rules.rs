//! Deciding without a model: by likeness and by cues of contradiction.
//!
//! Cautious on purpose: two facts touch each other only if they answer the same question, or if one
//! denies what the other says. Whatever takes a fact away adds the one that does so.

use super::Decision;
use super::topic::{Topic, is_same_object};

/// What a new fact is to one that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Apart,
    /// It says nothing new.
    Known,
    /// It answers the same question in another way.
    Newer,
    /// It denies it.
    Opposite,
}

pub(super) fn decide(new: &[String], existing: &[&str]) -> Decision {
    let mut decision = Decision::default();
    let mut gone: Vec<usize> = Vec::new();
    for fact in new {
        let relations: Vec<Relation> = existing.iter().map(|old| relation(old, fact)).collect();
        if relations.contains(&Relation::Known) {
            continue;
        }
        let places = |wanted: Relation| {
            let found = relations
                .iter()
                .enumerate()
                .filter(move |(_, relation)| **relation == wanted);
            found.map(|(place, _)| place)
        };
        let newer: Vec<usize> = places(Relation::Newer)
            .filter(|place| !gone.contains(place))
            .collect();
        let opposite: Vec<usize> = places(Relation::Opposite)
            .filter(|place| !gone.contains(place))
            .collect();
        gone.extend(newer.iter().chain(&opposite));
        match newer.split_first() {
            Some((first, others)) => {
                decision.updates.push((*first, fact.clone()));
                decision.deletes.extend(others);
            }
            None => decision.adds.push(fact.clone()),
        }
        decision.deletes.extend(opposite);
    }
    decision
}

fn relation(old: &str, new: &str) -> Relation {
    let (before, now) = (Topic::of(old), Topic::of(new));
    if let (Some((liked, a)), Some((likes, b))) = (&before.liking, &now.liking)
        && is_same_object(a, b)
    {
        return match liked == likes {
            false => Relation::Opposite,
            true if a == b => Relation::Known,
            true => Relation::Apart,
        };
    }
    let is_same_question = before.question.is_some() && before.question == now.question;
    match (
        is_same_question,
        before.core == now.core,
        before.is_negated == now.is_negated,
    ) {
        (_, true, true) if !now.core.is_empty() => Relation::Known,
        (_, true, false) if !now.core.is_empty() => Relation::Opposite,
        (true, _, true) => Relation::Newer,
        _ => Relation::Apart,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected: Relation) {
        assert_eq!(relation(old, new), expected, "{old} / {new}");
    }

    #[test]
    fn facts_are_known_newer_opposite_or_apart() {
        check(
            "The user loves pizza",
            "The user hates pizza",
            Relation::Opposite,
        );
        check(
            "The user likes pizza",
            "The user does not like pizza",
            Relation::Opposite,
        );
        check(
            "The user loves pizza",
            "The user likes pizza",
            Relation::Known,
        );
        check(
            "The user loves pizza",
            "The user loves sushi",
            Relation::Apart,
        );
        check(
            "The user lives in Paris",
            "The user moved to Berlin",
            Relation::Newer,
        );
        check(
            "The user's wife is named Anne",
            "The user's dog is named Rex",
            Relation::Apart,
        );
        check(
            "The user's dog is named Bo",
            "The user's dog is named Rex",
            Relation::Newer,
        );
        check(
            "The user eats meat",
            "The user no longer eats meat",
            Relation::Opposite,
        );
        check(
            "The user has two cats",
            "The user has a dog",
            Relation::Apart,
        );
        check("用户住在北京", "用户搬到上海", Relation::Newer);
        check("用户喜欢香菜", "用户讨厌香菜", Relation::Opposite);
        check("用户有两只猫", "用户有一条狗", Relation::Apart);
    }

    #[test]
    fn what_takes_a_fact_away_is_added() {
        let decision = decide(&["The user hates pizza".into()], &["The user loves pizza"]);
        assert_eq!(
            decision,
            Decision {
                adds: vec!["The user hates pizza".into()],
                updates: vec![],
                deletes: vec![0]
            }
        );
        let decision = decide(
            &["The user moved to Rome".into()],
            &["The user lives in Oslo"],
        );
        assert_eq!(decision.updates, [(0, "The user moved to Rome".into())]);
        assert!(decision.adds.is_empty() && decision.deletes.is_empty());
    }
}
