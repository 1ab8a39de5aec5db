//! How much work is a schema? Counted before anything is compiled or checked with it.
//!
//! A few references to references are as much work as a schema of any size: ten references on each
//! of twelve levels are a million million checks. The count errs upwards where a reference may mean
//! several parts of a schema.

use std::collections::HashMap;

use memory_steps::count;
use serde_json::{Map, Value};

use crate::limits;

/// Why a schema is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooCostly {
    /// Written out without references, it would have too many parts.
    Parts,
    /// A reference leads to a reference and so on, too many times.
    Depth,
    /// A value would be checked too many times.
    Checks,
}

impl TooCostly {
    pub(super) fn problem(self) -> String {
        match self {
            TooCostly::Parts => {
                format!(
                    "it would have more than {} parts without its references",
                    limits::SCHEMA_PARTS
                )
            }
            TooCostly::Depth => format!(
                "its parts are nested more than {} deep",
                limits::SCHEMA_DEPTH
            ),
            TooCostly::Checks => {
                format!(
                    "the value would take more than {} checks",
                    limits::SCHEMA_CHECKS
                )
            }
        }
    }
}

/// The schema's keywords whose schemas are held against the value itself.
const IN_PLACE: &[&str] = &[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
];
/// Those whose schemas are held against the members of an object.
const OF_MEMBERS: &[&str] = &[
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
];
/// Those whose schemas are held against the items of an array.
const OF_ITEMS: &[&str] = &[
    "prefixItems",
    "items",
    "additionalItems",
    "contains",
    "unevaluatedItems",
];
const REFERENCES: &[&str] = &["$ref", "$dynamicRef", "$recursiveRef"];

/// A schema whose references can be followed.
pub(super) struct Graph<'s> {
    root: &'s Value,
    /// The parts with an id of their own, the root first.
    resources: Vec<&'s Value>,
    /// Parts by their anchors, and by the last words of their ids.
    names: HashMap<&'s str, Vec<&'s Value>>,
}

impl<'s> Graph<'s> {
    /// Reads which parts of a schema have names.
    pub(super) fn new(root: &'s Value) -> Self {
        let mut graph = Graph {
            root,
            resources: vec![root],
            names: HashMap::new(),
        };
        let mut left = vec![root];
        while let Some(part) = left.pop() {
            count(1);
            match part {
                Value::Object(members) => {
                    graph.name(part, members);
                    left.extend(members.values());
                }
                Value::Array(items) => left.extend(items),
                _ => {}
            }
        }
        graph
    }

    fn name(&mut self, part: &'s Value, members: &'s Map<String, Value>) {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        for anchor in ["$anchor", "$dynamicAnchor"].into_iter().filter_map(text) {
            self.names.entry(anchor).or_default().push(part);
        }
        for id in ["$id", "id"].into_iter().filter_map(text) {
            self.names.entry(last_word(id)).or_default().push(part);
            if !std::ptr::eq(part, self.root) {
                self.resources.push(part);
            }
        }
    }

    /// Returns the parts that a reference may mean.
    fn targets(&self, reference: &str) -> Vec<&'s Value> {
        let (resource, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let none = Vec::new();
        let resources = match resource {
            "" => &self.resources,
            _ => self.names.get(last_word(resource)).unwrap_or(&none),
        };
        count(1 + resources.len());
        match fragment {
            "" => resources.clone(),
            pointer if pointer.starts_with('/') => {
                let pointer = decoded(pointer);
                resources
                    .iter()
                    .filter_map(|resource| resource.pointer(&pointer))
                    .collect()
            }
            anchor => self.names.get(anchor).cloned().unwrap_or_default(),
        }
    }

    /// Returns what a part refers to.
    fn referred(&self, part: &Map<String, Value>) -> Vec<&'s Value> {
        let references = REFERENCES
            .iter()
            .filter_map(|name| part.get(*name)?.as_str());
        references
            .flat_map(|reference| self.targets(reference))
            .collect()
    }

    /// Refuses a schema that is too large once its references are written out.
    ///
    /// A part is counted once and its size remembered; where a part refers back to one that it
    /// stands in, it is not entered again.
    pub(super) fn check_size(&self) -> Result<(), TooCostly> {
        let mut sizes: HashMap<*const Value, Option<Size>> = HashMap::new();
        let mut open = vec![Open {
            part: self.root,
            left: self.parts(self.root),
            size: Size::ONE,
        }];
        sizes.insert(self.root, None);
        while let Some(top) = open.last_mut() {
            count(1);
            let Some(next) = top.left.pop() else {
                let (part, size) = (top.part, top.size);
                sizes.insert(part, Some(size));
                open.pop();
                if let Some(above) = open.last_mut() {
                    above.size.add(size);
                    above.size.check()?;
                }
                continue;
            };
            match sizes.get(&std::ptr::from_ref(next)) {
                Some(Some(size)) => {
                    top.size.add(*size);
                    top.size.check()?;
                }
                Some(None) => {}
                None => {
                    sizes.insert(next, None);
                    open.push(Open {
                        part: next,
                        left: self.parts(next),
                        size: Size::ONE,
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns the schemas that a part is made of, and those that it refers to.
    fn parts(&self, part: &'s Value) -> Vec<&'s Value> {
        let Value::Object(members) = part else {
            return Vec::new();
        };
        let keywords = [IN_PLACE, OF_MEMBERS, OF_ITEMS].into_iter().flatten();
        let own = keywords
            .filter_map(|name| Some(schemas(name, members.get(*name)?)))
            .flatten();
        own.chain(self.referred(members)).collect()
    }

    /// Refuses to hold the schema against a value if that would take too many checks.
    pub(super) fn check_value<'v>(&self, value: &'v Value) -> Result<(), TooCostly>
    where
        's: 'v,
    {
        let mut left: Vec<(&'v Value, &'v Value)> = vec![(self.root, value)];
        let mut checks = 0;
        while let Some((part, value)) = left.pop() {
            count(1);
            checks += 1;
            let Value::Object(part) = part else { continue };
            let mut add = |part: &'v Value, value: &'v Value| {
                count(1);
                checks += 1;
                left.push((part, value));
                if checks > limits::SCHEMA_CHECKS {
                    Err(TooCostly::Checks)
                } else {
                    Ok(())
                }
            };
            // To know what is left over, the same parts are looked at once more.
            let times = 1 + usize::from(part.keys().any(|name| name.starts_with("unevaluated")));
            for _ in 0..times {
                let own = IN_PLACE
                    .iter()
                    .filter_map(|name| Some(schemas(name, part.get(*name)?)))
                    .flatten();
                own.chain(self.referred(part))
                    .try_for_each(|part| add(part, value))?;
            }
            match value {
                Value::Object(members) => {
                    for (name, member) in members {
                        of_member(part, name)
                            .into_iter()
                            .try_for_each(|part| add(part, member))?;
                    }
                }
                Value::Array(items) => {
                    for (n, item) in items.iter().enumerate() {
                        of_item(part, n)
                            .into_iter()
                            .try_for_each(|part| add(part, item))?;
                    }
                }
                _ => {}
            }
            if checks > limits::SCHEMA_CHECKS {
                return Err(TooCostly::Checks);
            }
        }
        Ok(())
    }
}

/// How much a part holds, with all that it refers to.
#[derive(Debug, Clone, Copy)]
struct Size {
    parts: usize,
    depth: usize,
}

impl Size {
    const ONE: Size = Size { parts: 1, depth: 1 };

    fn add(&mut self, inner: Size) {
        self.parts = self.parts.saturating_add(inner.parts);
        self.depth = self.depth.max(inner.depth + 1);
    }

    fn check(self) -> Result<(), TooCostly> {
        if self.parts > limits::SCHEMA_PARTS {
            Err(TooCostly::Parts)
        } else if self.depth > limits::SCHEMA_DEPTH {
            Err(TooCostly::Depth)
        } else {
            Ok(())
        }
    }
}

/// A part whose size is being added up.
struct Open<'s> {
    part: &'s Value,
    left: Vec<&'s Value>,
    size: Size,
}

/// Returns the schemas below a keyword: one, a list of them, or some by their names.
fn schemas<'s>(keyword: &str, value: &'s Value) -> Vec<&'s Value> {
    match (keyword, value) {
        (
            "properties" | "patternProperties" | "dependentSchemas" | "dependencies",
            Value::Object(named),
        ) => named.values().collect(),
        (_, Value::Array(list)) => list.iter().collect(),
        (_, Value::Object(_)) => vec![value],
        _ => Vec::new(),
    }
}

/// Returns the schemas that a member of an object is held against. Every pattern may fit its name.
fn of_member<'s>(part: &'s Map<String, Value>, name: &str) -> Vec<&'s Value> {
    let named = part.get("properties").and_then(|named| named.get(name));
    let patterns = part
        .get("patternProperties")
        .map(|named| schemas("patternProperties", named));
    let others = [
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
    ];
    let others = others.into_iter().filter_map(|keyword| part.get(keyword));
    named
        .into_iter()
        .chain(patterns.into_iter().flatten())
        .chain(others)
        .collect()
}

/// Returns the schemas that an item of an array is held against.
fn of_item(part: &Map<String, Value>, n: usize) -> Vec<&Value> {
    let of_place = |keyword: &str| match part.get(keyword)? {
        Value::Array(list) => list.get(n),
        every => Some(every),
    };
    OF_ITEMS
        .iter()
        .filter_map(|keyword| of_place(keyword))
        .collect()
}

/// Returns what an id is told from others by: what follows its last slash.
fn last_word(id: &str) -> &str {
    let id = id.trim_end_matches('#');
    id.rsplit('/').next().unwrap_or(id)
}

/// Returns a fragment without percent signs that stand for other characters.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(decoded) if byte == b'%' => {
                bytes.push(decoded);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}
