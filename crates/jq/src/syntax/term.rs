//! The operands of a filter: literals, calls, brackets, and the suffixes that step into them.

use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use super::{Inside, Part, SyntaxError, Term};

/// Words that cannot be called, because the grammar uses them.
const KEYWORDS: &[&str] = &[
    "as", "def", "module", "import", "include", "then", "else", "elif", "end", "and", "or",
    "catch", "label",
];

impl Parser<'_> {
    /// A term with all its suffixes: `.a[0]?.b`.
    pub(super) fn postfix_term(&mut self) -> Parsed<Term> {
        let mut term = self.nested(Parser::primary)?;
        loop {
            term = match self.peek().clone() {
                Kind::Field(name) => {
                    self.advance();
                    self.step(term, Inside::Index(Box::new(Term::text(&name))))
                }
                Kind::Symbol("?") => {
                    self.advance();
                    Term::Try {
                        body: Box::new(term),
                        catch: None,
                    }
                }
                Kind::Symbol("[") => {
                    let into = self.bracket()?;
                    self.step(term, into)
                }
                Kind::Symbol(".") => {
                    self.advance();
                    let into = self.after_dot()?;
                    self.step(term, into)
                }
                _ => return Ok(term),
            };
            self.grow()?;
        }
    }

    /// A step, with the `?` that may follow it.
    fn step(&mut self, target: Term, into: Inside) -> Term {
        Term::Step {
            target: Box::new(target),
            into,
            is_optional: self.accept("?"),
        }
    }

    /// What follows the dot in `….[0]` or `…."a"`.
    fn after_dot(&mut self) -> Parsed<Inside> {
        match self.peek() {
            Kind::Symbol("[") => match self.bracket()? {
                // jq has no slice after a dot.
                Inside::Slice(..) => Err(SyntaxError::new("Unexpected slice after '.'", self.at())),
                inside => Ok(inside),
            },
            Kind::TextStart | Kind::Format(_) => Ok(Inside::Index(Box::new(self.whole_string()?))),
            _ => Err(self.unexpected("a name, a string or '[' after '.'")),
        }
    }

    /// `[]`, `[key]`, `[from:]`, `[:upto]` or `[from:upto]` after a term.
    fn bracket(&mut self) -> Parsed<Inside> {
        self.expect("[")?;
        if self.accept("]") {
            return Ok(Inside::Iterate);
        }
        if self.accept(":") {
            let upto = self.query()?;
            self.expect("]")?;
            return Ok(Inside::Slice(None, Some(Box::new(upto))));
        }
        let from = self.query()?;
        if !self.accept(":") {
            self.expect("]")?;
            return Ok(Inside::Index(Box::new(from)));
        }
        let upto = if self.is_symbol("]") {
            None
        } else {
            Some(Box::new(self.query()?))
        };
        self.expect("]")?;
        Ok(Inside::Slice(Some(Box::new(from)), upto))
    }

    fn primary(&mut self) -> Parsed<Term> {
        let at = self.at();
        match self.peek().clone() {
            Kind::Number(number) => {
                self.advance();
                Ok(Term::Number(number))
            }
            Kind::TextStart => self.string(),
            Kind::Format(_) => self.string(),
            Kind::Field(name) => {
                self.advance();
                Ok(self.step(Term::Identity, Inside::Index(Box::new(Term::text(&name)))))
            }
            Kind::Variable(name) => {
                self.advance();
                Ok(self.variable(name, at))
            }
            Kind::Name(name) => self.named(name),
            Kind::Symbol(symbol) => self.symbol(symbol),
            _ => Err(self.unexpected("a term")),
        }
    }

    fn variable(&self, name: String, at: usize) -> Term {
        if name == "__loc__" {
            Term::Location(self.line(at))
        } else {
            Term::Variable { name, at }
        }
    }

    fn symbol(&mut self, symbol: &str) -> Parsed<Term> {
        match symbol {
            "." => {
                self.advance();
                if matches!(self.peek(), Kind::TextStart | Kind::Format(_)) {
                    let key = self.whole_string()?;
                    return Ok(self.step(Term::Identity, Inside::Index(Box::new(key))));
                }
                Ok(Term::Identity)
            }
            ".." => {
                let at = self.at();
                self.advance();
                Ok(Term::Call {
                    name: "recurse".to_owned(),
                    arguments: Vec::new(),
                    at,
                })
            }
            "(" => {
                self.advance();
                let inner = self.query()?;
                self.expect(")")?;
                Ok(inner)
            }
            "[" => {
                self.advance();
                if self.accept("]") {
                    return Ok(Term::Array(None));
                }
                let inner = self.query()?;
                self.expect("]")?;
                Ok(Term::Array(Some(Box::new(inner))))
            }
            "{" => self.object(),
            _ => Err(self.unexpected("a term")),
        }
    }

    /// A keyword's construct, or a call.
    fn named(&mut self, name: String) -> Parsed<Term> {
        match name.as_str() {
            "if" => {
                self.advance();
                self.conditional()
            }
            "try" => {
                self.advance();
                let body = Box::new(self.post_try()?);
                let catch = if self.accept_name("catch") {
                    Some(Box::new(self.post_try()?))
                } else {
                    None
                };
                Ok(Term::Try { body, catch })
            }
            "reduce" => self.reduce(),
            "foreach" => self.foreach(),
            "break" => {
                let at = self.at();
                self.advance();
                Ok(Term::Break {
                    name: self.expect_variable()?,
                    at,
                })
            }
            "import" | "include" | "module" => {
                Err(SyntaxError::new("Modules are not available", self.at()))
            }
            keyword if KEYWORDS.contains(&keyword) => Err(self.unexpected("a term")),
            _ => self.call(name),
        }
    }

    /// What `try` and `catch` apply to: a term with its suffixes.
    fn post_try(&mut self) -> Parsed<Term> {
        self.nested(Parser::postfix_term)
    }

    fn call(&mut self, name: String) -> Parsed<Term> {
        let at = self.at();
        self.advance();
        let mut arguments = Vec::new();
        if self.accept("(") {
            arguments.push(self.query()?);
            while self.accept(";") {
                arguments.push(self.query()?);
            }
            self.expect(")")?;
        }
        Ok(Term::Call {
            name,
            arguments,
            at,
        })
    }

    /// What follows `if` or `elif`.
    fn conditional(&mut self) -> Parsed<Term> {
        let condition = Box::new(self.query()?);
        self.expect_name("then")?;
        let then = Box::new(self.query()?);
        let otherwise = if self.accept_name("elif") {
            Some(Box::new(self.nested(Parser::conditional)?))
        } else if self.accept_name("else") {
            let otherwise = self.query()?;
            self.expect_name("end")?;
            Some(Box::new(otherwise))
        } else if self.accept_name("end") {
            None
        } else {
            return Err(self.unexpected("'elif', 'else' or 'end'"));
        };
        Ok(Term::If {
            condition,
            then,
            otherwise,
        })
    }

    fn reduce(&mut self) -> Parsed<Term> {
        self.advance();
        let source = Box::new(self.expression()?);
        self.expect_name("as")?;
        let patterns = self.patterns()?;
        self.expect("(")?;
        let start = Box::new(self.query()?);
        self.expect(";")?;
        let update = Box::new(self.query()?);
        self.expect(")")?;
        Ok(Term::Reduce {
            source,
            patterns,
            start,
            update,
        })
    }

    fn foreach(&mut self) -> Parsed<Term> {
        self.advance();
        let source = Box::new(self.expression()?);
        self.expect_name("as")?;
        let patterns = self.patterns()?;
        self.expect("(")?;
        let start = Box::new(self.query()?);
        self.expect(";")?;
        let update = Box::new(self.query()?);
        let extract = if self.accept(";") {
            Some(Box::new(self.query()?))
        } else {
            None
        };
        self.expect(")")?;
        Ok(Term::Foreach {
            source,
            patterns,
            start,
            update,
            extract,
        })
    }

    /// A string, `@format` before it or not; `@format` alone is a filter.
    pub(super) fn string(&mut self) -> Parsed<Term> {
        let mut format = None;
        if let Kind::Format(name) = self.peek().clone() {
            self.advance();
            if *self.peek() != Kind::TextStart {
                return Ok(Term::Format(name));
            }
            format = Some(name);
        }
        self.advance();
        let mut parts = Vec::new();
        loop {
            match self.advance() {
                Kind::Text(text) => parts.push(Part::Text(text)),
                Kind::FillStart => {
                    parts.push(Part::Term(self.query()?));
                    if *self.peek() != Kind::FillEnd {
                        return Err(self.unexpected("')'"));
                    }
                    self.advance();
                }
                Kind::TextEnd => return Ok(Term::Text { format, parts }),
                _ => return Err(self.unexpected("the end of the string")),
            }
        }
    }

    /// A string where a format alone will not do.
    pub(super) fn whole_string(&mut self) -> Parsed<Term> {
        match self.string()? {
            Term::Format(_) => Err(self.unexpected("a string")),
            string => Ok(string),
        }
    }

    fn object(&mut self) -> Parsed<Term> {
        self.expect("{")?;
        let mut entries = Vec::new();
        while !self.accept("}") {
            entries.push(self.entry()?);
            if !self.is_symbol("}") {
                if !self.is_symbol(",") {
                    return Err(self.unexpected("',' or '}'"));
                }
                self.advance();
            }
        }
        Ok(Term::Object(entries))
    }

    fn entry(&mut self) -> Parsed<(Term, Option<Term>)> {
        let at = self.at();
        match self.peek().clone() {
            Kind::Variable(name) => {
                self.advance();
                let value = self.variable(name.clone(), at);
                if self.accept(":") {
                    return Ok((value, Some(self.entry_value()?)));
                }
                Ok((Term::text(&name), Some(value)))
            }
            Kind::Symbol("(") => {
                self.advance();
                let key = self.query()?;
                self.expect(")")?;
                self.expect(":")?;
                Ok((key, Some(self.entry_value()?)))
            }
            Kind::Name(name) => {
                self.advance();
                let value = if self.accept(":") {
                    Some(self.entry_value()?)
                } else {
                    None
                };
                Ok((Term::text(&name), value))
            }
            Kind::TextStart | Kind::Format(_) => {
                let key = self.whole_string()?;
                let value = if self.accept(":") {
                    Some(self.entry_value()?)
                } else {
                    None
                };
                Ok((key, value))
            }
            _ => Err(self.unexpected("a key")),
        }
    }

    /// A value within an object: everything but commas and bindings.
    fn entry_value(&mut self) -> Parsed<Term> {
        self.nested(|parser| {
            let left = parser.expression()?;
            if !parser.accept("|") {
                return Ok(left);
            }
            Ok(Term::Pipe(Box::new(left), Box::new(parser.entry_value()?)))
        })
    }
}
