//! A filter ready to run: every name is replaced by where its value or body is found.

use std::rc::Rc;

use crate::natives::Native;
use crate::syntax::{Calculation, Comparison};
use crate::value::Value;

/// A compiled filter with all definitions it uses.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) main: Node,
    /// The bodies of definitions, by [`DefinitionId`].
    pub(crate) definitions: Vec<Node>,
}

/// The place of a definition's body in its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DefinitionId(pub(crate) usize);

/// How many bindings to pass over to reach the one that is meant, from the latest on.
pub(crate) type Distance = usize;

#[derive(Debug)]
pub(crate) enum Node {
    Identity,
    Empty,
    Literal(Value),
    /// A string with something to fill in.
    Text {
        format: Option<String>,
        parts: Vec<TextPart>,
    },
    Format(String),
    Array(Box<Node>),
    Object(Vec<(Node, Option<Node>)>),
    Negate(Box<Node>),
    Compare(Comparison, Box<Node>, Box<Node>),
    Calculate(Calculation, Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Alternative(Box<Node>, Box<Node>),
    Pipe(Box<Node>, Box<Node>),
    Comma(Vec<Node>),
    /// Runs the body once per output of the source, with that output as the latest binding.
    Bind {
        source: Box<Node>,
        body: Box<Node>,
    },
    /// Runs the first that ends without an error: `?//`.
    FirstFitting(Vec<Node>),
    /// Drops the latest bindings, then binds the picked ones anew (null where none is picked).
    Rebind {
        drop: usize,
        picks: Vec<Option<Distance>>,
        body: Rc<Node>,
    },
    Reduce(Box<Fold>),
    Foreach(Box<Fold>),
    FoldStep(Box<FoldStep>),
    If {
        condition: Box<Node>,
        then: Box<Node>,
        otherwise: Box<Node>,
    },
    Try {
        body: Box<Node>,
        catch: Option<Box<Node>>,
    },
    /// Runs the body with a new label as the latest binding.
    Label(Box<Node>),
    Break(Distance),
    Variable(Distance),
    /// Runs a filter that was passed as an argument.
    Argument(Distance),
    Call {
        definition: DefinitionId,
        drop: usize,
        arguments: Vec<Passed>,
    },
    Native {
        native: Native,
        arguments: Vec<Node>,
    },
    Index {
        target: Box<Node>,
        key: Box<Node>,
        is_optional: bool,
    },
    Slice {
        target: Box<Node>,
        from: Option<Box<Node>>,
        upto: Option<Box<Node>>,
        is_optional: bool,
    },
    Iterate {
        target: Box<Node>,
        is_optional: bool,
    },
    /// `paths = value`
    Assign {
        paths: Box<Node>,
        value: Box<Node>,
    },
    /// `paths |= update`
    Update {
        paths: Box<Node>,
        update: Box<Node>,
    },
    /// `path(f)`
    Path(Box<Node>),
    /// `getpath(path)`, which is a path itself
    GetPath(Box<Node>),
    /// The numbers from one up to another.
    Range(Box<Node>, Box<Node>),
    /// The first so many outputs of a filter.
    Limit {
        count: Box<Node>,
        body: Box<Node>,
    },
    /// All but the first so many outputs of a filter.
    Skip {
        count: Box<Node>,
        body: Box<Node>,
    },
}

#[derive(Debug)]
pub(crate) enum TextPart {
    Text(String),
    Fill(Node),
}

/// A filter passed to a definition.
#[derive(Debug)]
pub(crate) enum Passed {
    Node(Node),
    /// An argument of the caller, passed on as it is.
    Argument(Distance),
    /// A value that is bound already.
    Value(Distance),
}

/// `reduce` and `foreach`.
#[derive(Debug)]
pub(crate) struct Fold {
    pub(crate) source: Node,
    pub(crate) start: Node,
    /// Takes the item apart and ends in a [`Node::FoldStep`]; the state and the item are bound.
    pub(crate) body: Node,
}

/// One item of a fold: the state is updated, and shown if the fold is a `foreach`.
#[derive(Debug)]
pub(crate) struct FoldStep {
    pub(crate) state: Distance,
    pub(crate) update: Node,
    pub(crate) shows: Option<Node>,
}
