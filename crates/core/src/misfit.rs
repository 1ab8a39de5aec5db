//! Why parameters do not fit a tool: which one it is, and what it takes.
//!
//! What the parser says names types of our code and no parameter; a model that reads it can't mend
//! its call. This looks at what was sent beside the tool's schema.

use serde_json::{Map, Value};

use crate::{Code, Error, nearest};

/// Tells what is wrong with parameters that could not be read.
pub(crate) fn misfit(raw: &str, schema: &Value, problem: &serde_json::Error) -> Error {
    let told = |message| Error::new(Code::InvalidArgument, message);
    let given = match serde_json::from_str(raw) {
        Ok(Value::Object(given)) => given,
        Ok(_) => return told(r#"Parameters are an object, such as {"name": "value"}"#.to_owned()),
        Err(problem) => {
            return told(format!(
                "The parameters cannot be read: {}",
                without_place(&problem)
            ));
        }
    };
    let known = schema["properties"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    let required = schema["required"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if let Some(name) = required
        .iter()
        .filter_map(Value::as_str)
        .find(|name| !given.contains_key(*name))
    {
        return told(format!("The parameter '{name}' is missing")).hint(choices(&known));
    }
    let problem = problem.to_string();
    if let Some(name) = problem
        .strip_prefix("unknown field `")
        .and_then(|rest| rest.split('`').next())
    {
        return unknown_parameter(name, known.keys().map(String::as_str));
    }
    let misfits = given
        .iter()
        .find(|(name, value)| known.get(*name).is_some_and(|one| !fits(value, one)));
    match misfits {
        Some((name, value)) => told(format!(
            "'{name}' takes {}, not {}",
            wanted(&known[name]),
            kind(value)
        )),
        None => told(without_place(&problem)),
    }
}

/// A place in parameters that were sent on one line helps nobody.
fn without_place(problem: &impl ToString) -> String {
    let problem = problem.to_string();
    problem
        .split(" at line ")
        .next()
        .unwrap_or(&problem)
        .to_owned()
}

/// Tells of a parameter that a tool does not have, and which one was meant.
pub fn unknown_parameter<'k>(
    name: &str,
    known: impl IntoIterator<Item = &'k str> + Clone,
) -> Error {
    let told = Error::new(Code::InvalidArgument, format!("Unknown parameter '{name}'"));
    match nearest(name, known.clone()) {
        Some(meant) => told.hint(format!("Did you mean '{meant}'?")),
        None => told.hint(list(known)),
    }
}

fn choices(known: &Map<String, Value>) -> String {
    list(known.keys().map(String::as_str))
}

fn list<'k>(known: impl IntoIterator<Item = &'k str>) -> String {
    match known.into_iter().collect::<Vec<_>>().as_slice() {
        [] => "There are none".to_owned(),
        [only] => format!("There is only '{only}'"),
        known => format!("There are {}", known.join(", ")),
    }
}

fn fits(value: &Value, schema: &Value) -> bool {
    if value.is_null() {
        return true;
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.contains(value);
    }
    match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("object") => value.is_object(),
        Some("array") => value
            .as_array()
            .is_some_and(|items| items.iter().all(|item| fits(item, &schema["items"]))),
        _ => true,
    }
}

fn wanted(schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        return values.join(" or ");
    }
    match schema["type"].as_str() {
        Some("string") => "a text".to_owned(),
        Some("integer") => "a whole number".to_owned(),
        Some("array") if schema["items"]["type"] == "string" => {
            r#"a list like ["a", "b"]"#.to_owned()
        }
        Some("array") => "a list".to_owned(),
        Some(other) => format!("a {other}"),
        None => "something else".to_owned(),
    }
}

fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::String(text) if text.chars().count() <= 40 => format!("'{text}'"),
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) => "this list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters;

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Phase {
        Inbox,
        Organized,
    }

    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Params {
        query: String,
        #[serde(default)]
        tags: Vec<String>,
        #[serde(default)]
        limit: Option<usize>,
        #[serde(default)]
        phase: Option<Phase>,
    }

    #[track_caller]
    fn check(raw: &str, sentence: &str) {
        let read = serde_json::from_str::<Params>(raw);
        let problem = read
            .err()
            .unwrap_or_else(|| serde::de::Error::custom("no object"));
        let error = misfit(raw, &parameters::<Params>(), &problem);
        // The order of all parameters is the map's.
        let hint = error
            .hint
            .iter()
            .filter(|hint| !hint.starts_with("There are"));
        let hint = hint.map(|hint| format!(" ({hint})")).collect::<String>();
        assert_eq!(format!("{}{hint}", error.message), sentence);
    }

    #[test]
    fn the_parameter_that_does_not_fit_is_named() {
        check(r#"{"tags": []}"#, "The parameter 'query' is missing");
        check(
            r#"{"query": "a", "tgas": []}"#,
            "Unknown parameter 'tgas' (Did you mean 'tags'?)",
        );
        check(
            r#"{"query": "a", "colour": 1}"#,
            "Unknown parameter 'colour'",
        );
        check(
            r#"{"query": "a", "tags": "b"}"#,
            r#"'tags' takes a list like ["a", "b"], not 'b'"#,
        );
        check(
            r#"{"query": "a", "tags": [1]}"#,
            r#"'tags' takes a list like ["a", "b"], not this list"#,
        );
        check(
            r#"{"query": "a", "limit": -1}"#,
            "'limit' takes a whole number, not -1",
        );
        check(
            r#"{"query": "a", "limit": "3"}"#,
            "'limit' takes a whole number, not '3'",
        );
        check(
            r#"{"query": "a", "phase": "old"}"#,
            "'phase' takes inbox or organized, not 'old'",
        );
        check(
            r#"["a"]"#,
            r#"Parameters are an object, such as {"name": "value"}"#,
        );
        check(
            r#""a""#,
            r#"Parameters are an object, such as {"name": "value"}"#,
        );
        let cut = r#"{"query": "cut \ud83d"}"#;
        check(
            cut,
            "The parameters cannot be read: unexpected end of hex escape",
        );
    }
}
