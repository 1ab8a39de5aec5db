//! Looking up names: from what was written to what is run.
//!
//! Bindings (variables, arguments, labels) live in one list while a filter runs; a name becomes
//! the distance from the list's end. Definitions take no place in it: their bodies are collected
//! in the program, those of the prelude only when something calls them.

mod forms;
mod mentions;
mod node;
mod pattern;
mod prelude;
mod scope;

use std::collections::HashMap;

use mentions::calls;
pub(crate) use node::{DefinitionId, Distance, Fold, FoldStep, Node, Passed, Program, TextPart};
use prelude::Prelude;
use scope::{Scope, Signature, Target};

use crate::natives;
use crate::syntax::{
    Calculation, Definition, Inside, Operator, Parameter, Part, SyntaxError, Term,
};
use crate::value::{Number, Object, Value};

type Compiled<T> = Result<T, SyntaxError>;

/// Compiles a filter together with the parts of the prelude it uses.
pub(crate) fn compile(term: &Term) -> Compiled<Program> {
    let mut compiler = Compiler {
        scope: Scope::default(),
        definitions: Vec::new(),
        from_prelude: HashMap::new(),
        is_in_prelude: false,
    };
    let main = compiler.term(term)?;
    Ok(Program {
        main,
        definitions: compiler.definitions,
    })
}

struct Compiler {
    scope: Scope,
    definitions: Vec<Node>,
    from_prelude: HashMap<(&'static str, usize), Signature>,
    is_in_prelude: bool,
}

impl Compiler {
    fn boxed(&mut self, term: &Term) -> Compiled<Box<Node>> {
        Ok(Box::new(self.term(term)?))
    }

    fn maybe(&mut self, term: Option<&Term>) -> Compiled<Option<Box<Node>>> {
        term.map(|term| self.boxed(term)).transpose()
    }

    fn all(&mut self, terms: &[Term]) -> Compiled<Vec<Node>> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    fn term(&mut self, term: &Term) -> Compiled<Node> {
        Ok(match term {
            Term::Identity => Node::Identity,
            Term::Number(digits) => match Number::parse(digits) {
                Some(number) => Node::Literal(Value::Number(number)),
                None => Node::Literal(Value::number(f64::NAN)),
            },
            Term::Text { format, parts } => self.text(format.as_deref(), parts)?,
            Term::Format(name) => Node::Format(name.clone()),
            Term::Array(None) => literal(Value::array(Vec::new()))?,
            Term::Array(Some(inner)) => Node::Array(self.boxed(inner)?),
            Term::Object(entries) => self.object(entries)?,
            Term::Negate(operand) => self.negate(operand)?,
            Term::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            Term::Pipe(left, right) => Node::Pipe(self.boxed(left)?, self.boxed(right)?),
            Term::Comma(terms) => Node::Comma(self.all(terms)?),
            Term::Bind {
                source,
                patterns,
                body,
            } => {
                let source = self.boxed(source)?;
                let body = self.bind(patterns, |compiler| compiler.term(body))?;
                Node::Bind {
                    source,
                    body: Box::new(body),
                }
            }
            Term::Reduce {
                source,
                patterns,
                start,
                update,
            } => Node::Reduce(Box::new(self.fold(
                source,
                patterns,
                start,
                (update, None),
            )?)),
            Term::Foreach {
                source,
                patterns,
                start,
                update,
                extract,
            } => {
                let shows = Some(extract.as_deref());
                Node::Foreach(Box::new(self.fold(
                    source,
                    patterns,
                    start,
                    (update, shows),
                )?))
            }
            Term::If {
                condition,
                then,
                otherwise,
            } => Node::If {
                condition: self.boxed(condition)?,
                then: self.boxed(then)?,
                otherwise: self
                    .maybe(otherwise.as_deref())?
                    .unwrap_or(Box::new(Node::Identity)),
            },
            Term::Try { body, catch } => Node::Try {
                body: self.boxed(body)?,
                catch: self.maybe(catch.as_deref())?,
            },
            Term::Label { name, body } => {
                let mark = self.scope.mark();
                self.scope.add_label(name);
                let body = self.boxed(body)?;
                self.scope.reset(mark);
                Node::Label(body)
            }
            Term::Break { name, at } => match self.scope.label(name) {
                Some(distance) => Node::Break(distance),
                None => {
                    return Err(SyntaxError::new(
                        format!("$*label-{name} is not defined"),
                        *at,
                    ));
                }
            },
            Term::Define(definition, body) => self.define(definition, body)?,
            Term::Call {
                name,
                arguments,
                at,
            } => self.call(name, arguments, *at)?,
            Term::Variable { name, at } => self.variable(name, *at)?,
            Term::Location(line) => location(*line)?,
            Term::Step {
                target,
                into,
                is_optional,
            } => self.step(target, into, *is_optional)?,
        })
    }

    fn step(&mut self, target: &Term, into: &Inside, is_optional: bool) -> Compiled<Node> {
        let target = self.boxed(target)?;
        Ok(match into {
            Inside::Index(key) => Node::Index {
                target,
                key: self.boxed(key)?,
                is_optional,
            },
            Inside::Slice(from, upto) => {
                let (from, upto) = (self.maybe(from.as_deref())?, self.maybe(upto.as_deref())?);
                Node::Slice {
                    target,
                    from,
                    upto,
                    is_optional,
                }
            }
            Inside::Iterate => Node::Iterate {
                target,
                is_optional,
            },
        })
    }

    fn text(&mut self, format: Option<&str>, parts: &[Part]) -> Compiled<Node> {
        let mut compiled = Vec::with_capacity(parts.len());
        for part in parts {
            compiled.push(match part {
                Part::Text(text) => TextPart::Text(text.clone()),
                Part::Term(term) => TextPart::Fill(self.term(term)?),
            });
        }
        match compiled.as_slice() {
            [] => literal(Value::string("")),
            [TextPart::Text(text)] => literal(Value::string(text.as_str())),
            _ => Ok(Node::Text {
                format: format.map(str::to_owned),
                parts: compiled,
            }),
        }
    }

    fn object(&mut self, entries: &[(Term, Option<Term>)]) -> Compiled<Node> {
        let mut compiled = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let value = value.as_ref().map(|value| self.term(value)).transpose()?;
            compiled.push((self.term(key)?, value));
        }
        Ok(Node::Object(compiled))
    }

    /// A sign before a number is part of it.
    fn negate(&mut self, operand: &Term) -> Compiled<Node> {
        Ok(match self.term(operand)? {
            Node::Literal(Value::Number(number)) => Node::Literal(Value::Number(number.negated())),
            operand => Node::Negate(Box::new(operand)),
        })
    }

    fn binary(&mut self, operator: Operator, left: &Term, right: &Term) -> Compiled<Node> {
        match operator {
            Operator::UpdateBy(calculation) => {
                return self.update_by(left, Some(calculation), right);
            }
            Operator::UpdateAlternative => return self.update_by(left, None, right),
            _ => {}
        }
        let (left, right) = (self.boxed(left)?, self.boxed(right)?);
        Ok(match operator {
            Operator::Alternative => Node::Alternative(left, right),
            Operator::Or => Node::Or(left, right),
            Operator::And => Node::And(left, right),
            Operator::Compare(comparison) => Node::Compare(comparison, left, right),
            Operator::Calculate(calculation) => Node::Calculate(calculation, left, right),
            Operator::Assign => Node::Assign {
                paths: left,
                value: right,
            },
            _ => Node::Update {
                paths: left,
                update: right,
            },
        })
    }

    /// `paths += value` is `value as $new | paths |= . + $new`; no calculation means `//`.
    fn update_by(
        &mut self,
        paths: &Term,
        calculation: Option<Calculation>,
        value: &Term,
    ) -> Compiled<Node> {
        let source = self.boxed(value)?;
        let mark = self.scope.mark();
        self.scope.add_unnamed();
        let paths = self.boxed(paths)?;
        self.scope.reset(mark);
        let (old, new) = (Box::new(Node::Identity), Box::new(Node::Variable(0)));
        let update = Box::new(match calculation {
            Some(calculation) => Node::Calculate(calculation, old, new),
            None => Node::Alternative(old, new),
        });
        Ok(Node::Bind {
            source,
            body: Box::new(Node::Update { paths, update }),
        })
    }

    /// `shows` is what a `foreach` shows of its state, if it says so; a `reduce` shows nothing.
    fn fold(
        &mut self,
        source: &Term,
        patterns: &[crate::syntax::Pattern],
        start: &Term,
        (update, shows): (&Term, Option<Option<&Term>>),
    ) -> Compiled<Fold> {
        let (source, start) = (self.term(source)?, self.term(start)?);
        let mark = self.scope.mark();
        let state = self.scope.add_unnamed();
        let body = self.bind(patterns, |compiler| {
            let update = compiler.term(update)?;
            let shows = match shows {
                None => None,
                Some(None) => Some(Node::Identity),
                Some(Some(extract)) => Some(compiler.term(extract)?),
            };
            let state = compiler.scope.distance(state);
            Ok(Node::FoldStep(Box::new(FoldStep {
                state,
                update,
                shows,
            })))
        })?;
        self.scope.reset(mark);
        Ok(Fold {
            source,
            start,
            body,
        })
    }

    fn variable(&mut self, name: &str, at: usize) -> Compiled<Node> {
        if let Some(distance) = self.scope.variable(name) {
            return Ok(Node::Variable(distance));
        }
        // The environment is never read.
        if name == "ENV" {
            return literal(Object::new().map(Value::Object));
        }
        Err(SyntaxError::new(format!("${name} is not defined"), at))
    }

    fn define(&mut self, definition: &Definition, body: &Term) -> Compiled<Node> {
        let mark = self.scope.mark();
        self.definition(definition)?;
        let body = self.term(body)?;
        self.scope.reset(mark);
        Ok(body)
    }

    /// Compiles a definition's body and leaves its name in the scope.
    fn definition(&mut self, definition: &Definition) -> Compiled<Signature> {
        let id = DefinitionId(self.definitions.len());
        self.definitions.push(Node::Empty);
        let takes_value = |parameter: &Parameter| match parameter {
            // A value parameter can be called like a filter; if it never is, a value will do.
            Parameter::Value(name) => !calls(&definition.body, name),
            Parameter::Filter(_) => false,
        };
        let takes_value = definition.parameters.iter().map(takes_value).collect();
        let signature = Signature { id, takes_value };
        self.scope
            .add_definition(&definition.name, signature.clone());
        let mark = self.scope.mark();
        for (parameter, takes_value) in definition.parameters.iter().zip(&*signature.takes_value) {
            let (Parameter::Filter(name) | Parameter::Value(name)) = parameter;
            match takes_value {
                true => self.scope.add_variable(name),
                false => self.scope.add_argument(name),
            }
        }
        let mut values = Vec::new();
        for (parameter, takes_value) in definition.parameters.iter().zip(&*signature.takes_value) {
            if let (Parameter::Value(name), false) = (parameter, takes_value) {
                values.push(
                    self.scope
                        .argument(name)
                        .map_or(Node::Empty, Node::Argument),
                );
                self.scope.add_variable(name);
            }
        }
        let body = self.term(&definition.body)?;
        self.scope.reset(mark);
        self.definitions[id.0] = bind_all(values, body);
        Ok(signature)
    }

    fn call(&mut self, name: &str, arguments: &[Term], at: usize) -> Compiled<Node> {
        match self.scope.call(name, arguments.len()) {
            Some(Target::Argument(distance)) => return Ok(Node::Argument(distance)),
            Some(Target::Definition(signature, sees)) => {
                return self.call_definition(&signature, sees, arguments);
            }
            None => {}
        }
        // Names with an underscore belong to the prelude.
        if !name.starts_with('_') || self.is_in_prelude {
            if let Some(node) = self.form(name, arguments)? {
                return Ok(node);
            }
            if let Some(native) = natives::find(name, arguments.len()) {
                return Ok(Node::Native {
                    native,
                    arguments: self.all(arguments)?,
                });
            }
            if let Some(signature) = self.prelude_definition(name, arguments.len())? {
                return self.call_definition(&signature, 0, arguments);
            }
        }
        Err(SyntaxError::new(
            format!("{name}/{} is not defined", arguments.len()),
            at,
        ))
    }

    /// A call, within a binding for each value it passes.
    fn call_definition(
        &mut self,
        signature: &Signature,
        sees: usize,
        arguments: &[Term],
    ) -> Compiled<Node> {
        let mark = self.scope.mark();
        let mut sources = Vec::new();
        let mut places = Vec::new();
        for (argument, takes_value) in arguments.iter().zip(&*signature.takes_value) {
            if *takes_value {
                sources.push(self.term(argument)?);
                places.push(self.scope.add_unnamed());
            }
        }
        let mut places = places.into_iter();
        let mut passed = Vec::with_capacity(arguments.len());
        for (argument, takes_value) in arguments.iter().zip(&*signature.takes_value) {
            let value = if *takes_value { places.next() } else { None };
            passed.push(match value {
                Some(place) => Passed::Value(self.scope.distance(place)),
                None => match self.term(argument)? {
                    Node::Argument(distance) => Passed::Argument(distance),
                    node => Passed::Node(node),
                },
            });
        }
        let drop = self.scope.bindings() - sees;
        self.scope.reset(mark);
        Ok(bind_all(
            sources,
            Node::Call {
                definition: signature.id,
                drop,
                arguments: passed,
            },
        ))
    }

    /// A definition of the prelude, compiled when it is first called.
    fn prelude_definition(&mut self, name: &str, arity: usize) -> Compiled<Option<Signature>> {
        let Some(definition) = Prelude::get().find(name, arity) else {
            return Ok(None);
        };
        let key = (definition.name.as_str(), arity);
        if let Some(signature) = self.from_prelude.get(&key) {
            return Ok(Some(signature.clone()));
        }
        // Prelude definitions do not call each other in circles, and themselves by their own scope.
        let outside = std::mem::take(&mut self.scope);
        let was_in_prelude = std::mem::replace(&mut self.is_in_prelude, true);
        let signature = self.definition(definition);
        self.is_in_prelude = was_in_prelude;
        self.scope = outside;
        self.from_prelude.insert(key, signature?);
        Ok(self.from_prelude.get(&key).cloned())
    }
}

/// The body within a binding for each of the sources, the first one outermost.
fn bind_all(sources: Vec<Node>, body: Node) -> Node {
    let bind = |body, source| Node::Bind {
        source: Box::new(source),
        body: Box::new(body),
    };
    sources.into_iter().rev().fold(body, bind)
}

/// A literal; what is written in a filter is small, but it is charged like any value.
fn literal(value: Result<Value, crate::error::LimitKind>) -> Compiled<Node> {
    match value {
        Ok(value) => Ok(Node::Literal(value)),
        Err(limit) => Err(SyntaxError::new(format!("The filter {limit}"), 0)),
    }
}

fn location(line: usize) -> Compiled<Node> {
    let object = Value::string("<top-level>")
        .and_then(|file| Object::from_entries([("file", file), ("line", Value::count(line))]));
    literal(object.map(Value::Object))
}

/// The names of the prelude that a filter may call, as `name/arity`.
pub(crate) fn prelude_names() -> impl Iterator<Item = String> {
    Prelude::get().names()
}
