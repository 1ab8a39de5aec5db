//! `as` patterns: taking a value apart into bindings.

use std::rc::Rc;

use super::node::Node;
use super::{Compiled, Compiler, bind_all};
use crate::syntax::Pattern;
use crate::value::Value;

impl Compiler {
    /// Compiles what comes after `as`: the value is the latest binding, the body sees the names.
    pub(super) fn bind(
        &mut self,
        patterns: &[Pattern],
        body: impl FnOnce(&mut Self) -> Compiled<Node>,
    ) -> Compiled<Node> {
        let mark = self.scope.mark();
        let value = self.scope.add_unnamed();
        let bound = match patterns {
            [pattern] => {
                let mut sources = Vec::new();
                self.take_apart(pattern, value, &mut sources)?;
                bind_all(sources, body(self)?)
            }
            _ => self.bind_first_fitting(patterns, value, body)?,
        };
        self.scope.reset(mark);
        Ok(bound)
    }

    /// Names a binding's parts; what has to be bound for that is added to `sources`.
    fn take_apart(
        &mut self,
        pattern: &Pattern,
        value: usize,
        sources: &mut Vec<Node>,
    ) -> Compiled<()> {
        let mut names = Vec::new();
        self.find_parts(pattern, value, sources, &mut names)?;
        // Only now: the keys within a pattern do not see the names it binds.
        for (name, place) in names {
            self.scope.name_variable(name, place);
        }
        Ok(())
    }

    fn find_parts<'t>(
        &mut self,
        pattern: &'t Pattern,
        value: usize,
        sources: &mut Vec<Node>,
        names: &mut Vec<(&'t str, usize)>,
    ) -> Compiled<()> {
        match pattern {
            Pattern::Variable(name) => names.push((name, value)),
            Pattern::Array(items) => {
                let mark = names.len();
                // jq looks at the last item first, which shows in the error it ends with.
                for (place, item) in items.iter().enumerate().rev() {
                    let key = Node::Literal(Value::count(place));
                    let whole = Node::Variable(self.scope.distance(value));
                    sources.push(index(whole, key));
                    let part = self.scope.add_unnamed();
                    self.find_parts(item, part, sources, names)?;
                }
                names[mark..].reverse();
            }
            Pattern::Object(fields) => {
                let mark = names.len();
                for field in fields {
                    let key = self.term(&field.key)?;
                    let whole = Node::Variable(self.scope.distance(value));
                    // The key is looked for in the whole, not in what the body gets.
                    let step = index(Node::Identity, key);
                    sources.push(Node::Pipe(Box::new(whole), Box::new(step)));
                    let part = self.scope.add_unnamed();
                    names.extend(field.variable.as_deref().map(|name| (name, part)));
                    if let Some(pattern) = &field.pattern {
                        self.find_parts(pattern, part, sources, names)?;
                    }
                }
                // Of two fields with the same name the first one counts.
                names[mark..].reverse();
            }
        }
        Ok(())
    }

    /// `p ?// q`: every name of all patterns is bound, to null where a pattern does not have it.
    fn bind_first_fitting(
        &mut self,
        patterns: &[Pattern],
        value: usize,
        body: impl FnOnce(&mut Self) -> Compiled<Node>,
    ) -> Compiled<Node> {
        let mut names = Vec::new();
        for pattern in patterns {
            collect_names(pattern, &mut names);
        }
        let mark = self.scope.mark();
        for name in &names {
            self.scope.add_variable(name);
        }
        let body = Rc::new(body(self)?);
        self.scope.reset(mark);

        let mut fitting = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            let mut sources = Vec::new();
            self.take_apart(pattern, value, &mut sources)?;
            let mut own = Vec::new();
            collect_names(pattern, &mut own);
            let pick = |name: &&str| {
                if own.contains(name) {
                    self.scope.variable(name)
                } else {
                    None
                }
            };
            let picks = names.iter().map(pick).collect();
            let drop = sources.len();
            fitting.push(bind_all(
                sources,
                Node::Rebind {
                    drop,
                    picks,
                    body: Rc::clone(&body),
                },
            ));
            self.scope.reset(mark);
        }
        Ok(Node::FirstFitting(fitting))
    }
}

fn index(target: Node, key: Node) -> Node {
    Node::Index {
        target: Box::new(target),
        key: Box::new(key),
        is_optional: false,
    }
}

/// The names of a pattern, each once.
fn collect_names<'a>(pattern: &'a Pattern, names: &mut Vec<&'a str>) {
    let (name, inner): (_, Vec<&Pattern>) = match pattern {
        Pattern::Variable(name) => (Some(name.as_str()), Vec::new()),
        Pattern::Array(items) => (None, items.iter().collect()),
        Pattern::Object(fields) => {
            for field in fields {
                let variable = field.variable.as_deref();
                names.extend(
                    variable
                        .filter(|name| !names.contains(name))
                        .into_iter()
                        .collect::<Vec<_>>(),
                );
            }
            (
                None,
                fields
                    .iter()
                    .filter_map(|field| field.pattern.as_ref())
                    .collect(),
            )
        }
    };
    names.extend(
        name.filter(|name| !names.contains(name))
            .into_iter()
            .collect::<Vec<_>>(),
    );
    inner
        .into_iter()
        .for_each(|pattern| collect_names(pattern, names));
}
