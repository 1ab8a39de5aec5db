//! Which names can be seen from where in a filter.

use std::rc::Rc;

use super::node::{DefinitionId, Distance};

/// The names that can be seen at a place, the latest last.
#[derive(Default)]
pub(super) struct Scope {
    names: Vec<Name>,
    /// How many bindings there will be when the place is reached.
    bindings: usize,
}

struct Name {
    name: String,
    meaning: Meaning,
}

enum Meaning {
    /// A binding, by its place from the start of the list.
    Variable(usize),
    Argument(usize),
    Label(usize),
    Definition {
        signature: Signature,
        bindings: usize,
    },
}

/// What a call has to know of a definition.
#[derive(Clone)]
pub(super) struct Signature {
    pub(super) id: DefinitionId,
    /// For each parameter whether a value is passed, and not a filter.
    pub(super) takes_value: Rc<[bool]>,
}

/// What a call calls.
pub(super) enum Target {
    Argument(Distance),
    /// A definition, and how many bindings it sees.
    Definition(Signature, usize),
}

/// A state of the scope to come back to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    names: usize,
    bindings: usize,
}

impl Scope {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            names: self.names.len(),
            bindings: self.bindings,
        }
    }

    pub(super) fn reset(&mut self, mark: Mark) {
        self.names.truncate(mark.names);
        self.bindings = mark.bindings;
    }

    pub(super) fn bindings(&self) -> usize {
        self.bindings
    }

    /// How far a binding is from the end of the list.
    pub(super) fn distance(&self, place: usize) -> Distance {
        self.bindings - 1 - place
    }

    /// A binding that no name leads to; returns its place.
    pub(super) fn add_unnamed(&mut self) -> usize {
        self.bindings += 1;
        self.bindings - 1
    }

    /// A name for a binding that is there already.
    pub(super) fn name_variable(&mut self, name: &str, place: usize) {
        self.names.push(Name {
            name: name.to_owned(),
            meaning: Meaning::Variable(place),
        });
    }

    pub(super) fn add_variable(&mut self, name: &str) {
        let place = self.add_unnamed();
        self.name_variable(name, place);
    }

    pub(super) fn add_argument(&mut self, name: &str) {
        let place = self.add_unnamed();
        self.names.push(Name {
            name: name.to_owned(),
            meaning: Meaning::Argument(place),
        });
    }

    pub(super) fn add_label(&mut self, name: &str) {
        let place = self.add_unnamed();
        self.names.push(Name {
            name: name.to_owned(),
            meaning: Meaning::Label(place),
        });
    }

    pub(super) fn add_definition(&mut self, name: &str, signature: Signature) {
        let meaning = Meaning::Definition {
            signature,
            bindings: self.bindings,
        };
        self.names.push(Name {
            name: name.to_owned(),
            meaning,
        });
    }

    pub(super) fn variable(&self, name: &str) -> Option<Distance> {
        self.find(name, |meaning| match meaning {
            Meaning::Variable(place) => Some(self.distance(*place)),
            _ => None,
        })
    }

    pub(super) fn argument(&self, name: &str) -> Option<Distance> {
        self.find(name, |meaning| match meaning {
            Meaning::Argument(place) => Some(self.distance(*place)),
            _ => None,
        })
    }

    pub(super) fn label(&self, name: &str) -> Option<Distance> {
        self.find(name, |meaning| match meaning {
            Meaning::Label(place) => Some(self.distance(*place)),
            _ => None,
        })
    }

    pub(super) fn call(&self, name: &str, arguments: usize) -> Option<Target> {
        self.find(name, |meaning| match meaning {
            Meaning::Argument(place) if arguments == 0 => {
                Some(Target::Argument(self.distance(*place)))
            }
            Meaning::Definition {
                signature,
                bindings,
            } if signature.takes_value.len() == arguments => {
                Some(Target::Definition(signature.clone(), *bindings))
            }
            _ => None,
        })
    }

    /// The latest meaning of a name that fits.
    fn find<T>(&self, name: &str, fits: impl Fn(&Meaning) -> Option<T>) -> Option<T> {
        let named = self.names.iter().rev().filter(|known| known.name == name);
        named.into_iter().find_map(|known| fits(&known.meaning))
    }
}
