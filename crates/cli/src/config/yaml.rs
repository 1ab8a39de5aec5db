//! A YAML file as nodes: every name with its value, and where in the text both stand.
//!
//! Nothing here knows a setting. Anchors, aliases and tags are refused, because a value that begins
//! with one is something other than it seems; so is a name that stands twice.

use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, Span, StrInput, StructureStyle};

/// A file's nodes, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) nodes: Vec<Node>,
    /// Where the inside of the outermost braces begins, if there are any.
    pub(super) braces: Option<usize>,
    /// Where the document ends: at its `...`, or with the text.
    pub(super) end: usize,
}

/// A name, and what stands under it.
#[derive(Debug)]
pub(super) struct Node {
    /// The names down to this one, with dots between them.
    pub(super) key: String,
    pub(super) line: usize,
    /// The bytes of the name.
    pub(super) at: Range<usize>,
    /// Whether it stands between braces, where line breaks and indentation mean nothing.
    pub(super) in_braces: bool,
    pub(super) body: Body,
}

/// What stands under a name. Ranges are bytes of the text.
#[derive(Debug)]
pub(super) enum Body {
    /// Nothing, or a word for it.
    Nothing(Range<usize>),
    Text(String, ScalarStyle, Range<usize>),
    List(Range<usize>),
    /// Names below this one.
    Block,
    /// Names between braces.
    Braces(Range<usize>),
}

/// What is wrong with a text, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    pub(super) what: String,
    pub(super) line: usize,
}

/// Reads a text without its byte order mark.
pub(super) fn parse(text: &str) -> Result<Document, Flaw> {
    let options = granit_parser::options! { emit_unresolved_aliases: true, emit_comments: false };
    let mut reader = Reader {
        events: Parser::new_from_str_with_options(text, options),
        nodes: vec![],
        lines: HashMap::new(),
        last_line: 1,
    };
    let mut document = Document {
        end: text.len(),
        ..Document::default()
    };
    let mut begun = false;
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamEnd => break,
            Event::DocumentStart(..) if begun => {
                return Err(flaw("a second document begins here", &span));
            }
            Event::DocumentStart(..) => begun = true,
            Event::DocumentEnd if !range(&span).is_empty() => document.end = range(&span).start,
            Event::MappingStart(style, ..) => {
                let braces = style == StructureStyle::Flow;
                document.braces = braces.then_some(range(&span).end);
                reader.section("", braces)?;
            }
            Event::Scalar(word, ScalarStyle::Plain, ..) if is_nothing(&word) => {}
            Event::Scalar(..) | Event::SequenceStart(..) => {
                return Err(flaw("expected settings such as 'timezone: UTC'", &span));
            }
            _ => {}
        }
    }
    document.nodes = reader.nodes;
    Ok(document)
}

struct Reader<'a> {
    events: Parser<'a, StrInput<'a>>,
    nodes: Vec<Node>,
    /// Each key's line.
    lines: HashMap<String, usize>,
    last_line: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Flaw> {
        let Some(next) = self.events.next_event() else {
            return Err(Flaw {
                what: "the file ends too early".to_owned(),
                line: self.last_line,
            });
        };
        let (event, span) = next.map_err(|error| Flaw {
            what: error.info(),
            line: error.marker().line().max(1),
        })?;
        self.last_line = span.start.line();
        let is_alias = matches!(event, Event::Alias(_) | Event::UnresolvedAlias(_));
        if is_alias || event.anchor_id().is_some() || event.tag().is_some() {
            return Err(flaw("anchors, aliases and tags are not allowed", &span));
        }
        Ok((event, span))
    }

    /// Reads names up to the section's end; returns where that is.
    fn section(&mut self, above: &str, in_braces: bool) -> Result<usize, Flaw> {
        loop {
            match self.next()? {
                (Event::MappingEnd, span) => return Ok(range(&span).end),
                (Event::Scalar(name, ..), span) => self.field(above, &name, &span, in_braces)?,
                (_, span) => return Err(flaw("a name is expected here", &span)),
            }
        }
    }

    fn field(&mut self, above: &str, name: &str, span: &Span, in_braces: bool) -> Result<(), Flaw> {
        if name.contains('.') {
            return Err(flaw(
                &format!("'{name}' has a dot; write each name on a line of its own"),
                span,
            ));
        }
        let key = if above.is_empty() {
            name.to_owned()
        } else {
            format!("{above}.{name}")
        };
        let line = span.start.line();
        if let Some(first) = self.lines.insert(key.clone(), line) {
            return Err(flaw(
                &format!("'{key}' is already set in line {first}"),
                span,
            ));
        }
        let place = self.nodes.len();
        let body = Body::Nothing(0..0);
        self.nodes.push(Node {
            key: key.clone(),
            line,
            at: range(span),
            in_braces,
            body,
        });
        let body = self.body(&key)?;
        self.nodes[place].body = body;
        Ok(())
    }

    fn body(&mut self, key: &str) -> Result<Body, Flaw> {
        let (event, span) = self.next()?;
        let at = range(&span);
        match event {
            Event::Scalar(word, ScalarStyle::Plain, ..) if is_nothing(&word) => {
                Ok(Body::Nothing(at))
            }
            Event::Scalar(text, style, ..) => Ok(Body::Text(text.into_owned(), style, at)),
            Event::MappingStart(StructureStyle::Flow, ..) => {
                Ok(Body::Braces(at.start..self.section(key, true)?))
            }
            Event::MappingStart(..) => self.section(key, false).map(|_| Body::Block),
            Event::SequenceStart(..) => Ok(Body::List(at.start..self.list(at.end)?)),
            _ => Err(flaw("a value is expected here", &span)),
        }
    }

    /// Passes over a list; returns where it ends, which is not before `end`.
    fn list(&mut self, mut end: usize) -> Result<usize, Flaw> {
        let mut depth = 1;
        while depth > 0 {
            let (event, span) = self.next()?;
            match event {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => depth -= 1,
                _ => {}
            }
            // The end of a list without brackets is told at the next name, far from its last item.
            end = if range(&span).is_empty() {
                end
            } else {
                range(&span).end
            };
        }
        Ok(end)
    }
}

fn is_nothing(word: &str) -> bool {
    matches!(word, "" | "~" | "null" | "Null" | "NULL")
}

fn range(span: &Span) -> Range<usize> {
    span.byte_range().unwrap_or_default()
}

fn flaw(what: &str, span: &Span) -> Flaw {
    Flaw {
        what: what.to_owned(),
        line: span.start.line(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn keys(text: &str) -> Vec<(String, usize)> {
        parse(text)
            .unwrap()
            .nodes
            .into_iter()
            .map(|node| (node.key, node.line))
            .collect()
    }

    #[test]
    fn every_name_is_found_in_its_own_line() {
        let text = "# head\ningestion:\n  logseq:\n    path: a\n  obsidian: {path: b,\n   enabled: true}\n";
        let found = keys(text);
        let found: Vec<(&str, usize)> = found
            .iter()
            .map(|(key, line)| (key.as_str(), *line))
            .collect();
        assert_eq!(
            found,
            [
                ("ingestion", 2),
                ("ingestion.logseq", 3),
                ("ingestion.logseq.path", 4),
                ("ingestion.obsidian", 5),
                ("ingestion.obsidian.path", 5),
                ("ingestion.obsidian.enabled", 6),
            ]
        );
    }

    #[test]
    fn a_file_may_say_nothing() {
        for text in [
            "",
            "\n\n",
            "# only\n# words\n",
            "---\n",
            "---\n...\n",
            "--- # x\n",
            "null\n",
            "{}\n",
        ] {
            assert_eq!(keys(text), [], "{text:?}");
        }
    }

    #[track_caller]
    fn check(text: &str, what: &str, line: usize) {
        assert_eq!(
            parse(text).unwrap_err(),
            Flaw {
                what: what.to_owned(),
                line
            },
            "{text:?}"
        );
    }

    #[test]
    fn what_is_not_plain_is_refused_with_its_line() {
        let refused = "anchors, aliases and tags are not allowed";
        check("a:\n  b: &x 1\n", refused, 2);
        check("a: 1\nb: *x\n", refused, 2);
        check("a: 1\nb: !!str 2\n", refused, 2);
        check("a: !!map {}\n", refused, 1);
        check("a: [1, *x]\n", refused, 1);
        check("&a x: 1\n", refused, 1);
        check(
            "a:\n  b: 1\nc: 2\na:\n  d: 3\n",
            "'a' is already set in line 1",
            4,
        );
        check(
            "a.b: 1\n",
            "'a.b' has a dot; write each name on a line of its own",
            1,
        );
        check("a: 1\n---\nb: 2\n", "a second document begins here", 2);
        check("- a\n", "expected settings such as 'timezone: UTC'", 1);
        check("words\n", "expected settings such as 'timezone: UTC'", 1);
        check("a: 1\n[b]: 2\n", "a name is expected here", 2);
        assert_eq!(parse("a:\n  b: [1\n").unwrap_err().line, 2);
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[-a:\"'\\[\\]{}|&*!?#,.~ \t\r\n中]{0,60}") {
            let _ = parse(&text);
        }
    }
}
