//! Filter text into a tree: what was written, before any name is looked up.

mod lexer;
mod parser;
mod pattern;
mod term;

pub(crate) use parser::{parse_definitions, parse_program};

/// A filter as it was written.
#[derive(Debug)]
pub(crate) enum Term {
    /// `.`
    Identity,
    /// A number, by its digits.
    Number(String),
    /// A string, with `@format` before it or not.
    Text {
        format: Option<String>,
        parts: Vec<Part>,
    },
    /// `@format` alone
    Format(String),
    /// `[…]`
    Array(Option<Box<Term>>),
    /// `{…}` as keys and values; a key without a value takes the field of its name
    Object(Vec<(Term, Option<Term>)>),
    /// `-…`
    Negate(Box<Term>),
    Binary(Operator, Box<Term>, Box<Term>),
    /// `… | …`
    Pipe(Box<Term>, Box<Term>),
    /// `…, …`
    Comma(Vec<Term>),
    /// `… as pattern ?// pattern | …`
    Bind {
        source: Box<Term>,
        patterns: Vec<Pattern>,
        body: Box<Term>,
    },
    /// `reduce … as pattern (start; update)`
    Reduce {
        source: Box<Term>,
        patterns: Vec<Pattern>,
        start: Box<Term>,
        update: Box<Term>,
    },
    /// `foreach … as pattern (start; update; extract)`
    Foreach {
        source: Box<Term>,
        patterns: Vec<Pattern>,
        start: Box<Term>,
        update: Box<Term>,
        extract: Option<Box<Term>>,
    },
    If {
        condition: Box<Term>,
        then: Box<Term>,
        otherwise: Option<Box<Term>>,
    },
    Try {
        body: Box<Term>,
        catch: Option<Box<Term>>,
    },
    Label {
        name: String,
        body: Box<Term>,
    },
    Break {
        name: String,
        at: usize,
    },
    /// `def …; …`
    Define(Box<Definition>, Box<Term>),
    Call {
        name: String,
        arguments: Vec<Term>,
        at: usize,
    },
    /// `$name`
    Variable {
        name: String,
        at: usize,
    },
    /// `$__loc__`, by its line
    Location(usize),
    /// A step into what a term gives; `?` after it lets this step alone fail quietly.
    Step {
        target: Box<Term>,
        into: Inside,
        is_optional: bool,
    },
}

impl Term {
    /// A string without anything to fill in.
    pub(crate) fn text(text: &str) -> Term {
        Term::Text {
            format: None,
            parts: vec![Part::Text(text.to_owned())],
        }
    }
}

/// Where a step leads.
#[derive(Debug)]
pub(crate) enum Inside {
    /// `.name` or `[key]`
    Index(Box<Term>),
    /// `[from:upto]`
    Slice(Option<Box<Term>>, Option<Box<Term>>),
    /// `[]`
    Iterate,
}

/// A piece of a string.
#[derive(Debug)]
pub(crate) enum Part {
    Text(String),
    /// `\(…)`
    Term(Term),
}

/// What `as` binds names with.
#[derive(Debug)]
pub(crate) enum Pattern {
    Variable(String),
    Array(Vec<Pattern>),
    Object(Vec<Field>),
}

/// One field of an object pattern.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) key: Term,
    /// The name of `$name: …`, bound to the field beside what its pattern binds.
    pub(crate) variable: Option<String>,
    pub(crate) pattern: Option<Pattern>,
}

/// `def name(parameters): body;`
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Term,
}

#[derive(Debug)]
pub(crate) enum Parameter {
    /// `name`, a filter
    Filter(String),
    /// `$name`, a value, and a filter of the same name
    Value(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Alternative,
    Or,
    And,
    Compare(Comparison),
    Calculate(Calculation),
    /// `=`
    Assign,
    /// `|=`
    Update,
    /// `+=` and the like
    UpdateBy(Calculation),
    /// `//=`
    UpdateAlternative,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calculation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// What does not compile, and where in the text.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) at: usize,
}

impl SyntaxError {
    pub(crate) fn new(message: impl Into<String>, at: usize) -> Self {
        SyntaxError {
            message: message.into(),
            at,
        }
    }
}
