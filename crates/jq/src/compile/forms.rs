//! Calls that are no calls: names whose meaning needs the evaluator itself.

use super::node::Node;
use super::{Compiled, Compiler, literal};
use crate::syntax::Term;
use crate::value::{Object, Value};

impl Compiler {
    /// The node of a form, if a name with so many arguments is one.
    pub(super) fn form(&mut self, name: &str, arguments: &[Term]) -> Compiled<Option<Node>> {
        let node = match (name, arguments) {
            ("empty", []) => Node::Empty,
            ("null", []) => Node::Literal(Value::Null),
            ("true", []) => Node::Literal(Value::Bool(true)),
            ("false", []) => Node::Literal(Value::Bool(false)),
            // Nothing outside the filter is reached, the environment least of all.
            ("env", []) => literal(Object::new().map(Value::Object))?,
            ("path", [paths]) => Node::Path(self.boxed(paths)?),
            ("getpath", [path]) => Node::GetPath(self.boxed(path)?),
            ("select", [condition]) => Node::If {
                condition: self.boxed(condition)?,
                then: Box::new(Node::Identity),
                otherwise: Box::new(Node::Empty),
            },
            ("first", [body]) => Node::Limit {
                count: Box::new(Node::Literal(Value::number(1.0))),
                body: self.boxed(body)?,
            },
            ("_limit", [count, body]) => Node::Limit {
                count: self.boxed(count)?,
                body: self.boxed(body)?,
            },
            ("_skip", [count, body]) => Node::Skip {
                count: self.boxed(count)?,
                body: self.boxed(body)?,
            },
            ("_range", [from, upto]) => Node::Range(self.boxed(from)?, self.boxed(upto)?),
            _ => return Ok(None),
        };
        Ok(Some(node))
    }
}
