//! Tokens into a tree: pipes, commas, definitions and operators; `term.rs` reads what they join.

use super::lexer::{Kind, Token, lex};
use super::{Calculation, Comparison, Definition, Operator, Parameter, SyntaxError, Term};
use crate::limits::FILTER_NESTING;

pub(super) type Parsed<T> = Result<T, SyntaxError>;

/// Reads a whole filter.
pub(crate) fn parse_program(text: &str) -> Parsed<Term> {
    let mut parser = Parser::new(text)?;
    if parser.is_at_end() {
        return Err(SyntaxError::new("The filter is empty", 0));
    }
    let term = parser.query()?;
    parser.expect_end()?;
    Ok(term)
}

/// Reads a text that holds nothing but definitions.
pub(crate) fn parse_definitions(text: &str) -> Parsed<Vec<Definition>> {
    let mut parser = Parser::new(text)?;
    let mut definitions = Vec::new();
    while !parser.is_at_end() {
        parser.expect_name("def")?;
        definitions.push(parser.definition()?);
    }
    Ok(definitions)
}

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    next: usize,
    /// How deeply the parser is nested.
    depth: usize,
    /// How deep what was read at this level is.
    height: usize,
}

/// How tightly an operator binds, and what may stand beside it.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
    Neither,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parsed<Self> {
        Ok(Parser {
            text,
            tokens: lex(text)?,
            next: 0,
            depth: 0,
            height: 0,
        })
    }

    pub(super) fn peek(&self) -> &Kind {
        &self.tokens[self.next].kind
    }

    pub(super) fn at(&self) -> usize {
        self.tokens[self.next].at
    }

    /// The line a place in the text is on.
    pub(super) fn line(&self, at: usize) -> usize {
        self.text[..at].matches('\n').count() + 1
    }

    pub(super) fn advance(&mut self) -> Kind {
        let kind = self.tokens[self.next].kind.clone();
        // The last token is the end, which is never passed.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        kind
    }

    fn is_at_end(&self) -> bool {
        *self.peek() == Kind::End
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Kind::Symbol(next) if *next == symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Kind::Symbol(next) if *next == symbol)
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Kind::Name(next) if next == name)
    }

    pub(super) fn accept_name(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.accept(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("'{symbol}'")))
        }
    }

    pub(super) fn expect_name(&mut self, name: &str) -> Parsed<()> {
        if self.accept_name(name) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("'{name}'")))
        }
    }

    fn expect_end(&mut self) -> Parsed<()> {
        if self.is_at_end() {
            Ok(())
        } else {
            Err(self.unexpected("an operator or the end"))
        }
    }

    pub(super) fn expect_variable(&mut self) -> Parsed<String> {
        match self.peek() {
            Kind::Variable(name) => {
                let name = name.clone();
                self.advance();
                Ok(name)
            }
            _ => Err(self.unexpected("a variable")),
        }
    }

    pub(super) fn unexpected(&self, expected: &str) -> SyntaxError {
        let found = match self.peek() {
            Kind::Symbol(symbol) => format!("'{symbol}'"),
            Kind::Name(name) => format!("'{name}'"),
            Kind::Field(name) => format!("'.{name}'"),
            Kind::Variable(name) => format!("'${name}'"),
            Kind::Format(name) => format!("'@{name}'"),
            Kind::Number(number) => format!("number {number}"),
            Kind::TextStart | Kind::Text(_) | Kind::TextEnd => "a string".to_owned(),
            Kind::FillStart | Kind::FillEnd => "')'".to_owned(),
            Kind::End => "the end".to_owned(),
        };
        SyntaxError::new(
            format!("Found {found} where {expected} is expected"),
            self.at(),
        )
    }

    /// Runs `parse` one level deeper, if that is not too deep.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::take(&mut self.height);
        self.depth += 1;
        self.check_depth()?;
        let parsed = parse(self)?;
        self.depth -= 1;
        self.grow()?;
        self.height = self.height.max(outer);
        Ok(parsed)
    }

    /// What was read at this level becomes a part of something.
    pub(super) fn grow(&mut self) -> Parsed<()> {
        self.height += 1;
        self.check_depth()
    }

    fn check_depth(&self) -> Parsed<()> {
        if self.depth.max(self.height) <= FILTER_NESTING {
            return Ok(());
        }
        let message = format!("The filter nests more than {FILTER_NESTING} deep");
        Err(SyntaxError::new(message, self.at()))
    }

    /// `…, … | …`: everything up to a closing bracket, `;` or the end.
    pub(super) fn query(&mut self) -> Parsed<Term> {
        self.nested(|parser| {
            let mut items = vec![parser.item()?];
            while parser.accept(",") {
                items.push(parser.item()?);
            }
            let left = match items.pop() {
                Some(only) if items.is_empty() => only,
                last => Term::Comma(items.into_iter().chain(last).collect()),
            };
            if !parser.accept("|") {
                return Ok(left);
            }
            Ok(Term::Pipe(Box::new(left), Box::new(parser.query()?)))
        })
    }

    /// One operand of a comma; a definition, label or binding takes all that follows with it.
    fn item(&mut self) -> Parsed<Term> {
        if self.accept_name("def") {
            let definition = self.definition()?;
            let body = self.query()?;
            return Ok(Term::Define(Box::new(definition), Box::new(body)));
        }
        if self.accept_name("label") {
            let name = self.expect_variable()?;
            self.expect("|")?;
            return Ok(Term::Label {
                name,
                body: Box::new(self.query()?),
            });
        }
        let source = self.expression()?;
        if !self.accept_name("as") {
            return Ok(source);
        }
        let patterns = self.patterns()?;
        self.expect("|")?;
        Ok(Term::Bind {
            source: Box::new(source),
            patterns,
            body: Box::new(self.query()?),
        })
    }

    /// What follows `def`.
    fn definition(&mut self) -> Parsed<Definition> {
        let name = self.expect_any_name()?;
        let mut parameters = Vec::new();
        if self.accept("(") {
            parameters.push(self.parameter()?);
            while self.accept(";") {
                parameters.push(self.parameter()?);
            }
            self.expect(")")?;
        }
        self.expect(":")?;
        let body = self.query()?;
        self.expect(";")?;
        Ok(Definition {
            name,
            parameters,
            body,
        })
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        if let Kind::Variable(name) = self.peek().clone() {
            self.advance();
            return Ok(Parameter::Value(name));
        }
        Ok(Parameter::Filter(self.expect_any_name()?))
    }

    fn expect_any_name(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Kind::Name(name) => {
                self.advance();
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Operands joined by operators, without commas and pipes.
    pub(super) fn expression(&mut self) -> Parsed<Term> {
        self.nested(|parser| parser.climb(0))
    }

    /// Precedence climbing: takes operators that bind at least as tightly as `tightest`.
    fn climb(&mut self, tightest: u8) -> Parsed<Term> {
        let mut left = self.operand()?;
        let mut forbidden = None;
        while let Some((operator, precedence, side)) = self.operator() {
            if precedence < tightest {
                break;
            }
            if forbidden == Some(precedence) {
                return Err(self.unexpected("a parenthesis around one of the comparisons"));
            }
            self.advance();
            let tighter = if side == Side::Right {
                precedence
            } else {
                precedence + 1
            };
            let right = self.nested(|parser| parser.climb(tighter))?;
            self.grow()?;
            left = Term::Binary(operator, Box::new(left), Box::new(right));
            forbidden = (side == Side::Neither).then_some(precedence);
        }
        Ok(left)
    }

    fn operand(&mut self) -> Parsed<Term> {
        if self.accept("-") {
            let operand = self.nested(Parser::operand)?;
            return Ok(Term::Negate(Box::new(operand)));
        }
        self.postfix_term()
    }

    fn operator(&self) -> Option<(Operator, u8, Side)> {
        use Operator::{
            Alternative, Assign, Calculate, Compare, Update, UpdateAlternative, UpdateBy,
        };
        let name = match self.peek() {
            Kind::Symbol(symbol) => *symbol,
            Kind::Name(name) if name == "or" => return Some((Operator::Or, 2, Side::Left)),
            Kind::Name(name) if name == "and" => return Some((Operator::And, 3, Side::Left)),
            _ => return None,
        };
        Some(match name {
            "//" => (Alternative, 0, Side::Right),
            "=" => (Assign, 1, Side::Neither),
            "|=" => (Update, 1, Side::Neither),
            "+=" => (UpdateBy(Calculation::Add), 1, Side::Neither),
            "-=" => (UpdateBy(Calculation::Subtract), 1, Side::Neither),
            "*=" => (UpdateBy(Calculation::Multiply), 1, Side::Neither),
            "/=" => (UpdateBy(Calculation::Divide), 1, Side::Neither),
            "%=" => (UpdateBy(Calculation::Remainder), 1, Side::Neither),
            "//=" => (UpdateAlternative, 1, Side::Neither),
            "==" => (Compare(Comparison::Equal), 4, Side::Neither),
            "!=" => (Compare(Comparison::Unequal), 4, Side::Neither),
            "<" => (Compare(Comparison::Less), 4, Side::Neither),
            "<=" => (Compare(Comparison::LessOrEqual), 4, Side::Neither),
            ">" => (Compare(Comparison::Greater), 4, Side::Neither),
            ">=" => (Compare(Comparison::GreaterOrEqual), 4, Side::Neither),
            "+" => (Calculate(Calculation::Add), 5, Side::Left),
            "-" => (Calculate(Calculation::Subtract), 5, Side::Left),
            "*" => (Calculate(Calculation::Multiply), 6, Side::Left),
            "/" => (Calculate(Calculation::Divide), 6, Side::Left),
            "%" => (Calculate(Calculation::Remainder), 6, Side::Left),
            _ => return None,
        })
    }
}
