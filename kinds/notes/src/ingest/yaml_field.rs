//! Fields of a foreign head that our own reader of heads does not understand, read as YAML.

use granit_parser::{Event, Parser};

/// A field at the top of a mapping.
struct Field {
    /// The items of its value, if that is a list of scalars.
    items: Option<Vec<String>>,
}

/// Returns whether lines are one field of a YAML mapping.
pub(super) fn is_one_field(lines: &str) -> bool {
    read(lines).is_some_and(|fields| fields.len() == 1)
}

/// Returns whether lines are the fields of a YAML mapping, or nothing.
#[cfg(test)]
pub(super) fn are_fields(lines: &str) -> bool {
    read(lines).is_some()
}

/// Returns the items of the first field, if its value is a list of scalars.
pub(super) fn list(lines: &str) -> Option<Vec<String>> {
    read(lines)?.into_iter().next()?.items
}

/// Reads the fields of one document; returns `None` if it is not a mapping with scalar names, or has aliases.
fn read(lines: &str) -> Option<Vec<Field>> {
    let mut parser = Parser::new_from_str(lines);
    let mut fields: Vec<Field> = Vec::new();
    let mut documents = 0;
    let mut depth = 0;
    let mut is_name = true;
    while let Some(event) = parser.next_event() {
        match event.ok()?.0 {
            Event::Alias(_) | Event::UnresolvedAlias(_) => return None,
            Event::DocumentStart(..) => documents += 1,
            Event::Scalar(word, ..) => match depth {
                0 if word.is_empty() || word == "~" || word == "null" => {}
                0 => return None,
                1 if is_name => {
                    fields.push(Field { items: None });
                    is_name = false;
                }
                1 => is_name = true,
                2 => {
                    let items = fields.last_mut().and_then(|field| field.items.as_mut());
                    items
                        .into_iter()
                        .for_each(|items| items.push(word.clone().into_owned()));
                }
                _ => {}
            },
            Event::SequenceStart(..) | Event::MappingStart(..) if depth == 1 && is_name => {
                return None;
            }
            Event::SequenceStart(..) if depth == 0 => return None,
            Event::SequenceStart(..) if depth == 1 => {
                fields.last_mut()?.items = Some(Vec::new());
                depth += 1;
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if let Some(field) = fields.last_mut() {
                    field.items = None;
                }
                depth += 1;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                depth -= 1;
                is_name = is_name || depth == 1;
            }
            _ => {}
        }
        if documents > 1 {
            return None;
        }
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_field_has_one_name_and_any_value_without_aliases() {
        for one in [
            "a: 1",
            "a:",
            "a: [1, {b: 2}]",
            "a:\n  - b: c\n    d: e\n",
            "\"a b\": |\n  text\n",
        ] {
            assert!(is_one_field(one), "{one}");
        }
        for other in [
            "",
            "a",
            "- a",
            "a: 1\nb: 2",
            "a: *b",
            "a: &b 1\nc: *b",
            "a: \"open",
            "? [a]\n: b",
            "a: 1\n---\nb: 2",
        ] {
            assert!(!is_one_field(other), "{other}");
        }
    }

    #[test]
    fn a_list_has_scalars_only() {
        assert_eq!(list("a: [\n  x,\n  \"y z\"\n]").unwrap(), ["x", "y z"]);
        assert_eq!(list("a:\n- x\n- 7").unwrap(), ["x", "7"]);
        assert_eq!(list("a: []").unwrap(), Vec::<String>::new());
        for other in ["a: x", "a: [[x]]", "a: [x, {b: c}]", "a: {b: c}", "[x]"] {
            assert!(list(other).is_none(), "{other}");
        }
    }
}
