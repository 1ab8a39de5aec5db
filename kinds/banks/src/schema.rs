//! A bank's JSON Schema: is it one, and does a value satisfy it?
//!
//! References to other documents are not followed: a schema reaches neither files nor network.

use jsonschema::Validator;
use memory_core::{Json, printable};
use serde_json::Value;

use crate::{BankError, BankName};

/// Accepts a schema that can be used.
pub(crate) fn accept(text: &Json) -> Result<(), BankError> {
    compile(text).map(|_| ()).map_err(|problem| BankError::BadArgument {
        problem: format!("This is not a JSON Schema: {problem}"),
        hint: Some("A schema is an object such as {\"type\": \"object\", \"required\": [\"name\"]}".into()),
    })
}

/// Refuses a value that the bank's schema does not allow.
pub(crate) fn check(bank: &BankName, schema: Option<&Json>, value: &str) -> Result<(), BankError> {
    let Some(schema) = schema else { return Ok(()) };
    let violation = |problem: String| BankError::Schema { bank: bank.clone(), problem };
    let validator = compile(schema).map_err(violation)?;
    let value: Value = serde_json::from_str(value).map_err(|e| violation(e.to_string()))?;
    let problems: Vec<String> = validator.iter_errors(&value).take(3).map(|e| say(&e)).collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(violation(problems.join("; "))),
    }
}

fn compile(schema: &Json) -> Result<Validator, String> {
    let schema: Value = schema.read().map_err(|e| e.to_string())?;
    jsonschema::validator_for(&schema).map_err(|e| e.to_string())
}

fn say(error: &jsonschema::ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let what: String = printable(&error.to_string()).chars().take(200).collect();
    if place.is_empty() { what } else { format!("{what} (at {place})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    #[test]
    fn values_are_held_against_the_schema() {
        let bank = BankName::parse("a").unwrap();
        let schema = json(r#"{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}"#);
        accept(&schema).unwrap();
        check(&bank, Some(&schema), r#"{"n":1}"#).unwrap();
        check(&bank, None, "1").unwrap();
        let error = check(&bank, Some(&schema), r#"{"n":"x"}"#).unwrap_err();
        assert_eq!(error.code().as_str(), "SCHEMA_VIOLATION");
        assert!(error.to_string().contains("at /n"), "{error}");
    }

    #[test]
    fn what_is_no_schema_or_reaches_out_is_refused() {
        for text in [
            r#"{"type":"nonsense"}"#,
            r#"{"$ref":"file:///etc/passwd"}"#,
            r#"{"$ref":"http://127.0.0.1/x"}"#,
            "3",
        ] {
            assert!(accept(&json(text)).is_err(), "{text}");
        }
    }
}
