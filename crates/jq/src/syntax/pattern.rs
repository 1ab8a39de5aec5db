//! What stands after `as`: names, arrays and objects that take a value apart.

use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use super::{Field, Pattern, Term};

impl Parser<'_> {
    /// Patterns joined by `?//`.
    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut patterns = vec![self.pattern()?];
        while self.accept("?//") {
            patterns.push(self.pattern()?);
        }
        Ok(patterns)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        match self.peek().clone() {
            Kind::Variable(name) => {
                self.advance();
                Ok(Pattern::Variable(name))
            }
            Kind::Symbol("[") => {
                self.advance();
                let items = self.list("]", Parser::pattern)?;
                Ok(Pattern::Array(items))
            }
            Kind::Symbol("{") => {
                self.advance();
                let fields = self.list("}", Parser::field)?;
                Ok(Pattern::Object(fields))
            }
            _ => Err(self.unexpected("a variable, '[' or '{'")),
        }
    }

    /// At least one item, separated by commas, then the closing bracket.
    fn list<T>(&mut self, close: &str, item: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![self.nested(item)?];
        while self.accept(",") {
            items.push(self.nested(item)?);
        }
        self.expect(close)?;
        Ok(items)
    }

    fn field(&mut self) -> Parsed<Field> {
        let key = match self.peek().clone() {
            Kind::Variable(name) => {
                self.advance();
                let pattern = if self.accept(":") {
                    Some(self.pattern()?)
                } else {
                    None
                };
                return Ok(Field {
                    key: Term::text(&name),
                    variable: Some(name),
                    pattern,
                });
            }
            Kind::Name(name) => {
                self.advance();
                Term::text(&name)
            }
            Kind::TextStart | Kind::Format(_) => self.whole_string()?,
            Kind::Symbol("(") => {
                self.advance();
                let key = self.query()?;
                self.expect(")")?;
                key
            }
            _ => return Err(self.unexpected("a key")),
        };
        self.expect(":")?;
        Ok(Field {
            key,
            variable: None,
            pattern: Some(self.pattern()?),
        })
    }
}
